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
        Some((if with.len() < self.laws.len() { low.min(0.0) } else { low }, high))
    }

    /// T(to) / T(from) of the curves.
    pub(super) fn time_ratio(&self, from: f64, to: f64) -> (f64, f64) {
        let anything = if to >= from { (from / to, f64::INFINITY) } else { (0.0, from / to) };
        self.union(|law, point| law.share(point, to) / law.share(point, from)).unwrap_or(anything)
    }
}

#[cfg(test)]
mod tests {
    use super::Allowed;
    use crate::fitting::family::Law;
    use crate::fitting::fitted::Fitted;
    use crate::fitting::profile::{Profile, Residuals};
    use crate::fitting::table::Table;

    fn fits(time: impl Fn(f64) -> f64, laws: &[Law]) -> (Profile, Vec<Fitted>) {
        let n = [1.0, 2.0, 4.0, 8.0, 16.0];
        let table = Table::new(&n, &n.map(|n| time(n) * (0.01 * (3.0 * n).sin()).exp()), None);
        let profile = Profile::new(&table, &table.means(), Residuals::Log);
        let fit = |law: &Law| {
            let mut fit = Fitted::new(&profile, *law, true);
            fit.region = fit.region_at(&profile, 0.95);
            fit
        };
        let fits = laws.iter().map(fit).collect();
        (profile, fits)
    }

    #[test]
    fn a_lower_bound_stops_at_four_times_the_largest_count() {
        let (profile, fits) = fits(|n| 1.0 / n, &[Law::Amdahl]);
        let laws: Vec<&Fitted> = fits.iter().collect();
        let allowed = Allowed { profile: &profile, laws: &laws, best_measured: 15.9 };
        assert_eq!(allowed.ceiling(), (64.0, f64::INFINITY));
        assert_eq!(allowed.peak(), (64.0, f64::INFINITY));
        assert!(allowed.knee(0.5).0 <= 64.0);
    }

    #[test]
    fn a_lower_bound_is_never_less_than_the_best_speedup_measured() {
        let (profile, fits) = fits(|n| 1.0 / n, &[Law::Usl]);
        let laws: Vec<&Fitted> = fits.iter().collect();
        let allowed = Allowed { profile: &profile, laws: &laws, best_measured: 63.0 };
        assert_eq!(allowed.ceiling(), (63.0, f64::INFINITY));
    }

    #[test]
    fn the_power_law_lets_the_serial_fraction_be_0_and_alone_has_none() {
        let (profile, fits) = fits(|n| n.powf(-0.8), &[Law::Power, Law::Amdahl]);
        let both: Vec<&Fitted> = fits.iter().collect();
        let allowed = Allowed { profile: &profile, laws: &both, best_measured: 1.0 };
        let with = allowed.serial_fraction();
        assert!(with.is_some_and(|(low, high)| low == 0.0 && high > 0.0));
        assert_eq!(Allowed { laws: &both[..1], ..allowed }.serial_fraction(), None);
        let alone = Allowed { laws: &both[1..], ..allowed }.serial_fraction();
        assert!(alone.is_some_and(|(low, _)| low > 0.0));
    }

    #[test]
    fn a_union_reaches_as_far_as_its_widest_member() {
        let (profile, fits) = fits(|n| 0.05 + 0.95 / n, &[Law::Usl, Law::UslLog]);
        let both: Vec<&Fitted> = fits.iter().collect();
        let allowed = Allowed { profile: &profile, laws: &both, best_measured: 1.0 };
        let (low, high) = allowed.time_ratio(16.0, 32.0);
        for i in 0..2 {
            let (one, other) = Allowed { laws: &both[i..=i], ..allowed }.time_ratio(16.0, 32.0);
            assert!(low <= one && other <= high);
        }
    }
}
