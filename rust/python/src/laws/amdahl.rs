//! Amdahl's and Gustafson's laws.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, amdahl, gustafson};

use super::evaluate::{Answer, Any, Call, Maybe, fraction, one_of, plain};
use super::macros::{describe, fraction_inverse, fraction_law, fraction_only};
use crate::error::CoreError;

fraction_law! {
    /// Compute the speedup of a fixed amount of work: Amdahl's law.
    ---
    ///
    /// Notes
    /// -----
    /// S(n) = n / (serial·n + 1 - serial), where serial is the share of T(1) that does not divide
    /// among the workers. n = 1, serial = 0 and serial = 1 are exact, and `p` loses nothing from
    /// 1/2 up, because 1 - p is exact there.
    ///
    /// References
    /// ----------
    /// .. [1] G. M. Amdahl, "Validity of the single processor approach to achieving large scale
    ///    computing capabilities", AFIPS Spring Joint Computer Conference, 1967.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.amdahl_speedup(10, p=0.95), 1)
    /// 6.9
    /// >>> sw.laws.amdahl_speedup([1, 100, 1000], serial=0.05).round(1).tolist()
    /// [1.0, 16.8, 19.6]
    amdahl_speedup = amdahl::Speedup
}

fraction_law! {
    /// Compute the efficiency of a fixed amount of work: Amdahl's speedup per worker.
    ---
    ///
    /// Notes
    /// -----
    /// E(n) = S(n)/n = 1 / (serial·n + 1 - serial) [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] G. M. Amdahl, AFIPS Spring Joint Computer Conference, 1967.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.amdahl_efficiency(64, serial=0.05), 3)
    /// 0.241
    amdahl_efficiency = amdahl::Efficiency
}

fraction_law! {
    /// Compute what one more worker adds to Amdahl's speedup.
    ---
    ///
    /// Notes
    /// -----
    /// dS/dn = (1 - serial) / (serial·n + 1 - serial)², in speedup per worker; derived from [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] G. M. Amdahl, AFIPS Spring Joint Computer Conference, 1967.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.amdahl_slope(1024, serial=0.001), 4)
    /// 0.2441
    amdahl_slope = amdahl::Slope
}

fraction_law! {
    /// Compute how Amdahl's speedup changes with the serial fraction.
    ---
    ///
    /// Notes
    /// -----
    /// dS/dserial = -n (n - 1) / (serial·n + 1 - serial)²: what removing serial work buys, in
    /// speedup per unit of the fraction. With `p` given the derivative is still that in serial.
    ///
    /// References
    /// ----------
    /// .. [1] G. M. Amdahl, AFIPS Spring Joint Computer Conference, 1967.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.amdahl_sensitivity(64, serial=0.05))
    /// -234
    amdahl_sensitivity = amdahl::Sensitivity
}

fraction_inverse! {
    /// Find the workers that give a speedup or keep an efficiency under Amdahl's law.
    ---
    ///
    /// Notes
    /// -----
    /// n = (1 - serial) S / (1 - serial·S) for a speedup below the ceiling 1/serial, and
    /// n = 1 + (1/E - 1)/serial for an efficiency: the largest n that keeps it, infinite without
    /// a serial part. A speedup below 1 answers n < 1, with a warning.
    ///
    /// References
    /// ----------
    /// .. [1] G. M. Amdahl, AFIPS Spring Joint Computer Conference, 1967.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.amdahl_workers(speedup=10, serial=0.05), 9)
    /// 19.0
    /// >>> round(sw.laws.amdahl_workers(efficiency=0.5, p=0.95), 9)
    /// 21.0
    amdahl_workers = amdahl::WorkersForSpeedup, amdahl::WorkersForEfficiency
}

/// Find the largest n at or above an efficiency under Amdahl's law.
///
/// Parameters
/// ----------
#[doc = describe!(serial)]
/// efficiency : array_like of float, default 0.5
///     Efficiency to keep, dimensionless, above 0.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// n = 1 + (1/E - 1)/serial; infinite without a serial part. For the n of greatest S·E see
/// `amdahl_kleinrock`.
///
/// References
/// ----------
/// .. [1] G. M. Amdahl, AFIPS Spring Joint Computer Conference, 1967.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.amdahl_knee(serial=0.05), 9)
/// 21.0
#[pyfunction]
#[pyo3(signature = (*, serial=None, p=None, efficiency=None, out=None))]
pub(crate) fn amdahl_knee<'py>(
    py: Python<'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (fraction, parallel) = fraction(serial, p)?;
    let half = super::half(py);
    let call = Call { function: "amdahl_knee", values: [efficiency.unwrap_or(&half), fraction], out };
    call.workers(&Law::new(amdahl::WorkersForEfficiency).parallel(parallel), plain)
}

