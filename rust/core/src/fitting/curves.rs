//! The forecast beyond the data: every curve on a fixed grid, weighted by how well it fits.
//!
//! Five families of scaling curves, each written by the shares of the time at the largest count. Every
//! curve gets a weight: how well it fits the measured times, where points near the largest count say
//! more and simple laws count double. An interval holds 95 % of the weight, and is widened by what no
//! family has (a bend beyond the data) and, for a value that somebody will measure, by the noise. The
//! noise comes from the misfit and the repeats, averaged with what real series show.
//!
//! The regions of the laws (ceiling, peak, serial fraction) are another matter: see the rest of
//! [`crate::fitting`].

mod grid;
mod moments;
mod quantile;
mod weights;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use self::grid::{Family, Grid};
use self::moments::Moments;
use self::quantile::weighted_quantiles;
use self::weights::{Repeats, recency, weigh};
use crate::fitting::means::Means;
use crate::fitting::vecmath::{exp, ln};

/// Curves bend in ways no family has: slope uncertain by 0.05 beyond the data, 3.5 % per doubling ...
const BEND_CURVE: f64 = 0.05;
/// ... and by 0.10, 7 % per doubling, for the value that somebody will measure out there.
const BEND_MEASURED: f64 = 0.10;
/// A ratio of two measured times carries the scatter of both: sqrt 2.
const SCATTER_OF_A_RATIO: f64 = std::f64::consts::SQRT_2;

/// A value with its interval: the median and the two ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds3 {
    /// Lower end.
    pub low: f64,
    /// Weighted median of the curves.
    pub mid: f64,
    /// Upper end.
    pub high: f64,
}

impl Bounds3 {
    /// The same interval of a value `factor` times as large.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, mid: self.mid * factor, high: self.high * factor }
    }
}

/// What the weighted curves say about one worker count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// Worker count.
    pub n: f64,
    /// T(n)/T(Nmax), the curve's.
    pub time_ratio: Bounds3,
    /// T(n)/T(Nmax) that somebody will measure, against the measured T(Nmax).
    pub measured_time_ratio: Bounds3,
    /// T(1)/T(n), the curve's.
    pub speedup: Bounds3,
    /// T(1)/T(n) that somebody will measure.
    pub measured_speedup: Bounds3,
}

/// Everything the weighted curves say, as one plain record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// Standard deviation of a log time about the curve.
    pub noise: f64,
    /// Degrees of freedom of the noise.
    pub df: f64,
    /// Weight of each family.
    pub families: BTreeMap<&'static str, f64>,
    /// What is said about each target.
    pub forecasts: Vec<Forecast>,
}

/// All curves with their weights, given the data.
#[derive(Debug, Clone)]
pub struct Curves {
    grid: Grid,
    /// Weight of each curve; they sum to one.
    weights: Vec<f64>,
    noise: f64,
    df: f64,
    /// log h(1) of every curve.
    at_one: OnceLock<Vec<f64>>,
}

impl Curves {
    /// Weigh the curves by the data; `None` under four distinct counts.
    ///
    /// Counts are weighted by (N/Nmax)^0.35 and equally otherwise: repeats speak through the pure
    /// error only.
    pub fn fit(means: &Means) -> Option<Self> {
        let grid = Grid::new(&means.n)?;
        let mut column = vec![0.0; grid.len()];
        let mut moments = Moments::new(grid.len());
        let at_one = OnceLock::new();
        for (n, y) in means.n.iter().zip(&means.y) {
            grid.column(*n, &mut column);
            moments.add(recency(*n, grid.top()), *y, &column);
            if *n == 1.0 {
                at_one.get_or_init(|| column.clone());
            }
        }
        let Moments { weight, mut squares, .. } = moments;
        let noise = weigh(grid.prior(), weight, Repeats::of(means), &mut squares, &mut column);
        Some(Self { grid, weights: column, noise: noise.sd, df: noise.df, at_one })
    }

    /// Noise of one count about the curve: standard deviation of the log time.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// Degrees of freedom of [`Self::noise`].
    pub fn df(&self) -> f64 {
        self.df
    }

