//! How a law runs over the worker count: where it rises and falls, in closed form.
//!
//! Found from the derivative of the real function with the row's constants; all of them are at
//! least 0. `K = serial + compute + 2*transfer - 2*latency` for a weak step with a ring.
//!
//! | law | speedup | time |
//! |---|---|---|
//! | USL | peak at `sqrt((1 - sigma)/kappa)` | valley there |
//! | log-USL | peak at `(1 - sigma)*ln(2)/kappa` | valley there |
//! | ring, strong | peak at `sqrt((compute - 2*transfer)/(2*latency))` | valley there |
//! | ring, weak | valley at `4*transfer/K`, falling where K is not above 0 | rising |
//!
//! Everything else never turns, a step with a tree not between two steps of its height. Under
//! Sun–Ni the work must not shrink with n; its efficiency may turn at a place that only the
//! growth's own formula knows.

use super::law::{Grid, Law, Quantity, pick};
use super::real::Real;

/// How a row runs over ascending worker counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Course {
    /// The same operations on the same numbers in every cell.
    Flat,
    /// Never falls.
    Rising,
    /// Never rises.
    Falling,
    /// Rises to this count, then falls.
    Peak(f64),
    /// Falls to this count, then rises.
    Valley(f64),
}

impl Course {
    /// Whether the course of the grid's rows is known.
    pub(super) fn known<T: Real>(grid: &Grid<'_, T>) -> bool {
        grid.law != Law::Terms && (grid.law, grid.quantity) != (Law::SunNi, Quantity::Efficiency)
    }

    /// The course of one row of a grid whose course is known.
    pub(super) fn of<T: Real>(grid: &Grid<'_, T>, row: usize) -> Self {
        use Quantity::{Efficiency, KarpFlatt, Speedup, Throughput, Time};
        let parameter = |index: usize| pick(grid.parameters[index], row).to_f64();
        match (grid.law, grid.quantity) {
            (Law::Amdahl, KarpFlatt) | (Law::Tree { weak: true }, Efficiency | Time) => Self::Flat,
            (Law::Usl, Speedup | Throughput) => Self::Peak(usl_peak(parameter(0), parameter(1))),
            (Law::Usl, Time) => Self::Valley(usl_peak(parameter(0), parameter(1))),
            (Law::UslLog, Speedup | Throughput) => Self::Peak(log_peak(parameter(0), parameter(1))),
            (Law::UslLog, Time) => Self::Valley(log_peak(parameter(0), parameter(1))),
            (Law::Ring { weak: false }, Speedup | Throughput) => {
                Self::Peak(ring_peak(parameter(1), parameter(2), parameter(3)))
            }
            (Law::Ring { weak: false }, Time) => {
                Self::Valley(ring_peak(parameter(1), parameter(2), parameter(3)))
            }
            (Law::Ring { weak: true }, Speedup | Throughput) => {
                let (latency, transfer) = (parameter(2), parameter(3));
                let bend = parameter(0) + parameter(1) + 2.0 * transfer - 2.0 * latency;
                Self::Valley(if bend > 0.0 { 4.0 * transfer / bend } else { f64::INFINITY })
            }
            (Law::Amdahl | Law::Gustafson | Law::SunNi | Law::Tree { .. }, Speedup | Throughput)
            | (Law::Usl | Law::UslLog | Law::Ring { weak: false }, KarpFlatt)
            | (Law::Ring { weak: true }, Time) => Self::Rising,
            _ => Self::Falling,
        }
    }
}

fn usl_peak(sigma: f64, kappa: f64) -> f64 {
    ratio(1.0 - sigma, kappa).sqrt()
}

fn log_peak(sigma: f64, kappa: f64) -> f64 {
    ratio((1.0 - sigma) * std::f64::consts::LN_2, kappa)
}

fn ring_peak(compute: f64, latency: f64, transfer: f64) -> f64 {
    ratio(compute - 2.0 * transfer, 2.0 * latency).sqrt()
}

/// 0 where the numerator is not above 0, so that a row falls from the start.
fn ratio(a: f64, b: f64) -> f64 {
    if a > 0.0 { a / b } else { 0.0 }
}
