//! Least squares on measured runs: point, region, union over the laws that the data allow, forecast.

mod means;

pub use means::Means;
