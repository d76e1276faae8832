//! Quantiles and histograms: values by rank, and cells between edges, from counts alone.

use super::levels::AtLeast;
use super::{Asking, Side, asked::Asked};
use crate::error::{Error, Result};
use crate::surfaces::law::Grid;
use crate::surfaces::real::Real;

/// Quantiles of every row, one row after the other; or of the whole grid.
///
/// Between two cells by a straight line, from the nearer one, as `NumPy` does. NaN without cells.
///
/// # Errors
/// As for [`extremes`](super::extremes()); [`Error::Domain`] for a quantile outside 0 to 1.
pub fn quantiles<T: Real>(
    grid: &Grid<'_, T>,
    q: &[f64],
    overall: bool,
    asking: Asking<'_>,
) -> Result<Vec<f64>> {
    if let Some(index) = q.iter().position(|q| !(0.0..=1.0).contains(q)) {
        let allowed = "a quantile from 0 to 1";
        return Err(Error::Domain { name: "q", index: Some(index), value: q[index], allowed });
    }
    let asked = Asked::new(grid, asking)?;
    let answers = if overall { 1 } else { grid.rows() };
    let cells = if overall { grid.rows() * grid.n.len() } else { grid.n.len() };
    if cells == 0 || answers == 0 {
        return Ok(vec![f64::NAN; answers * q.len()]);
    }
    let bounds = bounds(&asked, overall)?;
    let mut found = std::collections::BTreeMap::new();
    let mut values = vec![f64::NAN; answers * q.len()];
    for (k, &share) in q.iter().enumerate() {
        let place = (cells - 1) as f64 * share;
        let below = place.floor() as usize;
        let above = (below + 1).min(cells - 1);
        for rank in [below, above] {
            if let std::collections::btree_map::Entry::Vacant(entry) = found.entry(rank) {
                entry.insert(ranked(&asked, (cells - rank) as u64, &bounds, overall)?);
            }
        }
        for (answer, (&low, &high)) in found[&below].iter().zip(&found[&above]).enumerate() {
            values[answer * q.len() + k] = between(low, high, place - below as f64);
        }
    }
    Ok(values)
}

fn between<T: Real>(low: T, high: T, part: f64) -> f64 {
    let (low, high) = (low.to_f64(), high.to_f64());
    let step = high - low;
    // From the nearer end, so that the line meets both ends exactly.
    if part >= 0.5 { high - step * (1.0 - part) } else { low + step * part }
}

/// Smallest and largest value of every row, or of the grid, as keys.
fn bounds<T: Real>(asked: &Asked<'_, T>, overall: bool) -> Result<Vec<(i64, i64)>> {
    let (least, most) = (asked.extremes(Side::Min)?, asked.extremes(Side::Max)?);
    let pairs =
        least.iter().flatten().zip(most.iter().flatten()).map(|(a, b)| (a.value.key(), b.value.key()));
    Ok(if overall {
        pairs.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).into_iter().collect()
    } else {
        pairs.collect()
    })
}

/// The largest values that at least `wanted` cells reach, by halving the floats between two values.
fn ranked<T: Real>(
    asked: &Asked<'_, T>,
    wanted: u64,
    bounds: &[(i64, i64)],
    overall: bool,
) -> Result<Vec<T>> {
    let mut bounds = bounds.to_vec();
    while bounds.iter().any(|(low, high)| low < high) {
        // Upper halves, without overflow: the keys may lie on both sides of zero.
        let middle: Vec<i64> = bounds.iter().map(|&(a, b)| (a | b) - ((a ^ b) >> 1)).collect();
        let levels: Vec<T> = middle.iter().map(|&key| T::from_key(key)).collect();
        let counts = asked.at_least(&levels)?;
        let total = |counts: &[AtLeast]| counts.iter().map(|row| row.count).sum::<u64>();
        for (index, ((low, high), &middle)) in bounds.iter_mut().zip(&middle).enumerate() {
            let count = if overall { total(&counts) } else { counts[index].count };
            if count >= wanted {
                *low = middle;
            } else if *low < *high {
                *high = middle - 1;
            }
        }
    }
    Ok(bounds.iter().map(|&(low, _)| T::from_key(low)).collect())
}

/// Cells of every row between ascending edges, one row after the other; or of the whole grid.
///
/// # Errors
/// As for [`extremes`](super::extremes()); [`Error::Shape`] for fewer than two edges,
/// [`Error::Domain`] for one that is not above the last.
pub fn histogram<T: Real>(
    grid: &Grid<'_, T>,
    edges: &[T],
    overall: bool,
    asking: Asking<'_>,
) -> Result<Vec<i64>> {
    let Some(bins) = edges.len().checked_sub(1).filter(|&bins| bins > 0) else {
        let expected = "at least two edges".to_owned();
        return Err(Error::Shape { name: "bins", expected, got: edges.len() });
    };
    if let Some(index) =
        edges.windows(2).position(|pair| pair[0].partial_cmp(&pair[1]) != Some(std::cmp::Ordering::Less))
    {
        let allowed = "edges in ascending order";
        let value = edges[index + 1].to_f64();
        return Err(Error::Domain { name: "bins", index: Some(index + 1), value, allowed });
    }
    let asked = Asked::new(grid, asking)?;
    let mut count = vec![0; if overall { bins } else { bins * grid.rows() }];
    for (k, &edge) in edges.iter().enumerate() {
        // The last bin holds its upper edge.
        let level = if k == bins { T::from_key((edge + T::ZERO).key() + 1) } else { edge };
        for (row, cells) in asked.at_least(&[level])?.iter().enumerate() {
            let (at, above) =
                (if overall { 0 } else { row * bins }, i64::try_from(cells.count).unwrap_or(i64::MAX));
            if k < bins {
                count[at + k] += above;
            }
            if k > 0 {
                count[at + k - 1] -= above;
            }
        }
    }
    Ok(count)
}
