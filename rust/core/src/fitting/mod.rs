//! Least squares on measured runs: point, region, union over the laws that the data allow, forecast.
