//! Every argument is looked at before a cell is computed.

use super::law::{Grid, Law, Quantity};
use super::real::Real;
use crate::error::{Error, Result};

const COUNT: &str = "a finite worker count of at least 1";
const FRACTION: &str = "a fraction from 0 to 1";
const NOT_NEGATIVE: &str = "a finite number of at least 0";
const FINITE: &str = "a finite number";

impl<T: Real> Grid<'_, T> {
    /// Rows of the grid.
    pub fn rows(&self) -> usize {
        let lengths = self.parameters.iter().chain(self.scale.as_ref()).map(|values| values.len());
        // A parameter without rows empties the grid, whatever the others hold.
        lengths.reduce(|a, b| if a == 1 { b } else { a }).unwrap_or(1)
    }

    /// Names of the parameters, in order.
    fn names(&self) -> &'static [&'static str] {
        match self.law {
            Law::Amdahl | Law::Gustafson | Law::SunNi if self.serial_given => &["serial"],
            Law::Amdahl | Law::Gustafson | Law::SunNi => &["p"],
            Law::Usl | Law::UslLog => &["sigma", "kappa"],
            Law::Ring { .. } | Law::Tree { .. } => &["serial", "compute", "latency", "transfer"],
            Law::Terms => &["term 1", "term 2", "term 3", "term 4"],
        }
    }

    /// Checks lengths and domains.
    ///
    /// # Errors
    /// [`Error::Shape`] where lengths do not fit, [`Error::Domain`] for the first bad value.
    pub fn check(&self) -> Result<()> {
        let (rows, names) = (self.rows(), self.names());
        let wanted = if self.law == Law::Terms { self.parameters.len().clamp(1, 4) } else { names.len() };
        if self.parameters.len() != wanted {
            let expected = format!("{wanted} parameters");
            return Err(Error::Shape { name: "parameters", expected, got: self.parameters.len() });
        }
        for (&values, &name) in self.parameters.iter().zip(names) {
            fits(values, name, rows)?;
            match self.law {
                Law::Terms => all(values, name, FINITE, f64::is_finite)?,
                Law::Ring { .. } | Law::Tree { .. } => all(values, name, NOT_NEGATIVE, not_negative)?,
                _ if name == "kappa" => all(values, name, NOT_NEGATIVE, not_negative)?,
                _ => all(values, name, FRACTION, |x| (0.0..=1.0).contains(&x))?,
            }
        }
        if let Law::Ring { .. } | Law::Tree { .. } = self.law {
            let (serial, compute) = (self.parameters[0], self.parameters[1]);
            for row in 0..rows {
                let at = |values: &[T]| values[if values.len() == 1 { 0 } else { row }].to_f64();
                if at(serial) + at(compute) <= 0.0 {
                    let allowed = "more than 0 seconds of work on one worker, serial and compute together";
                    return Err(Error::Domain {
                        name: "compute",
                        index: Some(row),
                        value: at(compute),
                        allowed,
                    });
                }
            }
        }
        if let Some(scale) = self.scale {
            fits(scale, "scale", rows)?;
            all(scale, "scale", FINITE, f64::is_finite)?;
        }
        all(self.n, "n", COUNT, |n| n >= 1.0 && n.is_finite())?;
        let (name, wanted): (&'static str, usize) = match self.law {
            Law::SunNi => ("growth", 1),
            Law::UslLog | Law::Tree { .. } => ("logarithm", 1),
            Law::Terms => ("columns", 2 + self.parameters.len()),
            _ => ("columns", 0),
        };
        if self.columns.len() != wanted {
            return Err(Error::Shape {
                name,
                expected: format!("{wanted} columns"),
                got: self.columns.len(),
            });
        }
        for &column in &self.columns {
            if column.len() != self.n.len() {
                let expected = format!("the length of n, {}", self.n.len());
                return Err(Error::Shape { name, expected, got: column.len() });
            }
            if self.law == Law::Terms {
                all(column, name, FINITE, f64::is_finite)?;
            } else {
                all(column, name, NOT_NEGATIVE, not_negative)?;
            }
        }
        if self.law == Law::Terms
            && !matches!(self.quantity, Quantity::Speedup | Quantity::Time | Quantity::Throughput)
        {
            return Err(Error::Choice {
                name: "quantity",
                got: format!("{:?}", self.quantity),
                expected: "speedup, throughput (a numerator over the sum) or time (the sum) for own terms",
            });
        }
        Ok(())
    }
}

fn not_negative(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}

fn fits<T>(values: &[T], name: &'static str, rows: usize) -> Result<()> {
    if values.len() == rows || values.len() == 1 {
        return Ok(());
    }
    Err(Error::Shape { name, expected: format!("1, or the number of rows, {rows}"), got: values.len() })
}

fn all<T: Real>(
    values: &[T],
    name: &'static str,
    allowed: &'static str,
    good: fn(f64) -> bool,
) -> Result<()> {
    // All of them first, which the compiler turns into vectors; the place only where it matters.
    if values.iter().fold(true, |so_far, x| so_far & good(x.to_f64())) {
        return Ok(());
    }
    match values.iter().position(|x| !good(x.to_f64())) {
        None => Ok(()),
        Some(index) => Err(Error::Domain {
            name,
            index: (values.len() > 1).then_some(index),
            value: values[index].to_f64(),
            allowed,
        }),
    }
}
