//! The table the laws are fitted to: one mean log time for each worker count.

/// Mean log times per worker count, and what the repeats say about noise.
#[derive(Debug, Clone, Default)]
pub struct Means {
    /// Distinct worker counts, ascending.
    pub n: Vec<f64>,
    /// Mean log time at each count, round effects removed where rounds allow it.
    pub y: Vec<f64>,
    /// Used runs at each count.
    pub runs: Vec<f64>,
    /// Sum of squares of the runs about their count (and round) effects: the pure error.
    pub ss_pure: f64,
    /// Degrees of freedom of the pure error; 0 without repeats.
    pub df_pure: f64,
}
