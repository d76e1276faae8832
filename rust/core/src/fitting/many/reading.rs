//! How the rows of a trace are read: the kind of scaling, and the rows that its work speaks against.
//!
//! The rules are those of `kinds.py` for one table: the caller decides, or the work column, or a clear
//! fall of the time; nothing else does.

use super::traces::{Gathered, Quantity, Traces};
use crate::fitting::options::Kind;

/// Work (strong) or work per worker (weak) may lie this far from the median of its rows and still be the
/// same problem.
const WORK_TOLERANCE: f64 = 0.05;
/// This share of the rows has to agree before the work decides, and before it may throw rows out.
const WORK_MAJORITY: f64 = 0.75;
/// Below this spread the work is called the same without a word.
const WORK_SILENT: f64 = 0.001;
/// A time falls clearly if the largest count needs less than this share of the time of the smallest ...
const CLEAR_FALL_LAST: f64 = 0.9;
/// ... or if some count needs no more than this one.
const CLEAR_FALL_BEST: f64 = 0.75;

/// Why a kind stays unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// A rate and no work.
    Rate,
    /// A time that does not fall clearly.
    Time,
    /// Work that is neither the same nor in proportion to the workers.
    Work,
}

/// How a trace is read.
#[derive(Debug)]
pub(super) struct Reading {
    pub kind: Kind,
    pub open: Option<Open>,
    /// Codes of notes.
    pub notes: Vec<&'static str>,
    /// Which rows stay, where the work speaks against some.
    keep: Option<Vec<bool>>,
}

impl Reading {
    pub(super) fn new(rows: &mut Gathered, traces: &Traces<'_>) -> Self {
        let mut reading = Self { kind: traces.kind, open: None, notes: Vec::new(), keep: None };
        if rows.below > 0 {
            reading.notes.push("counts_below_one");
        }
        if rows.n.is_empty() {
            return reading;
        }
        match (traces.kind, traces.work, traces.quantity) {
            (Kind::Throughput, ..) | (Kind::Strong | Kind::Weak, None, _) => {}
            (Kind::Strong | Kind::Weak, Some(_), _) => reading.with_work(rows, traces.kind),
            (Kind::Unknown, Some(_), _) => reading.by_work(rows),
            (Kind::Unknown, None, Quantity::Rate) => reading.open = Some(Open::Rate),
            (Kind::Unknown, None, Quantity::Time) => {
                if falls_clearly(rows) {
                    reading.kind = Kind::Strong;
                    reading.notes.push("read_as_strong");
                } else {
                    reading.open = Some(Open::Time);
                }
            }
        }
        if reading.kind == Kind::Weak {
            // Phase times, which would identify it, are no column of many traces.
            reading.notes.push("serial_not_identified");
        }
        reading
    }

    /// Leave out what the work speaks against, and turn rates into times.
    pub(super) fn settle(&self, rows: &mut Gathered, traces: &Traces<'_>) {
        if let Some(keep) = &self.keep {
            rows.retain(keep);
        }
        traces.times(self.kind, rows);
    }

    fn by_work(&mut self, rows: &mut Gathered) {
        let share = |agrees: &[bool]| agrees.iter().filter(|a| **a).count() as f64 / agrees.len() as f64;
        let fixed = share(&agreement(&level(rows, Kind::Strong), &mut rows.room).0);
        let scaled = share(&agreement(&level(rows, Kind::Weak), &mut rows.room).0);
        let several = rows.n.iter().any(|n| *n != rows.n[0]);
        if several && fixed > scaled && fixed >= WORK_MAJORITY {
            self.with_work(rows, Kind::Strong);
        } else if several && scaled > fixed && scaled >= WORK_MAJORITY {
            self.with_work(rows, Kind::Weak);
        } else {
            self.open = Some(Open::Work);
        }
    }

