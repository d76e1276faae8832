//! An accumulator is four verbs: zero, push a block, merge a later part, finish.
//!
//! Code that distributes work needs to know nothing else. Whether merging depends on the order is a
//! constant of the type: where it does, partial results stay with their chunk, and the chunks are
//! combined in an order that the problem alone decides.

use super::exact::Exact;
use super::kernels;
use crate::surfaces::Level;

/// Elements of one block: 32 KB of doubles, which stay in the first cache while a kernel passes twice.
pub(crate) const BLOCK: usize = 4096;

/// The four verbs. `W` is what the kernels see, `K` the number of operands.
pub trait Accumulator<W, const K: usize>: Send + Sized {
    /// Whether the result is the same for every order of pushing and merging.
    const ORDER_FREE: bool;

    /// The accumulator of no elements.
    fn zero(level: Level) -> Self;

    /// Take in one block, of equal length in every operand and at most 4096 elements long.
    fn push(&mut self, blocks: [&[W]; K]);

    /// Take in everything that a later part has accumulated.
    fn merge(&mut self, later: Self);
}

/// Sum in a cascade of halves: the error grows with the logarithm of the count.
#[derive(Debug, Clone)]
pub struct Pairwise {
    level: Level,
    /// Blocks so far; its binary digits say which levels of the cascade are occupied.
    blocks: u64,
    cascade: Vec<f64>,
}

impl Pairwise {
    fn push_total(&mut self, total: f64) {
        let mut total = total;
        for _ in 0..self.blocks.trailing_ones() {
            total += self.cascade.pop().unwrap_or_default();
        }
        self.cascade.push(total);
        self.blocks += 1;
    }

    pub(super) fn of_total(total: f64) -> Self {
        Self { level: Level::best(), blocks: 1 << 63, cascade: vec![total] }
    }

    /// The sum.
    pub fn finish(&self) -> f64 {
        self.cascade.iter().rev().fold(0.0, |total, part| total + part)
    }

    fn join(&mut self, later: &Self) {
        let total = self.finish() + later.finish();
        self.cascade.clear();
        self.cascade.push(total);
        // One occupied level above everything that is pushed afterwards.
        self.blocks = 1 << 63;
    }
}

impl Accumulator<f64, 1> for Pairwise {
    const ORDER_FREE: bool = false;

    fn zero(level: Level) -> Self {
        Self { level, blocks: 0, cascade: Vec::new() }
    }

    fn push(&mut self, [block]: [&[f64]; 1]) {
        self.push_total(kernels::sum(self.level, block));
    }

    fn merge(&mut self, later: Self) {
        self.join(&later);
    }
}

impl Accumulator<f64, 2> for Pairwise {
    const ORDER_FREE: bool = false;

    fn zero(level: Level) -> Self {
        Self { level, blocks: 0, cascade: Vec::new() }
    }

    fn push(&mut self, [x, y]: [&[f64]; 2]) {
        self.push_total(kernels::dot(self.level, x, y));
    }

    fn merge(&mut self, later: Self) {
        self.join(&later);
    }
}

/// Sum with the error of every addition carried beside it: as good as twice the precision.
#[derive(Debug, Clone, Copy)]
pub struct Compensated {
    level: Level,
    sum: f64,
    error: f64,
}

impl Compensated {
    fn add(&mut self, sum: f64, error: f64) {
        let (total, lost) = kernels::two_sum(self.sum, sum);
        self.sum = total;
        self.error += error + lost;
    }

    /// The sum, and the error carried beside it.
    pub(super) fn parts(&self) -> (f64, f64) {
        (self.sum, self.error)
    }

    pub(super) fn of_parts(sum: f64, error: f64) -> Self {
        Self { level: Level::best(), sum, error }
    }

    /// The sum. Where it is infinite or not a number, the plain sum, which IEEE arithmetic decides.
    pub fn finish(&self) -> f64 {
        if self.sum.is_finite() && self.error.is_finite() { self.sum + self.error } else { self.sum }
    }
}

impl Accumulator<f64, 1> for Compensated {
    const ORDER_FREE: bool = false;

    fn zero(level: Level) -> Self {
        Self { level, sum: 0.0, error: 0.0 }
    }

    fn push(&mut self, [block]: [&[f64]; 1]) {
        let (sum, error) = kernels::sum_compensated(self.level, block);
        self.add(sum, error);
    }

    fn merge(&mut self, later: Self) {
        self.add(later.sum, later.error);
    }
}

