//! Powers in plain arithmetic: the same bits on every machine, and they vectorise.

use std::f64::consts::LN_2;

use super::log2::log2_in_two;

/// x^exponent for a normal positive x, within two units in the last place for moderate exponents;
/// infinite beyond the largest number, 0 below the smallest normal one.
///
/// The logarithm is carried in two pieces, the first so short that its product with the upper half
/// of the exponent is exact: the digits that a large exponent needs are there. Exact where the
/// logarithm times the exponent is whole.
#[inline(always)]
pub(super) fn power(x: f64, exponent: f64) -> f64 {
    // 2⁵² + 2⁵¹: adding it leaves the nearest whole number in the low bits.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    // (e^t - 1 - t)/t² with the least maximal error of e^t for |t| <= ln(2)/2: below 2⁻⁵⁸.
    const E: [f64; 10] = [
        0.500_000_000_000_001_3,
        0.166_666_666_666_667,
        0.041_666_666_666_515_51,
        0.008_333_333_333_307_184,
        0.001_388_888_894_699_150_5,
        0.000_198_412_699_074_521_87,
        0.000_024_801_489_968_652_348,
        0.000_002_755_721_622_075_037,
        2.763_127_058_168_395e-7,
        2.511_789_136_890_667e-8,
    ];
    let (log, rest) = log2_in_two(x);
    let (high, upper) = (short(log), short(exponent));
    let main = high * upper;
    let rest = high * (exponent - upper) + ((log - high) + rest) * exponent;

    // Within this range the scaling below makes normal numbers; NaN from infinite products ends at 0.
    let within = (main > -1022.0) & (main < 1023.5);
    let bounded = if within { main } else { 0.0 };
    let shifted = bounded + SHIFT;
    let t = ((bounded - (shifted - SHIFT)) + rest) * LN_2;

    let t2 = t * t;
    let t4 = t2 * t2;
    let p0 = (E[0] + t * E[1]) + t2 * (E[2] + t * E[3]);
    let p4 = (E[4] + t * E[5]) + t2 * (E[6] + t * E[7]);
    let p8 = E[8] + t * E[9];
    let e = 1.0 + (t + t2 * (p0 + t4 * (p4 + t4 * p8)));
    let scaled = f64::from_bits(e.to_bits().wrapping_add(shifted.to_bits() << 52));

    let outside = if main > 0.0 { f64::INFINITY } else { 0.0 };
    if within { scaled } else { outside }
}

/// The leading 26 bits: two such numbers have an exact product.
#[inline(always)]
fn short(a: f64) -> f64 {
    const UPPER: u64 = 0xffff_ffff_f800_0000;
    f64::from_bits(a.to_bits() & UPPER)
}

#[cfg(test)]
mod tests {
    use super::power;
    use proptest::prelude::*;

    #[test]
    fn whole_logarithms_are_exact() {
        assert_eq!(power(1.0, 1e300), 1.0);
        assert_eq!(power(64.0, 1.5), 512.0);
        assert_eq!(power(1e300, 0.0), 1.0);
        assert_eq!(power(2.0, -1021.0), f64::powi(2.0, -1021));
    }

    #[test]
    fn what_is_too_large_or_too_small_has_a_limit() {
        assert_eq!(power(1e18, 20.0), f64::INFINITY);
        assert_eq!(power(2.0, f64::MAX), f64::INFINITY);
        assert_eq!(power(f64::MAX, f64::MAX), f64::INFINITY);
        assert_eq!(power(0.5, f64::MAX), 0.0);
        assert_eq!(power(f64::MIN_POSITIVE, 2.0), 0.0);
    }

    proptest! {
        #[test]
        fn agrees_with_the_system(x in prop_oneof![0.01..1e3f64, 1.0..1e18f64], exponent in 0.0..3.0f64) {
            let expected = x.powf(exponent);
            prop_assert!((power(x, exponent) - expected).abs() <= 3.0 * f64::EPSILON * expected);
        }

        #[test]
        fn large_exponents_lose_little(x in 1.0..1e3f64, exponent in 3.0..100.0f64) {
            let expected = x.powf(exponent);
            prop_assert!((power(x, exponent) - expected).abs() <= (3.0 + 0.1 * exponent) * f64::EPSILON * expected);
        }
    }
}
