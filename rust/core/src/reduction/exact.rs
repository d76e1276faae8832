//! The correctly rounded sum at nearly the speed of reading: grids take the block apart, an accumulator keeps it.
//!
//! Two grids, `1.5 * 2^e` each, take the upper 84 bits out of every element of a block by additions
//! alone (`Peeled` in the kernels says why); their sums over a block are exact and go into the
//! superaccumulator as two numbers. Elements that reach below the second grid are taken apart again from what
//! is left, until nothing is. The grids of one block are tried on the next, so that a pass over
//! well-behaved data looks at every element once.

use super::accumulators::BLOCK;
use super::kernels::{self, Peeled};
use super::superaccumulator::{LIMBS, Superaccumulator};
use crate::surfaces::Level;

/// Bits that the count of elements adds to a sum over a block.
const BLOCK_BITS: i32 = BLOCK.ilog2().cast_signed();

/// Bits between the two grids: 53 less the bits of the count and one for rounding to either side.
const GRID_BITS: i32 = 53 - BLOCK_BITS + 1;

/// Above this exponent a grid or a sum over a block would overflow: such blocks go element by element.
const HIGHEST: i32 = 1000;

/// A grid below this would round at less than the smallest subnormal, which is a grid of its own.
const LOWEST_GRID: i32 = -1022;

/// Bits left free above the largest element of a block, so that a slightly larger one fits the next time.
const SLACK: i32 = 2;

/// Exponent `t` with `|x| < 2^t` for everything up to `largest`.
fn exponent_above(largest: f64) -> i32 {
    ((largest.to_bits() >> 52 & 0x7ff) as i32 - 1022).max(-1074)
}

fn grids(top: i32) -> [f64; 2] {
    let grid = |exponent: i32| {
        let exponent = exponent.max(LOWEST_GRID);
        1.5 * f64::from_bits(((exponent + 1023) as u64) << 52)
    };
    let first = top + BLOCK_BITS - 1;
    [grid(first), grid(first - GRID_BITS)]
}

/// Takes blocks apart, remembering where the last block's largest element was.
#[derive(Debug, Clone, Copy)]
struct Peeler {
    level: Level,
    top: i32,
    /// Whether the last block reached below the second grid: then the next is copied at once.
    wide: bool,
}

impl Peeler {
    fn new(level: Level) -> Self {
        Self { level, top: i32::MIN, wide: false }
    }

    /// Add a block to the sum; false where it holds something infinite, not a number or near overflow.
    fn push(&mut self, block: &[f64], spare: &mut [f64], sum: &mut Superaccumulator) -> bool {
        if !self.wide {
            if self.top != i32::MIN {
                let peeled = kernels::peel(self.level, block, grids(self.top));
                if self.take(peeled, sum) {
                    return true;
                }
            }
            let largest = kernels::largest(self.level, block);
            if !largest.is_finite() {
                return false;
            }
            self.top = exponent_above(largest) + SLACK;
            if self.top > HIGHEST {
                self.top = i32::MIN;
                return false;
            }
            if self.take(kernels::peel(self.level, block, grids(self.top)), sum) {
                return true;
            }
            self.wide = true;
        }
        let spare = &mut spare[..block.len()];
        spare.copy_from_slice(block);
        self.take_apart(spare, sum)
    }

    /// Add what was peeled, if the grids were high enough, low enough, and everything was finite.
    fn take(self, peeled: Peeled, sum: &mut Superaccumulator) -> bool {
        let fits = !peeled.rest
            && exponent_above(peeled.largest) <= self.top
            && peeled.sums.iter().all(|sum| sum.is_finite());
        if fits {
            peeled.sums.iter().for_each(|&part| sum.add(part));
        }
        fits
    }

    /// Peel a copy until nothing is left.
    fn take_apart(&mut self, copy: &mut [f64], sum: &mut Superaccumulator) -> bool {
        let mut parts = [0.0; 2 * PEELS];
        let mut passes = 0;
        loop {
            let largest = kernels::largest(self.level, copy);
            let top = exponent_above(largest);
            if top > HIGHEST || !largest.is_finite() || passes == PEELS {
                return false;
            }
            let peeled = kernels::peel_in_place(self.level, copy, grids(top));
            if !peeled.sums.iter().all(|sum| sum.is_finite()) {
                return false;
            }
            parts[2 * passes..2 * passes + 2].copy_from_slice(&peeled.sums);
            passes += 1;
            if !peeled.rest {
                break;
            }
        }
        if passes == 1 {
            self.wide = false;
            self.top = i32::MIN;
        }
        for part in parts {
            sum.add(part);
        }
        true
    }
}

