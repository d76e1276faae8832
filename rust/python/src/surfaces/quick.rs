//! Small calls: what they bring mostly needs no conversion, and looking at it all would cost the most.
#![allow(unsafe_code)] // A view of an array made here; the block says why it is the only one.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use scalewall_core::surfaces::{self, Grid, Law, Options, Quantity};

use super::DETACH_FROM;
use super::evaluate::fresh;
use crate::error::CoreError;

/// A number or a plain array, taken as it is: what small calls mostly bring.
enum Plain<'py> {
    Number([f64; 1]),
    Array(PyReadonlyArray1<'py, f64>),
}

impl<'py> Plain<'py> {
    fn new(value: &Bound<'py, PyAny>) -> Option<Self> {
        if let Ok(number) = value.cast_exact::<PyFloat>() {
            return Some(Self::Number([number.value()]));
        }
        let array = value.cast_exact::<PyArray1<f64>>().ok()?.try_readonly().ok()?;
        array.as_slice().is_ok().then_some(Self::Array(array))
    }

    fn slice(&self) -> PyResult<&[f64]> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Array(array) => Ok(array.as_slice()?),
        }
    }
}

/// Evaluate a small grid of a common law from arguments that need no conversion; None for others.
#[pyfunction]
#[pyo3(signature = (law, quantity, serial_given, first, second, n))]
pub(crate) fn surfaces_quick<'py>(
    py: Python<'py>,
    law: &str,
    quantity: &str,
    serial_given: bool,
    first: &Bound<'py, PyAny>,
    second: Option<&Bound<'py, PyAny>>,
    n: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (first, second, n) = (Plain::new(first), second.map(Plain::new), Plain::new(n));
    let (Some(first), Some(n), Some(second)) =
        (first, n, second.map_or(Some(None), |second| second.map(Some)))
    else {
        return Ok(None);
    };
    let mut parameters = vec![first.slice()?];
    parameters.extend(second.as_ref().map(Plain::slice).transpose()?);
    quick(
        py,
        &Grid {
            law: Law::named(law).map_err(CoreError::from)?,
            quantity: Quantity::named(quantity).map_err(CoreError::from)?,
            serial_given,
            parameters,
            scale: None,
            n: n.slice()?,
            columns: Vec::new(),
        },
    )
}

fn quick<'py>(py: Python<'py>, grid: &Grid<'_, f64>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (rows, columns) = (grid.rows(), grid.n.len());
    if rows.saturating_mul(columns) >= DETACH_FROM {
        return Ok(None);
    }
    let array = fresh(py, rows, columns)?;
    // SAFETY: the array was made here and nobody else has it.
    let cells = unsafe { array.as_slice_mut()? };
    surfaces::evaluate_into(grid, &Options::small(), cells).map_err(CoreError::from)?;
    Ok(Some(array.into_any()))
}
