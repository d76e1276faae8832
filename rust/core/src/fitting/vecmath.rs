//! Logarithm and exponential for long arrays, with the same bits on every machine.
//!
//! Both are branch-free sums and products of IEEE doubles in a fixed order and use no fused
//! multiply-add, so that the compiler turns a loop over a slice into vector instructions of any
//! width and no width changes a bit. The platform's `ln` and `exp` promise neither.
//!
//! Method: the classical argument reductions and polynomials (Cody and Waite, *Software Manual for
//! the Elementary Functions*, 1980; coefficients of the logarithm from Sun's `fdlibm`). Error: below
//! 1 ulp for both over the stated domains.

/// Adding this to |x| < 2^51 leaves round(x) in the low bits of the mantissa.
const ROUNDING: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
/// Bits of 1.0 minus bits of sqrt(1/2): moves the borders of the mantissa to sqrt(1/2) and sqrt(2).
const MANTISSA_SHIFT: u64 = 0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd;
/// 2^52 as bits: OR-ing a small integer into it makes the double 2^52 + that integer.
const TWO_52_BITS: u64 = 0x4330_0000_0000_0000;
/// 2^52 + 1023: takes the offset of [`TWO_52_BITS`] and the bias of the exponent away together.
const TWO_52_AND_BIAS: f64 = 4_503_599_627_371_519.0;
/// Bits of 1.0.
const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;

/// ln 2 in two pieces: the high one has 21 trailing zeros, so that k * `LN2_HIGH` is exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Below this the exponential is answered with 0: its value, 3e-308, is no weight any more.
pub(crate) const EXP_UNDERFLOW: f64 = -708.0;
/// Above this the exponential is answered with infinity.
const EXP_OVERFLOW: f64 = 709.0;

/// Natural logarithm of a positive, normal, finite number.
///
/// x = 2^k m with m in [sqrt(1/2), sqrt(2)), s = (m - 1)/(m + 1):
/// ln x = k ln 2 + ln m, ln m = 2 s + s R(s^2). Other arguments give a meaningless finite number.
#[allow(clippy::inline_always)] // a call in the loop body would keep it scalar
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    const L1: f64 = 6.666_666_666_666_735e-1;
    const L2: f64 = 3.999_999_999_940_942e-1;
    const L3: f64 = 2.857_142_874_366_239e-1;
    const L4: f64 = 2.222_219_843_214_978_4e-1;
    const L5: f64 = 1.818_357_216_161_805e-1;
    const L6: f64 = 1.531_383_769_920_937_3e-1;
    const L7: f64 = 1.479_819_860_511_658_6e-1;

    let shifted = x.to_bits().wrapping_add(MANTISSA_SHIFT);
    let exponent = shifted >> 52;
    let k = f64::from_bits(exponent | TWO_52_BITS) - TWO_52_AND_BIAS;
    let m = f64::from_bits(x.to_bits().wrapping_sub(exponent << 52).wrapping_add(ONE_BITS));

    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (L2 + w * (L4 + w * L6));
    let odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
    let half_square = 0.5 * f * f;
    k * LN2_HIGH - ((half_square - (s * (half_square + (even + odd)) + k * LN2_LOW)) - f)
}

/// Exponential; 0 below [`EXP_UNDERFLOW`], infinite above [`EXP_OVERFLOW`].
///
/// x = k ln 2 + r with |r| <= ln(2)/2: e^x = 2^k (1 + r + r^2 P(r)), P the Taylor polynomial up to
/// r^13, whose remainder is below 2^-57.
#[allow(clippy::inline_always)] // a call in the loop body would keep it scalar
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let raised = if x > EXP_UNDERFLOW { x } else { EXP_UNDERFLOW };
    let bounded = if raised < EXP_OVERFLOW { raised } else { EXP_OVERFLOW };
    let with_k = bounded * std::f64::consts::LOG2_E + ROUNDING;
    let k = with_k - ROUNDING;
    let high = bounded - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = high - low;
    let lost = (high - r) - low;

    // 1/2! + r/3! + ... + r^11/13!, paired so that the sum is short rather than nested.
    let r2 = r * r;
    let r4 = r2 * r2;
    let r8 = r4 * r4;
    let p0 = (1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
    let p4 = (1.0 / 720.0 + r * (1.0 / 5_040.0)) + r2 * (1.0 / 40_320.0 + r * (1.0 / 362_880.0));
    let p8 = (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0))
        + r2 * (1.0 / 479_001_600.0 + r * (1.0 / 6_227_020_800.0));
    let p = p0 + (r4 * p4 + r8 * p8);
    let e = 1.0 + (r + (r2 * p + lost));

    let scaled = f64::from_bits(e.to_bits().wrapping_add(with_k.to_bits() << 52));
    let finite = if x > EXP_UNDERFLOW { scaled } else { 0.0 };
    if x > EXP_OVERFLOW { f64::INFINITY } else { finite }
}

/// Define a function over slices that runs with the widest vectors the processor has.
///
/// The body is compiled for the baseline, for AVX2 and for AVX-512; all give the same bits, because the
/// compiler neither reorders nor fuses floating-point operations.
macro_rules! vectorised {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $(#[$doc])*
        $vis fn $name($($arg: $ty),*) {
            #[allow(clippy::inline_always)] // the body has to take on the features of its caller
            #[inline(always)]
            fn body($($arg: $ty),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
                fn body_avx512($($arg: $ty),*) {
                    body($($arg),*);
                }
                #[target_feature(enable = "avx2")]
                fn body_avx2($($arg: $ty),*) {
                    body($($arg),*);
                }
                use std::arch::is_x86_feature_detected as has;
                if has!("avx512f") && has!("avx512dq") && has!("avx512vl") {
                    // SAFETY: this processor was just found to have all that `body_avx512` needs.
                    #[allow(unsafe_code)]
                    unsafe {
                        body_avx512($($arg),*);
                    }
                    return;
                }
                if has!("avx2") {
                    // SAFETY: this processor was just found to have all that `body_avx2` needs.
                    #[allow(unsafe_code)]
                    unsafe {
                        body_avx2($($arg),*);
                    }
                    return;
                }
            }
            body($($arg),*);
        }
    };
}
pub(crate) use vectorised;

#[cfg(test)]
mod tests;
