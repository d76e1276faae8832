//! Weak scaling: how the time grows where the work grows with the workers.
//!
//! Times alone do not tell which part is serial (T(n) = s + p whatever s is). They do tell how much
//! longer each doubling takes. Two shapes are fitted on the log scale, the scale profiled out:
//!
//! T(n) = T(m) (1 + c log2 n/m), every doubling adds the same; T(n) = T(m) (1 + c (n/m - 1)), every m workers
//! add the same. m is the smallest count measured: one worker, or the yardstick of published tables where
//! none ran on one.
//!
//! Both are straight lines in g (log2 n/m or n/m - 1), which lets one number in a bounded interval describe
//! them: the share x of the time at the largest count that has grown, T(n)/T(nmax) = 1 - x + x g(n)/g(nmax),
//! so that c = x / ((1 - x) g(nmax)). Regions and the choice of shapes are those of the laws: all x whose
//! sum of squares stays below the F threshold; a shape is dropped where it lies outside the best one's
//! 99 % region. Efficiencies beyond the data come from the weighted curves.

use serde::Serialize;

use super::curves::Curves;
use super::means::Means;
use super::noise::{LEAST_VARIANCE, f_one, noise};
use super::report::{Estimate, Range};

/// A shape stays unless it lies outside the region of the best one at this level.
const KEEP: f64 = 0.99;
/// Least x: the time at the largest count is no less than half of T(m). A falling time is no growth, but
/// "no growth" needs room on both sides.
const LEAST: f64 = -1.0;
/// Cells in which the minimum is looked for before it is refined.
const CELLS: usize = 200;
/// Halvings that take a cell down to the spacing of doubles.
const HALVINGS: usize = 60;

/// What weak-scaling times say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weak {
    /// m: the smallest count measured, against which efficiencies stand.
    pub base: f64,
    /// T(m) as measured.
    pub time_base: f64,
    /// T(m) over the measured time at the largest count.
    pub efficiency_at_max: f64,
    /// c of T(m) (1 + c log2 n/m): share of T(m) that each doubling adds.
    pub log_growth: Estimate,
    /// c of T(m) (1 + c (n/m - 1)): share of T(m) that each m workers add.
    pub linear_growth: Estimate,
    /// The shapes that the data allow: `log_growth`, `linear_growth` or both, the better first.
    pub shapes: Vec<&'static str>,
    /// T(2n)/T(n) - 1 over the last two doublings up to the largest count, over the shapes allowed.
    pub growth_per_doubling: Range,
    /// Efficiency at twice and four times the largest count.
    pub efficiency: Vec<WeakEfficiency>,
}

/// Efficiency at a count beyond the data: T(m)/T(n) of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WeakEfficiency {
    /// Worker count.
    pub n: f64,
    /// Lower end.
    pub low: f64,
    /// The middle value.
    pub mid: f64,
    /// Upper end: no more than at the largest count, as the time does not fall when the work grows.
    pub high: f64,
}

/// Read weak-scaling runs; `means` and `curves` are those of the time per unit of work, T(n)/n.
///
/// `None` where no growth can be stated: one count, or two without repeats.
pub fn weak(means: &Means, curves: Option<&Curves>, level: f64) -> Option<Weak> {
    // The times themselves.
    let y: Vec<f64> = means.n.iter().zip(&means.y).map(|(n, y)| y + n.ln()).collect();
    let (base, top) = (*means.n.first()?, *means.n.last()?);
    let (time_base, last) = (y.first()?.exp(), y.last()?.exp());
    let log = Growth::fit(Shape::Log, means, &y, level)?;
    let linear = Growth::fit(Shape::Linear, means, &y, level)?;
    let (log_growth, linear_growth) = (log.rate(), linear.rate());
    let (best, other) = if log.sse <= linear.sse { (log, linear) } else { (linear, log) };
    let mut kept = vec![&best];
    kept.extend((other.sse <= best.limit).then_some(&other));

    let efficiency_at_max = time_base / last;
    Some(Weak {
        base,
        time_base,
        efficiency_at_max,
        log_growth,
        linear_growth,
        shapes: kept.iter().map(|fit| fit.shape.name()).collect(),
        growth_per_doubling: kept.iter().filter_map(|fit| fit.per_doubling()).reduce(hull)?,
        efficiency: curves
            .map_or_else(Vec::new, |curves| efficiencies(efficiency_at_max, curves, top, level)),
    })
}

/// Efficiency at the largest count over the growth of the time from there.
fn efficiencies(at_max: f64, curves: &Curves, top: f64, level: f64) -> Vec<WeakEfficiency> {
    let at = |factor: f64| {
        // T(n)/n is never faster than linear, so that T(n) does not fall and the efficiency does not rise.
        let growth = curves.time_ratio(factor * top, level).scaled(factor);
        WeakEfficiency {
            n: factor * top,
            low: at_max / growth.high,
            mid: at_max / growth.mid,
            high: at_max / growth.low,
        }
    };
    [2.0, 4.0].map(at).to_vec()
}

