//! Questions about a grid that is never stored: extremes, cells at or above a level, crossings.
//!
//! Every answer is the one that the stored grid would give, ties to the first column. Blocks of
//! columns are decided by a bound where that is certain and evaluated exactly where it is not.

use std::sync::Mutex;

use super::evaluate::Setting;
use super::kernels::SEGMENT;
use super::law::Grid;
use super::level::{Level, Store};
use super::real::Real;
use super::screen::{BLOCK, PRODUCTS, Screen, Sense, TOGETHER};
use super::tiles::{Panel, Poll, share};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// Rows of one unit of work: they share the tables of every panel.
const ROWS: usize = 512;
/// Columns of one unit of work.
const STRIPE: usize = 16 * SEGMENT;

/// How a grid is asked.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// Threads of this call.
    pub threads: Threads,
    /// Instruction set.
    pub level: Level,
    /// Decide blocks by the bound where that is certain.
    pub screened: bool,
    /// Asked now and then from the calling thread.
    pub poll: Option<Poll<'a>>,
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking")
            .field("threads", &self.threads)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

/// An extreme of a row: its first column and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Extreme<T> {
    index: usize,
    value: T,
}

/// The cells of a row at or above a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AtLeast {
    count: u64,
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

/// Largest or smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The largest value of a row.
    Max,
    /// The smallest value of a row.
    Min,
}

impl Side {
    fn better<T: Real>(self, a: T, b: T) -> bool {
        match self {
            Self::Max => a > b,
            Self::Min => a < b,
        }
    }

    /// Keeps the best of some values, the first on a tie.
    fn take<T: Real>(self, kept: &mut Option<Extreme<T>>, from: usize, values: &[T]) {
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
    fn keep<T: Real>(self, kept: &mut Option<Extreme<T>>, new: Extreme<T>) {
        let replace = kept.is_none_or(|old| {
            self.better(new.value, old.value) || (new.value == old.value && new.index < old.index)
        });
        if replace {
            *kept = Some(new);
        }
    }
}

/// A part of the grid: rows and columns.
#[derive(Clone, Copy)]
struct Unit {
    rows: (usize, usize),
    columns: (usize, usize),
}

/// What one thread keeps between units.
struct Bench<T> {
    panel: Panel<T>,
    exact: Panel<T>,
    factors: [Vec<T>; PRODUCTS],
    extents: [(T, T); PRODUCTS],
    factors_from: Option<(usize, usize)>,
    spans: Vec<[(T, T); TOGETHER]>,
    values: Vec<T>,
}

/// What is known of some columns of a row.
#[derive(Clone, Copy)]
enum Known<'a, T> {
    /// Smallest and largest sum of the bound.
    Span(T, T),
    /// The exact values.
    Values(&'a [T]),
}

/// How a block stands to the question.
enum Verdict {
    All,
    Nothing,
    Look,
}

/// Takes what is known of some columns of a row.
type Each<'a, T> = dyn FnMut(usize, (usize, usize), Known<'_, T>) + 'a;

/// A grid, ready to be asked.
struct Asked<'a, T> {
    grid: &'a Grid<'a, T>,
    setting: Setting,
    screen: Option<Screen>,
    asking: Asking<'a>,
}

impl<'a, T: Real> Asked<'a, T> {
    fn new(grid: &'a Grid<'a, T>, asking: Asking<'a>) -> Result<Self> {
        grid.check()?;
        let setting = Setting::new(grid, asking.level, true);
        let (form, finish) = grid.shape();
        let screen = if asking.screened { Screen::new(form, finish) } else { None };
        Ok(Self { grid, setting, screen, asking })
    }

    fn bench() -> Bench<T> {
        Bench {
            panel: Panel::new(true),
            exact: Panel::new(true),
            factors: std::array::from_fn(|_| Vec::new()),
            extents: [(T::ZERO, T::ZERO); PRODUCTS],
            factors_from: None,
            spans: Vec::new(),
            values: vec![T::ZERO; SEGMENT],
        }
    }

    fn units(&self, stripe: usize) -> Vec<Unit> {
        let (rows, columns) = (self.grid.rows(), self.grid.n.len());
        let starts = |length: usize, step: usize| (0..length).step_by(step);
        let mut units = Vec::new();
        // Where stripes are whole long rows, few of them make a unit.
        let block = (ROWS * STRIPE / stripe.clamp(1, columns.max(1))).clamp(1, ROWS);
        for row in starts(rows, block) {
            for column in starts(columns, stripe) {
                units.push(Unit {
                    rows: (row, (row + block).min(rows)),
                    columns: (column, (column + stripe).min(columns)),
                });
            }
        }
        units
    }

