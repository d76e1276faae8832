//! Karp and Flatt's experimentally determined serial fraction, and its trend.
//!
//! e(n) = (1/S - 1/n) / (1 - 1/n). A. H. Karp, H. P. Flatt, CACM 33(5), 1990. Serial work alone
//! keeps e flat; an overhead o(n) as a share of T(1) adds o(n)·n/(n-1), so that e rises with n.

use super::Argument;
use super::formula::formula;

/// e = (n - S) / (S (n - 1)); negative where S > n.
#[inline]
pub fn serial(n: f64, speedup: f64) -> f64 {
    (n - speedup) / (speedup * (n - 1.0))
}

/// de/dS = -n / (S² (n - 1)): how far an error of the speedup moves e.
#[inline]
pub fn slope(n: f64, speedup: f64) -> f64 {
    -(n / speedup) / (speedup * (n - 1.0))
}

/// The trend: e(n) = serial + overhead·n/(n-1), with `overhead` at n as a share of T(1).
#[inline]
pub fn trend(n: f64, serial: f64, overhead: f64) -> f64 {
    serial + overhead * (n / (n - 1.0))
}

/// The overhead at n that explains a speedup beside a serial fraction: 1/S - 1/n - serial (n-1)/n.
#[inline]
pub fn overhead(n: f64, speedup: f64, serial: f64) -> f64 {
    (self::serial(n, speedup) - serial) * ((n - 1.0) / n)
}

/// The speedup with a serial fraction and an overhead: 1 / (serial + (1-serial)/n + overhead).
#[inline]
pub fn speedup(n: f64, serial: f64, overhead: f64) -> f64 {
    n / ((1.0 - serial) + n * (serial + overhead))
}

formula! {
    /// [`serial`] with its domains.
    Serial = serial; Argument::MANY, Argument::positive("speedup")
}
formula! {
    /// [`slope`] with its domains.
    Slope = slope; Argument::MANY, Argument::positive("speedup")
}
formula! {
    /// [`trend`] with its domains.
    Trend = trend; Argument::MANY, Argument::SERIAL, Argument::finite("overhead")
}
formula! {
    /// [`overhead`] with its domains.
    Overhead = overhead; Argument::MANY, Argument::positive("speedup"), Argument::SERIAL
}
formula! {
    /// [`speedup`] with its domains.
    Speedup = speedup; Argument::WORKERS, Argument::SERIAL, Argument::nonnegative("overhead")
}
