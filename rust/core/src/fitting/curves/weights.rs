//! From squares to weights: how much each curve counts, and the noise.

use crate::fitting::means::Means;
use crate::fitting::vecmath::{exp, ln, vectorised};

/// Prior noise of a point about a smooth curve: 4 % ...
const PRIOR_NOISE: f64 = 0.04;
/// ... worth four degrees of freedom: four clean points do not prove that a program never scatters.
const PRIOR_DF: f64 = 4.0;
/// Weight of a count (N/Nmax)^0.35: the far end decides a forecast; N = Nmax/8 counts half.
const RECENCY: f64 = 0.35;
/// Parameters of the widest family: what the misfit has left of the points is their number minus this.
const PARAMETERS: f64 = 3.0;

/// Weight of a count in the fit.
pub(super) fn recency(n: f64, top: f64) -> f64 {
    exp(RECENCY * ln(n / top))
}

/// What the repeats say about noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repeats {
    pub(super) ss_pure: f64,
    pub(super) df_pure: f64,
    /// Mean number of runs per count.
    pub(super) mean_runs: f64,
}

impl Repeats {
    pub(super) fn of(means: &Means) -> Self {
        let runs: f64 = means.runs.iter().sum();
        Self { ss_pure: means.ss_pure, df_pure: means.df_pure, mean_runs: runs / means.n.len() as f64 }
    }
}

/// Noise of one count about the curve, as a standard deviation of the log time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noise {
    pub(super) sd: f64,
    pub(super) df: f64,
}

/// How squares become weights.
///
/// The scale of the time and the noise variance are integrated out. With `n_eff` the sum of the weights
/// of the counts, V = SSE + 4 0.04^2 and df = `n_eff` - 1 + 4. Where the curves miss by no more than the
/// repeats scatter, both are pooled: V += `ss_pure` / `mean_runs`, df += `df_pure`. A curve's weight is
/// then proportional to prior V^(-df/2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Likelihood {
    /// V - SSE.
    pub(super) constant: f64,
    pub(super) df: f64,
}

impl Likelihood {
    /// Decide about pooling: `least` is the SSE of the best curve.
    pub(super) fn new(least: f64, n_eff: f64, repeats: Repeats) -> Self {
        let misfit = least / (n_eff - PARAMETERS).max(0.5);
        let constant = PRIOR_DF * PRIOR_NOISE * PRIOR_NOISE;
        let df = n_eff - 1.0 + PRIOR_DF;
        if repeats.df_pure > 0.0 && misfit <= repeats.ss_pure / repeats.df_pure / repeats.mean_runs {
            Self { constant: constant + repeats.ss_pure / repeats.mean_runs, df: df + repeats.df_pure }
        } else {
            Self { constant, df }
        }
    }

    /// Weigh the curves, of which the best has the SSE `least`; the weights sum to one.
    ///
    /// The noise variance is the weighted mean of V / (df - 2).
    pub(super) fn weigh(self, prior: &[f64], least: f64, squares: &[f64], weights: &mut [f64]) -> Noise {
        let mut sums = [0.0; 2];
        let ln_least = ln(least + self.constant);
        raise(prior, self.constant, -0.5 * self.df, ln_least, squares, weights, &mut sums);
        let [weight, square] = sums;
        scale(weights, 1.0 / weight);
        let df = (self.df - 2.0).max(1.0);
        Noise { sd: (square / weight / df).sqrt(), df }
    }
}

/// Lanes of the running sums: fixed, so that the sum has the same bits for any width of vectors.
const LANES: usize = 8;

vectorised! {
    /// V = square + constant; weight = prior (V / `V_least`)^exponent; sums of weight and of weight V.
    fn raise(
        prior: &[f64], constant: f64, exponent: f64, ln_least: f64,
        squares: &[f64], weights: &mut [f64], sums: &mut [f64; 2],
    ) {
        // Two short loops: in one, the processor sees too few elements ahead to overlap them.
        for (power, square) in weights.iter_mut().zip(squares) {
            *power = exponent * (ln(square + constant) - ln_least);
        }
        for (weight, prior) in weights.iter_mut().zip(prior) {
            *weight = prior * exp(*weight);
        }
        let (mut weight_lanes, mut square_lanes) = ([0.0; LANES], [0.0; LANES]);
        let (weight_chunks, weight_rest) = weights.as_chunks::<LANES>();
        let (square_chunks, square_rest) = squares.as_chunks::<LANES>();
        for (weights, squares) in weight_chunks.iter().zip(square_chunks) {
            for lane in 0..LANES {
                weight_lanes[lane] += weights[lane];
                square_lanes[lane] += weights[lane] * (squares[lane] + constant);
            }
        }
        let rest: f64 = weight_rest.iter().sum();
        let square_rest: f64 = weight_rest.iter().zip(square_rest).map(|(w, s)| w * (s + constant)).sum();
        *sums = [weight_lanes.iter().sum::<f64>() + rest, square_lanes.iter().sum::<f64>() + square_rest];
    }
}

vectorised! {
    fn scale(values: &mut [f64], factor: f64) {
        for value in values {
            *value *= factor;
        }
    }
}

/// Least of the values; exact, whatever the order.
pub(super) fn minimum(values: &[f64]) -> f64 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [f64::INFINITY; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = if *value < *lane { *value } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(f64::INFINITY, |least, value| least.min(*value))
}
