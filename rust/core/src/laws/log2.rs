//! The binary logarithm in plain arithmetic: the same bits on every machine, and it vectorises.

/// log2 of a normal positive number, within one unit in the last place; exact at powers of two.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    log2_in_two(x).0
}

/// log2 of a normal positive number, and what rounding took from it to within 2⁻⁵⁵.
///
/// The mantissa is brought to [√½, √2), where log2 m = 2 atanh(s)/ln 2 with s = (m - 1)/(m + 1).
/// With f = m - 1, 2 atanh(s) = f - f²/2 + s (f²/2 + R) and R = 2s²/3 + 2s⁴/5 + ..., here the
/// polynomial that stays within 2⁻⁶¹ of it: the leading part f - f²/2 is carried in two pieces and
/// 1/ln 2 as a sum of two numbers, so that adding the exponent loses nothing. No fused operations
/// and no branches: one order of rounding everywhere.
#[inline(always)]
pub(super) fn log2_in_two(x: f64) -> (f64, f64) {
    // √½ rounded down to its upper 32 bits: subtracting it moves the mantissa cut from 1 to √½.
    const CUT: u64 = 0x3fe6_a09e_0000_0000;
    const MANTISSA: u64 = (1 << 52) - 1;
    // 2⁵² + 2⁵¹ as a number: adding an integer to its bits writes the integer as a float.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    const UPPER: u64 = 0xffff_ffff_0000_0000;
    // 1/ln 2 to 31 bits, and the rest.
    const INV_LN2: f64 = f64::from_bits(std::f64::consts::LOG2_E.to_bits() & UPPER);
    // 1/ln 2 = 1.44269504088896340735992468100189213742664595415298593413544940693...
    const INV_LN2_REST: f64 = (std::f64::consts::LOG2_E - INV_LN2) + 2.035_527_374_093_103_2e-17;
    // The least maximal error of s·R for |s| <= 0.17158, in powers of s².
    const R: [f64; 7] = [
        0.666_666_666_666_681,
        0.399_999_999_990_195_4,
        0.285_714_288_176_128_7,
        0.222_221_917_182_546_98,
        0.181_838_881_373_990_37,
        0.153_063_991_113_095_08,
        0.148_674_828_780_377_23,
    ];

    let bits = x.to_bits();
    let moved = bits.wrapping_sub(CUT);
    // An arithmetic shift as a logical one of a biased value: 64-bit arithmetic shifts do not vectorise.
    let exponent = (moved.wrapping_add(1 << 63) >> 52).wrapping_sub(1 << 11);
    let m = f64::from_bits((moved & MANTISSA).wrapping_add(CUT));
    let e = f64::from_bits(SHIFT.to_bits().wrapping_add(exponent)) - SHIFT;

    let f = m - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = z * (R[0] + w * (R[2] + w * (R[4] + w * R[6])));
    let even = w * (R[1] + w * (R[3] + w * R[5]));
    let tail = s * (half_square + (odd + even));
    let high = f64::from_bits((f - half_square).to_bits() & UPPER);
    let low = ((f - high) - half_square) + tail;

    let main = high * INV_LN2;
    let sum = e + main;
    let rest = (e - sum) + main;
    let rest = rest + ((low + high) * INV_LN2_REST + low * INV_LN2);
    let log = sum + rest;
    (log, (sum - log) + rest)
}

#[cfg(test)]
mod tests {
    use super::log2;
    use proptest::prelude::*;

    #[test]
    fn powers_of_two_are_exact() {
        for exponent in -1022..=1023 {
            assert_eq!(log2(f64::powi(2.0, exponent)), f64::from(exponent));
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_system_to_two_units(bits in 0x0010_0000_0000_0000u64..0x7ff0_0000_0000_0000) {
            let x = f64::from_bits(bits);
            let expected = x.log2();
            prop_assert!((log2(x) - expected).abs() <= 2.0 * f64::EPSILON * expected.abs());
        }

        #[test]
        fn keeps_its_digits_next_to_one(exponent in -52.0..-1.0f64, below in any::<bool>()) {
            let distance = exponent.exp2();
            let x = if below { 1.0 - distance } else { 1.0 + distance };
            let expected = (x - 1.0).ln_1p() / std::f64::consts::LN_2;
            prop_assert!((log2(x) - expected).abs() <= 3.0 * f64::EPSILON * expected.abs());
        }
    }
}
