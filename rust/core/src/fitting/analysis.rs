//! From rows to a verdict: the one routine that serves one fit and many.

use super::curves::{Bounds3, Curves};
use super::family::{COMPETING, LISTED, Law};
use super::fitted::Fitted;
use super::karp_flatt::Anchor;
use super::means::Means;
use super::noise::{Noise, f_one, noise};
use super::options::{Kind, Options, positive};
use super::outlook::Outlook;
use super::profile::{Profile, Residuals};
use super::quantities::Allowed;
use super::report::Report;
use super::table::Table;
use super::weak::{Weak, weak};
use super::{assembly, notes};
use crate::error::{Error, Result};

/// A law stays unless it lies outside the region of the best one at this level.
const KEEP: f64 = 0.99;

/// How much the counts and the repeats allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Full,
    ThreeCounts,
    TooFewRepeats,
    TwoCounts,
    OneCount,
}

/// The runs, and everything that was computed from them.
#[derive(Debug, Clone)]
pub(super) struct Findings {
    pub options: Options,
    pub table: Table,
    /// Mean log times of fixed work: of weak runs, the time over n.
    pub means: Means,
    pub status: Status,
    pub profile: Profile,
    pub fits: Vec<Fitted>,
    /// Best kept law, or the law insisted on.
    pub best: Option<usize>,
    pub curves: Option<Curves>,
    /// How the time of weak runs grows.
    pub weak: Option<Weak>,
    /// The best law on the scale of log times.
    pub relative: Option<Relative>,
}

/// How the best law and the mean log times differ, whatever was minimised.
#[derive(Debug, Clone)]
pub(super) struct Relative {
    pub sse: f64,
    pub noise: Option<Noise>,
    pub anchor: Option<Anchor>,
}

/// An analysis: its report, and what later questions need.
#[derive(Debug, Clone)]
pub struct Analysis {
    findings: Findings,
    report: Report,
}

/// Values at several counts: value, low, high of each count in turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Predictions {
    /// Times.
    pub time: Vec<f64>,
    /// Speedups against the fitted T(1).
    pub speedup: Vec<f64>,
    /// Efficiencies.
    pub efficiency: Vec<f64>,
}

/// Analyse runs: worker counts and times by row, with the round of each row where there are rounds
/// (negative: none).
///
/// # Errors
///
/// [`Error::Shape`] if the columns differ in length, [`Error::TooFew`] without rows, [`Error::Domain`]
/// for a value that is no count or time.
pub fn analyse(n: &[f64], time: &[f64], round: Option<&[i64]>, options: &Options) -> Result<Analysis> {
    for (name, got) in [("time", time.len()), ("round", round.map_or(n.len(), <[i64]>::len))] {
        if got != n.len() {
            return Err(Error::Shape { name, expected: format!("{} as n", n.len()), got });
        }
    }
    if n.is_empty() {
        return Err(Error::TooFew { what: "no runs".into(), needed: "at least one row is needed".into() });
    }
    positive("n", n, "a finite worker count above 0")?;
    positive("time", time, "a finite time above 0")?;
    options.check()?;
    let findings = Findings::new(n, time, round, options);
    let mut report = assembly::report(&findings);
    report.notes = notes::all(&findings, &report);
    Ok(Analysis { findings, report })
}

impl Findings {
    fn new(n: &[f64], time: &[f64], round: Option<&[i64]>, options: &Options) -> Self {
        // Weak runs do n times the work: time over n is the time of fixed work.
        let table = if options.kind == Kind::Weak {
            let fixed: Vec<f64> = time.iter().zip(n).map(|(t, n)| t / n).collect();
            Table::new(n, &fixed, round)
        } else {
            Table::new(n, time, round)
        };
        let means = table.means();
        let status = match means.n.len() {
            1 => Status::OneCount,
            2 => Status::TwoCounts,
            3 if means.df_pure > 0.0 => Status::ThreeCounts,
            3 => Status::TooFewRepeats,
            _ => Status::Full,
        };
        let profile = Profile::new(&table, &means, options.residuals);
        let curves =
            if status == Status::Full && options.kind != Kind::Unknown { Curves::fit(&means) } else { None };
        let weak =
            if options.kind == Kind::Weak { weak(&means, curves.as_ref(), options.level) } else { None };
        let mut findings = Self {
            options: options.clone(),
            table,
            means,
            status,
            profile,
            fits: Vec::new(),
            best: None,
            curves,
            weak,
            relative: None,
        };
        findings.fit_laws();
        findings.relative = findings.relative();
        findings
    }

    fn fit_laws(&mut self) {
        let Options { kind, law: insisted, bounded, level, .. } = self.options;
        let all = matches!(self.status, Status::Full | Status::ThreeCounts)
            && matches!(kind, Kind::Strong | Kind::Throughput);
        let fitted = |law: Law| all && (law != Law::Saturation || self.means.n.len() >= 4);
        let mut laws: Vec<Law> = LISTED.into_iter().filter(|law| fitted(*law)).collect();
        laws.extend(insisted.filter(|law| !laws.contains(law)));
        self.fits = laws.into_iter().map(|law| Fitted::new(&self.profile, law, bounded)).collect();
        for fit in &mut self.fits {
            fit.region = fit.region_at(&self.profile, level);
        }
        let best = self.keep();
        self.best = insisted.map_or(best, |law| self.fits.iter().position(|fit| fit.law == law));
    }