impl Accumulator<f64, 2> for Compensated {
    const ORDER_FREE: bool = false;

    fn zero(level: Level) -> Self {
        Self { level, sum: 0.0, error: 0.0 }
    }

    fn push(&mut self, [x, y]: [&[f64]; 2]) {
        let (sum, error) = kernels::dot_compensated(self.level, x, y);
        self.add(sum, error);
    }

    fn merge(&mut self, later: Self) {
        self.add(later.sum, later.error);
    }
}

/// Sum of squares for the norm: the dot product of a block with itself.
#[derive(Debug, Clone)]
pub struct Squares<A>(pub(crate) A);

impl<W, A: Accumulator<W, 2>> Accumulator<W, 1> for Squares<A> {
    const ORDER_FREE: bool = A::ORDER_FREE;

    fn zero(level: Level) -> Self {
        Self(A::zero(level))
    }

    fn push(&mut self, [block]: [&[W]; 1]) {
        self.0.push([block, block]);
    }

    fn merge(&mut self, later: Self) {
        self.0.merge(later.0);
    }
}

impl Accumulator<f64, 1> for Exact {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self::new(level)
    }

    fn push(&mut self, [block]: [&[f64]; 1]) {
        self.push_sum(block);
    }

    fn merge(&mut self, later: Self) {
        self.join(&later);
    }
}

impl Accumulator<f64, 2> for Exact {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self::new(level)
    }

    fn push(&mut self, [x, y]: [&[f64]; 2]) {
        self.push_products(x, y);
    }

    fn merge(&mut self, later: Self) {
        self.join(&later);
    }
}

/// All bits put together: reads, and does nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    level: Level,
    bits: u64,
}

impl Accumulator<f64, 1> for Reading {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self { level, bits: 0 }
    }

    fn push(&mut self, [block]: [&[f64]; 1]) {
        self.bits |= kernels::read(self.level, block);
    }

    fn merge(&mut self, later: Self) {
        self.bits |= later.bits;
    }
}

impl Reading {
    /// The bits, which keep the compiler from reading nothing.
    pub fn finish(&self) -> u64 {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::{Accumulator, BLOCK, Compensated, Pairwise};
    use crate::reduction::exact::Exact;
    use crate::reduction::{MinMax, Moments};
    use crate::surfaces::Level;

    /// Doubles of many magnitudes from a linear congruential generator.
    fn wild(count: usize) -> Vec<f64> {
        let mut state = 1_u64;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let scale = f64::from_bits((1003 + (state >> 59)) << 52);
                (state >> 11) as f64 / 2f64.powi(53) * scale - scale / 3.0
            })
            .collect()
    }

    fn one<A: Accumulator<f64, 1>>(level: Level, x: &[f64]) -> A {
        let mut total = A::zero(level);
        x.chunks(BLOCK).for_each(|block| total.push([block]));
        total
    }

    fn two<A: Accumulator<f64, 2>>(level: Level, x: &[f64], y: &[f64]) -> A {
        let mut total = A::zero(level);
        x.chunks(BLOCK).zip(y.chunks(BLOCK)).for_each(|(x, y)| total.push([x, y]));
        total
    }

    /// All results of one level as bits.
    fn all(level: Level, x: &[f64], y: &[f64]) -> Vec<u64> {
        let (low, high) = one::<MinMax<f64>>(level, x).finish().unwrap_or_default();
        let (mean, variance) = one::<Moments>(level, x).finish(1.0).unwrap_or_default();
        let values = [
            one::<Exact>(level, x).finish(),
            one::<Compensated>(level, x).finish(),
            one::<Pairwise>(level, x).finish(),
            two::<Exact>(level, x, y).finish(),
            two::<Compensated>(level, x, y).finish(),
            two::<Pairwise>(level, x, y).finish(),
            two::<Exact>(level, x, x).finish_sqrt(),
            low,
            high,
            mean,
            variance,
        ];
        values.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn every_level_of_the_processor_gives_the_same_bits() {
        for count in [0, 1, 15, 16, 33, BLOCK - 1, BLOCK, 2 * BLOCK + 7] {
            let x = wild(count);
            let y: Vec<f64> = x.iter().rev().copied().collect();
            let baseline = all(Level::Baseline, &x, &y);
            for level in [Level::Avx2, Level::Avx512] {
                if level <= Level::best() {
                    assert_eq!(all(level, &x, &y), baseline, "{level:?} at {count}");
                }
            }
        }
    }
}
