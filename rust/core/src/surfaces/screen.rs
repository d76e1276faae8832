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
use super::tiles::extent;

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
    products: usize,
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
    fn coefficients<T: Real>(&self, row: &Row<T>) -> [T; PRODUCTS] {
        let lead = if let Form::Column(_) = self.form { T::ONE } else { row[0] };
        [lead, row[1], row[2], row[3], row[4]]
    }

    /// The coefficients that all rows of a grid share.
    pub(super) fn shared<T: Real>(&self, mut rows: impl Iterator<Item = Row<T>>) -> [Option<T>; PRODUCTS] {
        let Some(first) = rows.next() else { return [None; PRODUCTS] };
        let mut shared = self.coefficients(&first).map(Some);
        for row in rows {
            for (shared, own) in shared.iter_mut().zip(self.coefficients(&row)) {
                *shared = shared.filter(|&value| value == own);
            }
        }
        shared
    }

    /// Writes the factors of the columns, one table after the other.
    fn factors<T: Real>(&self, tables: &[&[T]; TABLES], factors: &mut [Vec<T>; PRODUCTS]) {
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
}

/// The factors of one panel, with the products that all rows share added up once.
pub(super) struct Factors<T> {
    columns: [Vec<T>; PRODUCTS],
    extents: [(T, T); PRODUCTS],
    /// Which coefficient of a row goes with each column; the sum of what is shared has none.
    slots: [Option<usize>; PRODUCTS],
    /// Columns in use.
    products: usize,
    scratch: [Vec<T>; PRODUCTS],
}

