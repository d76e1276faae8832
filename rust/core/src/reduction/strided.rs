//! Equally spaced elements in memory that somebody else owns, read in blocks.
// Reading elements at a stride needs raw pointers: there is no slice of every second element.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

/// Elements `stride` apart, first to last; a negative stride walks down, stride 0 repeats one element.
#[derive(Debug, Clone, Copy)]
pub struct Strided<'a, T> {
    first: *const T,
    len: usize,
    stride: isize,
    memory: PhantomData<&'a [T]>,
}

// SAFETY: the view only reads, and `T` may be read from several threads.
unsafe impl<T: Sync> Send for Strided<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Strided<'_, T> {}

impl<'a, T> From<&'a [T]> for Strided<'a, T> {
    fn from(slice: &'a [T]) -> Self {
        Self { first: slice.as_ptr(), len: slice.len(), stride: 1, memory: PhantomData }
    }
}

impl<'a, T: Copy> Strided<'a, T> {
    /// View `len` elements from `first` on, `stride` elements apart.
    ///
    /// # Safety
    /// Every element `first + i * stride` for `i < len` is aligned, initialised and not written to during `'a`.
    pub unsafe fn from_raw_parts(first: *const T, len: usize, stride: isize) -> Self {
        Self { first, len, stride, memory: PhantomData }
    }

    /// View one element `len` times.
    pub fn repeat(element: &'a T, len: usize) -> Self {
        Self { first: element, len, stride: 0, memory: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that a pass over the elements asks for.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// The elements of a range as a slice, where they lie side by side.
    ///
    /// # Panics
    /// For a range beyond the end.
    pub fn slice(&self, range: Range<usize>) -> Option<&'a [T]> {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: in bounds because of the assertion; side by side because the stride is one.
        (self.stride == 1)
            .then(|| unsafe { std::slice::from_raw_parts(self.first.add(range.start), range.len()) })
    }

    /// Element `i`.
    ///
    /// # Panics
    /// Beyond the end.
    #[inline]
    pub fn get(&self, i: usize) -> T {
        assert!(i < self.len);
        // SAFETY: in bounds because of the assertion, readable by the promise of the constructor.
        unsafe { *self.first.offset(i.cast_signed() * self.stride) }
    }

    /// Copy the elements of a range, each turned by `map`, to the front of `out`.
    pub fn gather<W>(&self, range: Range<usize>, out: &mut [W], map: impl Fn(T) -> W) {
        if let Some(slice) = self.slice(range.clone()) {
            out.iter_mut().zip(slice).for_each(|(out, &value)| *out = map(value));
        } else {
            out.iter_mut().zip(range).for_each(|(out, i)| *out = map(self.get(i)));
        }
    }
}

/// How a kernel that works on `W` reads an element: as it is, or widened without loss where `W` is wider.
pub trait Load<W>: Copy + Send + Sync + 'static {
    /// The element as a `W`.
    fn load(self) -> W;
    /// The slice itself, where the elements are `W` already.
    fn view(_slice: &[Self]) -> Option<&[W]> {
        None
    }
}

macro_rules! load_itself {
    ($($t:ty)*) => {$(
        impl Load<$t> for $t {
            fn load(self) -> $t { self }
            fn view(slice: &[$t]) -> Option<&[$t]> { Some(slice) }
        }
    )*};
}
macro_rules! load_widened {
    ($($t:ty)*) => {$(
        impl Load<f64> for $t {
            #[allow(clippy::cast_lossless)]
            fn load(self) -> f64 { self as f64 }
        }
    )*};
}
load_itself!(f64 i8 u8 i16 u16 i32 u32 i64 u64);
load_widened!(f32 i8 u8 i16 u16 i32 u32 i64 u64);

#[cfg(test)]
mod tests {
    use super::Strided;

    #[test]
    fn a_negative_stride_walks_down_and_stride_zero_repeats() {
        let data = [1.0, 2.0, 3.0, 4.0, 5.0];
        let mut out = [0.0; 3];
        // SAFETY: the fifth, third and first element lie inside the array.
        let down = unsafe { Strided::from_raw_parts(&raw const data[4], 3, -2) };
        down.gather(0..3, &mut out, |x| x);
        assert_eq!(out, [5.0, 3.0, 1.0]);
        let repeat = Strided::repeat(&data[1], 3);
        repeat.gather(0..3, &mut out, |x| x);
        assert_eq!(out, [2.0; 3]);
        assert!(repeat.slice(0..1).is_none());
        assert_eq!(Strided::from(&data[..]).slice(1..3), Some(&data[1..3]));
    }
}
