//! A whole grid into a buffer of the caller.
#![allow(unsafe_code)] // Threads write disjoint row segments of one buffer; the block says why.

use super::kernels::{self, Division, SEGMENT, Segment};
use super::law::{Finish, Form, Grid, Row, TABLES};
use super::level::{Level, Store};
use super::real::Real;
use super::tiles::{FEW_ROWS, Panel, Poll, Tiling, extent, share};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// How a grid is evaluated; none of it changes a bit of an exact result.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Threads of this call.
    pub threads: Threads,
    /// Instruction set.
    pub level: Level,
    /// Kind of store.
    pub store: Store,
    /// Bit-identical to the plain expression; otherwise within 2.5 ulp of the true value.
    pub exact: bool,
    /// Asked now and then from the calling thread.
    pub poll: Option<Poll<'a>>,
}

impl Options<'_> {
    /// One thread, plain stores, exact: what a grid of a few thousand cells needs.
    pub fn small() -> Self {
        Self { threads: Threads::Serial, level: Level::best(), store: Store::Plain, exact: true, poll: None }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("threads", &self.threads)
            .field("level", &self.level)
            .field("store", &self.store)
            .field("exact", &self.exact)
            .finish_non_exhaustive()
    }
}

/// A segment below this length is not worth streaming: too few whole lines.
const STREAM_FROM: usize = 128;

/// Smallest and largest reciprocal of a panel's worker counts.
pub(super) type Extents<T> = (T, T);

/// What is the same for every cell of a grid.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    form: Form,
    finish: Finish,
    multiply: bool,
    division: Division,
    level: Level,
}

impl Setting {
    pub(super) fn new<T: Real>(grid: &Grid<'_, T>, level: Level, exact: bool) -> Self {
        let (form, finish) = grid.shape();
        let largest = || grid.n.iter().fold(T::ONE, |largest, &n| n.larger(largest));
        let multiply = form == Form::Quotient && grid.rows() >= FEW_ROWS && largest() <= T::DIVISOR_MAX;
        // 512-bit dividers and stores keep pace with the memory; narrower ones gain from pairs.
        // Longer sums bring more than their share of the 2.5 ulp, so only this form may spend the rest.
        let pairs = !exact && form == Form::Quotient && finish == Finish::Over && level != Level::Avx512;
        let division = if pairs { Division::Pairs } else { Division::Exact };
        Self { form, finish, multiply, division, level }
    }

    /// The tables that kernels of this setting need.
    pub(super) fn panel<T: Real>(&self) -> Panel<T> {
        Panel::new(self.multiply || self.division == Division::Pairs)
    }

    /// Whether the cells are made of the worker counts themselves, without tables.
    fn divides_by_n(&self) -> bool {
        self.form == Form::Quotient && !self.multiply && self.division == Division::Exact
    }

    /// What pairs of divisions need to know of the tables.
    pub(super) fn extents<T: Real>(&self, tables: &[&[T]; TABLES]) -> Extents<T> {
        match self.division {
            Division::Exact => (T::ZERO, T::ZERO),
            Division::Pairs => extent(tables[1]),
        }
    }

    pub(super) fn segment<'a, T: Real>(
        &self,
        row: &'a Row<T>,
        tables: [&'a [T]; TABLES],
        extents: &Extents<T>,
    ) -> Segment<'a, T> {
        let safe = row[1] == T::ZERO || (row[1] >= T::DIVIDEND.0 && row[1] <= T::DIVIDEND.1);
        let (low, high) = (row[0] + row[1] * extents.0, row[0] + row[1] * extents.1);
        let pairs = self.division == Division::Pairs && low >= T::PAIR.0 && high <= T::PAIR.1;
        Segment {
            form: self.form,
            finish: self.finish,
            row,
            tables,
            multiply: self.multiply && safe,
            division: if pairs { Division::Pairs } else { Division::Exact },
        }
    }

    pub(super) fn write<T: Real>(&self, store: Store, segment: &Segment<'_, T>, out: &mut [T]) {
        kernels::write(self.level, store, segment, out);
    }
}

