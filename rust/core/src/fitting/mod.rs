//! Least squares on measured runs: point, region, union over the laws that the data allow, forecast.

mod means;
mod vecmath;

pub use means::Means;
