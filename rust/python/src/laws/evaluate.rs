//! From Python values to one core call: numbers, lists of them and plain arrays here, everything else by
//! way of NumPy.

use numpy::{PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList};
use pyo3::{IntoPyObjectExt, import_exception};
use scalewall_core::laws::{Formula, Gathered, Law, Operand, first_below_one, gather};

use super::output::{Output, plain_array};
use crate::error::CoreError;

import_exception!(scalewall._errors, BelowOneWorkerWarning);

/// An argument as Python passed it.
pub(super) type Any<'a, 'py> = &'a Bound<'py, PyAny>;
/// An argument that may be left out.
pub(super) type Maybe<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
/// A float, or an array of them.
pub(super) type Answer<'py> = PyResult<Bound<'py, PyAny>>;

/// Elements from which the interpreter is released: below it, releasing costs more than it gives.
const RELEASE: usize = 8192;

/// One call of a law: the function as Python knows it, its arguments in the order of the formula.
pub(super) struct Call<'a, 'py, const K: usize> {
    pub(super) function: &'static str,
    pub(super) values: [Any<'a, 'py>; K],
    pub(super) out: Maybe<'a, 'py>,
}

/// What the fast paths understand of an argument.
enum Value<'py> {
    Number(f64),
    Array(PyReadonlyArray1<'py, f64>),
    List(Vec<f64>),
    Other,
}

impl<'py> Value<'py> {
    #[inline]
    fn read(value: Any<'_, 'py>) -> Self {
        if let Ok(number) = value.cast::<PyFloat>() {
            Self::Number(number.value())
        } else if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
            value.extract().map_or_else(|error| Self::beyond_range(&error, value), Self::Number)
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            list.iter().map(|item| exact_number(&item)).collect::<Option<_>>().map_or(Self::Other, Self::List)
        } else {
            plain_array(value).and_then(|array| array.try_readonly().ok()).map_or(Self::Other, Self::Array)
        }
    }

    /// An integer too large for a float: infinite, so that the domain check names it.
    #[cold]
    fn beyond_range(error: &PyErr, value: Any<'_, 'py>) -> Self {
        let negative = value.lt(0).unwrap_or(false);
        let limit = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
        if error.is_instance_of::<PyOverflowError>(value.py()) { Self::Number(limit) } else { Self::Other }
    }

    #[inline]
    fn operand(&self) -> Option<Operand<'_>> {
        match self {
            Self::Number(value) => Some(Operand::One(*value)),
            Self::Array(array) => array.as_slice().ok().map(Operand::Many),
            Self::List(values) => Some(Operand::Many(values)),
            Self::Other => None,
        }
    }
}

impl<'py, const K: usize> Call<'_, 'py, K> {
    /// Evaluates the law; `options` are the arguments of the function that the formula does not see.
    #[inline]
    pub(super) fn evaluate<F: Formula<K> + Sync>(
        &self,
        law: &Law<F, K>,
        options: impl FnOnce(&Bound<'py, PyDict>) -> PyResult<()>,
    ) -> Answer<'py> {
        match self.directly(law)? {
            Some(answer) => Ok(answer),
            None => self.broadcast(law, options),
        }
    }

    /// Evaluates an inverse, and warns where its answer is less than one worker.
    #[inline]
    pub(super) fn workers<F: Formula<K> + Sync>(
        &self,
        law: &Law<F, K>,
        options: impl FnOnce(&Bound<'py, PyDict>) -> PyResult<()>,
    ) -> Answer<'py> {
        // The general path calls this function again on flat arrays, and that call warns.
        let Some(answer) = self.directly(law)? else { return self.broadcast(law, options) };
        match Value::read(&answer).operand() {
            Some(Operand::One(n)) => self.warn(first_below_one(&[n]), &answer)?,
            Some(Operand::Many(n)) => self.warn(first_below_one(n), &answer)?,
            None => {}
        }
        Ok(answer)
    }

    /// The fast paths: numbers only, or numbers and plain arrays; `None` for anything else.
    #[inline]
    fn directly<F: Formula<K> + Sync>(&self, law: &Law<F, K>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let values = self.values.map(Value::read);
        match (gather(values.each_ref().map(Value::operand)), self.out) {
            (Some(Gathered::Point(point)), None) => {
                let value = law.evaluate(point).map_err(CoreError::from)?;
                Ok(Some(PyFloat::new(self.py(), value).into_any()))
            }
            (Some(Gathered::Slices(operands, len)), out) => {
                let Some(mut output) = Output::new(self.py(), out, len) else { return Ok(None) };
                fill(self.py(), law, operands, output.slots()?)?;
                Ok(Some(output.into_array()))
            }
            _ => Ok(None),
        }
    }

    fn warn(&self, index: Option<usize>, answer: Any<'_, 'py>) -> PyResult<()> {
        let Some(index) = index else { return Ok(()) };
        let n = if answer.is_instance_of::<PyFloat>() { answer.clone() } else { answer.get_item(index)? };
        let text = format!("{} answers {n} workers: a load below one, which no machine has", self.function);
        let category = self.py().get_type::<BelowOneWorkerWarning>();
        PyErr::warn(self.py(), &category, &std::ffi::CString::new(text)?, 1)
    }

    fn py(&self) -> Python<'py> {
        self.values[0].py()
    }

    /// The general path: NumPy broadcasts, and calls this function again with flat arrays.
    #[cold]
    fn broadcast<F: Formula<K>>(
        &self,
        law: &Law<F, K>,
        options: impl FnOnce(&Bound<'py, PyDict>) -> PyResult<()>,
    ) -> Answer<'py> {
        static HELPER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = self.py();
        let arguments = PyDict::new(py);
        options(&arguments)?;
        let names = law.arguments().map(|argument| argument.name);
        let values = self.values.map(Clone::clone).into_bound_py_any(py)?;
        let helper = HELPER.import(py, "scalewall._broadcast", "evaluate")?;
        helper.call1((self.function, names, values, self.out, arguments))
    }
}

/// A float, or an integer that a float holds; what else may stand for a number is for NumPy to judge.
#[inline]
fn exact_number(item: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(number) = item.cast_exact::<PyFloat>() {
        Some(number.value())
    } else {
        item.cast_exact::<PyInt>().ok()?.extract().ok()
    }
}

fn fill<F: Formula<K> + Sync, const K: usize>(
    py: Python<'_>,
    law: &Law<F, K>,
    operands: [Operand<'_>; K],
    slots: &mut [f64],
) -> PyResult<()> {
    let filled = if slots.len() < RELEASE {
        law.evaluate_into(operands, slots)
    } else {
        py.detach(|| law.evaluate_into(operands, slots))
    };
    Ok(filled.map_err(CoreError::from)?)
}

/// The one of `serial` and `p` that was given, and whether it is `p`.
#[inline]
pub(super) fn fraction<'a, 'py>(serial: Maybe<'a, 'py>, p: Maybe<'a, 'py>) -> PyResult<(Any<'a, 'py>, bool)> {
    match (serial, p) {
        (Some(serial), None) => Ok((serial, false)),
        (None, Some(p)) => Ok((p, true)),
        _ => Err(PyTypeError::new_err(
            "serial and p name the same thing: give exactly one, serial= (the serial fraction) or p= (1 - serial)",
        )),
    }
}

/// For functions without options: it has the shape of those with options.
#[inline]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn plain(_: &Bound<'_, PyDict>) -> PyResult<()> {
    Ok(())
}

/// A message for arguments of which exactly one is wanted.
#[cold]
pub(super) fn one_of(names: &str) -> PyErr {
    PyTypeError::new_err(format!("give exactly one of {names}"))
}
