//! The array that a law fills: a new one, or the caller's.
#![allow(unsafe_code)] // Arrays made here are filled before anybody else sees them; each block says so.

use numpy::{PyArray1, PyArrayMethods, PyReadwriteArray1, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;

/// Where the values of a call go.
pub(super) enum Output<'py> {
    Fresh(Bound<'py, PyArray1<f64>>),
    Given(Bound<'py, PyArray1<f64>>, PyReadwriteArray1<'py, f64>),
}

impl<'py> Output<'py> {
    /// Takes `out`, or makes an array; `None` where `out` is not a plain array of that length that
    /// can be written.
    #[inline]
    pub(super) fn new(py: Python<'py>, out: Option<&Bound<'py, PyAny>>, len: usize) -> Option<Self> {
        let Some(out) = out else {
            // SAFETY: the core writes every element, or the array is dropped with the error.
            return Some(Self::Fresh(unsafe { PyArray1::new(py, len, false) }));
        };
        let array = plain_array(out)?;
        let mut borrow = array.try_readwrite().ok()?;
        let fits = borrow.as_slice_mut().is_ok_and(|slots| slots.len() == len);
        fits.then(|| Self::Given(array.clone(), borrow))
    }

    #[inline]
    pub(super) fn slots(&mut self) -> PyResult<&mut [f64]> {
        match self {
            // SAFETY: the array was made by `new` and nobody else has it.
            Self::Fresh(array) => Ok(unsafe { array.as_slice_mut()? }),
            Self::Given(_, borrow) => Ok(borrow.as_slice_mut()?),
        }
    }

    pub(super) fn into_array(self) -> Bound<'py, PyAny> {
        let (Self::Fresh(array) | Self::Given(array, _)) = self;
        array.into_any()
    }
}

/// The value as an ndarray of float64 with one axis; not its subclasses, which may mean more (a mask).
#[inline]
pub(super) fn plain_array<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyArray1<f64>>> {
    let exact = value.get_type().is(PyUntypedArray::type_object(value.py()));
    if exact { value.cast().ok() } else { None }
}
