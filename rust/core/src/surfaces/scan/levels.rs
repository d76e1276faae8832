//! Cells at or above a level: how many, the first, the last, and where a row crosses it.

use std::sync::Mutex;

use super::asked::{Asked, Cells, Known, Range, STRIPE, Unit};
use super::{Asking, locked, signed};
use crate::error::{Error, Result};
use crate::surfaces::law::{Grid, pick};
use crate::surfaces::real::Real;
use crate::surfaces::screen::{Screen, Sense};

/// Columns of a row that are all at or above the level, or all below; or that must be looked at.
pub(super) type Run = (Range, Option<bool>);

/// The cells of a row at or above a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AtLeast {
    pub(super) count: u64,
    first: Option<usize>,
    last: Option<usize>,
}

impl AtLeast {
    const NONE: Self = Self { count: 0, first: None, last: None };

    fn add(&mut self, from: usize, last: usize, count: u64) {
        self.count += count;
        self.first = Some(self.first.map_or(from, |first| first.min(from)));
        self.last = Some(self.last.map_or(last, |other| other.max(last)));
    }

    fn take<T: Real>(&mut self, from: usize, values: &[T], level: T) {
        let count = values.iter().map(|&value| u64::from(value >= level)).sum();
        let first = values.iter().position(|&value| value >= level);
        let last = values.iter().rposition(|&value| value >= level);
        if let (Some(first), Some(last)) = (first, last) {
            self.add(from + first, from + last, count);
        }
    }

    fn merge(&mut self, other: &Self) {
        if let (Some(first), Some(last)) = (other.first, other.last) {
            self.add(first, last, other.count);
        }
    }
}

/// Two neighbouring columns of a row, one below a level and one not; `column` is the second.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Crossing<T> {
    row: usize,
    column: usize,
    before: T,
    after: T,
}

/// Runs of one verdict are one entry, so that long rows stay small.
fn push(runs: &mut Vec<Run>, columns: Range, decided: Option<bool>) {
    match runs.last_mut() {
        Some((last, verdict)) if *verdict == decided => last.1 = columns.1,
        _ => runs.push((columns, decided)),
    }
}

