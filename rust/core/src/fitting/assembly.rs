//! The report of an analysis, part by part.

use std::collections::BTreeMap;

use super::analysis::{Findings, Status};
use super::curves::{Bounds3, measurements, recommended};
use super::family::{LISTED, Law};
use super::fitted::Fitted;
use super::karp_flatt::{self, Share, share_of};
use super::noise::{lack_of_fit, t_two_sided};
use super::options::{Interval, Kind};
use super::outlook::Outlook;
use super::profile::Residuals;
use super::remeasure;
use super::report::{
    Count, Doubling, Estimate, Flagged, ForecastReport, Knee, LackOfFit, LawReport, Measurement, Middle,
    Range, Report, RoundsReport, SerialFraction,
};
use super::table::Rounds;
use super::wald::{Wald, wald};

/// Level of the inner interval, which decides what a verdict leans to.
const INNER: f64 = 0.80;

/// Everything but the notes.
pub(super) fn report(findings: &Findings) -> Report {
    let Findings { means, table, options, .. } = findings;
    let scatter = (means.df_pure > 0.0).then(|| (means.ss_pure / means.df_pure).sqrt());
    let allowed = findings.allowed();
    let over = findings.over(&allowed);
    let strong = !allowed.is_empty() && options.kind != Kind::Weak;
    let range = |(low, high)| Range { low, high };
    let doubling = doubling(findings);
    let (candidates, next) = measure_next(findings, &doubling);
    Report {
        status: match findings.status {
            Status::Full => "full",
            Status::ThreeCounts => "three counts",
            Status::TooFewRepeats => "too few repeats",
            Status::TwoCounts => "two counts",
            Status::OneCount => "one count",
        },
        counts: counts(findings),
        scatter,
        misfit: misfit(findings),
        lack_of_fit: lack(findings),
        flagged: table
            .outliers
            .iter()
            .map(|o| Flagged { row: o.row, deviation: o.deviation, first: o.first })
            .collect(),
        rounds: match table.rounds {
            Rounds::Absent => RoundsReport { removed: false, reason: None },
            Rounds::Removed { .. } => RoundsReport { removed: true, reason: None },
            Rounds::Kept(reason) => RoundsReport { removed: false, reason: Some(reason) },
        },
        laws: laws(findings),
        law: findings.best().map(|fit| fit.law.name()),
        serial_fraction: serial_fraction(findings).filter(|_| strong),
        ceiling: strong.then(|| range(over.ceiling())),
        peak_n: strong.then(|| range(over.peak())),
        knee: strong.then(|| {
            let (low, high) = over.knee(options.efficiency);
            Knee { efficiency: options.efficiency, low, high }
        }),
        doubling,
        forecast: forecast(findings),
        next,
        candidates,
        families: findings.curves.as_ref().map(|curves| curves.weights().into_iter().collect()),
        weak: findings.weak.clone(),
        notes: Vec::new(),
    }
}

/// The runs, count by count.
fn counts(findings: &Findings) -> Vec<Count> {
    let means = &findings.means;
    let time_one = findings.time_one();
    let shares = karp_flatt_values(findings);
    (0..means.n.len())
        .map(|j| {
            let (n, time) = (means.n[j], means.y[j].exp());
            let speedup = time_one.map(|one| one / time);
            let estimate = |v: Share| Estimate { value: Some(v.value), low: v.low, high: v.high };
            Count {
                n,
                time: time * findings.work(n),
                runs: means.runs[j] as usize,
                speedup,
                efficiency: speedup.map(|s| s / n),
                karp_flatt: shares[j].map(estimate),
            }
        })
        .collect()
}

/// e(n) of every count: against the fitted T(1), or of the pair where there are two counts.
pub(super) fn karp_flatt_values(findings: &Findings) -> Vec<Option<Share>> {
    let Findings { means, options, .. } = findings;
    let nothing = vec![None; means.n.len()];
    let unread = matches!(options.kind, Kind::Weak | Kind::Unknown) && options.law.is_none();
    if unread || findings.status == Status::OneCount {
        return nothing;
    }
    if findings.status == Status::TwoCounts {
        let quantile = if means.df_pure > 0.0 {
            t_two_sided(options.level, means.df_pure) * (means.ss_pure / means.df_pure).sqrt()
        } else {
            f64::INFINITY
        };
        let half = quantile * (1.0 / means.runs[0] + 1.0 / means.runs[1]).sqrt();
        return vec![None, Some(share_of(means.y[1] - means.y[0], half, means.n[0], means.n[1]))];
    }
    match &findings.relative {
        Some(relative) => relative
            .anchor
            .as_ref()
            .map_or(nothing, |anchor| karp_flatt::values(means, anchor, relative.noise, options.level)),
        // Without a law a measured one-worker time serves, and nothing says how well it is known.
        None if means.n[0] == 1.0 => {
            let of = |j: usize| share_of(means.y[j] - means.y[0], f64::INFINITY, 1.0, means.n[j]);
            (0..means.n.len()).map(|j| (j > 0).then(|| of(j))).collect()
        }
        None => nothing,
    }
}

