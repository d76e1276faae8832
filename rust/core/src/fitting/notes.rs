//! What a reader must know beside the numbers: a stable code and the values; the wording is elsewhere.

use std::collections::BTreeMap;

use serde::Serialize;

use super::analysis::{Findings, Status};
use super::assembly::{does_not_fall, karp_flatt_values, unconfirmed, without_coherency};
use super::family::Law;
use super::fitted::Fitted;
use super::karp_flatt::trend;
use super::means::Means;
use super::noise::{LEAST_VARIANCE, noise, t_two_sided};
use super::options::{Interval, Kind};
use super::profile::{Profile, Residuals};
use super::report::Report;
use super::table::{Rounds, median};
use super::weak::weak;

/// Below this probability the curve misses the points by more than the repeats scatter.
const UNLIKELY: f64 = 0.01;
/// Misfit above which no shape describes the runs.
const NO_SHAPE: f64 = 0.25;
/// Scatter of the repeats above which the choice of an estimator is felt.
const NOISY: f64 = 0.05;
/// A rise of the time beyond this is a mistake of units before it is a program.
const UNITS: f64 = 20.0;
/// Share of clean tables that lose a clean run to the outlier rule, in simulation: at least, at most.
const CLEAN_TABLES_FLAGGED: [f64; 2] = [0.08, 0.13];
/// Counts below which the trend of e(n) is not read.
const TREND_POINTS: usize = 4;

/// A value of a note.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum NoteValue {
    /// Nothing can be said.
    Absent,
    /// A number.
    Number(f64),
    /// A name.
    Text(String),
    /// Several values.
    List(Vec<NoteValue>),
}

impl From<f64> for NoteValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Option<f64>> for NoteValue {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Absent, Self::Number)
    }
}

impl From<&str> for NoteValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl<T: Into<NoteValue>> From<Vec<T>> for NoteValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// One note.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Note {
    /// Stable code.
    pub code: &'static str,
    /// Values by name.
    pub values: BTreeMap<&'static str, NoteValue>,
}

impl Note {
    fn new<const K: usize>(code: &'static str, values: [(&'static str, NoteValue); K]) -> Self {
        Self { code, values: values.into_iter().collect() }
    }
}

/// All notes of an analysis, the gravest first.
pub(super) fn all(findings: &Findings, report: &Report) -> Vec<Note> {
    let mut notes = Vec::new();
    reading(findings, &mut notes);
    amount(findings, &mut notes);
    shape(findings, report, &mut notes);
    laws(findings, &mut notes);
    karp_flatt(findings, &mut notes);
    runs(findings, &mut notes);
    estimators(findings, report, &mut notes);
    horizon(findings, report, &mut notes);
    notes
}

/// Whether the numbers can be what they are said to be.
fn reading(findings: &Findings, notes: &mut Vec<Note>) {
    if findings.options.kind == Kind::Unknown {
        notes.push(Note::new("kind_unknown", []));
    }
    let means = &findings.means;
    let (Some(first), Some(last)) = (means.y.first(), means.y.last()) else { return };
    let (least, most) = (means.n[0], findings.largest());
    let ratio = (last - first).exp() * findings.work(most) / findings.work(least);
    let about = || [("ratio", ratio.into()), ("n_min", least.into()), ("n_max", most.into())];
    if ratio > UNITS {
        notes.push(Note::new("units_suspect", about()));
    }
    if matches!(findings.options.kind, Kind::Strong | Kind::Unknown) && does_not_fall(findings) {
        let confirmed = !unconfirmed(findings) && findings.options.kind == Kind::Strong;
        let mut note = Note::new("time_does_not_fall", about());
        note.values.insert("confirmed", if confirmed { "yes" } else { "no" }.into());
        // What the same times say if the work grew with the workers.
        note.values.insert("weak_efficiency", (1.0 / ratio).into());
        let per_worker = means.y.iter().zip(&means.n).map(|(y, n)| y - n.ln()).collect();
        let grown = weak(&Means { y: per_worker, ..means.clone() }, None, findings.options.level);
        note.values.extend(grown.map(|grown| ("weak_log_growth", grown.log_growth.value.into())));
        notes.push(note);
    }
}

/// Whether there are counts and repeats enough.
fn amount(findings: &Findings, notes: &mut Vec<Note>) {
    let counts = findings.means.n.len() as f64;
    let code = match findings.status {
        Status::Full => None,
        Status::ThreeCounts => Some("three_counts"),
        Status::TooFewRepeats if findings.best().is_some_and(|fit| fit.noise.is_some()) => None,
        Status::TooFewRepeats => Some("interval_not_available"),
        Status::TwoCounts => Some("two_counts"),
        Status::OneCount => Some("one_count"),
    };
    notes.extend(
        code.map(|code| {
            Note::new(code, [("counts", counts.into()), ("runs", findings.profile.total.into())])
        }),
    );
    if let Some(fit) = findings.best().filter(|fit| fit.noise.is_none()) {
        let parameters = fit.law.size() as f64;
        let values =
            [("law", fit.law.name().into()), ("counts", counts.into()), ("parameters", parameters.into())];
        notes.push(Note::new("no_degrees_of_freedom", values));
    }
    if findings.means.df_pure == 0.0
        && findings.status == Status::Full
        && findings.options.kind != Kind::Unknown
    {
        notes.push(Note::new("scatter_from_misfit", []));
    }
}

