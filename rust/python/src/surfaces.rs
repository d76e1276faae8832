//! Surfaces: arguments in, one core call without the GIL, an array out.
#![allow(unsafe_code)] // Views of NumPy arrays; each block states what the caller has checked.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use scalewall_core::os;
use scalewall_core::surfaces::{self, Grid, Law, Level, Options, Quantity, Real, Store};
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

/// What Python hands over for one grid, as views of its arrays.
struct Views<'py, T: Element> {
    parameters: Vec<PyReadonlyArray1<'py, T>>,
    scale: Option<PyReadonlyArray1<'py, T>>,
    n: PyReadonlyArray1<'py, T>,
    columns: Vec<PyReadonlyArray1<'py, T>>,
}

/// Law, quantity, whether the serial fraction is given.
type Kind<'a> = (&'a str, &'a str, bool);
/// Threads, CPU level, store, exact.
type How<'a> = (usize, &'a str, &'a str, bool);

impl<'py, T: Real + Element> Views<'py, T> {
    fn new(
        parameters: Vec<Bound<'py, PyAny>>,
        scale: Option<Bound<'py, PyAny>>,
        n: &Bound<'py, PyAny>,
        columns: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let view = |array: Bound<'py, PyAny>| -> PyResult<PyReadonlyArray1<'py, T>> {
            Ok(array.cast_into::<PyArray1<T>>()?.try_readonly()?)
        };
        Ok(Self {
            parameters: parameters.into_iter().map(view).collect::<PyResult<_>>()?,
            scale: scale.map(view).transpose()?,
            n: view(n.clone())?,
            columns: columns.into_iter().map(view).collect::<PyResult<_>>()?,
        })
    }

    fn grid(&self, kind: Kind<'_>) -> PyResult<Grid<'_, T>> {
        Ok(Grid {
            law: Law::named(kind.0).map_err(CoreError::from)?,
            quantity: Quantity::named(kind.1).map_err(CoreError::from)?,
            serial_given: kind.2,
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
fn fresh<'py, T: Real + Element>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
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
    kind: Kind<'_>,
    how: How<'_>,
    out: Option<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let grid = views.grid(kind)?;
    let array = match out {
        Some(out) => out.cast_into::<PyArray2<T>>()?,
        None => fresh(py, grid.rows(), grid.n.len())?,
    };
    let mut target = array.try_readwrite()?;
    let cells = target.as_slice_mut()?;
    let (watch, long) = (Watch::new(progress), cells.len() >= DETACH_FROM);
    let poll = |share: f64| watch.poll(share);
    let bytes = size_of_val(cells);
    let options = Options {
        threads: threads(how.0)?,
        level: Level::named(how.1).map_err(CoreError::from)?,
        store: Store::named(how.2, bytes).map_err(CoreError::from)?,
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
#[pyo3(signature = (kind, parameters, scale, n, columns, how, out, progress))]
#[allow(clippy::too_many_arguments)] // The one entry; Python groups what belongs together.
pub(crate) fn surfaces_evaluate<'py>(
    py: Python<'py>,
    kind: (PyBackedStr, PyBackedStr, bool),
    parameters: Vec<Bound<'py, PyAny>>,
    scale: Option<Bound<'py, PyAny>>,
    n: &Bound<'py, PyAny>,
    columns: Vec<Bound<'py, PyAny>>,
    how: (usize, PyBackedStr, PyBackedStr, bool),
    out: Option<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let kind = (&*kind.0, &*kind.1, kind.2);
    let how = (how.0, &*how.1, &*how.2, how.3);
    if n.cast::<PyArray1<f32>>().is_ok() {
        evaluate(py, &Views::<f32>::new(parameters, scale, n, columns)?, kind, how, out, progress)
    } else {
        evaluate(py, &Views::<f64>::new(parameters, scale, n, columns)?, kind, how, out, progress)
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

/// What was chosen on this machine: CPU level, threads, bytes from which results are streamed.
#[pyfunction]
pub(crate) fn surfaces_machine() -> (&'static str, usize, usize) {
    (Level::best().name(), Threads::Auto.resolve(usize::MAX), surfaces::streaming_threshold())
}
