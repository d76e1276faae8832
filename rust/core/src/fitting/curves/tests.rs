//! What must hold whatever the numbers; the numbers themselves are tested against the readable
//! reference from Python.
#![allow(clippy::unwrap_used)] // a test may stop at what must not happen

use proptest::prelude::*;

use super::{Curves, Means};

fn means(n: &[f64], time: impl Fn(f64) -> f64) -> Means {
    Means {
        n: n.to_vec(),
        y: n.iter().map(|n| time(*n).ln()).collect(),
        runs: vec![1.0; n.len()],
        ss_pure: 0.0,
        df_pure: 0.0,
    }
}

fn amdahl(sigma: f64) -> impl Fn(f64) -> f64 {
    move |n| sigma + (1.0 - sigma) / n
}

const POWERS: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 16.0];

#[test]
fn three_counts_have_no_curves() {
    assert!(Curves::fit(&means(&[1.0, 2.0, 4.0], amdahl(0.1))).is_none());
}

#[test]
fn the_grid_has_the_size_of_the_specification() {
    let curves = Curves::fit(&means(&POWERS, amdahl(0.02))).unwrap();
    assert_eq!(curves.grid.len(), 4_861);
    let without_log = Curves::fit(&means(&[0.5, 1.0, 1.5, 2.0], amdahl(0.02))).unwrap();
    assert_eq!(without_log.grid.len(), 4_861 - 2_026);
}

#[test]
fn the_example_of_the_specification_has_its_numbers() {
    // As printed by the reference for Amdahl's law at 2 %, no repeats.
    let curves = Curves::fit(&means(&POWERS, amdahl(0.02))).unwrap();
    let ratio = curves.time_ratio(32.0, 0.95);
    let measured = curves.measured_time_ratio(32.0, 0.95);
    assert!((ratio.low - EXAMPLE[0]).abs() < 1e-6, "{ratio:?}");
    assert!((ratio.high - EXAMPLE[1]).abs() < 1e-6, "{ratio:?}");
    assert!((measured.low - EXAMPLE[2]).abs() < 1e-6, "{measured:?}");
    assert!((measured.high - EXAMPLE[3]).abs() < 1e-6, "{measured:?}");
}

const EXAMPLE: [f64; 4] = [0.523_223, 0.782_736, 0.476_319, 0.851_582];

#[test]
fn one_evaluation_says_the_same_as_each_question_alone() {
    let curves = Curves::fit(&means(&[3.0, 5.0, 9.0, 20.0, 31.0], amdahl(0.05))).unwrap();
    for n in [1.0, 4.0, 31.0, 62.0, 500.0] {
        let forecast = curves.forecasts(&[n], 1.0, 0.9)[0];
        assert_eq!(forecast.time_ratio, curves.time_ratio(n, 0.9));
        assert_eq!(forecast.measured_time_ratio, curves.measured_time_ratio(n, 0.9));
        assert_eq!(forecast.speedup, curves.speedup(n, 0.9));
        assert_eq!(forecast.measured_speedup, curves.measured_speedup(n, 0.9));
        assert_eq!([forecast.time_ratio, curves.time_ratio(n, 0.8)], curves.time_ratios(n, [0.9, 0.8]));
        assert_eq!(forecast.time_ratio, curves.ratio_between(31.0, n, 0.9));
    }
}

proptest! {
    #[test]
    fn intervals_are_ordered_nested_and_never_faster_than_linear(
        sigma in 0.0..0.5,
        kappa in 0.0..0.02,
        noise in prop::collection::vec(-0.1..0.1, 5),
        from in 0_usize..5,
        factor in 1.0..50.0,
    ) {
        let mut table = means(&POWERS, |n| sigma + (1.0 - sigma) / n + kappa * (n - 1.0));
        for (y, e) in table.y.iter_mut().zip(noise) {
            *y += e;
        }
        let curves = Curves::fit(&table).unwrap();
        let from = POWERS[from];
        let to = from * factor;
        let [wide, narrow] = [0.95, 0.8].map(|level| curves.ratio_between(from, to, level));
        prop_assert!(wide.low <= wide.mid && wide.mid <= wide.high);
        prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        prop_assert!(wide.low >= 1.0 / factor * (1.0 - 1e-12));
        let speedup = curves.speedup(to, 0.95);
        prop_assert!(speedup.high <= to * (1.0 + 1e-12));
        let measured = curves.measured_speedup(to, 0.95);
        prop_assert!(measured.low <= speedup.low && speedup.high <= measured.high);
    }

    /// Units of time do not matter.
    #[test]
    fn the_scale_of_the_time_drops_out(scale in -20.0..20.0) {
        let table = means(&POWERS, amdahl(0.03));
        let mut scaled = table.clone();
        for y in &mut scaled.y {
            *y += scale;
        }
        let (left, right) = (Curves::fit(&table).unwrap(), Curves::fit(&scaled).unwrap());
        let (left, right) = (left.time_ratio(64.0, 0.95), right.time_ratio(64.0, 0.95));
        prop_assert!((left.low - right.low).abs() < 1e-12 && (left.high - right.high).abs() < 1e-12);
    }
}