/// Whether any shape describes the runs, and whether they are faster than linear.
fn shape(findings: &Findings, report: &Report, notes: &mut Vec<Note>) {
    if let Some(lack) = report.lack_of_fit.filter(|lack| lack.p < UNLIKELY) {
        notes.push(Note::new("lack_of_fit", [("f", lack.f.into()), ("p", lack.p.into())]));
    }
    if let Some(misfit) = report.misfit.filter(|misfit| *misfit > NO_SHAPE) {
        notes.push(Note::new("no_shape_fits", [("misfit", misfit.into())]));
    }
    notes.extend(superlinear(findings));
    if let Some(one) = findings.best().map(|fit| fit.time_one).filter(|_| findings.means.n[0] > 1.0) {
        let values = [("n_min", findings.means.n[0].into()), ("time_one", one.into())];
        notes.push(Note::new("extrapolated_t1", values));
    }
}

/// n T(n) falls with n beyond the noise: the slope of its log over log n, with the noise about that line.
///
/// The noise about the best law would not do: laws cannot follow superlinear runs, and their misfit
/// would hide what is looked for.
fn superlinear(findings: &Findings) -> Option<Note> {
    let means = &findings.means;
    if matches!(findings.options.kind, Kind::Weak | Kind::Unknown) || means.n.len() < 2 {
        return None;
    }
    let rows = || means.n.iter().zip(&means.y).zip(&means.runs).map(|((n, y), w)| (n.ln(), y + n.ln(), *w));
    let total: f64 = rows().map(|(_, _, w)| w).sum();
    let mean = rows().map(|(x, _, w)| w * x).sum::<f64>() / total;
    let level = rows().map(|(_, work, w)| w * work).sum::<f64>() / total;
    let spread: f64 = rows().map(|(x, _, w)| w * (x - mean).powi(2)).sum();
    let slope = rows().map(|(x, work, w)| w * (x - mean) * (work - level)).sum::<f64>() / spread;
    let sse = rows().map(|(x, work, w)| w * (work - level - slope * (x - mean)).powi(2)).sum();
    let noise = noise(sse, means.n.len() as f64 - 2.0, means.ss_pure, means.df_pure, LEAST_VARIANCE);
    // Two-sided at 95 %, whatever the level of the intervals: a note is no interval. Two single runs
    // have no noise to be compared with.
    let margin = noise.map_or(0.0, |noise| t_two_sided(0.95, noise.df) * (noise.variance / spread).sqrt());
    let values = [("slope", slope.into()), ("margin", margin.into())];
    (slope < -margin && slope < -1e-9).then(|| Note::new("superlinear", values))
}

/// Which laws stand, and which parameters sit at a bound.
fn laws(findings: &Findings, notes: &mut Vec<Note>) {
    let Some(best) = findings.best() else { return };
    let names = |kept: bool| -> Vec<&str> {
        let of = findings.fits.iter().filter(|fit| fit.kept == kept);
        of.map(|fit| fit.law.name()).collect()
    };
    let kept = names(true);
    if findings.options.law.is_some() {
        if !best.kept && !kept.is_empty() {
            let values = [("law", best.law.name().into()), ("laws", kept.into())];
            notes.push(Note::new("insisted_law_not_kept", values));
        }
    } else if !kept.is_empty() {
        // Amdahl's law is the bound of the universal one: the two are one shape.
        let shapes = kept.iter().filter(|name| **name != Law::Amdahl.name()).count();
        let code = if shapes == 1 { "one_law_kept" } else { "laws_kept" };
        notes.push(Note::new(code, [("laws", kept.into()), ("dropped", names(false).into())]));
    }
    let at_bound = |fit: &Fitted, param: &str, value: f64| {
        let values = [("law", fit.law.name().into()), ("param", param.into()), ("value", value.into())];
        Note::new("at_bound", values)
    };
    if best.noise.is_none() {
        return;
    }
    let usl = findings.fits.iter().find(|fit| fit.law == Law::Usl && without_coherency(fit));
    let bare = if best.law == Law::Amdahl && findings.options.law.is_none() { usl } else { Some(best) };
    notes.extend(bare.filter(|fit| without_coherency(fit)).map(|fit| at_bound(fit, "kappa", 0.0)));
    if best.at_bound().0 {
        notes.push(at_bound(best, best.law.parameters()[0], best.point.a));
    }
    if findings.options.interval == Interval::Wald {
        notes.push(Note::new("wald", [("parameters", "wald".into()), ("derived", "region".into())]));
    }
}

