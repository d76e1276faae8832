//! Vectors by name, for the loops that the compiler does not turn into vectors by itself.
#![allow(unsafe_code)] // Processor instructions; the callers are compiled for the level that has them.
#![allow(clippy::inline_always)] // Inlined into the function that carries the processor level.

/// A few doubles that are added and multiplied together.
///
/// # Safety
/// The methods may only be called in code that runs where the processor has the instructions.
pub(super) unsafe trait Vector: Copy {
    /// Number of doubles.
    const LANES: usize;
    /// All lanes zero.
    unsafe fn zero() -> Self;
    /// The first lanes of a slice that is long enough.
    unsafe fn load(from: &[f64]) -> Self;
    /// Write the lanes to the front of a slice that is long enough.
    unsafe fn store(self, to: &mut [f64]);
    /// Sum.
    unsafe fn add(self, other: Self) -> Self;
    /// Difference.
    unsafe fn sub(self, other: Self) -> Self;
    /// Product.
    unsafe fn mul(self, other: Self) -> Self;
    /// `self * other - third`, rounded once.
    unsafe fn mul_sub(self, other: Self, third: Self) -> Self;
}

/// Two doubles without any instruction in particular.
#[derive(Clone, Copy)]
pub(super) struct Plain([f64; 2]);

// SAFETY: plain arithmetic needs no particular processor.
unsafe impl Vector for Plain {
    const LANES: usize = 2;
    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([0.0; 2])
    }
    #[inline(always)]
    unsafe fn load(from: &[f64]) -> Self {
        Self([from[0], from[1]])
    }
    #[inline(always)]
    unsafe fn store(self, to: &mut [f64]) {
        to[..2].copy_from_slice(&self.0);
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1]])
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        Self([self.0[0] * other.0[0], self.0[1] * other.0[1]])
    }
    #[inline(always)]
    unsafe fn mul_sub(self, other: Self, third: Self) -> Self {
        Self([self.0[0].mul_add(other.0[0], -third.0[0]), self.0[1].mul_add(other.0[1], -third.0[1])])
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! vector {
    ($name:ident, $lanes:literal, $zero:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident, $fmsub:ident) => {
        // SAFETY: the trait passes the duty to have the instructions on to its callers.
        unsafe impl Vector for std::arch::x86_64::$name {
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller has the instructions.
                unsafe { std::arch::x86_64::$zero() }
            }
            #[inline(always)]
            unsafe fn load(from: &[f64]) -> Self {
                // SAFETY: the caller has the instructions; the slice is long enough, any alignment will do.
                unsafe { std::arch::x86_64::$load(from[..$lanes].as_ptr()) }
            }
            #[inline(always)]
            unsafe fn store(self, to: &mut [f64]) {
                // SAFETY: the caller has the instructions; the slice is long enough, any alignment will do.
                unsafe { std::arch::x86_64::$store(to[..$lanes].as_mut_ptr(), self) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: the caller has the instructions.
                unsafe { std::arch::x86_64::$add(self, other) }
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                // SAFETY: the caller has the instructions.
                unsafe { std::arch::x86_64::$sub(self, other) }
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                // SAFETY: the caller has the instructions.
                unsafe { std::arch::x86_64::$mul(self, other) }
            }
            #[inline(always)]
            unsafe fn mul_sub(self, other: Self, third: Self) -> Self {
                // SAFETY: the caller has the instructions.
                unsafe { std::arch::x86_64::$fmsub(self, other, third) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
vector!(
    __m256d,
    4,
    _mm256_setzero_pd,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_fmsub_pd
);
#[cfg(target_arch = "x86_64")]
vector!(
    __m512d,
    8,
    _mm512_setzero_pd,
    _mm512_loadu_pd,
    _mm512_storeu_pd,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    _mm512_fmsub_pd
);
