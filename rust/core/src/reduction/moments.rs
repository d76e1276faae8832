//! Mean and variance in one pass over memory, without cancellation of large means.

use super::accumulators::Accumulator;
use super::kernels;
use crate::surfaces::Level;

/// Count, mean and sum of squared deviations: two passes inside a block, Chan's formula between blocks.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    level: Level,
    count: f64,
    mean: f64,
    /// What the mean lost by rounding: blocks differ by less than an ulp of a large mean.
    below: f64,
    squares: f64,
}

impl Moments {
    /// Count, mean, what the mean lost, squares.
    pub(super) fn parts(&self) -> [f64; 4] {
        [self.count, self.mean, self.below, self.squares]
    }

    pub(super) fn of_parts([count, mean, below, squares]: [f64; 4]) -> Self {
        Self { level: Level::best(), count, mean, below, squares }
    }

    /// Mean and variance with `count - ddof` in the denominator; `None` of no elements.
    ///
    /// Not a number where the denominator is not positive.
    pub fn finish(&self, ddof: f64) -> Option<(f64, f64)> {
        let freedom = self.count - ddof;
        let variance = if freedom > 0.0 { self.squares / freedom } else { f64::NAN };
        (self.count > 0.0).then_some((self.mean, variance))
    }
}

impl Accumulator<f64, 1> for Moments {
    const ORDER_FREE: bool = false;

    fn zero(level: Level) -> Self {
        Self { level, count: 0.0, mean: 0.0, below: 0.0, squares: 0.0 }
    }

    fn push(&mut self, [block]: [&[f64]; 1]) {
        if block.is_empty() {
            return;
        }
        let count = block.len() as f64;
        let rough = kernels::sum(self.level, block) / count;
        let (deviations, squares) = kernels::deviations(self.level, block, rough);
        // The deviations sum to what rounding did to the mean: taking it out of both makes them good to the last bits.
        let shift = deviations / count;
        let mut block = Self { level: self.level, count, mean: rough, below: 0.0, squares };
        if shift.is_finite() {
            (block.mean, block.below) = kernels::two_sum(rough, shift);
            block.squares -= deviations * shift;
        }
        self.merge(block);
    }

    fn merge(&mut self, later: Self) {
        if self.count == 0.0 {
            *self = later;
        } else if later.count > 0.0 {
            let count = self.count + later.count;
            let step = (later.mean - self.mean) + (later.below - self.below);
            (self.mean, self.below) = if step.is_finite() {
                kernels::two_sum(self.mean, self.below + step * (later.count / count))
            } else {
                // Something infinite: what IEEE addition makes of it.
                (self.mean + later.mean, 0.0)
            };
            self.squares += later.squares + step * step * (self.count * (later.count / count));
            self.count = count;
        }
    }
}
