//! What people ask of a fit, over all laws that the data allow: ceiling, peak, knee, serial fraction.

use super::family::{Law, Point};
use super::fitted::Fitted;
use super::profile::Profile;

/// Beyond this many times the largest count nothing is claimed.
const HORIZON: f64 = 4.0;

/// The laws whose regions make the answer, on one table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowed<'f> {
    pub profile: &'f Profile,
    pub laws: &'f [&'f Fitted],
    /// Best speedup measured, against the fitted T(1).
    pub best_measured: f64,
}

impl Allowed<'_> {
    fn largest_count(&self) -> f64 {
        self.profile.n[self.profile.n.len() - 1]
    }

    /// The last count about which a lower bound is stated.
    pub(super) fn horizon(&self) -> f64 {
        HORIZON * self.largest_count()
    }

    /// Smallest and largest value over the regions of all laws; `None` where one has no region.
    pub(super) fn union(&self, quantity: impl Fn(Law, Point) -> f64) -> Option<(f64, f64)> {
        let mut union = (f64::INFINITY, f64::NEG_INFINITY);
        for fit in self.laws {
            let (low, high) = fit.range(self.profile, |point| quantity(fit.law, point))?;
            union = (union.0.min(low), union.1.max(high));
        }
        (!self.laws.is_empty()).then_some(union)
    }

    /// Largest speedup at any number of workers.
    ///
    /// Without an upper end the lower one stops at the horizon: at its count, and where no curve has a
    /// ceiling, at what all curves reach there. It is never less than the best speedup measured.
    pub(super) fn ceiling(&self) -> (f64, f64) {
        let Some((low, high)) = self.union(Law::ceiling) else { return (self.best_measured, f64::INFINITY) };
        if high.is_finite() {
            return (low, high);
        }
        let horizon = self.horizon();
        let low = if low.is_finite() {
            low.min(horizon)
        } else {
            self.union(|law, point| 1.0 / law.share(point, horizon)).map_or(1.0, |reached| reached.0)
        };
        (low.max(self.best_measured), high)
    }

    /// Workers that run fastest; a lower end beyond the horizon is not stated.
    pub(super) fn peak(&self) -> (f64, f64) {
        let (low, high) = self.union(Law::peak).unwrap_or((1.0, f64::INFINITY));
        (low.min(self.horizon()), high)
    }

    /// Workers at which the efficiency has fallen to `efficiency`; a lower end beyond the horizon is not
    /// stated.
    pub(super) fn knee(&self, efficiency: f64) -> (f64, f64) {
        let knee = |law: Law, point| law.knee(point, efficiency);
        let (low, high) = self.union(knee).unwrap_or((1.0, f64::INFINITY));
        (low.min(self.horizon()), high)
    }

    /// Serial fraction over the laws that have one; `None` where only the power law is left. The power
    /// law is slow decay of unknown form: where it stands, the serial fraction may be 0.
    pub(super) fn serial_fraction(&self) -> Option<(f64, f64)> {
        if self.laws.iter().all(|fit| !fit.law.has_sigma()) {
            return None;
        }
        let with: Vec<&Fitted> = self.laws.iter().copied().filter(|fit| fit.law.has_sigma()).collect();
        let (low, high) = Allowed { laws: &with, ..*self }.union(|_, point| point.a).unwrap_or((0.0, 1.0));
        Some((if with.len() < self.laws.len() { 0.0 } else { low }, high))
    }

    /// T(to) / T(from) of the curves.
    pub(super) fn time_ratio(&self, from: f64, to: f64) -> (f64, f64) {
        let anything = if to >= from { (from / to, f64::INFINITY) } else { (0.0, from / to) };
        self.union(|law, point| law.share(point, to) / law.share(point, from)).unwrap_or(anything)
    }
}
