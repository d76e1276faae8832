//! The sum of squares of one law over its two shape parameters, and cuts through it.
//!
//! Along `a` (sigma, or q) with `b` held, every curve is a line in its parameter, so the cut is a
//! smooth valley with one bottom. `b` is kappa, or 1 / `limit_n` for saturation: in that coordinate
//! the plateau is linear too.

use super::family::{Bounds, Law, Point};
use super::profile::{Jet, Local, Profile};
use super::scalar::{Value, crossing, descend};

/// Columns of the curves at the measured counts, computed once.
#[derive(Debug, Clone)]
pub(super) struct Basis {
    /// What divides: 1 / n.
    divides: Vec<f64>,
    /// What stays: 1 - 1 / n.
    stays: Vec<f64>,
    /// What grows: the coherency of the law; for the power law, ln n.
    grows: Vec<f64>,
}

impl Basis {
    pub(super) fn new(law: Law, n: &[f64]) -> Self {
        let grows = match law {
            Law::Power => n.iter().map(|n| n.ln()).collect(),
            _ => n.iter().map(|n| law.coherency(*n)).collect(),
        };
        Self {
            divides: n.iter().map(|n| 1.0 / n).collect(),
            stays: n.iter().map(|n| 1.0 - 1.0 / n).collect(),
            grows,
        }
    }
}

/// The sum of squares of one law on one table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface<'t> {
    pub profile: &'t Profile,
    pub basis: &'t Basis,
    pub law: Law,
    pub bounds: Bounds,
    /// Saturation: counts with `1 / n` up to this lie on the plateau.
    pub plateau: f64,
}

/// The bottom of the cut at one `b`, and the two places where the cut reaches a threshold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    pub b: f64,
    pub low: f64,
    pub mid: f64,
    pub high: f64,
}

/// One end of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Low,
    High,
}

impl Slice {
    pub(super) fn end(&self, side: Side) -> f64 {
        if side == Side::Low { self.low } else { self.high }
    }
}

impl<'t> Surface<'t> {
    pub(super) fn new(profile: &'t Profile, basis: &'t Basis, law: Law, bounds: Bounds) -> Self {
        Self { profile, basis, law, bounds, plateau: 0.0 }
    }

    /// Public parameters of the coordinates (a, b).
    pub(super) fn point(&self, a: f64, b: f64) -> Point {
        if self.law != Law::Saturation {
            return Point { a, b };
        }
        // 1 / (1 / n) may miss n by a rounding: a limit at a whole count is that count.
        let limit = 1.0 / b;
        let whole = limit.round();
        Point { a, b: if (limit - whole).abs() <= 1e-13 * limit { whole } else { limit } }
    }

    /// Share of the one-worker time at count `j`, with its derivatives.
    pub(super) fn at(&self, j: usize, a: f64, b: f64) -> (f64, [f64; 2]) {
        let Basis { divides, stays, grows } = self.basis;
        match self.law {
            Law::Power => {
                let h = (-a * grows[j]).exp();
                (h, [-grows[j] * h, 0.0])
            }
            Law::Saturation => {
                let reached = divides[j].max(b);
                let flat = if divides[j] <= self.plateau { 1.0 - a } else { 0.0 };
                (a + (1.0 - a) * reached, [1.0 - reached, flat])
            }
            _ => (divides[j] + a * stays[j] + b * grows[j], [stays[j], grows[j]]),
        }
    }

    /// Along `a` alone.
    pub(super) fn along_a(&self, a: f64, b: f64) -> Local<1> {
        let Basis { divides, stays, grows } = self.basis;
        match self.law {
            Law::Power => self.profile.local(|j| {
                let h = (-a * grows[j]).exp();
                Jet { h, d: [-grows[j] * h], dd: grows[j] * grows[j] * h }
            }),
            Law::Saturation => self.profile.local(|j| {
                let reached = divides[j].max(b);
                Jet { h: a + (1.0 - a) * reached, d: [1.0 - reached], dd: 0.0 }
            }),
            _ => self.profile.local(|j| Jet {
                h: divides[j] + a * stays[j] + b * grows[j],
                d: [stays[j]],
                dd: 0.0,
            }),
        }
    }

