//! Reductions: arrays in as views, one core call without the GIL, a value and its record out.
#![allow(unsafe_code)] // Views of NumPy arrays; the block states what holds them.
#![allow(clippy::needless_pass_by_value)] // What pyo3 extracts from an argument is a value.

use numpy::{Element, PyReadonlyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use scalewall_core::clock::SystemClock;
use scalewall_core::ledger::{Ledger, Stamps};
use scalewall_core::reduction::{
    self, Answer, Call, Combine, Measure, Merged, Method, Program, Strided, Team,
};
use scalewall_core::threads::Threads;

use crate::error::CoreError;
use crate::watch::Watch;

/// Below this many elements, giving up the GIL costs more than it gives.
const DETACH_FROM: usize = 8_000;

/// Threads (0 for "auto"), combine, measure (0 nothing, 1 phases, 2 split), the processor of each worker or none.
type How = (usize, PyBackedStr, u8, Vec<usize>);

/// A measured value: the value, and the record of the run where it was asked for.
type Measured<'py> = (Py<PyAny>, Option<Bound<'py, PyAny>>);

/// A vector of any element type that the core reduces.
#[derive(FromPyObject)]
pub(crate) enum Vector<'py> {
    F64(PyReadonlyArray1<'py, f64>),
    F32(PyReadonlyArray1<'py, f32>),
    I64(PyReadonlyArray1<'py, i64>),
    I32(PyReadonlyArray1<'py, i32>),
    U8(PyReadonlyArray1<'py, u8>),
    I8(PyReadonlyArray1<'py, i8>),
    I16(PyReadonlyArray1<'py, i16>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

fn strided<'a, T: Element + Copy>(array: &'a PyReadonlyArray1<'_, T>) -> Strided<'a, T> {
    let view = array.as_array();
    // SAFETY: the view describes these elements, and the borrow keeps others from writing while it lives.
    unsafe { Strided::from_raw_parts(view.as_ptr(), view.len(), view.strides()[0]) }
}

/// Run one body for whatever floating-point, and another for whatever integer elements there are.
macro_rules! by_type {
    ($x:expr, |$float:ident| $for_floats:expr, |$integer:ident| $for_integers:expr) => {
        match $x {
            Vector::F64($float) => $for_floats,
            Vector::F32($float) => $for_floats,
            Vector::I64($integer) => $for_integers,
            Vector::I32($integer) => $for_integers,
            Vector::U8($integer) => $for_integers,
            Vector::I8($integer) => $for_integers,
            Vector::I16($integer) => $for_integers,
            Vector::U16($integer) => $for_integers,
            Vector::U32($integer) => $for_integers,
            Vector::U64($integer) => $for_integers,
        }
    };
}

/// The same for two vectors of one element type.
macro_rules! by_types {
    ($x:expr, $y:expr, |$fx:ident, $fy:ident| $for_floats:expr, |$ix:ident, $iy:ident| $for_integers:expr) => {
        match ($x, $y) {
            (Vector::F64($fx), Vector::F64($fy)) => $for_floats,
            (Vector::F32($fx), Vector::F32($fy)) => $for_floats,
            (Vector::I64($ix), Vector::I64($iy)) => $for_integers,
            (Vector::I32($ix), Vector::I32($iy)) => $for_integers,
            (Vector::U8($ix), Vector::U8($iy)) => $for_integers,
            (Vector::I8($ix), Vector::I8($iy)) => $for_integers,
            (Vector::I16($ix), Vector::I16($iy)) => $for_integers,
            (Vector::U16($ix), Vector::U16($iy)) => $for_integers,
            (Vector::U32($ix), Vector::U32($iy)) => $for_integers,
            (Vector::U64($ix), Vector::U64($iy)) => $for_integers,
            _ => Err(PyTypeError::new_err("x and y have different element types: convert one of them")),
        }
    };
}

/// Run one core call: without the GIL where it is long, asking for signals where it is very long.
fn call<'py, V: IntoPyObject<'py> + Send>(
    py: Python<'py>,
    how: &How,
    (elements, method): (usize, Method),
    run: impl FnOnce(Call<'_>) -> Answer<V> + Send,
) -> PyResult<Measured<'py>> {
    let threads = if how.0 == 0 { Threads::Auto } else { Threads::fixed(how.0).map_err(CoreError::from)? };
    let workers = threads.resolve(reduction::useful_threads(elements, method));
    let combine = Combine::named(&how.1).map_err(CoreError::from)?;
    let measure = [Measure::Nothing, Measure::Phases, Measure::Split][usize::from(how.2.min(2))];
    let (clock, watch, long) = (SystemClock::start(), Watch::new(None), elements >= DETACH_FROM);
    let poll = |share: f64| watch.poll(share);
    let team = Team { workers, measure, all: !how.3.is_empty(), clock: &clock };
    let job = Call { team, combine, poll: if long { Some(&poll) } else { None } };
    let placed = || reduction::placed(&how.3, |_| run(job));
    let outcome = if long { py.detach(placed) } else { placed() };
    let (value, stamps) = watch.finish(outcome)?;
    Ok((value.into_py_any(py)?, stamps.map(|stamps| record(py, &stamps)).transpose()?))
}

/// Ledger and stamps of a run as plain Python.
fn record<'py>(py: Python<'py>, stamps: &Stamps) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize::pythonize(py, &(Ledger::of(stamps), stamps))?)
}

/// Sum; for integers the parts (high, low) of `high * 2**64 + low`.
#[pyfunction]
pub(crate) fn reduction_sum<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    method: &str,
    how: How,
) -> PyResult<Measured<'py>> {
    let method = Method::named(method).map_err(CoreError::from)?;
    by_type!(
        &x,
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), method), move |job| job.sum(x, method))
        },
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), method), move |job| job.sum_integers(x))
        }
    )
}

