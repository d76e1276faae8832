//! The region of parameters that the data allow: all curves with a sum of squares up to a threshold.
//!
//! `SSE(a, b) <= SSE_min + s^2 F(level; 1, df)`. The region is cut into slices of constant `b`; each is
//! an interval of `a` with exact ends. Every quantity asked of a region is monotone, or a quotient of
//! lines, in the parameters, so its extremes lie on the boundary: at the ends of a slice, or between
//! two slices, where a line search cuts new ones.

use std::f64::consts::PI;

use super::family::Point;
use super::minimum::Basin;
use super::profile::Local;
use super::scalar::{crossing, maximise};
use super::surface::{Side, Slice, Surface, reach};

/// Slices of a region that is smooth throughout.
const SLICES: usize = 17;
/// Slices between two neighbouring creases.
const SLICES_BETWEEN: usize = 5;

/// A connected part of the region in which the surface is smooth, with its slices by ascending `b`.
#[derive(Debug, Clone)]
struct Piece {
    plateau: f64,
    slices: Vec<Slice>,
}

/// All parameters that the data allow for one law.
#[derive(Debug, Clone)]
pub(super) struct Region {
    pub threshold: f64,
    /// Precision, in the sum of squares, to which the slices are cut.
    gain: f64,
    pieces: Vec<Piece>,
}

/// The place of a slice between the ends of its piece, as an angle over pi: slices crowd at the ends.
fn angle(b: f64, (low, high): (f64, f64)) -> f64 {
    (1.0 - 2.0 * ((b - low) / (high - low)).clamp(0.0, 1.0)).acos() / PI
}

fn from_angle(t: f64, (low, high): (f64, f64)) -> f64 {
    if t <= 0.0 {
        low
    } else if t >= 1.0 {
        high
    } else {
        low + (high - low) * 0.5 * (1.0 - (PI * t).cos())
    }
}

impl Region {
    /// Cut the region around the basins of a law.
    pub(super) fn new(surface: &Surface<'_>, basins: &[Basin], threshold: f64) -> Self {
        let gain = 1e-7 * (threshold - basins[0].sse);
        let count = if basins.len() > 1 { SLICES_BETWEEN } else { SLICES };
        let pieces = basins
            .iter()
            .filter(|basin| basin.sse <= threshold)
            .map(|basin| {
                piece(&Surface { plateau: basin.plateau, ..*surface }, basin, threshold, gain, count)
            })
            .collect();
        Self { threshold, gain, pieces }
    }

    /// Smallest and largest value over the region of a quantity that has its extremes on the boundary.
    pub(super) fn range(&self, surface: &Surface<'_>, quantity: impl Fn(Point) -> f64) -> (f64, f64) {
        let mut least = (f64::INFINITY, None);
        let mut most = (f64::NEG_INFINITY, None);
        for (p, piece) in self.pieces.iter().enumerate() {
            for (s, slice) in piece.slices.iter().enumerate() {
                for side in [Side::Low, Side::High] {
                    let value = quantity(surface.point(slice.end(side), slice.b));
                    let place = Some((p, s, side));
                    if value < least.0 {
                        least = (value, place);
                    }
                    if value > most.0 {
                        most = (value, place);
                    }
                }
            }
        }
        let search = |sign: f64, (value, place): (f64, Option<(usize, usize, Side)>)| {
            let Some((p, s, side)) = place.filter(|_| value.is_finite()) else { return value };
            let at = |surface: &Surface<'_>, b: f64, a: f64| sign * quantity(surface.point(a, b));
            let found = self.between(
                surface,
                (p, s),
                |surface, slice| at(surface, slice.b, slice.end(side)),
                |surface, b, start| {
                    let end = surface.side(b, start, self.gain, self.threshold, side);
                    end.map_or(f64::NEG_INFINITY, |a| at(surface, b, a))
                },
            );
            sign * found
        };
        (search(-1.0, least), search(1.0, most))
    }

