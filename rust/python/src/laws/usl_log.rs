//! The scalability law whose coherency is that of a tree.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, usl_log};

use super::evaluate::{Answer, Any, Call, Maybe, one_of, plain};
use super::macros::{describe, load_law, plain_law};
use super::{Branch, falling, half};
use crate::error::CoreError;

load_law! {
    /// Compute the speedup under contention and a coherency that grows as log2 n.
    ---
    ///
    /// Notes
    /// -----
    /// T(n)/T(1) = sigma + (1 - sigma)/n + kappa log2 n, and S is its reciprocal; kappa is the cost
    /// of one level of a tree as a share of T(1).
    ///
    /// References
    /// ----------
    /// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
    ///    operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_log_speedup(64, sigma=0.01, kappa=0.002), 3)
    /// 26.689
    usl_log_speedup(sigma, kappa) = usl_log::Speedup
}

load_law! {
    /// Compute the efficiency under contention and a coherency that grows as log2 n.
    ---
    ///
    /// Notes
    /// -----
    /// S(n)/n = 1 / (1 - sigma + n (sigma + kappa log2 n)).
    ///
    /// References
    /// ----------
    /// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_log_efficiency(64, sigma=0.01, kappa=0.002), 3)
    /// 0.417
    usl_log_efficiency(sigma, kappa) = usl_log::Efficiency
}

load_law! {
    /// Compute what one more worker adds when coherency grows as log2 n.
    ---
    ///
    /// Notes
    /// -----
    /// dS/dn = (1 - sigma - n kappa/ln 2) / (1 - sigma + n (sigma + kappa log2 n))².
    ///
    /// References
    /// ----------
    /// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.usl_log_slope(1000, sigma=0.01, kappa=0.002) < 0
    /// True
    usl_log_slope(sigma, kappa) = usl_log::Slope
}

plain_law! {
    /// Find the n of the largest speedup when coherency grows as log2 n.
    ---
    ///
    /// Notes
    /// -----
    /// n = (1 - sigma) ln 2/kappa; 1 where the first added worker already slows, infinite without
    /// coherency.
    ///
    /// References
    /// ----------
    /// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_log_peak(sigma=0.01, kappa=0.002))
    /// 343
    usl_log_peak(; sigma = sigma, kappa = kappa) = usl_log::Peak
}

plain_law! {
    /// Compute the largest speedup at any n when coherency grows as log2 n.
    ---
    ///
    /// Notes
    /// -----
    /// S at the peak; 1/sigma without coherency.
    ///
    /// References
    /// ----------
    /// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_log_ceiling(sigma=0.01, kappa=0.002), 1)
    /// 33.6
    usl_log_ceiling(; sigma = sigma, kappa = kappa) = usl_log::Ceiling
}

/// Find the workers that give a speedup or keep an efficiency when coherency grows as log2 n.
///
/// Parameters
/// ----------
#[doc = describe!(sigma)]
#[doc = describe!(kappa)]
/// speedup, efficiency : array_like of float
///     Exactly one of the two; an efficiency is at most 1, a speedup before the peak at least 1.
/// branch : {"rising", "falling"}, default "rising"
///     Which side of the peak, for a speedup: the curve takes each value twice.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
/// ChoiceError
///     If `branch` is neither of the two.
///
/// Notes
/// -----
/// A bracketed Newton iteration to the last digit: the closed form through Lambert's W loses
/// digits where kappa is small. The equation is 1/S = sigma + (1 - sigma)/n + kappa log2 n.
///
/// References
/// ----------
/// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.usl_log_workers(speedup=20, sigma=0.01, kappa=0.002), 2)
/// 33.11
#[pyfunction]
#[pyo3(signature = (*, sigma, kappa, speedup=None, efficiency=None, branch="rising", out=None))]
pub(crate) fn usl_log_workers<'py>(
    sigma: Any<'_, 'py>,
    kappa: Any<'_, 'py>,
    speedup: Maybe<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    branch: &str,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let call = |wanted| Call { function: "usl_log_workers", values: [wanted, sigma, kappa], out };
    match (speedup, efficiency, Branch::read(branch)?) {
        (Some(s), None, Branch::Rising) => call(s).workers(&Law::new(usl_log::RisingWorkers), plain),
        (Some(s), None, Branch::Falling) => call(s).workers(&Law::new(usl_log::FallingWorkers), falling),
        (None, Some(e), _) => call(e).workers(&Law::new(usl_log::WorkersForEfficiency), plain),
        _ => Err(one_of("speedup= and efficiency=")),
    }
}

/// Find the largest n at or above an efficiency when coherency grows as log2 n.
///
/// Parameters
/// ----------
#[doc = describe!(sigma)]
#[doc = describe!(kappa)]
/// efficiency : array_like of float, default 0.5
///     Efficiency to keep, dimensionless, above 0 and at most 1.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// The root of sigma (n-1) + kappa n log2 n = 1/E - 1; infinite where nothing is lost.
///
/// References
/// ----------
/// .. [1] R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.usl_log_knee(sigma=0.01, kappa=0.002), 1)
/// 47.7
#[pyfunction]
#[pyo3(signature = (*, sigma, kappa, efficiency=None, out=None))]
pub(crate) fn usl_log_knee<'py>(
    py: Python<'py>,
    sigma: Any<'_, 'py>,
    kappa: Any<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let half = half(py);
    let values = [efficiency.unwrap_or(&half), sigma, kappa];
    Call { function: "usl_log_knee", values, out }.evaluate(&Law::new(usl_log::WorkersForEfficiency), plain)
}
