//! Questions about a grid that is never stored: extremes, cells at or above a level, contours, ranks.
//!
//! Every answer is the one that the stored grid would give, ties to the first column. Rows of named
//! laws are answered from what is known of their course; otherwise blocks of columns are decided by
//! a bound where that is certain and evaluated exactly where it is not.

mod asked;
mod closed;
mod extremes;
mod levels;
mod ranks;

use std::sync::{Mutex, MutexGuard, PoisonError};

use self::asked::{Asked, Cells};
use super::law::Grid;
use super::level::Level;
use super::real::Real;
use super::tiles::Poll;
use crate::error::{Error, Result};
use crate::threads::Threads;

pub use extremes::{Extremes, Side, extremes};
pub use levels::{Contour, Counts, at_least, contour};
pub use ranks::{histogram, quantiles};

/// How a grid is visited; the answers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Not at all where the law's course over ascending counts is known; else as [`Method::Grid`].
    Auto,
    /// Every column, blocks of them by a bound where that is certain.
    Grid,
    /// Every cell.
    Brute,
}

impl Method {
    /// The method called `name`.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "auto" => Self::Auto,
            "grid" => Self::Grid,
            "brute" => Self::Brute,
            _ => {
                let expected = "\"auto\", \"grid\" or \"brute\"";
                return Err(Error::Choice { name: "method", got: name.to_owned(), expected });
            }
        })
    }
}

/// How a grid is asked.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// Threads of this call.
    pub threads: Threads,
    /// Instruction set.
    pub level: Level,
    /// How the grid is visited.
    pub method: Method,
    /// Asked now and then from the calling thread.
    pub poll: Option<Poll<'a>>,
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking")
            .field("threads", &self.threads)
            .field("level", &self.level)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// -1 for none.
fn signed(column: Option<usize>) -> i64 {
    column.and_then(|column| i64::try_from(column).ok()).unwrap_or(-1)
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
    let mut cells = Cells::new();
    let mut value = |(row, &column): (usize, &i64)| {
        let cell = |column| asked.cell(&mut cells, &grid.row(row), column).to_f64();
        usize::try_from(column).map_or(f64::NAN, cell)
    };
    Ok(columns.iter().enumerate().map(&mut value).collect())
}