/// Standard deviation of the means about the best law, in log time.
fn misfit(findings: &Findings) -> Option<f64> {
    let (fit, relative) = (findings.best()?, findings.relative.as_ref()?);
    let mean_runs = findings.profile.total / findings.means.n.len() as f64;
    (fit.df_misfit > 0.0).then(|| (relative.sse / fit.df_misfit / mean_runs).sqrt())
}

fn lack(findings: &Findings) -> Option<LackOfFit> {
    let (fit, relative, means) = (findings.best()?, findings.relative.as_ref()?, &findings.means);
    let (f, p) = lack_of_fit(relative.sse, fit.df_misfit, means.ss_pure, means.df_pure)?;
    Some(LackOfFit { f, p })
}

/// All laws in their order; the law insisted on at the end where it is none of them.
fn laws(findings: &Findings) -> Vec<LawReport> {
    let insisted = findings.options.law.filter(|law| !LISTED.contains(law));
    LISTED
        .into_iter()
        .chain(insisted)
        .map(|law| match findings.fits.iter().find(|fit| fit.law == law) {
            Some(fit) => law_report(findings, fit),
            None => LawReport {
                law: law.name(),
                params: BTreeMap::new(),
                time_one: None,
                sse: None,
                noise: None,
                df: None,
                kept: false,
                intervals: BTreeMap::new(),
                errors: BTreeMap::new(),
            },
        })
        .collect()
}

fn law_report(findings: &Findings, fit: &Fitted) -> LawReport {
    let profile = &findings.profile;
    let names = fit.law.parameters();
    let values = [fit.point.a, fit.point.b];
    let mut intervals = BTreeMap::new();
    let mut errors = BTreeMap::new();
    if findings.options.interval == Interval::Wald {
        if let Some(wald) = wald_of(findings, fit) {
            let mut put = |name, value: f64, error: f64| {
                let half = wald.half(error);
                intervals.insert(name, Range { low: value - half, high: value + half });
                errors.insert(name, error);
            };
            for (i, name) in names.iter().enumerate() {
                put(*name, values[i], wald.shape[i]);
            }
            if profile.residuals == Residuals::Throughput {
                put("rate_one", fit.level, wald.level);
            } else {
                put("time_one", fit.time_one, wald.level);
            }
        }
    } else {
        let ranges = fit.intervals(profile).map(|(low, high)| Range { low, high });
        intervals.extend(names.iter().copied().zip(ranges));
    }
    LawReport {
        law: fit.law.name(),
        params: names.iter().copied().zip(values).collect(),
        time_one: Some(fit.time_one),
        sse: Some(fit.sse),
        noise: fit.noise.map(|noise| noise.variance.sqrt()),
        df: fit.noise.map(|noise| noise.df),
        kept: fit.kept,
        intervals,
        errors,
    }
}

fn wald_of(findings: &Findings, fit: &Fitted) -> Option<Wald> {
    wald(&fit.surface(&findings.profile), fit.coordinates(), findings.options.level)
}

