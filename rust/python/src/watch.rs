//! Asks Python now and then whether a long call should go on: signals, and progress where it is shown.

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::error::CoreError;

/// Asks Python whether to go on, and keeps what it raised.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    raised: Mutex<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { progress, raised: Mutex::new(None) }
    }

    /// False once something was raised.
    pub(crate) fn poll(&self, share: f64) -> bool {
        let asked = Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |call| call.call1(py, (share,)).map(drop))
        });
        asked.map_err(|error| self.keep(error)).is_ok()
    }

    fn keep(&self, error: PyErr) {
        if let Ok(mut raised) = self.raised.lock() {
            *raised = Some(error);
        }
    }

    /// What Python raised goes before what the core makes of it.
    pub(crate) fn finish<T>(self, outcome: scalewall_core::Result<T>) -> PyResult<T> {
        let raised = self.raised.into_inner().ok().flatten();
        raised.map_or_else(|| Ok(outcome.map_err(CoreError::from)?), Err)
    }
}