/// Passes after which every double is used up: 2098 bits, at least 82 a pass.
const PEELS: usize = 26;

/// What is not finite, which no fixed-point number can hold.
#[derive(Debug, Clone, Copy, Default)]
struct Special {
    nan: bool,
    positive: bool,
    negative: bool,
}

impl Special {
    fn add(&mut self, value: f64) {
        self.nan |= value.is_nan();
        self.positive |= value == f64::INFINITY;
        self.negative |= value == f64::NEG_INFINITY;
    }

    /// What IEEE addition makes of them in any order; `None` where everything was finite.
    fn value(self) -> Option<f64> {
        match self {
            Self { nan: true, .. } | Self { positive: true, negative: true, .. } => Some(f64::NAN),
            Self { positive: true, .. } => Some(f64::INFINITY),
            Self { negative: true, .. } => Some(f64::NEG_INFINITY),
            Self { .. } => None,
        }
    }
}

/// An exact sum of elements or of products, rounded once at the end.
#[derive(Debug, Clone)]
pub struct Exact {
    level: Level,
    sum: Superaccumulator,
    special: Special,
    high: Peeler,
    low: Peeler,
    spare: Vec<f64>,
}

impl Exact {
    pub(crate) fn new(level: Level) -> Self {
        Self {
            level,
            sum: Superaccumulator::default(),
            special: Special::default(),
            high: Peeler::new(level),
            low: Peeler::new(level),
            spare: Vec::new(),
        }
    }

    /// Words of a saved sum: its limbs, then how many parts were not a number, infinite or negatively infinite.
    pub(super) const STATE: usize = LIMBS + 3;

    pub(super) fn words(&self) -> Vec<i64> {
        let special = [self.special.nan, self.special.positive, self.special.negative];
        self.sum.words().into_iter().chain(special.map(i64::from)).collect()
    }

    pub(super) fn of_words(words: &[i64]) -> Self {
        let (limbs, special) = words.split_at(LIMBS);
        let special = Special { nan: special[0] > 0, positive: special[1] > 0, negative: special[2] > 0 };
        Self { sum: Superaccumulator::of_words(limbs), special, ..Self::new(Level::best()) }
    }

    fn room(&mut self, elements: usize) {
        if self.spare.len() < elements {
            self.spare.resize(elements, 0.0);
        }
    }

    pub(crate) fn push_sum(&mut self, block: &[f64]) {
        self.room(BLOCK);
        if !self.high.push(block, &mut self.spare, &mut self.sum) {
            for &value in block {
                if value.is_finite() {
                    self.sum.add(value);
                } else {
                    self.special.add(value);
                }
            }
        }
    }

    pub(crate) fn push_products(&mut self, x: &[f64], y: &[f64]) {
        // Half a block at a time: products, their errors and the spare copy then share the first cache.
        const HALF: usize = BLOCK / 2;
        self.room(3 * HALF);
        for (x, y) in x.chunks(HALF).zip(y.chunks(HALF)) {
            let (high, rest) = self.spare.split_at_mut(HALF);
            let (low, spare) = rest.split_at_mut(HALF);
            let (high, low) = (&mut high[..x.len()], &mut low[..x.len()]);
            let products = kernels::products(self.level, x, y, high, low);
            if !products.exact {
                self.push_products_one_by_one(x, y);
                continue;
            }
            // Neither can be refused: all is finite and far from overflow where the products are exact.
            let taken = self.high.push(high, spare, &mut self.sum)
                && (!products.inexact || self.low.push(low, spare, &mut self.sum));
            debug_assert!(taken);
        }
    }

    fn push_products_one_by_one(&mut self, x: &[f64], y: &[f64]) {
        for (&x, &y) in x.iter().zip(y) {
            if x.is_finite() && y.is_finite() {
                self.sum.add_product(x, y);
            } else {
                self.special.add(x * y);
            }
        }
    }

    pub(crate) fn join(&mut self, later: &Self) {
        self.sum.merge(&later.sum);
        self.special.nan |= later.special.nan;
        self.special.positive |= later.special.positive;
        self.special.negative |= later.special.negative;
    }

    /// The sum, correctly rounded. An exact zero is `+0.0`, whatever the signs of the elements.
    pub fn finish(&self) -> f64 {
        self.special.value().unwrap_or_else(|| self.sum.round())
    }

    /// The square root of the sum, rounded once.
    pub fn finish_sqrt(&self) -> f64 {
        self.special.value().map_or_else(|| self.sum.sqrt(), f64::sqrt)
    }
}
