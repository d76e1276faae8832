//! The scalability law of a tree: coherency grows with log2 n instead of n - 1.
//!
//! T(n)/T(1) = sigma + (1 - sigma)/n + kappa log2 n, so S(n) = n / (1 - sigma + n (sigma + kappa
//! log2 n)). `kappa` is the cost of one level of the tree as a share of T(1). A reduction or
//! broadcast over a binary tree has this form (models of R. Thakur, R. Rabenseifner, W. Gropp 2005).

use std::f64::consts::LN_2;

use super::Argument;
use super::amdahl;
use super::formula::formula;
use super::log2::log2;
use super::solve::increasing_root;
use super::usl::{KAPPA, SIGMA};

/// n·T(n)/T(1).
#[inline]
fn stretch(n: f64, sigma: f64, kappa: f64) -> f64 {
    (1.0 - sigma) + n * (sigma + kappa * log2(n))
}

/// Speedup S(n) = n / (1 - sigma + n (sigma + kappa log2 n)).
#[inline]
pub fn speedup(n: f64, sigma: f64, kappa: f64) -> f64 {
    n / stretch(n, sigma, kappa)
}

/// Efficiency S(n)/n.
#[inline]
pub fn efficiency(n: f64, sigma: f64, kappa: f64) -> f64 {
    1.0 / stretch(n, sigma, kappa)
}

/// What one more worker adds: dS/dn = (1 - sigma - n kappa/ln 2) / (n T(n)/T(1))².
#[inline]
pub fn slope(n: f64, sigma: f64, kappa: f64) -> f64 {
    // Ratios first: n times kappa would overflow where n and kappa are both beyond 1e154.
    let efficiency = efficiency(n, sigma, kappa);
    ((1.0 - sigma) * efficiency - kappa * (n * efficiency) / LN_2) * efficiency
}

/// The n of the largest speedup, (1 - sigma) ln 2/kappa, but never below one worker.
#[inline]
pub fn peak(sigma: f64, kappa: f64) -> f64 {
    if kappa == 0.0 { f64::INFINITY } else { ((1.0 - sigma) * LN_2 / kappa).max(1.0) }
}

/// The largest speedup at any n >= 1: S at the peak, 1/sigma without coherency.
#[inline]
pub fn ceiling(sigma: f64, kappa: f64) -> f64 {
    let peak = peak(sigma, kappa);
    if peak == f64::INFINITY { 1.0 / sigma } else { speedup(peak, sigma, kappa) }
}

/// Workers for a speedup of at least 1 before the peak; NaN above the ceiling.
#[inline]
pub fn rising_workers(speedup: f64, sigma: f64, kappa: f64) -> f64 {
    let top = peak(sigma, kappa);
    if kappa == 0.0 {
        return amdahl::workers_for_speedup(speedup, sigma);
    }
    if let Some(answer) = near_the_ceiling(speedup, sigma, kappa, top) {
        return answer;
    }
    // 1/S falls along this branch; the root of (1/S wanted) - (1/S at n) rises with n.
    increasing_root(|n| gap(n, speedup, sigma, kappa), 1.0, top, amdahl::workers_for_speedup(speedup, sigma))
}

/// Workers for a speedup beyond the peak; NaN above the ceiling and without coherency.
#[inline]
pub fn falling_workers(speedup: f64, sigma: f64, kappa: f64) -> f64 {
    let top = peak(sigma, kappa);
    if kappa == 0.0 {
        return f64::NAN;
    }
    if let Some(answer) = near_the_ceiling(speedup, sigma, kappa, top) {
        return answer;
    }
    // Without its middle term 1/S = sigma + kappa log2 n has its root at or beyond the wanted one.
    let doublings = (1.0 / speedup - sigma) / kappa;
    if doublings > 1023.0 {
        return f64::NAN;
    }
    let high = doublings.exp2().max(top);
    // In log n the branch is nearly a line.
    increasing_root(
        |y| {
            let n = y.exp();
            let (value, slope) = gap(n, speedup, sigma, kappa);
            (-value, -slope * n)
        },
        top.ln(),
        high.ln() * (1.0 + f64::EPSILON),
        high.ln(),
    )
    .exp()
}

/// The peak itself for a speedup within rounding of the ceiling, NaN above it, 1 for no speedup.
#[inline]
fn near_the_ceiling(speedup: f64, sigma: f64, kappa: f64, top: f64) -> Option<f64> {
    let ceiling = self::speedup(top, sigma, kappa);
    if speedup > ceiling * (1.0 + 4.0 * f64::EPSILON) {
        Some(f64::NAN)
    } else if speedup >= ceiling {
        Some(top)
    } else {
        None
    }
}

/// 1/S wanted minus 1/S at n, and its derivative.
#[inline]
fn gap(n: f64, speedup: f64, sigma: f64, kappa: f64) -> (f64, f64) {
    let reciprocal = ((1.0 - sigma) / n + kappa * log2(n)) + sigma;
    (1.0 / speedup - reciprocal, ((1.0 - sigma) / n - kappa / LN_2) / n)
}

/// The largest n that keeps an efficiency of at most 1; infinite where nothing is lost.
#[inline]
pub fn workers_for_efficiency(efficiency: f64, sigma: f64, kappa: f64) -> f64 {
    let loss = (1.0 - efficiency) / efficiency;
    if kappa == 0.0 || loss == 0.0 {
        return amdahl::workers_for_efficiency(efficiency, sigma);
    }
    // The loss sigma (n-1) + kappa n log2 n is convex: its tangent at 1 meets `loss` beyond the root.
    let high = 1.0 + loss / (sigma + kappa / LN_2);
    increasing_root(
        |n| {
            let value = (sigma * (n - 1.0) + kappa * n * log2(n)) - loss;
            (value, sigma + kappa * (log2(n) + 1.0 / LN_2))
        },
        1.0,
        high * (1.0 + 4.0 * f64::EPSILON),
        high,
    )
}

fn above_the_ceiling(_: &[f64]) -> (usize, &'static str) {
    (0, "a speedup of at least 1 and below the ceiling that sigma and kappa set")
}

fn no_falling_side(arguments: &[f64]) -> (usize, &'static str) {
    if arguments[2] == 0.0 {
        (2, "a number above 0 on the falling branch: without coherency the curve never falls")
    } else {
        (0, "a speedup below the ceiling, reached at a finite n")
    }
}

formula! {
    /// [`speedup`] with its domains.
    Speedup = speedup; Argument::WORKERS, SIGMA, KAPPA
}
formula! {
    /// [`efficiency`] with its domains.
    Efficiency = efficiency; Argument::WORKERS, SIGMA, KAPPA
}
formula! {
    /// [`slope`] with its domains.
    Slope = slope; Argument::WORKERS, SIGMA, KAPPA
}
formula! {
    /// [`peak`] with its domains.
    Peak = peak; SIGMA, KAPPA
}
formula! {
    /// [`ceiling`] with its domains.
    Ceiling = ceiling; SIGMA, KAPPA
}
formula! {
    /// [`rising_workers`] with its domains.
    RisingWorkers = rising_workers; Argument::one_or_more("speedup"), SIGMA, KAPPA;
    refuse above_the_ceiling
}
formula! {
    /// [`falling_workers`] with its domains.
    FallingWorkers = falling_workers; Argument::positive("speedup"), SIGMA, KAPPA;
    refuse no_falling_side
}
formula! {
    /// [`workers_for_efficiency`] with its domains.
    WorkersForEfficiency = workers_for_efficiency; Argument::positive_share("efficiency"), SIGMA, KAPPA
}