    /// Mark the laws that the data allow; the best of them.
    ///
    /// A law is dropped where its smallest misfit lies outside the region of the best one. Amdahl's law
    /// is the bound kappa = 0 of the universal law, and is judged by that one; where the best law sits
    /// at kappa = 0 it is Amdahl's.
    fn keep(&mut self) -> Option<usize> {
        if let [only] = self.fits.as_mut_slice() {
            only.kept = true;
            return Some(0);
        }
        let find = |law: Law| self.fits.iter().position(|fit| fit.law == law);
        let competing = (0..self.fits.len()).filter(|i| COMPETING.contains(&self.fits[*i].law));
        let best = competing.min_by(|i, k| self.fits[*i].sse.total_cmp(&self.fits[*k].sse))?;
        let limit = |fit: &Fitted| {
            fit.noise.map_or(f64::INFINITY, |noise| fit.sse + noise.variance * f_one(KEEP, noise.df))
        };
        let bar = limit(&self.fits[best]);
        let (amdahl, usl) = (find(Law::Amdahl), find(Law::Usl));
        let bar_amdahl =
            usl.map(|usl| limit(&self.fits[usl])).filter(|_| usl.is_some_and(|u| self.fits[u].sse <= bar));
        for fit in &mut self.fits {
            fit.kept = if fit.law == Law::Amdahl {
                bar_amdahl.is_some_and(|bar| fit.sse <= bar)
            } else {
                fit.sse <= bar
            };
        }
        let fit = &self.fits[best];
        let is_amdahl = matches!(fit.law, Law::Usl | Law::UslLog) && fit.point.b == 0.0;
        amdahl.filter(|_| is_amdahl).or(Some(best))
    }

    fn relative(&self) -> Option<Relative> {
        let fit = &self.fits[self.best?];
        let log = if self.profile.residuals == Residuals::Log {
            self.profile.clone()
        } else {
            Profile::new(&self.table, &self.means, Residuals::Log)
        };
        let surface = fit.surface(&log);
        let (a, b) = fit.coordinates();
        let sse = surface.along_a(a, b).sse;
        let noise = noise(sse, fit.df_misfit, log.ss_pure, log.df_pure, log.least_variance());
        let anchor = Anchor::new(&surface, (a, b), fit.time_one.ln(), fit.at_bound());
        Some(Relative { sse, noise, anchor })
    }

    pub(super) fn best(&self) -> Option<&Fitted> {
        self.best.map(|best| &self.fits[best])
    }

    /// The laws that stand: those kept, or the one insisted on.
    pub(super) fn standing(&self) -> Vec<&Fitted> {
        match self.options.law {
            Some(law) => self.fits.iter().filter(|fit| fit.law == law).collect(),
            None => self.fits.iter().filter(|fit| fit.kept).collect(),
        }
    }

    /// The laws whose regions make the answer. Amdahl's curves are those of the universal law with
    /// kappa = 0: that region holds them where the data allow them, and a second one of its own would
    /// count them twice.
    pub(super) fn allowed(&self) -> Vec<&Fitted> {
        let mut laws = self.standing();
        laws.retain(|fit| fit.law != Law::Amdahl || self.options.law.is_some());
        laws
    }

