//! Surfaces: arguments in, one core call without the GIL, an array out.
#![allow(unsafe_code)] // Views of NumPy arrays; each block states what the caller has checked.
#![allow(clippy::needless_pass_by_value)] // What pyo3 extracts from an argument is a value.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyFloat;
use scalewall_core::os;
use scalewall_core::surfaces::{
    self, Asking, Counts, Grid, Law, Level, Options, Quantity, Real, Side, Store,
};
use scalewall_core::threads::Threads;

use crate::error::CoreError;
use crate::watch::Watch;

/// Below this many cells, giving up the GIL costs more than it gives.
const DETACH_FROM: usize = 8_000;
/// From this many bytes on, fresh memory is worth asking huge pages for.
const HUGE_FROM: usize = 4 << 20;

/// 0 stands for "auto": Python resolves the words and the environment.
fn threads(count: usize) -> Result<Threads, CoreError> {
    Ok(if count == 0 { Threads::Auto } else { Threads::fixed(count)? })
}

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

/// Threads, CPU level, store, exact.
type How = (usize, PyBackedStr, PyBackedStr, bool);

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

/// Memory for a fresh result, with huge pages where it is large.
fn fresh<T: Real + Element>(py: Python<'_>, rows: usize, columns: usize) -> PyResult<Bound<'_, PyArray2<T>>> {
    surfaces::check_memory(rows, columns, size_of::<T>()).map_err(CoreError::from)?;
    // SAFETY: every cell is written before Python sees the array, or the array is dropped.
    let array = unsafe { PyArray2::<T>::new(py, [rows, columns], false) };
    if array.len() * size_of::<T>() >= HUGE_FROM {
        // SAFETY: the array was made here and nobody else has it.
        os::advise_huge_pages(unsafe { array.as_slice_mut()? });
    }
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
    let options = Options {
        threads: threads(how.0)?,
        level: Level::named(&how.1).map_err(CoreError::from)?,
        store: Store::named(&how.2, size_of_val(cells)).map_err(CoreError::from)?,
        exact: how.3,
        poll: long.then_some(&poll),
    };
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

/// Threads, CPU level, whether the bound may decide blocks.
type Asked = (usize, PyBackedStr, bool);

/// Runs one question without the GIL, watching signals and progress.
fn ask<T: Real + Element, R: Send>(
    py: Python<'_>,
    views: &Views<'_, T>,
    how: &Asked,
    progress: Option<Py<PyAny>>,
    question: impl Fn(&Grid<'_, T>, Asking<'_>) -> scalewall_core::Result<R> + Sync,
) -> PyResult<R> {
    let grid = views.grid()?;
    let watch = Watch::new(progress);
    let poll = |share: f64| watch.poll(share);
    let asking = Asking {
        threads: threads(how.0)?,
        level: Level::named(&how.1).map_err(CoreError::from)?,
        screened: how.2,
        poll: Some(&poll),
    };
    let outcome = py.detach(|| question(&grid, asking));
    watch.finish(outcome)
}

type Integers<'py> = Bound<'py, PyArray1<i64>>;
type Floats<'py> = Bound<'py, PyArray1<f64>>;

/// Find the largest or smallest value of every row: columns and values.
#[pyfunction]
#[pyo3(signature = (grid, largest, how, progress))]
pub(crate) fn surfaces_extremes<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    largest: bool,
    how: Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Integers<'py>, Floats<'py>)> {
    let side = if largest { Side::Max } else { Side::Min };
    let found = if grid.single() {
        ask(py, &Views::<f32>::new(grid)?, &how, progress, |grid, how| surfaces::extremes(grid, side, how))?
    } else {
        ask(py, &Views::<f64>::new(grid)?, &how, progress, |grid, how| surfaces::extremes(grid, side, how))?
    };
    Ok((found.column.into_pyarray(py), found.value.into_pyarray(py)))
}

fn counts<'py, T: Real + Element>(
    py: Python<'py>,
    grid: Arguments<'py>,
    levels: Bound<'py, PyAny>,
    how: &Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<Counts> {
    let levels = levels.cast_into::<PyArray1<T>>()?.try_readonly()?;
    let levels = levels.as_slice()?;
    ask(py, &Views::<T>::new(grid)?, how, progress, |grid, how| surfaces::at_least(grid, levels, how))
}

/// Count the cells of every row at or above its level: counts, first and last columns.
#[pyfunction]
#[pyo3(signature = (grid, levels, how, progress))]
pub(crate) fn surfaces_at_least<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    levels: Bound<'py, PyAny>,
    how: Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Integers<'py>, Integers<'py>, Integers<'py>)> {
    let found = if grid.single() {
        counts::<f32>(py, grid, levels, &how, progress)?
    } else {
        counts::<f64>(py, grid, levels, &how, progress)?
    };
    Ok((found.count.into_pyarray(py), found.first.into_pyarray(py), found.last.into_pyarray(py)))
}

/// Find where rows cross a level: rows, second columns, values before and after.
#[pyfunction]
#[pyo3(signature = (grid, level, how, progress))]
pub(crate) fn surfaces_crossings<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    level: f64,
    how: Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Integers<'py>, Integers<'py>, Floats<'py>, Floats<'py>)> {
    let found = if grid.single() {
        let level = f32::from_f64(level);
        ask(py, &Views::<f32>::new(grid)?, &how, progress, |grid, how| surfaces::crossings(grid, level, how))?
    } else {
        ask(py, &Views::<f64>::new(grid)?, &how, progress, |grid, how| surfaces::crossings(grid, level, how))?
    };
    let (row, column) = (found.row.into_pyarray(py), found.column.into_pyarray(py));
    Ok((row, column, found.before.into_pyarray(py), found.after.into_pyarray(py)))
}

/// Evaluate one cell a row; column -1 gives NaN.
#[pyfunction]
#[pyo3(signature = (grid, columns, how))]
pub(crate) fn surfaces_cells<'py>(
    py: Python<'py>,
    grid: Arguments<'py>,
    columns: PyReadonlyArray1<'py, i64>,
    how: Asked,
) -> PyResult<Floats<'py>> {
    let columns = columns.as_slice()?;
    let values = if grid.single() {
        ask(py, &Views::<f32>::new(grid)?, &how, None, |grid, how| surfaces::cells(grid, columns, how))?
    } else {
        ask(py, &Views::<f64>::new(grid)?, &how, None, |grid, how| surfaces::cells(grid, columns, how))?
    };
    Ok(values.into_pyarray(py))
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

/// What was chosen on this machine: CPU level, threads, bytes from which results are streamed.
#[pyfunction]
pub(crate) fn surfaces_machine() -> (&'static str, usize, usize) {
    (Level::best().name(), Threads::Auto.resolve(usize::MAX), surfaces::streaming_threshold())
}
