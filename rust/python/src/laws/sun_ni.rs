//! Sun and Ni's law.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, sun_ni};

use super::evaluate::{Answer, Any, Call, Maybe, fraction, one_of, plain};
use super::macros::describe;
use super::{Growth, half};

/// A Sun-Ni law of n with its growth given as values or as a power of n.
macro_rules! memory_law {
    ($(#[$head:meta])* --- $(#[$tail:meta])* $name:ident = $values:expr, $power:expr) => {
        $(#[$head])*
        #[doc = "\nParameters\n----------"]
        #[doc = describe!(n)]
        #[doc = describe!(serial)]
        /// growth, exponent : array_like of float
        ///     Exactly one: how the parallel work grows, as the factor G at `n` or as G = n**exponent.
        #[doc = describe!(out)]
        #[doc = describe!(answer)]
        #[doc = describe!(raises)]
        $(#[$tail])*
        #[pyfunction]
        #[pyo3(signature = (n, *, serial=None, p=None, growth=None, exponent=None, out=None))]
        pub(crate) fn $name<'py>(
            n: Any<'_, 'py>,
            serial: Maybe<'_, 'py>,
            p: Maybe<'_, 'py>,
            growth: Maybe<'_, 'py>,
            exponent: Maybe<'_, 'py>,
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let (fraction, parallel) = fraction(serial, p)?;
            let call = |growth| Call { function: stringify!($name), values: [n, fraction, growth], out };
            match Growth::read(growth, exponent)? {
                Growth::Values(g) => call(g).evaluate(&Law::new($values).parallel(parallel), plain),
                Growth::Power(e) => call(e).evaluate(&Law::new($power).parallel(parallel), plain),
            }
        }
    };
}

memory_law! {
    /// Compute the speedup of work that grows with the memory of the machine: Sun and Ni's law.
    ---
    ///
    /// Notes
    /// -----
    /// S(n) = (f + (1-f) G) / (f + (1-f) G/n), with f the serial fraction of the time on one
    /// worker. G = 1 is Amdahl's law, G = n Gustafson's with this f, and G = n**1.5 a dense matrix
    /// product that fills the memory.
    ///
    /// References
    /// ----------
    /// .. [1] X.-H. Sun, L. M. Ni, "Scalable problems and memory-bounded speedup", J. Parallel
    ///    Distrib. Comput. 19, 1993.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.sun_ni_speedup(64, serial=0.05, exponent=1.5), 3)
    /// 63.588
    sun_ni_speedup = sun_ni::Speedup, sun_ni::PowerSpeedup
}

memory_law! {
    /// Compute the efficiency of work that grows with the memory of the machine.
    ---
    ///
    /// Notes
    /// -----
    /// S(n)/n = (f + (1-f) G) / (f n + (1-f) G).
    ///
    /// References
    /// ----------
    /// .. [1] X.-H. Sun, L. M. Ni, J. Parallel Distrib. Comput. 19, 1993.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.sun_ni_efficiency(64, serial=0.05, growth=1), 3)
    /// 0.241
    sun_ni_efficiency = sun_ni::Efficiency, sun_ni::PowerEfficiency
}

/// Compute what one more worker adds to the memory-bounded speedup.
///
/// Parameters
/// ----------
#[doc = describe!(n)]
#[doc = describe!(serial)]
/// exponent : array_like of float
///     The elasticity n G'(n)/G(n) of the growth, at least 0: the exponent itself for G = n**exponent.
/// growth : array_like of float, optional
///     The factor G at `n`, where it is not n**exponent.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// dS/dn = (1-f) G (f + (1-f) G + exponent·f (n-1)) / (f n + (1-f) G)², derived from [1]_.
///
/// References
/// ----------
/// .. [1] X.-H. Sun, L. M. Ni, J. Parallel Distrib. Comput. 19, 1993.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.sun_ni_slope(64, serial=0.05, exponent=1), 3)
/// 0.95
#[pyfunction]
#[pyo3(signature = (n, *, exponent, serial=None, p=None, growth=None, out=None))]
pub(crate) fn sun_ni_slope<'py>(
    n: Any<'_, 'py>,
    exponent: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    growth: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let function = "sun_ni_slope";
    match growth {
        Some(g) => Call { function, values: [n, f, g, exponent], out }
            .evaluate(&Law::new(sun_ni::Slope).parallel(parallel), plain),
        None => Call { function, values: [n, f, exponent], out }
            .evaluate(&Law::new(sun_ni::PowerSlope).parallel(parallel), plain),
    }
}

/// Find the workers that give a memory-bounded speedup or keep its efficiency.
///
/// Parameters
/// ----------
/// exponent : array_like of float
///     The growth is G = n**exponent: at least 0, and at most 1 for an efficiency, because above
///     1 the efficiency comes back and has no single n.
/// speedup, efficiency : array_like of float
///     Exactly one of the two; a speedup of at least 1, an efficiency of at most 1.
#[doc = describe!(serial)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// A bracketed Newton iteration to the last digit. For an efficiency it is the largest n that
/// keeps it, infinite where every n does.
///
/// References
/// ----------
/// .. [1] X.-H. Sun, L. M. Ni, J. Parallel Distrib. Comput. 19, 1993.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.sun_ni_workers(speedup=60.85, serial=0.05, exponent=1), 9)
/// 64.0
#[pyfunction]
#[pyo3(signature = (*, exponent, speedup=None, efficiency=None, serial=None, p=None, out=None))]
pub(crate) fn sun_ni_workers<'py>(
    exponent: Any<'_, 'py>,
    speedup: Maybe<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let call = |wanted| Call { function: "sun_ni_workers", values: [wanted, f, exponent], out };
    let (by_speedup, by_efficiency) = (sun_ni::WorkersForSpeedup, sun_ni::WorkersForEfficiency);
    match (speedup, efficiency) {
        (Some(s), None) => call(s).evaluate(&Law::new(by_speedup).parallel(parallel), plain),
        (None, Some(e)) => call(e).evaluate(&Law::new(by_efficiency).parallel(parallel), plain),
        _ => Err(one_of("speedup= and efficiency=")),
    }
}

