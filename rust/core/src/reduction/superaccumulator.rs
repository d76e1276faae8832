//! A fixed-point number wide enough for every double and every product of two: sums in it are exact.
#![allow(clippy::cast_possible_wrap)] // Positions of bits: a few thousand at most.

/// Exponent of the lowest bit: the square of the smallest subnormal, `2^-1074`.
const LOWEST: i32 = -2148;

/// Bits of one limb. Limbs are stored in 64 bits, so that carries may wait.
const LIMB_BITS: u32 = 32;

/// 4352 bits: from `2^-2148` to the largest product, times `2^64` elements, and a sign.
pub(super) const LIMBS: usize = 136;

/// A limb holds below `2^32` after a carry; so many additions of below `2^32` fit before the next.
const ADDITIONS_BETWEEN_CARRIES: u32 = 1 << 30;

/// An exact sum of doubles and of products of doubles, rounded once when it is read.
#[derive(Debug, Clone)]
pub struct Superaccumulator {
    limbs: Box<[i64; LIMBS]>,
    additions: u32,
}

impl Default for Superaccumulator {
    fn default() -> Self {
        Self { limbs: Box::new([0; LIMBS]), additions: 0 }
    }
}

impl Superaccumulator {
    /// Add a finite double.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let (negative, mantissa, exponent) = decode(value);
        if mantissa != 0 {
            self.add_scaled(negative, u128::from(mantissa), exponent);
        }
    }

    /// Add the exact product of two finite doubles, also where it is too large or too small for a double.
    #[inline]
    pub fn add_product(&mut self, x: f64, y: f64) {
        let (negative_x, mantissa_x, exponent_x) = decode(x);
        let (negative_y, mantissa_y, exponent_y) = decode(y);
        let mantissa = u128::from(mantissa_x) * u128::from(mantissa_y);
        if mantissa != 0 {
            // The product of two 53-bit mantissas has 106 bits: two halves keep every shift inside 128 bits.
            let exponent = exponent_x + exponent_y;
            let negative = negative_x != negative_y;
            self.add_scaled(negative, mantissa & u128::from(u64::MAX), exponent);
            self.add_scaled(negative, mantissa >> 64, exponent + 64);
        }
    }

    /// Add `value * 2^exponent` for an integer of any size; the exponent is a multiple of the caller's choice.
    pub fn add_integer(&mut self, value: i128, exponent: i32) {
        let magnitude = value.unsigned_abs();
        self.add_scaled(value < 0, magnitude & u128::from(u64::MAX), exponent);
        self.add_scaled(value < 0, magnitude >> 64, exponent + 64);
    }

    /// The number in words of 32 bits, the highest with the sign: words of many sums may be added one by one.
    pub(super) fn words(&self) -> [i64; LIMBS] {
        let mut limbs = *self.limbs;
        carry(&mut limbs);
        limbs
    }

    /// The number of such words, also of added ones.
    pub(super) fn of_words(words: &[i64]) -> Self {
        let mut limbs = Box::new([0; LIMBS]);
        limbs.iter_mut().zip(words).for_each(|(limb, &word)| *limb = word);
        carry(&mut limbs);
        Self { limbs, additions: 1 }
    }

    /// Add all of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.carry();
        let mut other = other.clone();
        other.carry();
        for (mine, theirs) in self.limbs.iter_mut().zip(other.limbs.iter()) {
            *mine += theirs;
        }
        self.additions = 1;
    }

    /// The sum, rounded to nearest, ties to even. An exact zero is `+0.0`; beyond the largest double it is infinite.
    pub fn round(&self) -> f64 {
        let (negative, limbs) = self.magnitude();
        let magnitude = leading(&limbs).map_or(0.0, |(top, exponent, sticky)| round(top, exponent, sticky));
        if negative { -magnitude } else { magnitude }
    }

    /// The square root of the sum, rounded once to nearest. Not a number where the sum is negative.
    pub fn sqrt(&self) -> f64 {
        let (negative, limbs) = self.magnitude();
        if negative {
            return f64::NAN;
        }
        leading(&limbs).map_or(0.0, |(top, exponent, sticky)| {
            // floor(sqrt(floor(s))) = floor(sqrt(s)): 64 bits of the root are right, and the rest is sticky.
            let root = top.isqrt();
            round(root, exponent / 2, sticky || root * root != top)
        })
    }

    #[inline]
    fn add_scaled(&mut self, negative: bool, magnitude: u128, exponent: i32) {
        debug_assert!(magnitude >> 96 == 0);
        let position = (exponent - LOWEST) as u32;
        let index = (position / LIMB_BITS) as usize;
        let shifted = magnitude << (position % LIMB_BITS);
        let sign = if negative { -1 } else { 1 };
        for piece in 0..4 {
            let bits = (shifted >> (LIMB_BITS * piece)) as u32;
            self.limbs[index + piece as usize] += sign * i64::from(bits);
        }
        self.additions += 1;
        if self.additions == ADDITIONS_BETWEEN_CARRIES {
            self.carry();
        }
    }

    /// Move what exceeds a limb upwards: afterwards all limbs but the highest lie in `0..2^32`.
    fn carry(&mut self) {
        carry(&mut self.limbs);
        self.additions = 1;
    }

    fn magnitude(&self) -> (bool, [i64; LIMBS]) {
        let mut limbs = *self.limbs;
        carry(&mut limbs);
        let negative = limbs[LIMBS - 1] < 0;
        if negative {
            for limb in &mut limbs {
                *limb = -*limb;
            }
            carry(&mut limbs);
        }
        (negative, limbs)
    }
}

