//! A grid cut into tiles, and threads that take them one after the other.
//!
//! Tiles depend on the shape alone, never on the threads. A tile is a block of rows by one panel
//! of columns; the panel's tables are made by the thread that works on it and kept for the next tile.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::kernels::SEGMENT;
use super::law::{Grid, TABLES};
use super::real::Real;
use crate::threads::{self, Threads};

/// Cells of one tile: long enough that taking it costs nothing, short enough to even out.
const TILE: usize = 128 * 1024;
/// Below this many cells the pool's wake-up costs more than the second thread brings.
const ALONE: usize = 64 * 1024;
/// Below this many rows a table of reciprocals costs more than the divisions it saves.
pub(super) const FEW_ROWS: usize = 8;
/// How often the caller is asked whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// Asked from the calling thread now and then with the share done; `false` stops the call.
pub type Poll<'a> = &'a (dyn Fn(f64) -> bool + Sync);

/// A block of rows by a panel of columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile {
    pub(super) rows: (usize, usize),
    pub(super) columns: (usize, usize),
}

/// How a grid is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiling {
    rows: usize,
    columns: usize,
    block: usize,
    panel: usize,
}

impl Tiling {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        // Few rows make little use of a table: then a short one, which is quickly made and stays near.
        let longest = if rows < FEW_ROWS { SEGMENT / 4 } else { SEGMENT };
        let panel = longest.min(columns.max(1));
        Self { rows, columns, block: (TILE / panel).max(1), panel }
    }

    fn blocks(&self) -> usize {
        self.rows.div_ceil(self.block)
    }

    pub(super) fn count(&self) -> usize {
        self.blocks() * self.columns.div_ceil(self.panel)
    }

    /// Rows vary fastest, so that a panel's tables serve many tiles.
    pub(super) fn tile(&self, index: usize) -> Tile {
        let (panel, block) = (index / self.blocks(), index % self.blocks());
        let (row, column) = (block * self.block, panel * self.panel);
        Tile {
            rows: (row, (row + self.block).min(self.rows)),
            columns: (column, (column + self.panel).min(self.columns)),
        }
    }
}

/// The tables of one panel, owned by one thread.
pub(super) struct Panel<T> {
    values: Vec<T>,
    made: Option<(usize, usize)>,
    reciprocals: bool,
}

impl<T: Real> Panel<T> {
    /// Tables with the reciprocals of a quotient, or without.
    pub(super) fn new(reciprocals: bool) -> Self {
        Self { values: Vec::new(), made: None, reciprocals }
    }

    /// Makes the tables of the columns `from..to`, unless they are there; says whether it did.
    pub(super) fn prepare(&mut self, grid: &Grid<'_, T>, from: usize, to: usize) -> bool {
        if self.made == Some((from, to)) {
            return false;
        }
        self.made = Some((from, to));
        self.values.resize(TABLES * (to - from), T::ZERO);
        grid.fill(from, self.reciprocals, &mut split(&mut self.values, to - from));
        true
    }

    /// The tables made last.
    pub(super) fn tables(&self) -> [&[T]; TABLES] {
        let length = self.values.len() / TABLES;
        let mut rest = &self.values[..];
        std::array::from_fn(|_| {
            let (table, tail) = rest.split_at(length);
            rest = tail;
            table
        })
    }
}

/// Smallest and largest value of a table.
pub(super) fn extent<T: Real>(table: &[T]) -> (T, T) {
    let first = table.first().copied().unwrap_or_default();
    table.iter().fold((first, first), |(low, high), &x| (x.smaller(low), x.larger(high)))
}

fn split<T>(values: &mut [T], length: usize) -> [&mut [T]; TABLES] {
    let mut rest = values;
    std::array::from_fn(|_| {
        let (table, tail) = std::mem::take(&mut rest).split_at_mut(length);
        rest = tail;
        table
    })
}

/// Lets threads take the numbers `0..count`, each once, and calls `work(state, number)`.
///
/// Returns the states of the threads and whether all numbers were worked on.
pub(super) fn share<S: Send>(
    count: usize,
    cells: usize,
    threads: Threads,
    poll: Option<Poll<'_>>,
    start: &(dyn Fn() -> S + Sync),
    work: &(dyn Fn(&mut S, usize) + Sync),
) -> (Vec<S>, bool) {
    let useful = if cells < ALONE { 1 } else { count };
    let threads = threads.resolve(useful).min(count.max(1));
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let states = std::sync::Mutex::new(Vec::with_capacity(threads));
    let take = |poll: Option<Poll<'_>>| {
        let mut state = start();
        let mut asked = poll.map(|_| Instant::now());
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            work(&mut state, number);
            if let (Some(poll), Some(last)) = (poll, asked.as_mut())
                && last.elapsed() >= POLL
            {
                *last = Instant::now();
                if !poll((number as f64 + 1.0) / count as f64) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        let mut states = states.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        states.push(state);
    };
    if threads <= 1 {
        take(poll);
    } else {
        // Only the calling thread, index 0, may ask.
        threads::run(threads, &|index| take(if index == 0 { poll } else { None }));
    }
    let states = states.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    (states, !stop.into_inner())
}
