//! Sun and Ni's law: the work grows with the memory of the machine, by a factor G(n).
//!
//! S(n) = (f + (1-f) G) / (f + (1-f) G/n), with f the serial fraction of the one-worker time.
//! X.-H. Sun, L. M. Ni, J. Parallel Distrib. Comput. 19, 1993. G = 1 is Amdahl's law, G = n is
//! Gustafson's with the same f, G = n^1.5 a dense matrix product that fills the memory.

use super::Argument;
use super::amdahl;
use super::formula::formula;
use super::power::power;
use super::solve::increasing_root;

/// The parallel work at `n`; none where all is serial, however much it would grow.
#[inline(always)]
fn grown(serial: f64, growth: f64) -> f64 {
    if serial == 1.0 { 0.0 } else { (1.0 - serial) * growth }
}

/// Memory-bounded speedup for a growth of the parallel work by the factor `growth` at `n`.
#[inline(always)]
pub fn speedup(n: f64, serial: f64, growth: f64) -> f64 {
    // n·(1/n) is not always 1 in floating point.
    if serial == 1.0 { 1.0 } else { n * efficiency(n, serial, growth) }
}

/// Efficiency S(n)/n.
#[inline(always)]
pub fn efficiency(n: f64, serial: f64, growth: f64) -> f64 {
    let parallel = grown(serial, growth);
    let e = (serial + parallel) / (serial * n + parallel);
    // Beside work without limit, serial work is nothing.
    if (serial == 0.0) | (parallel == f64::INFINITY) { 1.0 } else { e }
}

/// dS/dn, where `exponent` is the elasticity n G'(n)/G(n) of the growth (e itself for G = n^e).
#[inline(always)]
pub fn slope(n: f64, serial: f64, growth: f64, exponent: f64) -> f64 {
    let parallel = grown(serial, growth);
    let stretch = serial * n + parallel;
    let top = serial + parallel;
    let gain = (parallel / stretch) * ((top + exponent * serial * (n - 1.0)) / stretch);
    if (serial == 0.0) | (parallel == f64::INFINITY) {
        1.0
    } else if serial == 1.0 {
        0.0
    } else {
        gain
    }
}

/// The growth G = n^exponent.
#[inline(always)]
pub fn power_growth(n: f64, exponent: f64) -> f64 {
    // A power of 1 goes by the logarithm and back, and may end one unit beside n.
    let growth = power(n, exponent);
    if exponent == 1.0 { n } else { growth }
}

/// [`speedup`] for G = n^exponent.
#[inline(always)]
pub fn power_speedup(n: f64, serial: f64, exponent: f64) -> f64 {
    speedup(n, serial, power_growth(n, exponent))
}

/// [`efficiency`] for G = n^exponent.
#[inline(always)]
pub fn power_efficiency(n: f64, serial: f64, exponent: f64) -> f64 {
    efficiency(n, serial, power_growth(n, exponent))
}

/// [`slope`] for G = n^exponent.
#[inline(always)]
pub fn power_slope(n: f64, serial: f64, exponent: f64) -> f64 {
    slope(n, serial, power_growth(n, exponent), exponent)
}

/// Workers for a speedup of at least 1 when G = n^exponent; NaN where no n reaches it.
#[inline]
pub fn workers_for_speedup(speedup: f64, serial: f64, exponent: f64) -> f64 {
    if exponent == 0.0 || speedup == 1.0 {
        return amdahl::workers_for_speedup(speedup, serial);
    }
    if serial == 0.0 {
        return speedup;
    }
    if serial == 1.0 {
        return f64::NAN;
    }
    let gap = |y: f64| {
        let n = y.exp();
        let value = power_speedup(n, serial, exponent);
        ((value / speedup).ln(), power_slope(n, serial, exponent) * n / value)
    };
    // n >= S always; from there double until the curve passes the wanted speedup.
    let low = speedup.ln();
    let mut high = low + 1.0;
    while gap(high).0 < 0.0 {
        high += high - low;
        if high > 700.0 {
            return f64::NAN;
        }
    }
    increasing_root(gap, low, high, low).exp()
}

/// The largest n that keeps an efficiency when G = n^exponent, exponent <= 1; infinite where all do.
#[inline]
pub fn workers_for_efficiency(efficiency: f64, serial: f64, exponent: f64) -> f64 {
    let loss = (1.0 - efficiency) / efficiency;
    if exponent == 0.0 || loss == 0.0 || serial == 0.0 {
        return amdahl::workers_for_efficiency(efficiency, serial);
    }
    // 1/E - 1 = serial (n-1) / (serial + (1-serial) G) rises with n, to serial/(1-serial) for G = n.
    let excess = |y: f64| {
        let n = y.exp();
        let growth = power_growth(n, exponent);
        let lost = serial * (n - 1.0) / (serial + (1.0 - serial) * growth);
        lost - loss
    };
    let mut high = 1.0;
    while excess(high) < 0.0 {
        high *= 2.0;
        if high > 700.0 {
            return f64::INFINITY;
        }
    }
    let derivative = |y: f64| {
        let n = y.exp();
        let growth = power_growth(n, exponent);
        let base = serial + (1.0 - serial) * growth;
        serial * n / base * (1.0 - (1.0 - 1.0 / n) * exponent * (1.0 - serial) * growth / base)
    };
    increasing_root(|y| (excess(y), derivative(y)), 0.0, high, 0.5 * high).exp()
}

/// The largest speedup at any n when G = n^exponent: infinite as soon as the work grows.
#[inline]
pub fn ceiling(serial: f64, exponent: f64) -> f64 {
    if serial == 1.0 {
        1.0
    } else if exponent == 0.0 {
        1.0 / serial
    } else {
        f64::INFINITY
    }
}

fn unreachable(_: &[f64]) -> (usize, &'static str) {
    (0, "a speedup below the ceiling, reached at a finite n")
}

const EXPONENT: Argument = Argument::nonnegative("exponent");
const GROWTH: Argument = Argument::nonnegative("growth");

formula! {
    /// [`speedup`] with its domains.
    Speedup = speedup; Argument::WORKERS, Argument::SERIAL, GROWTH
}
formula! {
    /// [`efficiency`] with its domains.
    Efficiency = efficiency; Argument::WORKERS, Argument::SERIAL, GROWTH
}
formula! {
    /// [`slope`] with its domains.
    Slope = slope; Argument::WORKERS, Argument::SERIAL, GROWTH, EXPONENT
}
formula! {
    /// [`power_speedup`] with its domains.
    PowerSpeedup = power_speedup; Argument::WORKERS, Argument::SERIAL, EXPONENT
}
formula! {
    /// [`power_efficiency`] with its domains.
    PowerEfficiency = power_efficiency; Argument::WORKERS, Argument::SERIAL, EXPONENT
}
formula! {
    /// [`power_slope`] with its domains.
    PowerSlope = power_slope; Argument::WORKERS, Argument::SERIAL, EXPONENT
}
formula! {
    /// [`workers_for_speedup`] with its domains.
    WorkersForSpeedup = workers_for_speedup;
    Argument::one_or_more("speedup"), Argument::SERIAL, EXPONENT; refuse unreachable
}
formula! {
    /// [`workers_for_efficiency`] with its domains.
    WorkersForEfficiency = workers_for_efficiency;
    Argument::positive_share("efficiency"), Argument::SERIAL, Argument::share("exponent")
}
formula! {
    /// [`ceiling`] with its domains.
    Ceiling = ceiling; Argument::SERIAL, EXPONENT
}