    /// Along `b` alone, for the laws that are linear in it.
    pub(super) fn along_b(&self, a: f64, b: f64) -> Local<1> {
        let Basis { divides, stays, grows } = self.basis;
        self.profile.local(|j| Jet { h: divides[j] + a * stays[j] + b * grows[j], d: [grows[j]], dd: 0.0 })
    }

    /// In both parameters.
    pub(super) fn plane(&self, a: f64, b: f64) -> Local<2> {
        self.profile.local(|j| {
            let (h, d) = self.at(j, a, b);
            Jet { h, d, dd: 0.0 }
        })
    }

    /// The bottom of the cut at `b`: position and value, to within `gain` of the sum of squares.
    pub(super) fn valley(&self, b: f64, start: f64, gain: f64) -> (f64, Value) {
        descend(self.bounds.a, self.positive(start, b), gain, |a| value(&self.along_a(a, b)))
    }

    /// `start`, or a nearby `a` where the curve is positive: only unbounded fits can ask for less.
    fn positive(&self, start: f64, b: f64) -> f64 {
        if self.bounds.a.0 >= 0.0 || self.law == Law::Power {
            return start;
        }
        let Basis { divides, stays, grows } = self.basis;
        let least = |j: usize| {
            if stays[j] > 0.0 { -(divides[j] + b * grows[j]) / stays[j] } else { f64::NEG_INFINITY }
        };
        let least = (0..divides.len()).map(least).fold(f64::NEG_INFINITY, f64::max);
        if start > least { start } else { least + 0.01 * least.abs() + 1e-6 }
    }

    /// Bottom of the cut at `b`, with the slope of that bottom along `b`.
    ///
    /// At the bottom the sum of squares does not change with `a` (or `a` sits at its bound), so the
    /// slope of the bottom is the partial slope.
    pub(super) fn floor(&self, b: f64, start: f64, gain: f64) -> (f64, Local<2>) {
        let (a, _) = self.valley(b, start, gain);
        (a, self.plane(a, b))
    }

    /// The part of the cut at `b` below `threshold`; `None` where the cut stays above it.
    pub(super) fn slice(&self, b: f64, start: f64, gain: f64, threshold: f64) -> Option<Slice> {
        let (mid, bottom) = self.valley(b, start, gain);
        let end = |side| self.climb(b, mid, bottom, threshold, side);
        (bottom.f <= threshold).then(|| Slice { b, low: end(Side::Low), mid, high: end(Side::High) })
    }

    /// One end of the part of the cut at `b` below `threshold`.
    pub(super) fn side(&self, b: f64, start: f64, gain: f64, threshold: f64, side: Side) -> Option<f64> {
        let (mid, bottom) = self.valley(b, start, gain);
        (bottom.f <= threshold).then(|| self.climb(b, mid, bottom, threshold, side))
    }

    /// From the bottom of the cut at `b` up to `threshold`, or to the bound.
    fn climb(&self, b: f64, mid: f64, bottom: Value, threshold: f64, side: Side) -> f64 {
        let reach = reach(threshold - bottom.f, bottom.curvature, mid);
        let (step, bound) =
            if side == Side::Low { (-reach, self.bounds.a.0) } else { (reach, self.bounds.a.1) };
        crossing(mid, bottom.f, step, bound, threshold, |a| {
            let local = self.along_a(a, b);
            (local.sse, local.slope[0])
        })
    }
}

/// The one-variable value of a local expansion.
pub(super) fn value(local: &Local<1>) -> Value {
    Value { f: local.sse, slope: local.slope[0], curvature: local.curvature[0][0] }
}

