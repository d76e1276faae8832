//! A grid ready to be asked: units of work, blocks of columns and what is known of them.

use super::Method;
use super::closed::Closed;
use crate::error::{Error, Result};
use crate::surfaces::evaluate::Setting;
use crate::surfaces::kernels::SEGMENT;
use crate::surfaces::law::{Grid, Row};
use crate::surfaces::level::Store;
use crate::surfaces::real::Real;
use crate::surfaces::screen::{BLOCK, Factors, PRODUCTS, Screen, TOGETHER};
use crate::surfaces::tiles::{Panel, share};

/// Rows of one unit of work: they share the tables of every panel.
const ROWS: usize = 512;
/// Columns of one unit of work.
pub(super) const STRIPE: usize = 16 * SEGMENT;

/// From here to before there, columns or rows.
pub(super) type Range = (usize, usize);

/// A part of the grid.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) rows: Range,
    pub(super) columns: Range,
}

/// What one thread keeps between units.
pub(super) struct Bench<T> {
    panel: Panel<T>,
    factors: Factors<T>,
    factors_from: Option<Range>,
    spans: Vec<[(T, T); TOGETHER]>,
    values: Vec<T>,
    pub(super) cells: Cells<T>,
}

/// Tables and values of the columns that are evaluated exactly.
pub(super) struct Cells<T> {
    panel: Panel<T>,
    values: Vec<T>,
}

impl<T: Real> Cells<T> {
    pub(super) fn new() -> Self {
        Self { panel: Panel::new(true), values: vec![T::ZERO; BLOCK] }
    }
}

/// What is known of some columns of a row.
#[derive(Clone, Copy)]
pub(super) enum Known<'a, T> {
    /// Smallest and largest sum of the bound.
    Span(T, T),
    /// The exact values.
    Values(&'a [T]),
}

/// Takes what is known of some columns of a row.
pub(super) type Each<'a, T> = dyn FnMut(usize, Range, Known<'_, T>) + 'a;

/// A grid, ready to be asked.
pub(super) struct Asked<'a, T> {
    pub(super) grid: &'a Grid<'a, T>,
    setting: Setting,
    pub(super) screen: Option<Screen>,
    shared: [Option<T>; PRODUCTS],
    pub(super) closed: Option<Closed>,
    asking: super::Asking<'a>,
}

impl<'a, T: Real> Asked<'a, T> {
    pub(super) fn new(grid: &'a Grid<'a, T>, asking: super::Asking<'a>) -> Result<Self> {
        grid.check()?;
        let (form, finish) = grid.shape();
        let screen = if asking.method == Method::Brute { None } else { Screen::new(form, finish) };
        let rows = (0..grid.rows()).map(|row| grid.row(row));
        Ok(Self {
            grid,
            setting: Setting::new(grid, asking.level, true),
            shared: screen.map_or([None; PRODUCTS], |screen| screen.shared(rows)),
            screen,
            closed: if asking.method == Method::Auto { Closed::new(grid) } else { None },
            asking,
        })
    }

    pub(super) fn bench() -> Bench<T> {
        Bench {
            panel: Panel::new(true),
            factors: Factors::new(),
            factors_from: None,
            spans: Vec::new(),
            values: vec![T::ZERO; SEGMENT],
            cells: Cells::new(),
        }
    }

    /// All rows of the grid.
    pub(super) fn all(&self) -> Range {
        (0, self.grid.rows())
    }

    fn units(&self, stripe: usize, rows: &[Range]) -> Vec<Unit> {
        let columns = self.grid.n.len();
        // Where stripes are whole long rows, few of them make a unit.
        let block = (ROWS * STRIPE / stripe.clamp(1, columns.max(1))).clamp(1, ROWS);
        let mut units = Vec::new();
        for &(from, to) in rows {
            for row in (from..to).step_by(block) {
                for column in (0..columns).step_by(stripe) {
                    units.push(Unit {
                        rows: (row, (row + block).min(to)),
                        columns: (column, (column + stripe).min(columns)),
                    });
                }
            }
        }
        units
    }

    /// Calls `work` for every unit of some rows; a stop asked for by the poll is an error.
    pub(super) fn each(
        &self,
        stripe: usize,
        rows: &[Range],
        work: &(dyn Fn(&mut Bench<T>, Unit) + Sync),
    ) -> Result<()> {
        let units = self.units(stripe, rows);
        let cells = self.grid.rows().saturating_mul(self.grid.n.len());
        let unit = |bench: &mut Bench<T>, number: usize| work(bench, units[number]);
        let (_, done) = share(units.len(), cells, self.asking.threads, self.asking.poll, &Self::bench, &unit);
        if done { Ok(()) } else { Err(Error::Cancelled) }
    }

