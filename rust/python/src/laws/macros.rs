//! The three signatures that most laws share, and the words that describe their arguments.

/// The numpydoc entry of an argument: one wording wherever it occurs.
macro_rules! describe {
    (n) => { "n : array_like of float\n    Worker counts, dimensionless, each finite and at least 1." };
    (load) => { "n : array_like of float\n    Worker counts, dimensionless, each finite and at least `min_n`." };
    (serial) => { "serial : array_like of float, optional\n    Serial fraction of the time, 0 to 1. Give either this or `p`.\np : array_like of float, optional\n    Parallel fraction, 1 - serial." };
    (min_n) => { "min_n : float, default 1\n    The smallest `n` let in: below 1 for loads that are fractions, such as a mean number of clients." };
    (out) => { "out : ndarray of float64, optional\n    Filled and returned instead of a new array." };
    (sigma) => { "sigma : array_like of float\n    Contention, dimensionless, 0 to 1." };
    (kappa) => { "kappa : array_like of float\n    Coherency, dimensionless, at least 0." };
    (rate) => { "rate : array_like of float\n    Throughput of one worker, work per unit of time, above 0." };
    (speedup) => { "speedup : array_like of float\n    Speedup, dimensionless, above 0." };
    (efficiency) => { "efficiency : array_like of float\n    Efficiency, dimensionless, above 0." };
    (response) => { "response : array_like of float\n    Response time in the time unit of `rate`, above 0." };
    (throughput) => { "throughput : array_like of float\n    Throughput in the unit of `rate`, above 0." };
    (overhead) => { "overhead : array_like of float\n    Overhead at `n` as a share of T(1), dimensionless." };
    (total_overhead) => { "overhead : array_like of float\n    Total overhead n T(n) - W in the unit of `work`, at least 0." };
    (work) => { "work : array_like of float\n    Work: the time on one worker, above 0." };
    (span) => { "span : array_like of float\n    Span: the time of the longest chain, 0 to `work`, in the unit of `work`." };
    (time) => { "time : array_like of float\n    Time to keep, above `span`, in the unit of `work`." };
    (step) => { "step : array_like of float\n    Time of one level of the tree, in the unit of the work." };
    (demand) => { "demand : array_like of float\n    Service demand at the shared resource, a time, above 0." };
    (think) => { "think : array_like of float\n    Think time between requests in the unit of `demand`, at least 0." };
    (answer) => { "\nReturns\n-------\nfloat or ndarray of float64\n    A float where every argument is a number, else an array of the broadcast shape." };
    (raises) => { "\nRaises\n------\nDomainError\n    If a value is outside its range or NaN; the message names argument, index, value and range.\nShapeError\n    If the arguments do not broadcast, or `out` has another shape." };
}

