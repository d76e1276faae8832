//! Rows answered without visiting them, where the law says how it runs over ascending counts.
//!
//! Between its turning points a law never falls, or never rises, and a computed cell is within
//! [`MARGIN`] roundings of the law. So a cell that misses the best value, or a level, by more than
//! twice that decides every cell beyond it. What is left, mostly a few neighbours, is evaluated and
//! compared cell by cell: the answer, ties included, is that of the stored grid.

use super::asked::{Asked, Cells, Range};
use super::extremes::{Extreme, Side};
use super::levels::Run;
use crate::surfaces::course::Course;
use crate::surfaces::law::{Grid, Law, Row};
use crate::surfaces::real::Real;

/// Twice the roundings between the law and a computed cell, with a wide reserve.
const MARGIN: f64 = 128.0;

/// The columns of a grid, cut where the law itself has a step.
pub(super) struct Closed {
    cuts: Vec<Range>,
}

/// Columns over which a row never turns.
#[derive(Clone, Copy)]
struct Piece {
    columns: Range,
    course: Monotone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Monotone {
    Rising,
    Falling,
    /// The same bits in every cell.
    Flat,
}

impl Closed {
    /// The columns of a named law over ascending worker counts; `None` for every other grid.
    pub(super) fn new<T: Real>(grid: &Grid<'_, T>) -> Option<Self> {
        let n = grid.n;
        let last = *n.last()?;
        let ascending = |column: &[T]| column.is_sorted();
        if grid.law == Law::Terms || last > T::DIVISOR_MAX || !ascending(n) {
            return None;
        }
        // The proofs need columns that rise with the count: those of the laws do.
        if !grid.columns.iter().all(|column| ascending(column)) || !Course::known(grid) {
            return None;
        }
        let mut cuts = Vec::new();
        if let Law::Tree { .. } = grid.law {
            let mut from = 0;
            for step in grid.columns[0].chunk_by(|a, b| a == b) {
                cuts.push((from, from + step.len()));
                from += step.len();
            }
        } else {
            cuts.push((0, n.len()));
        }
        Some(Self { cuts })
    }

    /// The pieces of a row; `None` where a cell may leave the range in which roundings are relative.
    fn pieces<T: Real>(
        &self,
        asked: &Asked<'_, T>,
        cells: &mut Cells<T>,
        row: usize,
        constants: &Row<T>,
    ) -> Option<Vec<Piece>> {
        let inside = |value: T| value >= T::PAIR.0 && value <= T::PAIR.1;
        if !inside(constants[5]) {
            return None;
        }
        let course = Course::of(asked.grid, row);
        let (first, second) = match course {
            Course::Flat => (Monotone::Flat, Monotone::Flat),
            Course::Rising => (Monotone::Rising, Monotone::Rising),
            Course::Falling => (Monotone::Falling, Monotone::Falling),
            Course::Peak(_) => (Monotone::Rising, Monotone::Falling),
            Course::Valley(_) => (Monotone::Falling, Monotone::Rising),
        };
        let mut pieces = Vec::with_capacity(self.cuts.len() + 1);
        for &(from, to) in &self.cuts {
            let turn = match course {
                Course::Peak(at) | Course::Valley(at) => {
                    from + asked.grid.n[from..to].partition_point(|n| n.to_f64() < at)
                }
                _ => to,
            };
            for (columns, course) in [((from, turn), first), ((turn, to), second)] {
                if columns.0 < columns.1 {
                    pieces.push(Piece { columns, course });
                }
            }
        }
        // What lies between the ends of a piece is inside with them.
        let mut end = |column| inside(asked.cell(cells, constants, column));
        pieces.iter().all(|piece| end(piece.columns.0) && end(piece.columns.1 - 1)).then_some(pieces)
    }

    /// The extreme of a row and its first column.
    pub(super) fn extreme<T: Real>(
        &self,
        asked: &Asked<'_, T>,
        cells: &mut Cells<T>,
        row: usize,
        side: Side,
    ) -> Option<Extreme<T>> {
        let constants = asked.grid.row(row);
        let pieces = self.pieces(asked, cells, row, &constants)?;
        let mut kept = None;
        for piece in &pieces {
            let at_end = (piece.course == Monotone::Rising) == (side == Side::Max);
            let best =
                if at_end && piece.course != Monotone::Flat { piece.columns.1 - 1 } else { piece.columns.0 };
            let value = asked.cell(cells, &constants, best);
            if kept.is_some_and(|kept: Extreme<T>| misses(side, value, kept.value)) {
                continue;
            }
            let near = match piece.course {
                Monotone::Flat => (best, best + 1),
                _ => near(asked, cells, &constants, *piece, best, |cell| misses(side, cell, value)),
            };
            asked.exact(cells, &constants, near, &mut |from, values| side.take(&mut kept, from, values));
        }
        kept
    }

    /// The columns of a row, decided against a level but for the few that are near it.
    pub(super) fn runs<T: Real>(
        &self,
        asked: &Asked<'_, T>,
        cells: &mut Cells<T>,
        row: usize,
        level: T,
    ) -> Option<Vec<Run>> {
        let constants = asked.grid.row(row);
        let pieces = self.pieces(asked, cells, row, &constants)?;
        let mut runs = Vec::with_capacity(3 * pieces.len());
        for Piece { columns, course } in pieces {
            if course == Monotone::Flat {
                let above = asked.cell(cells, &constants, columns.0) >= level;
                runs.push((columns, Some(above)));
                continue;
            }
            // Low columns are those before the crossing: above it where the row falls.
            let falls = course == Monotone::Falling;
            let mut decided = |column: usize, above: bool| {
                let cell = asked.cell(cells, &constants, column);
                if above { misses(Side::Max, level, cell) } else { misses(Side::Max, cell, level) }
            };
            let before = part(columns, |column| decided(column, falls));
            let after = part((before, columns.1), |column| !decided(column, !falls));
            for (columns, verdict) in [
                ((columns.0, before), Some(falls)),
                ((before, after), None),
                ((after, columns.1), Some(!falls)),
            ] {
                if columns.0 < columns.1 {
                    runs.push((columns, verdict));
                }
            }
        }
        Some(runs)
    }
}

/// Whether `value` is worse than `best` by more than roundings can be.
fn misses<T: Real>(side: Side, value: T, best: T) -> bool {
    let (value, best, margin) = (value.to_f64(), best.to_f64(), MARGIN * T::HALF_ULP);
    match side {
        Side::Max => value < best - margin * best.abs(),
        Side::Min => value > best + margin * best.abs(),
    }
}

/// The columns from `best`, one end of the piece, to before the first one found that misses.
fn near<T: Real>(
    asked: &Asked<'_, T>,
    cells: &mut Cells<T>,
    constants: &Row<T>,
    piece: Piece,
    best: usize,
    misses: impl Fn(T) -> bool,
) -> Range {
    let (from, to) = piece.columns;
    let mut step = 1;
    loop {
        let beyond = if best == from { best.checked_add(step) } else { best.checked_sub(step) };
        match beyond.filter(|column| (from..to).contains(column)) {
            None => return (from, to),
            Some(column) if misses(asked.cell(cells, constants, column)) => {
                return if best == from { (best, column) } else { (column + 1, best + 1) };
            }
            Some(_) => step *= 2,
        }
    }
}

/// The first column of a range for which `holds` is found false, by halving.
fn part(columns: Range, mut holds: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = columns;
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
