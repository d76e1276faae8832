//! The loops over one block: plain, compensated and error-free, each compiled for every level of the processor.
//!
//! A kernel is written once over lanes that LLVM turns into vectors of whatever width the level has. No
//! kernel may change its answer with the level: lanes are fixed in number where their order matters.
// Calling a function compiled for a processor level is unsafe, and so is the prefetch instruction.
#![allow(unsafe_code)]
// The body must be inlined into the function that carries the processor level, or it is compiled without it.
#![allow(clippy::inline_always)]

use super::pairs::{PAIRS, dot_compensated_body, sum_compensated_body};
use super::vector::Plain;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256d, __m512d};

/// Look-ahead of the software prefetch in elements: 4 KB, a page. Streams of several operations per
/// element are too slow for the hardware prefetcher to run far enough ahead.
const AHEAD: usize = 512;

/// Lanes of the kernels whose order of additions decides the last bits.
pub(crate) const LANES: usize = 32;

#[inline(always)]
pub(super) fn prefetch(block: &[f64]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        for line in 0..block.len().div_ceil(8) {
            // SAFETY: a prefetch reads nothing and never faults, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(AHEAD + 8 * line).cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = block;
}

/// Compile a body for every level, and choose one when called.
macro_rules! kernel {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = [$baseline:expr, $avx2:expr, $avx512:expr];) => {
        $(#[$doc])*
        pub(crate) fn $name(level: $crate::surfaces::Level, $($arg: $ty),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $ty),*) -> $out {
                    $avx2($($arg),*)
                }
                #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $ty),*) -> $out {
                    $avx512($($arg),*)
                }
                match level {
                    // SAFETY: a level is only ever constructed where the processor has it.
                    $crate::surfaces::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    $crate::surfaces::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::surfaces::Level::Baseline => {}
                }
            }
            let _ = level;
            $baseline($($arg),*)
        }
    };
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $body:expr;) => {
        $crate::reduction::kernels::kernel! { $(#[$doc])* fn $name($($arg: $ty),*) -> $out = [$body, $body, $body]; }
    };
}

pub(crate) use kernel;

kernel! {
    /// Sum of a block in fixed lanes, then over the lanes by halves.
    fn sum(block: &[f64]) -> f64 = sum_body;
}
kernel! {
    /// Sum of the products of two blocks in fixed lanes.
    fn dot(x: &[f64], y: &[f64]) -> f64 = dot_body;
}
kernel! {
    /// Sum and the error it made, by Knuth's two-sum in fixed lanes.
    fn sum_compensated(block: &[f64]) -> (f64, f64)
        = [sum_compensated_body::<Plain, 8>, sum_compensated_body::<__m256d, 4>, sum_compensated_body::<__m512d, 2>];
}
kernel! {
    /// Sum of products and the error it made, each product split in two by a fused multiply-add.
    fn dot_compensated(x: &[f64], y: &[f64]) -> (f64, f64)
        = [dot_compensated_body::<Plain, 8>, dot_compensated_body::<__m256d, 4>, dot_compensated_body::<__m512d, 2>];
}
kernel! {
    /// Products and their rounding errors; says whether some product left the range where the error is exact.
    fn products(x: &[f64], y: &[f64], high: &mut [f64], low: &mut [f64]) -> Products
        = products_body;
}
kernel! {
    /// Sum of the parts of a block above two grids; see [`Peeled`].
    fn peel(block: &[f64], grids: [f64; 2]) -> Peeled = [peel_body::<4>, peel_body::<8>, peel_body::<16>];
}
kernel! {
    /// The same, and what lies below the second grid stays in the block.
    fn peel_in_place(block: &mut [f64], grids: [f64; 2]) -> Peeled
        = [peel_in_place_body::<4>, peel_in_place_body::<8>, peel_in_place_body::<16>];
}
kernel! {
    /// All bits of a block put together: nothing but reading, the limit that other kernels are held against.
    fn read(block: &[f64]) -> u64 = read_body;
}
kernel! {
    /// Smallest and largest element, and whether one is not a number. Zeros of both signs are equal here.
    fn min_max(block: &[f64]) -> (f64, f64, bool) = min_max_body;
}
kernel! {
    /// Sum of the deviations from `centre` and of their squares.
    fn deviations(block: &[f64], centre: f64) -> (f64, f64) = deviations_body;
}

kernel! {
    /// Largest absolute value of a block, ignoring what is not a number.
    fn largest(block: &[f64]) -> f64 = largest_body;
}

#[inline(always)]
fn largest_body(block: &[f64]) -> f64 {
    let mut tops = [0.0; LANES];
    let (rows, rest) = block.as_chunks::<LANES>();
    let mut add = |row: &[f64; LANES]| {
        for i in 0..LANES {
            tops[i] = if row[i].abs() > tops[i] { row[i].abs() } else { tops[i] };
        }
    };
    rows.iter().for_each(&mut add);
    add(&padded(rest));
    tops.iter().fold(0.0, |top, &x| if x > top { x } else { top })
}

/// Two-sum: `a + b` rounded, and the error of that rounding, exactly.
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// Add the lanes by halves: the same order at every width.
#[inline(always)]
fn halve<const L: usize>(mut lanes: [f64; L]) -> f64 {
    let mut width = L / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The elements of the last, incomplete row of lanes, filled up with zeros.
#[inline(always)]
pub(super) fn padded<const L: usize>(rest: &[f64]) -> [f64; L] {
    let mut row = [0.0; L];
    row[..rest.len()].copy_from_slice(rest);
    row
}

#[inline(always)]
fn read_body(block: &[f64]) -> u64 {
    let mut bits = [0; LANES];
    let (rows, rest) = block.as_chunks::<LANES>();
    for row in rows {
        prefetch(row);
        for i in 0..LANES {
            bits[i] |= row[i].to_bits();
        }
    }
    rest.iter().fold(bits.iter().fold(0, |all, bits| all | bits), |all, x| all | x.to_bits())
}

#[inline(always)]
fn sum_body(block: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (rows, rest) = block.as_chunks::<LANES>();
    for row in rows {
        prefetch(row);
        for i in 0..LANES {
            lanes[i] += row[i];
        }
    }
    let rest = padded::<LANES>(rest);
    for i in 0..LANES {
        lanes[i] += rest[i];
    }
    halve(lanes)
}

#[inline(always)]
fn dot_body(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let ((rows_x, rest_x), (rows_y, rest_y)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    for (x, y) in rows_x.iter().zip(rows_y) {
        for i in 0..LANES {
            lanes[i] += x[i] * y[i];
        }
    }
    let (x, y) = (padded::<LANES>(rest_x), padded::<LANES>(rest_y));
    for i in 0..LANES {
        lanes[i] += x[i] * y[i];
    }
    halve(lanes)
}

/// What [`products`] saw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Products {
    /// Every product is zero because a factor is, or in the range where product and error are both exact.
    pub(crate) exact: bool,
    /// Some product has a rounding error.
    pub(crate) inexact: bool,
}

/// Below this a product's rounding error may fall under the smallest subnormal; above the second it may overflow.
const PRODUCT_RANGE: [f64; 2] = [f64::from_bits((1023 - 960) << 52), f64::from_bits((1023 + 990) << 52)];

#[inline(always)]
fn products_body(x: &[f64], y: &[f64], high: &mut [f64], low: &mut [f64]) -> Products {
    let (mut outside, mut errors) = (0u64, 0u64);
    for (((x, y), high), low) in x.iter().zip(y).zip(high).zip(low) {
        let product = x * y;
        let error = x.mul_add(*y, -product);
        *high = product;
        *low = error;
        // Written so that what is not a number counts as outside.
        let inside = product.abs() >= PRODUCT_RANGE[0] && product.abs() <= PRODUCT_RANGE[1];
        // A factor that is infinite times zero is not a number: then the product is not zero.
        let zero = product == 0.0 && (*x == 0.0 || *y == 0.0);
        outside |= u64::from(!(inside || zero));
        errors |= error.to_bits() << 1;
    }
    Products { exact: outside == 0, inexact: errors != 0 }
}

/// What two grids took out of a block.
///
/// With `grid = 1.5 * 2^e`, `(grid + x) - grid` is `x` rounded to a multiple of `2^(e-52)`, the
/// difference to `x` is exact, and sums of such multiples are exact as long as they stay below `2^(e+1)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peeled {
    /// Exact sums above the first and the second grid.
    pub(crate) sums: [f64; 2],
    /// Largest absolute value, ignoring what is not a number.
    pub(crate) largest: f64,
    /// Some element has a part below the second grid.
    pub(crate) rest: bool,
}

#[derive(Clone, Copy)]
struct Peeling<const L: usize> {
    sums: [[f64; L]; 2],
    largest: [f64; L],
    rest: [u64; L],
}

impl<const L: usize> Peeling<L> {
    #[inline(always)]
    fn new() -> Self {
        Self { sums: [[0.0; L]; 2], largest: [0.0; L], rest: [0; L] }
    }

    #[inline(always)]
    fn row(&mut self, row: &[f64; L], grids: [f64; 2]) -> [f64; L] {
        let mut below = [0.0; L];
        for i in 0..L {
            let x = row[i];
            let top = x.abs();
            self.largest[i] = if top > self.largest[i] { top } else { self.largest[i] };
            let first = (grids[0] + x) - grids[0];
            self.sums[0][i] += first;
            let x = x - first;
            let second = (grids[1] + x) - grids[1];
            self.sums[1][i] += second;
            below[i] = x - second;
            self.rest[i] |= below[i].to_bits();
        }
        below
    }

    #[inline(always)]
    fn finish(self) -> Peeled {
        Peeled {
            sums: [halve(self.sums[0]), halve(self.sums[1])],
            largest: self.largest.iter().fold(0.0, |top, &x| if x > top { x } else { top }),
            rest: self.rest.iter().fold(0, |any, bits| any | bits) << 1 != 0,
        }
    }
}

#[inline(always)]
fn peel_body<const L: usize>(block: &[f64], grids: [f64; 2]) -> Peeled {
    let mut peeling = Peeling::<L>::new();
    let (rows, rest) = block.as_chunks::<L>();
    for row in rows {
        prefetch(row);
        peeling.row(row, grids);
    }
    peeling.row(&padded(rest), grids);
    peeling.finish()
}

#[inline(always)]
fn peel_in_place_body<const L: usize>(block: &mut [f64], grids: [f64; 2]) -> Peeled {
    let mut peeling = Peeling::<L>::new();
    let (rows, rest) = block.as_chunks_mut::<L>();
    for row in rows {
        *row = peeling.row(row, grids);
    }
    let below = peeling.row(&padded(rest), grids);
    rest.copy_from_slice(&below[..rest.len()]);
    peeling.finish()
}

#[inline(always)]
fn min_max_body(block: &[f64]) -> (f64, f64, bool) {
    let (mut low, mut high, mut nan) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES], [0u64; LANES]);
    let (rows, rest) = block.as_chunks::<LANES>();
    for row in rows {
        for i in 0..LANES {
            let x = row[i];
            low[i] = if x < low[i] { x } else { low[i] };
            high[i] = if x > high[i] { x } else { high[i] };
            nan[i] |= u64::from(x.is_nan());
        }
    }
    for (i, &x) in rest.iter().enumerate() {
        low[i] = if x < low[i] { x } else { low[i] };
        high[i] = if x > high[i] { x } else { high[i] };
        nan[i] |= u64::from(x.is_nan());
    }
    let low = low.iter().fold(f64::INFINITY, |low, &x| if x < low { x } else { low });
    let high = high.iter().fold(f64::NEG_INFINITY, |high, &x| if x > high { x } else { high });
    (low, high, nan.iter().any(|&nan| nan != 0))
}

#[inline(always)]
fn deviations_body(block: &[f64], centre: f64) -> (f64, f64) {
    let (mut sums, mut squares) = ([0.0; PAIRS], [0.0; PAIRS]);
    let (rows, rest) = block.as_chunks::<PAIRS>();
    for row in rows {
        for i in 0..PAIRS {
            let deviation = row[i] - centre;
            sums[i] += deviation;
            squares[i] += deviation * deviation;
        }
    }
    for (i, x) in rest.iter().enumerate() {
        let deviation = x - centre;
        sums[i] += deviation;
        squares[i] += deviation * deviation;
    }
    (halve(sums), halve(squares))
}
