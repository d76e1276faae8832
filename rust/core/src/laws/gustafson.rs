//! Gustafson's law: the work grows with the machine, a fraction `serial` of the time *on n workers*
//! does not divide.
//!
//! S(n) = serial + (1 - serial)·n. J. L. Gustafson, CACM 31(5), 1988.

use super::Argument;
use super::formula::{formula, only_if};

/// Scaled speedup S(n) = serial + (1 - serial)·n.
#[inline]
pub fn speedup(n: f64, serial: f64) -> f64 {
    serial + (1.0 - serial) * n
}

/// Efficiency S(n)/n = serial/n + 1 - serial.
#[inline]
pub fn efficiency(n: f64, serial: f64) -> f64 {
    serial / n + (1.0 - serial)
}

/// What one more worker adds: dS/dn = 1 - serial at every n.
#[inline]
pub fn slope(_n: f64, serial: f64) -> f64 {
    1.0 - serial
}

/// Workers for a scaled speedup: n = (S - serial)/(1 - serial); NaN where no positive n gives it.
#[inline]
pub fn workers_for_speedup(speedup: f64, serial: f64) -> f64 {
    let n = (speedup - serial) / (1.0 - serial);
    let n = only_if((n > 0.0) & (n <= f64::MAX), n);
    if speedup == 1.0 { 1.0 } else { n }
}

/// The largest n that keeps an efficiency: n = serial/(E - 1 + serial); infinite where every n does.
#[inline]
pub fn workers_for_efficiency(efficiency: f64, serial: f64) -> f64 {
    // E - 1 is exact for E >= 1/2; below, only serial > 1/2 gets here, and there 1 - serial is exact.
    let room = if efficiency >= 0.5 { (efficiency - 1.0) + serial } else { efficiency - (1.0 - serial) };
    let n = only_if(serial > 0.0, serial / room);
    if room <= 0.0 { f64::INFINITY } else { n }
}

/// The largest speedup at any n: infinite, or 1 where nothing divides.
#[inline]
pub fn ceiling(serial: f64) -> f64 {
    if serial == 1.0 { 1.0 } else { f64::INFINITY }
}

fn unreachable_speedup(_: &[f64]) -> (usize, &'static str) {
    (0, "a speedup above serial, and 1 where serial is 1")
}

fn too_efficient(_: &[f64]) -> (usize, &'static str) {
    (0, "an efficiency of at most 1 where serial is 0")
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
    /// [`workers_for_speedup`] with its domains.
    WorkersForSpeedup = workers_for_speedup; Argument::positive("speedup"), Argument::SERIAL;
    refuse unreachable_speedup
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
