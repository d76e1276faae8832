//! One variable at a time: descend to a minimum, cross a threshold, find an extreme. All safeguarded.

/// A function value with slope and curvature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub f: f64,
    pub slope: f64,
    pub curvature: f64,
}

/// Minimise a function that falls and then rises on `[low, high]`, by Newton's method in a bracket.
///
/// Stops when a further step would gain less than `gain`. A minimum at an end is that end exactly.
/// Returns the position and the value there.
pub(super) fn descend(
    (low, high): (f64, f64),
    start: f64,
    gain: f64,
    eval: impl Fn(f64) -> Value,
) -> (f64, Value) {
    let mut x = start.clamp(low, high);
    let mut here = eval(x);
    // Ends of the bracket; an end that is still a bound has not been looked at.
    let (mut left, mut right) = (low, high);
    let mut last = 0.0_f64;
    for _ in 0..80 {
        if (x == low && here.slope >= 0.0) || (x == high && here.slope <= 0.0) || here.slope == 0.0 {
            break;
        }
        if here.slope > 0.0 {
            right = x;
        } else {
            left = x;
        }
        let newton = -here.slope / here.curvature;
        let step = if here.curvature > 0.0 {
            if 0.5 * here.slope.abs() * newton.abs() <= gain.max(1e-13 * here.f)
                || newton.abs() <= 2e-16 * x.abs()
            {
                // The last step is taken without another look: Newton's error there is its square.
                let end = (x + newton).clamp(left, right);
                return (end, Value { f: (here.f + 0.5 * here.slope * newton).max(0.0), ..here });
            }
            newton
        } else {
            -here.slope.signum() * (2.0 * last.abs()).max(0.25 * x.abs()).max(1e-6)
        };
        let mut next = x + step;
        if next <= left {
            next =
                if left == low && x != low && low.is_finite() { low } else { 0.5 * (left.max(x - 1e3) + x) };
        } else if next >= right {
            next = if right == high && x != high && high.is_finite() {
                high
            } else {
                0.5 * (right.min(x + 1e3) + x)
            };
        }
        let mut there = eval(next);
        let mut halvings = 0;
        while (there.f > here.f || there.f.is_nan()) && halvings < 60 {
            if there.f.is_finite() {
                // Uphill at a finite value: the slope there closes the bracket unless it points on.
                if there.slope > 0.0 && next > x {
                    right = next;
                } else if there.slope < 0.0 && next < x {
                    left = next;
                }
            }
            next = 0.5 * (x + next);
            there = eval(next);
            halvings += 1;
        }
        if halvings == 60 || next == x {
            break;
        }
        last = next - x;
        (x, here) = (next, there);
    }
    (x, here)
}

/// The position between `from` and `bound` where a rising function reaches `threshold`; the bound
/// itself where it is not reached before. `f0` is the value at `from`, `step` a first guess (signed).
///
/// Newton's method on the square root of the rise, which is nearly straight, inside a bracket.
pub(super) fn crossing(
    from: f64,
    f0: f64,
    step: f64,
    bound: f64,
    threshold: f64,
    mut eval: impl FnMut(f64) -> (f64, f64),
) -> f64 {
    if from == bound {
        return bound;
    }
    let rise = threshold - f0;
    if rise <= 0.0 {
        return from;
    }
    let root = rise.sqrt();
    let beyond = |x: f64| if step > 0.0 { x >= bound } else { x <= bound };
    let (mut inner, mut outer) = (from, None::<f64>);
    let mut x = from + step;
    for _ in 0..100 {
        if outer.is_none() && beyond(x) {
            x = bound;
        }
        let (f, slope) = eval(x);
        if (f - threshold).abs() <= 1e-7 * rise {
            return x;
        }
        if f < threshold {
            if x == bound || !x.is_finite() {
                return bound;
            }
            inner = x;
        } else {
            outer = Some(x);
        }
        // Where the function is infinite it has no root to take a step from.
        let newton = if f.is_finite() && f > f0 {
            let distance = (f - f0).sqrt();
            x - (distance - root) * 2.0 * distance / slope
        } else {
            f64::NAN
        };
        let Some(end) = outer else {
            // Never less than half as far again, never more than four times as far.
            let far = inner - from;
            let next = if newton.is_finite() { newton - from } else { 2.0 * far };
            x = from
                + if step > 0.0 {
                    next.clamp(1.5 * far, 4.0 * far)
                } else {
                    next.clamp(4.0 * far, 1.5 * far)
                };
            continue;
        };
        let (a, b) = (inner.min(end), inner.max(end));
        x = if newton > a && newton < b { newton } else { 0.5 * (a + b) };
        if b - a <= 1e-13 * b.abs().max(a.abs()) {
            return inner;
        }
    }
    inner
}