    /// Calls `work` for every unit; a stop asked for by the poll is an error.
    fn each(&self, stripe: usize, work: &(dyn Fn(&mut Bench<T>, Unit) + Sync)) -> Result<()> {
        let units = self.units(stripe);
        let cells = self.grid.rows().saturating_mul(self.grid.n.len());
        let start = Self::bench;
        let unit = |bench: &mut Bench<T>, number: usize| work(bench, units[number]);
        let (_, done) = share(units.len(), cells, self.asking.threads, self.asking.poll, &start, &unit);
        if done { Ok(()) } else { Err(Error::Cancelled) }
    }

    /// Hands the exact values of a row's columns to `take`, in segments.
    fn exact(
        &self,
        panel: &mut Panel<T>,
        values: &mut [T],
        row: usize,
        columns: (usize, usize),
        take: &mut dyn FnMut(usize, &[T]),
    ) {
        let constants = self.grid.row(row);
        let mut from = columns.0;
        while from < columns.1 {
            // Segments begin at multiples of a block, so that neighbouring rows find their tables made.
            let to = (from / BLOCK * BLOCK + BLOCK).min(columns.1);
            panel.prepare(self.grid, from, to);
            let tables = panel.tables();
            let segment = self.setting.segment(&constants, tables, &self.setting.extents(&tables));
            let values = &mut values[..to - from];
            self.setting.write(Store::Plain, &segment, values);
            take(from, values);
            from = to;
        }
    }

    /// Makes the factors of a panel's columns.
    fn factors(&self, screen: &Screen, bench: &mut Bench<T>, from: usize, to: usize) {
        if bench.factors_from == Some((from, to)) {
            return;
        }
        bench.factors_from = Some((from, to));
        bench.panel.prepare(self.grid, from, to);
        screen.factors(&bench.panel.tables(), &mut bench.factors);
        for (extent, factor) in bench.extents.iter_mut().zip(&bench.factors).take(screen.products) {
            *extent = super::tiles::extent(factor);
        }
    }

    /// Calls `each(row, columns, known)` for the blocks of a unit, panel by panel; where the bound
    /// does not hold, for whole panels with their values.
    fn blocks(&self, bench: &mut Bench<T>, unit: Unit, wide: bool, each: &mut Each<'_, T>) {
        let mut from = unit.columns.0;
        while from < unit.columns.1 {
            let to = (from + SEGMENT).min(unit.columns.1);
            let blocks = (to - from).div_ceil(BLOCK);
            if let Some(screen) = &self.screen {
                self.factors(screen, bench, from, to);
            } else {
                bench.panel.prepare(self.grid, from, to);
            }
            for first in (unit.rows.0..unit.rows.1).step_by(TOGETHER) {
                let rows = TOGETHER.min(unit.rows.1 - first);
                let constants: [_; TOGETHER] =
                    std::array::from_fn(|k| self.grid.row((first + k).min(unit.rows.1 - 1)));
                if let Some(screen) = &self.screen {
                    let coefficients = constants.each_ref().map(|row| screen.coefficients(row));
                    bench.spans.resize(blocks, [(T::ZERO, T::ZERO); TOGETHER]);
                    screen.spans(self.asking.level, &coefficients, &bench.factors, wide, &mut bench.spans);
                }
                for (k, constants) in constants.iter().enumerate().take(rows) {
                    if self.screen.is_some_and(|screen| screen.holds(constants, &bench.extents)) {
                        for (block, span) in bench.spans.iter().enumerate() {
                            let columns = (from + block * BLOCK, (from + block * BLOCK + BLOCK).min(to));
                            each(first + k, columns, Known::Span(span[k].0, span[k].1));
                        }
                    } else {
                        let segment = self.setting.segment(
                            constants,
                            bench.panel.tables(),
                            &self.setting.extents(&bench.panel.tables()),
                        );
                        let values = &mut bench.values[..to - from];
                        self.setting.write(Store::Plain, &segment, values);
                        each(first + k, (from, to), Known::Values(values));
                    }
                }
            }
            from = to;
        }
    }

