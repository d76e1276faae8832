//! From rows to means: group the runs by worker count, take round effects out, set outlying runs aside.

use super::means::Means;
use super::rounds::{Labels, round_effects};

/// Half-normal medians of the deviations from a median of `r` runs, the structural zero left out.
const MEDIAN_DEVIATION: [f64; 10] = [0.69, 0.485, 0.686, 0.527, 0.681, 0.564, 0.68, 0.589, 0.679, 0.603];
/// The limit of [`MEDIAN_DEVIATION`] for many runs: the third quartile of the normal distribution.
const MEDIAN_DEVIATION_LIMIT: f64 = 0.6745;
/// Robust standard deviations from the median beyond which a run is set aside.
const OUTLIER: f64 = 3.5;
/// Runs that agree to better than this (in log time) are not measurably different.
const LEAST_SCATTER: f64 = 1e-6;

/// A run that is left out of the fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outlier {
    /// Row of the input.
    pub row: usize,
    /// Signed distance from the median of its count, in robust standard deviations.
    pub deviation: f64,
    /// Whether it is the first run of its count in input order.
    pub first: bool,
}

/// What became of the round labels.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rounds {
    /// No row carries a round.
    Absent,
    /// The effects were taken out: the number of rounds and the spread (sd) of their effects.
    Removed { rounds: usize, spread: f64 },
    /// They could not be taken out: "incomplete", "one round" or "blocked".
    Kept(&'static str),
}

/// The runs of one table, sorted into worker counts.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Distinct worker counts, ascending.
    pub n: Vec<f64>,
    /// Index into `n` of each row.
    pub count: Vec<usize>,
    /// Log time of each row, round effects taken out.
    pub y: Vec<f64>,
    /// Whether each row enters the fit.
    pub used: Vec<bool>,
    /// Runs set aside, in row order.
    pub outliers: Vec<Outlier>,
    /// What became of the rounds.
    pub rounds: Rounds,
}

impl Table {
    /// Sort rows into counts, remove round effects and set outliers aside.
    ///
    /// A round effect is estimated without the runs set aside, and an outlier is judged after the
    /// round effects: so the worst run leaves first and the effects are estimated again. Without
    /// rounds one pass decides all.
    pub(super) fn new(n: &[f64], time: &[f64], round: Option<&[i64]>) -> Self {
        let mut distinct = n.to_vec();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let count: Vec<usize> = n.iter().map(|v| distinct.partition_point(|d| d < v)).collect();
        let raw: Vec<f64> = time.iter().map(|t| t.ln()).collect();
        let labels = round.map_or(Labels::Absent, Labels::new);

        let mut table = Self {
            y: raw.clone(),
            used: vec![true; raw.len()],
            n: distinct,
            count,
            outliers: Vec::new(),
            rounds: Rounds::Absent,
        };
        table.remove_round_effects(&raw, &labels);
        loop {
            let found = outlying(&table.y, &table.count, table.n.len());
            let news = found.iter().filter(|(row, _)| table.used[*row]);
            let Some(&(worst, _)) = news.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) else { break };
            let all_at_once = !matches!(table.rounds, Rounds::Removed { .. });
            for &(row, deviation) in found.iter().filter(|f| all_at_once || f.0 == worst) {
                table.used[row] = false;
                let first = table.count.iter().position(|c| *c == table.count[row]) == Some(row);
                table.outliers.push(Outlier { row, deviation, first });
            }
            if all_at_once {
                break;
            }
            table.remove_round_effects(&raw, &labels);
        }
        table.outliers.sort_by_key(|o| o.row);
        table
    }

    fn remove_round_effects(&mut self, raw: &[f64], labels: &Labels) {
        let Labels::Known { of_row, distinct } = labels else {
            if let Labels::Unusable(reason) = labels {
                self.rounds = Rounds::Kept(reason);
            }
            return;
        };
        match round_effects(raw, &self.count, of_row, &self.used, self.n.len(), *distinct) {
            None => {
                self.y.copy_from_slice(raw);
                self.rounds = Rounds::Kept("blocked");
            }
            Some(effects) => {
                for (row, y) in self.y.iter_mut().enumerate() {
                    *y = raw[row] - effects[of_row[row]];
                }
                let ss: f64 = effects.iter().map(|e| e * e).sum();
                let spread = (ss / (*distinct as f64 - 1.0)).sqrt();
                self.rounds = Rounds::Removed { rounds: *distinct, spread };
            }
        }
    }

    /// Degrees of freedom that the round effects cost.
    fn round_parameters(&self) -> f64 {
        if let Rounds::Removed { rounds, .. } = self.rounds { rounds as f64 - 1.0 } else { 0.0 }
    }

    /// Mean log times and the pure error of the repeats.
    pub(super) fn means(&self) -> Means {
        let mut runs = vec![0.0; self.n.len()];
        for row in self.used_rows() {
            runs[self.count[row]] += 1.0;
        }
        let (y, ss_pure) = self.average(|row| self.y[row]);
        let free = runs.iter().sum::<f64>() - self.n.len() as f64 - self.round_parameters();
        Means { n: self.n.clone(), y, runs, ss_pure, df_pure: free.max(0.0) }
    }

    /// Mean of a value of the rows over the used runs of each count, and the squares within counts.
    pub(super) fn average(&self, value: impl Fn(usize) -> f64) -> (Vec<f64>, f64) {
        let mut mean = vec![0.0; self.n.len()];
        let mut runs = vec![0.0; self.n.len()];
        for row in self.used_rows() {
            mean[self.count[row]] += value(row);
            runs[self.count[row]] += 1.0;
        }
        for (m, r) in mean.iter_mut().zip(&runs) {
            *m /= r;
        }
        let within = self.used_rows().map(|row| (value(row) - mean[self.count[row]]).powi(2)).sum();
        (mean, within)
    }

    /// Rows that enter the fit.
    pub(super) fn used_rows(&self) -> impl Iterator<Item = usize> {
        self.used.iter().enumerate().filter_map(|(row, used)| used.then_some(row))
    }
}

