//! The same loop at the width of the machine's vectors.
//!
//! A wider vector does more elements at once and nothing else: Rust never fuses a multiplication
//! with an addition, so that every width gives the same bits.

// One call in this file goes to a function that needs instructions found at run time.
#![allow(unsafe_code)]

use super::formula::{Formula, Law, Operand};

/// Elements below which asking for the width costs more than it gives.
#[cfg(target_arch = "x86_64")]
const NARROW: usize = 32;

/// [`Law::run`] with the widest vectors there are.
#[inline]
pub(super) fn run<F: Formula<K>, const K: usize>(
    law: &Law<F, K>,
    operands: &[Operand<'_>; K],
    out: &mut [f64],
) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if out.len() >= NARROW {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the two features that the function asks for were just found.
            return unsafe { run_avx512(law, operands, out) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature that the function asks for was just found.
            return unsafe { run_avx2(law, operands, out) };
        }
    }
    law.run(operands, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn run_avx512<F: Formula<K>, const K: usize>(
    law: &Law<F, K>,
    operands: &[Operand<'_>; K],
    out: &mut [f64],
) -> u64 {
    law.run(operands, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<F: Formula<K>, const K: usize>(
    law: &Law<F, K>,
    operands: &[Operand<'_>; K],
    out: &mut [f64],
) -> u64 {
    law.run(operands, out)
}

#[cfg(test)]
mod tests {
    use super::{Formula, Law, Operand, run};
    use crate::laws::{amdahl, hill_marty, sun_ni, usl, usl_inverse, usl_log};
    use proptest::prelude::*;

    /// The bits of the plain loop and of the widest one.
    fn both<F: Formula<K>, const K: usize>(
        formula: F,
        operands: &[Operand<'_>; K],
        len: usize,
    ) -> [Vec<u64>; 2] {
        let law = Law::new(formula);
        let (mut plain, mut wide) = (vec![0.0; len], vec![0.0; len]);
        assert_eq!(law.run(operands, &mut plain), run(&law, operands, &mut wide));
        [plain, wide].map(|values| values.into_iter().map(f64::to_bits).collect())
    }

    proptest! {
        #[test]
        fn every_width_gives_the_same_bits(
            n in prop::collection::vec(prop_oneof![1.0..1e3f64, 1.0..1e18f64], 1..400),
            sigma in 0.0..1.0f64,
            kappa in 1e-9..0.1f64,
        ) {
            let (many, a, b) = (Operand::Many(&n), Operand::One(sigma), Operand::One(kappa));
            let shares: Vec<f64> = n.iter().map(|n| 1.0 / n).collect();
            let len = n.len();
            for [plain, wide] in [
                both(amdahl::Speedup, &[many, a], len),
                both(amdahl::Speedup, &[many, Operand::Many(&shares)], len),
                both(amdahl::WorkersForSpeedup, &[many, b], len),
                both(sun_ni::Speedup, &[many, a, many], len),
                both(sun_ni::PowerSpeedup, &[many, a, Operand::One(1.3)], len),
                both(usl::Slope, &[many, a, b], len),
                both(usl_inverse::RisingWorkers, &[many, a, b], len),
                both(usl_log::Speedup, &[many, a, b], len),
                both(usl_log::Efficiency, &[many, Operand::Many(&shares), b], len),
                both(hill_marty::Asymmetric, &[many, Operand::One(1.0), a], len),
            ] {
                prop_assert_eq!(plain, wide);
            }
        }
    }
}