/// The result, shared by threads that write different parts of it.
struct Target<T>(*mut T);
// SAFETY: the pointer is used only for row segments of tiles, and every tile is taken once.
unsafe impl<T: Send> Sync for Target<T> {}

impl<T> Target<T> {
    /// # Safety
    /// `offset..offset + length` lies inside the buffer, and nobody else uses that part.
    #[allow(clippy::mut_from_ref)] // Each part is given out once, see above.
    unsafe fn part(&self, offset: usize, length: usize) -> &mut [T] {
        // SAFETY: passed on to the caller.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(offset), length) }
    }
}

/// Writes the grid, row by row, to `out`.
///
/// # Errors
/// Those of [`Grid::check`]; [`Error::Shape`] where `out` has another length than the grid;
/// [`Error::Cancelled`] where the poll said so, with `out` partly written.
pub fn evaluate_into<T: Real>(grid: &Grid<'_, T>, options: &Options<'_>, out: &mut [T]) -> Result<()> {
    grid.check()?;
    let (rows, columns) = (grid.rows(), grid.n.len());
    if Some(out.len()) != rows.checked_mul(columns) {
        let expected = format!("{rows} x {columns} cells");
        return Err(Error::Shape { name: "out", expected, got: out.len() });
    }
    if out.is_empty() {
        return Ok(());
    }
    let setting = Setting::new(grid, options.level, options.exact);
    let tiling = Tiling::new(rows, columns);
    let store = if columns.min(SEGMENT) < STREAM_FROM { Store::Plain } else { options.store };
    let cells = out.len();
    let target = Target(out.as_mut_ptr());
    let start = || (setting.panel::<T>(), (T::ZERO, T::ZERO));
    let work = |(panel, extents): &mut (Panel<T>, Extents<T>), number: usize| {
        let tile = tiling.tile(number);
        let (from, to) = tile.columns;
        let tables = if setting.divides_by_n() {
            // The worker counts are the only table that is looked at.
            [&grid.n[from..to]; TABLES]
        } else {
            if panel.prepare(grid, from, to) {
                *extents = setting.extents(&panel.tables());
            }
            panel.tables()
        };
        for index in tile.rows.0..tile.rows.1 {
            let row = grid.row(index);
            let segment = setting.segment(&row, tables, extents);
            // SAFETY: row and columns lie inside the grid, whose cells `out` holds one by one, and
            // tiles do not overlap.
            let part = unsafe { target.part(index * columns + from, to - from) };
            setting.write(store, &segment, part);
        }
        if store == Store::Streaming {
            kernels::fence();
        }
    };
    let (_, done) = share(tiling.count(), cells, options.threads, options.poll, &start, &work);
    if done { Ok(()) } else { Err(Error::Cancelled) }
}

/// Fills `out` with one value by streaming stores, with the tiles and threads of a grid.
///
/// The time of this is the store limit that benchmarks compare a grid with.
pub fn fill_limit<T: Real>(value: T, level: Level, threads: Threads, out: &mut [T]) {
    const CHUNK: usize = 128 * 1024;
    let cells = out.len();
    let target = Target(out.as_mut_ptr());
    let work = |(): &mut (), number: usize| {
        let from = number * CHUNK;
        // SAFETY: chunks lie inside `out` and do not overlap.
        let part = unsafe { target.part(from, CHUNK.min(cells - from)) };
        kernels::fill_streaming(level, value, part);
        kernels::fence();
    };
    share(cells.div_ceil(CHUNK), cells, threads, None, &|| (), &work);
}

/// Refuses a result that the system has no memory for.
///
/// # Errors
/// [`Error::Memory`] with its size and what is free.
pub fn check_memory(rows: usize, columns: usize, cell_bytes: usize) -> Result<()> {
    /// Below this size the system is not asked.
    const SMALL: u64 = 64 << 20;
    let needed = (rows as u64).saturating_mul(columns as u64).saturating_mul(cell_bytes as u64);
    if needed < SMALL {
        return Ok(());
    }
    match crate::os::free_memory() {
        Some(free) if needed > free => Err(Error::Memory { rows, columns, needed, free }),
        _ => Ok(()),
    }
}
