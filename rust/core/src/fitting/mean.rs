//! The mean of a few measured values, with the interval that Student's t gives it.

use super::noise::t_two_sided;
use crate::{Error, Result};

/// Mean, and the ends of its two-sided interval at `level`; one value has no interval and answers infinite ends.
///
/// # Errors
/// [`Error::TooFew`] without a value.
pub fn mean_interval(values: &[f64], level: f64) -> Result<(f64, f64, f64)> {
    let count = values.len() as f64;
    if values.is_empty() {
        return Err(Error::TooFew { what: "no value".into(), needed: "a mean needs at least one".into() });
    }
    let mean = values.iter().sum::<f64>() / count;
    if values.len() == 1 {
        return Ok((mean, f64::NEG_INFINITY, f64::INFINITY));
    }
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = t_two_sided(level, count - 1.0) * (variance / count).sqrt();
    Ok((mean, mean - half, mean + half))
}

#[cfg(test)]
mod tests {
    use super::mean_interval;

    #[test]
    fn the_interval_is_the_textbook_one() {
        // t(0.975; 2) = 4.302652729911275; mean 2, sd 1, three values.
        let (mean, low, high) = mean_interval(&[1.0, 2.0, 3.0], 0.95).unwrap();
        let half = 4.302_652_729_911_275 / 3f64.sqrt();
        assert!((mean - 2.0).abs() < 1e-15);
        assert!((low - (2.0 - half)).abs() < 1e-9 && (high - (2.0 + half)).abs() < 1e-9);
    }

    #[test]
    fn one_value_has_no_interval_and_none_is_an_error() {
        assert_eq!(mean_interval(&[0.3], 0.95).unwrap(), (0.3, f64::NEG_INFINITY, f64::INFINITY));
        assert!(mean_interval(&[], 0.95).is_err());
    }
}
