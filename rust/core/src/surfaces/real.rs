//! The two element types of a grid.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Sub};

use super::lanes::Lanes;

/// `f32` or `f64`, with the few operations that the kernels need.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + 'static
{
    /// 512 bits of elements.
    #[cfg(target_arch = "x86_64")]
    type Zmm: Lanes<Self>;
    /// 256 bits of elements.
    #[cfg(target_arch = "x86_64")]
    type Ymm: Lanes<Self>;
    /// Infinity.
    const INFINITY: Self;
    /// 1.
    const ONE: Self;
    /// 0.
    const ZERO: Self;
    /// Half an ulp of 1.
    const HALF_ULP: f64;
    /// Row constants in this range, or 0, keep every step of the exact division in the normal range.
    const DIVIDEND: (Self, Self);
    /// Worker counts up to this one do so as well.
    const DIVISOR_MAX: Self;
    /// Denominators in this range may be multiplied in pairs without leaving the normal range.
    const PAIR: (Self, Self);
    /// Rounds to the type.
    fn from_f64(value: f64) -> Self;
    /// Exact.
    fn to_f64(self) -> f64;
    /// `self * factor + term`, rounded once.
    #[must_use]
    fn fused(self, factor: Self, term: Self) -> Self;
    /// Correctly rounded square root.
    #[must_use]
    fn root(self) -> Self;
    /// The larger of the two; the other one where one is not a number.
    #[must_use]
    fn larger(self, other: Self) -> Self;
    /// The smaller of the two; the other one where one is not a number.
    #[must_use]
    fn smaller(self, other: Self) -> Self;
}

macro_rules! real {
    ($t:ident, $zmm:ident, $ymm:ident, $dividend:expr, $divisor:expr, $pair:expr, $half_ulp:expr) => {
        impl Real for $t {
            #[cfg(target_arch = "x86_64")]
            type Zmm = std::arch::x86_64::$zmm;
            #[cfg(target_arch = "x86_64")]
            type Ymm = std::arch::x86_64::$ymm;
            const INFINITY: Self = $t::INFINITY;
            const ONE: Self = 1.0;
            const ZERO: Self = 0.0;
            const HALF_ULP: f64 = $half_ulp;
            const DIVIDEND: (Self, Self) = $dividend;
            const DIVISOR_MAX: Self = $divisor;
            const PAIR: (Self, Self) = $pair;
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn fused(self, factor: Self, term: Self) -> Self {
                self.mul_add(factor, term)
            }
            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                if self < other { self } else { other }
            }
        }
    };
}

// Remainder and correction are 2^-53 (2^-24) and 2^-106 (2^-48) of the dividend over n: all normal.
real!(f64, __m512d, __m256d, (1e-100, 1e100), 1e100, (1e-140, 1e140), 1.110_223_024_625_156_5e-16);
real!(f32, __m512, __m256, (1e-10, 1e10), 1e12, (1e-16, 1e16), 5.960_464_477_539_063e-8);