    /// Calls `work` for every row, which says whether it could answer; returns the others, as ranges.
    pub(super) fn each_row(
        &self,
        work: &(dyn Fn(&mut Cells<T>, usize) -> bool + Sync),
    ) -> Result<Vec<Range>> {
        let open = std::sync::Mutex::new(Vec::new());
        self.each_number(self.grid.rows(), &|cells, row| {
            if !work(cells, row) {
                super::locked(&open).push(row);
            }
        })?;
        let mut open = open.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        open.sort_unstable();
        Ok(open.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[0] + run.len())).collect())
    }

    /// Calls `work` for the numbers below `count`, each about a thousand cells of work.
    pub(super) fn each_number(
        &self,
        count: usize,
        work: &(dyn Fn(&mut Cells<T>, usize) + Sync),
    ) -> Result<()> {
        /// Numbers that one thread takes at a time.
        const TAKEN: usize = 32;
        const CELLS: usize = 1024;
        let unit = |cells: &mut Cells<T>, number: usize| {
            (number * TAKEN..(number * TAKEN + TAKEN).min(count)).for_each(|number| work(cells, number));
        };
        let (units, cells) = (count.div_ceil(TAKEN), count.saturating_mul(CELLS));
        let (_, done) = share(units, cells, self.asking.threads, self.asking.poll, &Cells::new, &unit);
        if done { Ok(()) } else { Err(Error::Cancelled) }
    }

    /// Hands the exact values of a row's columns to `take`, in segments.
    pub(super) fn exact(
        &self,
        cells: &mut Cells<T>,
        constants: &Row<T>,
        columns: Range,
        take: &mut dyn FnMut(usize, &[T]),
    ) {
        let mut from = columns.0;
        while from < columns.1 {
            // Segments begin at multiples of a block, so that neighbouring rows find their tables made.
            let to = (from / BLOCK * BLOCK + BLOCK).min(columns.1);
            cells.panel.prepare(self.grid, from, to);
            let tables = cells.panel.tables();
            let segment = self.setting.segment(constants, tables, &self.setting.extents(&tables));
            let values = &mut cells.values[..to - from];
            self.setting.write(Store::Plain, &segment, values);
            take(from, values);
            from = to;
        }
    }

    /// The exact value of one cell.
    pub(super) fn cell(&self, cells: &mut Cells<T>, constants: &Row<T>, column: usize) -> T {
        let mut value = T::ZERO;
        self.exact(cells, constants, (column, column + 1), &mut |_, values| value = values[0]);
        value
    }

    /// Makes the factors of a panel's columns.
    fn factors(&self, screen: &Screen, bench: &mut Bench<T>, from: usize, to: usize) {
        if bench.factors_from == Some((from, to)) {
            return;
        }
        bench.factors_from = Some((from, to));
        bench.panel.prepare(self.grid, from, to);
        bench.factors.make(screen, &self.shared, &bench.panel.tables());
    }

    /// Calls `each(row, columns, known)` for the blocks of a unit, panel by panel; where the bound
    /// does not hold, for whole panels with their values.
    pub(super) fn blocks(&self, bench: &mut Bench<T>, unit: Unit, wide: bool, each: &mut Each<'_, T>) {
        let mut from = unit.columns.0;
        while from < unit.columns.1 {
            let to = (from + SEGMENT).min(unit.columns.1);
            if let Some(screen) = &self.screen {
                self.factors(screen, bench, from, to);
            } else {
                bench.panel.prepare(self.grid, from, to);
            }
            for first in (unit.rows.0..unit.rows.1).step_by(TOGETHER) {
                let rows = (first, (first + TOGETHER).min(unit.rows.1));
                self.panel(bench, rows, (from, to), wide, each);
            }
            from = to;
        }
    }

    /// The same for up to [`TOGETHER`] rows and the columns of one panel, whose tables are made.
    fn panel(&self, bench: &mut Bench<T>, rows: Range, columns: Range, wide: bool, each: &mut Each<'_, T>) {
        let (from, to) = columns;
        let constants: [_; TOGETHER] = std::array::from_fn(|k| self.grid.row((rows.0 + k).min(rows.1 - 1)));
        if let Some(screen) = &self.screen {
            let coefficients = constants.each_ref().map(|row| bench.factors.coefficients(screen, row));
            bench.spans.resize((to - from).div_ceil(BLOCK), [(T::ZERO, T::ZERO); TOGETHER]);
            bench.factors.spans(self.asking.level, &coefficients, wide, &mut bench.spans);
        }
        for (k, (constants, row)) in constants.iter().zip(rows.0..rows.1).enumerate() {
            if self.screen.is_some_and(|screen| bench.factors.holds(&screen, constants)) {
                for (block, span) in bench.spans.iter().enumerate() {
                    let columns = (from + block * BLOCK, (from + block * BLOCK + BLOCK).min(to));
                    each(row, columns, Known::Span(span[k].0, span[k].1));
                }
            } else {
                let tables = bench.panel.tables();
                let segment = self.setting.segment(constants, tables, &self.setting.extents(&tables));
                let values = &mut bench.values[..to - from];
                self.setting.write(Store::Plain, &segment, values);
                each(row, columns, Known::Values(values));
            }
        }
    }
}