    /// Smallest and largest `b`: the ends of the pieces.
    pub(super) fn range_b(&self, surface: &Surface<'_>) -> (f64, f64) {
        let ends =
            self.pieces.iter().flat_map(|piece| [piece.slices[0].b, piece.slices[piece.slices.len() - 1].b]);
        ends.map(|b| surface.point(0.0, b).b)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), b| (low.min(b), high.max(b)))
    }

    /// The largest value over the region of a quantity that may have it inside.
    ///
    /// `quantity(local, point)` knows the level of the curve from `local`, and how far the threshold
    /// lets that level move: by the root of `(threshold - sse) / stiffness`.
    pub(super) fn largest_inside(
        &self,
        surface: &Surface<'_>,
        quantity: impl Fn(&Local<1>, Point) -> f64,
    ) -> f64 {
        let in_slice = |surface: &Surface<'_>, slice: &Slice| {
            let inner = |a: f64| quantity(&surface.along_a(a, slice.b), surface.point(a, slice.b));
            let mut known = [slice.low, slice.mid, slice.high].map(|a| (a, inner(a)));
            known.sort_by(|x, y| y.1.total_cmp(&x.1));
            if slice.high > slice.low { maximise((slice.low, slice.high), known, inner) } else { known[0].1 }
        };
        let mut best = (f64::NEG_INFINITY, None);
        for (p, piece) in self.pieces.iter().enumerate() {
            let smooth = Surface { plateau: piece.plateau, ..*surface };
            for (s, slice) in piece.slices.iter().enumerate() {
                let value = in_slice(&smooth, slice);
                if value > best.0 {
                    best = (value, Some((p, s)));
                }
            }
        }
        let Some(place) = best.1.filter(|_| best.0.is_finite()) else { return best.0 };
        self.between(surface, place, in_slice, |surface, b, start| {
            let slice = surface.slice(b, start, self.gain, self.threshold);
            slice.map_or(f64::NEG_INFINITY, |slice| in_slice(surface, &slice))
        })
    }

    /// The largest value of `of` near slice `s` of piece `p`, where the largest of all slices lies:
    /// new slices are cut between its neighbours. `cut(surface, b, start)` values a new one.
    fn between(
        &self,
        surface: &Surface<'_>,
        (p, s): (usize, usize),
        of: impl Fn(&Surface<'_>, &Slice) -> f64,
        cut: impl Fn(&Surface<'_>, f64, f64) -> f64,
    ) -> f64 {
        let Piece { plateau, slices } = &self.pieces[p];
        let smooth = Surface { plateau: *plateau, ..*surface };
        let best = of(&smooth, &slices[s]);
        if slices.len() < 3 {
            return best;
        }
        let ends = (slices[0].b, slices[slices.len() - 1].b);
        let at = |i: usize| angle(slices[i].b, ends);
        let middle = s.clamp(1, slices.len() - 2);
        let others = if s == middle { [s - 1, s + 1] } else { [middle, 2 * middle - s] };
        let (w, v) = (of(&smooth, &slices[others[0]]), of(&smooth, &slices[others[1]]));
        let mut known = [(at(s), best), (at(others[0]), w), (at(others[1]), v)];
        if v > w {
            known.swap(1, 2);
        }
        let bracket = (at(s.saturating_sub(1)), at((s + 1).min(slices.len() - 1)));
        maximise(bracket, known, |t| {
            let b = from_angle(t, ends);
            // The bottom of the cut moves smoothly with b: a straight line between two slices is a start.
            let other = if (b < slices[s].b && s > 0) || s + 1 == slices.len() { s - 1 } else { s + 1 };
            let (here, there) = (slices[s], slices[other]);
            let start = here.mid + (there.mid - here.mid) * (b - here.b) / (there.b - here.b);
            cut(&smooth, b, start)
        })
    }
}

/// Slices of one basin between its two ends, crowding at the ends where the boundary turns.
fn piece(surface: &Surface<'_>, basin: &Basin, threshold: f64, gain: f64, count: usize) -> Piece {
    let ends = (edge(surface, basin, threshold, gain, -1.0), edge(surface, basin, threshold, gain, 1.0));
    let mut places: Vec<f64> = if ends.0 == ends.1 {
        vec![ends.0]
    } else {
        (0..count).map(|i| from_angle(i as f64 / (count - 1) as f64, ends)).collect()
    };
    if ends.0 < basin.b && basin.b < ends.1 {
        places.push(basin.b);
        places.sort_by(f64::total_cmp);
        places.dedup();
    }
    let mut start = basin.a;
    let slices = places
        .into_iter()
        .map(|b| {
            // At an end the slice is a single point that rounding may put above the threshold.
            let slice = surface.slice(b, start, gain, threshold).unwrap_or_else(|| {
                let (mid, _) = surface.valley(b, start, gain);
                Slice { b, low: mid, mid, high: mid }
            });
            start = slice.mid;
            slice
        })
        .collect();
    Piece { plateau: basin.plateau, slices }
}

/// The end of the region in `b`, below (`side = -1`) or above the basin.
fn edge(surface: &Surface<'_>, basin: &Basin, threshold: f64, gain: f64, side: f64) -> f64 {
    let bound = if side < 0.0 { basin.range.0 } else { basin.range.1 };
    if basin.b == bound {
        return bound;
    }
    let h = surface.plane(basin.a, basin.b).curvature;
    // Along the floor `a` follows `b`, unless it sits at its bound.
    let free = basin.a > surface.bounds.a.0 && basin.a < surface.bounds.a.1;
    let curvature = if free { h[1][1] - h[0][1] * h[0][1] / h[0][0] } else { h[1][1] };
    let step = side * reach(threshold - basin.sse, curvature, basin.b);
    let mut start = basin.a;
    crossing(basin.b, basin.sse, step, bound, threshold, |b| {
        let (a, floor) = surface.floor(b, start, gain);
        start = a;
        (floor.sse, floor.slope[1])
    })
}
