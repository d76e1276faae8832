//! What is asked of an analysis.

use super::family::Law;
use super::profile::Residuals;
use crate::error::{Error, Result};

/// What the runs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Fixed work, more workers: the time should fall.
    Strong,
    /// Work grows with the workers: the time should stay.
    Weak,
    /// A load curve: rates are compared, retrograde or not.
    Throughput,
    /// Nobody said: only what needs no reading is stated.
    Unknown,
}

impl Kind {
    /// The kind of a name.
    ///
    /// # Errors
    ///
    /// [`Error::Choice`] if the name is none of the four.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "strong" => Ok(Self::Strong),
            "weak" => Ok(Self::Weak),
            "throughput" => Ok(Self::Throughput),
            "unknown" => Ok(Self::Unknown),
            _ => Err(choice("kind", name, "\"strong\", \"weak\", \"throughput\" or \"unknown\"")),
        }
    }
}

/// How intervals of parameters are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// From the region of the sum of squares; the default.
    Region,
    /// Estimate and standard error, as other tools do.
    Wald,
}

/// What is asked of an analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What the runs are.
    pub kind: Kind,
    /// The one law insisted on.
    pub law: Option<Law>,
    /// What is minimised.
    pub residuals: Residuals,
    /// How intervals of parameters are made.
    pub interval: Interval,
    /// Whether parameters stay within their physical bounds.
    pub bounded: bool,
    /// Confidence level.
    pub level: f64,
    /// Saving of speed that makes doubling worthwhile: 0.1 asks for 10 % faster.
    pub gain: f64,
    /// Largest count that could be measured; `None` asks for any.
    pub cap: Option<f64>,
    /// Efficiency of the knee.
    pub efficiency: f64,
    /// Counts to forecast; empty asks for twice the largest.
    pub targets: Vec<f64>,
    /// Read times that do not fall as fixed work.
    pub confirm: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: Kind::Strong,
            law: None,
            residuals: Residuals::Log,
            interval: Interval::Region,
            bounded: true,
            level: 0.95,
            gain: 0.1,
            cap: None,
            efficiency: 0.5,
            targets: Vec::new(),
            confirm: false,
        }
    }
}

impl Options {
    /// Set the law, the residuals and the interval by name.
    ///
    /// # Errors
    ///
    /// [`Error::Choice`] for a name that is none of those allowed.
    pub fn named(mut self, law: Option<&str>, residuals: &str, interval: &str) -> Result<Self> {
        const LAWS: &str =
            "\"amdahl\", \"usl\", \"usl_log\", \"power\", \"saturation\" or \"usl_log_schwartz\"";
        self.law = match law {
            None => None,
            Some(name) => Some(Law::parse(name).ok_or_else(|| choice("law", name, LAWS))?),
        };
        self.residuals = Residuals::parse(residuals)
            .ok_or_else(|| choice("residuals", residuals, "\"log\", \"time\" or \"throughput\""))?;
        self.interval = match interval {
            "region" => Interval::Region,
            "wald" => Interval::Wald,
            _ => return Err(choice("interval", interval, "\"region\" or \"wald\"")),
        };
        Ok(self)
    }

    /// Check every number.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] naming the option, its value and what is allowed.
    pub(super) fn check(&self) -> Result<()> {
        let open = |name, value: f64| {
            let inside = value > 0.0 && value < 1.0;
            if inside {
                Ok(())
            } else {
                Err(domain(name, None, value, "a number between 0 and 1, both excluded"))
            }
        };
        open("level", self.level)?;
        open("efficiency", self.efficiency)?;
        if self.gain <= 0.0 || !self.gain.is_finite() {
            return Err(domain("gain", None, self.gain, "a number above 0 (0.1 asks for 10 % faster)"));
        }
        if let Some(cap) = self.cap.filter(|cap| cap.is_nan() || *cap <= 0.0) {
            return Err(domain("cap", None, cap, "a worker count above 0"));
        }
        positive("targets", &self.targets, "finite worker counts above 0")
    }
}

/// Check that every value is finite and above 0.
pub(super) fn positive(name: &'static str, values: &[f64], allowed: &'static str) -> Result<()> {
    match values.iter().position(|v| !(*v > 0.0 && v.is_finite())) {
        Some(index) => Err(domain(name, Some(index), values[index], allowed)),
        None => Ok(()),
    }
}

fn domain(name: &'static str, index: Option<usize>, value: f64, allowed: &'static str) -> Error {
    Error::Domain { name, index, value, allowed }
}

fn choice(name: &'static str, got: &str, expected: &'static str) -> Error {
    Error::Choice { name, got: got.to_owned(), expected }
}
