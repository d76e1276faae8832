//! Long arrays that are used again.
//!
//! An analysis needs a dozen arrays of 4,861 numbers, one after the other. Given back to the allocator,
//! their pages go back to the system at once, and getting them again costs more than the arithmetic
//! in between: so each thread keeps a few.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// Arrays a thread keeps: those of the curves, of one trial of further runs and of one answer.
const KEPT: usize = 16;

thread_local! {
    static FREE: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// A fixed number of doubles from the thread's store, which goes back there.
#[derive(Debug)]
pub(super) struct Buffer(Vec<f64>);

impl Buffer {
    pub(super) fn zeroed(len: usize) -> Self {
        let mut values = Self::empty();
        values.0.resize(len, 0.0);
        values
    }

    fn empty() -> Self {
        // Where the thread is ending its store may be gone: then a new array serves.
        let kept = FREE.try_with(|free| free.borrow_mut().pop()).ok().flatten();
        let mut values = kept.unwrap_or_default();
        values.clear();
        Self(values)
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let mut copy = Self::empty();
        copy.0.extend_from_slice(&self.0);
        copy
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let values = std::mem::take(&mut self.0);
        // The array is simply freed where the store is full or gone.
        let _ = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            if free.len() < KEPT {
                free.push(values);
            }
        });
    }
}

impl Deref for Buffer {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    #[test]
    fn a_used_buffer_comes_back_empty() {
        let mut first = Buffer::zeroed(10);
        first.fill(7.0);
        let copy = first.clone();
        drop(first);
        assert_eq!(&Buffer::zeroed(4)[..], &[0.0; 4]);
        assert_eq!(&copy[..], &[7.0; 10]);
    }
}
