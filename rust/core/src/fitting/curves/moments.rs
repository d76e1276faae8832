//! Weighted sums over the data for all curves at once.

use super::buffer::Buffer;
use crate::fitting::vecmath::vectorised;

/// Weighted mean and squares about it of the residuals y - log h, for every curve.
///
/// Filled one count at a time (West 1979, "Updating mean and variance estimates"): no cancellation,
/// and a count can be added to a copy of what is known of the others.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    /// Sum of the weights so far.
    pub(super) weight: f64,
    mean: Buffer,
    /// Weighted squares about the weighted mean: the scale of the time drops out.
    pub(super) squares: Buffer,
}

impl Moments {
    pub(super) fn new(curves: usize) -> Self {
        Self { weight: 0.0, mean: Buffer::zeroed(curves), squares: Buffer::zeroed(curves) }
    }

    /// Take in the log time `y` at a count with the given weight and curve values.
    pub(super) fn add(&mut self, weight: f64, y: f64, column: &[f64]) {
        let total = self.weight + weight;
        let share = weight / total;
        update(y, column, share, self.weight * share, &mut self.mean, &mut self.squares);
        self.weight = total;
    }

    /// The squares when the log time `y` at the largest count is added, where every curve is zero and the
    /// weight is one.
    pub(super) fn squares_with_top(&self, y: f64, out: &mut [f64]) {
        squares_with_top(y, self.weight / (self.weight + 1.0), &self.mean, &self.squares, out);
    }
}

vectorised! {
    fn update(y: f64, column: &[f64], share: f64, pull: f64, mean: &mut [f64], squares: &mut [f64]) {
        for ((h, mean), squares) in column.iter().zip(mean).zip(squares) {
            let distance = (y - h) - *mean;
            *mean += share * distance;
            *squares += pull * (distance * distance);
        }
    }
}

vectorised! {
    fn squares_with_top(y: f64, pull: f64, mean: &[f64], squares: &[f64], out: &mut [f64]) {
        for ((out, mean), squares) in out.iter_mut().zip(mean).zip(squares) {
            let distance = y - mean;
            *out = squares + pull * (distance * distance);
        }
    }
}
