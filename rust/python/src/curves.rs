//! Weighted curves alone, as the tests against the reference want them.

use numpy::{PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pythonize::pythonize;
use scalewall_core::fitting::{Curves, Means, measurements, weak};

/// Weigh the curves by mean log times and say what they forecast.
///
/// Private: the forecasts of a fit are the same numbers.
///
/// Parameters
/// ----------
/// n : ndarray of float64, shape (m,)
///     Distinct worker counts, ascending.
/// y : ndarray of float64, shape (m,)
///     Mean log time at each count.
/// runs : ndarray of float64, shape (m,)
///     Runs at each count.
/// `ss_pure`, `df_pure` : float
///     Pure error of the repeats: sum of squares and degrees of freedom.
/// targets : ndarray of float64, shape (k,)
///     Worker counts to forecast.
/// level : float
///     Confidence level of the intervals.
///
/// Returns
/// -------
/// dict or None
///     `noise`, `df`, `families` and `forecasts`; None under four distinct counts.
// pyo3 hands extracted arguments over by value; the arguments are those of the record Means.
#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
#[pyfunction]
pub(crate) fn curves_forecast<'py>(
    py: Python<'py>,
    n: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    runs: PyReadonlyArray1<'py, f64>,
    ss_pure: f64,
    df_pure: f64,
    targets: PyReadonlyArray1<'py, f64>,
    level: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let means = Means { n: n.to_vec()?, y: y.to_vec()?, runs: runs.to_vec()?, ss_pure, df_pure };
    let outlook =
        Curves::fit(&means).map(|curves| Ok::<_, PyErr>(curves.outlook(targets.as_slice()?, level)));
    Ok(pythonize(py, &outlook.transpose()?)?)
}

/// Say how much of the uncertainty about doubling further runs would leave.
///
/// Private: `next` and `candidates` of a fit are the same numbers.
///
/// Parameters
/// ----------
/// n, y, runs : ndarray of float64, shape (m,)
///     Distinct worker counts, ascending, mean log time and number of runs at each.
/// `ss_pure`, `df_pure` : float
///     Pure error of the repeats: sum of squares and degrees of freedom.
/// laws : list of three floats each
///     Log time of each law at once, twice and four times the largest count.
/// cap : float or None
///     Largest count there is.
/// level : float
///     Confidence level of the interval of T(2n)/T(n).
///
/// Returns
/// -------
/// list of dict, or None
///     `n`, `repeats`, `shrinks_to` of each candidate; None under four distinct counts.
#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]
#[pyfunction]
pub(crate) fn curves_next<'py>(
    py: Python<'py>,
    n: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    runs: PyReadonlyArray1<'py, f64>,
    ss_pure: f64,
    df_pure: f64,
    laws: Vec<[f64; 3]>,
    cap: Option<f64>,
    level: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let means = Means { n: n.to_vec()?, y: y.to_vec()?, runs: runs.to_vec()?, ss_pure, df_pure };
    let next = Curves::fit(&means).map(|curves| measurements(&curves, &means, &laws, cap, level));
    Ok(pythonize(py, &next)?)
}

/// Read weak-scaling runs: how the time grows, and the efficiency beyond the data.
///
/// Private: `weak` of a fit is the same record.
///
/// Parameters
/// ----------
/// n, y, runs : ndarray of float64, shape (m,)
///     Distinct worker counts, ascending, mean log time per unit of work and number of runs at each.
/// `ss_pure`, `df_pure` : float
///     Pure error of the repeats: sum of squares and degrees of freedom.
/// level : float
///     Confidence level of the intervals.
///
/// Returns
/// -------
/// dict or None
///     `time_one`, `efficiency_at_max`, `log_growth`, `linear_growth`, `shapes`, `growth_per_doubling`
///     and `efficiency`; None where no growth can be stated.
#[allow(clippy::needless_pass_by_value)]
#[pyfunction]
pub(crate) fn curves_weak<'py>(
    py: Python<'py>,
    n: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    runs: PyReadonlyArray1<'py, f64>,
    ss_pure: f64,
    df_pure: f64,
    level: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let means = Means { n: n.to_vec()?, y: y.to_vec()?, runs: runs.to_vec()?, ss_pure, df_pure };
    Ok(pythonize(py, &weak(&means, Curves::fit(&means).as_ref(), level))?)
}
