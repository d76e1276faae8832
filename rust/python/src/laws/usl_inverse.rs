//! The Universal Scalability Law backwards, both branches.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, usl_inverse};

use super::evaluate::{Answer, Any, Call, Maybe, one_of, plain};
use super::macros::describe;
use super::{Branch, falling, half};

/// Find the workers that give a speedup, an efficiency, a throughput or a response time.
///
/// Parameters
/// ----------
/// speedup, efficiency, throughput, response : array_like of float
///     Exactly one of the four, above 0; throughput and response time need `rate`.
#[doc = describe!(sigma)]
#[doc = describe!(kappa)]
/// rate : array_like of float, optional
///     Throughput of one worker, work per unit of time, above 0.
/// branch : {"rising", "falling"}, default "rising"
///     Which side of the peak, for a speedup or a throughput: the curve takes each value twice.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
/// ChoiceError
///     If `branch` is neither of the two.
///
/// Warns
/// -----
/// BelowOneWorkerWarning
///     If an answer is below 1.
///
/// Notes
/// -----
/// The roots of kappa n² - (1/C - sigma + kappa) n + 1 - sigma = 0 for a speedup, and the positive
/// root of sigma (n-1) + kappa n (n-1) = 1/E - 1 for an efficiency, with E = 1/(rate·R) for a
/// response time. Equation 8 of the book that several tools follow is the case kappa = 0.
///
/// References
/// ----------
/// .. [1] B. Schwartz, *Practical Scalability Analysis with the Universal Scalability Law*, 2015.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> cisco = {"sigma": 0.02671594548, "kappa": 7.690939104e-4, "rate": 995.6487881}
/// >>> round(sw.laws.usl_workers(throughput=12201, **cisco), 3)
/// 29.569
/// >>> round(sw.laws.usl_workers(throughput=12201, branch="falling", **cisco), 3)
/// 42.798
#[pyfunction]
#[pyo3(signature = (*, sigma, kappa, speedup=None, efficiency=None, throughput=None, response=None, rate=None, branch="rising", out=None))]
#[allow(clippy::too_many_arguments)] // the names by which people ask
pub(crate) fn usl_workers<'py>(
    sigma: Any<'_, 'py>,
    kappa: Any<'_, 'py>,
    speedup: Maybe<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    throughput: Maybe<'_, 'py>,
    response: Maybe<'_, 'py>,
    rate: Maybe<'_, 'py>,
    branch: &str,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let branch = Branch::read(branch)?;
    let plane = |wanted| Call { function: "usl_workers", values: [wanted, sigma, kappa], out };
    match (speedup, efficiency, throughput, response, rate) {
        (Some(s), None, None, None, None) => by_speedup(&plane(s), branch),
        (None, Some(e), None, None, None) => {
            plane(e).workers(&Law::new(usl_inverse::WorkersForEfficiency), plain)
        }
        (None, None, Some(x), None, Some(rate)) => by_throughput([x, sigma, kappa, rate], branch, out),
        (None, None, None, Some(r), Some(rate)) => by_response([r, sigma, kappa, rate], out),
        _ => Err(one_of("speedup=, efficiency=, throughput= and response=; rate= with the last two only")),
    }
}

fn by_speedup<'py>(call: &Call<'_, 'py, 3>, branch: Branch) -> Answer<'py> {
    match branch {
        Branch::Rising => call.workers(&Law::new(usl_inverse::RisingWorkers), plain),
        Branch::Falling => call.workers(&Law::new(usl_inverse::FallingWorkers), falling),
    }
}

fn by_throughput<'py>(values: [Any<'_, 'py>; 4], branch: Branch, out: Maybe<'_, 'py>) -> Answer<'py> {
    let call = Call { function: "usl_workers", values, out };
    match branch {
        Branch::Rising => call.workers(&Law::new(usl_inverse::RisingLoad), plain),
        Branch::Falling => call.workers(&Law::new(usl_inverse::FallingLoad), falling),
    }
}

fn by_response<'py>(values: [Any<'_, 'py>; 4], out: Maybe<'_, 'py>) -> Answer<'py> {
    let call = Call { function: "usl_workers", values, out };
    call.workers(&Law::new(usl_inverse::LoadAtResponse), plain)
}

