//! The fixed set of curves: five families, each written by shares of the time at the largest count.
//!
//! Every curve is log h(N), h(Nmax) = 1, u = N/Nmax, with the share a of the time at Nmax that
//! divides, b that stays and c that grows (a + b + c = 1):
//!
//! | family | h | parameters on the grid |
//! |---|---|---|
//! | `usl` | a/u + b + c u | b, c |
//! | `usl_log` | a/u + b + c ln N / ln Nmax | b, c |
//! | `power` | u^-q | q = 0, 0.01 .. 1 |
//! | `saturation` | s + (1 - s) K / min(N, K) | s, K within the data |
//! | `amdahl` | a/u + b | b |
//!
//! The grid is part of the specification of the forecast: a coarser one moves its bounds.

use std::ops::Range;
use std::sync::LazyLock;

use crate::fitting::vecmath::{exp, ln, vectorised};

/// Scale of the prior on the growing share, exp(-c / 0.2): most programs lose little to growth yet.
const GROWTH_SCALE: f64 = 0.2;
/// Largest b + c: something has to be left that divides.
const SHARE_LIMIT: f64 = 1.0 - 1e-4;
/// The tree-communication curve is divided by ln Nmax: below 2 that is no yardstick.
const LOG_NEEDS_MORE_THAN: f64 = 2.0;
/// Steps of the saturation count K, from the second smallest to the second largest count.
const KNEES: usize = 25;
/// Exponents of the power law, 0, 0.01 .. 1.
const POWERS: usize = 101;

/// The families in the order of their curves on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Contention and coherency.
    Usl,
    /// Contention and tree communication.
    UslLog,
    /// Slow decay of unknown form.
    Power,
    /// Flat beyond a count within the data.
    Saturation,
    /// Serial work only.
    Amdahl,
}

impl Family {
    pub(super) const ALL: [Self; 5] = [Self::Usl, Self::UslLog, Self::Power, Self::Saturation, Self::Amdahl];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Usl => "usl",
            Self::UslLog => "usl_log",
            Self::Power => "power",
            Self::Saturation => "saturation",
            Self::Amdahl => "amdahl",
        }
    }

    /// Prior weight of the family: one-parameter laws count double.
    fn prior(self) -> f64 {
        match self {
            Self::Usl | Self::UslLog | Self::Saturation => 1.0,
            Self::Power | Self::Amdahl => 2.0,
        }
    }
}

/// What of the curves does not depend on the data.
struct Fixed {
    /// All (b, c) that leave something to divide.
    pairs: Shares,
    /// All b, without growth.
    amdahl: Shares,
    exponents: Vec<f64>,
    /// Share that stays, repeated for each K.
    floors: Vec<f64>,
    /// Prior weight of each curve, family after family.
    prior: Vec<f64>,
    prior_without_log: Vec<f64>,
}

static FIXED: LazyLock<Fixed> = LazyLock::new(Fixed::new);

impl Fixed {
    fn new() -> Self {
        let shares: Vec<f64> = std::iter::once(0.0)
            .chain(geometric(1e-3, 0.02, 8).take(7))
            .chain((0..49).map(|i| 0.02 + f64::from(i) * 0.02))
            .chain(std::iter::once(0.999))
            .collect();
        let cells = cell_widths(&shares);
        let floors: Vec<f64> = std::iter::once(0.0).chain(geometric(2e-3, 0.99, 25)).collect();

        let (mut pairs, mut pair_prior) = (Shares::default(), Vec::new());
        for (b, width_b) in shares.iter().zip(&cells) {
            for (c, width_c) in shares.iter().zip(&cells) {
                if b + c <= SHARE_LIMIT {
                    pairs.push(*b, *c);
                    pair_prior.push(width_b * width_c * exp(-c / GROWTH_SCALE));
                }
            }
        }
        let mut amdahl = Shares::default();
        for b in &shares {
            amdahl.push(*b, 0.0);
        }
        let saturation: Vec<f64> =
            cell_widths(&floors).iter().flat_map(|width| std::iter::repeat_n(*width, KNEES)).collect();
        let prior_of = |family: Family| -> Vec<f64> {
            let weights = match family {
                Family::Usl | Family::UslLog => pair_prior.clone(),
                Family::Power => vec![1.0; POWERS],
                Family::Saturation => saturation.clone(),
                Family::Amdahl => cells.clone(),
            };
            let scale = family.prior() / weights.iter().sum::<f64>();
            weights.iter().map(|weight| weight * scale).collect()
        };
        let prior = Family::ALL.iter().flat_map(|family| prior_of(*family)).collect();
        let prior_without_log = Family::ALL
            .iter()
            .filter(|family| **family != Family::UslLog)
            .flat_map(|family| prior_of(*family))
            .collect();
        Self {
            pairs,
            amdahl,
            exponents: (0..POWERS).map(|i| i as f64 / 100.0).collect(),
            floors: floors.iter().flat_map(|floor| std::iter::repeat_n(*floor, KNEES)).collect(),
            prior,
            prior_without_log,
        }
    }
}

