//! Options by name, and what the callers left out.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};
use scalewall_core::Error;

use super::evaluate::{Any, Maybe, one_of};
use crate::error::CoreError;

/// Declares an enum that is read from its lower-case name.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident as $argument:literal: $($variant:ident = $text:literal),+; $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) enum $name { $($variant),+ }

        impl $name {
            /// The variant of that name; a `ChoiceError` otherwise.
            pub(super) fn read(text: &str) -> PyResult<Self> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => {
                        let (name, got, expected) = ($argument, text.to_owned(), $expected);
                        Err(CoreError::from(Error::Choice { name, got, expected }).into())
                    }
                }
            }
        }
    };
}

choice! {
    /// A side of the peak.
    Branch as "branch": Rising = "rising", Falling = "falling"; "\"rising\" or \"falling\""
}
choice! {
    /// A way to arrange the cores of a chip.
    Design as "design": Symmetric = "symmetric", Asymmetric = "asymmetric", Dynamic = "dynamic";
    "\"symmetric\", \"asymmetric\" or \"dynamic\""
}
choice! {
    /// One of the three serial fractions.
    Share as "to": Amdahl = "amdahl", Gustafson = "gustafson", Trace = "trace";
    "\"amdahl\", \"gustafson\" or \"trace\""
}

/// The option of the falling branch, for the call that NumPy makes on flat arrays.
pub(super) fn falling(options: &Bound<'_, PyDict>) -> PyResult<()> {
    options.set_item("branch", "falling")
}

/// The efficiency of a knee where none is asked for.
pub(super) fn half(py: Python<'_>) -> Bound<'_, PyAny> {
    PyFloat::new(py, 0.5).into_any()
}

/// How the work of Sun and Ni's law grows.
pub(super) enum Growth<'a, 'py> {
    Values(Any<'a, 'py>),
    Power(Any<'a, 'py>),
}

impl<'a, 'py> Growth<'a, 'py> {
    /// The one of the two that was given.
    pub(super) fn read(growth: Maybe<'a, 'py>, exponent: Maybe<'a, 'py>) -> PyResult<Self> {
        match (growth, exponent) {
            (Some(growth), None) => Ok(Self::Values(growth)),
            (None, Some(exponent)) => Ok(Self::Power(exponent)),
            _ => Err(one_of("growth= and exponent=")),
        }
    }
}