fraction_only! {
    /// Compute the largest speedup at any number of workers under Amdahl's law.
    ---
    ///
    /// Notes
    /// -----
    /// The limit of S(n) is 1/serial; infinite without a serial part.
    ///
    /// References
    /// ----------
    /// .. [1] G. M. Amdahl, AFIPS Spring Joint Computer Conference, 1967.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.amdahl_ceiling(serial=0.05)
    /// 20.0
    amdahl_ceiling = amdahl::Ceiling
}

fraction_only! {
    /// Find the n of the greatest product of speedup and efficiency under Amdahl's law.
    ---
    ///
    /// Notes
    /// -----
    /// Kleinrock's power S·E is largest at n = (1 - serial)/serial, where S = 1/(2 serial) and
    /// E = 1/(2 (1 - serial)); at 1 where serial is 1/2 or more, infinite without a serial part.
    ///
    /// References
    /// ----------
    /// .. [1] L. Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in
    ///    computer communications", ICC 1979.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.amdahl_kleinrock(serial=0.02)
    /// 49.0
    amdahl_kleinrock = amdahl::Kleinrock
}

fraction_law! {
    /// Compute the speedup of work that grows with the machine: Gustafson's law.
    ---
    ///
    /// Notes
    /// -----
    /// S(n) = serial + (1 - serial)·n, where serial is the share of the time on *n* workers that
    /// does not divide. It is another fraction than Amdahl's: `serial_fraction` converts.
    ///
    /// References
    /// ----------
    /// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.gustafson_speedup(64, serial=0.05), 2)
    /// 60.85
    gustafson_speedup = gustafson::Speedup
}

fraction_law! {
    /// Compute the efficiency of work that grows with the machine.
    ---
    ///
    /// Notes
    /// -----
    /// E(n) = serial/n + 1 - serial, serial as a share of the time on n workers.
    ///
    /// References
    /// ----------
    /// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.gustafson_efficiency(2, serial=0.5)
    /// 0.75
    gustafson_efficiency = gustafson::Efficiency
}

fraction_law! {
    /// Compute what one more worker adds to Gustafson's scaled speedup.
    ---
    ///
    /// Notes
    /// -----
    /// dS/dn = 1 - serial at every n.
    ///
    /// References
    /// ----------
    /// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.gustafson_slope(64, serial=0.25)
    /// 0.75
    gustafson_slope = gustafson::Slope
}

fraction_inverse! {
    /// Find the workers that give a scaled speedup or keep an efficiency under Gustafson's law.
    ---
    ///
    /// Notes
    /// -----
    /// n = (S - serial)/(1 - serial) for a speedup, n = serial/(E - 1 + serial) for an efficiency:
    /// the largest n that keeps it, infinite where every n does.
    ///
    /// References
    /// ----------
    /// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.gustafson_workers(speedup=60.85, serial=0.05), 9)
    /// 64.0
    gustafson_workers = gustafson::WorkersForSpeedup, gustafson::WorkersForEfficiency
}

/// Find the largest n at or above an efficiency under Gustafson's law.
///
/// Parameters
/// ----------
#[doc = describe!(serial)]
/// efficiency : array_like of float, default 0.5
///     Efficiency to keep, dimensionless, above 0.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// n = serial/(E - 1 + serial); infinite where 1 - serial is at least E.
///
/// References
/// ----------
/// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> sw.laws.gustafson_knee(serial=0.75)
/// 3.0
#[pyfunction]
#[pyo3(signature = (*, serial=None, p=None, efficiency=None, out=None))]
pub(crate) fn gustafson_knee<'py>(
    py: Python<'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (fraction, parallel) = fraction(serial, p)?;
    let half = super::half(py);
    let call = Call { function: "gustafson_knee", values: [efficiency.unwrap_or(&half), fraction], out };
    call.workers(&Law::new(gustafson::WorkersForEfficiency).parallel(parallel), plain)
}

fraction_only! {
    /// Compute the largest speedup at any number of workers under Gustafson's law.
    ---
    ///
    /// Notes
    /// -----
    /// Infinite, and 1 where nothing divides.
    ///
    /// References
    /// ----------
    /// .. [1] J. L. Gustafson, "Reevaluating Amdahl's law", CACM 31(5), 1988.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.gustafson_ceiling(serial=0.05)
    /// inf
    gustafson_ceiling = gustafson::Ceiling
}
