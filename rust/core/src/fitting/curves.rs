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

mod buffer;
mod grid;
mod moments;
mod next;
mod quantile;
mod weights;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

pub use self::next::{measurements, recommended};

use self::buffer::Buffer;
use self::grid::{Family, Grid};
use self::moments::Moments;
use self::quantile::weighted_quantiles;
use self::weights::{Likelihood, Noise, Repeats, minimum, recency};
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
    weights: Buffer,
    noise: Noise,
    /// All counts but the largest on the whole grid: what stays when runs are added there.
    below_top: Moments,
    /// log h(1) of every curve.
    at_one: OnceLock<Buffer>,
}

impl Curves {
    /// Weigh the curves by the data; `None` under four distinct counts.
    ///
    /// Counts are weighted by (N/Nmax)^0.35 and equally otherwise: repeats speak through the pure
    /// error only.
    pub fn fit(means: &Means) -> Option<Self> {
        let grid = Grid::new(&means.n)?;
        let (top, top_y) = (grid.top(), *means.y.last()?);
        let mut column = Buffer::zeroed(grid.len());
        let mut below_top = Moments::new(grid.len());
        for (n, y) in means.n.iter().zip(&means.y).filter(|(n, _)| **n < top) {
            grid.column(*n, &mut column);
            below_top.add(recency(*n, top), *y, &column);
        }
        let mut squares = column;
        below_top.squares_with_top(top_y, &mut squares);
        let least = minimum(&squares);
        let likelihood = Likelihood::new(least, below_top.weight + 1.0, Repeats::of(means));
        let mut weights = Buffer::zeroed(grid.len());
        let noise = likelihood.weigh(grid.prior(), least, &squares, &mut weights);
        Some(Self { grid, weights, noise, below_top, at_one: OnceLock::new() })
    }

    /// Noise of one count about the curve: standard deviation of the log time.
    pub fn noise(&self) -> f64 {
        self.noise.sd
    }

