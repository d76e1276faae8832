//! Laws over a grid: which row constants and which columns each law and quantity needs.
//!
//! Every cell is `finish(form(row, column))` with one plain IEEE operation after the other; the
//! table below is the whole contract of bits, and the Python tests evaluate it in `NumPy`.
//!
//! With `a`, `b` the pair (1-p, p) or (f, 1-f), `m = n-1`, `i = 1/n` and `s` the scale:
//!
//! | law | speedup | efficiency | time | Karp–Flatt |
//! |---|---|---|---|---|
//! | Amdahl | `1/(a + b/n)` | `1/(b + a*n)` | `(a + b/n)*s` | `a` |
//! | Gustafson | `a + b*n` | `b + a/n` | `s/(a + b*n)` | `a/(a + b*n)` |
//! | Sun–Ni | `(a + b*G)/(a + b*(G/n))` | `(a + b*G)/(b*G + a*n)` | `s*(a + b*(G/n))/(a + b*G)` | `a/(a + b*G)` |
//! | USL | `n/(1 + sigma*m + kappa*(n*m))` | `1/(…)` | `(i + sigma*(m/n) + kappa*m)*s` | `sigma + kappa*n` |
//! | log-USL | `n/(1 + sigma*m + kappa*(n*L))` | `1/(…)` | `(i + sigma*(m/n) + kappa*L)*s` | `sigma + kappa*(L*(n/m))` |
//!
//! For Gustafson's efficiency the pair changes places: `S/n = p + (1-p)/n`. `G` is the growth of
//! the work and `L = log2(n)`; both are columns of the caller.

use super::real::Real;
use crate::error::{Error, Result};

/// A scaling law or a training step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Fixed work.
    Amdahl,
    /// Work that grows with the workers.
    Gustafson,
    /// Work that grows with the memory, by a column `growth`.
    SunNi,
    /// Contention and coherency.
    Usl,
    /// Contention and a tree of messages, by a column `log2(n)`.
    UslLog,
    /// A step with a ring all-reduce.
    Ring {
        /// Work per worker fixed, instead of total work.
        weak: bool,
    },
    /// A step with a pipelined two-tree all-reduce, by a column `ceil(log2(n))`.
    Tree {
        /// Work per worker fixed, instead of total work.
        weak: bool,
    },
    /// The caller's own terms: `numerator / sum(coefficient * column)`.
    Terms,
}

/// What a cell says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Against one worker.
    Speedup,
    /// Speedup over workers.
    Efficiency,
    /// Of the run (weak training: of the step), times the scale.
    Time,
    /// Speedup, times the scale.
    Throughput,
    /// The experimentally determined serial fraction, by its identity for the law.
    KarpFlatt,
}

/// The denominator, or the value itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `r0 + r1/n`: columns n, and 1/n in two pieces.
    Quotient,
    /// `r0 + r1*t1 + … + rM*tM`.
    Row(usize),
    /// `t0 + r1*t1 + … + rM*tM`.
    Column(usize),
    /// `r0*t0 + r1*t1`.
    Both,
    /// A tree step: columns t0 (i), t1 (2 where n > 1), t2 (4h), t3 (2*sqrt(8h)), t4 (h).
    Tree,
}

/// What is done with the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// `form * r5`.
    Scale,
    /// `r5 / form`.
    Over,
    /// `(r5 * t5) / form`.
    ColumnOver,
    /// `(r5 * (r6 + r7*t5)) / form`.
    RowOver,
}

/// Constants of one row: r0..r4 for the form, r5 the scale, r6 and r7 the second form.
pub(super) type Row<T> = [T; 8];
/// Column tables that one form and finish may use.
pub(super) const TABLES: usize = 6;

/// A law with its parameters, ready to give row constants and column tables.
#[derive(Debug, Clone)]
pub struct Grid<'a, T> {
    /// The law.
    pub law: Law,
    /// The quantity.
    pub quantity: Quantity,
    /// The first parameter is the serial fraction instead of the parallel one.
    pub serial_given: bool,
    /// One slice per parameter, each as long as the grid has rows, or of length 1:
    /// p or f; sigma, kappa; serial, compute, latency, transfer; the coefficients of own terms.
    pub parameters: Vec<&'a [T]>,
    /// Factor of time and throughput; relative to one worker where absent. Length 1 or rows.
    pub scale: Option<&'a [T]>,
    /// Worker counts, one per column.
    pub n: &'a [T],
    /// The columns that the caller computes: growth, logarithm, tree height; numerator and own terms.
    pub columns: Vec<&'a [T]>,
}

fn pick<T: Copy>(values: &[T], row: usize) -> T {
    values[if values.len() == 1 { 0 } else { row }]
}

