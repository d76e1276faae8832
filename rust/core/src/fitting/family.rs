//! The shapes that are fitted: `T(n) = T(1) h(n; a, b)`, and where their parameters may lie.

use std::f64::consts::LN_2;

/// A law of scaling with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Law {
    /// `h = 1/n + sigma (1 - 1/n)`.
    Amdahl,
    /// `h = 1/n + sigma (1 - 1/n) + kappa (n - 1)`: Gunther's universal scalability law.
    Usl,
    /// `h = 1/n + sigma (1 - 1/n) + kappa log2 n`: a tree of messages.
    UslLog,
    /// `h = n^-q`: a slow decay of unknown form, without a ceiling.
    Power,
    /// `h = sigma + (1 - sigma) / min(n, limit_n)`: flat beyond a measured count.
    Saturation,
    /// `h = 1/n + sigma (1 - 1/n) + kappa ln n (1 - 1/n)`: Schwartz' logarithmic law, for reproduction only.
    UslLogSchwartz,
}

/// The laws every analysis lists, in this order.
pub const LISTED: [Law; 5] = [Law::Amdahl, Law::Usl, Law::UslLog, Law::Power, Law::Saturation];

/// The laws that compete; Amdahl is the bound kappa = 0 of the universal scalability law.
pub(super) const COMPETING: [Law; 4] = [Law::Usl, Law::UslLog, Law::Power, Law::Saturation];

/// No measured program pays ten times its one-worker time for the second worker alone; beyond this
/// the shape on any data hardly changes and the ceiling is 1.
const MOST_KAPPA: f64 = 10.0;
/// Where parameters without bounds end: a number, so that every search does.
const FREE: f64 = 1e6;

