//! One law fitted to one table: its minimum, its noise, and the region the data allow.

use super::family::{Bounds, Law, Point};
use super::minimum::{Basin, basins};
use super::noise::{Noise, f_one, noise};
use super::profile::Profile;
use super::region::Region;
use super::surface::{Basis, Surface};

/// A fitted law.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    pub law: Law,
    basis: Basis,
    bounded: bool,
    bounds: Bounds,
    basins: Vec<Basin>,
    /// Parameters at the minimum.
    pub point: Point,
    /// Smallest weighted sum of squares of the means.
    pub sse: f64,
    /// Counts minus parameters, at least 0.
    pub df_misfit: f64,
    /// `None` where nothing says how large the noise is.
    pub noise: Option<Noise>,
    /// Level of the fit: log T(1), T(1) or X(1).
    pub level: f64,
    pub time_one: f64,
    /// Whether the data allow this law.
    pub kept: bool,
    /// All parameters allowed at the level of the analysis.
    pub region: Option<Region>,
}

impl Fitted {
    /// Find the minimum of a law.
    pub(super) fn new(profile: &Profile, law: Law, bounded: bool) -> Self {
        // With fewer counts than parameters the bounds alone choose among the curves that fit exactly.
        let bounded = bounded || profile.n.len() < law.size();
        let basis = Basis::new(law, &profile.n);
        let bounds = law.bounds(&profile.n, bounded);
        let surface = Surface::new(profile, &basis, law, bounds);
        let basins = basins(&surface);
        let Basin { a, b, sse, .. } = basins[0];
        let point = surface.point(a, b);
        let level = surface.along_a(a, b).level;
        let df_misfit = (profile.n.len() as f64 - law.size() as f64).max(0.0);
        let noise = noise(sse, df_misfit, profile.ss_pure, profile.df_pure, profile.least_variance());
        // With fewer counts than parameters the minimum is not one point, and nothing has an interval.
        let noise = noise.filter(|_| profile.n.len() >= law.least_counts());
        let time_one = profile.time_one(level);
        Self {
            law,
            basis,
            bounded,
            bounds,
            basins,
            point,
            sse,
            df_misfit,
            noise,
            level,
            time_one,
            kept: false,
            region: None,
        }
    }

    /// The same law on another table.
    pub(super) fn on(&self, profile: &Profile) -> Self {
        Self::new(profile, self.law, self.bounded)
    }

    /// The surface this law was fitted on.
    pub(super) fn surface<'t>(&'t self, profile: &'t Profile) -> Surface<'t> {
        let surface = Surface::new(profile, &self.basis, self.law, self.bounds);
        Surface { plateau: self.basins[0].plateau, ..surface }
    }

    /// The minimum in the coordinates of [`Surface`].
    pub(super) fn coordinates(&self) -> (f64, f64) {
        (self.basins[0].a, self.basins[0].b)
    }

    /// Whether a parameter sits at its bound: (a at its bound, b at its bound).
    pub(super) fn at_bound(&self) -> (bool, bool) {
        let (a, b) = self.coordinates();
        let two = self.law.parameters().len() == 2;
        (a == self.bounds.a.0 || a == self.bounds.a.1, two && (b == self.bounds.b.0 || b == self.bounds.b.1))
    }

    /// Largest sum of squares that is allowed at a level.
    pub(super) fn threshold(&self, level: f64) -> Option<f64> {
        self.noise.map(|noise| self.sse + noise.variance * f_one(level, noise.df))
    }

    /// All parameters allowed at a level.
    pub(super) fn region_at(&self, profile: &Profile, level: f64) -> Option<Region> {
        let threshold = self.threshold(level)?;
        Some(Region::new(&self.surface(profile), &self.basins, threshold))
    }

    /// The same fit with the region of another level.
    pub(super) fn at_level(&self, profile: &Profile, level: f64) -> Self {
        Self { region: self.region_at(profile, level), ..self.clone() }
    }

    /// Smallest and largest value of a quantity over the region; `None` without one.
    pub(super) fn range(&self, profile: &Profile, quantity: impl Fn(Point) -> f64) -> Option<(f64, f64)> {
        self.region.as_ref().map(|region| region.range(&self.surface(profile), quantity))
    }

    /// Intervals of the shape parameters; without a region they may be anything.
    pub(super) fn intervals(&self, profile: &Profile) -> [(f64, f64); 2] {
        match &self.region {
            Some(region) => {
                let surface = self.surface(profile);
                [region.range(&surface, |point| point.a), region.range_b(&surface)]
            }
            None => [(0.0, 1.0), (if self.law == Law::Saturation { 1.0 } else { 0.0 }, f64::INFINITY)],
        }
    }

    /// Fitted time at `n` workers.
    pub(super) fn time(&self, n: f64) -> f64 {
        self.time_one * self.law.share(self.point, n)
    }
}

