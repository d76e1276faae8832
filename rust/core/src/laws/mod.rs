//! Scaling laws in closed form: one law a file, with value, derivative, inverse, knee, peak and ceiling.
//!
//! Every law comes in two layers. The plain functions (`amdahl::speedup(n, serial)`) are scalar,
//! inlineable and check nothing: kernels and solvers build on them. The types beside them
//! (`amdahl::Speedup`) are the same formulas with names and domains; [`Law`] evaluates those for
//! one point or for whole slices, and answers every value outside a domain with an error.
//!
//! The serial fraction is the native parameter: `1 - p` is exact for `p >= 1/2`, while the way
//! back from a `p` next to one has already lost the digits that the ceiling depends on.
//! Every numerator and denominator is a sum of terms of one sign, so that nothing cancels, and
//! n = 1, serial = 0 and serial = 1 come out exact.

// Selects instead of branches, and formulas inlined into their loop: both are what lets it vectorise.
#![allow(clippy::needless_bitwise_bool, clippy::inline_always)]

pub mod amdahl;
mod formula;
pub mod gustafson;
pub mod hill_marty;
pub mod isoefficiency;
pub mod karp_flatt;
mod log2;
mod power;
pub mod queueing;
pub mod serial_fractions;
mod solve;
pub mod sun_ni;
pub mod usl;
pub mod usl_inverse;
pub mod usl_log;
mod wide;
pub mod work_span;

pub use formula::{Argument, Formula, Gathered, Law, Operand, first_below_one, gather};
pub use log2::log2;
