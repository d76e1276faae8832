//! What to measure next: how much of the uncertainty about doubling further runs would leave.
//!
//! Further runs are put on each kept law in turn, the curves are weighed again, and the log width of the
//! interval of T(2n)/T(n), n the largest count so far, is set against today's; the middle over the laws
//! is what is said. The added runs lie on the law in the mean and scatter as the runs so far do: the
//! degrees of freedom of the pure error grow and its variance stays. (Runs without scatter would make
//! any program look quieter the more of them are added.) Where nothing was repeated so far, nothing is
//! known of that scatter, and the pure error stays without degrees of freedom.

use super::buffer::Buffer;
use super::grid::Grid;
use super::moments::Moments;
use super::quantile::weighted_quantiles;
use super::weights::{Likelihood, Repeats, minimum, recency};
use super::{Curves, Margin, log_width, subtract, tails, time_span};
use crate::fitting::means::Means;
use crate::fitting::report::Measurement;

/// A measurement is recommended at once where it leaves no more than this share of the uncertainty.
const SETTLES: f64 = 0.5;

/// The candidates within `cap`, in the order in which they are offered: twice the largest count once,
/// the same three times, four times it three times, three more runs at the largest count.
///
/// `laws` holds, for each kept law, its log time at once, twice and four times the largest count. Without
/// laws there is nothing to put runs on and the answer is empty.
pub fn measurements(
    curves: &Curves,
    means: &Means,
    laws: &[[f64; 3]],
    cap: Option<f64>,
    level: f64,
) -> Vec<Measurement> {
    let top = curves.grid.top();
    let today = log_width(curves.time_ratio(2.0 * top, level));
    let places: [(usize, f64, &[usize]); 3] = [(1, 2.0, &[1, 3]), (2, 4.0, &[3]), (0, 1.0, &[3])];
    let mut found = Vec::new();
    for (place, factor, repeats) in places {
        let n = top * factor;
        if n > top && cap.is_some_and(|cap| n > cap) {
            continue;
        }
        let Some(trial) = Trial::new(curves, means, n) else { continue };
        let values: Vec<f64> = laws.iter().map(|law| law[place]).collect();
        let widths = trial.widths(means, &values, repeats, level);
        for (repeats, widths) in repeats.iter().zip(widths) {
            if let Some(width) = middle(widths) {
                found.push(Measurement { n, repeats: *repeats, shrinks_to: Some(width / today) });
            }
        }
    }
    found
}

/// The first that leaves half of the uncertainty or less, otherwise the one that leaves least.
pub fn recommended(measurements: &[Measurement]) -> Option<Measurement> {
    let left = |measurement: &Measurement| measurement.shrinks_to.unwrap_or(f64::INFINITY);
    let settles = measurements.iter().find(|measurement| left(measurement) <= SETTLES);
    settles.or_else(|| measurements.iter().min_by(|one, other| left(one).total_cmp(&left(other)))).copied()
}

/// The curves once runs at the count `n` are added, which then is the largest.
struct Trial {
    n: f64,
    /// Largest count so far, and the runs there.
    top: f64,
    grid: Grid,
    /// All counts but `n`.
    others: Moments,
    /// log T(2 top)/T(top) of every curve.
    logs: Buffer,
}

impl Trial {
    fn new(curves: &Curves, means: &Means, n: f64) -> Option<Self> {
        let top = curves.grid.top();
        if n == top {
            let grid = curves.grid.clone();
            let mut logs = Buffer::zeroed(grid.len());
            grid.column(2.0 * top, &mut logs);
            return Some(Self { n, top, grid, others: curves.below_top.clone(), logs });
        }
        let counts: Vec<f64> = means.n.iter().copied().chain([n]).collect();
        let grid = Grid::new(&counts)?;
        let mut column = Buffer::zeroed(grid.len());
        let mut others = Moments::new(grid.len());
        for (count, y) in means.n.iter().zip(&means.y) {
            grid.column(*count, &mut column);
            others.add(recency(*count, n), *y, &column);
        }
        let mut logs = Buffer::zeroed(grid.len());
        grid.column(2.0 * top, &mut logs);
        // The last column is that of the largest count so far.
        subtract(&mut logs, &column);
        Some(Self { n, top, grid, others, logs })
    }

