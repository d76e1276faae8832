//! One row a trace: which numbers and codes it has, and how they come from a report.

use super::reading::{Open, Reading};
use super::traces::Gathered;
use crate::fitting::family::{LISTED, Law};
use crate::fitting::options::{Kind, Options};
use crate::fitting::report::{Estimate, LawReport, Range, Report};

/// Columns of codes.
pub const CODES: [&str; 9] =
    ["status", "kind", "law", "answer", "kept", "runs", "counts", "left_out", "flagged"];

/// Kinds, by code.
pub const KINDS: [&str; 4] = ["unknown", "strong", "weak", "throughput"];

/// Laws, by code; in `kept` a law is the bit of its code. 0 is no law.
pub const LAWS: [&str; 7] = ["", "amdahl", "usl", "usl_log", "power", "saturation", "usl_log_schwartz"];

/// Doubling answers, by code.
pub const ANSWERS: [&str; 6] = ["not answered", "yes", "no", "leaning yes", "leaning no", "cannot tell"];

/// What became of a trace, by code: a name and a sentence.
pub const STATUSES: [(&str, &str); 11] = [
    ("not reached", "The work was ended before this trace."),
    ("fitted", ""),
    ("no usable rows", "No row has a usable worker count and value."),
    ("one count", "All runs are at one worker count; a curve needs 4 worker counts, or 3 with repeats."),
    ("two counts", "2 worker counts; a curve needs 4 worker counts, or 3 with repeats."),
    ("too few repeats", "3 worker counts and no repeats; a curve needs 4 worker counts, or 3 with repeats."),
    (
        "kind unknown",
        "A rate and no work column: three readings fit, and the tool does not guess. Give kind.",
    ),
    (
        "kind unknown",
        "The time does not fall clearly: fixed work that hardly scales, or work that grows. Give kind.",
    ),
    (
        "kind unknown",
        "The work is neither the same at every count nor in proportion to the workers. Give kind.",
    ),
    (
        "time does not fall",
        "The time does not fall although the work is fixed: weak scaling, a rate, or confirm=True.",
    ),
    ("failed", "The trace could not be analysed; sw.fit of its rows raises the reason."),
];

/// Code of a status; the place in [`STATUSES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The work was ended before this trace.
    NotReached,
    /// The trace has an answer.
    Fitted,
    /// No row can be used.
    NoUsableRows,
    /// All runs are at one count.
    OneCount,
    /// Two counts.
    TwoCounts,
    /// Three counts and no repeats.
    TooFewRepeats,
    /// A rate without work or kind.
    RateWithoutWork,
    /// A time that does not fall clearly, without a kind.
    TimeUnclear,
    /// Work that decides nothing.
    WorkUnclear,
    /// Fixed work whose time does not fall.
    TimeDoesNotFall,
    /// The analysis failed.
    Failed,
}

/// Codes of notes; a code is a bit of the set of a trace.
pub const NOTES: [&str; 34] = [
    "counts_below_one",
    "work_disagrees",
    "work_varies",
    "read_as_strong",
    "serial_not_identified",
    "kind_unknown",
    "units_suspect",
    "time_does_not_fall",
    "three_counts",
    "two_counts",
    "one_count",
    "interval_not_available",
    "no_degrees_of_freedom",
    "scatter_from_misfit",
    "lack_of_fit",
    "no_shape_fits",
    "extrapolated_t1",
    "superlinear",
    "insisted_law_not_kept",
    "one_law_kept",
    "laws_kept",
    "at_bound",
    "wald",
    "karp_flatt",
    "karp_flatt_rises",
    "karp_flatt_falls",
    "karp_flatt_flat",
    "runs_flagged",
    "first_run_slow",
    "rounds_removed",
    "rounds_blocked",
    "estimators_differ",
    "horizon_crossed",
    "other",
];

/// Columns of numbers.
const NUMBERS: [&str; 29] = [
    "n_min",
    "n_max",
    "scatter",
    "misfit",
    "time_one",
    "noise",
    "df",
    "serial_fraction",
    "serial_fraction_low",
    "serial_fraction_high",
    "ceiling_low",
    "ceiling_high",
    "peak_n_low",
    "peak_n_high",
    "knee_low",
    "knee_high",
    "time_ratio",
    "time_ratio_low",
    "time_ratio_high",
    "next_n",
    "next_repeats",
    "next_shrinks_to",
    "weak_efficiency",
    "log_growth",
    "log_growth_low",
    "log_growth_high",
    "linear_growth",
    "linear_growth_low",
    "linear_growth_high",
];