/// How the time grows with the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Log,
    Linear,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Self::Log => "log_growth",
            Self::Linear => "linear_growth",
        }
    }

    /// g at a multiple of the smallest count.
    fn growth(self, multiple: f64) -> f64 {
        match self {
            Self::Log => multiple.log2(),
            Self::Linear => multiple - 1.0,
        }
    }
}

/// One shape, fitted.
#[derive(Debug, Clone)]
struct Growth {
    shape: Shape,
    /// The largest count as a multiple of the smallest.
    top: f64,
    sse: f64,
    /// Sum of squares within which another shape is kept.
    limit: f64,
    x: f64,
    low: f64,
    high: f64,
}

impl Growth {
    /// `None` where neither misfit nor repeats leave a degree of freedom, or nothing can grow.
    fn fit(shape: Shape, means: &Means, y: &[f64], level: f64) -> Option<Self> {
        let base = *means.n.first()?;
        let top = *means.n.last()? / base;
        let full = shape.growth(top);
        if means.n.len() < 2 || full <= 0.0 {
            return None;
        }
        let problem = Problem {
            grown: means.n.iter().map(|n| shape.growth(*n / base) / full).collect(),
            y,
            runs: &means.runs,
        };
        let (x, sse) = problem.minimum();
        let df_misfit = means.n.len() as f64 - 2.0;
        let noise = noise(sse, df_misfit, means.ss_pure, means.df_pure, LEAST_VARIANCE)?;
        let threshold = sse + noise.variance * f_one(level, noise.df);
        Some(Self {
            shape,
            top,
            sse,
            limit: sse + noise.variance * f_one(KEEP, noise.df),
            x,
            low: problem.end(x, LEAST, threshold),
            high: problem.end(x, 1.0, threshold),
        })
    }

    /// c, infinite where all of the time has grown.
    fn rate(&self) -> Estimate {
        let full = self.shape.growth(self.top);
        let rate = |x: f64| x / ((1.0 - x) * full);
        Estimate { value: Some(rate(self.x)), low: rate(self.low), high: rate(self.high) }
    }

    /// T(2n)/T(n) - 1 for n a quarter and half of the largest count, where that is within the data.
    ///
    /// It rises with x, so that the ends of the region are enough.
    fn per_doubling(&self) -> Option<Range> {
        let grown = |part: f64| self.shape.growth(part * self.top) / self.shape.growth(self.top);
        let ratio = |x: f64, from: f64| share(x, grown(2.0 * from)) / share(x, grown(from)) - 1.0;
        [0.25, 0.5]
            .into_iter()
            .filter(|part| part * self.top >= 1.0)
            .map(|part| Range { low: ratio(self.low, part), high: ratio(self.high, part) })
            .reduce(hull)
    }
}

/// The range that holds both.
fn hull(one: Range, other: Range) -> Range {
    Range { low: one.low.min(other.low), high: one.high.max(other.high) }
}

/// T(n)/T(nmax) where the growth is the given part of that at nmax.
fn share(x: f64, grown: f64) -> f64 {
    1.0 - x + x * grown
}

/// The sum of squares as a function of x.
struct Problem<'a> {
    grown: Vec<f64>,
    y: &'a [f64],
    runs: &'a [f64],
}

/// Sum of squares at one x.
struct Value {
    sse: f64,
    slope: f64,
}

