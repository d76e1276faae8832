//! `scalewall._core`: bindings only. Extract arguments, call the core without the GIL, convert the result.

mod curves;
mod error;
mod fitting;

use pyo3::prelude::*;

/// The compiled core of scalewall; people use `scalewall`, not this module.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::curves::{curves_forecast, curves_next, curves_weak};
    #[pymodule_export]
    use super::fitting::{Analysis, fitting_analyse, fitting_mean_interval};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("DEBUG_BUILD", cfg!(debug_assertions))
    }
}
