//! The rows of all traces, and one trace gathered from them.

use crate::error::{Error, Result};
use crate::fitting::options::Kind;

/// Whole numbers above this are not exact in double precision: neighbouring counts would be one.
const LARGEST_COUNT: f64 = 9_007_199_254_740_992.0;
/// No clock and no counter gives less or more; ratios and products of what lies between never overflow.
const SPAN: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Wall times.
    Time,
    /// Rates of all workers together.
    Rate,
}

/// Rows of many traces. All columns have the same length.
#[derive(Debug, Clone, Copy)]
pub struct Traces<'a> {
    /// Worker counts.
    pub n: &'a [f64],
    /// Times or rates.
    pub measured: &'a [f64],
    /// Work done by each run.
    pub work: Option<&'a [f64]>,
    /// Round of each run; NaN or negative for none.
    pub round: Option<&'a [f64]>,
    /// Trace `i` has the places `offsets[i]..offsets[i + 1]`.
    pub offsets: &'a [i64],
    /// The row at each place; the place itself where there is no order.
    pub order: Option<&'a [i64]>,
    /// What `measured` is.
    pub quantity: Quantity,
    /// What the caller says the runs are; [`Kind::Unknown`] lets work or times decide.
    pub kind: Kind,
    /// Smallest worker count that is let in.
    pub least_n: f64,
}

/// One trace: its usable rows, in the order of the input.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub n: Vec<f64>,
    pub measured: Vec<f64>,
    pub work: Vec<f64>,
    pub round: Vec<i64>,
    pub time: Vec<f64>,
    /// Rows left out because their count lies between 0 and the least one.
    pub below: usize,
    /// Room for sorting.
    pub room: Vec<f64>,
}

impl Traces<'_> {
    /// Number of traces.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is no trace.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Check lengths, offsets and order.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] where a column has another length than n, [`Error::Domain`] for an offset or a
    /// row that does not exist.
    pub(super) fn check(&self) -> Result<()> {
        let rows = self.n.len();
        let columns = [Some(self.measured), self.work, self.round];
        for (name, column) in ["measured", "work", "round"].into_iter().zip(columns) {
            if let Some(got) = column.map(<[f64]>::len).filter(|got| *got != rows) {
                return Err(Error::Shape { name, expected: format!("{rows} as n"), got });
            }
        }
        let places = self.order.map_or(rows, <[i64]>::len);
        let mut least = 0;
        for (index, offset) in self.offsets.iter().enumerate() {
            match usize::try_from(*offset) {
                Ok(place) if (least..=places).contains(&place) => least = place,
                _ => return Err(outside("offsets", index, *offset)),
            }
        }
        let order = self.order.unwrap_or_default();
        match order.iter().position(|row| usize::try_from(*row).map_or(true, |row| row >= rows)) {
            Some(index) => Err(outside("order", index, order[index])),
            None => Ok(()),
        }
    }

    /// Gather the usable rows of a trace; the number of all its rows.
    pub(super) fn gather(&self, trace: usize, into: &mut Gathered) -> usize {
        into.clear();
        let places = self.offsets[trace] as usize..self.offsets[trace + 1] as usize;
        let given = places.len();
        for place in places {
            let row = self.order.map_or(place, |order| order[place] as usize);
            let n = self.n[row];
            into.below += usize::from(n.is_finite() && n > 0.0 && n < self.least_n);
            let round = self.round.map_or(Some(-1), |round| whole(round[row]));
            let work = self.work.map_or(1.0, |work| work[row]);
            let (true, Some(round)) = (self.usable(n, self.measured[row], work), round) else { continue };
            into.n.push(n);
            into.measured.push(self.measured[row]);
            into.work.push(work);
            into.round.push(round);
        }
        given
    }

    fn usable(&self, n: f64, measured: f64, work: f64) -> bool {
        let counted = n >= self.least_n && n > 0.0 && n <= LARGEST_COUNT;
        counted && SPAN.contains(&measured) && SPAN.contains(&work)
    }

    /// Times of the gathered rows: of a rate, the time of its work, in the unit that the work is in.
    pub(super) fn times(&self, kind: Kind, of: &mut Gathered) {
        let by_work = self.work.is_some() && kind != Kind::Throughput;
        let time = |i: usize| match self.quantity {
            Quantity::Time => of.measured[i],
            Quantity::Rate if by_work => of.work[i] / of.measured[i],
            Quantity::Rate if kind == Kind::Weak => of.n[i] / of.measured[i],
            Quantity::Rate => 1.0 / of.measured[i],
        };
        of.time = (0..of.n.len()).map(time).collect();
    }
}

fn outside(name: &'static str, index: usize, value: i64) -> Error {
    let allowed = "ascending places of rows that exist";
    Error::Domain { name, index: Some(index), value: value as f64, allowed }
}

/// The round of a cell, -1 for none; `None` where the number is no round.
fn whole(round: f64) -> Option<i64> {
    if round.is_nan() {
        return Some(-1);
    }
    let whole = round == round.floor() && round.abs() <= LARGEST_COUNT;
    whole.then_some(if round < 0.0 { -1 } else { round as i64 })
}

impl Gathered {
    fn clear(&mut self) {
        for column in [&mut self.n, &mut self.measured, &mut self.work, &mut self.time] {
            column.clear();
        }
        self.round.clear();
        self.below = 0;
    }

    /// Keep the rows that `keep` says.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        fn only<T>(column: &mut Vec<T>, keep: &[bool]) {
            let mut kept = keep.iter();
            column.retain(|_| kept.next().is_none_or(|keep| *keep));
        }
        only(&mut self.n, keep);
        only(&mut self.measured, keep);
        only(&mut self.work, keep);
        only(&mut self.round, keep);
    }
}