    /// Weight of each family; they sum to one. A family that was left out has weight 0.
    pub fn weights(&self) -> Vec<(&'static str, f64)> {
        Family::ALL
            .iter()
            .map(|family| (family.name(), self.weights[self.grid.range(*family)].iter().sum()))
            .collect()
    }

    /// T(target)/T(Nmax): the curve's interval.
    ///
    /// On each side of the median the distance to the weighted quantile and the bend
    /// 1.96 0.05 ln(target/Nmax) beyond the data add in quadrature; never faster than linear.
    pub fn time_ratio(&self, target: f64, level: f64) -> Bounds3 {
        self.ratio_between(self.grid.top(), target, level)
    }

    /// T(target)/T(Nmax) at several levels, for the price of one.
    pub fn time_ratios<const L: usize>(&self, target: f64, levels: [f64; L]) -> [Bounds3; L] {
        let logs = self.logs_between(self.grid.top(), target);
        let span = self.time_span(self.grid.top(), target);
        levels.map(|level| Margin::curve(level).bounds(self.quantiles(&logs, level), span))
    }

    /// T(target)/T(Nmax) that somebody will measure, against the measured T(Nmax).
    ///
    /// As [`Self::time_ratio`] with twice the bend and the noise t sqrt(2) s of a measured ratio; never
    /// faster than linear by more than the noise.
    pub fn measured_time_ratio(&self, target: f64, level: f64) -> Bounds3 {
        let top = self.grid.top();
        let quantiles = self.quantiles(&self.logs_between(top, target), level);
        self.measured_margin(level).bounds(quantiles, self.time_span(top, target))
    }

    /// T(1)/T(n): the curve's interval.
    pub fn speedup(&self, n: f64, level: f64) -> Bounds3 {
        Margin::curve(level).bounds(self.quantiles(&self.log_speedups(n), level), self.speedup_span(n))
    }

    /// T(1)/T(n) that somebody will measure.
    pub fn measured_speedup(&self, n: f64, level: f64) -> Bounds3 {
        let quantiles = self.quantiles(&self.log_speedups(n), level);
        self.measured_margin(level).bounds(quantiles, self.speedup_span(n))
    }

    /// T(to)/T(from): the curve's interval; no bend for the part inside the data.
    pub fn ratio_between(&self, from: f64, to: f64, level: f64) -> Bounds3 {
        let quantiles = self.quantiles(&self.logs_between(from, to), level);
        Margin::curve(level).bounds(quantiles, self.time_span(from, to))
    }

    /// All that the curves say about each of `targets`: one evaluation of the curves a target.
    pub fn forecasts(&self, targets: &[f64], level: f64) -> Vec<Forecast> {
        let (curve, measured) = (Margin::curve(level), self.measured_margin(level));
        let at_one = self.at_one();
        let mut column = vec![0.0; self.grid.len()];
        let forecast = |n: &f64| {
            self.grid.column(*n, &mut column);
            let times = self.quantiles(&column, level);
            let time_span = self.time_span(self.grid.top(), *n);
            for (value, one) in column.iter_mut().zip(at_one) {
                *value = one - *value;
            }
            let speedups = self.quantiles(&column, level);
            let speedup_span = self.speedup_span(*n);
            Forecast {
                n: *n,
                time_ratio: curve.bounds(times, time_span),
                measured_time_ratio: measured.bounds(times, time_span),
                speedup: curve.bounds(speedups, speedup_span),
                measured_speedup: measured.bounds(speedups, speedup_span),
            }
        };
        targets.iter().map(forecast).collect()
    }

    /// Noise, family weights and forecasts in one record.
    pub fn outlook(&self, targets: &[f64], level: f64) -> Outlook {
        Outlook {
            noise: self.noise,
            df: self.df,
            families: self.weights().into_iter().collect(),
            forecasts: self.forecasts(targets, level),
        }
    }