    /// Degrees of freedom of [`Self::noise`].
    pub fn df(&self) -> f64 {
        self.noise.df
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

    /// T(target)/T(Nmax) at several levels, with one evaluation of the curves.
    pub fn time_ratios<const L: usize>(&self, target: f64, levels: [f64; L]) -> [Bounds3; L] {
        let logs = self.logs_between(self.grid.top(), target);
        let span = time_span(self.grid.top(), self.grid.top(), target);
        levels.map(|level| Margin::curve(level).bounds(self.quantiles(&logs, level), span))
    }

    /// T(target)/T(Nmax) that somebody will measure, against the measured T(Nmax).
    ///
    /// As [`Self::time_ratio`] with twice the bend and the noise t sqrt(2) s of a measured ratio; never
    /// faster than linear by more than the noise.
    pub fn measured_time_ratio(&self, target: f64, level: f64) -> Bounds3 {
        let top = self.grid.top();
        let quantiles = self.quantiles(&self.logs_between(top, target), level);
        self.measured_margin(level).bounds(quantiles, time_span(self.grid.top(), top, target))
    }

    /// T(1)/T(n): the curve's interval.
    pub fn speedup(&self, n: f64, level: f64) -> Bounds3 {
        Margin::curve(level)
            .bounds(self.quantiles(&self.log_speedups(n), level), speedup_span(self.grid.top(), 1.0, n))
    }

    /// T(1)/T(n) that somebody will measure.
    pub fn measured_speedup(&self, n: f64, level: f64) -> Bounds3 {
        let quantiles = self.quantiles(&self.log_speedups(n), level);
        self.measured_margin(level).bounds(quantiles, speedup_span(self.grid.top(), 1.0, n))
    }

    /// T(to)/T(from): the curve's interval; no bend for the part inside the data.
    pub fn ratio_between(&self, from: f64, to: f64, level: f64) -> Bounds3 {
        let quantiles = self.quantiles(&self.logs_between(from, to), level);
        Margin::curve(level).bounds(quantiles, time_span(self.grid.top(), from, to))
    }

    /// All that the curves say about each of `targets`: one evaluation of the curves a target.
    ///
    /// Speedups are against `base` workers, which count as `base` times one: base T(base)/T(n).
    pub fn forecasts(&self, targets: &[f64], base: f64, level: f64) -> Vec<Forecast> {
        let (curve, measured) = (Margin::curve(level), self.measured_margin(level));
        let at_other;
        let at_base = if base == 1.0 {
            self.at_one()
        } else {
            at_other = self.column_at(base);
            &at_other
        };
        let mut column = Buffer::zeroed(self.grid.len());
        let forecast = |n: &f64| {
            self.grid.column(*n, &mut column);
            let times = self.quantiles(&column, level);
            let time_span = time_span(self.grid.top(), self.grid.top(), *n);
            subtract_from(at_base, &mut column);
            let speedups = self.quantiles(&column, level);
            let speedup_span = speedup_span(self.grid.top(), base, *n);
            Forecast {
                n: *n,
                time_ratio: curve.bounds(times, time_span),
                measured_time_ratio: measured.bounds(times, time_span),
                speedup: curve.bounds(speedups, speedup_span).scaled(base),
                measured_speedup: measured.bounds(speedups, speedup_span).scaled(base),
            }
        };
        targets.iter().map(forecast).collect()
    }

    /// Noise, family weights and forecasts in one record.
    pub fn outlook(&self, targets: &[f64], level: f64) -> Outlook {
        Outlook {
            noise: self.noise.sd,
            df: self.noise.df,
            families: self.weights().into_iter().collect(),
            forecasts: self.forecasts(targets, 1.0, level),
        }
    }

    fn quantiles(&self, logs: &[f64], level: f64) -> [f64; 3] {
        weighted_quantiles(logs, &self.weights, tails(level))
    }

    /// log h(to) - log h(from) of every curve.
    fn logs_between(&self, from: f64, to: f64) -> Buffer {
        let mut logs = self.column_at(to);
        if from != self.grid.top() {
            subtract(&mut logs, &self.column_at(from));
        }
        logs
    }

    /// log h(1) - log h(n) of every curve.
    fn log_speedups(&self, n: f64) -> Buffer {
        let mut logs = self.column_at(n);
        subtract_from(self.at_one(), &mut logs);
        logs
    }

    fn at_one(&self) -> &[f64] {
        self.at_one.get_or_init(|| self.column_at(1.0))
    }

    /// log h(n) of every curve.
    fn column_at(&self, n: f64) -> Buffer {
        let mut column = Buffer::zeroed(self.grid.len());
        self.grid.column(n, &mut column);
        column
    }

    fn measured_margin(&self, level: f64) -> Margin {
        let noise = student_quantile(upper_tail(level), self.noise.df) * SCATTER_OF_A_RATIO * self.noise.sd;
        Margin { bend: normal_quantile(upper_tail(level)) * BEND_MEASURED, noise }
    }
}

/// A time ratio is no less than linear: T(to)/T(from) >= from/to where workers are added.
fn time_span(top: f64, from: f64, to: f64) -> Span {
    let linear = ln(from / to);
    let (least, most) = if to >= from { (linear, f64::INFINITY) } else { (f64::NEG_INFINITY, linear) };
    let beyond = ln(from.max(to).max(top) / from.min(to).max(top));
    Span { beyond, least, most }
}

/// A speedup is no more than linear.
fn speedup_span(top: f64, base: f64, n: f64) -> Span {
    let Span { beyond, least, most } = time_span(top, base, n);
    Span { beyond, least: -most, most: -least }
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

fn subtract_from(base: &[f64], values: &mut [f64]) {
    for (value, base) in values.iter_mut().zip(base) {
        *value = base - *value;
    }
}

fn subtract(values: &mut [f64], base: &[f64]) {
    for (value, base) in values.iter_mut().zip(base) {
        *value -= base;
    }
}

/// Width of an interval on the log scale.
fn log_width(bounds: Bounds3) -> f64 {
    ln(bounds.high / bounds.low)
}

/// The weights below the lower end, the median and the upper end of a central interval.
fn tails(level: f64) -> [f64; 3] {
    let tail = 0.5 * (1.0 - level);
    [tail, 0.5, 1.0 - tail]
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
