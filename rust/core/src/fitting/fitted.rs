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
