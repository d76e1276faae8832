//! A law over a (parameter, worker count) grid, as fast as the machine can store the result.
//!
//! [`Grid`] says what to compute, [`evaluate_into`] stores it, and the scans answer questions about
//! grids too large to store.

mod check;
mod evaluate;
mod kernels;
mod lanes;
mod law;
mod level;
mod real;
mod scan;
mod screen;
mod tables;
mod tiles;

pub use evaluate::{Options, check_memory, evaluate_into, fill_limit};
pub use law::{Grid, Law, Quantity};
pub use level::{Level, Store, streaming_threshold};
pub use real::Real;
pub use scan::{Asking, Counts, Crossings, Extremes, Side, at_least, cells, crossings, extremes};
pub use tiles::Poll;
