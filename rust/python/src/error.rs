//! The one place where a core error becomes a Python exception.

use pyo3::PyErr;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::import_exception;
use scalewall_core::Error;

import_exception!(scalewall._errors, DomainError);
import_exception!(scalewall._errors, InsufficientDataError);
import_exception!(scalewall._errors, ShapeError);
import_exception!(scalewall._errors, ChoiceError);
import_exception!(scalewall._errors, GridMemoryError);
import_exception!(scalewall._errors, ThreadError);

/// Carries a core error across the border: `?` converts it, and pyo3 raises it.
#[derive(Debug)]
pub(crate) struct CoreError(Error);

impl From<Error> for CoreError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<CoreError> for PyErr {
    fn from(CoreError(error): CoreError) -> Self {
        let message = error.to_string();
        match error {
            Error::Domain { name, index, value, allowed } => {
                DomainError::new_err((message, name, index, value, allowed))
            }
            Error::Shape { .. } => ShapeError::new_err(message),
            Error::TooFew { .. } => InsufficientDataError::new_err(message),
            Error::Choice { .. } => ChoiceError::new_err(message),
            Error::Memory { .. } => GridMemoryError::new_err(message),
            Error::Threads { .. } => ThreadError::new_err(message),
            Error::Cancelled => PyKeyboardInterrupt::new_err(message),
        }
    }
}