/// A law of n and a serial fraction: `(n, *, serial, p, min_n, out)`.
macro_rules! fraction_law {
    ($(#[$head:meta])* --- $(#[$tail:meta])* $name:ident = $formula:expr) => {
        $(#[$head])*
        #[doc = "\nParameters\n----------"]
        #[doc = describe!(load)]
        #[doc = describe!(serial)]
        #[doc = describe!(min_n)]
        #[doc = describe!(out)]
        #[doc = describe!(answer)]
        #[doc = describe!(raises)]
        $(#[$tail])*
        #[pyfunction]
        #[pyo3(signature = (n, *, serial=None, p=None, min_n=1.0, out=None))]
        pub(crate) fn $name<'py>(
            n: Any<'_, 'py>,
            serial: Maybe<'_, 'py>,
            p: Maybe<'_, 'py>,
            min_n: f64,
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let (fraction, parallel) = fraction(serial, p)?;
            let law = Law::new($formula).parallel(parallel).min_n(min_n).map_err(CoreError::from)?;
            let call = Call { function: stringify!($name), values: [n, fraction], out };
            call.evaluate(&law, |options| options.set_item("min_n", min_n))
        }
    };
}

/// A quantity of a serial fraction alone: `(*, serial, p, out)`.
macro_rules! fraction_only {
    ($(#[$head:meta])* --- $(#[$tail:meta])* $name:ident = $formula:expr) => {
        $(#[$head])*
        #[doc = "\nParameters\n----------"]
        #[doc = describe!(serial)]
        #[doc = describe!(out)]
        #[doc = describe!(answer)]
        #[doc = describe!(raises)]
        $(#[$tail])*
        #[pyfunction]
        #[pyo3(signature = (*, serial=None, p=None, out=None))]
        pub(crate) fn $name<'py>(
            serial: Maybe<'_, 'py>,
            p: Maybe<'_, 'py>,
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let (fraction, parallel) = fraction(serial, p)?;
            let call = Call { function: stringify!($name), values: [fraction], out };
            call.evaluate(&Law::new($formula).parallel(parallel), plain)
        }
    };
}

/// Workers for a speedup or an efficiency under a serial fraction.
macro_rules! fraction_inverse {
    ($(#[$head:meta])* --- $(#[$tail:meta])* $name:ident = $speedup:expr, $efficiency:expr) => {
        $(#[$head])*
        #[doc = "\nParameters\n----------"]
        #[doc = "speedup, efficiency : array_like of float\n    Exactly one of the two, dimensionless, above 0."]
        #[doc = describe!(serial)]
        #[doc = describe!(out)]
        #[doc = describe!(answer)]
        #[doc = describe!(raises)]
        #[doc = "\nWarns\n-----\nBelowOneWorkerWarning\n    If an answer is below 1."]
        $(#[$tail])*
        #[pyfunction]
        #[pyo3(signature = (*, speedup=None, efficiency=None, serial=None, p=None, out=None))]
        pub(crate) fn $name<'py>(
            speedup: Maybe<'_, 'py>,
            efficiency: Maybe<'_, 'py>,
            serial: Maybe<'_, 'py>,
            p: Maybe<'_, 'py>,
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let (fraction, parallel) = fraction(serial, p)?;
            let call = |wanted| Call { function: stringify!($name), values: [wanted, fraction], out };
            match (speedup, efficiency) {
                (Some(s), None) => call(s).workers(&Law::new($speedup).parallel(parallel), plain),
                (None, Some(e)) => call(e).workers(&Law::new($efficiency).parallel(parallel), plain),
                _ => Err(one_of("speedup= and efficiency=")),
            }
        }
    };
}

/// A formula of keyword arguments, after `n` or without it, and without options.
macro_rules! plain_law {
    ($(#[$head:meta])* --- $(#[$tail:meta])* $name:ident($($position:ident)?; $($key:ident = $words:ident),*) = $formula:expr) => {
        $(#[$head])*
        #[doc = "\nParameters\n----------"]
        $(#[doc = describe!($position)])?
        $(#[doc = describe!($words)])*
        #[doc = describe!(out)]
        #[doc = describe!(answer)]
        #[doc = describe!(raises)]
        $(#[$tail])*
        #[pyfunction]
        #[pyo3(signature = ($($position,)? *, $($key,)* out=None))]
        pub(crate) fn $name<'py>(
            $($position: Any<'_, 'py>,)?
            $($key: Any<'_, 'py>,)*
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let call = Call { function: stringify!($name), values: [$($position,)? $($key),*], out };
            call.evaluate(&Law::new($formula), plain)
        }
    };
}

/// A formula of `n`, keyword arguments and `min_n`.
macro_rules! load_law {
    ($(#[$head:meta])* --- $(#[$tail:meta])* $name:ident($($key:ident),*) = $formula:expr) => {
        $(#[$head])*
        #[doc = "\nParameters\n----------"]
        #[doc = describe!(load)]
        $(#[doc = describe!($key)])*
        #[doc = describe!(min_n)]
        #[doc = describe!(out)]
        #[doc = describe!(answer)]
        #[doc = describe!(raises)]
        $(#[$tail])*
        #[pyfunction]
        #[pyo3(signature = (n, *, $($key,)* min_n=1.0, out=None))]
        pub(crate) fn $name<'py>(
            n: Any<'_, 'py>,
            $($key: Any<'_, 'py>,)*
            min_n: f64,
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let law = Law::new($formula).min_n(min_n).map_err(CoreError::from)?;
            let call = Call { function: stringify!($name), values: [n, $($key),*], out };
            call.evaluate(&law, |options| options.set_item("min_n", min_n))
        }
    };
}

pub(super) use {describe, fraction_inverse, fraction_law, fraction_only, load_law, plain_law};
