//! Checked evaluation: a formula with its domains, at one point or over slices.

use super::serial_fractions::serial_of_parallel;
use crate::{Error, Result};

/// An argument of a formula: its name and the closed range it may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Argument {
    /// Name as the caller writes it.
    pub name: &'static str,
    /// The smallest value allowed; an open end is the next representable number.
    pub low: f64,
    /// The largest value allowed.
    pub high: f64,
    /// The same range in words.
    pub allowed: &'static str,
}

/// The smallest positive number with full precision: stands for "above 0" in every domain.
pub(super) const TINY: f64 = f64::MIN_POSITIVE;

impl Argument {
    const fn new(name: &'static str, low: f64, high: f64, allowed: &'static str) -> Self {
        Self { name, low, high, allowed }
    }

    /// Worker counts.
    pub const WORKERS: Self = Self::new("n", 1.0, f64::MAX, "a finite worker count of at least 1");
    /// Worker counts where a lone worker leaves nothing to compare.
    pub const MANY: Self = Self::new("n", 1.0 + f64::EPSILON, f64::MAX, "a finite worker count above 1");
    /// The share of the time that does not divide among workers.
    pub const SERIAL: Self = Self::new("serial", 0.0, 1.0, "a serial fraction from 0 to 1");
    /// A finite quantity above zero.
    pub const fn positive(name: &'static str) -> Self {
        Self::new(name, TINY, f64::MAX, "a finite number above 0")
    }
    /// A finite quantity of zero or more.
    pub const fn nonnegative(name: &'static str) -> Self {
        Self::new(name, 0.0, f64::MAX, "a finite number of at least 0")
    }
    /// Any finite quantity.
    pub const fn finite(name: &'static str) -> Self {
        Self::new(name, -f64::MAX, f64::MAX, "a finite number")
    }
    /// A finite quantity of at least one.
    pub const fn one_or_more(name: &'static str) -> Self {
        Self::new(name, 1.0, f64::MAX, "a finite number of at least 1")
    }
    /// A share from 0 to 1.
    pub const fn share(name: &'static str) -> Self {
        Self::new(name, 0.0, 1.0, "a number from 0 to 1")
    }
    /// A share above 0, up to and with 1.
    pub const fn positive_share(name: &'static str) -> Self {
        Self::new(name, TINY, 1.0, "a number above 0 and at most 1")
    }
    /// A share from 0 up to and without 1.
    pub const fn share_below_one(name: &'static str) -> Self {
        Self::new(name, 0.0, 1.0 - f64::EPSILON / 2.0, "a number of at least 0 and below 1")
    }
    /// A share strictly between 0 and 1.
    pub const fn open_share(name: &'static str) -> Self {
        Self::new(name, TINY, 1.0 - f64::EPSILON / 2.0, "a number above 0 and below 1")
    }

    const PARALLEL: Self = Self::new("p", 0.0, 1.0, "a parallel fraction from 0 to 1");

    #[inline]
    fn holds(&self, x: f64) -> bool {
        // Both sides always, so that the loops around it vectorise.
        (self.low <= x) & (x <= self.high)
    }

    fn error(&self, index: Option<usize>, value: f64) -> Error {
        Error::Domain { name: self.name, index, value, allowed: self.allowed }
    }
}

/// A closed form of `K` arguments.
pub trait Formula<const K: usize>: Copy {
    /// The arguments in order, each with its own domain.
    const ARGUMENTS: [Argument; K];
    /// Whether values that are each inside their domain can still be impossible together.
    const JOINT: bool = false;

    /// The value; NaN exactly where the arguments are impossible together.
    fn value(self, arguments: [f64; K]) -> f64;

    /// Which argument to blame where the value is NaN, and what it may be there.
    fn refusal(self, arguments: &[f64]) -> (usize, &'static str) {
        let _ = arguments;
        (0, "a value that the other arguments allow")
    }
}

/// One argument of an evaluation over slices.
#[derive(Debug, Clone, Copy)]
pub enum Operand<'a> {
    /// The same value for every element.
    One(f64),
    /// One value an element.
    Many(&'a [f64]),
}

