//! Three numbers are called "the serial fraction": this is how they turn into one another.
//!
//! - Amdahl's f: the share of the time on *one* worker that does not divide.
//! - Gustafson's s: the share of the time on *n* workers that does not divide.
//! - The trace share x: of a worker's time at n, the share in which it computes nothing (exposed
//!   communication, waiting), averaged over the workers. Then E = 1 - x.
//!
//! All three describe the same run when they give the same speedup at n:
//! n/(1 + f(n-1)) = n - s(n-1) = n(1-x).

use super::Argument;
use super::formula::{formula, only_if};

/// 1 - p; exact for p >= 1/2.
#[inline]
pub fn serial_of_parallel(p: f64) -> f64 {
    1.0 - p
}

/// f = s / (s + (1-s) n).
#[inline]
pub fn amdahl_of_gustafson(n: f64, share: f64) -> f64 {
    share / (share + (1.0 - share) * n)
}

/// s = f n / (1 - f + f n).
#[inline]
pub fn gustafson_of_amdahl(n: f64, serial: f64) -> f64 {
    // f n / (f n) is 1 as it should be, while f n alone may overflow only beyond every domain.
    serial * n / (serial * n + (1.0 - serial))
}

/// x = 1 - E = f (n-1) / (1 - f + f n).
#[inline]
pub fn trace_of_amdahl(n: f64, serial: f64) -> f64 {
    serial * (n - 1.0) / (serial * n + (1.0 - serial))
}

/// x = s (n-1)/n.
#[inline]
pub fn trace_of_gustafson(n: f64, share: f64) -> f64 {
    share * ((n - 1.0) / n)
}

/// s = x n/(n-1); NaN where it would exceed 1 (the run is slower than one worker).
#[inline]
pub fn gustafson_of_trace(n: f64, exposed: f64) -> f64 {
    only_if(leaves_one_worker(n, exposed), (exposed * (n / (n - 1.0))).min(1.0))
}

/// f = x / ((1-x)(n-1)); NaN where it would exceed 1 (the run is slower than one worker).
#[inline]
pub fn amdahl_of_trace(n: f64, exposed: f64) -> f64 {
    only_if(leaves_one_worker(n, exposed), (exposed / (1.0 - exposed) / (n - 1.0)).min(1.0))
}

/// x <= 1 - 1/n, to the rounding of x.
#[inline]
fn leaves_one_worker(n: f64, exposed: f64) -> bool {
    exposed <= (n - 1.0) / n * (1.0 + 2.0 * f64::EPSILON)
}

fn slower_than_one(_: &[f64]) -> (usize, &'static str) {
    (1, "a share of at most 1 - 1/n: beyond it n workers are slower than one")
}

formula! {
    /// [`amdahl_of_gustafson`] with its domains.
    AmdahlOfGustafson = amdahl_of_gustafson; Argument::WORKERS, Argument::share("gustafson")
}
formula! {
    /// [`gustafson_of_amdahl`] with its domains.
    GustafsonOfAmdahl = gustafson_of_amdahl; Argument::WORKERS, Argument::share("amdahl")
}
formula! {
    /// [`trace_of_amdahl`] with its domains.
    TraceOfAmdahl = trace_of_amdahl; Argument::WORKERS, Argument::share("amdahl")
}
formula! {
    /// [`trace_of_gustafson`] with its domains.
    TraceOfGustafson = trace_of_gustafson; Argument::WORKERS, Argument::share("gustafson")
}
formula! {
    /// [`gustafson_of_trace`] with its domains.
    GustafsonOfTrace = gustafson_of_trace; Argument::MANY, Argument::share_below_one("trace");
    refuse slower_than_one
}
formula! {
    /// [`amdahl_of_trace`] with its domains.
    AmdahlOfTrace = amdahl_of_trace; Argument::MANY, Argument::share_below_one("trace");
    refuse slower_than_one
}
formula! {
    /// Amdahl's fraction as it is.
    Amdahl = itself; Argument::WORKERS, Argument::share("amdahl")
}
formula! {
    /// Gustafson's fraction as it is.
    Gustafson = itself; Argument::WORKERS, Argument::share("gustafson")
}
formula! {
    /// The trace share as it is.
    Trace = itself; Argument::WORKERS, Argument::share_below_one("trace")
}

#[inline]
fn itself(_n: f64, share: f64) -> f64 {
    share
}
