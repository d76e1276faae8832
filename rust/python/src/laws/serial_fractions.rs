//! Karp and Flatt's metric, and the three serial fractions.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, karp_flatt as karp, serial_fractions};

use super::Share;
use super::evaluate::{Answer, Any, Call, Maybe, fraction, one_of, plain};
use super::macros::{describe, plain_law};

plain_law! {
    /// Compute the experimentally determined serial fraction: Karp and Flatt's metric.
    ---
    ///
    /// Notes
    /// -----
    /// e(n) = (1/S - 1/n) / (1 - 1/n) [1]_, `n` above 1. It contains all overhead, not serial work
    /// alone, and is negative where the speedup exceeds n.
    ///
    /// References
    /// ----------
    /// .. [1] A. H. Karp, H. P. Flatt, "Measuring parallel processor performance", CACM 33(5), 1990.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.karp_flatt(4, speedup=3), 3)
    /// 0.111
    karp_flatt(n; speedup = speedup) = karp::Serial
}

plain_law! {
    /// Compute how far an error of the speedup moves Karp and Flatt's serial fraction.
    ---
    ///
    /// Notes
    /// -----
    /// de/dS = -n / (S² (n-1)), derived from [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] A. H. Karp, H. P. Flatt, CACM 33(5), 1990.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.karp_flatt_slope(2, speedup=2)
    /// -0.5
    karp_flatt_slope(n; speedup = speedup) = karp::Slope
}

/// Compute the serial fraction that Karp and Flatt's metric shows under an overhead.
///
/// Parameters
/// ----------
#[doc = describe!(n)]
#[doc = describe!(overhead)]
#[doc = describe!(serial)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// If T(n)/T(1) = serial + (1-serial)/n + overhead(n), then e(n) = serial + overhead·n/(n-1): flat
/// for serial work alone, rising where the overhead grows [1]_.
///
/// References
/// ----------
/// .. [1] A. H. Karp, H. P. Flatt, CACM 33(5), 1990.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.karp_flatt_trend(4, serial=0.01, overhead=0.004), 6)
/// 0.015333
#[pyfunction]
#[pyo3(signature = (n, *, overhead, serial=None, p=None, out=None))]
pub(crate) fn karp_flatt_trend<'py>(
    n: Any<'_, 'py>,
    overhead: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let call = Call { function: "karp_flatt_trend", values: [n, f, overhead], out };
    call.evaluate(&Law::new(karp::Trend).parallel(parallel), plain)
}

/// Compute the overhead that explains a speedup beside a serial fraction.
///
/// Parameters
/// ----------
#[doc = describe!(n)]
#[doc = describe!(speedup)]
#[doc = describe!(serial)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// overhead(n) = (e(n) - serial)(n-1)/n as a share of T(1), the inverse of `karp_flatt_trend`.
///
/// References
/// ----------
/// .. [1] A. H. Karp, H. P. Flatt, CACM 33(5), 1990.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.karp_flatt_overhead(4, speedup=3.8240917782027710, serial=0.01), 9)
/// 0.004
#[pyfunction]
#[pyo3(signature = (n, *, speedup, serial=None, p=None, out=None))]
pub(crate) fn karp_flatt_overhead<'py>(
    n: Any<'_, 'py>,
    speedup: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let call = Call { function: "karp_flatt_overhead", values: [n, speedup, f], out };
    call.evaluate(&Law::new(karp::Overhead).parallel(parallel), plain)
}

/// Compute the speedup with a serial fraction and an overhead.
///
/// Parameters
/// ----------
#[doc = describe!(n)]
#[doc = describe!(overhead)]
#[doc = describe!(serial)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// S(n) = 1 / (serial + (1-serial)/n + overhead), overhead at least 0.
///
/// References
/// ----------
/// .. [1] A. H. Karp, H. P. Flatt, CACM 33(5), 1990.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.karp_flatt_speedup(64, serial=0.01, overhead=0.012), 3)
/// 26.689
#[pyfunction]
#[pyo3(signature = (n, *, overhead, serial=None, p=None, out=None))]
pub(crate) fn karp_flatt_speedup<'py>(
    n: Any<'_, 'py>,
    overhead: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let call = Call { function: "karp_flatt_speedup", values: [n, f, overhead], out };
    call.evaluate(&Law::new(karp::Speedup).parallel(parallel), plain)
}

/// Convert one of the three serial fractions into another.
///
/// Amdahl's is a share of the time on one worker, Gustafson's a share of the time on n workers, and
/// that of a trace the share of a worker's time at n in which it computes nothing (exposed
/// communication, waiting), averaged over the workers. They describe one run when they give it the
/// same speedup.
///
/// Parameters
/// ----------
#[doc = describe!(n)]
/// to : {"amdahl", "gustafson", "trace"}
///     The fraction wanted.
/// amdahl, gustafson, trace : array_like of float
///     Exactly one: the fraction at hand, 0 to 1.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
/// ChoiceError
///     If `to` is none of the three.
///
/// Notes
/// -----
/// n/(1 + f(n-1)) = n - s(n-1) = n(1-x), so f = s/(s + (1-s)n), s = f n/(1 - f + f n),
/// x = s(n-1)/n and f = x/((1-x)(n-1)). From a trace `n` must be above 1.
///
/// References
/// ----------
/// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.serial_fraction(64, gustafson=0.05, to="amdahl"), 6)
/// 0.000822
#[pyfunction]
#[pyo3(signature = (n, *, to, amdahl=None, gustafson=None, trace=None, out=None))]
pub(crate) fn serial_fraction<'py>(
    n: Any<'_, 'py>,
    to: &str,
    amdahl: Maybe<'_, 'py>,
    gustafson: Maybe<'_, 'py>,
    trace: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (share, from) = match (amdahl, gustafson, trace) {
        (Some(f), None, None) => (f, Share::Amdahl),
        (None, Some(s), None) => (s, Share::Gustafson),
        (None, None, Some(x)) => (x, Share::Trace),
        _ => return Err(one_of("amdahl=, gustafson= and trace=")),
    };
    convert(&Call { function: "serial_fraction", values: [n, share], out }, from, to)
}

fn convert<'py>(call: &Call<'_, 'py, 2>, from: Share, to: &str) -> Answer<'py> {
    use serial_fractions as s;
    let give = |options: &Bound<'py, pyo3::types::PyDict>| options.set_item("to", to);
    match (from, Share::read(to)?) {
        (Share::Amdahl, Share::Amdahl) => call.evaluate(&Law::new(s::Amdahl), give),
        (Share::Amdahl, Share::Gustafson) => call.evaluate(&Law::new(s::GustafsonOfAmdahl), give),
        (Share::Amdahl, Share::Trace) => call.evaluate(&Law::new(s::TraceOfAmdahl), give),
        (Share::Gustafson, Share::Amdahl) => call.evaluate(&Law::new(s::AmdahlOfGustafson), give),
        (Share::Gustafson, Share::Gustafson) => call.evaluate(&Law::new(s::Gustafson), give),
        (Share::Gustafson, Share::Trace) => call.evaluate(&Law::new(s::TraceOfGustafson), give),
        (Share::Trace, Share::Amdahl) => call.evaluate(&Law::new(s::AmdahlOfTrace), give),
        (Share::Trace, Share::Gustafson) => call.evaluate(&Law::new(s::GustafsonOfTrace), give),
        (Share::Trace, Share::Trace) => call.evaluate(&Law::new(s::Trace), give),
    }
}
