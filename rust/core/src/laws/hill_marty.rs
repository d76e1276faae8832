//! Hill and Marty's multicore: a chip of n base-core equivalents, r of them fused into a big core.
//!
//! A core of r base cores runs sqrt(r) times as fast (Pollack's rule). Symmetric: n/r such cores.
//! Asymmetric: one, and n - r base cores beside it. Dynamic: r fuse for the serial part, all n
//! work apart in the parallel one. M. D. Hill, M. R. Marty, IEEE Computer 41(7), 2008.

use super::Argument;
use super::formula::{formula, only_if};

/// Symmetric speedup sqrt(r) / (s + (1-s) r/n).
#[inline]
pub fn symmetric(n: f64, r: f64, serial: f64) -> f64 {
    n * r.sqrt() / (serial * n + (1.0 - serial) * r)
}

/// Asymmetric speedup 1 / (s/sqrt(r) + (1-s)/(sqrt(r) + n - r)).
#[inline]
pub fn asymmetric(n: f64, r: f64, serial: f64) -> f64 {
    let big = r.sqrt();
    let all = big + (n - r);
    big * all / (serial * all + (1.0 - serial) * big)
}

/// Dynamic speedup 1 / (s/sqrt(r) + (1-s)/n).
#[inline]
pub fn dynamic(n: f64, r: f64, serial: f64) -> f64 {
    let big = r.sqrt();
    n * big / (serial * n + (1.0 - serial) * big)
}

/// What one more base core adds to a chip whose parallel part runs at `speed` that grows by `gain`
/// a core: (1-s)·gain / (s·speed/sqrt(r) + 1-s)².
#[inline]
fn slope_at(speed: f64, gain: f64, r: f64, serial: f64) -> f64 {
    let stretch = serial * (speed / r.sqrt()) + (1.0 - serial);
    (1.0 - serial) * gain / stretch / stretch
}

/// d [`symmetric`]/dn.
#[inline]
pub fn symmetric_slope(n: f64, r: f64, serial: f64) -> f64 {
    slope_at(n / r.sqrt(), 1.0 / r.sqrt(), r, serial)
}

/// d [`asymmetric`]/dn.
#[inline]
pub fn asymmetric_slope(n: f64, r: f64, serial: f64) -> f64 {
    slope_at(r.sqrt() + (n - r), 1.0, r, serial)
}

/// d [`dynamic`]/dn.
#[inline]
pub fn dynamic_slope(n: f64, r: f64, serial: f64) -> f64 {
    slope_at(n, 1.0, r, serial)
}

/// The speed the parallel part must have for a speedup, (1-s) / (1/S - s/sqrt(r)), and the relative
/// error with which rounding leaves it; NaN at and above the ceiling.
#[inline]
fn parallel_speed(speedup: f64, r: f64, serial: f64) -> (f64, f64) {
    let room = 1.0 / speedup - serial / r.sqrt();
    (only_if(room > 0.0, (1.0 - serial) / room), 8.0 * f64::EPSILON / (speedup * room))
}

/// `n` where it holds the big core (to rounding), NaN where it does not.
#[inline]
fn at_least(n: f64, r: f64, error: f64) -> f64 {
    only_if(n >= r * (1.0 - error), n.max(r))
}

/// Base cores for a symmetric speedup; NaN at and above the ceiling, or where fewer than r would do.
#[inline]
pub fn symmetric_cores(speedup: f64, r: f64, serial: f64) -> f64 {
    let (speed, error) = parallel_speed(speedup, r, serial);
    at_least(speed * r.sqrt(), r, error)
}

/// Base cores for an asymmetric speedup.
#[inline]
pub fn asymmetric_cores(speedup: f64, r: f64, serial: f64) -> f64 {
    let (speed, error) = parallel_speed(speedup, r, serial);
    at_least((speed - r.sqrt()) + r, r, error)
}

/// Base cores for a dynamic speedup.
#[inline]
pub fn dynamic_cores(speedup: f64, r: f64, serial: f64) -> f64 {
    let (speed, error) = parallel_speed(speedup, r, serial);
    at_least(speed, r, error)
}

/// The r of the largest symmetric speedup: s n/(1-s), kept between 1 and n.
#[inline]
pub fn symmetric_best(n: f64, serial: f64) -> f64 {
    // n first: it is at least 1, so the bounds are in order.
    (serial * n / (1.0 - serial)).min(n).max(1.0)
}