/// Find the largest n at or above an efficiency under contention and coherency.
///
/// Parameters
/// ----------
#[doc = describe!(sigma)]
#[doc = describe!(kappa)]
/// efficiency : array_like of float, default 0.5
///     Efficiency to keep, dimensionless, above 0.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// The positive root of sigma (n-1) + kappa n (n-1) = 1/E - 1; infinite where nothing is lost.
///
/// References
/// ----------
/// .. [1] N. J. Gunther, arXiv:0808.1431, 2008.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.usl_knee(sigma=0.02, kappa=1e-4), 2)
/// 42.28
#[pyfunction]
#[pyo3(signature = (*, sigma, kappa, efficiency=None, out=None))]
pub(crate) fn usl_knee<'py>(
    py: Python<'py>,
    sigma: Any<'_, 'py>,
    kappa: Any<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let half = half(py);
    let values = [efficiency.unwrap_or(&half), sigma, kappa];
    Call { function: "usl_knee", values, out }.workers(&Law::new(usl_inverse::WorkersForEfficiency), plain)
}

/// Compute the throughput at which a response time is reached.
///
/// Parameters
/// ----------
#[doc = describe!(response)]
#[doc = describe!(sigma)]
#[doc = describe!(kappa)]
#[doc = describe!(rate)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// X = n(R)/R with the root n of `usl_workers`, in the unit of `rate`. Equation 9 of the book [1]_
/// has the sign of kappa - sigma turned round.
///
/// References
/// ----------
/// .. [1] B. Schwartz, *Practical Scalability Analysis with the Universal Scalability Law*, 2015.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> cisco = {"sigma": 0.02671594548, "kappa": 7.690939104e-4, "rate": 995.6487881}
/// >>> round(sw.laws.usl_throughput_at(response=0.03, **cisco), 2)
/// 5923.28
#[pyfunction]
#[pyo3(signature = (*, response, sigma, kappa, rate, out=None))]
pub(crate) fn usl_throughput_at<'py>(
    response: Any<'_, 'py>,
    sigma: Any<'_, 'py>,
    kappa: Any<'_, 'py>,
    rate: Any<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let call = Call { function: "usl_throughput_at", values: [response, sigma, kappa, rate], out };
    call.evaluate(&Law::new(usl_inverse::ThroughputAtResponse), plain)
}

/// Compute the response time at a throughput, before the peak or beyond it.
///
/// Parameters
/// ----------
#[doc = describe!(throughput)]
#[doc = describe!(sigma)]
#[doc = describe!(kappa)]
#[doc = describe!(rate)]
/// branch : {"rising", "falling"}, default "rising"
///     Which side of the peak.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
/// ChoiceError
///     If `branch` is neither of the two.
///
/// Notes
/// -----
/// R = n(X)/X with the root n of `usl_workers`, in the time unit of `rate`.
///
/// References
/// ----------
/// .. [1] B. Schwartz, *Practical Scalability Analysis with the Universal Scalability Law*, 2015.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> cisco = {"sigma": 0.02671594548, "kappa": 7.690939104e-4, "rate": 995.6487881}
/// >>> round(1e3 * sw.laws.usl_response_at(throughput=12201, **cisco), 4)
/// 2.4235
#[pyfunction]
#[pyo3(signature = (*, throughput, sigma, kappa, rate, branch="rising", out=None))]
pub(crate) fn usl_response_at<'py>(
    throughput: Any<'_, 'py>,
    sigma: Any<'_, 'py>,
    kappa: Any<'_, 'py>,
    rate: Any<'_, 'py>,
    branch: &str,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let call = Call { function: "usl_response_at", values: [throughput, sigma, kappa, rate], out };
    match Branch::read(branch)? {
        Branch::Rising => call.evaluate(&Law::new(usl_inverse::RisingResponse), plain),
        Branch::Falling => {
            call.evaluate(&Law::new(usl_inverse::FallingResponse), |o| o.set_item("branch", branch))
        }
    }
}
