//! Hill and Marty's multicore laws.

use pyo3::prelude::*;
use scalewall_core::laws::{Law, hill_marty};

use super::Design;
use super::evaluate::{Answer, Any, Call, Maybe, fraction, plain};
use super::macros::describe;

/// A law of the three designs: one signature, three formulas.
macro_rules! chip_law {
    ($(#[$doc:meta])* $name:ident($($first:ident)?; $($key:ident),*) by $evaluate:ident =
        $symmetric:expr, $asymmetric:expr, $dynamic:expr) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = ($($first,)? *, $($key,)* serial=None, p=None, design="symmetric", out=None))]
        pub(crate) fn $name<'py>(
            $($first: Any<'_, 'py>,)?
            $($key: Any<'_, 'py>,)*
            serial: Maybe<'_, 'py>,
            p: Maybe<'_, 'py>,
            design: &str,
            out: Maybe<'_, 'py>,
        ) -> Answer<'py> {
            let (f, parallel) = fraction(serial, p)?;
            let call = Call { function: stringify!($name), values: [$($first,)? $($key,)* f], out };
            let give = |options: &Bound<'py, pyo3::types::PyDict>| options.set_item("design", design);
            match Design::read(design)? {
                Design::Symmetric => call.$evaluate(&Law::new($symmetric).parallel(parallel), plain),
                Design::Asymmetric => call.$evaluate(&Law::new($asymmetric).parallel(parallel), give),
                Design::Dynamic => call.$evaluate(&Law::new($dynamic).parallel(parallel), give),
            }
        }
    };
}

macro_rules! describe_chip {
    (n) => { "n : array_like of float\n    Base-core equivalents on the chip, each finite and at least 1." };
    (r) => { "r : array_like of float\n    Base cores fused into a big one, 1 to n: it runs sqrt(r) times as fast." };
    (design) => { "design : {\"symmetric\", \"asymmetric\", \"dynamic\"}, default \"symmetric\"\n    n/r big cores; or one big core and n - r base cores; or r that fuse for the serial part only." };
    (choice) => { "ChoiceError\n    If `design` is none of the three." };
    (source) => { "\nReferences\n----------\n.. [1] M. D. Hill, M. R. Marty, \"Amdahl's law in the multicore era\", IEEE Computer 41(7), 2008." };
}

chip_law! {
    /// Compute the speedup of a chip over one base core: Hill and Marty's multicore law.
    ///
    /// Parameters
    /// ----------
    #[doc = describe_chip!(n)]
    #[doc = describe_chip!(r)]
    #[doc = describe!(serial)]
    #[doc = describe_chip!(design)]
    #[doc = describe!(out)]
    #[doc = describe!(answer)]
    #[doc = describe!(raises)]
    #[doc = describe_chip!(choice)]
    ///
    /// Notes
    /// -----
    /// 1/S is s/sqrt(r) plus, for the parallel part, (1-s) r/(sqrt(r) n), (1-s)/(sqrt(r) + n - r)
    /// or (1-s)/n [1]_.
    #[doc = describe_chip!(source)]
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.hill_marty_speedup(256, r=16, serial=0.025, design="asymmetric"), 1)
    /// 97.6
    hill_marty_speedup(n; r) by evaluate =
        hill_marty::Symmetric, hill_marty::Asymmetric, hill_marty::Dynamic
}

chip_law! {
    /// Compute what one more base core adds to the speedup of a chip.
    ///
    /// Parameters
    /// ----------
    #[doc = describe_chip!(n)]
    #[doc = describe_chip!(r)]
    #[doc = describe!(serial)]
    #[doc = describe_chip!(design)]
    #[doc = describe!(out)]
    #[doc = describe!(answer)]
    #[doc = describe!(raises)]
    #[doc = describe_chip!(choice)]
    ///
    /// Notes
    /// -----
    /// dS/dn at fixed r, derived from [1]_.
    #[doc = describe_chip!(source)]
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.hill_marty_slope(256, r=16, serial=0.025, design="dynamic"), 3)
    /// 0.147
    hill_marty_slope(n; r) by evaluate =
        hill_marty::SymmetricSlope, hill_marty::AsymmetricSlope, hill_marty::DynamicSlope
}

chip_law! {
    /// Find the base cores of a chip that give a speedup.
    ///
    /// Parameters
    /// ----------
    /// speedup : array_like of float
    ///     Speedup over one base core, above 0.
    #[doc = describe_chip!(r)]
    #[doc = describe!(serial)]
    #[doc = describe_chip!(design)]
    #[doc = describe!(out)]
    #[doc = describe!(answer)]
    #[doc = describe!(raises)]
    #[doc = describe_chip!(choice)]
    ///
    /// Notes
    /// -----
    /// The speedup laws solved for n: with V = (1-s) / (1/S - s/sqrt(r)), n is sqrt(r) V,
    /// V - sqrt(r) + r or V. Fewer than r cores are no answer.
    #[doc = describe_chip!(source)]
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.hill_marty_cores(speedup=97.6, r=16, serial=0.025, design="asymmetric"), 6)
    /// 256.0
    hill_marty_cores(; speedup, r) by evaluate =
        hill_marty::SymmetricCores, hill_marty::AsymmetricCores, hill_marty::DynamicCores
}

chip_law! {
    /// Find the size of the big core that gives a chip its largest speedup.
    ///
    /// Parameters
    /// ----------
    #[doc = describe_chip!(n)]
    #[doc = describe!(serial)]
    #[doc = describe_chip!(design)]
    #[doc = describe!(out)]
    #[doc = describe!(answer)]
    #[doc = describe!(raises)]
    #[doc = describe_chip!(choice)]
    ///
    /// Notes
    /// -----
    /// Symmetric: r = s n/(1-s), kept between 1 and n. Asymmetric: the root of
    /// (1-s)(2x-1) x² = s (x + n - x²)² with x = sqrt(r). Dynamic: r = n.
    #[doc = describe_chip!(source)]
    ///
    /// Examples
    /// --------
    /// >>> import scalewall as sw
    /// >>> round(sw.laws.hill_marty_best_r(256, serial=0.025, design="asymmetric"), 3)
    /// 66.004
    hill_marty_best_r(n;) by evaluate =
        hill_marty::SymmetricBest, hill_marty::AsymmetricBest, hill_marty::DynamicBest
}

/// Compute the largest speedup of a chip at any number of base cores.
///
/// Parameters
/// ----------
#[doc = describe_chip!(r)]
#[doc = describe!(serial)]
#[doc = describe!(out)]
#[doc = describe!(answer)]
#[doc = describe!(raises)]
///
/// Notes
/// -----
/// sqrt(r)/s for all three designs; infinite without a serial part.
#[doc = describe_chip!(source)]
///
/// Examples
/// --------
/// >>> import scalewall as sw
/// >>> sw.laws.hill_marty_ceiling(r=16, serial=0.25)
/// 16.0
#[pyfunction]
#[pyo3(signature = (*, r, serial=None, p=None, out=None))]
pub(crate) fn hill_marty_ceiling<'py>(
    r: Any<'_, 'py>,
    serial: Maybe<'_, 'py>,
    p: Maybe<'_, 'py>,
    out: Maybe<'_, 'py>,
) -> Answer<'py> {
    let (f, parallel) = fraction(serial, p)?;
    let call = Call { function: "hill_marty_ceiling", values: [r, f], out };
    call.evaluate(&Law::new(hill_marty::Ceiling).parallel(parallel), plain)
}
