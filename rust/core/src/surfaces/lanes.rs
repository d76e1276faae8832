//! Vectors for the one loop that the compiler does not vectorise well by itself.
#![allow(unsafe_code)] // Vector intrinsics; callers have the CPU level, see the trait.
#![allow(clippy::inline_always)] // Bodies must land inside the function that enables the CPU level.

use super::real::Real;

/// A vector of elements.
///
/// # Safety
/// Every method: the processor has the vector's level. Loads and stores: `WIDTH` elements lie at
/// the address.
pub trait Lanes<T>: Copy {
    /// Elements of one vector.
    const WIDTH: usize;
    /// All elements alike.
    #[allow(clippy::missing_safety_doc)] // Said once, for the trait.
    unsafe fn splat(value: T) -> Self;
    /// From memory.
    #[allow(clippy::missing_safety_doc)]
    unsafe fn load(from: *const T) -> Self;
    /// To memory.
    #[allow(clippy::missing_safety_doc)]
    unsafe fn store(self, to: *mut T);
    /// The product.
    #[allow(clippy::missing_safety_doc)]
    unsafe fn times(self, factor: Self) -> Self;
    /// `self * factor + term`, fused where the level has it.
    #[allow(clippy::missing_safety_doc)]
    unsafe fn times_plus(self, factor: Self, term: Self) -> Self;
    /// The smaller elements.
    #[allow(clippy::missing_safety_doc)]
    unsafe fn least(self, other: Self) -> Self;
    /// The larger elements.
    #[allow(clippy::missing_safety_doc)]
    unsafe fn most(self, other: Self) -> Self;
}

/// Four elements on any processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable<T>([T; 4]);

impl<T: Real> Lanes<T> for Portable<T> {
    const WIDTH: usize = 4;

    #[inline(always)]
    unsafe fn splat(value: T) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { from.cast::<[T; 4]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<[T; 4]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn times(self, factor: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] * factor.0[k]))
    }

    #[inline(always)]
    unsafe fn times_plus(self, factor: Self, term: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] * factor.0[k] + term.0[k]))
    }

    #[inline(always)]
    unsafe fn least(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].smaller(other.0[k])))
    }

    #[inline(always)]
    unsafe fn most(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].larger(other.0[k])))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::{
        __m256, __m256d, __m512, __m512d, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_loadu_pd, _mm256_loadu_ps,
        _mm256_max_pd, _mm256_max_ps, _mm256_min_pd, _mm256_min_ps, _mm256_mul_pd, _mm256_mul_ps,
        _mm256_set1_pd, _mm256_set1_ps, _mm256_storeu_pd, _mm256_storeu_ps, _mm512_fmadd_pd, _mm512_fmadd_ps,
        _mm512_loadu_pd, _mm512_loadu_ps, _mm512_max_pd, _mm512_max_ps, _mm512_min_pd, _mm512_min_ps,
        _mm512_mul_pd, _mm512_mul_ps, _mm512_set1_pd, _mm512_set1_ps, _mm512_storeu_pd, _mm512_storeu_ps,
    };

    macro_rules! lanes {
        ($v:ty, $t:ty, $width:expr, $splat:ident, $load:ident, $store:ident, $mul:ident, $fma:ident, $min:ident,
         $max:ident) => {
            impl Lanes<$t> for $v {
                const WIDTH: usize = $width;

                #[inline(always)]
                unsafe fn splat(value: $t) -> Self {
                    // SAFETY: the caller has the level.
                    unsafe { $splat(value) }
                }

                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the caller has the level, and the elements lie there.
                    unsafe { $load(from) }
                }

                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: the caller has the level, and the elements lie there.
                    unsafe { $store(to, self) }
                }

                #[inline(always)]
                unsafe fn times(self, factor: Self) -> Self {
                    // SAFETY: the caller has the level.
                    unsafe { $mul(self, factor) }
                }

                #[inline(always)]
                unsafe fn times_plus(self, factor: Self, term: Self) -> Self {
                    // SAFETY: the caller has the level.
                    unsafe { $fma(self, factor, term) }
                }

                #[inline(always)]
                unsafe fn least(self, other: Self) -> Self {
                    // SAFETY: the caller has the level.
                    unsafe { $min(self, other) }
                }

                #[inline(always)]
                unsafe fn most(self, other: Self) -> Self {
                    // SAFETY: the caller has the level.
                    unsafe { $max(self, other) }
                }
            }
        };
    }

    lanes!(
        __m512d,
        f64,
        8,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_mul_pd,
        _mm512_fmadd_pd,
        _mm512_min_pd,
        _mm512_max_pd
    );
    lanes!(
        __m512,
        f32,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_mul_ps,
        _mm512_fmadd_ps,
        _mm512_min_ps,
        _mm512_max_ps
    );
    lanes!(
        __m256d,
        f64,
        4,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_mul_pd,
        _mm256_fmadd_pd,
        _mm256_min_pd,
        _mm256_max_pd
    );
    lanes!(
        __m256,
        f32,
        8,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_mul_ps,
        _mm256_fmadd_ps,
        _mm256_min_ps,
        _mm256_max_ps
    );
}