    /// `laws` with the table they were fitted on.
    pub(super) fn over<'f>(&'f self, laws: &'f [&'f Fitted]) -> Allowed<'f> {
        Allowed { profile: &self.profile, laws, best_measured: self.best_measured() }
    }

    /// Whether the regions of the laws forecast, rather than the weighted curves.
    pub(super) fn by_regions(&self) -> bool {
        self.best.is_some() && (self.options.law.is_some() || self.status != Status::Full)
    }

    pub(super) fn largest(&self) -> f64 {
        self.means.n[self.means.n.len() - 1]
    }

    /// The count that speedups and efficiencies stand against: one worker; of weak runs the smallest count.
    pub(super) fn base(&self) -> f64 {
        if self.options.kind == Kind::Weak { self.means.n[0] } else { 1.0 }
    }

    /// T(1) of fixed work, fitted; without a law the measured one. Of weak runs the time at the smallest count.
    pub(super) fn time_one(&self) -> Option<f64> {
        if let Some(weak) = &self.weak {
            return Some(weak.time_base);
        }
        match self.best() {
            Some(fit) => Some(fit.time_one),
            None if self.options.kind == Kind::Unknown => None,
            None => self.means.n.iter().position(|n| *n == 1.0).map(|one| self.means.y[one].exp()),
        }
    }

    /// Best speedup measured, at least 1.
    fn best_measured(&self) -> f64 {
        let least = self.means.y.iter().copied().fold(f64::INFINITY, f64::min);
        self.time_one().map_or(1.0, |one| (one / least.exp()).max(1.0))
    }

    /// How much the work grows at `n` workers: n for weak runs, 1 for all others.
    pub(super) fn work(&self, n: f64) -> f64 {
        if self.options.kind == Kind::Weak { n } else { 1.0 }
    }

    /// T(to) / T(from) at a level, of the curve; `None` where nothing can be said.
    pub(super) fn ratio_between(&self, from: f64, to: f64, level: f64) -> Option<Bounds3> {
        let work = self.work(to) / self.work(from);
        let ratio = match self.best() {
            Some(best) if self.by_regions() => {
                let allowed = self.allowed();
                let (low, high) = if level == self.options.level {
                    self.over(&allowed).time_ratio(from, to)
                } else {
                    let at_level: Vec<Fitted> =
                        allowed.iter().map(|fit| fit.at_level(&self.profile, level)).collect();
                    self.over(&at_level.iter().collect::<Vec<_>>()).time_ratio(from, to)
                };
                let mid = best.law.share(best.point, to) / best.law.share(best.point, from);
                // Without bounds the best curve may be faster than linear, where no region says so.
                Bounds3 { low: low.min(mid), mid, high }
            }
            _ => self.curves.as_ref()?.ratio_between(from, to, level),
        };
        Some(ratio.scaled(work))
    }

    /// Time and speedup at each of `targets`: the curve's interval, or the one of a value that somebody
    /// will measure. Without a forecast all is NaN.
    pub(super) fn outlook(&self, targets: &[f64], measured: bool) -> Vec<Outlook> {
        let level = self.options.level;
        if let Some(best) = self.best().filter(|_| self.by_regions()) {
            let allowed = self.allowed();
            let allowed = self.over(&allowed);
            let at = |n: &f64| {
                let outlook = Outlook::new(&allowed, best, *n);
                let outlook =
                    if measured { outlook.measured(best, &self.profile, *n, level) } else { outlook };
                Outlook { time: outlook.time.scaled(self.work(*n)), ..outlook }
            };
            return targets.iter().map(at).collect();
        }
        let Some(curves) = &self.curves else { return targets.iter().map(|_| Outlook::NOTHING).collect() };
        let top = self.means.y[self.means.y.len() - 1].exp();
        let at = |forecast: super::curves::Forecast| {
            let (ratio, speedup) = if measured {
                (forecast.measured_time_ratio, forecast.measured_speedup)
            } else {
                (forecast.time_ratio, forecast.speedup)
            };
            Outlook { time: ratio.scaled(top * self.work(forecast.n)), speedup }
        };
        curves.forecasts(targets, self.base(), level).into_iter().map(at).collect()
    }
}

impl Analysis {
    /// Everything that was found.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The curve at each of `n`: values and intervals.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] if a count is not finite or not above 0.
    pub fn predict(&self, n: &[f64]) -> Result<Predictions> {
        self.predictions(n, false)
    }

    /// What somebody will measure at each of `n`: values and intervals.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] if a count is not finite or not above 0.
    pub fn forecast(&self, n: &[f64]) -> Result<Predictions> {
        self.predictions(n, true)
    }

    fn predictions(&self, n: &[f64], measured: bool) -> Result<Predictions> {
        positive("n", n, "finite worker counts above 0")?;
        let mut all = Predictions::default();
        for (outlook, n) in self.findings.outlook(n, measured).into_iter().zip(n) {
            let Outlook { time, speedup } = outlook;
            all.time.extend([time.mid, time.low, time.high]);
            all.speedup.extend([speedup.mid, speedup.low, speedup.high]);
            all.efficiency.extend([speedup.mid / n, speedup.low / n, speedup.high / n]);
        }
        Ok(all)
    }

    /// T(to) / T(from) of the curve; `None` where nothing can be said.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] if a count is not finite or not above 0.
    pub fn time_ratio(&self, from: f64, to: f64) -> Result<Option<Bounds3>> {
        positive("from", &[from], "a finite worker count above 0")?;
        positive("to", &[to], "a finite worker count above 0")?;
        Ok(self.findings.ratio_between(from, to, self.findings.options.level))
    }

    /// Workers at which the efficiency has fallen to `efficiency`; `None` without a law.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] unless the efficiency lies between 0 and 1.
    pub fn knee(&self, efficiency: f64) -> Result<Option<(f64, f64)>> {
        let options = Options { efficiency, ..self.findings.options.clone() };
        options.check()?;
        let allowed = self.findings.allowed();
        Ok((!allowed.is_empty()).then(|| self.findings.over(&allowed).knee(efficiency)))
    }

    /// Fitted times of one law at each of `n`.
    ///
    /// # Errors
    ///
    /// [`Error::Choice`] if the law was not fitted, [`Error::Domain`] if a count is not above 0.
    pub fn law_time(&self, law: &str, n: &[f64]) -> Result<Vec<f64>> {
        positive("n", n, "finite worker counts above 0")?;
        let Some(fit) = self.findings.fits.iter().find(|fit| fit.law.name() == law) else {
            return Err(Error::Choice {
                name: "law",
                got: law.to_owned(),
                expected: "a law that was fitted",
            });
        };
        Ok(n.iter().map(|n| fit.time(*n) * self.findings.work(*n)).collect())
    }
}
