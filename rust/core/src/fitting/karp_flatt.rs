//! The share of the one-worker time that did not shrink, count by count, and whether it rises.
//!
//! `e(n) = (n T(n) / T(1) - 1) / (n - 1)`: constant for serial work, rising where overhead grows with
//! n. It is negative for superlinear runs, and is then left so.

use super::means::Means;
use super::noise::{Noise, t_two_sided};
use super::surface::Surface;
use super::wald::{covariance, jacobian};

/// A value of e(n) with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Slope of e(n) per doubling of n, with its interval, over `points` counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trend {
    pub slope: Share,
    pub points: usize,
}

/// Log T(1) as fitted, and its covariances, in units of the variance of one run.
#[derive(Debug, Clone)]
pub(super) struct Anchor {
    pub log_time_one: f64,
    pub variance: f64,
    /// With the mean log time at each count.
    pub covariance: Vec<f64>,
}

impl Anchor {
    /// The anchor of a fit of log times; parameters at a bound are held there.
    pub(super) fn new(
        surface: &Surface<'_>,
        (a, b): (f64, f64),
        log_time_one: f64,
        at_bound: (bool, bool),
    ) -> Option<Self> {
        let mut columns = vec![0];
        columns.extend((!at_bound.0).then_some(1));
        columns.extend((surface.law.parameters().len() == 2 && !at_bound.1).then_some(2));
        let inverse = covariance(surface, (a, b), log_time_one, &columns)?;
        let with = |j: usize| {
            let row = jacobian(surface, (a, b), log_time_one, j);
            columns.iter().enumerate().map(|(i, p)| inverse[0][i] * row[*p]).sum()
        };
        let covariance = (0..surface.profile.n.len()).map(with).collect();
        Some(Self { log_time_one, variance: inverse[0][0], covariance })
    }
}

/// e at `n` for a log ratio `T(n) / T(1)` known to `half`; for a base count other than 1, its analogue
/// `(T(n) / T(base) - base / n) / (1 - base / n)`.
pub(super) fn share_of(log_ratio: f64, half: f64, base: f64, n: f64) -> Share {
    let e = |y: f64| (y.exp() - base / n) / (1.0 - base / n);
    let (one, other) = (e(log_ratio - half), e(log_ratio + half));
    Share { value: e(log_ratio), low: one.min(other), high: one.max(other) }
}

/// e(n) at every count but n = 1.
pub(super) fn values(means: &Means, anchor: &Anchor, noise: Option<Noise>, level: f64) -> Vec<Option<Share>> {
    let quantile = noise.map(|noise| t_two_sided(level, noise.df) * noise.variance.sqrt());
    (0..means.n.len())
        .map(|j| {
            let n = means.n[j];
            let variance = (1.0 / means.runs[j] - 2.0 * anchor.covariance[j] + anchor.variance).max(0.0);
            let half = quantile.map_or(f64::INFINITY, |quantile| quantile * variance.sqrt());
            (n != 1.0).then(|| share_of(means.y[j] - anchor.log_time_one, half, 1.0, n))
        })
        .collect()
}

/// The trend of e(n): weighted regression on log2 n, with the shared error of T(1). `None` without noise
/// or with under two counts.
pub(super) fn trend(means: &Means, anchor: &Anchor, noise: Option<Noise>, level: f64) -> Option<Trend> {
    let noise = noise?;
    let rows: Vec<[f64; 4]> = (0..means.n.len())
        .filter(|j| means.n[*j] > 1.0)
        .map(|j| {
            let n = means.n[j];
            let e = share_of(means.y[j] - anchor.log_time_one, 0.0, 1.0, n).value;
            // How far e moves with the log time, and the weight that follows from it.
            let lever = e + 1.0 / (n - 1.0);
            [n.log2(), e, lever, means.runs[j] / (lever * lever)]
        })
        .collect();
    let total: f64 = rows.iter().map(|r| r[3]).sum();
    let mean = rows.iter().map(|r| r[3] * r[0]).sum::<f64>() / total;
    let spread: f64 = rows.iter().map(|r| r[3] * (r[0] - mean).powi(2)).sum();
    if rows.len() < 2 || spread <= 0.0 {
        return None;
    }
    let slope = rows.iter().map(|r| r[3] * (r[0] - mean) * r[1]).sum::<f64>() / spread;
    let shared = rows.iter().map(|r| r[3] * (r[0] - mean) * r[2]).sum::<f64>() / spread;
    let variance = noise.variance * (1.0 / spread + shared * shared * anchor.variance);
    let half = t_two_sided(level, noise.df) * variance.sqrt();
    Some(Trend { slope: Share { value: slope, low: slope - half, high: slope + half }, points: rows.len() })
}

#[cfg(test)]
mod tests {
    use super::{Anchor, share_of, trend, values};
    use crate::fitting::means::Means;
    use crate::fitting::noise::Noise;

    fn means(time: impl Fn(f64) -> f64) -> Means {
        let n = vec![1.0, 2.0, 4.0, 8.0, 16.0];
        let y = n.iter().map(|n| time(*n).ln()).collect();
        Means { n, y, runs: vec![3.0; 5], ss_pure: 0.0, df_pure: 10.0 }
    }

    /// T(1) = 1 as known from its three runs alone.
    fn anchor() -> Anchor {
        Anchor { log_time_one: 0.0, variance: 1.0 / 3.0, covariance: vec![1.0 / 3.0, 0.0, 0.0, 0.0, 0.0] }
    }

    const NOISE: Option<Noise> = Some(Noise { variance: 1e-6, df: 10.0 });

    #[test]
    fn serial_work_is_the_same_at_every_count_and_flat() {
        let means = means(|n| 0.1 + 0.9 / n);
        for (n, share) in means.n.iter().zip(values(&means, &anchor(), NOISE, 0.95)) {
            assert_eq!(share.is_none(), *n == 1.0);
            if let Some(share) = share {
                assert!((share.value - 0.1).abs() < 1e-13 && share.low < 0.1 && share.high > 0.1);
            }
        }
        let slope = trend(&means, &anchor(), NOISE, 0.95).map(|trend| trend.slope);
        assert!(slope.is_some_and(|slope| slope.low < 0.0 && slope.high > 0.0 && slope.value.abs() < 1e-12));
    }

    #[test]
    fn overhead_that_grows_with_n_rises() {
        let means = means(|n| 0.1 + 0.9 / n + 0.003 * (n - 1.0));
        let slope = trend(&means, &anchor(), NOISE, 0.95).map(|trend| trend.slope);
        assert!(slope.is_some_and(|slope| slope.low > 0.0));
    }

    #[test]
    fn the_interval_is_that_of_the_ratio_of_two_means() {
        let means = means(|n| 0.1 + 0.9 / n);
        let half = 2.228_138_851_964_939 * (1e-6_f64 * (2.0 / 3.0)).sqrt();
        let expected = share_of(means.y[2], half, 1.0, 4.0);
        let found = values(&means, &anchor(), NOISE, 0.95)[2];
        assert!(
            found.is_some_and(
                |f| (f.low - expected.low).abs() < 1e-12 && (f.high - expected.high).abs() < 1e-12
            )
        );
    }

    #[test]
    fn superlinear_runs_give_a_negative_share() {
        let share = share_of(f64::ln(0.24), 0.0, 1.0, 4.0);
        assert!((share.value + 0.04 / 3.0).abs() < 1e-15);
    }
}
