//! The Universal Scalability Law backwards: n from a speedup, an efficiency, a throughput or a
//! response time.
//!
//! Several published tools invert the kappa = 0 case, or slip a sign in X(R); here the full
//! quadratics are solved, each by the form of the root that does not subtract.

use super::Argument;
use super::formula::{formula, only_if};
use super::usl::{KAPPA, RATE, SIGMA, rest_at_peak};

/// The square root of the discriminant of kappa n² - b n + (1-sigma), with b = 1/C - sigma + kappa;
/// NaN above the peak. A speedup that rounding put a few units above the peak counts as the peak.
#[inline]
fn root(b: f64, excess: f64, reciprocal: f64, sigma: f64, kappa: f64) -> f64 {
    // b² - 4 kappa (1-sigma) as a product: the difference is formed once, where it is smallest.
    let square = excess.max(0.0) * (b + 2.0 * (kappa * (1.0 - sigma)).sqrt());
    only_if(excess >= -4.0 * f64::EPSILON * reciprocal, square.sqrt())
}

/// b and the square root of the discriminant for one speedup.
#[inline]
fn quadratic(speedup: f64, sigma: f64, kappa: f64) -> (f64, f64) {
    let reciprocal = 1.0 / speedup;
    let b = (reciprocal - sigma) + kappa;
    let excess = (reciprocal - sigma) - rest_at_peak(sigma, kappa);
    (b, root(b, excess, reciprocal, sigma, kappa))
}

/// Workers for a speedup before the peak; NaN above the ceiling.
#[inline]
pub fn rising_workers(speedup: f64, sigma: f64, kappa: f64) -> f64 {
    let (b, root) = quadratic(speedup, sigma, kappa);
    let n = 2.0 * (1.0 - sigma) / (b + root);
    let n = only_if((n > 0.0) & (n <= f64::MAX), n);
    if (speedup == 1.0) & (kappa <= 1.0 - sigma) { 1.0 } else { n }
}

/// Workers for a speedup beyond the peak; NaN above the ceiling and without coherency.
#[inline]
pub fn falling_workers(speedup: f64, sigma: f64, kappa: f64) -> f64 {
    let (b, root) = quadratic(speedup, sigma, kappa);
    let n = (b + root) / (2.0 * kappa);
    let n = only_if((n > 0.0) & (n <= f64::MAX), n);
    if (speedup == 1.0) & (kappa > 1.0 - sigma) { 1.0 } else { n }
}

/// The largest n that keeps an efficiency; infinite where nothing is lost, NaN where no n > 0 has it.
#[inline]
pub fn workers_for_efficiency(efficiency: f64, sigma: f64, kappa: f64) -> f64 {
    workers_for_loss((1.0 - efficiency) / efficiency, sigma, kappa)
}

/// The largest n at which 1/E - 1 = sigma (n-1) + kappa n (n-1) is at most `loss`.
#[inline]
fn workers_for_loss(loss: f64, sigma: f64, kappa: f64) -> f64 {
    // With d = n - 1: kappa d² + (sigma + kappa) d - loss = 0, and the larger root.
    let linear = sigma + kappa;
    let square = linear * linear + 4.0 * kappa * loss;
    let n = 1.0 + 2.0 * loss / (linear + square.sqrt());
    let n = only_if(n > 0.0, n);
    if (linear == 0.0) & (loss >= 0.0) {
        f64::INFINITY
    } else if loss == 0.0 {
        1.0
    } else {
        n
    }
}

/// n from a throughput before the peak.
#[inline]
pub fn rising_load(throughput: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    rising_workers(throughput / rate, sigma, kappa)
}

/// n from a throughput beyond the peak.
#[inline]
pub fn falling_load(throughput: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    falling_workers(throughput / rate, sigma, kappa)
}

/// n from a response time: R·rate = 1/E.
#[inline]
pub fn load_at_response(response: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    workers_for_loss(response * rate - 1.0, sigma, kappa)
}

/// Throughput X = n/R at a response time.
#[inline]
pub fn throughput_at_response(response: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    load_at_response(response, sigma, kappa, rate) / response
}

/// Response time R = n/X at a throughput reached before the peak.
#[inline]
pub fn rising_response(throughput: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    rising_load(throughput, sigma, kappa, rate) / throughput
}

/// Response time R = n/X at a throughput reached beyond the peak.
#[inline]
pub fn falling_response(throughput: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    falling_load(throughput, sigma, kappa, rate) / throughput
}

fn above_the_ceiling(_: &[f64]) -> (usize, &'static str) {
    (0, "a value above 0 and below the ceiling (sigma, kappa and rate say where it is)")
}

fn no_falling_side(arguments: &[f64]) -> (usize, &'static str) {
    if arguments[2] == 0.0 {
        (2, "a number above 0 on the falling branch: without coherency the curve never falls")
    } else {
        above_the_ceiling(arguments)
    }
}

fn too_efficient(_: &[f64]) -> (usize, &'static str) {
    (0, "an efficiency that some n above 0 has: at most 1 where n is at least 1")
}

fn too_fast(_: &[f64]) -> (usize, &'static str) {
    (0, "a response time that some n above 0 has: at least 1/rate where n is at least 1")
}

formula! {
    /// [`rising_workers`] with its domains.
    RisingWorkers = rising_workers; Argument::positive("speedup"), SIGMA, KAPPA;
    refuse above_the_ceiling
}
formula! {
    /// [`falling_workers`] with its domains.
    FallingWorkers = falling_workers; Argument::positive("speedup"), SIGMA, KAPPA;
    refuse no_falling_side
}
formula! {
    /// [`workers_for_efficiency`] with its domains.
    WorkersForEfficiency = workers_for_efficiency; Argument::positive("efficiency"), SIGMA, KAPPA;
    refuse too_efficient
}
formula! {
    /// [`rising_load`] with its domains.
    RisingLoad = rising_load; Argument::positive("throughput"), SIGMA, KAPPA, RATE;
    refuse above_the_ceiling
}
formula! {
    /// [`falling_load`] with its domains.
    FallingLoad = falling_load; Argument::positive("throughput"), SIGMA, KAPPA, RATE;
    refuse no_falling_side
}
formula! {
    /// [`load_at_response`] with its domains.
    LoadAtResponse = load_at_response; Argument::positive("response"), SIGMA, KAPPA, RATE;
    refuse too_fast
}
formula! {
    /// [`throughput_at_response`] with its domains.
    ThroughputAtResponse = throughput_at_response; Argument::positive("response"), SIGMA, KAPPA, RATE;
    refuse too_fast
}
formula! {
    /// [`rising_response`] with its domains.
    RisingResponse = rising_response; Argument::positive("throughput"), SIGMA, KAPPA, RATE;
    refuse above_the_ceiling
}
formula! {
    /// [`falling_response`] with its domains.
    FallingResponse = falling_response; Argument::positive("throughput"), SIGMA, KAPPA, RATE;
    refuse no_falling_side
}
