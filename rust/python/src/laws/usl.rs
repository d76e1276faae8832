//! The Universal Scalability Law forwards, and the queue behind its sigma.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, queueing, usl};

use super::evaluate::{Answer, Any, Call, Maybe, plain};
use super::macros::{describe, load_law, plain_law};
use crate::error::CoreError;

load_law! {
    /// Compute the speedup under contention and coherency: the Universal Scalability Law.
    ---
    ///
    /// Notes
    /// -----
    /// C(n) = n / (1 + sigma (n-1) + kappa n (n-1)) [1]_; kappa = 0 is Amdahl's law.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, "A general theory of computational scalability based on rational
    ///    functions", arXiv:0808.1431, 2008.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_speedup(64, sigma=0.02, kappa=1e-4), 3)
    /// 24.031
    usl_speedup(sigma, kappa) = usl::Speedup
}

load_law! {
    /// Compute the efficiency under contention and coherency: speedup per worker.
    ---
    ///
    /// Notes
    /// -----
    /// C(n)/n = 1 / (1 + sigma (n-1) + kappa n (n-1)) [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:0808.1431, 2008.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_efficiency(64, sigma=0.02, kappa=1e-4), 3)
    /// 0.375
    usl_efficiency(sigma, kappa) = usl::Efficiency
}

load_law! {
    /// Compute what one more worker adds to the speedup under contention and coherency.
    ---
    ///
    /// Notes
    /// -----
    /// dC/dn = (1 - sigma - kappa n²) / (1 + sigma (n-1) + kappa n (n-1))², negative beyond the
    /// peak; derived from [1]_.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:0808.1431, 2008.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.usl_slope(200, sigma=0.02, kappa=1e-4) < 0
    /// True
    usl_slope(sigma, kappa) = usl::Slope
}

load_law! {
    /// Compute the throughput at a number of workers, clients or threads.
    ---
    ///
    /// Notes
    /// -----
    /// X(n) = rate·n / (1 + sigma (n-1) + kappa n (n-1)), in the unit of `rate`, which is X(1)
    /// (lambda in [1]_).
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, *Guerrilla Capacity Planning*, Springer, 2007.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> cisco = {"sigma": 0.02671594548, "kappa": 7.690939104e-4, "rate": 995.6487881}
    /// >>> round(sw.laws.usl_throughput(35, **cisco), 2)
    /// 12341.75
    usl_throughput(sigma, kappa, rate) = usl::Throughput
}

load_law! {
    /// Compute the response time at a number of workers, clients or threads.
    ---
    ///
    /// Notes
    /// -----
    /// R(n) = n/X(n) = (1 + sigma (n-1) + kappa n (n-1))/rate by Little's law, in the time unit
    /// of `rate`.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, *Guerrilla Capacity Planning*, Springer, 2007.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> sw.laws.usl_response(1, sigma=0.02, kappa=1e-4, rate=50)
    /// 0.02
    usl_response(sigma, kappa, rate) = usl::Response
}

plain_law! {
    /// Find the n of the largest speedup under contention and coherency.
    ---
    ///
    /// Notes
    /// -----
    /// n = sqrt((1 - sigma)/kappa), in which X(1) has no part; 1 where the first added worker
    /// already slows, infinite without coherency.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:0808.1431, 2008.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_peak(sigma=0.02, kappa=1e-4), 1)
    /// 99.0
    usl_peak(; sigma = sigma, kappa = kappa) = usl::Peak
}

plain_law! {
    /// Compute the largest speedup at any number of workers under contention and coherency.
    ---
    ///
    /// Notes
    /// -----
    /// C at the peak, 1 / (sigma - kappa + 2 sqrt(kappa (1 - sigma))): it runs on to 1/sigma as
    /// kappa goes to 0. 1/sigma alone is no ceiling while kappa is above 0.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:0808.1431, 2008.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_ceiling(sigma=0.02, kappa=1e-4), 2)
    /// 25.19
    usl_ceiling(; sigma = sigma, kappa = kappa) = usl::Ceiling
}

plain_law! {
    /// Find the n where coherency begins to cost more than contention.
    ---
    ///
    /// Notes
    /// -----
    /// The two terms are sigma (n-1) and kappa n (n-1), so they meet at n = sigma/kappa: sigma
    /// itself must not be compared with kappa. Infinite without coherency.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:0808.1431, 2008.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.usl_crossover(sigma=0.02, kappa=1e-4), 6)
    /// 200.0
    usl_crossover(; sigma = sigma, kappa = kappa) = usl::Crossover
}

load_law! {
    /// Compute the part of T(n)/T(1) that is work divided ideally.
    ---
    ///
    /// Notes
    /// -----
    /// 1/n.
    usl_ideal_part() = usl::IdealPart
}

load_law! {
    /// Compute the part of T(n)/T(1) that is lost to contention.
    ---
    ///
    /// Notes
    /// -----
    /// sigma (n-1)/n.
    usl_contention_part(sigma) = usl::ContentionPart
}

load_law! {
    /// Compute the part of T(n)/T(1) that is lost to coherency.
    ---
    ///
    /// Notes
    /// -----
    /// kappa (n-1).
    usl_coherency_part(kappa) = usl::CoherencyPart
}

plain_law! {
    /// Compute the contention that a queue's service demand and think time amount to.
    ---
    ///
    /// Notes
    /// -----
    /// sigma = D/(D + Z): Amdahl's law is the synchronous bound of the machine-repairman queue.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:cs/0210017, 2002.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.queue_sigma(demand=0.01, think=0.19), 12)
    /// 0.05
    queue_sigma(; demand = demand, think = think) = queueing::Sigma
}

plain_law! {
    /// Compute the throughput of clients whose requests all arrive together.
    ---
    ///
    /// Notes
    /// -----
    /// X(n) = n/(n D + Z), requests per unit of time of `demand`.
    ///
    /// References
    /// ----------
    /// .. [1] N. J. Gunther, arXiv:cs/0210017, 2002.
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.queue_throughput(16, demand=0.01, think=0.19), 3)
    /// 45.714
    queue_throughput(n; demand = demand, think = think) = queueing::Throughput
}
