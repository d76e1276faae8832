//! A cheap bound for many cells at once: a sum of products, without a division.
//!
//! Most laws are `scale / g` or `scale * g` with `g` a sum of non-negative products. `g` differs
//! from what the exact expression divides by (or multiplies) by a few roundings, so a block of
//! columns whose smallest `g` is more than [`Screen::MARGIN`] roundings away from the best one cannot hold
//! the answer. Blocks that can are evaluated exactly.
#![allow(unsafe_code)] // Functions of a CPU level; each block states its reason.
#![allow(clippy::inline_always)] // Bodies must land inside the function that enables the CPU level.

use super::lanes::{Lanes, Portable};
use super::law::{Finish, Form, Row, TABLES};
use super::level::Level;
use super::real::Real;

/// Products of the longest sum: a leading term and four others.
pub(super) const PRODUCTS: usize = 5;
/// Columns of one block.
pub(super) const BLOCK: usize = 512;
/// Rows that share the loads of one pass.
pub(super) const TOGETHER: usize = 4;

/// Whether the value grows or falls with the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// `value = scale * sum`.
    Direct,
    /// `value = scale / sum`.
    Inverse,
}

/// The bound of one law and quantity.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    form: Form,
    over_column: bool,
    pub(super) sense: Sense,
    pub(super) products: usize,
}

impl Screen {
    /// Roundings that the sum and the exact expression may be apart, with a wide reserve.
    pub(super) const MARGIN: f64 = 64.0;

    /// The bound, where the law has one.
    pub(super) fn new(form: Form, finish: Finish) -> Option<Self> {
        let products = match form {
            Form::Quotient => 2,
            Form::Row(terms) | Form::Column(terms) => terms + 1,
            Form::Both | Form::Tree => return None,
        };
        let (sense, over_column) = match finish {
            Finish::Scale => (Sense::Direct, false),
            Finish::Over => (Sense::Inverse, false),
            Finish::ColumnOver => (Sense::Inverse, true),
            Finish::RowOver => return None,
        };
        Some(Self { form, over_column, sense, products })
    }

    /// The coefficients of a row.
    pub(super) fn coefficients<T: Real>(&self, row: &Row<T>) -> [T; PRODUCTS] {
        let lead = if let Form::Column(_) = self.form { T::ONE } else { row[0] };
        [lead, row[1], row[2], row[3], row[4]]
    }

    /// Writes the factors of the columns, one table after the other.
    pub(super) fn factors<T: Real>(&self, tables: &[&[T]; TABLES], factors: &mut [Vec<T>; PRODUCTS]) {
        let length = tables[0].len();
        for (index, factor) in factors.iter_mut().enumerate().take(self.products) {
            factor.clear();
            if index > 0 || matches!(self.form, Form::Column(_)) {
                factor.extend_from_slice(tables[index]);
            } else {
                factor.resize(length, T::ONE);
            }
            if self.over_column {
                for (value, &column) in factor.iter_mut().zip(tables[5]) {
                    *value = *value / column;
                }
            }
        }
    }

    /// Whether the bound holds for these coefficients over factors with these extents.
    pub(super) fn holds<T: Real>(&self, row: &Row<T>, extents: &[(T, T); PRODUCTS]) -> bool {
        let coefficients = self.coefficients(row);
        let (mut low, mut high) = (0.0, 0.0);
        for (coefficient, extent) in coefficients.iter().zip(extents).take(self.products) {
            let (coefficient, least, most) = (coefficient.to_f64(), extent.0.to_f64(), extent.1.to_f64());
            if !(coefficient >= 0.0 && least >= 0.0) {
                return false;
            }
            low += coefficient * least;
            high += coefficient * most;
        }
        let scale = row[5].to_f64();
        let (least, most) = (T::PAIR.0.to_f64(), T::PAIR.1.to_f64());
        low > least && high < most && scale > least && scale < most
    }

    /// Smallest and largest sum of each block, for [`TOGETHER`] rows.
    ///
    /// `spans[row * blocks + block]` is written; `wide` asks for the largest as well.
    pub(super) fn spans<T: Real>(
        &self,
        level: Level,
        coefficients: &[[T; PRODUCTS]; TOGETHER],
        factors: &[Vec<T>; PRODUCTS],
        wide: bool,
        spans: &mut [[(T, T); TOGETHER]],
    ) {
        let f = factors;
        let columns = [&f[0][..], &f[1][..], &f[2][..], &f[3][..], &f[4][..]];
        match level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a level is given only to a processor that has it.
            Level::Avx512 => unsafe { spans_avx512(self.products, coefficients, columns, wide, spans) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { spans_avx2(self.products, coefficients, columns, wide, spans) },
            _ => spans_plain(self.products, coefficients, columns, wide, spans),
        }
    }
}

