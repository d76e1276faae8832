//! Sums that carry their error along, in vectors of the width of each level.
// Vector instructions are unsafe where the processor may lack them.
#![allow(unsafe_code)]
// The body must be inlined into the function that carries the processor level, or it is compiled without it.
#![allow(clippy::inline_always)]

use super::kernels::{padded, prefetch, two_sum};
use super::vector::Vector;

/// Lanes of the compensated kernels: two vectors of sums and two of errors hide the latency.
pub(super) const PAIRS: usize = 16;

/// Sums and errors in vectors: `K` of each, [`PAIRS`] lanes together.
#[derive(Clone, Copy)]
struct Pairs<V, const K: usize> {
    sums: [V; K],
    errors: [V; K],
}

impl<V: Vector, const K: usize> Pairs<V, K> {
    /// # Safety
    /// As for every method here and of [`Vector`]: the processor has the instructions.
    #[inline(always)]
    unsafe fn zero() -> Self {
        const { assert!(V::LANES * K == PAIRS) };
        // SAFETY: the caller has the instructions.
        unsafe { Self { sums: [V::zero(); K], errors: [V::zero(); K] } }
    }

    /// Two-sum of lane `k` and `x`.
    #[inline(always)]
    unsafe fn add(&mut self, k: usize, x: V) {
        // SAFETY: the caller has the instructions.
        unsafe {
            let before = self.sums[k];
            let sum = before.add(x);
            let part = sum.sub(before);
            let error = before.sub(sum.sub(part)).add(x.sub(part));
            self.sums[k] = sum;
            self.errors[k] = self.errors[k].add(error);
        }
    }

    #[inline(always)]
    unsafe fn add_row(&mut self, row: &[f64; PAIRS]) {
        for k in 0..K {
            // SAFETY: the caller has the instructions.
            unsafe { self.add(k, V::load(&row[k * V::LANES..])) };
        }
    }

    #[inline(always)]
    unsafe fn add_products(&mut self, x: &[f64; PAIRS], y: &[f64; PAIRS]) {
        for k in 0..K {
            // SAFETY: the caller has the instructions.
            unsafe {
                let (x, y) = (V::load(&x[k * V::LANES..]), V::load(&y[k * V::LANES..]));
                let product = x.mul(y);
                self.errors[k] = self.errors[k].add(x.mul_sub(y, product));
                self.add(k, product);
            }
        }
    }

    #[inline(always)]
    unsafe fn finish(self) -> (f64, f64) {
        let (mut sums, mut errors) = ([0.0; PAIRS], [0.0; PAIRS]);
        for k in 0..K {
            // SAFETY: the caller has the instructions.
            unsafe {
                self.sums[k].store(&mut sums[k * V::LANES..]);
                self.errors[k].store(&mut errors[k * V::LANES..]);
            }
        }
        halve_pairs(sums, errors)
    }
}

#[inline(always)]
fn halve_pairs(mut sums: [f64; PAIRS], mut errors: [f64; PAIRS]) -> (f64, f64) {
    let mut width = PAIRS / 2;
    while width > 0 {
        for i in 0..width {
            let (sum, error) = two_sum(sums[i], sums[i + width]);
            sums[i] = sum;
            errors[i] += errors[i + width] + error;
        }
        width /= 2;
    }
    (sums[0], errors[0])
}

#[inline(always)]
pub(super) fn sum_compensated_body<V: Vector, const K: usize>(block: &[f64]) -> (f64, f64) {
    let (rows, rest) = block.as_chunks::<PAIRS>();
    // SAFETY: compiled into the function for a level that has the instructions of `V`.
    unsafe {
        let mut pairs = Pairs::<V, K>::zero();
        for row in rows {
            prefetch(row);
            pairs.add_row(row);
        }
        pairs.add_row(&padded(rest));
        pairs.finish()
    }
}

#[inline(always)]
pub(super) fn dot_compensated_body<V: Vector, const K: usize>(x: &[f64], y: &[f64]) -> (f64, f64) {
    let ((rows_x, rest_x), (rows_y, rest_y)) = (x.as_chunks::<PAIRS>(), y.as_chunks::<PAIRS>());
    // SAFETY: compiled into the function for a level that has the instructions of `V`.
    unsafe {
        let mut pairs = Pairs::<V, K>::zero();
        for (x, y) in rows_x.iter().zip(rows_y) {
            prefetch(x);
            prefetch(y);
            pairs.add_products(x, y);
        }
        pairs.add_products(&padded(rest_x), &padded(rest_y));
        pairs.finish()
    }
}