impl Law {
    /// The name that people write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amdahl => "amdahl",
            Self::Usl => "usl",
            Self::UslLog => "usl_log",
            Self::Power => "power",
            Self::Saturation => "saturation",
            Self::UslLogSchwartz => "usl_log_schwartz",
        }
    }

    /// The law of a name.
    pub fn parse(name: &str) -> Option<Self> {
        LISTED.into_iter().chain([Self::UslLogSchwartz]).find(|law| law.name() == name)
    }

    /// Names of the shape parameters, in the order a, b.
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Amdahl => &["sigma"],
            Self::Usl | Self::UslLog | Self::UslLogSchwartz => &["sigma", "kappa"],
            Self::Power => &["q"],
            Self::Saturation => &["sigma", "limit_n"],
        }
    }

    /// Parameters in all: the shape and T(1).
    pub(super) fn size(self) -> usize {
        self.parameters().len() + 1
    }

    /// Counts below which the minimum is not one point; a limit needs a measured count on either side.
    pub(super) fn least_counts(self) -> usize {
        if self == Self::Saturation { 4 } else { self.size() }
    }

    /// Whether `a` is a serial fraction.
    pub(super) fn has_sigma(self) -> bool {
        self != Self::Power
    }

    /// The cost that `kappa` multiplies.
    pub(super) fn coherency(self, n: f64) -> f64 {
        match self {
            Self::Usl => n - 1.0,
            Self::UslLog => n.log2(),
            Self::UslLogSchwartz => n.ln() * (1.0 - 1.0 / n),
            Self::Amdahl | Self::Power | Self::Saturation => 0.0,
        }
    }

    /// Time at `n` workers as a share of the one-worker time. Parameters below their bounds may take a
    /// curve below 0 outside the data: such a time is 0.
    pub(super) fn share(self, at: Point, n: f64) -> f64 {
        let Point { a, b } = at;
        let share = match self {
            Self::Amdahl => 1.0 / n + a * (1.0 - 1.0 / n),
            Self::Usl | Self::UslLog | Self::UslLogSchwartz => {
                1.0 / n + a * (1.0 - 1.0 / n) + b * self.coherency(n)
            }
            Self::Power => (-a * n.ln()).exp(),
            Self::Saturation => a + (1.0 - a) / n.min(b),
        };
        share.max(0.0)
    }

    /// Workers that run fastest, at least 1; infinite where more always help.
    pub(super) fn peak(self, at: Point) -> f64 {
        if_countable(self.peak_root(at).max(1.0))
    }

    fn peak_root(self, at: Point) -> f64 {
        let Point { a, b } = at;
        match self {
            Self::Amdahl | Self::Power => f64::INFINITY,
            Self::Saturation => b,
            _ if b <= 0.0 => f64::INFINITY,
            Self::Usl => ((1.0 - a).max(0.0) / b).sqrt(),
            Self::UslLog => (1.0 - a) * LN_2 / b,
            Self::UslLogSchwartz => schwartz_peak(a, b),
        }
    }

    /// The largest speedup of the curve: at the peak, or its limit for many workers.
    pub(super) fn ceiling(self, at: Point) -> f64 {
        let peak = self.peak(at);
        let least = match self {
            Self::Power if at.a > 0.0 => 0.0,
            Self::Power => 1.0,
            _ if peak.is_finite() => self.share(at, peak),
            // Unbounded fits may have a kappa below 0: the time of such a curve falls below 0.
            _ if at.b < 0.0 => 0.0,
            _ => at.a,
        };
        if least > 0.0 { 1.0 / least } else { f64::INFINITY }
    }

    /// Workers at which the efficiency has fallen to `efficiency`.
    ///
    /// From `n h(n) = 1 / efficiency`: closed forms, and Newton's method for the logarithmic laws,
    /// whose left side is convex and rising.
    pub(super) fn knee(self, at: Point, efficiency: f64) -> f64 {
        if_countable(self.knee_root(at, efficiency))
    }

    fn knee_root(self, at: Point, efficiency: f64) -> f64 {
        let Point { a, b } = at;
        let cost = 1.0 / efficiency;
        match self {
            Self::Power => cost.powf(1.0 / (1.0 - a)),
            Self::Amdahl => divide(cost - 1.0 + a, a),
            Self::Saturation => {
                let rising = divide(cost - 1.0 + a, a);
                if rising <= b { rising } else { divide(cost, a + (1.0 - a) / b) }
            }
            Self::Usl => {
                let (free, linear) = (cost - 1.0 + a, a - b);
                divide(2.0 * free, linear + (linear * linear + 4.0 * b * free).max(0.0).sqrt())
            }
            Self::UslLog | Self::UslLogSchwartz => {
                let mut n = divide(cost - 1.0 + a, a).min(1.0 + divide(cost - 1.0, b).max(1.0));
                if !n.is_finite() {
                    return n;
                }
                for _ in 0..60 {
                    let (value, slope) = if self == Self::UslLog {
                        (b * n * n.log2(), b * (n.log2() + 1.0 / LN_2))
                    } else {
                        (b * (n - 1.0) * n.ln(), b * (n.ln() + 1.0 - 1.0 / n))
                    };
                    let next = n - (1.0 + a * (n - 1.0) + value - cost) / (a + slope);
                    if (next - n).abs() <= 1e-14 * n {
                        return next;
                    }
                    n = next.max(1.0);
                }
                n
            }
        }
    }

    /// Where the parameters may lie: `[a low, a high, b low, b high]`.
    pub(super) fn bounds(self, counts: &[f64], bounded: bool) -> Bounds {
        let free = (-FREE, FREE);
        let m = counts.len();
        let a = match self {
            // One count says nothing about the shape: linear scaling is the plainest.
            Self::Power if m < 2 => (1.0, 1.0),
            _ if m < 2 => (0.0, 0.0),
            _ if bounded || self == Self::Saturation => (0.0, 1.0),
            _ => free,
        };
        let b = match self {
            Self::Amdahl | Self::Power => (0.0, 0.0),
            _ if m < 2 && self != Self::Saturation => (0.0, 0.0),
            // In 1 / limit_n, the coordinate in which the curve is linear; inside the measured counts.
            Self::Saturation if m > 3 => (1.0 / counts[m - 2], 1.0 / counts[1]),
            Self::Saturation => (1.0 / counts[1.min(m - 1)], 1.0 / counts[1.min(m - 1)]),
            _ if bounded => (0.0, MOST_KAPPA),
            _ => free,
        };
        Bounds { a, b }
    }
}