#[cfg(test)]
mod tests {
    use super::Fitted;
    use crate::fitting::family::{Law, Point};
    use crate::fitting::noise::t_two_sided;
    use crate::fitting::profile::{Profile, Residuals};
    use crate::fitting::table::Table;

    const COUNTS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

    fn profile(time: impl Fn(f64) -> f64, residuals: Residuals) -> Profile {
        let table = Table::new(&COUNTS, &COUNTS.map(time), None);
        Profile::new(&table, &table.means(), residuals)
    }

    #[test]
    fn exact_data_give_their_parameters_back() {
        let truths = [
            (Law::Amdahl, Point { a: 0.03, b: 0.0 }),
            (Law::Usl, Point { a: 0.03, b: 0.002 }),
            (Law::UslLog, Point { a: 0.03, b: 0.02 }),
            (Law::UslLogSchwartz, Point { a: 0.03, b: 0.02 }),
            (Law::Power, Point { a: 0.7, b: 0.0 }),
            (Law::Saturation, Point { a: 0.03, b: 6.0 }),
        ];
        for residuals in [Residuals::Log, Residuals::Time, Residuals::Throughput] {
            for (law, at) in truths {
                let fit = Fitted::new(&profile(|n| 7.0 * law.share(at, n), residuals), law, true);
                assert!((fit.point.a / at.a - 1.0).abs() < 1e-6, "{law:?} {residuals:?} {:?}", fit.point);
                assert!((fit.point.b - at.b).abs() <= 1e-6 * at.b, "{law:?} {residuals:?} {:?}", fit.point);
                assert!((fit.time_one / 7.0 - 1.0).abs() < 1e-6, "{law:?} {residuals:?}");
            }
        }
    }

    #[test]
    fn a_parameter_at_its_bound_is_exactly_the_bound() {
        let superlinear = profile(|n| n.powf(-1.1), Residuals::Log);
        let fit = Fitted::new(&superlinear, Law::Usl, true);
        assert_eq!(fit.point, Point { a: 0.0, b: 0.0 });
        assert_eq!(fit.at_bound(), (true, true));
        assert_eq!(Fitted::new(&superlinear, Law::Power, true).point.a, 1.0);
        let free = Fitted::new(&superlinear, Law::Amdahl, false);
        assert!(free.point.a < 0.0);
    }

    #[test]
    fn the_region_of_the_power_law_is_the_interval_of_a_straight_line() {
        // log T = log T(1) - q log n: the F region is the t interval of the slope.
        let noise = [0.01, -0.02, 0.0, 0.03, -0.01, 0.01];
        let time = |n: f64| 5.0 * n.powf(-0.6) * f64::exp(noise[n.log2() as usize]);
        let profile = profile(time, Residuals::Log);
        let mut fit = Fitted::new(&profile, Law::Power, true);
        fit.region = fit.region_at(&profile, 0.95);
        let x = COUNTS.map(f64::ln);
        let mean = x.iter().sum::<f64>() / 6.0;
        let spread: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
        let half = t_two_sided(0.95, 4.0) * (fit.sse / 4.0 / spread).sqrt();
        let [(low, high), _] = fit.intervals(&profile);
        assert!((low - (fit.point.a - half)).abs() < 1e-6 && (high - (fit.point.a + half)).abs() < 1e-6);
    }

    #[test]
    fn every_end_of_a_region_lies_on_the_threshold_or_on_a_bound() {
        let noise = [0.02, -0.03, 0.01, 0.02, -0.02, 0.01];
        let time =
            |n: f64| Law::Usl.share(Point { a: 0.05, b: 0.001 }, n) * f64::exp(noise[n.log2() as usize]);
        let profile = profile(time, Residuals::Log);
        for law in [Law::Usl, Law::UslLog, Law::Saturation] {
            let mut fit = Fitted::new(&profile, law, true);
            fit.region = fit.region_at(&profile, 0.95);
            let threshold = fit.threshold(0.95).unwrap_or(f64::NAN);
            // A brute grid inside the intervals finds no better extreme of sigma than the region has.
            let [(low, high), (b_low, b_high)] = fit.intervals(&profile);
            let mut inside = (f64::INFINITY, f64::NEG_INFINITY);
            for i in 0..=300 {
                for k in 0..=300 {
                    let a = f64::from(i) / 300.0 * 0.4;
                    let b = b_low + (b_high - b_low) * f64::from(k) / 300.0;
                    let b = if law == Law::Saturation { 1.0 / b } else { b };
                    if fit.surface(&profile).along_a(a, b).sse <= threshold {
                        inside = (inside.0.min(a), inside.1.max(a));
                    }
                }
            }
            assert!(low <= inside.0 + 1e-9 && high >= inside.1 - 1e-9, "{law:?} {low} {high} {inside:?}");
            assert!(inside.0 - low < 3e-3 && high - inside.1 < 3e-3, "{law:?} {low} {high} {inside:?}");
        }
    }
}
