//! What sigma means in a queue: the synchronous bound of the machine-repairman model.
//!
//! n clients think for Z and then all ask one shared resource for D: X(n) = n/(n D + Z), which is
//! Amdahl's law with sigma = D/(D + Z). N. J. Gunther, arXiv:cs/0210017.

use super::Argument;
use super::formula::formula;

/// The contention that a service demand D and a think time Z amount to: D/(D + Z).
#[inline]
pub fn sigma(demand: f64, think: f64) -> f64 {
    demand / (demand + think)
}

/// Throughput when all n requests arrive together: n/(n D + Z).
#[inline]
pub fn throughput(n: f64, demand: f64, think: f64) -> f64 {
    n / (n * demand + think)
}

formula! {
    /// [`sigma`] with its domains.
    Sigma = sigma; Argument::positive("demand"), Argument::nonnegative("think")
}
formula! {
    /// [`throughput`] with its domains.
    Throughput = throughput; Argument::WORKERS, Argument::positive("demand"), Argument::nonnegative("think")
}