/// Runs more than [`OUTLIER`] robust standard deviations from the median of their count, with the
/// deviation; never more than `(r - 1) / 2` of `r` runs. Counts with under three runs cannot show one.
fn outlying(y: &[f64], count: &[usize], counts: usize) -> Vec<(usize, f64)> {
    let mut groups = vec![Vec::new(); counts];
    for (row, c) in count.iter().enumerate() {
        groups[*c].push(row);
    }
    groups.retain(|rows| rows.len() >= 3);
    let mut pool = Vec::new();
    let mut deviations: Vec<Vec<(usize, f64)>> = Vec::new();
    for rows in &groups {
        let centre = median(rows.iter().map(|row| y[*row]).collect());
        let about: Vec<(usize, f64)> = rows.iter().map(|row| (*row, y[*row] - centre)).collect();
        let mut sizes: Vec<f64> = about.iter().map(|(_, d)| d.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let typical = MEDIAN_DEVIATION.get(rows.len() - 3).unwrap_or(&MEDIAN_DEVIATION_LIMIT);
        // The median of an odd number of runs is one of them: its zero says nothing.
        pool.extend(sizes.iter().skip(rows.len() % 2).map(|d| d / typical));
        deviations.push(about);
    }
    if pool.len() < 3 {
        return Vec::new();
    }
    let scale = median(pool).max(LEAST_SCATTER);
    let mut found = Vec::new();
    for mut about in deviations {
        let most = (about.len() - 1) / 2;
        about.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let far = about.iter().take(most).filter(|(_, d)| d.abs() > OUTLIER * scale);
        found.extend(far.map(|(row, d)| (*row, d / scale)));
    }
    found
}

/// The middle value, or the mean of the two middle values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { f64::midpoint(values[half - 1], values[half]) }
}

#[cfg(test)]
mod tests {
    use super::{Rounds, Table, median};

