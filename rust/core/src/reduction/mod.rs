//! Sums, products, norms, ranges and moments over many elements by many threads.
//!
//! Three methods: [`Exact`] is the correctly rounded result, [`Compensated`] is as good as twice the
//! precision, [`Pairwise`] is plain arithmetic in a cascade. Each gives the same bits for any number of
//! threads. With stamps, a call says where every worker-nanosecond went ([`crate::ledger`]).

mod accumulators;
mod calls;
mod engine;
mod exact;
mod integers;
mod kernels;
mod minmax;
mod moments;
mod pairs;
mod program;
mod state;
mod strided;
mod superaccumulator;
mod team;
mod vector;

pub use accumulators::{Accumulator, Compensated, Pairwise, Reading, Squares};
pub use calls::{Answer, Call, Merged, Method, useful_threads};
pub use engine::Combine;
pub use exact::Exact;
pub use integers::{Integer, IntegerSum};
pub use minmax::MinMax;
pub use moments::Moments;
pub use program::Program;
pub use state::{State, whole};
pub use strided::{Load, Strided};
pub use superaccumulator::Superaccumulator;
pub use team::{Measure, Team, placed};
