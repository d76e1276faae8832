//! The constrained minimum of a law: exact on every face of the box, Newton's method inside.

use super::family::Law;
use super::profile::{Local, Residuals};
use super::scalar::descend;
use super::surface::{Surface, value};

/// A minimum of the sum of squares, and the range of `b` around it in which the surface is smooth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basin {
    pub a: f64,
    pub b: f64,
    pub sse: f64,
    pub range: (f64, f64),
    /// [`Surface::plateau`] in this range.
    pub plateau: f64,
}

/// Minima of a law; the first one is the lowest.
pub(super) fn basins(surface: &Surface<'_>) -> Vec<Basin> {
    match surface.law {
        Law::Amdahl | Law::Power => {
            let start = if surface.law == Law::Power { 0.5 } else { linear_start(surface).0 };
            let (a, bottom) = surface.valley(0.0, start, 0.0);
            vec![Basin { a, b: 0.0, sse: bottom.f, range: (0.0, 0.0), plateau: 0.0 }]
        }
        Law::Saturation => between_counts(surface),
        Law::Usl | Law::UslLog | Law::UslLogSchwartz => vec![smooth(surface)],
    }
}

/// Laws that are smooth in both parameters: the lowest of the faces and of Newton's method inside.
fn smooth(surface: &Surface<'_>) -> Basin {
    let (low, high) = surface.bounds.b;
    let start = linear_start(surface);
    let mut best = (0.0, 0.0, f64::INFINITY);
    // A face is left only for a gain that rounding cannot make: a parameter at its bound is exactly there.
    let rounding = 1e-28 * (surface.profile.square + surface.profile.total);
    let mut offer = |(a, b, sse): (f64, f64, f64)| {
        if sse < best.2 * (1.0 - 1e-11) - rounding || best.2.is_infinite() {
            best = (a, b, sse);
        }
    };
    if low.is_finite() {
        let (sigma, bottom) = surface.valley(low, start.0, 0.0);
        offer((sigma, low, bottom.f));
        for face in [surface.bounds.a.0, surface.bounds.a.1] {
            let (kappa, bottom) = descend((low, high), start.1, 0.0, |b| value(&surface.along_b(face, b)));
            offer((face, kappa, bottom.f));
        }
        // The bottom of the Amdahl valley, and points off it: starts for data with several minima.
        let step = 0.01 * (1.0 - sigma).max(0.01);
        for from in [(sigma, step / surface.profile.n[surface.profile.n.len() - 1]), (0.5 * sigma, step)] {
            offer(newton(surface, from));
        }
    }
    offer(newton(surface, start));
    let (a, b, sse) = best;
    Basin { a, b, sse, range: surface.bounds.b, plateau: 0.0 }
}

/// Newton's method in the box, with damping where the surface is not convex.
fn newton(surface: &Surface<'_>, start: (f64, f64)) -> (f64, f64, f64) {
    let limits = [surface.bounds.a, surface.bounds.b];
    let mut x = [start.0.clamp(limits[0].0, limits[0].1), start.1.clamp(limits[1].0, limits[1].1)];
    let mut here = surface.plane(x[0], x[1]);
    let mut damping = 0.0;
    for _ in 0..100 {
        if !here.sse.is_finite() {
            break;
        }
        let free: [bool; 2] = std::array::from_fn(|i| {
            let pushes_out = (x[i] == limits[i].0 && here.slope[i] >= 0.0)
                || (x[i] == limits[i].1 && here.slope[i] <= 0.0);
            !pushes_out
        });
        if !free[0] && !free[1] {
            break;
        }
        let Some(step) = damped_step(&here, free, damping) else {
            damping = (damping * 4.0_f64).max(1e-3);
            if damping > 1e12 {
                break;
            }
            continue;
        };
        let gain = -0.5 * (step[0] * here.slope[0] + step[1] * here.slope[1]);
        let next: [f64; 2] = std::array::from_fn(|i| (x[i] + step[i]).clamp(limits[i].0, limits[i].1));
        let there = surface.plane(next[0], next[1]);
        // Close to the bottom the value is all rounding: the last step is taken without asking it.
        let last = damping == 0.0 && gain <= 1e-13 * here.sse && there.sse.is_finite();
        if last || there.sse <= here.sse {
            let stands = next == x;
            (x, here) = (next, there);
            if last || stands {
                break;
            }
            damping = if damping < 1e-3 { 0.0 } else { damping / 10.0 };
        } else {
            damping = (damping * 4.0).max(1e-3);
            if damping > 1e12 {
                break;
            }
        }
    }
    (x[0], x[1], here.sse)
}

/// The damped Newton step over the free parameters; `None` where the damped Hessian is not definite.
fn damped_step(local: &Local<2>, free: [bool; 2], damping: f64) -> Option<[f64; 2]> {
    let h = &local.curvature;
    let damp = |i: usize| h[i][i] + damping * h[i][i].abs().max(1e-300);
    let (p, q) = (damp(0), damp(1));
    match free {
        [true, false] => (p > 0.0).then(|| [-local.slope[0] / p, 0.0]),
        [false, true] => (q > 0.0).then(|| [0.0, -local.slope[1] / q]),
        _ => {
            let determinant = p * q - h[0][1] * h[0][1];
            (p > 0.0 && q > 0.0 && determinant > 1e-14 * p * q).then(|| {
                let [s, t] = local.slope;
                [-(q * s - h[0][1] * t) / determinant, -(p * t - h[0][1] * s) / determinant]
            })
        }
    }
}