    /// Three complete rounds over four counts, with effects 0, 0.1 and -0.2 and some scatter.
    fn rounds() -> (Vec<f64>, Vec<f64>, Vec<i64>) {
        let effects = [0.0, 0.1, -0.2];
        let scatter = [0.01, -0.02, 0.005, 0.0, -0.01, 0.02, 0.015, -0.005, 0.0, 0.01, -0.015, 0.003];
        let mut rows = (Vec::new(), Vec::new(), Vec::new());
        for (i, noise) in scatter.iter().enumerate() {
            let (round, n) = (i / 4, [1.0, 2.0, 4.0, 8.0][i % 4]);
            rows.0.push(n);
            rows.1.push((effects[round] + noise - f64::ln(n)).exp());
            rows.2.push([0, 1, 2][round]);
        }
        rows
    }

    #[test]
    fn complete_rounds_lose_their_mean() {
        let (n, time, round) = rounds();
        let table = Table::new(&n, &time, Some(&round));
        let y: Vec<f64> = time.iter().map(|t| t.ln()).collect();
        let all = y.iter().sum::<f64>() / 12.0;
        for row in 0..12 {
            let of_round = y[row / 4 * 4..row / 4 * 4 + 4].iter().sum::<f64>() / 4.0;
            assert!((table.y[row] - (y[row] - of_round + all)).abs() < 1e-14);
        }
        assert!(matches!(table.rounds, Rounds::Removed { rounds: 3, .. }));
        // (m - 1) (r - 1)
        assert_eq!(table.means().df_pure, 6.0);
    }

    #[test]
    fn unequal_rounds_are_solved_by_least_squares() {
        let (n, time, round) = rounds();
        let some: Vec<usize> = vec![0, 1, 2, 4, 5, 7, 9, 10, 11];
        let pick = |v: &[f64]| some.iter().map(|i| v[*i]).collect::<Vec<_>>();
        let of_row: Vec<i64> = some.iter().map(|i| round[*i]).collect();
        let table = Table::new(&pick(&n), &pick(&time), Some(&of_row));
        // At the minimum the residuals sum to zero over every count and over every round.
        let means = table.means();
        let residual = |row: usize| table.y[row] - means.y[table.count[row]];
        for k in 0..3 {
            let sum: f64 = (0..9).filter(|row| of_row[*row] == k).map(residual).sum();
            assert!(sum.abs() < 1e-14, "{sum}");
        }
        assert_eq!(means.df_pure, 9.0 - 4.0 - 2.0);
    }

    #[test]
    fn rounds_that_share_no_count_cannot_be_told_from_counts() {
        let table = Table::new(&[1.0, 1.0, 2.0, 2.0], &[1.0, 1.1, 0.6, 0.5], Some(&[0, 0, 1, 1]));
        assert_eq!(table.rounds, Rounds::Kept("blocked"));
        assert_eq!(table.means().df_pure, 2.0);
        let table = Table::new(&[1.0, 2.0], &[1.0, 0.6], Some(&[0, -1]));
        assert_eq!(table.rounds, Rounds::Kept("incomplete"));
    }

    #[test]
    fn a_slow_first_run_is_set_aside_and_the_others_stay() {
        let n = [1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
        let time = [1.8, 1.0, 1.01, 0.99, 1.005, 0.5, 0.505, 0.497, 0.503, 0.499];
        let table = Table::new(&n, &time, None);
        let rows: Vec<(usize, bool)> = table.outliers.iter().map(|o| (o.row, o.first)).collect();
        assert_eq!(rows, [(0, true)]);
        assert_eq!(table.means().runs, [4.0, 5.0]);
    }

    #[test]
    fn an_outlier_does_not_drag_its_round_along() {
        let (n, mut time, round) = rounds();
        time[5] *= 1.9;
        let table = Table::new(&n, &time, Some(&round));
        let rows: Vec<usize> = table.outliers.iter().map(|o| o.row).collect();
        assert_eq!(rows, [5]);
    }

    #[test]
    fn at_most_the_smaller_half_of_a_count_is_set_aside() {
        let n = [1.0; 6].into_iter().chain([2.0; 3]).collect::<Vec<_>>();
        let time = [1.0, 1.001, 0.999, 5.0, 6.0, 7.0, 0.5, 0.5005, 0.4995];
        assert!(Table::new(&n, &time, None).outliers.len() <= 2);
    }

    #[test]
    fn medians_of_even_and_odd_numbers() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0, 10.0]), 2.5);
    }
}
