//! A safeguarded Newton root, for the inverses that have no closed form.

/// The root of an increasing function between `low` (value <= 0) and `high` (value >= 0).
///
/// `function` returns value and slope. A Newton step that leaves the bracket, or a slope that is
/// not positive, becomes a bisection: the bracket only shrinks, and the loop ends where it cannot
/// shrink further in `f64`.
pub(super) fn increasing_root(
    function: impl Fn(f64) -> (f64, f64),
    mut low: f64,
    mut high: f64,
    start: f64,
) -> f64 {
    let mut x = start.clamp(low, high);
    let mut last = f64::INFINITY;
    // Newton needs under ten steps; bisection alone empties any bracket of doubles near 1 in 64.
    for step in 0..200 {
        let (value, slope) = function(x);
        if value == 0.0 {
            return x;
        }
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high && step % 8 != 7 { newton } else { 0.5 * (low + high) };
        let moved = (next - x).abs();
        if moved <= f64::EPSILON * 0.5 * x.abs() || (moved >= last && moved <= 4.0 * f64::EPSILON * x.abs()) {
            return next;
        }
        last = moved;
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::increasing_root;

    #[test]
    fn finds_roots_that_newton_alone_would_leave() {
        // The arc tangent throws Newton off from afar; the bracket holds it.
        let root =
            increasing_root(|x: f64| ((x - 3.0).atan(), 1.0 / (1.0 + (x - 3.0).powi(2))), -1e6, 1e6, 1e5);
        assert!((root - 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_flat_or_wrong_slope_costs_time_but_not_the_root() {
        for slope in [0.0, -1.0, f64::NAN, 1e300] {
            let root = increasing_root(|x| (x * x * x - 2.0, slope), 0.0, 2.0, 0.5);
            assert!((root - 2f64.cbrt()).abs() < 1e-13, "slope {slope}: {root}");
        }
    }

    #[test]
    fn a_root_at_an_end_is_found() {
        assert_eq!(increasing_root(|x| (x - 1.0, 1.0), 1.0, 2.0, 2.0), 1.0);
        assert_eq!(increasing_root(|x| (x - 2.0, 1.0), 1.0, 2.0, 1.0), 2.0);
    }
}
