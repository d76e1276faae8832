//! The Universal Scalability Law: contention `sigma`, coherency `kappa`, and X(1) = `rate`.
//!
//! C(n) = n / (1 + sigma (n-1) + kappa n (n-1)), X(n) = rate·C(n). N. J. Gunther, *Guerrilla
//! Capacity Planning*, 2007, and arXiv:0808.1431. Latency and concurrency follow from Little's
//! law, n = X·R: R(n) = n / X(n) = 1 / (rate·C(n)/n). kappa = 0 is Amdahl's law with serial = sigma.

use super::Argument;
use super::formula::formula;

/// n·T(n)/T(1) = 1 + sigma (n-1) + kappa n (n-1), as a sum of positive terms.
#[inline]
pub(super) fn stretch(n: f64, sigma: f64, kappa: f64) -> f64 {
    (1.0 - sigma) + n * (sigma + kappa * (n - 1.0))
}

/// Speedup (relative capacity) C(n).
#[inline]
pub fn speedup(n: f64, sigma: f64, kappa: f64) -> f64 {
    n / stretch(n, sigma, kappa)
}

/// Efficiency C(n)/n.
#[inline]
pub fn efficiency(n: f64, sigma: f64, kappa: f64) -> f64 {
    1.0 / stretch(n, sigma, kappa)
}

/// What one more worker adds: dC/dn = (1 - sigma - kappa n²) / (1 + sigma (n-1) + kappa n (n-1))².
#[inline]
pub fn slope(n: f64, sigma: f64, kappa: f64) -> f64 {
    // Squares of n and of its stretch would overflow from n = 1e154 on; those of the ratios do not.
    let efficiency = efficiency(n, sigma, kappa);
    let speedup = n * efficiency;
    (1.0 - sigma) * efficiency * efficiency - kappa * speedup * speedup
}

/// Throughput X(n) = rate·C(n) in the unit of `rate`.
#[inline]
pub fn throughput(n: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    rate * speedup(n, sigma, kappa)
}

/// Response time R(n) = n/X(n), in the time unit of `rate`.
#[inline]
pub fn response(n: f64, sigma: f64, kappa: f64, rate: f64) -> f64 {
    stretch(n, sigma, kappa) / rate
}

/// The n of the largest speedup, sqrt((1 - sigma)/kappa), but never below one worker; infinite
/// without coherency.
#[inline]
pub fn peak(sigma: f64, kappa: f64) -> f64 {
    if kappa == 0.0 { f64::INFINITY } else { ((1.0 - sigma) / kappa).sqrt().max(1.0) }
}

/// The largest speedup at any n >= 1: C at the peak, 1/sigma without coherency.
#[inline]
pub fn ceiling(sigma: f64, kappa: f64) -> f64 {
    // 1/C = (1-sigma)/n + kappa n + sigma - kappa is least where its first two terms are equal.
    if kappa >= 1.0 - sigma { 1.0 } else { 1.0 / (sigma + rest_at_peak(sigma, kappa)) }
}

/// 1/C at the peak without sigma: 2 sqrt(kappa (1-sigma)) - kappa, positive while the peak is above 1.
#[inline]
pub(super) fn rest_at_peak(sigma: f64, kappa: f64) -> f64 {
    2.0 * (kappa * (1.0 - sigma)).sqrt() - kappa
}

/// The n where coherency costs as much as contention: sigma/kappa (the terms are sigma and kappa·n).
#[inline]
pub fn crossover(sigma: f64, kappa: f64) -> f64 {
    if kappa == 0.0 { f64::INFINITY } else { sigma / kappa }
}

/// The ideal part of T(n)/T(1): 1/n.
#[inline]
pub fn ideal_part(n: f64) -> f64 {
    1.0 / n
}

/// The part of T(n)/T(1) lost to contention: sigma (n-1)/n.
#[inline]
pub fn contention_part(n: f64, sigma: f64) -> f64 {
    sigma * ((n - 1.0) / n)
}

/// The part of T(n)/T(1) lost to coherency: kappa (n-1).
#[inline]
pub fn coherency_part(n: f64, kappa: f64) -> f64 {
    kappa * (n - 1.0)
}

/// Contention, a share.
pub(super) const SIGMA: Argument = Argument::share("sigma");
/// Coherency, a rate per pair of workers.
pub(super) const KAPPA: Argument = Argument::nonnegative("kappa");
/// Throughput of one worker.
pub(super) const RATE: Argument = Argument::positive("rate");

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
    /// [`throughput`] with its domains.
    Throughput = throughput; Argument::WORKERS, SIGMA, KAPPA, RATE
}
formula! {
    /// [`response`] with its domains.
    Response = response; Argument::WORKERS, SIGMA, KAPPA, RATE
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
    /// [`crossover`] with its domains.
    Crossover = crossover; SIGMA, KAPPA
}
formula! {
    /// [`ideal_part`] with its domain.
    IdealPart = ideal_part; Argument::WORKERS
}
formula! {
    /// [`contention_part`] with its domains.
    ContentionPart = contention_part; Argument::WORKERS, SIGMA
}
formula! {
    /// [`coherency_part`] with its domains.
    CoherencyPart = coherency_part; Argument::WORKERS, KAPPA
}
