//! Many traces: columns of rows in, one core call without the GIL, columns of results filled in place.

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use scalewall_core::fitting::many::{self, Layout, Quantity, Sheets, Traces};
use scalewall_core::fitting::{Kind, Options};

use crate::error::CoreError;
use crate::watch::{Watch, threads};

/// n, measured, work, round, offsets, order.
type Columns<'py> = (
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    Option<PyReadonlyArray1<'py, f64>>,
    Option<PyReadonlyArray1<'py, f64>>,
    PyReadonlyArray1<'py, i64>,
    Option<PyReadonlyArray1<'py, i64>>,
);

/// Values, codes, notes: one row a trace, flat.
type Filled<'py> = (PyReadwriteArray1<'py, f64>, PyReadwriteArray1<'py, u32>, PyReadwriteArray1<'py, u64>);

/// What is asked of every trace: the keywords of a single fit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    law: Option<PyBackedStr>,
    residuals: PyBackedStr,
    interval: PyBackedStr,
    bounds: bool,
    level: f64,
    gain: f64,
    cap: Option<f64>,
    at: Vec<f64>,
    efficiency: f64,
    confirm: bool,
}

impl Asked {
    fn options(self) -> Result<Options, CoreError> {
        let Self { bounds, level, gain, cap, at, efficiency, confirm, .. } = self;
        let options =
            Options { bounded: bounds, level, gain, cap, efficiency, confirm, ..Options::default() };
        let law = self.law.as_deref().map(AsRef::as_ref);
        let named = Options { targets: at, ..options }.named(law, &self.residuals, &self.interval);
        Ok(named?)
    }
}

/// Fit every trace and fill one row of `filled` for each.
///
/// Parameters
/// ----------
/// columns : tuple
///     Worker counts, times or rates, work or None, rounds or None (all float64, one value a row), offsets of
///     the traces (int64), and the row at each place (int64) or None.
/// quantity : {"time", "rate"}
///     What was measured.
/// kind : {"strong", "weak", "throughput", "unknown"}
///     What the runs are; "unknown" lets each trace decide.
/// `min_n` : float
///     Smallest count that is let in.
/// asked : dict
///     Options of a single fit.
/// threads : int
///     Threads; 0 takes as many as the process may run on.
/// progress : callable, optional
///     Called with the share done.
/// filled : tuple of ndarray
///     Values (float64), codes (uint32) and notes (uint64), flat; see `many_columns`.
///
/// Raises
/// ------
/// `KeyboardInterrupt`
///     After Ctrl-C; rows that were not reached have the status 0.
#[pyfunction]
#[pyo3(signature = (columns, *, quantity, kind, min_n, asked, threads, progress, filled))]
#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)] // keywords, each extracted by value
pub(crate) fn many_analyse(
    py: Python<'_>,
    columns: Columns<'_>,
    quantity: &str,
    kind: &str,
    min_n: f64,
    asked: Asked,
    threads: usize,
    progress: Option<Py<PyAny>>,
    filled: Filled<'_>,
) -> PyResult<()> {
    let quantity = if quantity == "rate" { Quantity::Rate } else { Quantity::Time };
    let how = (quantity, Kind::parse(kind).map_err(CoreError::from)?, min_n);
    let traces = traces(&columns, how)?;
    let (options, threads) = (asked.options()?, self::threads(threads)?);
    let (mut values, mut codes, mut notes) = filled;
    let sheets =
        Sheets { values: values.as_slice_mut()?, codes: codes.as_slice_mut()?, notes: notes.as_slice_mut()? };
    let watch = Watch::new(progress);
    let poll = |share| watch.poll(share);
    let outcome = py.detach(|| many::analyse_many(&traces, &options, threads, Some(&poll), sheets));
    watch.finish(outcome.map(drop))
}

fn traces<'a>(
    (n, measured, work, round, offsets, order): &'a Columns<'_>,
    (quantity, kind, least_n): (Quantity, Kind, f64),
) -> PyResult<Traces<'a>> {
    Ok(Traces {
        n: n.as_slice()?,
        measured: measured.as_slice()?,
        work: work.as_ref().map(|work| work.as_slice()).transpose()?,
        round: round.as_ref().map(|round| round.as_slice()).transpose()?,
        offsets: offsets.as_slice()?,
        order: order.as_ref().map(|order| order.as_slice()).transpose()?,
        quantity,
        kind,
        least_n,
    })
}

/// Names of the columns of numbers for these options.
#[pyfunction]
pub(crate) fn many_columns(asked: Asked) -> PyResult<Vec<String>> {
    Ok(Layout::new(&asked.options()?).names())
}

/// Names of the columns of codes, then what their codes stand for: kinds, laws, answers, statuses (a name
/// and a sentence each), notes.
#[pyfunction]
#[allow(clippy::type_complexity)] // named in the stub
pub(crate) fn many_codes() -> (
    [&'static str; 9],
    [&'static str; 4],
    [&'static str; 7],
    [&'static str; 6],
    [(&'static str, &'static str); 11],
    Vec<&'static str>,
) {
    (many::CODES, many::KINDS, many::LAWS, many::ANSWERS, many::STATUSES, many::NOTES.to_vec())
}