fn carry(limbs: &mut [i64; LIMBS]) {
    let mut carry = 0;
    for limb in &mut limbs[..LIMBS - 1] {
        let total = *limb + carry;
        carry = total >> LIMB_BITS;
        *limb = total & 0xffff_ffff;
    }
    limbs[LIMBS - 1] += carry;
}

/// The highest bits of a carried, non-negative number, at least 127 of them: the exponent of the lowest, which
/// is even, and whether anything but zeros lies below. `None` for zero.
fn leading(limbs: &[i64; LIMBS]) -> Option<(u128, i32, bool)> {
    let highest = limbs.iter().rposition(|&limb| limb != 0)?;
    let lowest = highest.saturating_sub(3);
    let top = limbs[lowest..=highest].iter().rev().fold(0u128, |top, &limb| top << LIMB_BITS | limb as u128);
    let shift = top.leading_zeros() & !1;
    let exponent = LOWEST + (LIMB_BITS as usize * lowest) as i32 - shift as i32;
    // Where a limb lies below, four are above it, so that the shift is less than a limb.
    let Some(next) = lowest.checked_sub(1) else { return Some((top << shift, exponent, false)) };
    let below = (limbs[next] as u64) << shift;
    let sticky = below & 0xffff_ffff != 0 || limbs[..next].iter().any(|&limb| limb != 0);
    Some((top << shift | u128::from(below >> LIMB_BITS), exponent, sticky))
}

/// Sign, mantissa and exponent of the mantissa's lowest bit.
#[inline]
fn decode(value: f64) -> (bool, u64, i32) {
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let negative = bits >> 63 != 0;
    if biased == 0 { (negative, fraction, -1074) } else { (negative, fraction | 1 << 52, biased - 1075) }
}

/// `mantissa * 2^exponent`, plus something below the last bit where `sticky`, rounded to nearest, ties to even.
fn round(mantissa: u128, exponent: i32, sticky: bool) -> f64 {
    let length = (128 - mantissa.leading_zeros()) as i32;
    let unit = (exponent + length - 53).max(-1074);
    let shift = unit - exponent;
    let quotient = if shift <= 0 {
        mantissa << -shift
    } else if shift > 127 {
        0
    } else {
        let quotient = mantissa >> shift;
        let rest = mantissa & ((1 << shift) - 1);
        let half = 1 << (shift - 1);
        let up = rest > half || (rest == half && (sticky || quotient & 1 == 1));
        quotient + u128::from(up)
    };
    // The leading bit of a normal mantissa adds one to the exponent field, and so does a carry out of it.
    let field = (unit + 1074) as u64;
    if field >= 2046 {
        return f64::INFINITY;
    }
    f64::from_bits(((field << 52) + quotient as u64).min(f64::INFINITY.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::Superaccumulator;

    fn sum(values: &[f64]) -> f64 {
        let mut total = Superaccumulator::default();
        for &value in values {
            total.add(value);
        }
        total.round()
    }

    #[test]
    fn one_value_comes_back() {
        for value in [0.0, 1.0, -1.5, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -5e-324, 0.1, 1e-310] {
            assert_eq!(sum(&[value]), value);
        }
    }

    #[test]
    fn a_tie_goes_to_even_and_a_bit_below_breaks_it() {
        let ulp = f64::EPSILON;
        assert_eq!(sum(&[1.0, ulp / 2.0]), 1.0);
        assert_eq!(sum(&[1.0 + ulp, ulp / 2.0]), 1.0 + 2.0 * ulp);
        assert_eq!(sum(&[1.0, ulp / 2.0, 5e-324]), 1.0 + ulp);
        assert_eq!(sum(&[-1.0, -ulp / 2.0, -5e-324]), -1.0 - ulp);
    }

    #[test]
    fn overflow_on_the_way_is_no_overflow_and_at_the_end_is_infinite() {
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[f64::MIN, f64::MIN]), f64::NEG_INFINITY);
        // Half an ulp of the largest double is the first that rounds up to infinity.
        assert_eq!(sum(&[f64::MAX, 2f64.powi(970)]), f64::INFINITY);
        assert_eq!(sum(&[f64::MAX, 2f64.powi(970), -1.0]), f64::MAX);
    }

    #[test]
    fn products_under_and_overflow_without_loss() {
        let mut total = Superaccumulator::default();
        total.add_product(1e300, 1e300);
        total.add_product(5e-324, 5e-324);
        total.add_product(-1e300, 1e300);
        assert_eq!(total.sqrt(), 5e-324);
        assert_eq!(total.round(), 0.0);
    }

    #[test]
    fn merging_equals_adding() {
        let mut left = Superaccumulator::default();
        let mut right = Superaccumulator::default();
        left.add(1e16);
        left.add(-3.0);
        right.add(-1e16);
        right.add(1e-300);
        left.merge(&right);
        assert_eq!(left.round(), -3.0 + f64::EPSILON * 0.0);
        left.add(3.0);
        assert_eq!(left.round(), 1e-300);
    }

    #[test]
    fn the_root_is_rounded_once() {
        let mut total = Superaccumulator::default();
        total.add(2.0);
        assert_eq!(total.sqrt(), 2f64.sqrt());
        total.add_integer(-1, 1);
        total.add_integer(i128::from(i64::MAX) * 4, 64);
        assert_eq!(total.sqrt(), (i64::MAX as f64 * 4.0 * 2f64.powi(64)).sqrt());
    }
}