impl Problem<'_> {
    fn at(&self, x: f64) -> Value {
        let terms = || {
            self.grown.iter().zip(self.y).zip(self.runs).map(move |((grown, y), runs)| {
                let h = share(x, *grown);
                (*runs, y - h.ln(), (1.0 - grown) / h)
            })
        };
        let (total, sum) = terms().fold((0.0, 0.0), |(total, sum), (w, z, _)| (total + w, sum + w * z));
        let level = sum / total;
        let (sse, slope) = terms().fold((0.0, 0.0), |(sse, slope), (w, z, dz)| {
            let r = z - level;
            (sse + w * r * r, slope + 2.0 * w * r * dz)
        });
        Value { sse: if sse.is_finite() { sse } else { f64::INFINITY }, slope }
    }

    /// x and the sum of squares of the best curve: the best cell of a scan, then its slope's root.
    fn minimum(&self) -> (f64, f64) {
        let place = |i: usize| LEAST + (1.0 - LEAST) * i as f64 / CELLS as f64;
        let (mut best, mut least) = (0, f64::INFINITY);
        for i in 0..=CELLS {
            let sse = self.at(place(i)).sse;
            if sse < least {
                (best, least) = (i, sse);
            }
        }
        let (mut low, mut high) = (place(best.saturating_sub(1)), place((best + 1).min(CELLS)));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let value = self.at(middle);
            if value.slope > 0.0 || value.sse.is_infinite() {
                high = middle;
            } else {
                low = middle;
            }
        }
        [low, high, place(best)]
            .map(|x| (x, self.at(x).sse))
            .into_iter()
            .fold((place(best), least), |best, next| if next.1 < best.1 { next } else { best })
    }

    /// The end of the region on the side of `bound`.
    fn end(&self, x: f64, bound: f64, threshold: f64) -> f64 {
        if self.at(bound).sse <= threshold {
            return bound;
        }
        let (mut inside, mut outside) = (x, bound);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (inside + outside);
            if self.at(middle).sse <= threshold {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop at what must not happen
mod tests {
    use super::{Means, Weak, weak};

    /// Runs of T(n) = `time(n)`, n times the work on n workers, with the given log errors.
    fn means(n: &[f64], time: impl Fn(f64) -> f64, errors: &[f64]) -> Means {
        Means {
            n: n.to_vec(),
            y: n.iter().zip(errors).map(|(n, e)| (time(*n) / n).ln() + e).collect(),
            runs: vec![1.0; n.len()],
            ss_pure: 0.0,
            df_pure: 0.0,
        }
    }

    fn growth(n: &[f64], time: impl Fn(f64) -> f64, errors: &[f64]) -> Weak {
        weak(&means(n, time, errors), None, 0.95).unwrap()
    }

    const POWERS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

    #[test]
    fn exact_growth_is_found_whatever_the_scale() {
        for scale in [1e-6, 1.0, 1e6] {
            let answer = growth(&POWERS, |n| scale * (1.0 + 0.02 * n.log2()), &[0.0; 6]);
            assert!((answer.log_growth.value.unwrap() - 0.02).abs() < 1e-9, "{:?}", answer.log_growth);
            assert_eq!(answer.shapes, ["log_growth"]);
            assert!((answer.efficiency_at_max - 1.0 / 1.1).abs() < 1e-12);
            // From 8 to 16 workers, 1.08 / 1.06; the floor of the noise widens it a little.
            let high = answer.growth_per_doubling.high;
            assert!((high - (1.08 / 1.06 - 1.0)).abs() < 1e-3, "{high}");
        }
    }

    #[test]
    fn linear_growth_is_told_from_logarithmic_growth() {
        let errors = [0.002, -0.003, 0.001, 0.002, -0.002, 0.001];
        let answer = growth(&POWERS, |n| 3.0 * (1.0 + 0.05 * (n - 1.0)), &errors);
        assert_eq!(answer.shapes, ["linear_growth"]);
        let c = answer.linear_growth;
        assert!(c.low < 0.05 && 0.05 < c.high && c.high - c.low < 0.01, "{c:?}");
    }

    #[test]
    fn no_growth_has_an_interval_around_zero() {
        let answer = growth(&POWERS, |_| 5.0, &[0.01, -0.02, 0.01, 0.015, -0.01, 0.0]);
        assert_eq!(answer.shapes.len(), 2);
        for c in [answer.log_growth, answer.linear_growth] {
            assert!(c.low < 0.0 && 0.0 < c.high, "{c:?}");
        }
    }

    #[test]
    fn without_one_worker_the_smallest_count_is_the_yardstick() {
        // 2 (1 + 0.1 log2 n) from 4 workers on: T(4) = 2.4, and each doubling adds 0.2, a twelfth of it.
        let answer = growth(&POWERS[2..], |n| 2.0 * (1.0 + 0.1 * n.log2()), &[0.0; 4]);
        assert_eq!(answer.base, 4.0);
        assert!((answer.time_base - 2.4).abs() < 1e-12, "{}", answer.time_base);
        assert!((answer.efficiency_at_max - 2.4 / 3.0).abs() < 1e-12);
        assert!((answer.log_growth.value.unwrap() - 1.0 / 12.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_said_without_a_degree_of_freedom() {
        assert_eq!(weak(&means(&[1.0], |_| 5.0, &[0.0]), None, 0.95), None);
        let mut two = means(&[1.0, 2.0], |n| n, &[0.0; 2]);
        assert_eq!(weak(&two, None, 0.95), None);
        (two.runs, two.ss_pure, two.df_pure) = (vec![2.0; 2], 0.001, 2.0);
        let growth = weak(&two, None, 0.95).unwrap();
        assert!((growth.efficiency_at_max - 0.5).abs() < 1e-12);
        assert!((growth.log_growth.value.unwrap() - 1.0).abs() < 1e-9);
    }
}
