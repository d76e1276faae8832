//! Surfaces and scans: arguments in, one core call without the GIL, arrays out.
#![allow(clippy::needless_pass_by_value)] // What pyo3 extracts from an argument is a value.

mod evaluate;
mod quick;
mod scan;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use scalewall_core::surfaces::{self, Grid, Law, Level, Quantity, Real};
use scalewall_core::threads::Threads;

use crate::error::CoreError;
use crate::watch::{Watch, threads};

pub(crate) use evaluate::{surfaces_evaluate, surfaces_fill_limit};
pub(crate) use quick::surfaces_quick;
pub(crate) use scan::{
    surfaces_at_least, surfaces_cells, surfaces_contour, surfaces_extremes, surfaces_histogram,
    surfaces_quantiles,
};

/// Below this many cells, giving up the GIL costs more than it gives.
const DETACH_FROM: usize = 8_000;

/// What Python hands over for one grid: kind, parameters, scale, worker counts, columns.
#[derive(FromPyObject)]
pub(crate) struct Arguments<'py>(
    (PyBackedStr, PyBackedStr, bool),
    Vec<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    Vec<Bound<'py, PyAny>>,
);

impl Arguments<'_> {
    fn single(&self) -> bool {
        self.3.cast::<PyArray1<f32>>().is_ok()
    }
}

/// The same, as views of its arrays.
struct Views<'py, T: Element> {
    kind: (PyBackedStr, PyBackedStr, bool),
    parameters: Vec<PyReadonlyArray1<'py, T>>,
    scale: Option<PyReadonlyArray1<'py, T>>,
    n: PyReadonlyArray1<'py, T>,
    columns: Vec<PyReadonlyArray1<'py, T>>,
}

impl<'py, T: Real + Element> Views<'py, T> {
    fn new(arguments: Arguments<'py>) -> PyResult<Self> {
        let view = |array: Bound<'py, PyAny>| -> PyResult<PyReadonlyArray1<'py, T>> {
            Ok(array.cast_into::<PyArray1<T>>()?.try_readonly()?)
        };
        let Arguments(kind, parameters, scale, n, columns) = arguments;
        Ok(Self {
            kind,
            parameters: parameters.into_iter().map(view).collect::<PyResult<_>>()?,
            scale: scale.map(view).transpose()?,
            n: view(n)?,
            columns: columns.into_iter().map(view).collect::<PyResult<_>>()?,
        })
    }

    fn grid(&self) -> PyResult<Grid<'_, T>> {
        Ok(Grid {
            law: Law::named(&self.kind.0).map_err(CoreError::from)?,
            quantity: Quantity::named(&self.kind.1).map_err(CoreError::from)?,
            serial_given: self.kind.2,
            parameters: slices(&self.parameters)?,
            scale: self.scale.as_ref().map(|scale| scale.as_slice()).transpose()?,
            n: self.n.as_slice()?,
            columns: slices(&self.columns)?,
        })
    }
}

fn slices<'a, T: Real + Element>(arrays: &'a [PyReadonlyArray1<'_, T>]) -> PyResult<Vec<&'a [T]>> {
    arrays.iter().map(|array| Ok(array.as_slice()?)).collect()
}

/// What was chosen on this machine: CPU level, threads, bytes from which results are streamed.
#[pyfunction]
pub(crate) fn surfaces_machine() -> (&'static str, usize, usize) {
    (Level::best().name(), Threads::Auto.resolve(usize::MAX), surfaces::streaming_threshold())
}
