//! Times, speedups and efficiencies at any count, from the regions of the laws.
//!
//! Used where a law is insisted on, and for three counts; in all other cases the weighted curves answer.

use super::curves::Bounds3;
use super::fitted::Fitted;
use super::noise::t_two_sided;
use super::profile::{Local, Profile, Residuals};
use super::quantities::Allowed;

/// What is said about one count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook {
    pub time: Bounds3,
    pub speedup: Bounds3,
}

impl Outlook {
    /// Nothing can be said.
    pub(super) const NOTHING: Self = {
        let nothing = Bounds3 { low: f64::NAN, mid: f64::NAN, high: f64::NAN };
        Self { time: nothing, speedup: nothing }
    };

    /// Over the regions of `allowed`, with the values of `best`.
    pub(super) fn new(allowed: &Allowed<'_>, best: &Fitted, n: f64) -> Self {
        let (low, high) = time_range(allowed, n);
        let time = Bounds3 { low, mid: best.time(n), high };
        let (low, high) =
            allowed.union(|law, point| 1.0 / law.share(point, n)).unwrap_or((0.0, f64::INFINITY));
        Self { time, speedup: Bounds3 { low, mid: 1.0 / best.law.share(best.point, n), high } }
    }

    /// The same for a value that somebody will measure: one run's noise is added in quadrature.
    pub(super) fn measured(self, best: &Fitted, profile: &Profile, n: f64, level: f64) -> Self {
        let Some(noise) = best.noise else { return self };
        // On the scale of times or rates the noise is absolute: its share of the fitted value counts.
        let value = match profile.residuals {
            Residuals::Log => 1.0,
            Residuals::Time => best.time(n),
            Residuals::Throughput => 1.0 / best.time(n),
        };
        let half = t_two_sided(level, noise.df) * noise.variance.sqrt() / value;
        let wider = |b: Bounds3| {
            // A curve without bounds may end in a time of 0, about which nothing is relative.
            if !(b.mid > 0.0 && b.mid.is_finite()) {
                return Bounds3 { low: 0.0, mid: b.mid, high: f64::INFINITY };
            }
            let side = |end: f64| (end / b.mid).ln().hypot(half);
            Bounds3 { low: b.mid * (-side(b.low)).exp(), mid: b.mid, high: b.mid * side(b.high).exp() }
        };
        Self { time: wider(self.time), speedup: wider(self.speedup) }
    }
}

/// Smallest and largest time at `n` over parameters and level together.
fn time_range(allowed: &Allowed<'_>, n: f64) -> (f64, f64) {
    let mut union = (f64::INFINITY, 0.0_f64);
    for fit in allowed.laws {
        let Some(region) = &fit.region else { return (0.0, f64::INFINITY) };
        let surface = fit.surface(allowed.profile);
        let reach = |local: &Local<1>, sign: f64| {
            // A slower curve has a larger log T(1) or T(1), and a smaller rate.
            let sign = if allowed.profile.residuals == Residuals::Throughput { -sign } else { sign };
            let slack = (region.threshold - local.sse).max(0.0);
            allowed.profile.time_one(local.level + sign * (slack / local.stiffness).sqrt()).max(0.0)
        };
        let slowest = region.largest_inside(&surface, |local, p| reach(local, 1.0) * fit.law.share(p, n));
        let fastest = region.largest_inside(&surface, |local, p| -reach(local, -1.0) * fit.law.share(p, n));
        union = (union.0.min(-fastest), union.1.max(slowest));
    }
    union
}