/// `count` values from `first` to `last` with a constant ratio, both ends exact.
fn geometric(first: f64, last: f64, count: usize) -> impl Iterator<Item = f64> {
    let start = ln(first);
    let step = (ln(last) - start) / (count - 1) as f64;
    (0..count).map(move |i| match i {
        0 => first,
        _ if i == count - 1 => last,
        _ => exp(start + step * i as f64),
    })
}

/// Width of the cell around each grid point: half the distance between its neighbours, at the ends
/// the whole distance to the one neighbour.
fn cell_widths(points: &[f64]) -> Vec<f64> {
    let end = points.len() - 1;
    (0..=end)
        .map(|i| match i {
            0 => points[1] - points[0],
            _ if i == end => points[end] - points[end - 1],
            _ => 0.5 * (points[i + 1] - points[i - 1]),
        })
        .collect()
}

/// Shares of the time at the largest count, one entry a curve.
#[derive(Debug, Default)]
struct Shares {
    divides: Vec<f64>,
    stays: Vec<f64>,
    grows: Vec<f64>,
}

impl Shares {
    fn push(&mut self, stays: f64, grows: f64) {
        self.divides.push(1.0 - stays - grows);
        self.stays.push(stays);
        self.grows.push(grows);
    }

    fn len(&self) -> usize {
        self.stays.len()
    }

    fn column(&self, over_u: f64, growth: f64, out: &mut [f64]) {
        shares_column(&self.divides, &self.stays, &self.grows, over_u, growth, out);
    }
}

/// All curves for one set of worker counts.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    top: f64,
    ln_top: f64,
    with_log: bool,
    /// Saturation counts K, repeated for each floor.
    knees: Vec<f64>,
}

impl Grid {
    /// The curves for ascending distinct counts; `None` under four of them.
    pub(super) fn new(counts: &[f64]) -> Option<Self> {
        let [_, second, .., last_but_one, top] = counts else { return None };
        let knees: Vec<f64> = geometric(*second, *last_but_one, KNEES).collect();
        Some(Self {
            top: *top,
            ln_top: ln(*top),
            with_log: *top > LOG_NEEDS_MORE_THAN,
            knees: knees.repeat(FIXED.floors.len() / KNEES),
        })
    }

    /// Largest count of the data.
    pub(super) fn top(&self) -> f64 {
        self.top
    }

    /// Number of curves.
    pub(super) fn len(&self) -> usize {
        self.prior().len()
    }

    /// Prior weight of each curve; each family's sum is one, or two where it counts double.
    pub(super) fn prior(&self) -> &'static [f64] {
        if self.with_log { &FIXED.prior } else { &FIXED.prior_without_log }
    }

    /// Where the curves of a family stand; an empty range where the family is left out.
    pub(super) fn range(&self, family: Family) -> Range<usize> {
        let pairs = FIXED.pairs.len();
        let lengths =
            [pairs, if self.with_log { pairs } else { 0 }, POWERS, FIXED.floors.len(), FIXED.amdahl.len()];
        let position = family as usize;
        let start = lengths[..position].iter().sum();
        start..start + lengths[position]
    }

    /// Log h(n) of every curve.
    ///
    /// For fractional loads far below one the tree-communication term may make a curve negative; such
    /// a curve gets a time of practically zero, which no data support.
    pub(super) fn column(&self, n: f64, out: &mut [f64]) {
        if n == self.top {
            out.fill(0.0);
            return;
        }
        let fixed = &*FIXED;
        let over_u = self.top / n;
        fixed.pairs.column(over_u, n / self.top, &mut out[self.range(Family::Usl)]);
        if self.with_log {
            fixed.pairs.column(over_u, ln(n) / self.ln_top, &mut out[self.range(Family::UslLog)]);
        }
        let minus_ln_u = ln(over_u);
        for (value, q) in out[self.range(Family::Power)].iter_mut().zip(&fixed.exponents) {
            *value = q * minus_ln_u;
        }
        saturation_column(&fixed.floors, &self.knees, n, &mut out[self.range(Family::Saturation)]);
        fixed.amdahl.column(over_u, 0.0, &mut out[self.range(Family::Amdahl)]);
    }
}

vectorised! {
    /// ln(a/u + b + c g) with the growth g = u or ln N / ln Nmax.
    fn shares_column(a: &[f64], b: &[f64], c: &[f64], over_u: f64, growth: f64, out: &mut [f64]) {
        for (((value, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
            let h = a * over_u + b + c * growth;
            *value = ln(if h > f64::MIN_POSITIVE { h } else { f64::MIN_POSITIVE });
        }
    }
}

vectorised! {
    /// ln(s + (1 - s) K / min(N, K)).
    fn saturation_column(floors: &[f64], knees: &[f64], n: f64, out: &mut [f64]) {
        for ((value, s), k) in out.iter_mut().zip(floors).zip(knees) {
            let ratio = k / n;
            *value = ln(s + (1.0 - s) * if ratio > 1.0 { ratio } else { 1.0 });
        }
    }
}
