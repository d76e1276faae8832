//! The sum of squares of a curve, with the overall scale of the times profiled out.
//!
//! A curve is known up to its scale `T(1)`, in which least squares has a closed form on each scale
//! of residuals. What is left is a smooth function of the shape parameters, delivered here with its
//! exact first and second derivatives in one pass over the counts and without allocation.

use super::means::Means;
use super::noise::LEAST_VARIANCE;
use super::table::Table;
use super::vecmath::ln;

/// What is minimised: squares of log times, of times, or of rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residuals {
    /// Relative errors; the default.
    Log,
    /// Absolute errors of the time.
    Time,
    /// Absolute errors of the rate 1 / time.
    Throughput,
}

impl Residuals {
    /// The choice of a name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "log" => Some(Self::Log),
            "time" => Some(Self::Time),
            "throughput" => Some(Self::Throughput),
            _ => None,
        }
    }
}

/// One table of means, ready for curves.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    pub residuals: Residuals,
    /// Worker counts.
    pub n: Vec<f64>,
    /// Mean log time, mean time or mean rate at each count.
    pub z: Vec<f64>,
    /// Runs at each count.
    pub weight: Vec<f64>,
    /// All runs.
    pub total: f64,
    /// Weighted sum of `z * z`: what no curve can explain is compared with it.
    pub square: f64,
    /// Pure error of the repeats, on the scale of `z`.
    pub ss_pure: f64,
    /// Its degrees of freedom.
    pub df_pure: f64,
}

/// Value and derivatives of the curve at one count, with respect to `D` shape parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jet<const D: usize> {
    /// Share of the one-worker time.
    pub h: f64,
    /// First derivatives.
    pub d: [f64; D],
    /// Second derivative in the first parameter; every shape but the power law is linear.
    pub dd: f64,
}

/// The sum of squares near one curve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local<const D: usize> {
    /// Weighted sum of squares about the best scale; infinite where the curve is not positive.
    pub sse: f64,
    /// Its gradient.
    pub slope: [f64; D],
    /// Its Hessian.
    pub curvature: [[f64; D]; D],
    /// The best scale: log T(1), T(1) or the rate X(1).
    pub level: f64,
    /// The sum of squares grows by `stiffness * step^2` when the level moves by `step`.
    pub stiffness: f64,
}

impl<const D: usize> Local<D> {
    const NOWHERE: Self = Self {
        sse: f64::INFINITY,
        slope: [0.0; D],
        curvature: [[0.0; D]; D],
        level: f64::NAN,
        stiffness: 1.0,
    };
}

impl Profile {
    /// Means on the scale of the residuals.
    pub(super) fn new(table: &Table, means: &Means, residuals: Residuals) -> Self {
        let (z, ss_pure) = match residuals {
            Residuals::Log => (means.y.clone(), means.ss_pure),
            Residuals::Time => table.average(|row| table.y[row].exp()),
            Residuals::Throughput => table.average(|row| (-table.y[row]).exp()),
        };
        let weight = means.runs.clone();
        let total = weight.iter().sum();
        let square = z.iter().zip(&weight).map(|(z, w)| w * z * z).sum();
        Self { residuals, n: means.n.clone(), z, weight, total, square, ss_pure, df_pure: means.df_pure }
    }

    /// Least variance of one run: [`LEAST_VARIANCE`] of what is measured.
    pub(super) fn least_variance(&self) -> f64 {
        match self.residuals {
            Residuals::Log => LEAST_VARIANCE,
            Residuals::Time | Residuals::Throughput => LEAST_VARIANCE * self.square / self.total,
        }
    }

    /// T(1) of a level.
    pub(super) fn time_one(&self, level: f64) -> f64 {
        match self.residuals {
            Residuals::Log => level.exp(),
            Residuals::Time => level,
            Residuals::Throughput => 1.0 / level.max(0.0),
        }
    }

    /// Sum of squares and derivatives of the curve whose value at count `j` is `jet(j)`.
    pub(super) fn local<const D: usize>(&self, jet: impl Fn(usize) -> Jet<D>) -> Local<D> {
        match self.residuals {
            Residuals::Log => self.local_log(jet),
            Residuals::Time => self.local_linear(jet),
            Residuals::Throughput => self.local_linear(|j| {
                let Jet { h, d, dd } = jet(j);
                let inverse = 1.0 / h;
                // The curvature of 1/h along each pair of directions is 2 d d / h^3: `local_linear`
                // adds it, because only it needs more than one number.
                Jet { h: inverse, d: d.map(|d| -d * inverse * inverse), dd: -dd * inverse * inverse }
            }),
        }
    }

