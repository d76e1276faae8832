//! Work and span: what any greedy scheduler guarantees, and what none can beat.
//!
//! max(T1/n, Tinf) <= T(n) <= T1/n + Tinf (1 - 1/n), with T1 the work and Tinf the span (the
//! longest chain). R. L. Graham, SIAM J. Appl. Math. 17, 1969; R. P. Brent, J. ACM 21, 1974.

use super::Argument;
use super::formula::{formula, only_if};

/// No schedule is faster: max(work/n, span).
#[inline]
pub fn lower(n: f64, work: f64, span: f64) -> f64 {
    (work / n).max(span)
}

/// No greedy schedule is slower: (work - span)/n + span; NaN where the span exceeds the work.
#[inline]
pub fn upper(n: f64, work: f64, span: f64) -> f64 {
    (work - span) / n + span
}

/// d upper/dn = -(work - span)/n².
#[inline]
pub fn slope(n: f64, work: f64, span: f64) -> f64 {
    -(work - span) / n / n
}

/// The ceiling of any speedup, the parallelism: work/span.
#[inline]
pub fn ceiling(work: f64, span: f64) -> f64 {
    work / span
}

/// Workers with which every greedy schedule keeps a time: (work - span)/(time - span).
#[inline]
pub fn workers_for_time(time: f64, work: f64, span: f64) -> f64 {
    let n = (work - span) / (time - span);
    let n = only_if((span <= work) & (time > span) & (n > 0.0), n);
    if (time == work) & (span < work) { 1.0 } else { n }
}

#[inline]
fn checked_lower(n: f64, work: f64, span: f64) -> f64 {
    only_if(span <= work, lower(n, work, span))
}

#[inline]
fn checked_upper(n: f64, work: f64, span: f64) -> f64 {
    only_if(span <= work, upper(n, work, span))
}

#[inline]
fn checked_slope(n: f64, work: f64, span: f64) -> f64 {
    only_if(span <= work, slope(n, work, span))
}

#[inline]
fn checked_ceiling(work: f64, span: f64) -> f64 {
    only_if(span <= work, ceiling(work, span))
}

const LONG_SPAN: &str = "a time of at most the work: the span is a part of it";

fn span_exceeds_work(_: &[f64]) -> (usize, &'static str) {
    (2, LONG_SPAN)
}

fn span_exceeds_work_of_two(_: &[f64]) -> (usize, &'static str) {
    (1, LONG_SPAN)
}

fn no_such_time(arguments: &[f64]) -> (usize, &'static str) {
    if arguments[2] > arguments[1] {
        (2, LONG_SPAN)
    } else {
        (0, "a time above the span, which no number of workers can beat")
    }
}

const WORK: Argument = Argument::positive("work");
const SPAN: Argument = Argument::nonnegative("span");

formula! {
    /// [`lower`] with its domains.
    Lower = checked_lower; Argument::WORKERS, WORK, SPAN; refuse span_exceeds_work
}
formula! {
    /// [`upper`] with its domains.
    Upper = checked_upper; Argument::WORKERS, WORK, SPAN; refuse span_exceeds_work
}
formula! {
    /// [`slope`] with its domains.
    Slope = checked_slope; Argument::WORKERS, WORK, SPAN; refuse span_exceeds_work
}
formula! {
    /// [`ceiling`] with its domains.
    Ceiling = checked_ceiling; WORK, SPAN; refuse span_exceeds_work_of_two
}
formula! {
    /// [`workers_for_time`] with its domains.
    WorkersForTime = workers_for_time; Argument::positive("time"), WORK, SPAN; refuse no_such_time
}