    fn quantiles(&self, logs: &[f64], level: f64) -> [f64; 3] {
        let tail = 0.5 * (1.0 - level);
        weighted_quantiles(logs, &self.weights, [tail, 0.5, 1.0 - tail])
    }

    /// log h(to) - log h(from) of every curve.
    fn logs_between(&self, from: f64, to: f64) -> Vec<f64> {
        let mut logs = vec![0.0; self.grid.len()];
        self.grid.column(to, &mut logs);
        if from != self.grid.top() {
            let mut base = vec![0.0; self.grid.len()];
            self.grid.column(from, &mut base);
            subtract(&mut logs, &base);
        }
        logs
    }

    /// log h(1) - log h(n) of every curve.
    fn log_speedups(&self, n: f64) -> Vec<f64> {
        let mut base = vec![0.0; self.grid.len()];
        self.grid.column(n, &mut base);
        let mut logs = self.at_one().to_vec();
        subtract(&mut logs, &base);
        logs
    }

    fn at_one(&self) -> &[f64] {
        self.at_one.get_or_init(|| {
            let mut column = vec![0.0; self.grid.len()];
            self.grid.column(1.0, &mut column);
            column
        })
    }

    fn measured_margin(&self, level: f64) -> Margin {
        let noise = student_quantile(upper_tail(level), self.df) * SCATTER_OF_A_RATIO * self.noise;
        Margin { bend: normal_quantile(upper_tail(level)) * BEND_MEASURED, noise }
    }

    /// Log distance beyond the data between two counts.
    fn beyond(&self, from: f64, to: f64) -> f64 {
        let top = self.grid.top();
        ln(from.max(to).max(top) / from.min(to).max(top))
    }

    /// A time ratio is no less than linear: T(to)/T(from) >= from/to where workers are added.
    fn time_span(&self, from: f64, to: f64) -> Span {
        let linear = ln(from / to);
        let (least, most) = if to >= from { (linear, f64::INFINITY) } else { (f64::NEG_INFINITY, linear) };
        Span { beyond: self.beyond(from, to), least, most }
    }

    /// A speedup is no more than linear.
    fn speedup_span(&self, n: f64) -> Span {
        let Span { beyond, least, most } = self.time_span(1.0, n);
        Span { beyond, least: -most, most: -least }
    }
}

/// Where a ratio lies: how far beyond the data, and what it cannot pass.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// Log distance beyond the largest count.
    beyond: f64,
    /// Least and largest log ratio that is not faster than linear.
    least: f64,
    most: f64,
}

/// What is added to the spread of the curves.
#[derive(Debug, Clone, Copy)]
struct Margin {
    /// Half-width per unit of log distance beyond the data.
    bend: f64,
    /// Half-width from the scatter of what is measured.
    noise: f64,
}

impl Margin {
    fn curve(level: f64) -> Self {
        Self { bend: normal_quantile(upper_tail(level)) * BEND_CURVE, noise: 0.0 }
    }

    /// Add the margins in quadrature on each side of the median, and leave the log scale.
    fn bounds(self, [low, mid, high]: [f64; 3], span: Span) -> Bounds3 {
        let bend = self.bend * span.beyond;
        let extra = bend * bend + self.noise * self.noise;
        let side = |end: f64| ((end - mid) * (end - mid) + extra).sqrt();
        Bounds3 {
            low: exp((mid - side(low)).max(span.least - self.noise)),
            mid: exp(mid),
            high: exp((mid + side(high)).min(span.most + self.noise)),
        }
    }
}

fn subtract(values: &mut [f64], base: &[f64]) {
    for (value, base) in values.iter_mut().zip(base) {
        *value -= base;
    }
}

/// The probability below the upper end of a central interval.
fn upper_tail(level: f64) -> f64 {
    1.0 - 0.5 * (1.0 - level)
}

fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// Quantile of Student's t; infinite where the degrees of freedom make no distribution.
fn student_quantile(probability: f64, df: f64) -> f64 {
    StudentsT::new(0.0, 1.0, df).map_or(f64::INFINITY, |t| t.inverse_cdf(probability))
}

#[cfg(test)]
mod tests;
