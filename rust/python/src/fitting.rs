//! Fits: rows in, an analysis out; later questions are asked of the analysis.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::pythonize;
use scalewall_core::fitting::{self, Kind, Options, Predictions};

use crate::error::CoreError;

/// Fit every law to the runs of one table and answer what they allow.
///
/// Parameters
/// ----------
/// n, time : ndarray of float64, shape (k,)
///     Worker counts and times of the accepted rows, in file order; times of fixed work, 1 / rate for
///     rates, plain times for weak runs.
/// round : ndarray of int64, shape (k,), optional
///     Round of each row, -1 for none.
/// kind : {"strong", "weak", "throughput", "unknown"}
///     What the runs are.
/// law : str, optional
///     The one law insisted on.
/// residuals : {"log", "time", "throughput"}, default "log"
///     What is minimised.
/// interval : {"region", "wald"}, default "region"
///     How intervals of parameters are made.
/// bounded : bool, default True
///     Whether parameters stay within their physical bounds.
/// level, gain, efficiency : float
///     Confidence level, saving that makes doubling worthwhile, efficiency of the knee.
/// cap : float, optional
///     Largest count that could be measured.
/// targets : ndarray of float64, optional
///     Counts to forecast; twice the largest by default.
/// confirm : bool, default False
///     Read times that do not fall as fixed work.
///
/// Returns
/// -------
/// Analysis
#[pyfunction]
#[pyo3(signature = (n, time, *, round=None, kind, law=None, residuals="log", interval="region",
    bounded=true, level=0.95, gain=0.1, cap=None, efficiency=0.5, targets=None, confirm=false))]
// pyo3 hands extracted arguments over by value; each option is a keyword of its own.
#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
pub(crate) fn fitting_analyse(
    py: Python<'_>,
    n: PyReadonlyArray1<'_, f64>,
    time: PyReadonlyArray1<'_, f64>,
    round: Option<PyReadonlyArray1<'_, i64>>,
    kind: &str,
    law: Option<&str>,
    residuals: &str,
    interval: &str,
    bounded: bool,
    level: f64,
    gain: f64,
    cap: Option<f64>,
    efficiency: f64,
    targets: Option<PyReadonlyArray1<'_, f64>>,
    confirm: bool,
) -> PyResult<Analysis> {
    let targets = targets.map_or(Ok(Vec::new()), |t| t.to_vec())?;
    let kind = Kind::parse(kind).map_err(CoreError::from)?;
    let options =
        Options { kind, bounded, level, gain, cap, efficiency, targets, confirm, ..Options::default() }
            .named(law, residuals, interval)
            .map_err(CoreError::from)?;
    let (n, time) = (n.to_vec()?, time.to_vec()?);
    let round = round.map(|r| r.to_vec()).transpose()?;
    let analysis = py.detach(|| fitting::analyse(&n, &time, round.as_deref(), &options));
    Ok(Analysis(analysis.map_err(CoreError::from)?))
}

/// Mean of a few values and its two-sided interval by Student's t: value, low, high.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands extracted arguments over by value
pub(crate) fn fitting_mean_interval(
    values: PyReadonlyArray1<'_, f64>,
    level: f64,
) -> PyResult<(f64, f64, f64)> {
    Ok(fitting::mean_interval(&values.to_vec()?, level).map_err(CoreError::from)?)
}

/// What was found in one table of runs.
#[pyclass(frozen, module = "scalewall._core")]
pub(crate) struct Analysis(fitting::Analysis);

#[pymethods]
impl Analysis {
    /// Everything that was found, as plain Python.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, self.0.report())?)
    }

    /// The curve at each count: arrays `time`, `speedup`, `efficiency` with columns value, low, high.
    #[allow(clippy::needless_pass_by_value)] // pyo3 hands extracted arguments over by value
    fn predict<'py>(&self, py: Python<'py>, n: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyDict>> {
        let n = n.to_vec()?;
        columns(py, py.detach(|| self.0.predict(&n)).map_err(CoreError::from)?)
    }

    /// What somebody will measure at each count: as `predict`.
    #[allow(clippy::needless_pass_by_value)] // pyo3 hands extracted arguments over by value
    fn forecast<'py>(&self, py: Python<'py>, n: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyDict>> {
        let n = n.to_vec()?;
        columns(py, py.detach(|| self.0.forecast(&n)).map_err(CoreError::from)?)
    }

    /// T(to) / T(start) of the curve: low, middle, high.
    fn time_ratio(&self, start: f64, to: f64) -> PyResult<Option<(f64, f64, f64)>> {
        let ratio = self.0.time_ratio(start, to).map_err(CoreError::from)?;
        Ok(ratio.map(|r| (r.low, r.mid, r.high)))
    }

    /// Workers at which the efficiency has fallen to `efficiency`: low, high.
    fn knee(&self, efficiency: f64) -> PyResult<Option<(f64, f64)>> {
        Ok(self.0.knee(efficiency).map_err(CoreError::from)?)
    }

    /// Fitted times of one law.
    #[allow(clippy::needless_pass_by_value)] // pyo3 hands extracted arguments over by value
    fn law_time<'py>(
        &self,
        py: Python<'py>,
        law: &str,
        n: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times = self.0.law_time(law, &n.to_vec()?).map_err(CoreError::from)?;
        Ok(PyArray1::from_vec(py, times))
    }
}

fn columns(py: Python<'_>, predictions: Predictions) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("time", rows(py, predictions.time)?)?;
    dict.set_item("speedup", rows(py, predictions.speedup)?)?;
    dict.set_item("efficiency", rows(py, predictions.efficiency)?)?;
    Ok(dict)
}

/// Value, low and high of each count in turn, as rows of three.
fn rows(py: Python<'_>, values: Vec<f64>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let counts = values.len() / 3;
    PyArray1::from_vec(py, values).reshape([counts, 3])
}
