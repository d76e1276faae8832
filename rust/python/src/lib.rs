//! `scalewall._core`: bindings only. Extract arguments, call the core without the GIL, convert the result.

mod error;
mod surfaces;

use pyo3::prelude::*;

/// The compiled core of scalewall; people use `scalewall`, not this module.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::surfaces::{
        surfaces_at_least, surfaces_cells, surfaces_crossings, surfaces_evaluate, surfaces_extremes,
        surfaces_fill_limit, surfaces_machine, surfaces_quick,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("DEBUG_BUILD", cfg!(debug_assertions))
    }
}
