//! `scalewall._core`: bindings only. Extract arguments, call the core without the GIL, convert the result.

mod error;
mod reduction;
mod surfaces;
mod watch;

use pyo3::prelude::*;

/// The compiled core of scalewall; people use `scalewall`, not this module.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::reduction::{
        reduction_dot, reduction_mean_var, reduction_minmax, reduction_norm2, reduction_read, reduction_sum,
    };
    #[pymodule_export]
    use crate::surfaces::{surfaces_evaluate, surfaces_fill_limit, surfaces_machine};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("DEBUG_BUILD", cfg!(debug_assertions))
    }
}
