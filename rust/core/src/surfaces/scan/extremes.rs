//! The largest or smallest value of every row, and the first column that holds it.

use std::sync::Mutex;

use super::asked::{Asked, Known, Range, STRIPE, Unit};
use super::{Asking, locked, signed};
use crate::error::Result;
use crate::surfaces::law::Grid;
use crate::surfaces::real::Real;
use crate::surfaces::screen::{Screen, Sense};

/// An extreme of a row: its first column and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extreme<T> {
    pub(super) index: usize,
    pub(super) value: T,
}

/// Largest or smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The largest value of a row.
    Max,
    /// The smallest value of a row.
    Min,
}

impl Side {
    pub(super) fn better<T: Real>(self, a: T, b: T) -> bool {
        match self {
            Self::Max => a > b,
            Self::Min => a < b,
        }
    }

    /// Keeps the best of some values, the first on a tie.
    pub(super) fn take<T: Real>(self, kept: &mut Option<Extreme<T>>, from: usize, values: &[T]) {
        // First the value alone, in lanes, then its place: most segments hold nothing better.
        let mut lanes = [values[0]; 16];
        let chunks = values.chunks_exact(16);
        let rest = chunks.remainder();
        for chunk in chunks {
            for (lane, &value) in lanes.iter_mut().zip(chunk) {
                *lane = if self.better(value, *lane) { value } else { *lane };
            }
        }
        let best = lanes.iter().chain(rest).fold(values[0], |a, &b| if self.better(b, a) { b } else { a });
        if kept.is_some_and(|old| self.better(old.value, best)) {
            return;
        }
        if let Some(index) = values.iter().position(|&value| value == best) {
            self.keep(kept, Extreme { index: from + index, value: best });
        }
    }

    /// Keeps the better of two extremes, the earlier column on a tie.
    pub(super) fn keep<T: Real>(self, kept: &mut Option<Extreme<T>>, new: Extreme<T>) {
        let replace = kept.is_none_or(|old| {
            self.better(new.value, old.value) || (new.value == old.value && new.index < old.index)
        });
        if replace {
            *kept = Some(new);
        }
    }
}

/// The candidates of one unit's rows: blocks whose sum is near the best one.
struct Race {
    smallest: bool,
    margin: f64,
    best: Vec<f64>,
    candidates: Vec<Vec<(Range, f64)>>,
}

impl Race {
    fn new(rows: usize, smallest: bool, margin: f64) -> Self {
        let start = if smallest { f64::INFINITY } else { 0.0 };
        Self { smallest, margin, best: vec![start; rows], candidates: vec![Vec::new(); rows] }
    }

    fn within(&self, row: usize, sum: f64) -> bool {
        if self.smallest {
            sum <= self.best[row] * (1.0 + self.margin)
        } else {
            sum >= self.best[row] * (1.0 - self.margin)
        }
    }

    fn enter(&mut self, row: usize, columns: Range, sum: f64) {
        if self.within(row, sum) {
            let best = &mut self.best[row];
            *best = if self.smallest { best.min(sum) } else { best.max(sum) };
            self.candidates[row].push((columns, sum));
        }
    }

    /// The blocks of a row that are still near the best: it came later for most of those entered.
    fn left(&self, row: usize) -> impl Iterator<Item = Range> {
        self.candidates[row].iter().filter(move |c| self.within(row, c.1)).map(|c| c.0)
    }
}

impl<T: Real> Asked<'_, T> {
    pub(super) fn extremes(&self, side: Side) -> Result<Vec<Option<Extreme<T>>>> {
        let found = Mutex::new(vec![None; self.grid.rows()]);
        let open = if let Some(closed) = &self.closed {
            self.each_row(&|cells, row| {
                let answer = closed.extreme(self, cells, row, side);
                locked(&found)[row] = answer;
                answer.is_some()
            })?
        } else {
            vec![self.all()]
        };
        // The extreme of the value is the smallest sum, or the largest.
        let smallest =
            self.screen.is_none_or(|screen| (screen.sense == Sense::Direct) == (side == Side::Min));
        self.each(STRIPE, &open, &|bench, unit: Unit| {
            let rows = unit.rows.1 - unit.rows.0;
            let mut race = Race::new(rows, smallest, Screen::MARGIN * T::HALF_ULP);
            let mut own = vec![None; rows];
            self.blocks(bench, unit, !smallest, &mut |row, columns, known| {
                let row = row - unit.rows.0;
                match known {
                    Known::Values(values) => side.take(&mut own[row], columns.0, values),
                    Known::Span(low, high) => {
                        race.enter(row, columns, if smallest { low } else { high }.to_f64());
                    }
                }
            });
            for (index, own) in own.iter_mut().enumerate() {
                let constants = self.grid.row(unit.rows.0 + index);
                for columns in race.left(index) {
                    self.exact(&mut bench.cells, &constants, columns, &mut |from, values| {
                        side.take(own, from, values);
                    });
                }
            }
            for (kept, own) in locked(&found)[unit.rows.0..unit.rows.1].iter_mut().zip(own) {
                if let Some(own) = own {
                    side.keep(kept, own);
                }
            }
        })?;
        Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// Extremes of the rows; column -1 and NaN for a row without columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Extremes {
    /// First column that holds the extreme.
    pub column: Vec<i64>,
    /// Its value.
    pub value: Vec<f64>,
}

/// The largest or smallest value of every row, with its first column.
///
/// # Errors
/// Those of [`Grid::check`]; [`Error::Cancelled`](crate::error::Error::Cancelled) where the poll said so.
pub fn extremes<T: Real>(grid: &Grid<'_, T>, side: Side, asking: Asking<'_>) -> Result<Extremes> {
    let found = Asked::new(grid, asking)?.extremes(side)?;
    Ok(Extremes {
        column: found.iter().map(|extreme| signed(extreme.map(|extreme| extreme.index))).collect(),
        value: found
            .iter()
            .map(|extreme| extreme.map_or(f64::NAN, |extreme| extreme.value.to_f64()))
            .collect(),
    })
}