/// First guess of the distance over which a parabola rises by `rise`; positive.
pub(super) fn reach(rise: f64, curvature: f64, at: f64) -> f64 {
    let guess = (2.0 * rise.max(0.0) / curvature).sqrt();
    if guess.is_finite() && guess > 0.0 { guess } else { 0.1 * at.abs() + 1e-6 }
}

#[cfg(test)]
mod tests {
    use super::{Basis, Surface};
    use crate::fitting::family::Law;
    use crate::fitting::profile::{Profile, Residuals};
    use crate::fitting::table::Table;

    const LAWS: [(Law, f64, f64); 5] = [
        (Law::Usl, 0.05, 0.003),
        (Law::UslLog, 0.02, 0.01),
        (Law::UslLogSchwartz, 0.02, 0.01),
        (Law::Saturation, 0.04, 0.15),
        (Law::Power, 0.8, 0.0),
    ];

    fn table() -> Table {
        let n = [1.0, 2.0, 2.0, 4.0, 8.0, 16.0, 16.0];
        Table::new(&n, &[1.02, 0.55, 0.53, 0.31, 0.2, 0.14, 0.15], None)
    }

    /// Sum of squares by its definition, the scale found by a fine search rather than a formula.
    fn by_definition(table: &Table, residuals: Residuals, h: impl Fn(f64) -> f64) -> f64 {
        let means = Profile::new(table, &table.means(), residuals);
        let at = |scale: f64| -> f64 {
            let miss = |j: usize| match residuals {
                Residuals::Log => means.z[j] - (scale.ln() + h(means.n[j]).ln()),
                Residuals::Time => means.z[j] - scale * h(means.n[j]),
                Residuals::Throughput => means.z[j] - scale / h(means.n[j]),
            };
            (0..means.n.len()).map(|j| means.weight[j] * miss(j).powi(2)).sum()
        };
        let (mut low, mut high) = (0.5, 2.0);
        for _ in 0..200 {
            let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(p) < at(q) {
                high = q;
            } else {
                low = p;
            }
        }
        at(0.5 * (low + high))
    }

    #[test]
    fn the_scale_is_the_best_one_and_the_derivatives_are_right() {
        let table = table();
        for residuals in [Residuals::Log, Residuals::Time, Residuals::Throughput] {
            let profile = Profile::new(&table, &table.means(), residuals);
            for (law, a, b) in LAWS {
                let basis = Basis::new(law, &profile.n);
                let bounds = law.bounds(&profile.n, true);
                let surface = Surface { plateau: 0.125, ..Surface::new(&profile, &basis, law, bounds) };
                let value = |a: f64, b: f64| surface.along_a(a, b).sse;
                let point = surface.point(a, b);
                let defined = by_definition(&table, residuals, |n| law.share(point, n));
                assert!((value(a, b) - defined).abs() < 1e-9, "{law:?} {residuals:?}");

                let (along, plane) = (surface.along_a(a, b), surface.plane(a, b));
                let step = 1e-5;
                let slope = (value(a + step, b) - value(a - step, b)) / (2.0 * step);
                let bend = (value(a + step, b) - 2.0 * value(a, b) + value(a - step, b)) / (step * step);
                let close = |x: f64, y: f64| (x - y).abs() < 2e-4 * (1.0 + y.abs());
                assert!(close(along.slope[0], slope), "{law:?} {residuals:?}");
                assert!(close(along.curvature[0][0], bend), "{law:?} {residuals:?}");
                assert!(close(plane.slope[0], slope), "{law:?} {residuals:?}");
                if law == Law::Power {
                    continue;
                }
                let other = (value(a, b + step) - value(a, b - step)) / (2.0 * step);
                assert!(close(plane.slope[1], other), "{law:?} {residuals:?}");
                if law != Law::Saturation {
                    let mixed = (value(a + step, b + step) + value(a - step, b - step)
                        - value(a + step, b - step)
                        - value(a - step, b + step))
                        / (4.0 * step * step);
                    assert!(close(plane.curvature[0][1], mixed), "{law:?} {residuals:?}");
                }
            }
        }
    }
}