impl<T: Real> Asked<'_, T> {
    /// Whether a block's values are all at or above `level`, or none; `None` where it must be looked at.
    fn verdict(&self, row: usize, level: T, low: T, high: T) -> Option<bool> {
        let screen = self.screen.as_ref()?;
        let (low, high, level) = (low.to_f64(), high.to_f64(), level.to_f64());
        let scale = self.grid.row(row)[5].to_f64();
        let margin = Screen::MARGIN * T::HALF_ULP;
        let (least, most) = match screen.sense {
            Sense::Direct => (scale * low, scale * high),
            Sense::Inverse => (scale / high, scale / low),
        };
        if least * (1.0 - margin) >= level {
            Some(true)
        } else if most * (1.0 + margin) < level {
            Some(false)
        } else {
            None
        }
    }

    pub(super) fn at_least(&self, levels: &[T]) -> Result<Vec<AtLeast>> {
        let found = Mutex::new(vec![AtLeast::NONE; self.grid.rows()]);
        let open = if let Some(closed) = &self.closed {
            self.each_row(&|cells, row| {
                let level = pick(levels, row);
                let Some(runs) = closed.runs(self, cells, row, level) else { return false };
                locked(&found)[row] = self.count(cells, row, level, &runs);
                true
            })?
        } else {
            vec![self.all()]
        };
        self.each(STRIPE, &open, &|bench, unit| {
            let mut own = vec![AtLeast::NONE; unit.rows.1 - unit.rows.0];
            let mut looks = Vec::new();
            self.blocks(bench, unit, true, &mut |row, columns, known| {
                let (level, own) = (pick(levels, row), &mut own[row - unit.rows.0]);
                match known {
                    Known::Values(values) => own.take(columns.0, values, level),
                    Known::Span(low, high) => match self.verdict(row, level, low, high) {
                        Some(true) => own.add(columns.0, columns.1 - 1, (columns.1 - columns.0) as u64),
                        Some(false) => {}
                        None => looks.push((row, (columns, None))),
                    },
                }
            });
            for (row, look) in looks {
                own[row - unit.rows.0].merge(&self.count(&mut bench.cells, row, pick(levels, row), &[look]));
            }
            for (kept, own) in locked(&found)[unit.rows.0..unit.rows.1].iter_mut().zip(&own) {
                kept.merge(own);
            }
        })?;
        Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn count(&self, cells: &mut Cells<T>, row: usize, level: T, runs: &[Run]) -> AtLeast {
        let (mut own, constants) = (AtLeast::NONE, self.grid.row(row));
        for &(columns, decided) in runs {
            match decided {
                Some(true) => own.add(columns.0, columns.1 - 1, (columns.1 - columns.0) as u64),
                Some(false) => {}
                None => self.exact(cells, &constants, columns, &mut |from, values| {
                    own.take(from, values, level);
                }),
            }
        }
        own
    }

    fn crossings(&self, level: T) -> Result<Vec<Crossing<T>>> {
        let found = Mutex::new(Vec::new());
        let open = if let Some(closed) = &self.closed {
            self.each_row(&|cells, row| {
                let Some(runs) = closed.runs(self, cells, row, level) else { return false };
                let mut own = self.cross(cells, row, level, &runs);
                locked(&found).append(&mut own);
                true
            })?
        } else {
            vec![self.all()]
        };
        // Whole rows, so that a crossing between two blocks is seen.
        self.each(self.grid.n.len().max(1), &open, &|bench, unit: Unit| {
            let mut runs = vec![Vec::new(); unit.rows.1 - unit.rows.0];
            self.blocks(bench, unit, true, &mut |row, columns, known| {
                let runs = &mut runs[row - unit.rows.0];
                match known {
                    Known::Span(low, high) => push(runs, columns, self.verdict(row, level, low, high)),
                    Known::Values(values) => {
                        let mut from = columns.0;
                        for run in values.chunk_by(|&a, &b| (a >= level) == (b >= level)) {
                            push(runs, (from, from + run.len()), Some(run[0] >= level));
                            from += run.len();
                        }
                    }
                }
            });
            for (index, runs) in runs.iter().enumerate() {
                let mut own = self.cross(&mut bench.cells, unit.rows.0 + index, level, runs);
                locked(&found).append(&mut own);
            }
        })?;
        let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.sort_by_key(|crossing| (crossing.row, crossing.column));
        Ok(found)
    }

    /// The crossings of one row, whose runs cover it from end to end.
    fn cross(&self, cells: &mut Cells<T>, row: usize, level: T, runs: &[Run]) -> Vec<Crossing<T>> {
        let constants = self.grid.row(row);
        let mut columns = Vec::new();
        let mut before: Option<bool> = None;
        let mut note = |column: usize, above: bool| {
            if before.is_some_and(|before| before != above) {
                columns.push(column);
            }
            before = Some(above);
        };
        for &(columns, decided) in runs {
            if let Some(above) = decided {
                note(columns.0, above);
            } else {
                self.exact(cells, &constants, columns, &mut |from, values| {
                    values.iter().enumerate().for_each(|(k, &value)| note(from + k, value >= level));
                });
            }
        }
        let mut value = |column| self.cell(cells, &constants, column);
        let crossing = |column| Crossing { row, column, before: value(column - 1), after: value(column) };
        columns.into_iter().map(crossing).collect()
    }
}

/// Cells of the rows at or above a level; column -1 where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// How many.
    pub count: Vec<i64>,
    /// The first column.
    pub first: Vec<i64>,
    /// The last column.
    pub last: Vec<i64>,
}

/// Points where rows cross a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    /// Row of the grid.
    pub row: Vec<i64>,
    /// Worker count between two neighbouring columns, by a straight line.
    pub n: Vec<f64>,
}

/// How many cells of every row are at or above its level, the first and the last of them.
///
/// # Errors
/// As for [`extremes`](super::extremes()); [`Error::Shape`] for levels that are neither one nor one a row.
pub fn at_least<T: Real>(grid: &Grid<'_, T>, levels: &[T], asking: Asking<'_>) -> Result<Counts> {
    if levels.len() != 1 && levels.len() != grid.rows() {
        let expected = format!("1, or the number of rows, {}", grid.rows());
        return Err(Error::Shape { name: "at", expected, got: levels.len() });
    }
    let found = Asked::new(grid, asking)?.at_least(levels)?;
    Ok(Counts {
        count: found.iter().map(|row| i64::try_from(row.count).unwrap_or(i64::MAX)).collect(),
        first: found.iter().map(|row| signed(row.first)).collect(),
        last: found.iter().map(|row| signed(row.last)).collect(),
    })
}

/// Where rows cross a level, by row and column.
///
/// # Errors
/// As for [`extremes`](super::extremes()).
pub fn contour<T: Real>(grid: &Grid<'_, T>, level: f64, asking: Asking<'_>) -> Result<Contour> {
    let found = Asked::new(grid, asking)?.crossings(T::from_f64(level))?;
    let place = |crossing: &Crossing<T>| {
        let (start, stop) = (grid.n[crossing.column - 1].to_f64(), grid.n[crossing.column].to_f64());
        let (before, after) = (crossing.before.to_f64(), crossing.after.to_f64());
        start + (level - before) / (after - before) * (stop - start)
    };
    Ok(Contour {
        row: found.iter().map(|crossing| signed(Some(crossing.row))).collect(),
        n: found.iter().map(place).collect(),
    })
}
