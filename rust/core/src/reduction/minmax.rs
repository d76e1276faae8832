//! The range of all elements: not-a-number wins, and zeros are ordered by their sign.

use super::accumulators::Accumulator;
use super::kernels;
use crate::surfaces::Level;

/// Smallest and largest element; not a number as soon as one element is. `-0.0` lies below `+0.0`.
#[derive(Debug, Clone, Copy)]
pub struct MinMax<W> {
    pub(super) level: Level,
    /// `None` before the first element.
    pub(super) range: Option<(W, W)>,
}

impl<W: Copy> MinMax<W> {
    pub(super) fn empty(level: Level) -> Self {
        Self { level, range: None }
    }

    /// Smallest and largest; `None` of no elements.
    pub fn finish(&self) -> Option<(W, W)> {
        self.range
    }
}

/// Where a zero is smallest or largest, the sign it has to carry so that the answer does not depend on the order.
fn signed_zero(block: &[f64], value: f64, negative: bool) -> f64 {
    if value == 0.0 {
        let found = block.iter().any(|x| *x == 0.0 && x.is_sign_negative() == negative);
        return if found == negative { -0.0 } else { 0.0 };
    }
    value
}

fn lower(a: f64, b: f64) -> f64 {
    if a.is_nan() || (!b.is_nan() && a.total_cmp(&b).is_le()) { a } else { b }
}

fn upper(a: f64, b: f64) -> f64 {
    if a.is_nan() || (!b.is_nan() && a.total_cmp(&b).is_ge()) { a } else { b }
}

impl Accumulator<f64, 1> for MinMax<f64> {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self { level, range: None }
    }

    fn push(&mut self, [block]: [&[f64]; 1]) {
        let (low, high, nan) = kernels::min_max(self.level, block);
        let range = if nan {
            (f64::NAN, f64::NAN)
        } else {
            (signed_zero(block, low, true), signed_zero(block, high, false))
        };
        self.merge(Self { level: self.level, range: (!block.is_empty()).then_some(range) });
    }

    fn merge(&mut self, later: Self) {
        self.range = match (self.range, later.range) {
            (Some((low, high)), Some((other_low, other_high))) => {
                Some((lower(low, other_low), upper(high, other_high)))
            }
            (range, None) | (None, range) => range,
        };
    }
}
