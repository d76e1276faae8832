//! Amdahl's law: the work is fixed, a fraction `serial` of the one-worker time does not divide.
//!
//! S(n) = n / (serial·n + 1 - serial). G. M. Amdahl, AFIPS 1967. In this form one
//! division serves a point and both limits are exact: n at serial = 0, and 1 at serial = 1 or n = 1.

use super::Argument;
use super::formula::{formula, only_if};

/// Speedup S(n) = n / (serial·n + 1 - serial).
#[inline]
pub fn speedup(n: f64, serial: f64) -> f64 {
    n / (serial * n + (1.0 - serial))
}

/// Efficiency S(n)/n = 1 / (serial·n + 1 - serial).
#[inline]
pub fn efficiency(n: f64, serial: f64) -> f64 {
    1.0 / (serial * n + (1.0 - serial))
}

/// What one more worker adds: dS/dn = (1 - serial) / (serial·n + 1 - serial)².
#[inline]
pub fn slope(n: f64, serial: f64) -> f64 {
    // The square of the reciprocal: that of the sum would overflow from n = 1e154 on.
    let efficiency = efficiency(n, serial);
    (1.0 - serial) * efficiency * efficiency
}

/// What the serial fraction costs: dS/dserial = -n (n - 1) / (serial·n + 1 - serial)².
#[inline]
pub fn sensitivity(n: f64, serial: f64) -> f64 {
    let efficiency = efficiency(n, serial);
    -(n * efficiency) * ((n - 1.0) * efficiency)
}

/// Workers for a speedup: n = (1 - serial) S / (1 - serial·S); NaN at and above the ceiling 1/serial.
#[inline]
pub fn workers_for_speedup(speedup: f64, serial: f64) -> f64 {
    let room = 1.0 - serial * speedup;
    let n = (1.0 - serial) * speedup / room;
    let n = only_if((room > 0.0) & (n > 0.0) & (n <= f64::MAX), n);
    if speedup == 1.0 { 1.0 } else { n }
}

/// The largest n that keeps an efficiency: n = 1 + (1/E - 1)/serial; infinite without a serial part.
#[inline]
pub fn workers_for_efficiency(efficiency: f64, serial: f64) -> f64 {
    // 1 - E is exact for E >= 1/2, 1/E - 1 is not.
    let n = 1.0 + (1.0 - efficiency) / (efficiency * serial);
    let n = only_if(n > 0.0, n);
    if (serial == 0.0) & (efficiency <= 1.0) { f64::INFINITY } else { n }
}

/// The largest speedup at any n: 1/serial, infinite without a serial part.
#[inline]
pub fn ceiling(serial: f64) -> f64 {
    1.0 / serial
}

/// The n of greatest S·E (Kleinrock's power): (1 - serial)/serial, but never below one worker.
#[inline]
pub fn kleinrock(serial: f64) -> f64 {
    ((1.0 - serial) / serial).max(1.0)
}

fn above_the_ceiling(_: &[f64]) -> (usize, &'static str) {
    (0, "a speedup above 0 and below the ceiling 1/serial")
}

fn too_efficient(_: &[f64]) -> (usize, &'static str) {
    (0, "an efficiency below 1/(1 - serial), the limit at a vanishing load")
}

formula! {
    /// [`speedup`] with its domains.
    Speedup = speedup; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`efficiency`] with its domains.
    Efficiency = efficiency; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`slope`] with its domains.
    Slope = slope; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`sensitivity`] with its domains.
    Sensitivity = sensitivity; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`workers_for_speedup`] with its domains.
    WorkersForSpeedup = workers_for_speedup; Argument::positive("speedup"), Argument::SERIAL;
    refuse above_the_ceiling
}
formula! {
    /// [`workers_for_efficiency`] with its domains.
    WorkersForEfficiency = workers_for_efficiency; Argument::positive("efficiency"), Argument::SERIAL;
    refuse too_efficient
}
formula! {
    /// [`ceiling`] with its domain.
    Ceiling = ceiling; Argument::SERIAL
}
formula! {
    /// [`kleinrock`] with its domain.
    Kleinrock = kleinrock; Argument::SERIAL
}
