//! Scaling laws, fits and forecasts: the pure core of scalewall.
//!
//! The crate knows no Python, prints nothing and reads no environment variable: it takes slices
//! and plain values, and writes into buffers that the caller owns. Floors, from the ground:
//! [`error`], then [`laws`] (closed forms, everybody may call them), then [`fitting`].

pub mod clock;
pub mod error;
pub mod fitting;
pub mod laws;
pub mod ledger;
pub mod os;
pub mod reduction;
pub mod surfaces;
pub mod threads;
pub mod training;

pub use error::{Error, Result};