/// What the arguments of one call amount to.
#[derive(Debug, Clone, Copy)]
pub enum Gathered<'a, const K: usize> {
    /// All are numbers: one point.
    Point([f64; K]),
    /// At least one is a slice; its length is that of the result.
    Slices([Operand<'a>; K], usize),
}

/// Sorts the arguments of a call; `None` where one of them is neither a number nor a slice, or the
/// slices differ in length.
#[inline]
pub fn gather<const K: usize>(operands: [Option<Operand<'_>>; K]) -> Option<Gathered<'_, K>> {
    let mut point = [0.0; K];
    let mut found = [Operand::One(0.0); K];
    let mut len = None;
    for k in 0..K {
        found[k] = operands[k]?;
        match found[k] {
            Operand::One(value) => point[k] = value,
            Operand::Many(values) if len.is_some_and(|len| len != values.len()) => return None,
            Operand::Many(values) => len = Some(values.len()),
        }
    }
    Some(len.map_or(Gathered::Point(point), |len| Gathered::Slices(found, len)))
}

impl Operand<'_> {
    fn at(&self, index: usize) -> f64 {
        match self {
            Self::One(value) => *value,
            Self::Many(values) => values.get(index).copied().unwrap_or(f64::NAN),
        }
    }
}

/// Elements a block of the general path: its `K` buffers stay in the first-level cache.
const BLOCK: usize = 128;

/// A formula ready to be evaluated, with the names and domains that this caller uses.
#[derive(Debug, Clone, Copy)]
pub struct Law<F, const K: usize> {
    formula: F,
    arguments: [Argument; K],
    parallel: Option<usize>,
}

impl<F: Formula<K>, const K: usize> Law<F, K> {
    /// Takes the formula with its own domains.
    pub fn new(formula: F) -> Self {
        Self { formula, arguments: F::ARGUMENTS, parallel: None }
    }

    /// The arguments by the names and domains in force.
    pub fn arguments(&self) -> &[Argument; K] {
        &self.arguments
    }

    /// Lets worker counts below one in, down to `min_n`: a load may be a fraction, a worker may not.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] unless `min_n` is finite and at least 0 (0 stands for every load above 0).
    #[inline]
    pub fn min_n(mut self, min_n: f64) -> Result<Self> {
        if min_n != 1.0 {
            let bound = Argument::nonnegative("min_n");
            if !bound.holds(min_n) {
                return Err(bound.error(None, min_n));
            }
            let allowed = "a finite load above 0 and at least min_n";
            self.replace("n", Argument::new("n", min_n.max(TINY), f64::MAX, allowed));
        }
        Ok(self)
    }

    /// Reads the serial fraction as the parallel fraction `p` where `yes`.
    #[inline]
    #[must_use]
    pub fn parallel(mut self, yes: bool) -> Self {
        if yes {
            self.parallel = self.replace(Argument::SERIAL.name, Argument::PARALLEL);
        }
        self
    }

    fn replace(&mut self, name: &str, by: Argument) -> Option<usize> {
        let place = self.arguments.iter().position(|argument| argument.name == name)?;
        self.arguments[place] = by;
        Some(place)
    }

    /// The value at one point.
    ///
    /// # Errors
    ///
    /// [`Error::Domain`] with the name, the value and what is allowed.
    #[inline]
    pub fn evaluate(&self, point: [f64; K]) -> Result<f64> {
        for (argument, &x) in self.arguments.iter().zip(&point) {
            if !argument.holds(x) {
                return Err(argument.error(None, x));
            }
        }
        let native = self.native(point);
        let value = self.formula.value(native);
        if F::JOINT && value.is_nan() {
            let (place, allowed) = self.formula.refusal(&native);
            return Err(Error::Domain {
                name: self.arguments[place].name,
                index: None,
                value: point[place],
                allowed,
            });
        }
        Ok(value)
    }

    /// Writes the value of every element into `out`.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] unless every slice has the length of `out`; [`Error::Domain`] with the
    /// name, the index, the value and what is allowed. After an error `out` holds no result.
    pub fn evaluate_into(&self, operands: [Operand<'_>; K], out: &mut [f64]) -> Result<()> {
        self.check(&operands, out.len())?;
        let outside = super::wide::run(self, &operands, out);
        if outside > 0 { self.blame(&operands, out) } else { Ok(()) }
    }

    /// Writes the values and returns how many elements are outside their domain.
    ///
    /// Inlined into a copy for each vector width; the count has no early exit, so that the loops
    /// vectorise, and hides behind the divisions.
    #[inline(always)]
    pub(super) fn run(&self, operands: &[Operand<'_>; K], out: &mut [f64]) -> u64 {
        let others_stand_still = operands[1..].iter().all(|operand| matches!(operand, Operand::One(_)));
        match operands[0] {
            Operand::Many(values) if others_stand_still && self.parallel != Some(0) => {
                self.along(values, operands, out)
            }
            _ if self.parallel.is_none() && operands.iter().all(|x| matches!(x, Operand::Many(_))) => {
                self.together(operands, out)
            }
            _ => self.blocks(operands, out),
        }
    }

    #[inline]
    fn native(&self, mut point: [f64; K]) -> [f64; K] {
        if let Some(place) = self.parallel {
            point[place] = serial_of_parallel(point[place]);
        }
        point
    }

    /// Lengths, and the domains of the arguments that stand still.
    fn check(&self, operands: &[Operand<'_>; K], len: usize) -> Result<()> {
        for (argument, operand) in self.arguments.iter().zip(operands) {
            match operand {
                Operand::One(x) if !argument.holds(*x) => return Err(argument.error(None, *x)),
                Operand::Many(values) if values.len() != len => {
                    let expected = format!("{len}, the length of the result");
                    return Err(Error::Shape { name: argument.name, expected, got: values.len() });
                }
                Operand::One(_) | Operand::Many(_) => {}
            }
        }
        Ok(())
    }

    /// The first argument varies, the others stand still: what depends on them alone leaves the loop.
    #[inline(always)]
    fn along(&self, values: &[f64], operands: &[Operand<'_>; K], out: &mut [f64]) -> u64 {
        let base = self.native(operands.map(|operand| operand.at(0)));
        let Argument { low, high, .. } = self.arguments[0];
        let mut outside = 0;
        for (slot, &x) in out.iter_mut().zip(values) {
            let mut point = base;
            point[0] = x;
            let value = self.formula.value(point);
            *slot = value;
            outside += u64::from(!(low <= x && x <= high) | (F::JOINT && value.is_nan()));
        }
        outside
    }

    /// All arguments vary and are read in place.
    #[inline(always)]
    fn together(&self, operands: &[Operand<'_>; K], out: &mut [f64]) -> u64 {
        let len = out.len();
        // Of one length that the compiler sees: no check is left in the loop.
        let columns = operands.map(|operand| match operand {
            Operand::Many(values) => &values[..len],
            Operand::One(_) => &[],
        });
        let mut outside = 0;
        for i in 0..len {
            let point: [f64; K] = std::array::from_fn(|k| columns[k][i]);
            let value = self.formula.value(point);
            out[i] = value;
            let inside = self.arguments.iter().zip(&point).fold(true, |all, (a, &x)| all & a.holds(x));
            outside += u64::from(!inside | (F::JOINT && value.is_nan()));
        }
        outside
    }

    /// Any mixture: a block of each operand side by side, so that the loop still vectorises.
    #[inline(always)]
    fn blocks(&self, operands: &[Operand<'_>; K], out: &mut [f64]) -> u64 {
        // What stands still was checked before, and is laid out once for all blocks.
        let mut columns = operands.map(|operand| [operand.at(0); BLOCK]);
        if let Some(place) = self.parallel {
            columns[place] = columns[place].map(serial_of_parallel);
        }
        let mut outside = 0;
        for (block, slots) in out.chunks_mut(BLOCK).enumerate() {
            let start = block * BLOCK;
            let width = slots.len().min(BLOCK);
            for (k, operand) in operands.iter().enumerate() {
                let Operand::Many(values) = operand else { continue };
                let Argument { low, high, .. } = self.arguments[k];
                let parallel = self.parallel == Some(k);
                for (slot, &x) in columns[k].iter_mut().zip(&values[start..start + width]) {
                    outside += u64::from(!(low <= x && x <= high));
                    *slot = if parallel { serial_of_parallel(x) } else { x };
                }
            }
            // Bounds that the compiler sees: no check is left in the loop.
            let slots = &mut slots[..width];
            for i in 0..width {
                let value = self.formula.value(std::array::from_fn(|k| columns[k][i]));
                slots[i] = value;
                outside += u64::from(F::JOINT && value.is_nan());
            }
        }
        outside
    }

    /// The error of the first element that is outside its domain, or else impossible with the others.
    #[cold]
    fn blame(&self, operands: &[Operand<'_>; K], out: &[f64]) -> Result<()> {
        for (argument, operand) in self.arguments.iter().zip(operands) {
            let Operand::Many(values) = operand else { continue };
            if let Some(index) = values.iter().position(|&x| !argument.holds(x)) {
                return Err(argument.error(Some(index), values[index]));
            }
        }
        let Some(index) = out.iter().position(|value| value.is_nan()) else { return Ok(()) };
        let point: [f64; K] = std::array::from_fn(|k| operands[k].at(index));
        let (place, allowed) = self.formula.refusal(&self.native(point));
        let argument = &self.arguments[place];
        let index = matches!(operands[place], Operand::Many(_)).then_some(index);
        Err(Error::Domain { name: argument.name, index, value: point[place], allowed })
    }
}

/// The first element below one worker: an answer that no machine can run, only a fractional load.
pub fn first_below_one(workers: &[f64]) -> Option<usize> {
    workers.iter().position(|&n| n < 1.0)
}

/// `value` where `possible`, else NaN: a select, so that the loops around it vectorise.
#[inline(always)]
pub(super) fn only_if(possible: bool, value: f64) -> f64 {
    if possible { value } else { f64::NAN }
}

/// Declares a checked formula: its name, its arguments with their domains, the function behind it,
/// and for inverses what to say where the arguments are impossible together.
macro_rules! formula {
    ($(#[$doc:meta])* $name:ident = $function:path; $($domain:expr),+ $(; refuse $refusal:path)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl $crate::laws::Formula<{ $crate::laws::formula::count!($($domain),+) }> for $name {
            const ARGUMENTS: [$crate::laws::Argument; $crate::laws::formula::count!($($domain),+)] =
                [$($domain),+];
            $(
                const JOINT: bool = true;

                fn refusal(self, arguments: &[f64]) -> (usize, &'static str) {
                    $refusal(arguments)
                }
            )?

            #[inline(always)]
            fn value(self, arguments: [f64; $crate::laws::formula::count!($($domain),+)]) -> f64 {
                $crate::laws::formula::apply!($function, arguments, $($domain),+)
            }
        }
    };
}
macro_rules! count {
    ($a:expr) => {
        1
    };
    ($a:expr, $b:expr) => {
        2
    };
    ($a:expr, $b:expr, $c:expr) => {
        3
    };
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        4
    };
}
macro_rules! apply {
    ($f:path, $x:expr, $a:expr) => {
        $f($x[0])
    };
    ($f:path, $x:expr, $a:expr, $b:expr) => {
        $f($x[0], $x[1])
    };
    ($f:path, $x:expr, $a:expr, $b:expr, $c:expr) => {
        $f($x[0], $x[1], $x[2])
    };
    ($f:path, $x:expr, $a:expr, $b:expr, $c:expr, $d:expr) => {
        $f($x[0], $x[1], $x[2], $x[3])
    };
}
pub(super) use {apply, count, formula};

#[cfg(test)]
mod tests;