/// Shape parameters of a law: (sigma, kappa), (sigma, `limit_n`) or (q, 0).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Point {
    pub a: f64,
    pub b: f64,
}

/// The box of allowed shape parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub a: (f64, f64),
    pub b: (f64, f64),
}

/// A count of workers; infinite beyond 2^53, where whole numbers end and no program goes.
fn if_countable(n: f64) -> f64 {
    const COUNTABLE: f64 = 9_007_199_254_740_992.0;
    if n <= COUNTABLE { n } else { f64::INFINITY }
}

/// Quotient of a count, infinite where the curve never gets there.
fn divide(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { numerator / denominator } else { f64::INFINITY }
}

/// Root of `(1 - sigma) = kappa (n - 1 + ln n)`, from `h' = 0`; the right side is concave and rising.
fn schwartz_peak(sigma: f64, kappa: f64) -> f64 {
    let target = (1.0 - sigma) / kappa;
    if target <= 0.0 {
        return 1.0;
    }
    let mut n = 1.0;
    for _ in 0..60 {
        let next = n - (n - 1.0 + f64::ln(n) - target) / (1.0 + 1.0 / n);
        if (next - n).abs() <= 1e-14 * n {
            return next;
        }
        n = next;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::{Law, Point};

    const SHAPES: [(Law, Point); 7] = [
        (Law::Amdahl, Point { a: 0.05, b: 0.0 }),
        (Law::Usl, Point { a: 0.05, b: 0.002 }),
        (Law::Usl, Point { a: 0.0, b: 0.002 }),
        (Law::UslLog, Point { a: 0.02, b: 0.01 }),
        (Law::UslLogSchwartz, Point { a: 0.02, b: 0.01 }),
        (Law::Power, Point { a: 0.8, b: 0.0 }),
        (Law::Saturation, Point { a: 0.01, b: 6.0 }),
    ];

    #[test]
    fn names_are_read_back() {
        for (law, _) in SHAPES {
            assert_eq!(Law::parse(law.name()), Some(law));
        }
        assert_eq!(Law::parse("gustafson"), None);
    }

    #[test]
    fn the_efficiency_at_the_knee_is_the_one_asked_for() {
        for (law, at) in SHAPES {
            for efficiency in [0.3, 0.5, 0.9] {
                let n = law.knee(at, efficiency);
                let found = 1.0 / (n * law.share(at, n));
                assert!((found / efficiency - 1.0).abs() < 1e-12, "{law:?} {n} {found}");
            }
        }
    }

    #[test]
    fn no_count_is_faster_than_the_peak_and_the_ceiling_is_the_speedup_there() {
        for (law, at) in SHAPES {
            let (peak, ceiling) = (law.peak(at), law.ceiling(at));
            for n in (0..400).map(|i| 1.05_f64.powi(i)) {
                assert!(1.0 / law.share(at, n) <= ceiling * (1.0 + 1e-12), "{law:?} {n}");
            }
            if peak.is_finite() {
                assert!((1.0 / law.share(at, peak) / ceiling - 1.0).abs() < 1e-12, "{law:?}");
            }
        }
    }

    #[test]
    fn a_program_that_only_gets_slower_peaks_at_one_worker() {
        let at = Point { a: 0.5, b: 2.0 };
        assert_eq!((Law::Usl.peak(at), Law::Usl.ceiling(at)), (1.0, 1.0));
        assert_eq!(Law::Power.ceiling(Point { a: 0.0, b: 0.0 }), 1.0);
    }
}