/// The largest value of `f` on `[low, high]` by Brent's parabolas and golden sections.
///
/// `known` are three places with their values, the best first: the first parabola goes through them.
/// Stops when the place is known to a two-hundredth of the bracket, where the value is flat.
pub(super) fn maximise(
    (low, high): (f64, f64),
    known: [(f64, f64); 3],
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
    const GOLDEN: f64 = 0.381_966_011_250_105;
    let [(mut x, mut fx), (mut w, mut fw), (mut v, mut fv)] = known;
    let (mut a, mut b) = (low, high);
    let tolerance = 5e-3 * (high - low);
    // The last step and the one before: a parabola must at least halve the latter.
    let (mut step, mut before) = (high - low, high - low);
    for _ in 0..30 {
        let middle = 0.5 * (a + b);
        if (x - middle).abs() <= 2.0 * tolerance - 0.5 * (b - a) {
            break;
        }
        let r = (x - w) * (fx - fv);
        let q = (x - v) * (fx - fw);
        let (p, q) = ((x - v) * q - (x - w) * r, 2.0 * (q - r));
        let (p, q) = if q > 0.0 { (-p, q) } else { (p, -q) };
        if p.abs() < (0.5 * q * before).abs() && p > q * (a - x) && p < q * (b - x) {
            (before, step) = (step, p / q);
            let u = x + step;
            if u - a < 2.0 * tolerance || b - u < 2.0 * tolerance {
                step = if x < middle { tolerance } else { -tolerance };
            }
        } else {
            before = if x < middle { b - x } else { a - x };
            step = GOLDEN * before;
        }
        let u = x + if step.abs() >= tolerance { step } else { tolerance.copysign(step) };
        let fu = f(u);
        if fu >= fx {
            if u >= x {
                a = x;
            } else {
                b = x;
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
        } else {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu >= fw || w == x {
                (v, fv, w, fw) = (w, fw, u, fu);
            } else if fu >= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
    fx
}

#[cfg(test)]
mod tests {
    use super::{Value, crossing, descend, maximise};

    /// `cosh(x - 1)`: smooth, with its bottom at 1.
    fn valley(x: f64) -> Value {
        let u = x - 1.0;
        Value { f: u.cosh() - 1.0, slope: u.sinh(), curvature: u.cosh() }
    }

    #[test]
    fn a_descent_ends_at_the_bottom_or_exactly_at_the_bound() {
        assert!((descend((-5.0, 5.0), 4.0, 0.0, valley).0 - 1.0).abs() < 1e-12);
        assert_eq!(descend((2.0, 5.0), 4.0, 0.0, valley).0, 2.0);
        assert_eq!(descend((-5.0, 0.5), -4.0, 0.0, valley).0, 0.5);
    }

    #[test]
    fn a_descent_survives_places_where_the_function_bends_the_wrong_way() {
        // x^2 / (1 + x^2) bends down beyond 1 / sqrt(3).
        let bent = |x: f64| {
            let q = 1.0 + x * x;
            Value { f: x * x / q, slope: 2.0 * x / (q * q), curvature: (2.0 - 6.0 * x * x) / (q * q * q) }
        };
        assert!(descend((-50.0, 50.0), 30.0, 0.0, bent).0.abs() < 1e-9);
    }

    #[test]
    fn a_crossing_is_the_root_or_the_bound() {
        let rising = |x: f64| (valley(x).f, valley(x).slope);
        let exact = 1.0 + 3.0_f64.acosh();
        assert!((crossing(1.0, 0.0, 0.3, 50.0, 2.0, rising) - exact).abs() < 1e-6);
        assert!((crossing(1.0, 0.0, -0.3, -50.0, 2.0, rising) - (2.0 - exact)).abs() < 1e-6);
        assert_eq!(crossing(1.0, 0.0, 0.3, 1.5, 2.0, rising), 1.5);
        assert_eq!(crossing(1.0, 0.0, 0.3, 1.0, 2.0, rising), 1.0);
    }

    #[test]
    fn a_maximum_between_known_places_is_found() {
        let f = |x: f64| (3.0 * x).sin();
        let known = [(0.5, f(0.5)), (0.2, f(0.2)), (1.0, f(1.0))];
        assert!((maximise((0.2, 1.0), known, f) - 1.0).abs() < 1e-4);
    }
}
