//! Powers in plain arithmetic: the same bits on every machine, and they vectorise.

use std::f64::consts::LN_2;

use super::log2::log2_in_two;

/// x^exponent for a normal positive x, within two units in the last place for moderate exponents;
/// infinite beyond the largest number, 0 below the smallest normal one.
///
/// The logarithm is carried in two pieces and multiplied exactly, so that the digits that a large
/// exponent needs are there. Exact where the logarithm times the exponent is whole.
#[inline(always)]
pub(super) fn power(x: f64, exponent: f64) -> f64 {
    // 2⁵² + 2⁵¹: adding it leaves the nearest whole number in the low bits.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let (high, low) = log2_in_two(x);
    let (main, rest) = product(high, exponent);
    let rest = rest + low * exponent;

    // Within this range the scaling below makes normal numbers; NaN from infinite products ends at 0.
    let within = (main > -1022.0) & (main < 1023.5);
    let bounded = if within { main } else { 0.0 };
    let shifted = bounded + SHIFT;
    let t = ((bounded - (shifted - SHIFT)) + rest) * LN_2;

    // e^t for |t| <= ln(2)/2 by its Taylor polynomial: the remainder is below 2⁻⁵⁷.
    let t2 = t * t;
    let t4 = t2 * t2;
    let p0 = (1.0 / 2.0 + t * (1.0 / 6.0)) + t2 * (1.0 / 24.0 + t * (1.0 / 120.0));
    let p4 = (1.0 / 720.0 + t * (1.0 / 5_040.0)) + t2 * (1.0 / 40_320.0 + t * (1.0 / 362_880.0));
    let p8 = (1.0 / 3_628_800.0 + t * (1.0 / 39_916_800.0))
        + t2 * (1.0 / 479_001_600.0 + t * (1.0 / 6_227_020_800.0));
    let e = 1.0 + (t + t2 * (p0 + (t4 * p4 + (t4 * t4) * p8)));
    let scaled = f64::from_bits(e.to_bits().wrapping_add(shifted.to_bits() << 52));

    let outside = if main > 0.0 { f64::INFINITY } else { 0.0 };
    if within { scaled } else { outside }
}

/// a·b as the rounded product and what rounding took (T. J. Dekker, Numer. Math. 18, 1971).
#[inline(always)]
fn product(a: f64, b: f64) -> (f64, f64) {
    const UPPER: u64 = 0xffff_ffff_f800_0000;
    let main = a * b;
    let (a1, b1) = (f64::from_bits(a.to_bits() & UPPER), f64::from_bits(b.to_bits() & UPPER));
    let (a2, b2) = (a - a1, b - b1);
    (main, ((a1 * b1 - main) + a1 * b2 + a2 * b1) + a2 * b2)
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
