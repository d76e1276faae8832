//! What to measure next, where the regions of the laws answer: for a law insisted on, and for three counts.
//!
//! Runs are put on each law in turn, every law is fitted again, and the log width of T(2n)/T(n) is set
//! against today's; the middle value is what is said. The variance of the noise stays as it is: runs
//! without scatter would make any program look quieter the more of them are added.

use super::fitted::Fitted;
use super::noise::Noise;
use super::profile::{Profile, Residuals};
use super::quantities::Allowed;
use super::report::Measurement;
use super::table::median;

/// The candidates within `cap`: twice the largest count once, the same three times, four times it three
/// times, three more runs at the largest count.
pub(super) fn measurements(allowed: &Allowed<'_>, cap: Option<f64>, level: f64) -> Vec<Measurement> {
    let top = allowed.profile.n[allowed.profile.n.len() - 1];
    let width = |(low, high): (f64, f64)| (high / low).ln();
    let today = width(allowed.time_ratio(top, 2.0 * top));
    if allowed.laws.iter().any(|fit| fit.noise.is_none()) || !(today > 0.0 && today.is_finite()) {
        return Vec::new();
    }
    [(2.0, 1), (2.0, 3), (4.0, 3), (1.0, 3)]
        .into_iter()
        .map(|(factor, repeats)| (factor * top, repeats))
        .filter(|(n, _)| *n == top || cap.is_none_or(|cap| *n <= cap))
        .map(|(n, repeats)| {
            let widths = allowed.laws.iter().map(|truth| {
                let profile = with_runs(allowed.profile, truth, n, repeats as f64);
                let again: Vec<Fitted> = allowed.laws.iter().map(|fit| refit(fit, &profile, level)).collect();
                let laws: Vec<&Fitted> = again.iter().collect();
                width(Allowed { profile: &profile, laws: &laws, ..*allowed }.time_ratio(top, 2.0 * top))
            });
            Measurement { n, repeats, shrinks_to: Some(median(widths.collect()) / today) }
        })
        .collect()
}

/// The table with runs at `n` that lie on the law `truth`.
fn with_runs(profile: &Profile, truth: &Fitted, n: f64, runs: f64) -> Profile {
    let mut more = profile.clone();
    let time = truth.time(n);
    let z = match profile.residuals {
        Residuals::Log => time.ln(),
        Residuals::Time => time,
        Residuals::Throughput => 1.0 / time,
    };
    let last = more.n.len() - 1;
    if more.n[last] == n {
        let weight = more.weight[last];
        more.z[last] = (weight * more.z[last] + runs * z) / (weight + runs);
        more.weight[last] += runs;
    } else {
        more.n.push(n);
        more.z.push(z);
        more.weight.push(runs);
    }
    more.total += runs;
    more.square = more.z.iter().zip(&more.weight).map(|(z, w)| w * z * z).sum();
    more
}

/// A law on another table, with the noise it had and the degrees of freedom it has gained.
fn refit(fit: &Fitted, profile: &Profile, level: f64) -> Fitted {
    let mut again = fit.on(profile);
    let gained = again.df_misfit - fit.df_misfit;
    again.noise = fit.noise.map(|noise| Noise { df: noise.df + gained, ..noise });
    again.region = again.region_at(profile, level);
    again
}