fn serial_fraction(findings: &Findings) -> Option<SerialFraction> {
    let options = &findings.options;
    let allowed = findings.standing();
    let (mut low, mut high) = findings.over(&allowed).serial_fraction()?;
    if options.interval == Interval::Wald {
        let with = allowed.iter().filter(|fit| fit.law.has_sigma());
        let ends =
            with.filter_map(|fit| wald_of(findings, fit).map(|wald| (fit.point.a, wald.half(wald.shape[0]))));
        (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (value, half)| {
            (low.min(value - half), high.max(value + half))
        });
        if options.bounded {
            (low, high) = (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
    }
    let value = findings.best().filter(|fit| fit.law.has_sigma()).map(|fit| fit.point.a);
    Some(SerialFraction { value, low, high, of: "the one-worker time" })
}

/// The doubling answer.
///
/// Yes and no are said at the level of the analysis and only with four counts; what the inner
/// interval alone decides is a leaning. Weak runs, unknown runs and times that do not fall get none.
fn doubling(findings: &Findings) -> Doubling {
    let options = &findings.options;
    let (from, to) = (findings.largest(), 2.0 * findings.largest());
    let Some(ratio) = findings.ratio_between(from, to, options.level) else {
        // Nothing but the work bounds the ratio: fixed work is never faster than linear.
        let low =
            if options.kind == Kind::Unknown { 0.0 } else { 0.5 * findings.work(to) / findings.work(from) };
        let time_ratio = Middle { low, mid: None, high: f64::INFINITY };
        let answer = if options.law.is_some() && options.kind != Kind::Unknown {
            "cannot tell"
        } else {
            "not answered"
        };
        return Doubling { from, to, answer, time_ratio, inner: None };
    };
    let inner = (options.level > INNER).then(|| findings.ratio_between(from, to, INNER)).flatten();
    let asked = matches!(options.kind, Kind::Strong | Kind::Throughput) && !unconfirmed(findings);
    let limit = 1.0 / (1.0 + options.gain);
    let decided = |ratio: Bounds3| {
        if ratio.high <= limit {
            Some(true)
        } else if ratio.low >= limit {
            Some(false)
        } else {
            None
        }
    };
    let sure = decided(ratio);
    let answer = match (sure, sure.or(inner.and_then(decided))) {
        _ if !asked => "not answered",
        (Some(true), _) if findings.means.n.len() > 3 => "yes",
        (Some(false), _) if findings.means.n.len() > 3 => "no",
        (_, Some(true)) => "leaning yes",
        (_, Some(false)) => "leaning no",
        (_, None) => "cannot tell",
    };
    Doubling { from, to, answer, time_ratio: middle(ratio), inner: inner.map(middle) }
}

/// Times that do not fall are read as fixed work only where somebody says so.
pub(super) fn unconfirmed(findings: &Findings) -> bool {
    let options = &findings.options;
    let asked = options.confirm || options.law.is_some();
    options.kind == Kind::Strong && !asked && does_not_fall(findings)
}

/// Whether the time at the largest count is at least 0.9 of the time at the smallest.
pub(super) fn does_not_fall(findings: &Findings) -> bool {
    let y = &findings.means.y;
    y.len() > 1 && y[y.len() - 1] - y[0] >= f64::ln(0.9)
}

fn middle(ratio: Bounds3) -> Middle {
    Middle { low: ratio.low, mid: Some(ratio.mid), high: ratio.high }
}

/// Measurements compared, and the one to make; nothing where the question is answered or was never
/// asked. Where no interval can be had yet, more counts and repeats are what is missing.
fn measure_next(findings: &Findings, doubling: &Doubling) -> (Vec<Measurement>, Option<Measurement>) {
    let Findings { means, options, .. } = findings;
    if matches!(doubling.answer, "yes" | "no") || (options.kind == Kind::Unknown && options.law.is_none()) {
        return (Vec::new(), None);
    }
    let candidates = if findings.by_regions() {
        let allowed = findings.allowed();
        remeasure::measurements(&findings.over(&allowed), options.cap, options.level)
    } else if let Some(curves) = &findings.curves {
        let top = findings.largest();
        let at = |time: &dyn Fn(f64) -> f64| [1.0, 2.0, 4.0].map(|factor| time(factor * top).ln());
        let mut laws: Vec<[f64; 3]> = findings.standing().iter().map(|fit| at(&|n| fit.time(n))).collect();
        if laws.is_empty() {
            // Weak runs have no law: the middle of the curves stands for it.
            let last = means.y[means.y.len() - 1].exp();
            laws.push(at(&|n| last * curves.time_ratio(n, options.level).mid));
        }
        measurements(curves, means, &laws, options.cap, options.level)
    } else {
        Vec::new()
    };
    let twice = 2.0 * findings.largest();
    let missing = (findings.status != Status::Full && candidates.is_empty())
        .then_some(Measurement { n: twice, repeats: 3, shrinks_to: None })
        .filter(|m| options.cap.is_none_or(|cap| m.n <= cap));
    let next = recommended(&candidates).or(missing);
    (candidates, next)
}

fn forecast(findings: &Findings) -> Vec<ForecastReport> {
    if findings.curves.is_none() && !findings.by_regions() {
        return Vec::new();
    }
    let twice = [2.0 * findings.largest()];
    let targets: &[f64] =
        if findings.options.targets.is_empty() { &twice } else { &findings.options.targets };
    let estimate = |b: Bounds3| Estimate { value: Some(b.mid), low: b.low, high: b.high };
    let at = |(outlook, n): (Outlook, &f64)| ForecastReport {
        n: *n,
        time: estimate(outlook.time),
        speedup: estimate(outlook.speedup),
        efficiency: estimate(outlook.speedup.scaled(1.0 / n)),
    };
    findings.outlook(targets, true).into_iter().zip(targets).map(at).collect()
}

/// Whether a law has its coherency at the bound 0.
pub(super) fn without_coherency(fit: &Fitted) -> bool {
    matches!(fit.law, Law::Usl | Law::UslLog | Law::UslLogSchwartz) && fit.point.b == 0.0
}