/// Coefficients of rows, columns of factors, spans to write.
type Columns<'a, T> = [&'a [T]; PRODUCTS];

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
unsafe fn spans_avx512<T: Real>(
    products: usize,
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    wide: bool,
    spans: &mut [[(T, T); TOGETHER]],
) {
    // SAFETY: this function has the level of the vectors.
    unsafe { body::<T, T::Zmm>(products, coefficients, columns, wide, spans) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn spans_avx2<T: Real>(
    products: usize,
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    wide: bool,
    spans: &mut [[(T, T); TOGETHER]],
) {
    // SAFETY: this function has the level of the vectors.
    unsafe { body::<T, T::Ymm>(products, coefficients, columns, wide, spans) };
}

fn spans_plain<T: Real>(
    products: usize,
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    wide: bool,
    spans: &mut [[(T, T); TOGETHER]],
) {
    // SAFETY: these vectors need no level.
    unsafe { body::<T, Portable<T>>(products, coefficients, columns, wide, spans) };
}

/// # Safety
/// The processor has the level of `V`, and the first `products` columns are equally long.
#[inline(always)]
unsafe fn body<T: Real, V: Lanes<T>>(
    products: usize,
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    wide: bool,
    spans: &mut [[(T, T); TOGETHER]],
) {
    macro_rules! with {
        ($products:literal, $wide:literal) => {
            // SAFETY: passed on.
            unsafe { pass::<T, V, $products, $wide>(coefficients, columns, spans) }
        };
    }
    match (products, wide) {
        (1, false) => with!(1, false),
        (2, false) => with!(2, false),
        (3, false) => with!(3, false),
        (4, false) => with!(4, false),
        (_, false) => with!(5, false),
        (1, true) => with!(1, true),
        (2, true) => with!(2, true),
        (3, true) => with!(3, true),
        (4, true) => with!(4, true),
        (_, true) => with!(5, true),
    }
}

/// # Safety
/// As for [`body`].
#[inline(always)]
unsafe fn pass<T: Real, V: Lanes<T>, const USED: usize, const WIDE: bool>(
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    spans: &mut [[(T, T); TOGETHER]],
) {
    let length = columns[0].len();
    assert!(columns[..USED].iter().all(|column| column.len() == length));
    for (block, span) in spans.iter_mut().enumerate() {
        let (from, to) = (block * BLOCK, (block * BLOCK + BLOCK).min(length));
        let whole = (to - from) / V::WIDTH * V::WIDTH;
        *span = [(T::INFINITY, T::ZERO); TOGETHER];
        // SAFETY: the level is the caller's; `from + whole` is at most the length of every column.
        unsafe {
            let c: [[V; USED]; TOGETHER] = coefficients.map(|row| std::array::from_fn(|k| V::splat(row[k])));
            let mut low = [V::splat(T::INFINITY); TOGETHER];
            let mut high = [V::splat(T::ZERO); TOGETHER];
            let mut column = from;
            while column < from + whole {
                let mut u = [low[0]; USED];
                for (u, table) in u.iter_mut().zip(columns) {
                    *u = V::load(table.as_ptr().add(column));
                }
                for row in 0..TOGETHER {
                    let mut sum = c[row][0].times(u[0]);
                    for k in 1..USED {
                        sum = c[row][k].times_plus(u[k], sum);
                    }
                    low[row] = sum.least(low[row]);
                    if WIDE {
                        high[row] = sum.most(high[row]);
                    }
                }
                column += V::WIDTH;
            }
            let mut lanes = [T::ZERO; 16];
            for row in 0..TOGETHER {
                low[row].store(lanes.as_mut_ptr());
                span[row].0 = lanes[..V::WIDTH].iter().fold(span[row].0, |low, &x| x.smaller(low));
                high[row].store(lanes.as_mut_ptr());
                span[row].1 = lanes[..V::WIDTH].iter().fold(span[row].1, |high, &x| x.larger(high));
            }
        }
        #[allow(clippy::needless_range_loop)] // One index into several columns.
        for column in from + whole..to {
            for (span, c) in span.iter_mut().zip(coefficients) {
                let sum = (1..USED).fold(c[0] * columns[0][column], |sum, k| c[k] * columns[k][column] + sum);
                *span = (sum.smaller(span.0), sum.larger(span.1));
            }
        }
    }
}