    /// Log times: the best level is the weighted mean of the residuals.
    fn local_log<const D: usize>(&self, jet: impl Fn(usize) -> Jet<D>) -> Local<D> {
        let (mut r1, mut r2) = (0.0, 0.0);
        let (mut a1, mut b1) = ([0.0; D], [[0.0; D]; D]);
        let (mut ra, mut aa, mut rb) = ([0.0; D], [[0.0; D]; D], [[0.0; D]; D]);
        // Residuals are counted from the first one: squares of small differences lose no digits.
        let origin = self.z[0] - ln(jet(0).h);
        for j in 0..self.z.len() {
            let Jet { h, d, dd } = jet(j);
            if h <= 0.0 {
                return Local::NOWHERE;
            }
            let w = self.weight[j];
            let r = self.z[j] - ln(h) - origin;
            let inverse = 1.0 / h;
            r1 += w * r;
            r2 += w * r * r;
            for i in 0..D {
                let a = d[i] * inverse;
                a1[i] += w * a;
                ra[i] += w * r * a;
                for k in 0..=i {
                    let ak = d[k] * inverse;
                    let b = if D == 1 { dd * inverse - a * ak } else { -a * ak };
                    aa[i][k] += w * a * ak;
                    b1[i][k] += w * b;
                    rb[i][k] += w * r * b;
                }
            }
        }
        let mean = r1 / self.total;
        let mut slope = [0.0; D];
        let mut curvature = [[0.0; D]; D];
        for i in 0..D {
            slope[i] = -2.0 * (ra[i] - mean * a1[i]);
            for k in 0..=i {
                let fall = aa[i][k] - a1[i] * a1[k] / self.total;
                curvature[i][k] = 2.0 * (fall - (rb[i][k] - mean * b1[i][k]));
                curvature[k][i] = curvature[i][k];
            }
        }
        let sse = (r2 - r1 * mean).max(0.0);
        Local { sse, slope, curvature, level: origin + mean, stiffness: self.total }
    }

    /// Times or rates `z = level * f`: the best level is the weighted regression through 0.
    fn local_linear<const D: usize>(&self, jet: impl Fn(usize) -> Jet<D>) -> Local<D> {
        let rates = self.residuals == Residuals::Throughput;
        let (mut zf, mut ff) = (0.0, 0.0);
        let (mut zd, mut fd) = ([0.0; D], [0.0; D]);
        let (mut dd2, mut zb, mut fb) = ([[0.0; D]; D], [[0.0; D]; D], [[0.0; D]; D]);
        for j in 0..self.z.len() {
            let Jet { h: f, d, dd } = jet(j);
            if !(f > 0.0 && f.is_finite()) {
                return Local::NOWHERE;
            }
            let (w, z) = (self.weight[j], self.z[j]);
            zf += w * z * f;
            ff += w * f * f;
            for i in 0..D {
                zd[i] += w * z * d[i];
                fd[i] += w * f * d[i];
                for k in 0..=i {
                    let mut bend = if D == 1 { dd } else { 0.0 };
                    if rates {
                        bend += 2.0 * d[i] * d[k] / f;
                    }
                    dd2[i][k] += w * d[i] * d[k];
                    zb[i][k] += w * z * bend;
                    fb[i][k] += w * f * bend;
                }
            }
        }
        let level = zf / ff;
        let mut slope = [0.0; D];
        let mut curvature = [[0.0; D]; D];
        let cross = |i: usize| -2.0 * (zd[i] - 2.0 * level * fd[i]);
        for i in 0..D {
            slope[i] = -2.0 * level * (zd[i] - level * fd[i]);
            for k in 0..=i {
                let full = 2.0 * level * level * dd2[i][k] - 2.0 * level * (zb[i][k] - level * fb[i][k]);
                curvature[i][k] = full - cross(i) * cross(k) / (2.0 * ff);
                curvature[k][i] = curvature[i][k];
            }
        }
        Local { sse: (self.square - level * zf).max(0.0), slope, curvature, level, stiffness: ff }
    }
}
