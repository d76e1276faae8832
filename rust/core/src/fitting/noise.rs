//! How large the noise is, and the quantiles that turn it into thresholds.

use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};

/// Variance of a log time below which differences are clock and rounding: (0.01 %)^2.
pub(super) const LEAST_VARIANCE: f64 = 1e-8;

/// Variance of one run about its curve, and the degrees of freedom behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    pub variance: f64,
    pub df: f64,
}

/// The F > 1 rule: misfit and repeats are pooled unless the curve misses by more than the repeats
/// scatter; then the misfit alone counts, because repeats are not independent points.
///
/// `None` where neither the misfit nor the repeats have a degree of freedom.
pub(super) fn noise(sse: f64, df_misfit: f64, ss_pure: f64, df_pure: f64, least: f64) -> Option<Noise> {
    let (variance, df) = match (df_misfit > 0.0, df_pure > 0.0) {
        (false, false) => return None,
        (true, false) => (sse / df_misfit, df_misfit),
        (false, true) => (ss_pure / df_pure, df_pure),
        (true, true) => {
            let agrees = sse / df_misfit <= ss_pure / df_pure;
            if agrees {
                ((sse + ss_pure) / (df_misfit + df_pure), df_misfit + df_pure)
            } else {
                (sse / df_misfit, df_misfit)
            }
        }
    };
    Some(Noise { variance: variance.max(least), df })
}

/// The lack-of-fit ratio of misfit to repeats, and its probability where the curve is right.
pub(super) fn lack_of_fit(sse: f64, df_misfit: f64, ss_pure: f64, df_pure: f64) -> Option<(f64, f64)> {
    if df_misfit <= 0.0 || df_pure <= 0.0 || ss_pure <= 0.0 {
        return None;
    }
    // Repeats that agree to the last digits of a clock say nothing about how well a curve can fit.
    let f = (sse / df_misfit) / (ss_pure / df_pure).max(LEAST_VARIANCE);
    let p = FisherSnedecor::new(df_misfit, df_pure).ok()?.sf(f);
    Some((f, p))
}

/// Two-sided quantile of Student's t: P(|t| <= q) = level.
pub(super) fn t_two_sided(level: f64, df: f64) -> f64 {
    StudentsT::new(0.0, 1.0, df).map_or(f64::INFINITY, |t| t.inverse_cdf(0.5 + 0.5 * level))
}

/// Quantile of F with 1 and `df` degrees of freedom: the square of the two-sided t quantile.
pub(super) fn f_one(level: f64, df: f64) -> f64 {
    t_two_sided(level, df).powi(2)
}

#[cfg(test)]
mod tests {
    use super::{f_one, lack_of_fit, noise, t_two_sided};

    #[test]
    fn quantiles_agree_with_published_tables() {
        // Values of SciPy 1.17, scipy.stats.t.ppf(0.975, df) and f.ppf(level, 1, df).
        for (df, t) in [
            (1.0, 12.706_204_736_174_694),
            (3.0, 3.182_446_305_283_710_5),
            (21.0, 2.079_613_844_727_680_4),
            (357.0, 1.966_631_204_365_734_6),
        ] {
            assert!((t_two_sided(0.95, df) / t - 1.0).abs() < 1e-10, "{df} {}", t_two_sided(0.95, df));
        }
        assert!((f_one(0.99, 5.0) / 16.258_177_038_833_93 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn rounding_among_repeats_is_no_scatter_to_judge_a_curve_by() {
        let (f, p) = lack_of_fit(1e-30, 2.0, 1e-32, 10.0).unwrap();
        assert!(f < 1e-20 && p > 0.99, "{f} {p}");
        // A misfit of 1 % over repeats that scatter by 0.1 %: F = 100, p = scipy.stats.f.sf(100, 2, 10).
        let (f, p) = lack_of_fit(2e-4, 2.0, 1e-5, 10.0).unwrap();
        assert!((f - 100.0).abs() < 1e-9 && (p / 2.448_5e-7 - 1.0).abs() < 1e-3, "{f} {p}");
    }

    #[test]
    fn repeats_are_pooled_only_where_the_curve_agrees_with_them() {
        let pooled = noise(1.0, 2.0, 8.0, 8.0, 0.0).map(|n| (n.variance, n.df));
        assert_eq!(pooled, Some((0.9, 10.0)));
        let misfit = noise(4.0, 2.0, 8.0, 8.0, 0.0).map(|n| (n.variance, n.df));
        assert_eq!(misfit, Some((2.0, 2.0)));
        assert_eq!(noise(0.0, 0.0, 0.0, 0.0, 1e-8), None);
    }
}