/// Sum of products; for integers the parts (high, low) of `high * 2**64 + low`.
#[pyfunction]
pub(crate) fn reduction_dot<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    y: Vector<'py>,
    method: &str,
    how: How,
) -> PyResult<Measured<'py>> {
    let method = Method::named(method).map_err(CoreError::from)?;
    by_types!(
        &x,
        &y,
        |x, y| {
            let (x, y) = (strided(x), strided(y));
            call(py, &how, (x.len(), method), move |job| job.dot(x, y, method))
        },
        |x, y| {
            let (x, y) = (strided(x), strided(y));
            call(py, &how, (x.len(), method), move |job| job.dot_integers(x, y))
        }
    )
}

/// Square root of the sum of squares.
#[pyfunction]
pub(crate) fn reduction_norm2<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    method: &str,
    how: How,
) -> PyResult<Measured<'py>> {
    let method = Method::named(method).map_err(CoreError::from)?;
    by_type!(
        &x,
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), method), move |job| job.norm2(x, method))
        },
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), method), move |job| job.norm2_integers(x))
        }
    )
}

/// Smallest and largest element.
#[pyfunction]
pub(crate) fn reduction_minmax<'py>(py: Python<'py>, x: Vector<'py>, how: How) -> PyResult<Measured<'py>> {
    by_type!(
        &x,
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), Method::Pairwise), move |job| job.min_max::<_, f64>(x))
        },
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), Method::Pairwise), move |job| job.min_max_integers(x))
        }
    )
}

/// Mean, and variance with `n - ddof` in the denominator.
#[pyfunction]
pub(crate) fn reduction_mean_var<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    ddof: f64,
    how: How,
) -> PyResult<Measured<'py>> {
    by_type!(
        &x,
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), Method::Pairwise), move |job| job.mean_var(x, ddof))
        },
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), Method::Pairwise), move |job| job.mean_var(x, ddof))
        }
    )
}

/// State of a sum, for processes that exchange states.
#[pyfunction]
pub(crate) fn reduction_sum_state<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    method: &str,
    how: How,
) -> PyResult<Measured<'py>> {
    let method = Method::named(method).map_err(CoreError::from)?;
    by_type!(
        &x,
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), method), move |job| job.sum_state(x, method))
        },
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), method), move |job| job.sum_integers_state(x))
        }
    )
}

/// State of a sum of products.
#[pyfunction]
pub(crate) fn reduction_dot_state<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    y: Vector<'py>,
    method: &str,
    how: How,
) -> PyResult<Measured<'py>> {
    let method = Method::named(method).map_err(CoreError::from)?;
    by_types!(
        &x,
        &y,
        |x, y| {
            let (x, y) = (strided(x), strided(y));
            call(py, &how, (x.len(), method), move |job| job.dot_state(x, y, method))
        },
        |x, y| {
            let (x, y) = (strided(x), strided(y));
            call(py, &how, (x.len(), method), move |job| job.dot_integers_state(x, y))
        }
    )
}

/// State of mean and variance.
#[pyfunction]
pub(crate) fn reduction_moments_state<'py>(
    py: Python<'py>,
    x: Vector<'py>,
    how: How,
) -> PyResult<Measured<'py>> {
    by_type!(
        &x,
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), Method::Pairwise), move |job| job.moments_state(x))
        },
        |x| {
            let x = strided(x);
            call(py, &how, (x.len(), Method::Pairwise), move |job| job.moments_state(x))
        }
    )
}

/// The sum of floating-point numbers, or its square root, of states one after the other.
#[pyfunction]
pub(crate) fn reduction_merged_sum(
    words: PyReadonlyArray1<'_, i64>,
    method: &str,
    root: bool,
) -> PyResult<f64> {
    let method = Method::named(method).map_err(CoreError::from)?;
    Ok(Merged(words.as_slice()?).sum(method, root).map_err(CoreError::from)?)
}

/// The sum of integers of states one after the other, as parts (high, low), and its square root.
#[pyfunction]
pub(crate) fn reduction_merged_integers(words: PyReadonlyArray1<'_, i64>) -> PyResult<((i128, u64), f64)> {
    let total = Merged(words.as_slice()?).integers().map_err(CoreError::from)?;
    Ok((total.finish(), total.finish_sqrt()))
}

/// Mean and variance of states one after the other.
#[pyfunction]
pub(crate) fn reduction_merged_moments(words: PyReadonlyArray1<'_, i64>, ddof: f64) -> PyResult<(f64, f64)> {
    Ok(Merged(words.as_slice()?).mean_var(ddof).map_err(CoreError::from)?)
}

/// Read every element and do nothing else: the read limit that other reductions are held against.
#[pyfunction]
pub(crate) fn reduction_read<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, f64>,
    how: How,
) -> PyResult<Measured<'py>> {
    let x = strided(&x);
    call(py, &how, (x.len(), Method::Pairwise), move |job| job.read(x))
}

/// Run a program whose serial share is known by operation count: turns on the caller, turns of each worker, and the
/// share of them under one lock. Returns the record of the run.
#[pyfunction]
pub(crate) fn reduction_program(
    py: Python<'_>,
    serial: u64,
    parallel: Vec<u64>,
    locked: f64,
    cpus: Vec<usize>,
) -> PyResult<Bound<'_, PyAny>> {
    let program = Program { serial, parallel, locked };
    let clock = SystemClock::start();
    let stamps = py.detach(|| reduction::placed(&cpus, |_| program.run(&clock)));
    record(py, &stamps.map_err(CoreError::from)?)
}
