//! Isoefficiency: how much work keeps the efficiency while the machine grows.
//!
//! E = W/(W + To), so W = K·To with K = E/(1-E), where To(n) = n T(n) - W is the total overhead in
//! the unit of the work. A. Grama, A. Gupta, V. Kumar, IEEE Parallel Distrib. Technol. 1(3), 1993.

use std::f64::consts::LN_2;

use super::Argument;
use super::formula::formula;
use super::log2::log2;
use super::solve::increasing_root;

/// Efficiency W/(W + To).
#[inline]
pub fn efficiency(work: f64, overhead: f64) -> f64 {
    // Halves: the sum of two finite numbers may have no double.
    let work = 0.5 * work;
    work / (work + 0.5 * overhead)
}

/// dE/dW = To/(W + To)².
#[inline]
pub fn slope(work: f64, overhead: f64) -> f64 {
    let inverse = 1.0 / (work + overhead);
    (overhead * inverse) * inverse
}

/// The work that keeps an efficiency under an overhead: W = E/(1-E)·To.
#[inline]
pub fn work(overhead: f64, efficiency: f64) -> f64 {
    efficiency / (1.0 - efficiency) * overhead
}

/// The overhead that a work can carry at an efficiency: To = W (1-E)/E.
#[inline]
pub fn overhead(work: f64, efficiency: f64) -> f64 {
    work * ((1.0 - efficiency) / efficiency)
}

/// The total overhead of a tree: To = step·n log2 n, with `step` the time of one level.
#[inline]
pub fn tree_overhead(n: f64, step: f64) -> f64 {
    step * n * log2(n)
}

/// The largest n at which a work still has an efficiency when To = step·n log2 n.
#[inline]
pub fn tree_workers(work: f64, efficiency: f64, step: f64) -> f64 {
    let room = overhead(work, efficiency) / step;
    if room == 0.0 {
        return 1.0;
    }
    // n log2 n is convex with slope 1/ln 2 at 1: the tangent meets `room` beyond the root.
    let high = 1.0 + room * LN_2;
    increasing_root(
        |n| (n * log2(n) - room, log2(n) + 1.0 / LN_2),
        1.0,
        high * (1.0 + 4.0 * f64::EPSILON),
        high,
    )
}

formula! {
    /// [`efficiency`] with its domains.
    Efficiency = efficiency; Argument::positive("work"), Argument::nonnegative("overhead")
}
formula! {
    /// [`slope`] with its domains.
    Slope = slope; Argument::positive("work"), Argument::nonnegative("overhead")
}
formula! {
    /// [`work`] with its domains.
    Work = work; Argument::nonnegative("overhead"), Argument::open_share("efficiency")
}
formula! {
    /// [`overhead`] with its domains.
    Overhead = overhead; Argument::positive("work"), Argument::positive_share("efficiency")
}
formula! {
    /// [`tree_overhead`] with its domains.
    TreeOverhead = tree_overhead; Argument::WORKERS, Argument::nonnegative("step")
}
formula! {
    /// [`tree_workers`] with its domains.
    TreeWorkers = tree_workers;
    Argument::positive("work"), Argument::positive_share("efficiency"), Argument::positive("step")
}
