//! Weighted quantiles without sorting.

/// Buckets over the range of the values; only those that hold a wanted quantile are sorted.
const BUCKETS: usize = 512;
/// Adding 2^52 to a small number leaves it, rounded, in the low bits: the bucket, monotone in the value.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// Lanes of running extremes.
const LANES: usize = 8;

/// The first value, in ascending order, at which the cumulative weight reaches each of the levels.
///
/// The weights sum to one; levels are ascending. `values` and `weights` have the same length, which is
/// at least one, and all are finite. One pass puts the weights into buckets of value, a second collects
/// the few buckets that hold a wanted quantile, and those are sorted.
pub(super) fn weighted_quantiles<const L: usize>(
    values: &[f64],
    weights: &[f64],
    levels: [f64; L],
) -> [f64; L] {
    let (low, high) = extent(values);
    let scale = (BUCKETS - 1) as f64 / (high - low);
    if !scale.is_finite() {
        return [low; L];
    }
    let bucket_of = |value: f64| ((value - low) * scale + TWO_52).to_bits() as usize & (BUCKETS - 1);

    // Two sums a bucket, taken in turn: neighbours that fall together need not wait for each other.
    let mut masses = [[0.0; BUCKETS]; 2];
    let (values_2, values_rest) = values.as_chunks::<2>();
    let (weights_2, weights_rest) = weights.as_chunks::<2>();
    for (values, weights) in values_2.iter().zip(weights_2) {
        masses[0][bucket_of(values[0])] += weights[0];
        masses[1][bucket_of(values[1])] += weights[1];
    }
    for (value, weight) in values_rest.iter().zip(weights_rest) {
        masses[0][bucket_of(*value)] += weight;
    }
    let mass = |bucket: usize| masses[0][bucket] + masses[1][bucket];

    // For each level the bucket it falls into and the weight below that bucket.
    let mut places = [(BUCKETS - 1, 0.0); L];
    let (mut next, mut below) = (0, 0.0);
    for bucket in 0..BUCKETS {
        while next < L && below + mass(bucket) >= levels[next] {
            places[next] = (bucket, below);
            next += 1;
        }
        below += mass(bucket);
    }
    let mut wanted = [false; BUCKETS];
    for (bucket, _) in places {
        wanted[bucket] = true;
    }
    let mut members: Vec<(f64, f64)> = Vec::with_capacity(256);
    for (value, weight) in values.iter().zip(weights) {
        if wanted[bucket_of(*value)] {
            members.push((*value, *weight));
        }
    }
    members.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));

    let mut quantiles = [high; L];
    for ((quantile, (bucket, below)), level) in quantiles.iter_mut().zip(places).zip(levels) {
        let mut reached = below;
        for (value, weight) in members.iter().filter(|(value, _)| bucket_of(*value) == bucket) {
            reached += weight;
            // Also right where rounding keeps the sum just under the level: the last of the bucket.
            *quantile = *value;
            if reached >= level {
                break;
            }
        }
    }
    quantiles
}

/// Least and largest value; exact, whatever the order.
fn extent(values: &[f64]) -> (f64, f64) {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let (mut lows, mut highs) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for chunk in chunks {
        for lane in 0..LANES {
            lows[lane] = if chunk[lane] < lows[lane] { chunk[lane] } else { lows[lane] };
            highs[lane] = if chunk[lane] > highs[lane] { chunk[lane] } else { highs[lane] };
        }
    }
    let low = lows.iter().chain(rest).fold(f64::INFINITY, |low, value| low.min(*value));
    let high = highs.iter().chain(rest).fold(f64::NEG_INFINITY, |high, value| high.max(*value));
    (low, high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::weighted_quantiles;

    /// The definition, by sorting.
    fn by_sorting(values: &[f64], weights: &[f64], level: f64) -> f64 {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|i, j| values[*i].total_cmp(&values[*j]));
        let mut reached = 0.0;
        for i in &order {
            reached += weights[*i];
            if reached >= level {
                return values[*i];
            }
        }
        values[order[order.len() - 1]]
    }

    proptest! {
        #[test]
        fn agrees_with_sorting(
            pairs in prop::collection::vec((-3_i32..3, 0.0..1.0, 0.0..1.0), 1..200),
            stretch in 0_i32..3,
        ) {
            // Integers make ties; an outlier puts nearly all values into one bucket.
            let mut values: Vec<f64> =
                pairs.iter().map(|(i, x, _)| f64::from(*i) + if stretch > 0 { *x } else { 0.0 }).collect();
            if stretch > 1 {
                values[0] = 1e6;
            }
            // Multiples of 2^-40 add without rounding, so that the order of summation cannot matter.
            let grain = 2.0_f64.powi(-40);
            let rounded = |w: f64| (w / 200.0 / grain).round() * grain;
            let weights: Vec<f64> = pairs.iter().map(|(_, _, w)| rounded(*w)).collect();
            let levels = [0.025, 0.1, 0.5, 0.975];
            let got = weighted_quantiles(&values, &weights, levels);
            for (got, level) in got.iter().zip(levels) {
                prop_assert_eq!(*got, by_sorting(&values, &weights, level));
            }
        }
    }

    #[test]
    fn equal_values_have_one_quantile() {
        assert_eq!(weighted_quantiles(&[2.0, 2.0, 2.0], &[0.2, 0.3, 0.5], [0.025, 0.5]), [2.0, 2.0]);
    }

    #[test]
    fn a_level_that_no_sum_reaches_gives_the_largest_value() {
        assert_eq!(weighted_quantiles(&[3.0, 1.0, 2.0], &[0.2, 0.3, 0.4], [0.5, 0.95]), [2.0, 3.0]);
    }
}
