//! `scalewall._core`: bindings only. Extract arguments, call the core without the GIL, convert the result.

mod curves;
mod error;
mod fitting;
mod laws;
mod many;
mod reduction;
mod surfaces;
mod watch;

use pyo3::prelude::*;

/// The compiled core of scalewall; people use `scalewall`, not this module.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::curves::{curves_forecast, curves_next, curves_weak};
    #[pymodule_export]
    use super::fitting::{Analysis, fitting_analyse, fitting_mean_interval};
    #[pymodule_export]
    use super::laws::{
        amdahl_ceiling, amdahl_efficiency, amdahl_kleinrock, amdahl_knee, amdahl_sensitivity, amdahl_slope,
        amdahl_speedup, amdahl_workers, gustafson_ceiling, gustafson_efficiency, gustafson_knee,
        gustafson_slope, gustafson_speedup, gustafson_workers, hill_marty_best_r, hill_marty_ceiling,
        hill_marty_cores, hill_marty_slope, hill_marty_speedup, isoefficiency_efficiency,
        isoefficiency_overhead, isoefficiency_slope, isoefficiency_tree_overhead, isoefficiency_tree_workers,
        isoefficiency_work, karp_flatt, karp_flatt_overhead, karp_flatt_slope, karp_flatt_speedup,
        karp_flatt_trend, queue_sigma, queue_throughput, serial_fraction, sun_ni_ceiling, sun_ni_efficiency,
        sun_ni_knee, sun_ni_slope, sun_ni_speedup, sun_ni_workers, usl_ceiling, usl_coherency_part,
        usl_contention_part, usl_crossover, usl_efficiency, usl_ideal_part, usl_knee, usl_log_ceiling,
        usl_log_efficiency, usl_log_knee, usl_log_peak, usl_log_slope, usl_log_speedup, usl_log_workers,
        usl_peak, usl_response, usl_response_at, usl_slope, usl_speedup, usl_throughput, usl_throughput_at,
        usl_workers, work_span_ceiling, work_span_lower, work_span_slope, work_span_upper, work_span_workers,
    };
    #[pymodule_export]
    use super::many::{many_analyse, many_codes, many_columns};
    #[pymodule_export]
    use super::surfaces::{
        surfaces_at_least, surfaces_cells, surfaces_contour, surfaces_evaluate, surfaces_extremes,
        surfaces_fill_limit, surfaces_histogram, surfaces_machine, surfaces_quantiles, surfaces_quick,
    };
    #[pymodule_export]
    use crate::reduction::{
        reduction_dot, reduction_dot_state, reduction_mean_var, reduction_merged_integers,
        reduction_merged_moments, reduction_merged_sum, reduction_minmax, reduction_moments_state,
        reduction_norm2, reduction_program, reduction_read, reduction_sum, reduction_sum_state,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("DEBUG_BUILD", cfg!(debug_assertions))?;
        // Every export would have to be listed again in the stub; nobody imports * from here.
        module.delattr("__all__")
    }
}