    fn extremes(&self, side: Side) -> Result<Vec<Option<Extreme<T>>>> {
        let found = Mutex::new(vec![None; self.grid.rows()]);
        let margin = Screen::MARGIN * T::HALF_ULP;
        // The extreme of the value is the smallest sum, or the largest.
        let smallest =
            self.screen.is_none_or(|screen| (screen.sense == Sense::Direct) == (side == Side::Min));
        let within = |sum: T, best: f64| {
            if smallest {
                sum.to_f64() <= best * (1.0 + margin)
            } else {
                sum.to_f64() >= best * (1.0 - margin)
            }
        };
        self.each(STRIPE, &|bench, unit| {
            let rows = unit.rows.1 - unit.rows.0;
            let mut best = vec![if smallest { f64::INFINITY } else { 0.0 }; rows];
            let mut candidates = vec![Vec::new(); rows];
            let mut own = vec![None; rows];
            self.blocks(bench, unit, !smallest, &mut |row, columns, known| {
                let row = row - unit.rows.0;
                match known {
                    Known::Values(values) => side.take(&mut own[row], columns.0, values),
                    Known::Span(low, high) => {
                        let sum = if smallest { low } else { high };
                        if within(sum, best[row]) {
                            let value = sum.to_f64();
                            best[row] = if smallest { best[row].min(value) } else { best[row].max(value) };
                            candidates[row].push((columns, sum));
                        }
                    }
                }
            });
            for (index, candidates) in candidates.iter().enumerate() {
                // The best sum came later for most candidates.
                for &(columns, _) in candidates.iter().filter(|candidate| within(candidate.1, best[index])) {
                    let row = unit.rows.0 + index;
                    self.exact(&mut bench.exact, &mut bench.values, row, columns, &mut |from, values| {
                        side.take(&mut own[index], from, values);
                    });
                }
            }
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (kept, own) in found[unit.rows.0..unit.rows.1].iter_mut().zip(own) {
                if let Some(own) = own {
                    side.keep(kept, own);
                }
            }
        })?;
        Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// Whether a block's values are all at or above `level`, or none, or must be looked at.
    fn verdict(&self, row: usize, level: T, low: T, high: T) -> Verdict {
        let Some(screen) = &self.screen else {
            return Verdict::Look;
        };
        let (low, high, level) = (low.to_f64(), high.to_f64(), level.to_f64());
        let scale = self.grid.row(row)[5].to_f64();
        let margin = Screen::MARGIN * T::HALF_ULP;
        let (least, most) = match screen.sense {
            Sense::Direct => (scale * low, scale * high),
            Sense::Inverse => (scale / high, scale / low),
        };
        if least * (1.0 - margin) >= level {
            Verdict::All
        } else if most * (1.0 + margin) < level {
            Verdict::Nothing
        } else {
            Verdict::Look
        }
    }

    fn at_least(&self, levels: &[T]) -> Result<Vec<AtLeast>> {
        let found = Mutex::new(vec![AtLeast::NONE; self.grid.rows()]);
        self.each(STRIPE, &|bench, unit| {
            let mut own = vec![AtLeast::NONE; unit.rows.1 - unit.rows.0];
            let mut looks = Vec::new();
            self.blocks(bench, unit, true, &mut |row, columns, known| {
                let (level, own) = (level_of(levels, row), &mut own[row - unit.rows.0]);
                match known {
                    Known::Values(values) => own.take(columns.0, values, level),
                    Known::Span(low, high) => match self.verdict(row, level, low, high) {
                        Verdict::All => own.add(columns.0, columns.1 - 1, (columns.1 - columns.0) as u64),
                        Verdict::Nothing => {}
                        Verdict::Look => looks.push((row, columns)),
                    },
                }
            });
            for (row, columns) in looks {
                let (level, own) = (level_of(levels, row), &mut own[row - unit.rows.0]);
                self.exact(&mut bench.exact, &mut bench.values, row, columns, &mut |from, values| {
                    own.take(from, values, level);
                });
            }
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (kept, own) in found[unit.rows.0..unit.rows.1].iter_mut().zip(&own) {
                kept.merge(own);
            }
        })?;
        Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn crossings(&self, level: T) -> Result<Vec<Crossing<T>>> {
        let found = Mutex::new(Vec::new());
        // Whole rows, so that a crossing between two blocks is seen.
        self.each(self.grid.n.len().max(1), &|bench, unit| {
            let rows = unit.rows.1 - unit.rows.0;
            let mut blocks = vec![Vec::new(); rows];
            self.blocks(bench, unit, true, &mut |row, columns, known| {
                let row_blocks: &mut Vec<((usize, usize), Option<bool>)> = &mut blocks[row - unit.rows.0];
                let mut push = |columns: (usize, usize), decided: Option<bool>| match row_blocks.last_mut() {
                    // Runs of one verdict are one entry, so that long rows stay small.
                    Some((last, verdict)) if *verdict == decided => last.1 = columns.1,
                    _ => row_blocks.push((columns, decided)),
                };
                match known {
                    Known::Span(low, high) => push(
                        columns,
                        match self.verdict(row, level, low, high) {
                            Verdict::All => Some(true),
                            Verdict::Nothing => Some(false),
                            Verdict::Look => None,
                        },
                    ),
                    Known::Values(values) => {
                        let mut from = columns.0;
                        for run in values.chunk_by(|&a, &b| (a >= level) == (b >= level)) {
                            push((from, from + run.len()), Some(run[0] >= level));
                            from += run.len();
                        }
                    }
                }
            });
            let mut own = Vec::new();
            for (index, blocks) in blocks.iter().enumerate() {
                let row = unit.rows.0 + index;
                let mut before: Option<bool> = None;
                let mut note = |column: usize, above: bool| {
                    if before.is_some_and(|before| before != above) {
                        own.push((row, column));
                    }
                    before = Some(above);
                };
                for &(columns, decided) in blocks {
                    if let Some(above) = decided {
                        note(columns.0, above);
                    } else {
                        self.exact(&mut bench.exact, &mut bench.values, row, columns, &mut |from, values| {
                            values.iter().enumerate().for_each(|(k, &value)| note(from + k, value >= level));
                        });
                    }
                }
            }
            let mut crossings = Vec::with_capacity(own.len());
            for (row, column) in own {
                let mut cell = |column: usize| {
                    let mut value = T::ZERO;
                    let columns = (column, column + 1);
                    self.exact(&mut bench.exact, &mut bench.values, row, columns, &mut |_, v| value = v[0]);
                    value
                };
                crossings.push(Crossing { row, column, before: cell(column - 1), after: cell(column) });
            }
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            found.append(&mut crossings);
        })?;
        let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.sort_by_key(|crossing| (crossing.row, crossing.column));
        Ok(found)
    }
}

fn level_of<T: Copy>(levels: &[T], row: usize) -> T {
    levels[if levels.len() == 1 { 0 } else { row }]
}

/// Two neighbouring columns of a row, one below a level and one not; `column` is the second.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Crossing<T> {
    row: usize,
    column: usize,
    before: T,
    after: T,
}

/// Extremes of the rows; column -1 and NaN for a row without columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Extremes {
    /// First column that holds the extreme.
    pub column: Vec<i64>,
    /// Its value.
    pub value: Vec<f64>,
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

/// Neighbouring columns between which a row crosses a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossings {
    /// Row.
    pub row: Vec<i64>,
    /// The second of the two columns.
    pub column: Vec<i64>,
    /// Value in the first column.
    pub before: Vec<f64>,
    /// Value in the second column.
    pub after: Vec<f64>,
}

