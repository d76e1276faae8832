//! The largest or smallest value of every row, and the first column that holds it.

use std::sync::Mutex;

use super::asked::{Asked, Cells, Known, Range, STRIPE, Unit};
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

/// A block whose sum is near the best one of its row.
#[derive(Clone, Copy)]
struct Candidate {
    row: usize,
    columns: Range,
    sum: f64,
}

/// The best sums of some rows, and the blocks that come near them.
struct Race {
    smallest: bool,
    margin: f64,
    first: usize,
    best: Vec<f64>,
    candidates: Vec<Candidate>,
}

impl Race {
    /// Candidates that wait for the end of the race, so that only the best of a whole row is looked at.
    const WAITING: usize = 64 * 1024;

    fn new(rows: Range, smallest: bool, margin: f64) -> Self {
        let start = if smallest { f64::INFINITY } else { 0.0 };
        let best = vec![start; rows.1 - rows.0];
        Self { smallest, margin, first: rows.0, best, candidates: Vec::new() }
    }

    fn within(&self, candidate: &Candidate) -> bool {
        let best = self.best[candidate.row - self.first];
        if self.smallest {
            candidate.sum <= best * (1.0 + self.margin)
        } else {
            candidate.sum >= best * (1.0 - self.margin)
        }
    }

    fn lead(&mut self, row: usize, sum: f64) {
        let best = &mut self.best[row - self.first];
        *best = if self.smallest { best.min(sum) } else { best.max(sum) };
    }

    fn enter(&mut self, candidate: Candidate) {
        if self.within(&candidate) {
            self.lead(candidate.row, candidate.sum);
            self.candidates.push(candidate);
        }
    }

    /// The blocks that are still near the best: it came later for most of those entered.
    fn left(&mut self) -> Vec<Candidate> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|candidate| self.within(candidate));
        candidates
    }

    /// Takes over the best sums and, where there is room, the candidates of a part; returns the others.
    fn join(&mut self, part: &Self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        for (row, &sum) in (part.first..).zip(&part.best) {
            self.lead(row, sum);
        }
        if self.candidates.len() + candidates.len() > Self::WAITING {
            return candidates;
        }
        self.candidates.extend(candidates);
        Vec::new()
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
        let margin = Screen::MARGIN * T::HALF_ULP;
        let race = Mutex::new(Race::new(self.all(), smallest, margin));
        let look = |cells: &mut Cells<T>, candidate: Candidate| {
            let (constants, mut own) = (self.grid.row(candidate.row), None);
            self.exact(cells, &constants, candidate.columns, &mut |from, values| {
                side.take(&mut own, from, values);
            });
            if let Some(own) = own {
                side.keep(&mut locked(&found)[candidate.row], own);
            }
        };
        self.each(STRIPE, &open, &|bench, unit: Unit| {
            let mut part = Race::new(unit.rows, smallest, margin);
            let mut own = vec![None; unit.rows.1 - unit.rows.0];
            self.blocks(bench, unit, !smallest, &mut |row, columns, known| match known {
                Known::Values(values) => side.take(&mut own[row - unit.rows.0], columns.0, values),
                Known::Span(low, high) => {
                    let sum = if smallest { low } else { high }.to_f64();
                    part.enter(Candidate { row, columns, sum });
                }
            });
            let candidates = part.left();
            for candidate in locked(&race).join(&part, candidates) {
                look(&mut bench.cells, candidate);
            }
            for (kept, own) in locked(&found)[unit.rows.0..unit.rows.1].iter_mut().zip(own) {
                if let Some(own) = own {
                    side.keep(kept, own);
                }
            }
        })?;
        let mut left = locked(&race).left();
        // Neighbouring rows have their best nearby: they find the tables of its block made.
        left.sort_unstable_by_key(|candidate| (candidate.columns.0, candidate.row));
        self.each_number(left.len(), &|cells, number| look(cells, left[number]))?;
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
