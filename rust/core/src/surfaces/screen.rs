//! A cheap bound for many cells at once: a sum of products, without a division.
//!
//! Most laws are `scale / g` or `scale * g` with `g` a sum of non-negative products. `g` differs
//! from what the exact expression divides by (or multiplies) by a few roundings, so a block of
//! columns whose smallest `g` is more than [`Screen::MARGIN`] roundings away from the best one cannot hold
//! the answer. Blocks that can are evaluated exactly.
#![allow(unsafe_code)] // Functions of a CPU level; each block states its reason.
#![allow(clippy::inline_always)] // Bodies must land inside the function that enables the CPU level.

use super::law::{Finish, Form, Row, TABLES};
use super::level::Level;
use super::real::Real;

/// Products of the longest sum: a leading term and four others.
pub(super) const PRODUCTS: usize = 5;
/// Columns of one block.
pub(super) const BLOCK: usize = 256;
/// Rows that share the loads of one pass.
pub(super) const TOGETHER: usize = 4;
const LANES: usize = 16;

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
    body::<T, true>(products, coefficients, columns, wide, spans);
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
    body::<T, true>(products, coefficients, columns, wide, spans);
}

fn spans_plain<T: Real>(
    products: usize,
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    wide: bool,
    spans: &mut [[(T, T); TOGETHER]],
) {
    body::<T, false>(products, coefficients, columns, wide, spans);
}

#[inline(always)]
fn body<T: Real, const FUSED: bool>(
    products: usize,
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    wide: bool,
    spans: &mut [[(T, T); TOGETHER]],
) {
    match (products, wide) {
        (1, false) => pass::<T, FUSED, 1, false>(coefficients, columns, spans),
        (2, false) => pass::<T, FUSED, 2, false>(coefficients, columns, spans),
        (3, false) => pass::<T, FUSED, 3, false>(coefficients, columns, spans),
        (4, false) => pass::<T, FUSED, 4, false>(coefficients, columns, spans),
        (_, false) => pass::<T, FUSED, 5, false>(coefficients, columns, spans),
        (1, true) => pass::<T, FUSED, 1, true>(coefficients, columns, spans),
        (2, true) => pass::<T, FUSED, 2, true>(coefficients, columns, spans),
        (3, true) => pass::<T, FUSED, 3, true>(coefficients, columns, spans),
        (4, true) => pass::<T, FUSED, 4, true>(coefficients, columns, spans),
        (_, true) => pass::<T, FUSED, 5, true>(coefficients, columns, spans),
    }
}

#[inline(always)]
fn pass<T: Real, const FUSED: bool, const PRODUCTS_USED: usize, const WIDE: bool>(
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    spans: &mut [[(T, T); TOGETHER]],
) {
    let length = columns[0].len();
    for (block, span) in spans.iter_mut().enumerate() {
        let (from, to) = (block * BLOCK, (block * BLOCK + BLOCK).min(length));
        let whole = (to - from) / LANES;
        let start = at::<T, FUSED, PRODUCTS_USED>(coefficients, columns, from);
        let mut least = [[T::ZERO; LANES]; TOGETHER];
        for (least, start) in least.iter_mut().zip(start) {
            *least = [start; LANES];
        }
        let mut most = least;
        for step in 0..whole {
            let from = from + step * LANES;
            let mut u = [[T::ZERO; LANES]; PRODUCTS_USED];
            for (u, column) in u.iter_mut().zip(columns) {
                u.copy_from_slice(&column[from..from + LANES]);
            }
            for row in 0..TOGETHER {
                for lane in 0..LANES {
                    let mut sum = coefficients[row][0] * u[0][lane];
                    for k in 1..PRODUCTS_USED {
                        let (c, u) = (coefficients[row][k], u[k][lane]);
                        sum = if FUSED { c.fused(u, sum) } else { c * u + sum };
                    }
                    least[row][lane] = sum.smaller(least[row][lane]);
                    if WIDE {
                        most[row][lane] = sum.larger(most[row][lane]);
                    }
                }
            }
        }
        for row in 0..TOGETHER {
            let (mut low, mut high) = (least[row][0], most[row][0]);
            for lane in 1..LANES {
                low = least[row][lane].smaller(low);
                high = most[row][lane].larger(high);
            }
            span[row] = (low, high);
        }
        for column in from + whole * LANES..to {
            let sums = at::<T, FUSED, PRODUCTS_USED>(coefficients, columns, column);
            for (span, sum) in span.iter_mut().zip(sums) {
                *span = (sum.smaller(span.0), sum.larger(span.1));
            }
        }
    }
}

/// The sums of one column.
#[inline(always)]
fn at<T: Real, const FUSED: bool, const PRODUCTS_USED: usize>(
    coefficients: &[[T; PRODUCTS]; TOGETHER],
    columns: Columns<'_, T>,
    column: usize,
) -> [T; TOGETHER] {
    std::array::from_fn(|row| {
        let mut sum = coefficients[row][0] * columns[0][column];
        for k in 1..PRODUCTS_USED {
            let (c, u) = (coefficients[row][k], columns[k][column]);
            sum = if FUSED { c.fused(u, sum) } else { c * u + sum };
        }
        sum
    })
}
