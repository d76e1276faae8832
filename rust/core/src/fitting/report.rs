//! What an analysis says, as one plain record. Infinite ends stay infinite; what does not apply is absent.

use std::collections::BTreeMap;

use serde::Serialize;

use super::notes::Note;
use super::weak::Weak;

/// A range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Upper end; may be infinite.
    pub high: f64,
}

/// A value with its range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The value; absent where only the range can be stated.
    pub value: Option<f64>,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A range with its middle value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Middle {
    /// Lower end.
    pub low: f64,
    /// The middle value; absent where nothing stands in the middle.
    pub mid: Option<f64>,
    /// Upper end.
    pub high: f64,
}

/// The runs at one worker count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Count {
    /// Worker count.
    pub n: f64,
    /// Time: exponential of the mean log time of the used runs.
    pub time: f64,
    /// Used runs.
    pub runs: usize,
    /// Speedup against the fitted T(1).
    pub speedup: Option<f64>,
    /// Efficiency: speedup over n.
    pub efficiency: Option<f64>,
    /// Share of the one-worker time that did not shrink.
    pub karp_flatt: Option<Estimate>,
}

/// Misfit against repeats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LackOfFit {
    /// Ratio of the mean squares.
    pub f: f64,
    /// Probability of a ratio as large where the curve is right.
    pub p: f64,
}

/// A run that was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Flagged {
    /// Row of the input.
    pub row: usize,
    /// Distance from the median of its count, in robust standard deviations.
    pub deviation: f64,
    /// First run of its count in input order.
    pub first: bool,
}

/// What became of the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RoundsReport {
    /// Whether round effects were taken out.
    pub removed: bool,
    /// Why not: "incomplete", "one round", "blocked"; absent without rounds.
    pub reason: Option<&'static str>,
}

/// One law as fitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LawReport {
    /// Name of the law.
    pub law: &'static str,
    /// Parameters; empty where the law could not be fitted.
    pub params: BTreeMap<&'static str, f64>,
    /// Fitted T(1).
    pub time_one: Option<f64>,
    /// Weighted sum of squares of the means, on the scale of the residuals.
    pub sse: Option<f64>,
    /// Standard deviation of one run about the curve.
    pub noise: Option<f64>,
    /// Degrees of freedom of the noise.
    pub df: Option<f64>,
    /// Whether the data allow this law.
    pub kept: bool,
    /// Intervals of the parameters.
    pub intervals: BTreeMap<&'static str, Range>,
    /// Standard errors, where Wald intervals were asked for.
    pub errors: BTreeMap<&'static str, f64>,
}

/// A serial fraction and what it is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SerialFraction {
    /// Of the best kept law, where it has one.
    pub value: Option<f64>,
    /// Lower end over all kept laws.
    pub low: f64,
    /// Upper end over all kept laws.
    pub high: f64,
    /// The whole of which it is a share.
    pub of: &'static str,
}

/// Workers at which the efficiency falls to a level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Knee {
    /// The level.
    pub efficiency: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Whether twice the largest count saves the time asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Doubling {
    /// Largest measured count.
    pub from: f64,
    /// Twice as many.
    pub to: f64,
    /// "yes", "no", "leaning yes", "leaning no", "cannot tell" or "not answered".
    pub answer: &'static str,
    /// T(to) / T(from) of the curve.
    pub time_ratio: Middle,
    /// The same at 80 %.
    pub inner: Option<Middle>,
}

/// A value that somebody will measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ForecastReport {
    /// Worker count.
    pub n: f64,
    /// Time.
    pub time: Estimate,
    /// Speedup.
    pub speedup: Estimate,
    /// Efficiency.
    pub efficiency: Estimate,
}

/// A measurement to make, and what it leaves of the uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measurement {
    /// Worker count.
    pub n: f64,
    /// Runs there.
    pub repeats: usize,
    /// Share of the log width of T(2n)/T(n) that is left.
    pub shrinks_to: Option<f64>,
}

/// Everything an analysis says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What the number of counts and repeats allows: "full", "three counts", "two counts",
    /// "one count" or "too few repeats".
    pub status: &'static str,
    /// The runs, count by count.
    pub counts: Vec<Count>,
    /// Standard deviation of the log time among repeats.
    pub scatter: Option<f64>,
    /// Standard deviation of the means about the best law.
    pub misfit: Option<f64>,
    /// Misfit of the best law against repeats.
    pub lack_of_fit: Option<LackOfFit>,
    /// Runs set aside.
    pub flagged: Vec<Flagged>,
    /// What became of the rounds.
    pub rounds: RoundsReport,
    /// All laws.
    pub laws: Vec<LawReport>,
    /// Best kept law, or the law insisted on.
    pub law: Option<&'static str>,
    /// Serial fraction over the kept laws.
    pub serial_fraction: Option<SerialFraction>,
    /// Largest speedup at any count.
    pub ceiling: Option<Range>,
    /// Fastest count.
    pub peak_n: Option<Range>,
    /// Workers at which the efficiency falls to the level asked for.
    pub knee: Option<Knee>,
    /// The doubling answer.
    pub doubling: Doubling,
    /// Values that somebody will measure.
    pub forecast: Vec<ForecastReport>,
    /// The measurement that tells most.
    pub next: Option<Measurement>,
    /// The measurements compared.
    pub candidates: Vec<Measurement>,
    /// Weights of the families of curves.
    pub families: Option<BTreeMap<&'static str, f64>>,
    /// Weak scaling: growth and efficiency.
    pub weak: Option<Weak>,
    /// What must be known beside the numbers.
    pub notes: Vec<Note>,
}
