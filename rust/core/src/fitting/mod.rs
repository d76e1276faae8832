//! Least squares on measured runs: point, region, union over the laws that the data allow, forecast.

mod curves;
mod means;
mod vecmath;

pub use curves::{Bounds3, Curves, Forecast, Measurement, Outlook, measurements, recommended};
pub use means::Means;
