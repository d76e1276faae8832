#![allow(clippy::unwrap_used)] // a test that meets the wrong variant should panic

use super::{BLOCK, Error, Gathered, Law, Operand, gather};
use crate::laws::{amdahl, usl, usl_inverse};
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_path_has_the_bits_of_the_scalar(
        n in prop::collection::vec(1.0..1e6f64, 1..3 * BLOCK),
        sigma in 0.0..1.0f64,
        kappa in 0.0..0.1f64,
    ) {
        let law = Law::new(usl::Speedup);
        let expected: Vec<f64> = n.iter().map(|&n| usl::speedup(n, sigma, kappa)).collect();
        let mut out = vec![0.0; n.len()];
        law.evaluate_into([Operand::Many(&n), Operand::One(sigma), Operand::One(kappa)], &mut out)?;
        prop_assert_eq!(&out, &expected);
        let sigmas = vec![sigma; n.len()];
        law.evaluate_into([Operand::Many(&n), Operand::Many(&sigmas), Operand::One(kappa)], &mut out)?;
        prop_assert_eq!(&out, &expected);
    }

    #[test]
    fn the_parallel_fraction_is_the_complement(p in 0.0..=1.0f64, n in 1.0..1e9f64) {
        let law = Law::new(amdahl::Speedup).parallel(true);
        prop_assert_eq!(law.evaluate([n, p])?, amdahl::speedup(n, 1.0 - p));
        let mut out = [0.0; 2];
        law.evaluate_into([Operand::One(n), Operand::Many(&[p, 1.0])], &mut out)?;
        prop_assert_eq!(out, [amdahl::speedup(n, 1.0 - p), n]);
    }
}

fn message(error: &Error) -> String {
    error.to_string()
}

#[test]
fn errors_name_the_argument_that_the_caller_used() {
    let law = Law::new(amdahl::Speedup).parallel(true);
    let error = law.evaluate([4.0, 1.5]).unwrap_err();
    assert_eq!(message(&error), "p is 1.5: expected a parallel fraction from 0 to 1");
    let error = law.evaluate([f64::NAN, 0.5]).unwrap_err();
    assert_eq!(message(&error), "n is NaN: expected a finite worker count of at least 1");
}

#[test]
fn an_impossible_pair_names_its_place() {
    let law = Law::new(usl_inverse::FallingWorkers);
    let kappa = [0.1, 0.0];
    let mut out = [0.0; 2];
    let operands = [Operand::One(1.5), Operand::One(0.1), Operand::Many(&kappa)];
    let error = law.evaluate_into(operands, &mut out).unwrap_err();
    assert!(message(&error).starts_with("kappa[1] is 0.0: expected a number above 0"), "{error}");
}

#[test]
fn slices_of_two_lengths_are_refused() {
    let law = Law::new(amdahl::Speedup);
    let mut out = [0.0; 2];
    let error = law.evaluate_into([Operand::Many(&[1.0; 3]), Operand::One(0.1)], &mut out).unwrap_err();
    assert_eq!(message(&error), "n has length 3: expected 2, the length of the result");
    assert!(gather([Some(Operand::Many(&[1.0; 3])), Some(Operand::Many(&[0.1; 2]))]).is_none());
    assert!(matches!(
        gather([Some(Operand::One(1.0)), Some(Operand::Many(&[0.1; 2]))]),
        Some(Gathered::Slices(_, 2))
    ));
}

#[test]
fn a_fractional_load_needs_leave() -> crate::Result<()> {
    let law = Law::new(amdahl::Speedup);
    assert!(law.evaluate([0.5, 0.1]).is_err());
    assert!(law.min_n(0.2)?.evaluate([0.5, 0.1])? < 1.0);
    assert!(law.min_n(f64::NAN).is_err());
    Ok(())
}