    /// Mean log time at `n` with runs at the log time `law` added, and what the repeats then say.
    fn with(&self, means: &Means, law: f64, added: f64) -> (f64, Repeats) {
        let Repeats { ss_pure, df_pure, mean_runs } = Repeats::of(means);
        let runs = mean_runs * means.n.len() as f64 + added;
        let (y, counts, free) = match (means.y.last(), means.runs.last()) {
            (Some(y), Some(runs)) if self.n == self.top => {
                ((y * runs + law * added) / (runs + added), means.n.len(), added)
            }
            _ => (law, means.n.len() + 1, added - 1.0),
        };
        let growth = if df_pure > 0.0 { 1.0 + free / df_pure } else { 0.0 };
        let repeats =
            Repeats { ss_pure: ss_pure * growth, df_pure: df_pure * growth, mean_runs: runs / counts as f64 };
        (y, repeats)
    }

    /// Log widths after each number of added runs, one for each law.
    fn widths(&self, means: &Means, laws: &[f64], repeats: &[usize], level: f64) -> Vec<Vec<f64>> {
        let (margin, span) = (Margin::curve(level), time_span(self.n, self.top, 2.0 * self.top));
        let n_eff = self.others.weight + 1.0;
        let mut squares = Buffer::zeroed(self.grid.len());
        let mut weights = Buffer::zeroed(self.grid.len());
        let mut widths = vec![Vec::with_capacity(laws.len()); repeats.len()];
        for law in laws {
            let mut last = None;
            for (added, widths) in repeats.iter().zip(&mut widths) {
                let (y, repeats) = self.with(means, *law, *added as f64);
                self.others.squares_with_top(y, &mut squares);
                let least = minimum(&squares);
                let likelihood = Likelihood::new(least, n_eff, repeats);
                let width = match last {
                    // Not pooled, so that the number of runs does not matter.
                    Some((before, width)) if before == likelihood => width,
                    _ => {
                        likelihood.weigh(self.grid.prior(), least, &squares, &mut weights);
                        let quantiles = weighted_quantiles(&self.logs, &weights, tails(level));
                        log_width(margin.bounds(quantiles, span))
                    }
                };
                last = Some((likelihood, width));
                widths.push(width);
            }
        }
        widths
    }
}

/// Median: the middle value, or the mean of the two in the middle.
fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = values.get(half)?;
    Some(if values.len() % 2 == 1 { *upper } else { 0.5 * (values[half - 1] + upper) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop at what must not happen
mod tests {
    use super::{Curves, Means, Measurement, measurements, middle, recommended};

    fn left(shares: &[f64]) -> Vec<Measurement> {
        let measurement = |share: &f64| Measurement { n: 8.0, repeats: 1, shrinks_to: Some(*share) };
        shares.iter().map(measurement).collect()
    }

    #[test]
    fn the_first_that_halves_the_uncertainty_is_recommended() {
        let choice = |shares: &[f64]| recommended(&left(shares)).and_then(|m| m.shrinks_to);
        assert_eq!(choice(&[0.9, 0.45, 0.3, 0.95]), Some(0.45));
        assert_eq!(choice(&[0.5, 0.1]), Some(0.5));
        assert_eq!(choice(&[0.9, 0.8, 0.6, 0.95]), Some(0.6));
        assert_eq!(choice(&[]), None);
    }

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(middle(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(middle(vec![4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(middle(Vec::new()), None);
    }

    #[test]
    fn a_run_beyond_the_data_says_more_than_runs_within() {
        let law = |n: f64| (0.05 + 0.95 / n).ln();
        let n: Vec<f64> = vec![1.0, 2.0, 4.0, 8.0, 16.0];
        let y: Vec<f64> = n.iter().map(|n| law(*n) + 0.01 * (3.0 * n).sin()).collect();
        let means = Means { n, y, runs: vec![2.0; 5], ss_pure: 0.001, df_pure: 5.0 };
        let curves = Curves::fit(&means).unwrap();
        let found = measurements(&curves, &means, &[[law(16.0), law(32.0), law(64.0)]], None, 0.95);
        let shares: Vec<f64> = found.iter().filter_map(|m| m.shrinks_to).collect();
        let [once, three_times, further, again] = shares[..] else { panic!("{found:?}") };
        assert!(three_times <= once && once < again && further < again, "{shares:?}");
        assert!(again < 1.0, "{shares:?}");
    }
}