/// Find the largest n at or above an efficiency when the work grows with the memory.
///
/// Parameters
/// ----------
/// exponent : array_like of float
///     The growth is G = n**exponent, 0 to 1.
#[doc = describe!(serial)]
/// efficiency : array_like of float, default 0.5
///     Efficiency to keep, dimensionless, above 0 and at most 1.
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// The root of f (n-1) / (f + (1-f) G) = 1/E - 1; infinite where every n keeps the efficiency.
///
/// References
/// ----------
/// .. [1] X.-H. Sun, L. M. Ni, J. Parallel Distrib. Comput. 19, 1993.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> round(sw.laws.sun_ni_knee(serial=0.05, exponent=0), 9)
/// 21.0
#[pyfunction]
#[pyo3(signature = (*, exponent, serial=None, p=None, efficiency=None, out=None))]
pub(crate) fn sun_ni_knee<'py>(
    py: Python<'py>,
    exponent: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    efficiency: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let half = half(py);
    let values = [efficiency.unwrap_or(&half), f, exponent];
    let call = Call { function: "sun_ni_knee", values, out };
    call.evaluate(&Law::new(sun_ni::WorkersForEfficiency).parallel(parallel), plain)
}

/// Compute the largest memory-bounded speedup at any number of workers.
///
/// Parameters
/// ----------
/// exponent : array_like of float
///     The growth is G = n**exponent, exponent at least 0.
#[doc = describe!(serial)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// 1/f where the work does not grow (exponent 0), infinite where it does, 1 where nothing divides.
///
/// References
/// ----------
/// .. [1] X.-H. Sun, L. M. Ni, J. Parallel Distrib. Comput. 19, 1993.
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> sw.laws.sun_ni_ceiling(serial=0.05, exponent=0.5)
/// inf
#[pyfunction]
#[pyo3(signature = (*, exponent, serial=None, p=None, out=None))]
pub(crate) fn sun_ni_ceiling<'py>(
    exponent: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let call = Call { function: "sun_ni_ceiling", values: [f, exponent], out };
    call.evaluate(&Law::new(sun_ni::Ceiling).parallel(parallel), plain)
}