/// What a forecast says of one target.
const FORECAST: [&str; 3] = ["time", "speedup", "efficiency"];

/// The columns of numbers that an analysis with these options fills.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    laws: Vec<Law>,
    targets: usize,
}

impl Layout {
    /// The columns for these options.
    pub fn new(options: &Options) -> Self {
        let insisted = options.law.filter(|law| !LISTED.contains(law));
        Self { laws: LISTED.into_iter().chain(insisted).collect(), targets: options.targets.len().max(1) }
    }

    /// Names of the columns: of estimates the value, its `_low` and its `_high`; of the laws
    /// `law_parameter` and `law_time_one`; of the forecasts `forecast_time`, numbered from the second on.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = NUMBERS.iter().map(|name| (*name).to_owned()).collect();
        let three = |name: &str| [name.to_owned(), format!("{name}_low"), format!("{name}_high")];
        for law in &self.laws {
            names.push(format!("{}_time_one", law.name()));
            for parameter in law.parameters() {
                names.extend(three(&format!("{}_{parameter}", law.name())));
            }
        }
        for target in 0..self.targets {
            let number = if target == 0 { String::new() } else { format!("_{}", target + 1) };
            names.push(format!("forecast{number}_n"));
            for quantity in FORECAST {
                names.extend(three(&format!("forecast{number}_{quantity}")));
            }
        }
        names
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        let laws: usize = self.laws.iter().map(|law| 1 + 3 * law.parameters().len()).sum();
        NUMBERS.len() + laws + self.targets * (1 + 3 * FORECAST.len())
    }

    /// Whether there is no column; there always is one.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// The row of one trace.
pub(super) struct Row<'a> {
    pub values: &'a mut [f64],
    pub codes: &'a mut [u32],
    pub notes: &'a mut u64,
}

impl Row<'_> {
    /// Nothing is known yet.
    pub(super) fn clear(&mut self) {
        self.values.fill(f64::NAN);
        self.codes.fill(0);
        *self.notes = 0;
    }

    pub(super) fn refuse(&mut self, status: Status) {
        self.codes[0] = status as u32;
    }

    /// What is known before the analysis: the kind, and how many rows of `given` are used.
    pub(super) fn read(&mut self, reading: &Reading, rows: &Gathered, given: usize) {
        self.codes[1] = match reading.kind {
            Kind::Unknown => 0,
            Kind::Strong => 1,
            Kind::Weak => 2,
            Kind::Throughput => 3,
        };
        self.codes[5] = rows.n.len() as u32;
        self.codes[7] = (given - rows.n.len()) as u32;
        reading.notes.iter().for_each(|code| self.note(code));
    }

    fn note(&mut self, code: &str) {
        *self.notes |= 1 << place(&NOTES, code).unwrap_or(NOTES.len() - 1);
    }

    /// Everything else.
    pub(super) fn report(&mut self, layout: &Layout, report: &Report, insisted: bool, reading: &Reading) {
        report.notes.iter().for_each(|note| self.note(note.code));
        self.refuse(status(report, insisted, reading));
        self.codes[2] = report.law.and_then(|law| place(&LAWS, law)).unwrap_or(0) as u32;
        self.codes[3] = place(&ANSWERS, report.doubling.answer).unwrap_or(0) as u32;
        let kept = report.laws.iter().filter(|law| law.kept).filter_map(|law| place(&LAWS, law.law));
        self.codes[4] = kept.fold(0, |kept, law| kept | 1 << law);
        self.codes[6] = report.counts.len() as u32;
        self.codes[8] = report.flagged.len() as u32;
        let mut cells = Cells(self.values.iter_mut());
        numbers(&mut cells, report, reading.kind);
        for law in &layout.laws {
            let fitted = report.laws.iter().find(|fitted| fitted.law == law.name());
            cells.put(fitted.and_then(|fitted| fitted.time_one));
            for parameter in law.parameters() {
                cells.put(fitted.and_then(|fitted| fitted.params.get(parameter)).copied());
                cells.range(fitted.and_then(|fitted| fitted.intervals.get(parameter)));
            }
        }
        for point in report.forecast.iter().take(layout.targets) {
            cells.put(Some(point.n));
            for estimate in [&point.time, &point.speedup, &point.efficiency] {
                cells.estimate(Some(estimate));
            }
        }
    }
}