impl<T: Real> Factors<T> {
    pub(super) fn new() -> Self {
        Self {
            columns: std::array::from_fn(|_| Vec::new()),
            extents: [(T::ZERO, T::ZERO); PRODUCTS],
            slots: [None; PRODUCTS],
            products: 0,
            scratch: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// Makes the factors of the tables of a panel.
    pub(super) fn make(&mut self, screen: &Screen, shared: &[Option<T>; PRODUCTS], tables: &[&[T]; TABLES]) {
        screen.factors(tables, &mut self.scratch);
        let (mut sum, mut used) = (None, 1);
        for (index, factor) in self.scratch.iter().enumerate().take(screen.products) {
            let extent = extent(factor);
            let coefficient = shared[index].filter(|&c| c >= T::ZERO && extent.0 >= T::ZERO);
            if let Some(coefficient) = coefficient {
                let (column, first) = (&mut self.columns[0], sum.is_none());
                column.resize(factor.len(), T::ZERO);
                for (sum, &factor) in column.iter_mut().zip(factor) {
                    *sum = if first { coefficient * factor } else { *sum + coefficient * factor };
                }
                sum = Some(());
            } else {
                // The first column is kept for the sum, and given up below where there is none.
                let slot = used.min(PRODUCTS - 1);
                self.columns[slot].clone_from(factor);
                (self.slots[slot], self.extents[slot]) = (Some(index), extent);
                used += 1;
            }
        }
        self.slots[0] = None;
        if sum.is_some() {
            self.extents[0] = extent(&self.columns[0]);
            self.products = used;
        } else {
            // Nothing is shared: every product keeps its own column, in order.
            for index in 0..screen.products {
                self.columns[index].clone_from(&self.scratch[index]);
                (self.slots[index], self.extents[index]) = (Some(index), extent(&self.scratch[index]));
            }
            self.products = screen.products;
        }
    }

    /// The coefficients of a row, one for each column.
    pub(super) fn coefficients(&self, screen: &Screen, row: &Row<T>) -> [T; PRODUCTS] {
        let own = screen.coefficients(row);
        self.slots.map(|slot| slot.map_or(T::ONE, |index| own[index]))
    }

    /// Whether the bound holds for a row over these columns.
    pub(super) fn holds(&self, screen: &Screen, row: &Row<T>) -> bool {
        let coefficients = self.coefficients(screen, row);
        let (mut low, mut high) = (0.0, 0.0);
        for (coefficient, extent) in coefficients.iter().zip(self.extents).take(self.products) {
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

    /// Smallest and largest sum of each block, for [`TOGETHER`] rows; `wide` asks for the largest.
    pub(super) fn spans(
        &self,
        level: Level,
        coefficients: &[[T; PRODUCTS]; TOGETHER],
        wide: bool,
        spans: &mut [[(T, T); TOGETHER]],
    ) {
        let f = &self.columns;
        let columns = [&f[0][..], &f[1][..], &f[2][..], &f[3][..], &f[4][..]];
        let sums =
            Sums { products: self.products, unit: self.slots[0].is_none(), wide, coefficients, columns };
        match level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a level is given only to a processor that has it.
            Level::Avx512 => unsafe { spans_avx512(&sums, spans) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { spans_avx2(&sums, spans) },
            _ => spans_plain(&sums, spans),
        }
    }
}

/// What the loops add up.
struct Sums<'a, T> {
    products: usize,
    /// The first coefficient is 1.
    unit: bool,
    wide: bool,
    coefficients: &'a [[T; PRODUCTS]; TOGETHER],
    columns: [&'a [T]; PRODUCTS],
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
unsafe fn spans_avx512<T: Real>(sums: &Sums<'_, T>, spans: &mut [[(T, T); TOGETHER]]) {
    // SAFETY: this function has the level of the vectors.
    unsafe { body::<T, T::Zmm>(sums, spans) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn spans_avx2<T: Real>(sums: &Sums<'_, T>, spans: &mut [[(T, T); TOGETHER]]) {
    // SAFETY: this function has the level of the vectors.
    unsafe { body::<T, T::Ymm>(sums, spans) };
}

fn spans_plain<T: Real>(sums: &Sums<'_, T>, spans: &mut [[(T, T); TOGETHER]]) {
    // SAFETY: these vectors need no level.
    unsafe { body::<T, Portable<T>>(sums, spans) };
}

/// # Safety
/// The processor has the level of `V`, and the first `products` columns are equally long.
#[inline(always)]
unsafe fn body<T: Real, V: Lanes<T>>(sums: &Sums<'_, T>, spans: &mut [[(T, T); TOGETHER]]) {
    macro_rules! with {
        ($products:literal) => {
            // SAFETY: passed on.
            unsafe {
                match (sums.unit, sums.wide) {
                    (false, false) => pass::<T, V, $products, false, false>(sums, spans),
                    (false, true) => pass::<T, V, $products, false, true>(sums, spans),
                    (true, false) => pass::<T, V, $products, true, false>(sums, spans),
                    (true, true) => pass::<T, V, $products, true, true>(sums, spans),
                }
            }
        };
    }
    match sums.products {
        1 => with!(1),
        2 => with!(2),
        3 => with!(3),
        4 => with!(4),
        _ => with!(5),
    }
}

/// # Safety
/// As for [`body`].
#[inline(always)]
unsafe fn pass<T: Real, V: Lanes<T>, const USED: usize, const UNIT: bool, const WIDE: bool>(
    sums: &Sums<'_, T>,
    spans: &mut [[(T, T); TOGETHER]],
) {
    let columns = sums.columns;
    let length = columns[0].len();
    assert!(columns[..USED].iter().all(|column| column.len() == length));
    for (block, span) in spans.iter_mut().enumerate() {
        let (from, to) = (block * BLOCK, (block * BLOCK + BLOCK).min(length));
        let whole = (to - from) / V::WIDTH * V::WIDTH;
        *span = [(T::INFINITY, T::ZERO); TOGETHER];
        // SAFETY: the level is the caller's; `from + whole` is at most the length of every column.
        unsafe {
            let c: [[V; USED]; TOGETHER] =
                sums.coefficients.map(|row| std::array::from_fn(|k| V::splat(row[k])));
            let mut low = [V::splat(T::INFINITY); TOGETHER];
            let mut high = [V::splat(T::ZERO); TOGETHER];
            let mut column = from;
            while column < from + whole {
                let mut u = [low[0]; USED];
                for (u, table) in u.iter_mut().zip(columns) {
                    *u = V::load(table.as_ptr().add(column));
                }
                for row in 0..TOGETHER {
                    let mut sum = if UNIT { u[0] } else { c[row][0].times(u[0]) };
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
            for row in 0..TOGETHER {
                span[row].0 = across::<T, V>(low[row], T::smaller);
                if WIDE {
                    span[row].1 = across::<T, V>(high[row], T::larger);
                }
            }
        }
        #[allow(clippy::needless_range_loop)] // One index into several columns.
        for column in from + whole..to {
            for (span, c) in span.iter_mut().zip(sums.coefficients) {
                let sum = (1..USED).fold(c[0] * columns[0][column], |sum, k| c[k] * columns[k][column] + sum);
                *span = (sum.smaller(span.0), sum.larger(span.1));
            }
        }
    }
}

/// One element out of all lanes, by halves.
///
/// # Safety
/// The processor has the level of `V`.
#[inline(always)]
unsafe fn across<T: Real, V: Lanes<T>>(vector: V, choose: impl Fn(T, T) -> T) -> T {
    let mut lanes = [T::ZERO; 16];
    // SAFETY: the level is the caller's; no vector has more than 16 elements.
    unsafe { vector.store(lanes.as_mut_ptr()) };
    let mut width = V::WIDTH;
    while width > 1 {
        width /= 2;
        for k in 0..width {
            lanes[k] = choose(lanes[k], lanes[k + width]);
        }
    }
    lanes[0]
}