/// The r of the largest asymmetric speedup, between 1 and n.
#[inline]
pub fn asymmetric_best(n: f64, serial: f64) -> f64 {
    // dS/dr = 0 in x = sqrt(r): x² - x - n + x sqrt(c (2x - 1)) = 0 with c = (1-s)/s, convex and
    // rising for x >= 1: Newton from the right end comes down to the root without overshooting.
    let c = (1.0 - serial) / serial;
    if serial == 0.0 || c.sqrt() >= n {
        return 1.0;
    }
    let mut x = n.sqrt();
    if c * (2.0 * x - 1.0) <= 1.0 {
        return n;
    }
    for _ in 0..100 {
        let root = (c * (2.0 * x - 1.0)).sqrt();
        let value = (x * x - n) + x * (root - 1.0);
        let next = x - value / (2.0 * x - 1.0 + root + c * x / root);
        if next >= x {
            break;
        }
        x = next;
    }
    (x * x).min(n).max(1.0)
}

/// The r of the largest dynamic speedup: all of them.
#[inline]
pub fn dynamic_best(n: f64, _serial: f64) -> f64 {
    n
}

/// The largest speedup at any n with a big core of r: sqrt(r)/s, for all three designs.
#[inline]
pub fn ceiling(r: f64, serial: f64) -> f64 {
    r.sqrt() / serial
}

macro_rules! whole_chip {
    ($($name:ident of $function:ident),+) => { $(
        #[inline]
        fn $name(n: f64, r: f64, serial: f64) -> f64 {
            only_if(r <= n, $function(n, r, serial))
        }
    )+ };
}
whole_chip!(
    checked_symmetric of symmetric,
    checked_asymmetric of asymmetric,
    checked_dynamic of dynamic,
    checked_symmetric_slope of symmetric_slope,
    checked_asymmetric_slope of asymmetric_slope,
    checked_dynamic_slope of dynamic_slope
);

fn big_core_exceeds_chip(_: &[f64]) -> (usize, &'static str) {
    (1, "a big core of at most n base cores")
}

fn unreachable(_: &[f64]) -> (usize, &'static str) {
    (0, "a speedup below the ceiling sqrt(r)/serial, and no less than a chip of n = r gives")
}

const R: Argument = Argument::one_or_more("r");
const SPEEDUP: Argument = Argument::positive("speedup");

formula! {
    /// [`symmetric`] with its domains.
    Symmetric = checked_symmetric; Argument::WORKERS, R, Argument::SERIAL; refuse big_core_exceeds_chip
}
formula! {
    /// [`asymmetric`] with its domains.
    Asymmetric = checked_asymmetric; Argument::WORKERS, R, Argument::SERIAL; refuse big_core_exceeds_chip
}
formula! {
    /// [`dynamic`] with its domains.
    Dynamic = checked_dynamic; Argument::WORKERS, R, Argument::SERIAL; refuse big_core_exceeds_chip
}
formula! {
    /// [`symmetric_slope`] with its domains.
    SymmetricSlope = checked_symmetric_slope; Argument::WORKERS, R, Argument::SERIAL;
    refuse big_core_exceeds_chip
}
formula! {
    /// [`asymmetric_slope`] with its domains.
    AsymmetricSlope = checked_asymmetric_slope; Argument::WORKERS, R, Argument::SERIAL;
    refuse big_core_exceeds_chip
}
formula! {
    /// [`dynamic_slope`] with its domains.
    DynamicSlope = checked_dynamic_slope; Argument::WORKERS, R, Argument::SERIAL;
    refuse big_core_exceeds_chip
}
formula! {
    /// [`symmetric_cores`] with its domains.
    SymmetricCores = symmetric_cores; SPEEDUP, R, Argument::SERIAL; refuse unreachable
}
formula! {
    /// [`asymmetric_cores`] with its domains.
    AsymmetricCores = asymmetric_cores; SPEEDUP, R, Argument::SERIAL; refuse unreachable
}
formula! {
    /// [`dynamic_cores`] with its domains.
    DynamicCores = dynamic_cores; SPEEDUP, R, Argument::SERIAL; refuse unreachable
}
formula! {
    /// [`symmetric_best`] with its domains.
    SymmetricBest = symmetric_best; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`asymmetric_best`] with its domains.
    AsymmetricBest = asymmetric_best; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`dynamic_best`] with its domains.
    DynamicBest = dynamic_best; Argument::WORKERS, Argument::SERIAL
}
formula! {
    /// [`ceiling`] with its domains.
    Ceiling = ceiling; R, Argument::SERIAL
}