/// The cells of a row, filled from the left.
struct Cells<'a>(std::slice::IterMut<'a, f64>);

impl Cells<'_> {
    fn put(&mut self, value: Option<f64>) {
        if let Some(cell) = self.0.next() {
            *cell = value.unwrap_or(f64::NAN);
        }
    }

    fn range(&mut self, range: Option<&Range>) {
        self.put(range.map(|range| range.low));
        self.put(range.map(|range| range.high));
    }

    fn estimate(&mut self, estimate: Option<&Estimate>) {
        self.put(estimate.and_then(|estimate| estimate.value));
        self.put(estimate.map(|estimate| estimate.low));
        self.put(estimate.map(|estimate| estimate.high));
    }
}

/// Fill the columns of [`NUMBERS`].
fn numbers(cells: &mut Cells<'_>, report: &Report, kind: Kind) {
    let best: Option<&LawReport> = report.law.and_then(|best| report.laws.iter().find(|law| law.law == best));
    cells.put(report.counts.first().map(|count| count.n));
    cells.put(report.counts.last().map(|count| count.n));
    cells.put(report.scatter);
    cells.put(report.misfit);
    cells.put(best.and_then(|law| law.time_one));
    cells.put(best.and_then(|law| law.noise));
    cells.put(best.and_then(|law| law.df));
    // The serial fraction of weak runs needs phase times.
    let serial = report.serial_fraction.filter(|_| kind != Kind::Weak);
    cells.put(serial.and_then(|serial| serial.value));
    cells.put(serial.map(|serial| serial.low));
    cells.put(serial.map(|serial| serial.high));
    cells.range(report.ceiling.as_ref());
    cells.range(report.peak_n.as_ref());
    cells.put(report.knee.map(|knee| knee.low));
    cells.put(report.knee.map(|knee| knee.high));
    let ratio = report.doubling.time_ratio;
    cells.put(ratio.mid);
    cells.put(Some(ratio.low));
    cells.put(Some(ratio.high));
    cells.put(report.next.map(|next| next.n));
    cells.put(report.next.map(|next| next.repeats as f64));
    cells.put(report.next.and_then(|next| next.shrinks_to));
    let weak = report.weak.as_ref();
    cells.put(weak.map(|weak| weak.efficiency_at_max));
    cells.estimate(weak.map(|weak| &weak.log_growth));
    cells.estimate(weak.map(|weak| &weak.linear_growth));
}

/// Whether the trace has an answer, by the rules of a single fit.
fn status(report: &Report, insisted: bool, reading: &Reading) -> Status {
    match report.status {
        "one count" => return Status::OneCount,
        _ if insisted => return Status::Fitted,
        "two counts" => return Status::TwoCounts,
        "too few repeats" => return Status::TooFewRepeats,
        _ => {}
    }
    match reading.open {
        Some(Open::Rate) => return Status::RateWithoutWork,
        Some(Open::Time) => return Status::TimeUnclear,
        Some(Open::Work) => return Status::WorkUnclear,
        None => {}
    }
    let falls = !report.notes.iter().any(|note| note.code == "time_does_not_fall");
    if falls || reading.kind != Kind::Strong || report.doubling.answer != "not answered" {
        Status::Fitted
    } else {
        Status::TimeDoesNotFall
    }
}

fn place(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name() {
        for (law, targets) in [(None, vec![]), (Some(Law::UslLogSchwartz), vec![8.0, 16.0])] {
            let layout = Layout::new(&Options { law, targets, ..Options::default() });
            assert_eq!(layout.names().len(), layout.len());
        }
    }

    #[test]
    fn every_law_has_a_code_and_notes_fit_in_their_set() {
        assert!(LISTED.iter().chain(&[Law::UslLogSchwartz]).all(|law| LAWS.contains(&law.name())));
        assert!(NOTES.len() <= 64);
    }
}
