//! The verbs that people call, one function each.

use super::accumulators::{Accumulator, Compensated, Pairwise, Reading, Squares};
use super::engine::{Combine, reduce};
use super::exact::Exact;
use super::integers::{Integer, IntegerSum};
use super::minmax::MinMax;
use super::moments::Moments;
use super::state::{State, whole};
use super::strided::{Load, Strided};
use super::team::Team;
use crate::error::{Error, Result};
use crate::ledger::Stamps;
use crate::surfaces::Poll;

/// How floating-point numbers are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Correctly rounded: the double nearest to the true sum.
    #[default]
    Exact,
    /// With the error of every addition carried along: as good as twice the precision.
    Compensated,
    /// Plain additions in a cascade of halves.
    Pairwise,
}

impl Method {
    /// The method called `name`.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "exact" => Ok(Self::Exact),
            "compensated" => Ok(Self::Compensated),
            "pairwise" => Ok(Self::Pairwise),
            _ => Err(choice("method", name, "\"exact\", \"compensated\" or \"pairwise\"")),
        }
    }
}

impl Combine {
    /// The combine called `name`.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "tree" => Ok(Self::Tree),
            "order" => Ok(Self::Order),
            _ => Err(choice("combine", name, "\"tree\" or \"order\"")),
        }
    }
}

fn choice(name: &'static str, got: &str, expected: &'static str) -> Error {
    Error::Choice { name, got: got.to_owned(), expected }
}

/// Threads that can be of use for so many elements: where fewer, the wake-up costs more than a thread brings.
///
/// Measured with parked workers, whose wake-up takes 6 to 17 us: one thread adds 150,000 elements exactly in
/// that order of time, and plainly more than twice as many.
pub fn useful_threads(elements: usize, method: Method) -> usize {
    let share = match method {
        Method::Exact | Method::Compensated => 150_000,
        Method::Pairwise => 400_000,
    };
    (elements / share).max(1)
}

/// Who computes, how partial results become one, and who may stop it.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Workers, stamps and their clock.
    pub team: Team<'a>,
    /// How partial results become one.
    pub combine: Combine,
    /// Asked now and then from the calling thread.
    pub poll: Option<Poll<'a>>,
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("team", &self.team)
            .field("combine", &self.combine)
            .finish_non_exhaustive()
    }
}

/// A value, and the stamps where they were asked for.
pub type Answer<V> = Result<(V, Option<Stamps>)>;

