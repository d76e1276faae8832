//! Work and span, and isoefficiency.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, isoefficiency, work_span};

use super::evaluate::{Answer, Any, Call, Maybe, plain};
use super::macros::{describe, plain_law};

plain_law! {
    /// Compute the time that no schedule beats.
    ---
    ///
    /// Notes
    /// -----
    /// max(work/n, span) [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] R. P. Brent, "The parallel evaluation of general arithmetic expressions", J. ACM
    ///    21(2), 1974.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.work_span_lower(16, work=100, span=2)
    /// 6.25
    work_span_lower(n; work = work, span = span) = work_span::Lower
}

plain_law! {
    /// Compute the time that every greedy schedule keeps.
    ---
    ///
    /// Notes
    /// -----
    /// work/n + span (1 - 1/n) [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2),
    ///    1969.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.work_span_upper(16, work=100, span=2)
    /// 8.125
    work_span_upper(n; work = work, span = span) = work_span::Upper
}

plain_law! {
    /// Compute what one more worker takes off the time that every greedy schedule keeps.
    ---
    ///
    /// Notes
    /// -----
    /// d upper/dn = -(work - span)/n², derived from [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] R. L. Graham, SIAM J. Appl. Math. 17(2), 1969.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.work_span_slope(7, work=100, span=2)
    /// -2.0
    work_span_slope(n; work = work, span = span) = work_span::Slope
}

plain_law! {
    /// Compute the largest speedup of any schedule: the parallelism.
    ---
    ///
    /// Notes
    /// -----
    /// work/span [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] R. P. Brent, J. ACM 21(2), 1974.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.work_span_ceiling(work=100, span=2)
    /// 50.0
    work_span_ceiling(; work = work, span = span) = work_span::Ceiling
}

plain_law! {
    /// Find the workers with which every greedy schedule keeps a time.
    ---
    ///
    /// Notes
    /// -----
    /// n = (work - span)/(time - span), the upper bound solved for n [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] R. L. Graham, SIAM J. Appl. Math. 17(2), 1969.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.work_span_workers(time=8.125, work=100, span=2)
    /// 16.0
    work_span_workers(; time = time, work = work, span = span) = work_span::WorkersForTime
}

plain_law! {
    /// Compute the efficiency of a work under a total overhead.
    ---
    ///
    /// Notes
    /// -----
    /// E = W/(W + To) [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] A. Y. Grama, A. Gupta, V. Kumar, "Isoefficiency: measuring the scalability of parallel
    ///    algorithms and architectures", IEEE Parallel Distrib. Technol. 1(3), 1993.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.isoefficiency_efficiency(work=64, overhead=16)
    /// 0.8
    isoefficiency_efficiency(; work = work, overhead = total_overhead) = isoefficiency::Efficiency
}

plain_law! {
    /// Compute how the efficiency grows with the work under a total overhead.
    ---
    ///
    /// Notes
    /// -----
    /// dE/dW = To/(W + To)², derived from [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] A. Y. Grama, A. Gupta, V. Kumar, IEEE Parallel Distrib. Technol. 1(3), 1993.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.isoefficiency_slope(work=1, overhead=1)
    /// 0.25
    isoefficiency_slope(; work = work, overhead = total_overhead) = isoefficiency::Slope
}

plain_law! {
    /// Find the work that keeps an efficiency under a total overhead: the isoefficiency function.
    ---
    ///
    /// Notes
    /// -----
    /// W = K·To with K = E/(1-E), E above 0 and below 1 [1]_. Where To depends on n, pass To(n).
    ///
    /// References
    /// ----------
    /// .. [1] A. Y. Grama, A. Gupta, V. Kumar, IEEE Parallel Distrib. Technol. 1(3), 1993.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> tree = sw.laws.isoefficiency_tree_overhead([4, 8, 16], step=2)
    /// >>> sw.laws.isoefficiency_work(overhead=tree, efficiency=0.8).round(6).tolist()
    /// [64.0, 192.0, 512.0]
    isoefficiency_work(; overhead = total_overhead, efficiency = efficiency) = isoefficiency::Work
}

plain_law! {
    /// Compute the total overhead that a work can carry at an efficiency.
    ---
    ///
    /// Notes
    /// -----
    /// To = W (1-E)/E [1]_, in the unit of the work; E at most 1.
    ///
    /// References
    /// ----------
    /// .. [1] A. Y. Grama, A. Gupta, V. Kumar, IEEE Parallel Distrib. Technol. 1(3), 1993.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.isoefficiency_overhead(work=64, efficiency=0.8), 9)
    /// 16.0
    isoefficiency_overhead(; work = work, efficiency = efficiency) = isoefficiency::Overhead
}

plain_law! {
    /// Compute the total overhead of a tree over all workers.
    ---
    ///
    /// Notes
    /// -----
    /// To(n) = step·n log2 n: with step = 2 the sum of numbers in chapter 5 of [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] A. Grama, A. Gupta, G. Karypis, V. Kumar, *Introduction to Parallel Computing*, 2003.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.isoefficiency_tree_overhead(8, step=2)
    /// 48.0
    isoefficiency_tree_overhead(n; step = step) = isoefficiency::TreeOverhead
}

plain_law! {
    /// Find the workers up to which a work keeps an efficiency under the overhead of a tree.
    ---
    ///
    /// Notes
    /// -----
    /// The root of step·n log2 n = W (1-E)/E; E at most 1, step above 0.
    ///
    /// References
    /// ----------
    /// .. [1] A. Grama, A. Gupta, G. Karypis, V. Kumar, *Introduction to Parallel Computing*, 2003.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.isoefficiency_tree_workers(work=512, efficiency=0.8, step=2), 9)
    /// 16.0
    isoefficiency_tree_workers(; work = work, efficiency = efficiency, step = step) =
        isoefficiency::TreeWorkers
}
