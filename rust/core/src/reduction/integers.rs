//! Exact sums of integers, of any width and count.
// The bodies of kernels must be inlined into the functions that carry the processor level.
#![allow(unsafe_code, clippy::inline_always)]

use super::accumulators::Accumulator;
use super::kernels::kernel;
use super::minmax::MinMax;
use super::strided::Load;
use super::superaccumulator::Superaccumulator;
use crate::surfaces::Level;

/// An integer element: products of two fit in 128 bits.
pub trait Integer: Load<Self> + Ord + Default {
    /// Smallest and largest value of the type.
    const ENDS: (Self, Self);
    /// Sum of a block of fewer than 2^31 elements.
    fn sum(level: Level, block: &[Self]) -> i128;
    /// Smallest and largest of a block.
    fn range(level: Level, block: &[Self]) -> (Self, Self);
    /// The element, widened.
    fn wide(self) -> i128;
}

macro_rules! integer {
    ($($t:ty: $total:expr;)*) => {$(
        impl Integer for $t {
            const ENDS: (Self, Self) = (<$t>::MIN, <$t>::MAX);
            fn sum(level: Level, block: &[Self]) -> i128 {
                kernel! {
                    /// Sum of a block in two parts: units and multiples of 2^32.
                    fn total(block: &[$t]) -> (i128, i128) = $total;
                }
                let (low, high) = total(level, block);
                low + (high << 32)
            }
            fn range(level: Level, block: &[Self]) -> (Self, Self) {
                kernel! {
                    /// Smallest and largest; the ends of the type the other way round for an empty block.
                    fn range(block: &[$t]) -> ($t, $t) = range_body;
                }
                range(level, block)
            }
            fn wide(self) -> i128 { i128::from(self) }
        }
    )*};
}
integer! {
    i8: small_body;
    u8: small_body;
    i16: small_body;
    u16: small_body;
    i32: small_body;
    u32: small_body;
    i64: |block: &[i64]| {
        // Two sums of halves, each inside 64 bits, are what vectors can add.
        let (mut low, mut high) = (0i64, 0i64);
        for &x in block {
            low += x & 0xffff_ffff;
            high += x >> 32;
        }
        (i128::from(low), i128::from(high))
    };
    u64: |block: &[u64]| {
        let (mut low, mut high) = (0u64, 0u64);
        for &x in block {
            low += x & 0xffff_ffff;
            high += x >> 32;
        }
        (i128::from(low), i128::from(high))
    };
}

#[inline(always)]
fn small_body<T: Copy + Into<i64>>(block: &[T]) -> (i128, i128) {
    // Fewer than 2^31 elements of at most 32 bits stay inside 64.
    let mut total = 0i64;
    for &x in block {
        total += x.into();
    }
    (i128::from(total), 0)
}

#[inline(always)]
fn range_body<T: Integer>(block: &[T]) -> (T, T) {
    let (mut low, mut high) = (T::ENDS.1, T::ENDS.0);
    for &x in block {
        low = low.min(x);
        high = high.max(x);
    }
    (low, high)
}

/// A sum of integers or of products of two, in 192 bits.
#[derive(Debug, Clone, Copy)]
pub struct IntegerSum {
    level: Level,
    /// Multiples of 2^64.
    high: i128,
    /// The rest; below 2^127 for as many elements as fit in memory.
    low: i128,
}

impl IntegerSum {
    #[inline]
    fn add(&mut self, value: i128) {
        self.high += value >> 64;
        self.low += value & i128::from(u64::MAX);
    }

    fn join(&mut self, later: Self) {
        self.high += later.high;
        self.low += later.low;
    }

    pub(super) fn of_parts(high: i128, low: i128) -> Self {
        Self { level: Level::best(), high, low }
    }

    /// The sum as `(high, low)`: `high * 2^64 + low`.
    pub fn finish(&self) -> (i128, u64) {
        (self.high + (self.low >> 64), self.low as u64)
    }

    /// The square root of the sum, rounded once to a double.
    pub fn finish_sqrt(&self) -> f64 {
        let mut total = Superaccumulator::default();
        total.add_integer(self.high, 64);
        total.add_integer(self.low, 0);
        total.sqrt()
    }
}

impl<T: Integer> Accumulator<T, 1> for IntegerSum {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self { level, high: 0, low: 0 }
    }

    fn push(&mut self, [block]: [&[T]; 1]) {
        self.add(T::sum(self.level, block));
    }

    fn merge(&mut self, later: Self) {
        self.join(later);
    }
}

impl<T: Integer> Accumulator<T, 2> for IntegerSum {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self { level, high: 0, low: 0 }
    }

    fn push(&mut self, [x, y]: [&[T]; 2]) {
        x.iter().zip(y).for_each(|(x, y)| self.add_product(*x, *y));
    }

    fn merge(&mut self, later: Self) {
        self.join(later);
    }
}

impl IntegerSum {
    #[inline]
    fn add_product<T: Integer>(&mut self, x: T, y: T) {
        // The square of 2^64 - 1 needs the 128th bit, so that a product of large elements is halved first.
        let (x, y) = (x.wide(), y.wide());
        if size_of::<T>() < 8 {
            self.add(x * y);
        } else {
            self.add(x * (y & 0xffff_ffff));
            let upper = x * (y >> 32);
            self.high += upper >> 32;
            self.low += (upper & 0xffff_ffff) << 32;
        }
    }
}

impl<T: Integer> Accumulator<T, 1> for MinMax<T> {
    const ORDER_FREE: bool = true;

    fn zero(level: Level) -> Self {
        Self::empty(level)
    }

    fn push(&mut self, [block]: [&[T]; 1]) {
        if !block.is_empty() {
            self.join(T::range(self.level, block));
        }
    }

    fn merge(&mut self, later: Self) {
        if let Some(range) = later.finish() {
            self.join(range);
        }
    }
}

impl<T: Integer> MinMax<T> {
    fn join(&mut self, (low, high): (T, T)) {
        self.range = Some(
            self.range.map_or((low, high), |(mine_low, mine_high)| (mine_low.min(low), mine_high.max(high))),
        );
    }
}