impl Call<'_> {
    fn one<A, T, W, V>(&self, x: Strided<'_, T>, finish: impl FnOnce(A) -> V) -> Answer<V>
    where
        A: Accumulator<W, 1>,
        T: Load<W>,
        W: Copy + Default,
    {
        let (total, stamps) = reduce(&[x], &self.team, self.combine, self.poll)?;
        Ok((finish(total), stamps))
    }

    fn two<A, T, W, V>(&self, x: Strided<'_, T>, y: Strided<'_, T>, finish: impl FnOnce(A) -> V) -> Answer<V>
    where
        A: Accumulator<W, 2>,
        T: Load<W>,
        W: Copy + Default,
    {
        if x.len() != y.len() {
            let expected = format!("the length of x, {}", x.len());
            return Err(Error::Shape { name: "y", expected, got: y.len() });
        }
        let (total, stamps) = reduce(&[x, y], &self.team, self.combine, self.poll)?;
        Ok((finish(total), stamps))
    }

    /// Sum of floating-point numbers.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn sum<T: Load<f64>>(&self, x: Strided<'_, T>, method: Method) -> Answer<f64> {
        match method {
            Method::Exact => self.one(x, |total: Exact| total.finish()),
            Method::Compensated => self.one(x, |total: Compensated| total.finish()),
            Method::Pairwise => self.one(x, |total: Pairwise| total.finish()),
        }
    }

    /// Sum of the products of two equally long sequences.
    ///
    /// # Errors
    /// [`Error::Shape`] for different lengths; [`Error::Cancelled`] where the poll said so.
    pub fn dot<T: Load<f64>>(&self, x: Strided<'_, T>, y: Strided<'_, T>, method: Method) -> Answer<f64> {
        match method {
            Method::Exact => self.two(x, y, |total: Exact| total.finish()),
            Method::Compensated => self.two(x, y, |total: Compensated| total.finish()),
            Method::Pairwise => self.two(x, y, |total: Pairwise| total.finish()),
        }
    }

    /// Square root of the sum of squares. Only `exact` is safe from squares that under- or overflow.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn norm2<T: Load<f64>>(&self, x: Strided<'_, T>, method: Method) -> Answer<f64> {
        match method {
            Method::Exact => self.one(x, |total: Squares<Exact>| total.0.finish_sqrt()),
            Method::Compensated => self.one(x, |total: Squares<Compensated>| total.0.finish().sqrt()),
            Method::Pairwise => self.one(x, |total: Squares<Pairwise>| total.0.finish().sqrt()),
        }
    }

    /// Smallest and largest element; not a number as soon as one element is.
    ///
    /// # Errors
    /// [`Error::TooFew`] for no elements; [`Error::Cancelled`] where the poll said so.
    pub fn min_max<T, W>(&self, x: Strided<'_, T>) -> Answer<(W, W)>
    where
        T: Load<W>,
        W: Copy + Default + Send,
        MinMax<W>: Accumulator<W, 1>,
    {
        let (range, stamps) = self.one(x, |range: MinMax<W>| range.finish())?;
        let needed = "a smallest and a largest element need at least one".to_owned();
        Ok((range.ok_or(Error::TooFew { what: "x is empty".to_owned(), needed })?, stamps))
    }

    /// Smallest and largest of integers.
    ///
    /// # Errors
    /// [`Error::TooFew`] for no elements; [`Error::Cancelled`] where the poll said so.
    pub fn min_max_integers<T: Integer>(&self, x: Strided<'_, T>) -> Answer<(T, T)> {
        self.min_max(x)
    }

    /// Mean, and variance with `n - ddof` in the denominator.
    ///
    /// # Errors
    /// [`Error::TooFew`] for no elements; [`Error::Cancelled`] where the poll said so.
    pub fn mean_var<T: Load<f64>>(&self, x: Strided<'_, T>, ddof: f64) -> Answer<(f64, f64)> {
        let (moments, stamps) = self.one(x, |moments: Moments| moments.finish(ddof))?;
        let needed = "a mean needs at least one element".to_owned();
        Ok((moments.ok_or(Error::TooFew { what: "x is empty".to_owned(), needed })?, stamps))
    }

    /// Read every element and do nothing else.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn read(&self, x: Strided<'_, f64>) -> Answer<u64> {
        self.one(x, |bits: Reading| bits.finish())
    }

    /// State of the sum of floating-point numbers, for [`Merged`].
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn sum_state<T: Load<f64>>(&self, x: Strided<'_, T>, method: Method) -> Answer<Vec<i64>> {
        match method {
            Method::Exact => self.one(x, |total: Exact| total.save()),
            Method::Compensated => self.one(x, |total: Compensated| total.save()),
            Method::Pairwise => self.one(x, |total: Pairwise| total.save()),
        }
    }

    /// State of the sum of products, for [`Merged`].
    ///
    /// # Errors
    /// [`Error::Shape`] for different lengths; [`Error::Cancelled`] where the poll said so.
    pub fn dot_state<T: Load<f64>>(
        &self,
        x: Strided<'_, T>,
        y: Strided<'_, T>,
        method: Method,
    ) -> Answer<Vec<i64>> {
        match method {
            Method::Exact => self.two(x, y, |total: Exact| total.save()),
            Method::Compensated => self.two(x, y, |total: Compensated| total.save()),
            Method::Pairwise => self.two(x, y, |total: Pairwise| total.save()),
        }
    }

    /// State of mean and variance, for [`Merged`].
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn moments_state<T: Load<f64>>(&self, x: Strided<'_, T>) -> Answer<Vec<i64>> {
        self.one(x, |moments: Moments| moments.save())
    }

    /// State of the sum of integers, for [`Merged`].
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn sum_integers_state<T: Integer>(&self, x: Strided<'_, T>) -> Answer<Vec<i64>> {
        self.one(x, |total: IntegerSum| total.save())
    }

    /// State of the sum of products of integers, for [`Merged`].
    ///
    /// # Errors
    /// [`Error::Shape`] for different lengths; [`Error::Cancelled`] where the poll said so.
    pub fn dot_integers_state<T: Integer>(&self, x: Strided<'_, T>, y: Strided<'_, T>) -> Answer<Vec<i64>> {
        self.two(x, y, |total: IntegerSum| total.save())
    }

    /// Sum of integers as `(high, low)`: `high * 2^64 + low`.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn sum_integers<T: Integer>(&self, x: Strided<'_, T>) -> Answer<(i128, u64)> {
        self.one(x, |total: IntegerSum| total.finish())
    }

    /// Sum of products of integers as `(high, low)`: `high * 2^64 + low`.
    ///
    /// # Errors
    /// [`Error::Shape`] for different lengths; [`Error::Cancelled`] where the poll said so.
    pub fn dot_integers<T: Integer>(&self, x: Strided<'_, T>, y: Strided<'_, T>) -> Answer<(i128, u64)> {
        self.two(x, y, |total: IntegerSum| total.finish())
    }

    /// Square root of the sum of squares of integers, rounded once to a double.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where the poll said so.
    pub fn norm2_integers<T: Integer>(&self, x: Strided<'_, T>) -> Answer<f64> {
        self.one(x, |total: Squares<IntegerSum>| total.0.finish_sqrt())
    }
}

/// The states of many processes, one after the other, in the order in which they are merged.
#[derive(Debug, Clone, Copy)]
pub struct Merged<'a>(pub &'a [i64]);

impl Merged<'_> {
    /// The sum, or its square root, of floating-point numbers.
    ///
    /// # Errors
    /// [`Error::Shape`] where the words are no whole number of states.
    pub fn sum(self, method: Method, root: bool) -> Result<f64> {
        let rooted = |total: f64| if root { total.sqrt() } else { total };
        match method {
            Method::Exact => {
                let total = whole::<Exact, f64, 1>(self.0)?;
                Ok(if root { total.finish_sqrt() } else { total.finish() })
            }
            Method::Compensated => Ok(rooted(whole::<Compensated, f64, 1>(self.0)?.finish())),
            Method::Pairwise => Ok(rooted(whole::<Pairwise, f64, 1>(self.0)?.finish())),
        }
    }

    /// The sum of integers.
    ///
    /// # Errors
    /// [`Error::Shape`] where the words are no whole number of states.
    pub fn integers(self) -> Result<IntegerSum> {
        whole::<IntegerSum, i64, 1>(self.0)
    }

    /// Mean, and variance with `n - ddof` in the denominator.
    ///
    /// # Errors
    /// [`Error::TooFew`] for no elements; [`Error::Shape`] where the words are no whole number of states.
    pub fn mean_var(self, ddof: f64) -> Result<(f64, f64)> {
        let needed = "a mean needs at least one element".to_owned();
        let what = "x is empty on all ranks".to_owned();
        whole::<Moments, f64, 1>(self.0)?.finish(ddof).ok_or(Error::TooFew { what, needed })
    }
}