impl<T: Real> Grid<'_, T> {
    pub(super) fn shape(&self) -> (Form, Finish) {
        use Quantity::{Efficiency, KarpFlatt, Speedup, Throughput, Time};
        match (self.law, self.quantity) {
            (Law::Amdahl, Speedup | Throughput) => (Form::Quotient, Finish::Over),
            (Law::Amdahl, Time) | (Law::Gustafson, Efficiency) => (Form::Quotient, Finish::Scale),
            (Law::Amdahl, KarpFlatt) => (Form::Row(0), Finish::Scale),
            (Law::Gustafson, Speedup | Throughput)
            | (Law::Usl | Law::UslLog | Law::Ring { .. }, KarpFlatt) => (Form::Row(1), Finish::Scale),
            (Law::Amdahl, Efficiency) | (Law::Gustafson, Time) | (Law::Gustafson | Law::SunNi, KarpFlatt) => {
                (Form::Row(1), Finish::Over)
            }
            (Law::SunNi, Speedup | Throughput | Time) => (Form::Row(1), Finish::RowOver),
            (Law::SunNi, Efficiency) => (Form::Both, Finish::RowOver),
            (Law::Usl | Law::UslLog, Speedup | Throughput) => (Form::Row(2), Finish::ColumnOver),
            (Law::Usl | Law::UslLog, Efficiency) => (Form::Row(2), Finish::Over),
            (Law::Usl | Law::UslLog, Time) => (Form::Column(2), Finish::Scale),
            (Law::Ring { weak }, quantity) => {
                (Form::Row(if weak { 2 } else { 3 }), step_finish(weak, quantity))
            }
            (Law::Tree { weak }, quantity) => (Form::Tree, step_finish(weak, quantity)),
            (Law::Terms, Time) => (Form::Column(self.parameters.len()), Finish::Scale),
            (Law::Terms, _) => (Form::Column(self.parameters.len()), Finish::ColumnOver),
        }
    }

    pub(super) fn row(&self, row: usize) -> Row<T> {
        use Quantity::{Efficiency, KarpFlatt, Speedup, Throughput, Time};
        let mut r = [T::ZERO; 8];
        r[5] = match (self.quantity, self.scale) {
            (Time | Throughput, Some(scale)) => pick(scale, row),
            _ => T::ONE,
        };
        let first = self.parameters.first().map_or(T::ZERO, |values| pick(values, row));
        let (a, b) = if self.serial_given { (first, T::ONE - first) } else { (T::ONE - first, first) };
        match (self.law, self.quantity) {
            (Law::Amdahl | Law::Gustafson, Efficiency) => (r[0], r[1]) = (b, a),
            (Law::Amdahl, KarpFlatt) => r[0] = a,
            (Law::Amdahl | Law::Gustafson, quantity) => {
                (r[0], r[1]) = (a, b);
                if quantity == KarpFlatt {
                    r[5] = a;
                }
            }
            (Law::SunNi, KarpFlatt) => (r[0], r[1], r[5]) = (a, b, a),
            (Law::SunNi, quantity) => {
                (r[0], r[1], r[6], r[7]) = (a, b, a, b);
                if quantity == Efficiency {
                    (r[0], r[1]) = (b, a);
                }
            }
            (Law::Usl | Law::UslLog, quantity) => {
                let kappa = pick(self.parameters[1], row);
                (r[0], r[1], r[2]) =
                    if quantity == KarpFlatt { (first, kappa, T::ZERO) } else { (T::ONE, first, kappa) };
            }
            (Law::Ring { weak } | Law::Tree { weak }, quantity) => {
                let [serial, compute, latency, transfer] =
                    [0, 1, 2, 3].map(|index| pick(self.parameters[index], row));
                let one = serial + compute;
                let tree = matches!(self.law, Law::Tree { .. });
                match (tree, weak, quantity) {
                    (false, true, KarpFlatt) => (r[0], r[1]) = (latency + latency, transfer + transfer),
                    (false, false, KarpFlatt) => {
                        (r[0], r[1]) = (serial + (transfer + transfer), latency + latency);
                    }
                    (false, true, _) => (r[0], r[1], r[2]) = (one, latency, transfer),
                    (false, false, _) => (r[0], r[1], r[2], r[3]) = (serial, compute, latency, transfer),
                    (true, _, KarpFlatt) => {
                        (r[0], r[2], r[3]) = (if weak { T::ZERO } else { serial }, transfer, latency);
                    }
                    (true, true, _) => (r[0], r[2], r[3]) = (one, transfer, latency),
                    (true, false, _) => (r[0], r[1], r[2], r[3]) = (serial, compute, transfer, latency),
                }
                r[4] = (latency * transfer).root();
                r[5] = match quantity {
                    Speedup | Efficiency => one,
                    Throughput => one * r[5],
                    Time => r[5] / one,
                    KarpFlatt => T::ONE / one,
                };
            }
            (Law::Terms, _) => {
                for (index, values) in self.parameters.iter().enumerate() {
                    r[index + 1] = pick(values, row);
                }
            }
        }
        r
    }
}

fn step_finish(weak: bool, quantity: Quantity) -> Finish {
    match (weak, quantity) {
        (_, Quantity::Time | Quantity::KarpFlatt) => Finish::Scale,
        (false, Quantity::Efficiency) | (true, Quantity::Speedup | Quantity::Throughput) => {
            Finish::ColumnOver
        }
        (false, Quantity::Speedup | Quantity::Throughput) | (true, Quantity::Efficiency) => Finish::Over,
    }
}

impl Law {
    /// The law called `name`; a weak step has `_weak` at the end.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "amdahl" => Self::Amdahl,
            "gustafson" => Self::Gustafson,
            "sun_ni" => Self::SunNi,
            "usl" => Self::Usl,
            "usl_log" => Self::UslLog,
            "ring" => Self::Ring { weak: false },
            "ring_weak" => Self::Ring { weak: true },
            "tree" => Self::Tree { weak: false },
            "tree_weak" => Self::Tree { weak: true },
            "terms" => Self::Terms,
            _ => {
                return Err(Error::Choice {
                    name: "law",
                    got: name.to_owned(),
                    expected: "amdahl, gustafson, sun_ni, usl, usl_log, ring, ring_weak, tree or tree_weak",
                });
            }
        })
    }
}

impl Quantity {
    /// The quantity called `name`.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "speedup" => Self::Speedup,
            "efficiency" => Self::Efficiency,
            "time" => Self::Time,
            "throughput" => Self::Throughput,
            "karp_flatt" => Self::KarpFlatt,
            _ => {
                return Err(Error::Choice {
                    name: "quantity",
                    got: name.to_owned(),
                    expected: "speedup, efficiency, time, throughput or karp_flatt",
                });
            }
        })
    }
}