/// e(n) count by count, and whether it rises.
fn karp_flatt(findings: &Findings, notes: &mut Vec<Note>) {
    let values = karp_flatt_values(findings);
    let known: Vec<(f64, f64)> =
        findings.means.n.iter().zip(&values).filter_map(|(n, v)| v.map(|v| (*n, v.value))).collect();
    if known.is_empty() {
        return;
    }
    let mut note = Note::new(
        "karp_flatt",
        [
            ("n", known.iter().map(|k| k.0).collect::<Vec<_>>().into()),
            ("value", known.iter().map(|k| k.1).collect::<Vec<_>>().into()),
        ],
    );
    let trend = findings.relative.as_ref().and_then(|relative| {
        trend(&findings.means, relative.anchor.as_ref()?, relative.noise, findings.options.level)
    });
    let Some(trend) = trend.filter(|trend| trend.points >= TREND_POINTS) else {
        note.values.insert("reading", "too few points".into());
        notes.push(note);
        return;
    };
    let slope = trend.slope;
    let (code, reading) = if slope.low > 0.0 {
        ("karp_flatt_rises", "rises")
    } else if slope.high < 0.0 {
        ("karp_flatt_falls", "falls")
    } else {
        ("karp_flatt_flat", "flat")
    };
    note.values.insert("reading", reading.into());
    notes.push(note);
    notes.push(Note::new(
        code,
        [("slope", slope.value.into()), ("low", slope.low.into()), ("high", slope.high.into())],
    ));
}

/// Runs set aside, and rounds.
fn runs(findings: &Findings, notes: &mut Vec<Note>) {
    let table = &findings.table;
    let counts = |slow_first: bool| -> Vec<f64> {
        let of = table.outliers.iter().filter(|o| !slow_first || (o.first && o.deviation > 0.0));
        of.map(|o| table.n[table.count[o.row]]).collect()
    };
    if !table.outliers.is_empty() {
        let runs = table.outliers.len() as f64;
        let clean = CLEAN_TABLES_FLAGGED.to_vec();
        let values = [("runs", runs.into()), ("n", counts(false).into()), ("clean_tables", clean.into())];
        notes.push(Note::new("runs_flagged", values));
    }
    let slow = counts(true);
    if !slow.is_empty() {
        notes.push(Note::new("first_run_slow", [("n", slow.into())]));
    }
    match table.rounds {
        Rounds::Absent => {}
        Rounds::Removed { rounds, spread } => {
            let values = [("rounds", (rounds as f64).into()), ("spread", spread.into())];
            notes.push(Note::new("rounds_removed", values));
        }
        Rounds::Kept(reason) => notes.push(Note::new("rounds_blocked", [("reason", reason.into())])),
    }
}

/// The serial fraction of Amdahl's law by three estimators, where noise makes them differ.
fn estimators(findings: &Findings, report: &Report, notes: &mut Vec<Note>) {
    let noisy = report.scatter.is_some_and(|scatter| scatter > NOISY);
    if !noisy || findings.options.kind != Kind::Strong || findings.means.n.len() < 3 {
        return;
    }
    let sigma = |profile: &Profile| Fitted::new(profile, Law::Amdahl, true).point.a;
    let on = |residuals| Profile::new(&findings.table, &findings.means, residuals);
    let (log, time) = (on(Residuals::Log), on(Residuals::Time));
    let mut medians = time.clone();
    for (j, z) in medians.z.iter_mut().enumerate() {
        let table = &findings.table;
        let of_count = table.used_rows().filter(|row| table.count[*row] == j);
        *z = median(of_count.map(|row| table.y[row].exp()).collect());
    }
    let values =
        [("log", sigma(&log).into()), ("time", sigma(&time).into()), ("medians", sigma(&medians).into())];
    notes.push(Note::new("estimators_differ", values));
}

/// What was asked beyond the horizon, and which lower ends stop there.
fn horizon(findings: &Findings, report: &Report, notes: &mut Vec<Note>) {
    let laws = findings.allowed();
    let horizon = findings.over(&laws).horizon();
    let beyond: Vec<f64> = report.forecast.iter().map(|f| f.n).filter(|n| *n > horizon).collect();
    let lows = [
        ("ceiling", report.ceiling.map(|r| r.low)),
        ("peak_n", report.peak_n.map(|r| r.low)),
        ("knee", report.knee.map(|k| k.low)),
    ];
    let held: Vec<&str> =
        lows.into_iter().filter_map(|(name, low)| low.filter(|low| *low == horizon).map(|_| name)).collect();
    if !beyond.is_empty() || !held.is_empty() {
        let values = [("horizon", horizon.into()), ("targets", beyond.into()), ("held", held.into())];
        notes.push(Note::new("horizon_crossed", values));
    }
}
