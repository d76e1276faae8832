//! What an accumulator knows, as whole numbers that another process can take in.
//!
//! States of [`Exact`] and [`IntegerSum`] may be added word by word, in any order, over up to 2^31 processes: the sum
//! of the states is a state of the sum. Those of the others are merged one after the other by [`whole`].

use super::accumulators::{Accumulator, Compensated, Pairwise};
use super::exact::Exact;
use super::integers::IntegerSum;
use super::moments::Moments;
use crate::error::{Error, Result};
use crate::surfaces::Level;

/// An accumulator that can leave one process and be restored in another.
pub trait State: Sized {
    /// Words of one state.
    const WORDS: usize;

    /// Everything accumulated so far.
    fn save(&self) -> Vec<i64>;

    /// The accumulator of `WORDS` words.
    fn restore(words: &[i64]) -> Self;
}

/// Doubles, bit by bit.
fn bits<const N: usize>(values: [f64; N]) -> Vec<i64> {
    values.iter().map(|value| value.to_bits().cast_signed()).collect()
}

fn double(word: i64) -> f64 {
    f64::from_bits(word.cast_unsigned())
}

impl State for Exact {
    const WORDS: usize = Self::STATE;

    fn save(&self) -> Vec<i64> {
        self.words()
    }

    fn restore(words: &[i64]) -> Self {
        Self::of_words(words)
    }
}

impl State for IntegerSum {
    const WORDS: usize = 6;

    fn save(&self) -> Vec<i64> {
        let (high, low) = self.finish();
        let low = i128::from(low);
        // 32 bits a word, the highest with the sign: so that words of many processes can be added.
        [low, low >> 32, high, high >> 32, high >> 64]
            .iter()
            .map(|part| (part & 0xffff_ffff) as i64)
            .chain([(high >> 96) as i64])
            .collect()
    }

    fn restore(words: &[i64]) -> Self {
        let part = |index: usize| i128::from(words.get(index).copied().unwrap_or_default());
        let low = part(0) + (part(1) << 32);
        let high = part(2) + (part(3) << 32) + (part(4) << 64) + (part(5) << 96);
        Self::of_parts(high, low)
    }
}

impl State for Compensated {
    const WORDS: usize = 2;

    fn save(&self) -> Vec<i64> {
        let (sum, error) = self.parts();
        bits([sum, error])
    }

    fn restore(words: &[i64]) -> Self {
        Self::of_parts(double(words[0]), double(words[1]))
    }
}

impl State for Pairwise {
    const WORDS: usize = 1;

    fn save(&self) -> Vec<i64> {
        bits([self.finish()])
    }

    fn restore(words: &[i64]) -> Self {
        Self::of_total(double(words[0]))
    }
}

impl State for Moments {
    const WORDS: usize = 4;

    fn save(&self) -> Vec<i64> {
        bits(self.parts())
    }

    fn restore(words: &[i64]) -> Self {
        Self::of_parts([0, 1, 2, 3].map(|index| double(words[index])))
    }
}

/// Merge the states of many processes, in the order given.
///
/// # Errors
/// [`Error::Shape`] where the words are no whole number of states.
pub fn whole<A: State + Accumulator<W, K>, W, const K: usize>(words: &[i64]) -> Result<A> {
    if !words.len().is_multiple_of(A::WORDS) {
        let expected = format!("a multiple of {}", A::WORDS);
        return Err(Error::Shape { name: "words", expected, got: words.len() });
    }
    let mut total = A::zero(Level::best());
    words.chunks_exact(A::WORDS).for_each(|state| total.merge(A::restore(state)));
    Ok(total)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{State, whole};
    use crate::reduction::accumulators::{Accumulator, Compensated, Pairwise};
    use crate::reduction::{Exact, IntegerSum, Moments};
    use crate::surfaces::Level;

    fn filled<A: Accumulator<W, 1>, W>(x: &[W]) -> A {
        let mut total = A::zero(Level::best());
        total.push([x]);
        total
    }

    fn added(states: &[Vec<i64>]) -> Vec<i64> {
        (0..states[0].len()).map(|word| states.iter().map(|state| state[word]).sum()).collect()
    }

    proptest! {
        #[test]
        fn added_states_are_the_state_of_the_sum(
            parts in prop::collection::vec(prop::collection::vec(any::<f64>(), 0..20), 1..6),
        ) {
            let states: Vec<_> = parts.iter().map(|part| filled::<Exact, f64>(part).save()).collect();
            let expected = filled::<Exact, f64>(&parts.concat()).finish();
            let found = Exact::restore(&added(&states)).finish();
            prop_assert!(found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()));
            let merged: Exact = whole::<Exact, f64, 1>(&states.concat()).unwrap();
            prop_assert!(merged.finish().to_bits() == expected.to_bits() || expected.is_nan());
        }

        #[test]
        fn added_states_of_integers_are_exact(
            parts in prop::collection::vec(prop::collection::vec(any::<i64>(), 0..20), 1..6),
        ) {
            let states: Vec<_> = parts.iter().map(|part| filled::<IntegerSum, i64>(part).save()).collect();
            let (high, low) = IntegerSum::restore(&added(&states)).finish();
            let expected: i128 = parts.concat().iter().map(|&x| i128::from(x)).sum();
            prop_assert_eq!((high << 64) + i128::from(low), expected);
        }

        #[test]
        fn a_state_comes_back_as_it_was(x in prop::collection::vec(-1e6..1e6f64, 1..50)) {
            let (plain, careful) = (filled::<Pairwise, f64>(&x), filled::<Compensated, f64>(&x));
            prop_assert_eq!(Pairwise::restore(&plain.save()).finish(), plain.finish());
            prop_assert_eq!(Compensated::restore(&careful.save()).finish(), careful.finish());
            let moments = filled::<Moments, f64>(&x);
            prop_assert_eq!(Moments::restore(&moments.save()).finish(0.0), moments.finish(0.0));
        }
    }

    #[test]
    fn words_that_are_no_states_are_refused() {
        assert!(whole::<Pairwise, f64, 1>(&[1, 2]).is_ok());
        assert!(whole::<Compensated, f64, 1>(&[1, 2, 3]).is_err());
    }
}
