//! Questions about a grid that is never stored.

use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use scalewall_core::surfaces::{self, Asking, Counts, Grid, Level, Method, Real, Side};

use super::{Arguments, Views, Watch, threads};
use crate::error::CoreError;

/// Threads, CPU level, method.
type How = (usize, PyBackedStr, PyBackedStr);
type Progress = Option<Py<PyAny>>;
type Integers<'py> = Bound<'py, PyArray1<i64>>;
type Floats<'py> = Bound<'py, PyArray1<f64>>;

/// Runs one question without the GIL, watching signals and progress.
fn ask<T: Real + Element, R: Send>(
    py: Python<'_>,
    grid: Arguments<'_>,
    how: &How,
    progress: Progress,
    question: impl Fn(&Grid<'_, T>, Asking<'_>) -> scalewall_core::Result<R> + Sync,
) -> PyResult<R> {
    let views = Views::<T>::new(grid)?;
    let (grid, watch) = (views.grid()?, Watch::new(progress));
    let poll = |share: f64| watch.poll(share);
    let asking = Asking {
        threads: threads(how.0)?,
        level: Level::named(&how.1).map_err(CoreError::from)?,
        method: Method::named(&how.2).map_err(CoreError::from)?,
        poll: Some(&poll),
    };
    let outcome = py.detach(|| question(&grid, asking));
    watch.finish(outcome)
}

/// The same question of a grid of either type.
macro_rules! either {
    ($py:ident, $grid:ident, $how:ident, $progress:expr, $question:expr) => {
        if $grid.single() {
            ask::<f32, _>($py, $grid, &$how, $progress, $question)?
        } else {
            ask::<f64, _>($py, $grid, &$how, $progress, $question)?
        }
    };
}

/// Find the largest or smallest value of every row: columns and values.
#[pyfunction]
#[pyo3(signature = (grid, largest, how, progress))]
pub(crate) fn surfaces_extremes<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    largest: bool,
    how: How,
    progress: Progress,
) -> PyResult<(Integers<'py>, Floats<'py>)> {
    let side = if largest { Side::Max } else { Side::Min };
    let found = either!(py, grid, how, progress, |grid, how| surfaces::extremes(grid, side, how));
    Ok((found.column.into_pyarray(py), found.value.into_pyarray(py)))
}

fn counts<'py, T: Real + Element>(
    py: Python<'py>,
    grid: Arguments<'py>,
    levels: Bound<'py, PyAny>,
    how: &How,
    progress: Progress,
) -> PyResult<Counts> {
    let levels = levels.cast_into::<PyArray1<T>>()?.try_readonly()?;
    let levels = levels.as_slice()?;
    ask::<T, _>(py, grid, how, progress, |grid, how| surfaces::at_least(grid, levels, how))
}

/// Count the cells of every row at or above its level: counts, first and last columns.
#[pyfunction]
#[pyo3(signature = (grid, levels, how, progress))]
pub(crate) fn surfaces_at_least<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    levels: Bound<'py, PyAny>,
    how: How,
    progress: Progress,
) -> PyResult<(Integers<'py>, Integers<'py>, Integers<'py>)> {
    let found = if grid.single() {
        counts::<f32>(py, grid, levels, &how, progress)?
    } else {
        counts::<f64>(py, grid, levels, &how, progress)?
    };
    Ok((found.count.into_pyarray(py), found.first.into_pyarray(py), found.last.into_pyarray(py)))
}

/// Find where rows cross a level: rows and worker counts.
#[pyfunction]
#[pyo3(signature = (grid, level, how, progress))]
pub(crate) fn surfaces_contour<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    level: f64,
    how: How,
    progress: Progress,
) -> PyResult<(Integers<'py>, Floats<'py>)> {
    let found = either!(py, grid, how, progress, |grid, how| surfaces::contour(grid, level, how));
    Ok((found.row.into_pyarray(py), found.n.into_pyarray(py)))
}

/// Find quantiles of every row, one row after the other, or of the whole grid.
#[pyfunction]
#[pyo3(signature = (grid, q, overall, how, progress))]
pub(crate) fn surfaces_quantiles<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    q: PyReadonlyArray1<'py, f64>,
    overall: bool,
    how: How,
    progress: Progress,
) -> PyResult<Floats<'py>> {
    let q = q.as_slice()?;
    let values = either!(py, grid, how, progress, |grid, how| surfaces::quantiles(grid, q, overall, how));
    Ok(values.into_pyarray(py))
}

fn bins<'py, T: Real + Element>(
    py: Python<'py>,
    grid: Arguments<'py>,
    edges: Bound<'py, PyAny>,
    overall: bool,
    how: &How,
    progress: Progress,
) -> PyResult<Vec<i64>> {
    let edges = edges.cast_into::<PyArray1<T>>()?.try_readonly()?;
    let edges = edges.as_slice()?;
    ask::<T, _>(py, grid, how, progress, |grid, how| surfaces::histogram(grid, edges, overall, how))
}

/// Count the cells of every row between edges, one row after the other, or of the whole grid.
#[pyfunction]
#[pyo3(signature = (grid, edges, overall, how, progress))]
pub(crate) fn surfaces_histogram<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    edges: Bound<'py, PyAny>,
    overall: bool,
    how: How,
    progress: Progress,
) -> PyResult<Integers<'py>> {
    let count = if grid.single() {
        bins::<f32>(py, grid, edges, overall, &how, progress)?
    } else {
        bins::<f64>(py, grid, edges, overall, &how, progress)?
    };
    Ok(count.into_pyarray(py))
}

/// Evaluate one cell a row; column -1 gives NaN.
#[pyfunction]
#[pyo3(signature = (grid, columns, how))]
pub(crate) fn surfaces_cells<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    columns: PyReadonlyArray1<'py, i64>,
    how: How,
) -> PyResult<Floats<'py>> {
    let columns = columns.as_slice()?;
    let values = either!(py, grid, how, None, |grid, how| surfaces::cells(grid, columns, how));
    Ok(values.into_pyarray(py))
}