    /// Throw out the rows whose work does not belong, if the others agree; note how far they spread.
    fn with_work(&mut self, rows: &mut Gathered, kind: Kind) {
        self.kind = kind;
        let level = level(rows, kind);
        let (agrees, agreeing) = agreement(&level, &mut rows.room);
        if (agreeing as f64) / (level.len() as f64) < WORK_MAJORITY {
            self.notes.push("work_disagrees");
            return;
        }
        let kept = level.iter().zip(&agrees).filter(|(_, agrees)| **agrees).map(|(level, _)| *level);
        let (least, most) =
            kept.fold((f64::INFINITY, 0.0_f64), |(least, most), l| (least.min(l), most.max(l)));
        if most / least - 1.0 > WORK_SILENT {
            self.notes.push("work_varies");
        }
        self.keep = (agreeing < level.len()).then_some(agrees);
    }
}

/// What has to be the same in all rows: the work, or the work per worker.
fn level(rows: &Gathered, kind: Kind) -> Vec<f64> {
    match kind {
        Kind::Strong => rows.work.clone(),
        _ => rows.work.iter().zip(&rows.n).map(|(work, n)| work / n).collect(),
    }
}

/// Which rows lie within the tolerance of the median, and how many.
fn agreement(level: &[f64], room: &mut Vec<f64>) -> (Vec<bool>, usize) {
    let middle = median(level.iter().copied(), room);
    let agrees: Vec<bool> = level.iter().map(|l| (l / middle - 1.0).abs() <= WORK_TOLERANCE).collect();
    let agreeing = agrees.iter().filter(|a| **a).count();
    (agrees, agreeing)
}

fn median(values: impl Iterator<Item = f64>, room: &mut Vec<f64>) -> f64 {
    room.clear();
    room.extend(values);
    room.sort_by(f64::total_cmp);
    let last = room.len() - 1;
    if last.is_multiple_of(2) { room[last / 2] } else { f64::midpoint(room[last / 2], room[last / 2 + 1]) }
}

/// Whether the time falls enough with the count that only fixed work explains it.
fn falls_clearly(rows: &mut Gathered) -> bool {
    let mut counts = rows.n.clone();
    counts.sort_by(f64::total_cmp);
    counts.dedup();
    let (n, measured) = (&rows.n, &rows.measured);
    let mut middles = Vec::with_capacity(counts.len());
    for count in &counts {
        let there = n.iter().zip(measured).filter(|(n, _)| *n == count).map(|(_, time)| *time);
        middles.push(median(there, &mut rows.room));
    }
    let [first, later @ ..] = middles.as_slice() else { return false };
    let Some(last) = later.last() else { return false };
    let best = later.iter().copied().fold(f64::INFINITY, f64::min);
    last / first < CLEAR_FALL_LAST || best / first <= CLEAR_FALL_BEST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(n: &[f64], time: &[f64], work: Option<&[f64]>) -> Reading {
        let offsets = [0, i64::try_from(n.len()).unwrap()];
        let traces = Traces {
            n,
            measured: time,
            work,
            round: None,
            offsets: &offsets,
            order: None,
            quantity: Quantity::Time,
            kind: Kind::Unknown,
            least_n: 1.0,
        };
        let mut rows = Gathered::default();
        traces.gather(0, &mut rows);
        Reading::new(&mut rows, &traces)
    }

    #[test]
    fn the_time_decides_only_where_it_falls_clearly() {
        assert_eq!(read(&[1.0, 2.0, 4.0], &[10.0, 9.5, 8.9], None).kind, Kind::Strong);
        let flat = read(&[1.0, 2.0, 4.0], &[10.0, 9.5, 9.1], None);
        assert_eq!((flat.kind, flat.open), (Kind::Unknown, Some(Open::Time)));
        // A curve that turns up again is still fixed work.
        assert_eq!(read(&[1.0, 2.0, 4.0], &[10.0, 7.5, 12.0], None).kind, Kind::Strong);
    }

    #[test]
    fn the_work_decides_where_three_quarters_of_the_rows_agree() {
        let (n, time) = ([1.0, 2.0, 4.0, 8.0], [10.0, 10.0, 10.0, 10.0]);
        let same = read(&n, &time, Some(&[5.0, 5.0, 9.0, 5.0]));
        assert_eq!((same.kind, same.keep), (Kind::Strong, Some(vec![true, true, false, true])));
        assert_eq!(read(&n, &time, Some(&[1.0, 2.0, 4.0, 8.0])).kind, Kind::Weak);
        assert_eq!(read(&n, &time, Some(&[1.0, 5.0, 9.0, 2.0])).open, Some(Open::Work));
    }
}
