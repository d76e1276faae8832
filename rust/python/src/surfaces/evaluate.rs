//! A grid into an array, fresh or the caller's.
#![allow(unsafe_code)] // Views of NumPy arrays made here; each block states what was checked.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use scalewall_core::os;
use scalewall_core::surfaces::{self, Level, Options, Real, Store};

use super::{Arguments, DETACH_FROM, Views, Watch, threads};
use crate::error::CoreError;

/// Threads, CPU level, store, exact.
#[derive(FromPyObject)]
pub(crate) struct How(usize, PyBackedStr, PyBackedStr, bool);

impl How {
    fn options(&self, bytes: usize) -> Result<Options<'_>, CoreError> {
        Ok(Options {
            threads: threads(self.0)?,
            level: Level::named(&self.1)?,
            store: Store::named(&self.2, bytes)?,
            exact: self.3,
            poll: None,
        })
    }
}

/// Memory for a fresh result, with huge pages where it is large.
pub(super) fn fresh<T: Real + Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    surfaces::check_memory(rows, columns, size_of::<T>()).map_err(CoreError::from)?;
    // SAFETY: every cell is written before Python sees the array, or the array is dropped.
    let array = unsafe { PyArray2::<T>::new(py, [rows, columns], false) };
    // SAFETY: the array was made here and nobody else has it.
    os::advise_huge_pages(unsafe { array.as_slice_mut()? });
    Ok(array)
}

fn evaluate<'py, T: Real + Element>(
    py: Python<'py>,
    views: &Views<'py, T>,
    how: &How,
    out: Option<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let grid = views.grid()?;
    let array = match out {
        Some(out) => out.cast_into::<PyArray2<T>>()?,
        None => fresh(py, grid.rows(), grid.n.len())?,
    };
    let mut target = array.try_readwrite()?;
    let cells = target.as_slice_mut()?;
    let (watch, long) = (Watch::new(progress), cells.len() >= DETACH_FROM);
    let poll = |share: f64| watch.poll(share);
    let options = Options { poll: long.then_some(&poll), ..how.options(size_of_val(cells))? };
    let mut run = || surfaces::evaluate_into(&grid, &options, cells);
    let outcome = if long { py.detach(&mut run) } else { run() };
    watch.finish(outcome)?;
    drop(target);
    Ok(array.into_any())
}

/// Evaluate a law over a grid; `scalewall.surface` checks and explains the arguments.
#[pyfunction]
#[pyo3(signature = (grid, how, out, progress))]
pub(crate) fn surfaces_evaluate<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    how: How,
    out: Option<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if grid.single() {
        evaluate(py, &Views::<f32>::new(grid)?, &how, out, progress)
    } else {
        evaluate(py, &Views::<f64>::new(grid)?, &how, out, progress)
    }
}

/// Fill an array with one value by the widest streaming stores: the store limit of benchmarks.
#[pyfunction]
pub(crate) fn surfaces_fill_limit(
    py: Python<'_>,
    out: &Bound<'_, PyArray1<f64>>,
    level: &str,
    count: usize,
) -> PyResult<()> {
    let (level, threads) = (Level::named(level).map_err(CoreError::from)?, threads(count)?);
    let mut target = out.try_readwrite()?;
    let cells = target.as_slice_mut()?;
    py.detach(|| surfaces::fill_limit(1.5, level, threads, cells));
    Ok(())
}
