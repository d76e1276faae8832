//! The column tables of a panel: everything of a cell that depends on the worker count alone.

use super::kernels;
use super::law::{Grid, Law, Quantity, TABLES};
use super::real::Real;

impl<T: Real> Grid<'_, T> {
    /// Fills the tables for the columns `from..from + tables[0].len()`; the reciprocals of a
    /// quotient only where asked for.
    pub(super) fn fill(&self, from: usize, reciprocals: bool, tables: &mut [&mut [T]; TABLES]) {
        use Quantity::{Efficiency, KarpFlatt, Time};
        let length = tables[0].len();
        let n = &self.n[from..from + length];
        let own = |index: usize| &self.columns[index][from..from + length];
        let one = T::ONE;
        match (self.law, self.quantity) {
            (Law::Amdahl, Efficiency) => each(tables[1], n, |n| n),
            (Law::Amdahl, _) | (Law::Gustafson, Efficiency) => {
                tables[0].copy_from_slice(n);
                if !reciprocals {
                    return;
                }
                let [_, high, low, ..] = tables;
                kernels::reciprocals(n, high, low);
            }
            (Law::Gustafson, _) => each(tables[1], n, |n| n),
            (Law::SunNi, KarpFlatt) => tables[1].copy_from_slice(own(0)),
            (Law::SunNi, quantity) => {
                let growth = own(0);
                let over = |table: &mut [T]| {
                    for ((cell, &n), &growth) in table.iter_mut().zip(n).zip(growth) {
                        *cell = growth / n;
                    }
                };
                match quantity {
                    Efficiency => {
                        tables[0].copy_from_slice(growth);
                        tables[1].copy_from_slice(n);
                        tables[5].copy_from_slice(growth);
                    }
                    Time => {
                        tables[1].copy_from_slice(growth);
                        over(tables[5]);
                    }
                    _ => {
                        over(tables[1]);
                        tables[5].copy_from_slice(growth);
                    }
                }
            }
            (Law::Usl, KarpFlatt) => each(tables[1], n, |n| n),
            (Law::UslLog, KarpFlatt) => {
                for ((cell, &n), &log) in tables[1].iter_mut().zip(n).zip(own(0)) {
                    // log2(n)/(n-1) tends to 1/ln 2 at n = 1.
                    let limit = T::from_f64(std::f64::consts::LOG2_E);
                    *cell = if n == one { limit } else { log * (n / (n - one)) };
                }
            }
            (Law::Usl, Time) => {
                each(tables[0], n, |n| one / n);
                each(tables[1], n, |n| (n - one) / n);
                each(tables[2], n, |n| n - one);
            }
            (Law::UslLog, Time) => {
                each(tables[0], n, |n| one / n);
                each(tables[1], n, |n| (n - one) / n);
                tables[2].copy_from_slice(own(0));
            }
            (Law::Usl, _) => {
                each(tables[1], n, |n| n - one);
                each(tables[2], n, |n| n * (n - one));
                each(tables[5], n, |n| n);
            }
            (Law::UslLog, _) => {
                each(tables[1], n, |n| n - one);
                each(tables[5], n, |n| n);
                for ((cell, &n), &log) in tables[2].iter_mut().zip(n).zip(own(0)) {
                    *cell = n * log;
                }
            }
            (Law::Ring { weak }, quantity) => Self::fill_ring(weak, quantity, n, tables),
            (Law::Tree { weak }, quantity) => self.fill_tree(weak, quantity, (from, n), tables),
            (Law::Terms, _) => {
                for index in 0..self.parameters.len() {
                    tables[index + 1].copy_from_slice(own(index + 2));
                }
                tables[0].copy_from_slice(own(1));
                tables[5].copy_from_slice(own(0));
            }
        }
    }

    fn fill_ring(weak: bool, quantity: Quantity, n: &[T], tables: &mut [&mut [T]; TABLES]) {
        let one = T::ONE;
        match (weak, quantity) {
            (true, Quantity::KarpFlatt) => return each(tables[1], n, |n| one / n),
            (false, Quantity::KarpFlatt) => return each(tables[1], n, |n| n),
            _ => {}
        }
        let two = one + one;
        let first = usize::from(!weak);
        each(tables[1], n, |n| one / n);
        each(tables[1 + first], n, |n| two * (n - one));
        each(tables[2 + first], n, |n| two * ((n - one) / n));
        step_numerator(weak, quantity, n, tables[5]);
    }

    fn fill_tree(
        &self,
        weak: bool,
        quantity: Quantity,
        columns: (usize, &[T]),
        tables: &mut [&mut [T]; TABLES],
    ) {
        let ((from, n), one) = (columns, T::ONE);
        let two = one + one;
        let four = two + two;
        let eight = four + four;
        each(tables[0], n, |n| if quantity == Quantity::KarpFlatt { T::ZERO } else { one / n });
        if weak && quantity != Quantity::KarpFlatt {
            each(tables[0], n, |_| T::ZERO);
        }
        step_numerator(weak, quantity, n, tables[5]);
        for (index, &height) in self.columns[0][from..from + n.len()].iter().enumerate() {
            // One over (1 - 1/n), or over (n - 1), turns the all-reduce into its Karp–Flatt share.
            let n = n[index];
            let weight = match (quantity, weak) {
                (Quantity::KarpFlatt, false) => n / (n - one),
                (Quantity::KarpFlatt, true) => one / (n - one),
                _ => one,
            };
            let height_used = if height > T::ZERO { height } else { T::ZERO };
            let talk = height > T::ZERO;
            tables[1][index] = if talk { two * weight } else { T::ZERO };
            tables[2][index] = if talk { four * height_used * weight } else { T::ZERO };
            tables[3][index] = if talk { two * (eight * height_used).root() * weight } else { T::ZERO };
            tables[4][index] = two * height_used;
        }
    }
}

fn each<T: Real>(table: &mut [T], n: &[T], value: impl Fn(T) -> T) {
    for (cell, &n) in table.iter_mut().zip(n) {
        *cell = value(n);
    }
}

/// The numerator's column: 1/n for a strong efficiency, n for a weak speedup.
fn step_numerator<T: Real>(weak: bool, quantity: Quantity, n: &[T], table: &mut [T]) {
    match (weak, quantity) {
        (false, Quantity::Efficiency) => each(table, n, |n| T::ONE / n),
        (true, Quantity::Speedup | Quantity::Throughput) => each(table, n, |n| n),
        _ => {}
    }
}
