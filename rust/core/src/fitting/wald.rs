//! Wald intervals: estimate plus and minus a t quantile times the standard error of the Jacobian.
//!
//! Offered to reproduce other tools. The bound of a parameter is ignored, as those tools do.

use super::family::Law;
use super::noise::t_two_sided;
use super::profile::Residuals;
use super::surface::Surface;

/// Standard errors of the level, and of the shape parameters; the level is T(1), or the rate X(1).
#[derive(Debug, Clone, Copy)]
pub(super) struct Wald {
    pub level: f64,
    pub shape: [f64; 2],
    /// Two-sided t quantile on runs minus parameters.
    pub quantile: f64,
}

/// Standard errors at an estimate with all runs as observations; `None` with no degree of freedom left.
pub(super) fn wald(surface: &Surface<'_>, (a, b): (f64, f64), level: f64) -> Option<Wald> {
    let profile = surface.profile;
    let columns: &[usize] = if surface.law.size() == 3 { &[0, 1, 2] } else { &[0, 1] };
    let df = profile.total - columns.len() as f64;
    if df <= 0.0 {
        return None;
    }
    let local = surface.plane(a, b);
    let variance = (local.sse + profile.ss_pure) / df;
    let inverse = covariance(surface, (a, b), local.level, columns)?;
    let error = |i: usize| (variance * inverse[i][i]).sqrt();
    // Saturation is cut along 1 / limit_n: the error of limit_n follows by the chain rule.
    let stretch = if surface.law == Law::Saturation { 1.0 / (b * b) } else { 1.0 };
    let shape = [error(1), if columns.len() > 2 { error(2) * stretch } else { 0.0 }];
    let scale = if profile.residuals == Residuals::Log { local.level.exp() } else { 1.0 };
    Some(Wald { level: scale * error(0), shape, quantile: t_two_sided(level, df) })
}

/// Inverse of `J' W J` over the chosen columns (0: level, 1: a, 2: b), in their order; `None` where
/// the data cannot tell the parameters apart. Times the variance of one run it is the covariance.
pub(super) fn covariance(
    surface: &Surface<'_>,
    (a, b): (f64, f64),
    level: f64,
    columns: &[usize],
) -> Option<[[f64; 3]; 3]> {
    let mut matrix = [[0.0; 3]; 3];
    for (j, w) in surface.profile.weight.iter().enumerate() {
        let row = jacobian(surface, (a, b), level, j);
        for (i, p) in columns.iter().enumerate() {
            for (k, q) in columns.iter().enumerate() {
                matrix[i][k] += w * row[*p] * row[*q];
            }
        }
    }
    invert(matrix, columns.len())
}

/// Derivatives of the fitted value at count `j` by the level and the shape parameters.
pub(super) fn jacobian(surface: &Surface<'_>, (a, b): (f64, f64), level: f64, j: usize) -> [f64; 3] {
    let (h, d) = surface.at(j, a, b);
    match surface.profile.residuals {
        Residuals::Log => [1.0, d[0] / h, d[1] / h],
        Residuals::Time => [h, level * d[0], level * d[1]],
        Residuals::Throughput => [1.0 / h, -level * d[0] / (h * h), -level * d[1] / (h * h)],
    }
}

/// Gauss-Jordan inverse of the leading block of a symmetric positive definite matrix.
fn invert(mut matrix: [[f64; 3]; 3], size: usize) -> Option<[[f64; 3]; 3]> {
    // Columns are scaled to 1 first: kappa and T(1) differ by many orders of magnitude.
    let scale: [f64; 3] = std::array::from_fn(|i| if i < size { matrix[i][i].sqrt() } else { 1.0 });
    let mut inverse = [[0.0; 3]; 3];
    for i in 0..size {
        inverse[i][i] = 1.0;
        for k in 0..size {
            matrix[i][k] /= scale[i] * scale[k];
        }
    }
    for i in 0..size {
        let pivot = matrix[i][i];
        if pivot.is_nan() || pivot <= 1e-13 {
            return None;
        }
        for k in 0..size {
            matrix[i][k] /= pivot;
            inverse[i][k] /= pivot;
        }
        for row in (0..size).filter(|row| *row != i) {
            let factor = matrix[row][i];
            for k in 0..size {
                matrix[row][k] -= factor * matrix[i][k];
                inverse[row][k] -= factor * inverse[i][k];
            }
        }
    }
    for i in 0..size {
        for k in 0..size {
            inverse[i][k] /= scale[i] * scale[k];
        }
    }
    Some(inverse)
}

impl Wald {
    /// Half width of the interval of a standard error.
    pub(super) fn half(&self, error: f64) -> f64 {
        self.quantile * error
    }
}
