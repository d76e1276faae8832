//! Round effects: what all runs of one round have in common, such as a slow machine that morning.

use std::collections::BTreeSet;

/// Round labels, made dense.
#[derive(Debug)]
pub(super) enum Labels {
    /// No row carries one.
    Absent,
    /// They cannot be used: "incomplete" or "one round".
    Unusable(&'static str),
    /// The round of each row, counted from 0, and their number.
    Known { of_row: Vec<usize>, distinct: usize },
}

impl Labels {
    /// Labels of the rows, negative for none.
    pub(super) fn new(round: &[i64]) -> Self {
        let known: BTreeSet<i64> = round.iter().copied().filter(|r| *r >= 0).collect();
        if known.is_empty() {
            return Self::Absent;
        }
        if round.iter().any(|r| *r < 0) {
            return Self::Unusable("incomplete");
        }
        if known.len() == 1 {
            return Self::Unusable("one round");
        }
        let of_row = round.iter().map(|r| known.range(..r).count()).collect();
        Self::Known { of_row, distinct: known.len() }
    }
}

/// Round effects of the additive model `y = count + round` by least squares, with mean 0 over the runs.
///
/// The rounds are eliminated and the counts solved for; for complete rounds this is the mean of the
/// round minus the mean of all. `None` where counts and rounds fall into unconnected blocks: then
/// a slow round cannot be told from a slow count.
pub(super) fn round_effects(
    y: &[f64],
    count: &[usize],
    round: &[usize],
    used: &[bool],
    counts: usize,
    rounds: usize,
) -> Option<Vec<f64>> {
    let rows = || (0..y.len()).filter(|row| used[*row]);
    if !connected(rows().map(|row| (count[row], round[row])), counts, rounds) {
        return None;
    }
    let mut runs = vec![0.0; counts * rounds];
    let mut per_round = vec![0.0; rounds];
    let mut mean = vec![0.0; rounds];
    let mut rhs = vec![0.0; counts];
    for row in rows() {
        runs[count[row] * rounds + round[row]] += 1.0;
        per_round[round[row]] += 1.0;
        mean[round[row]] += y[row];
        rhs[count[row]] += y[row];
    }
    for (m, runs) in mean.iter_mut().zip(&per_round) {
        *m /= runs;
    }
    // Normal equations of the counts, made definite by adding 1 everywhere: count effects sum to 0.
    let mut matrix = vec![1.0; counts * counts];
    for i in 0..counts {
        let mine = &runs[i * rounds..(i + 1) * rounds];
        matrix[i * counts + i] += mine.iter().sum::<f64>();
        for j in 0..counts {
            let other = &runs[j * rounds..(j + 1) * rounds];
            let shared: f64 = mine.iter().zip(other).zip(&per_round).map(|((a, b), r)| a * b / r).sum();
            matrix[i * counts + j] -= shared;
        }
        rhs[i] -= mine.iter().zip(&mean).map(|(r, m)| r * m).sum::<f64>();
    }
    solve_definite(&mut matrix, &mut rhs);
    let mut effects: Vec<f64> = (0..rounds)
        .map(|k| mean[k] - (0..counts).map(|i| runs[i * rounds + k] * rhs[i]).sum::<f64>() / per_round[k])
        .collect();
    let total: f64 = per_round.iter().sum();
    let level = effects.iter().zip(&per_round).map(|(e, r)| e * r).sum::<f64>() / total;
    for effect in &mut effects {
        *effect -= level;
    }
    Some(effects)
}

/// Whether all counts and rounds are linked through runs they share.
fn connected(cells: impl Iterator<Item = (usize, usize)>, counts: usize, rounds: usize) -> bool {
    fn root(parent: &mut [usize], mut node: usize) -> usize {
        while parent[node] != node {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        node
    }
    let mut parent: Vec<usize> = (0..counts + rounds).collect();
    let mut blocks = counts + rounds;
    for (count, round) in cells {
        let (a, b) = (root(&mut parent, count), root(&mut parent, counts + round));
        if a != b {
            parent[a] = b;
            blocks -= 1;
        }
    }
    blocks == 1
}

/// Solve a symmetric positive definite system in place by Cholesky's method.
fn solve_definite(matrix: &mut [f64], rhs: &mut [f64]) {
    let size = rhs.len();
    for j in 0..size {
        for k in 0..j {
            let factor = matrix[j * size + k];
            for i in j..size {
                matrix[i * size + j] -= matrix[i * size + k] * factor;
            }
        }
        let pivot = matrix[j * size + j].max(f64::MIN_POSITIVE).sqrt();
        for i in j..size {
            matrix[i * size + j] /= pivot;
        }
    }
    for i in 0..size {
        let known: f64 = (0..i).map(|k| matrix[i * size + k] * rhs[k]).sum();
        rhs[i] = (rhs[i] - known) / matrix[i * size + i];
    }
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|k| matrix[k * size + i] * rhs[k]).sum();
        rhs[i] = (rhs[i] - known) / matrix[i * size + i];
    }
}

#[cfg(test)]
mod tests {
    use super::{Labels, connected, solve_definite};

    #[test]
    fn labels_are_counted_from_0_in_their_order() {
        let Labels::Known { of_row, distinct } = Labels::new(&[7, 3, 7, 100]) else { panic!("not known") };
        assert_eq!((of_row, distinct), (vec![1, 0, 1, 2], 3));
        assert!(matches!(Labels::new(&[-1, -1]), Labels::Absent));
        assert!(matches!(Labels::new(&[1, -1]), Labels::Unusable("incomplete")));
        assert!(matches!(Labels::new(&[4, 4]), Labels::Unusable("one round")));
    }

    #[test]
    fn a_chain_of_shared_runs_connects() {
        assert!(connected([(0, 0), (1, 0), (1, 1), (2, 1)].into_iter(), 3, 2));
        assert!(!connected([(0, 0), (1, 0), (2, 1)].into_iter(), 3, 2));
    }

    #[test]
    fn a_definite_system_is_solved() {
        let mut matrix = [4.0, 2.0, 0.0, 2.0, 5.0, 1.0, 0.0, 1.0, 3.0];
        let mut rhs = [8.0, 15.0, 11.0];
        solve_definite(&mut matrix, &mut rhs);
        for (found, exact) in rhs.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - exact).abs() < 1e-14);
        }
    }
}