/// Start from weighted linear least squares: `T = A/n + B (1 - 1/n) + C g(n)`, errors weighted so that
/// to first order they are those of the chosen residuals. Returns (B/A, C/A), or a mild guess.
fn linear_start(surface: &Surface<'_>) -> (f64, f64) {
    let profile = surface.profile;
    let columns = if surface.law == Law::Amdahl { 2 } else { 3 };
    let mut normal = [[0.0; 4]; 3];
    for (j, n) in profile.n.iter().enumerate() {
        let (time, weight) = match profile.residuals {
            Residuals::Log => {
                let time = (profile.z[j] - profile.z[0]).exp();
                (time, 1.0 / (time * time))
            }
            Residuals::Time => (profile.z[j], 1.0),
            Residuals::Throughput => (profile.z[0] / profile.z[j], (profile.z[j] / profile.z[0]).powi(4)),
        };
        let row = [1.0 / n, 1.0 - 1.0 / n, surface.law.coherency(*n), time];
        for i in 0..columns {
            for k in 0..columns {
                normal[i][k] += profile.weight[j] * weight * row[i] * row[k];
            }
            normal[i][3] += profile.weight[j] * weight * row[i] * time;
        }
    }
    let mild = (0.05, 0.0);
    for i in 0..columns {
        for k in i + 1..columns {
            let factor = normal[k][i] / normal[i][i];
            let pivot = normal[i];
            for (under, over) in normal[k].iter_mut().zip(pivot) {
                *under -= factor * over;
            }
        }
    }
    let mut solution = [0.0; 3];
    for i in (0..columns).rev() {
        let known: f64 = (i + 1..columns).map(|k| normal[i][k] * solution[k]).sum();
        solution[i] = (normal[i][3] - known) / normal[i][i];
    }
    let (sigma, kappa) = (solution[1] / solution[0], solution[2] / solution[0]);
    if solution[0] > 0.0 && sigma.is_finite() && kappa.is_finite() { (sigma, kappa) } else { mild }
}

/// Saturation: the surface has a crease at every measured count, and is smooth between two of them.
fn between_counts(surface: &Surface<'_>) -> Vec<Basin> {
    let (low, high) = surface.bounds.b;
    let mut ends: Vec<f64> =
        surface.profile.n.iter().map(|n| 1.0 / n).filter(|v| (low..=high).contains(v)).collect();
    ends.reverse();
    if ends.len() == 1 {
        ends.push(ends[0]);
    }
    let mut found: Vec<Basin> = Vec::with_capacity(ends.len());
    let mut start = 0.05;
    for range in ends.windows(2).map(|e| (e[0], e[1])) {
        let smooth = Surface { plateau: range.0, ..*surface };
        let basin = lowest_between(&smooth, range, start);
        start = basin.a;
        found.push(basin);
    }
    found.sort_by(|x, y| x.sse.total_cmp(&y.sse));
    found
}

/// The lowest floor for `b` in `range`: an end, or the place where the slope of the floor changes sign.
fn lowest_between(surface: &Surface<'_>, range: (f64, f64), start: f64) -> Basin {
    let basin = |a: f64, b: f64, sse: f64| Basin { a, b, sse, range, plateau: surface.plateau };
    let (mut left, mut right) = range;
    let (a_left, at_left) = surface.floor(left, start, 0.0);
    if at_left.slope[1] >= 0.0 {
        return basin(a_left, left, at_left.sse);
    }
    let (a_right, at_right) = surface.floor(right, a_left, 0.0);
    if at_right.slope[1] <= 0.0 {
        return basin(a_right, right, at_right.sse);
    }
    // Regula falsi, the end that stays put counted half (Illinois): the slope of the floor is nearly straight.
    let (mut f_left, mut f_right) = (at_left.slope[1], at_right.slope[1]);
    let ends = [basin(a_left, left, at_left.sse), basin(a_right, right, at_right.sse)];
    let mut best = if ends[1].sse < ends[0].sse { ends[1] } else { ends[0] };
    let mut moved_left = None;
    for _ in 0..60 {
        let b = (left * f_right - right * f_left) / (f_right - f_left);
        let (a, floor) = surface.floor(b, best.a, 0.0);
        if floor.sse <= best.sse {
            best = basin(a, b, floor.sse);
        }
        let (slope, curvature) = (floor.slope[1], floor.curvature[1][1]);
        let settled = curvature > 0.0 && slope * slope <= 1e-18 * floor.sse * curvature;
        if slope == 0.0 || settled || b == left || b == right {
            break;
        }
        let moves_left = slope < 0.0;
        if moves_left {
            (left, f_left) = (b, slope);
        } else {
            (right, f_right) = (b, slope);
        }
        if moved_left == Some(moves_left) {
            if moves_left {
                f_right *= 0.5;
            } else {
                f_left *= 0.5;
            }
        }
        moved_left = Some(moves_left);
    }
    best
}