fn signed(column: Option<usize>) -> i64 {
    column.and_then(|column| i64::try_from(column).ok()).unwrap_or(-1)
}

/// The largest or smallest value of every row, with its first column.
///
/// # Errors
/// Those of [`Grid::check`]; [`Error::Cancelled`] where the poll said so.
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

/// How many cells of every row are at or above its level, the first and the last of them.
///
/// # Errors
/// As for [`extremes`]; [`Error::Shape`] for levels that are neither one nor one a row.
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
/// As for [`extremes`].
pub fn crossings<T: Real>(grid: &Grid<'_, T>, level: T, asking: Asking<'_>) -> Result<Crossings> {
    let found = Asked::new(grid, asking)?.crossings(level)?;
    Ok(Crossings {
        row: found.iter().map(|crossing| signed(Some(crossing.row))).collect(),
        column: found.iter().map(|crossing| signed(Some(crossing.column))).collect(),
        before: found.iter().map(|crossing| crossing.before.to_f64()).collect(),
        after: found.iter().map(|crossing| crossing.after.to_f64()).collect(),
    })
}

/// The value of one cell a row, exactly; NaN for column -1.
///
/// # Errors
/// Those of [`Grid::check`]; [`Error::Shape`] for columns that are not one a row or outside the grid.
pub fn cells<T: Real>(grid: &Grid<'_, T>, columns: &[i64], asking: Asking<'_>) -> Result<Vec<f64>> {
    let asked = Asked::new(grid, asking)?;
    let outside = columns.iter().any(|&column| column >= signed(Some(grid.n.len())));
    if columns.len() != grid.rows() || outside {
        let expected = format!("one column of the grid for each of {} rows", grid.rows());
        return Err(Error::Shape { name: "columns", expected, got: columns.len() });
    }
    let mut bench = Asked::<T>::bench();
    let mut value = |(row, column): (usize, &i64)| {
        let mut found = f64::NAN;
        if let Ok(column) = usize::try_from(*column) {
            let cell = (column, column + 1);
            asked.exact(&mut bench.exact, &mut bench.values, row, cell, &mut |_, v| found = v[0].to_f64());
        }
        found
    };
    Ok(columns.iter().enumerate().map(&mut value).collect())
}
