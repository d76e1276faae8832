//! One row segment: form, finish, store. The same source for every level; the compiler makes the
//! vectors, and the fused multiply-add is used only where its result is provably the division's.
#![allow(unsafe_code)] // Functions of a CPU level, and streaming stores; each block states its reason.
#![allow(clippy::inline_always)] // Bodies must land inside the function that enables the CPU level.

use super::law::{Finish, Form, Row, TABLES};
use super::level::{Level, Store};
use super::real::Real;

/// Columns of one segment: two tables and the scratch row stay in the first cache.
pub(super) const SEGMENT: usize = 1024;

/// How the last division of a row is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Division {
    /// The processor's own, correctly rounded.
    Exact,
    /// One division for two cells: `1/(x*y)`, times the other one.
    Pairs,
}

/// What the kernels need to know of a row and its columns.
#[derive(Clone, Copy)]
pub(super) struct Segment<'a, T> {
    pub(super) form: Form,
    pub(super) finish: Finish,
    pub(super) row: &'a Row<T>,
    pub(super) tables: [&'a [T]; TABLES],
    /// `r1/n` may be made of multiplications.
    pub(super) multiply: bool,
    pub(super) division: Division,
}

/// Writes the cells of a segment to `out`, which is as long as the tables.
pub(super) fn write<T: Real>(level: Level, store: Store, segment: &Segment<'_, T>, out: &mut [T]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Level::named` and `Level::best` give a level only to a processor that has it.
        Level::Avx512 => unsafe { x86::write_avx512(store, segment, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { x86::write_avx2(store, segment, out) },
        _ => {
            let segment = Segment { multiply: false, ..*segment };
            body::<T, Sse2>(store, &segment, out);
        }
    }
}

/// Writes 1/n in two pieces: rounded, and what that misses to working precision.
pub(super) fn reciprocals<T: Real>(n: &[T], high: &mut [T], low: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if Level::best() >= Level::Avx2 {
        // SAFETY: the processor has the level.
        unsafe { x86::reciprocals_avx2(n, high, low) };
        return;
    }
    reciprocals_body(n, high, low);
}

#[inline(always)]
fn reciprocals_body<T: Real>(n: &[T], high: &mut [T], low: &mut [T]) {
    for ((&n, high), low) in n.iter().zip(high).zip(low) {
        *high = T::ONE / n;
        *low = *high * (T::ZERO - n).fused(*high, T::ONE);
    }
}

/// Ends streaming: everything written is visible to the thread that the caller wakes next.
pub(super) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// How one CPU level streams whole 64-byte lines.
trait Stream {
    /// # Safety
    /// `to` begins on a 64-byte line and is as long as `from`, a multiple of 64 bytes; the
    /// processor has the level.
    unsafe fn copy<T: Real>(from: &[T], to: *mut T);
}

/// Cells of one run: a few lines, so that computing and streaming overlap.
const RUN: usize = 64;

#[repr(align(64))]
struct Lines<T>([T; RUN]);

/// Two loops for one expression of a column `j`: whole runs, and what is left at the edges.
///
/// A macro, because a closure that the compiler leaves out of line would lose the CPU level.
macro_rules! emit {
    ($plan:ident, $out:ident, $stream:ty, $j:ident, $run:expr, $edge:expr, $after:expr) => {{
        let mut lines = Lines([T::ZERO; RUN]);
        for number in 0..$plan.runs {
            let from = $plan.head + number * RUN;
            for (k, cell) in lines.0.iter_mut().enumerate() {
                let $j = from + k;
                *cell = $run;
            }
            $after(&mut lines.0);
            // SAFETY: `from + RUN` lies inside `out`; streaming runs begin on a 64-byte line and
            // are whole lines, and the level is the caller's.
            unsafe {
                let target = $out.as_mut_ptr().add(from);
                if $plan.streaming {
                    <$stream>::copy(&lines.0, target);
                } else {
                    std::ptr::copy_nonoverlapping(lines.0.as_ptr(), target, RUN);
                }
            }
        }
        for (from, to) in [(0, $plan.head), ($plan.head + $plan.runs * RUN, $out.len())] {
            for $j in from..to {
                let value = $edge;
                // SAFETY: `to` is at most the length of `out`.
                unsafe { *$out.get_unchecked_mut($j) = value };
            }
        }
    }};
}

/// The expressions that a form, a function of `j`, may end in.
macro_rules! finished {
    ($plan:ident, $s:ident, $out:ident, $stream:ty, $j:ident, $form:expr) => {{
        let (scale, second_a, second_b) = ($s.row[5], $s.row[6], $s.row[7]);
        let t5 = Column::new($s.tables[5], $out.len());
        match ($s.finish, $s.division) {
            (Finish::Scale, _) => emit!($plan, $out, $stream, $j, $form * scale, $form * scale, keep),
            (Finish::Over, Division::Pairs) => {
                let invert = |run: &mut [T; RUN]| pairs(run, scale);
                emit!($plan, $out, $stream, $j, $form, scale / $form, invert);
            }
            (Finish::Over, Division::Exact) => {
                emit!($plan, $out, $stream, $j, scale / $form, scale / $form, keep);
            }
            (Finish::ColumnOver, _) => {
                emit!($plan, $out, $stream, $j, scale * t5.at($j) / $form, scale * t5.at($j) / $form, keep);
            }
            (Finish::RowOver, _) => emit!(
                $plan,
                $out,
                $stream,
                $j,
                scale * (second_a + second_b * t5.at($j)) / $form,
                scale * (second_a + second_b * t5.at($j)) / $form,
                keep
            ),
        }
    }};
}

#[inline(always)]
fn keep<T>(_: &mut [T; RUN]) {}

/// A table whose length was compared with the segment's once.
#[derive(Clone, Copy)]
struct Column<'a, T>(&'a [T]);

impl<'a, T: Copy> Column<'a, T> {
    #[inline(always)]
    fn new(table: &'a [T], length: usize) -> Self {
        Self(&table[..length])
    }

    #[inline(always)]
    fn at(self, j: usize) -> T {
        // SAFETY: `emit!` runs `j` over the segment, whose length `new` cut the table to.
        unsafe { *self.0.get_unchecked(j) }
    }
}

/// How a segment is cut into runs.
struct Plan {
    head: usize,
    runs: usize,
    streaming: bool,
}

#[inline(always)]
fn body<T: Real, S: Stream>(store: Store, s: &Segment<'_, T>, out: &mut [T]) {
    let streaming = store == Store::Streaming;
    let head = if streaming { out.as_ptr().align_offset(64).min(out.len()) } else { 0 };
    let by_runs = streaming || s.division == Division::Pairs;
    let runs = if by_runs { (out.len() - head) / RUN } else { 0 };
    let plan = Plan { head, runs, streaming };
    let r = *s.row;
    let [t0, t1, t2, t3, t4, _] = s.tables.map(|table| Column::new(table, out.len()));
    match s.form {
        Form::Quotient if s.multiply && s.division == Division::Pairs => {
            finished!(plan, s, out, S, j, r[0] + r[1].fused(t1.at(j), r[1] * t2.at(j)));
        }
        Form::Quotient if s.multiply => finished!(plan, s, out, S, j, {
            // Markstein: the quotient from a reciprocal in two pieces is faithful, and one
            // correction by the exact remainder rounds it as the division would.
            let q = r[1].fused(t1.at(j), r[1] * t2.at(j));
            let remainder = (T::ZERO - q).fused(t0.at(j), r[1]);
            r[0] + remainder.fused(t1.at(j), q)
        }),
        Form::Quotient => finished!(plan, s, out, S, j, r[0] + r[1] / t0.at(j)),
        Form::Row(0) => finished!(plan, s, out, S, _j, r[0]),
        Form::Row(1) => finished!(plan, s, out, S, j, r[0] + r[1] * t1.at(j)),
        Form::Row(2) => finished!(plan, s, out, S, j, r[0] + r[1] * t1.at(j) + r[2] * t2.at(j)),
        Form::Row(_) => {
            finished!(plan, s, out, S, j, r[0] + r[1] * t1.at(j) + r[2] * t2.at(j) + r[3] * t3.at(j));
        }
        Form::Column(0) => finished!(plan, s, out, S, j, t0.at(j)),
        Form::Column(1) => finished!(plan, s, out, S, j, t0.at(j) + r[1] * t1.at(j)),
        Form::Column(2) => {
            finished!(plan, s, out, S, j, t0.at(j) + r[1] * t1.at(j) + r[2] * t2.at(j));
        }
        Form::Column(3) => {
            finished!(plan, s, out, S, j, t0.at(j) + r[1] * t1.at(j) + r[2] * t2.at(j) + r[3] * t3.at(j));
        }
        Form::Column(_) => finished!(
            plan,
            s,
            out,
            S,
            j,
            t0.at(j) + r[1] * t1.at(j) + r[2] * t2.at(j) + r[3] * t3.at(j) + r[4] * t4.at(j)
        ),
        Form::Both => finished!(plan, s, out, S, j, r[0] * t0.at(j) + r[1] * t1.at(j)),
        Form::Tree => {
            let both = r[2] + r[3];
            finished!(plan, s, out, S, j, {
                let pipelined = r[2] * t1.at(j) + r[3] * t2.at(j) + r[4] * t3.at(j);
                let single = both * (t1.at(j) + t2.at(j));
                // Fewer than one block in the pipeline cannot be: then one.
                let talk = if t4.at(j) * r[2] < r[3] { single } else { pipelined };
                r[0] + r[1] * t0.at(j) + talk
            });
        }
    }
}

/// Divides in place, two cells a division: the cells of one half with those of the other.
#[inline(always)]
fn pairs<T: Real>(run: &mut [T; RUN], numerator: T) {
    let (left, right) = run.split_at_mut(RUN / 2);
    for (left, right) in left.iter_mut().zip(right) {
        let (x, y) = (*left, *right);
        let inverse = numerator / (x * y);
        *left = inverse * y;
        *right = inverse * x;
    }
}

/// The stores that every x86-64 processor has; elsewhere a plain copy.
struct Sse2;

impl Stream for Sse2 {
    #[inline(always)]
    unsafe fn copy<T: Real>(from: &[T], to: *mut T) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; SSE2 is part of x86-64.
        unsafe {
            use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
            let (count, from, to) =
                (size_of_val(from) / 16, from.as_ptr().cast::<__m128i>(), to.cast::<__m128i>());
            for k in 0..count {
                _mm_stream_si128(to.add(k), _mm_loadu_si128(from.add(k)));
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        // SAFETY: the caller's promise.
        unsafe {
            std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len());
        }
    }
}

/// Writes one value everywhere with the widest streaming store of `level`: the store limit.
pub(super) fn fill_streaming<T: Real>(level: Level, value: T, out: &mut [T]) {
    let line = Lines([value; RUN]);
    let per_line = 64 / size_of::<T>();
    let head = out.as_ptr().align_offset(64).min(out.len());
    let (edge, rest) = out.split_at_mut(head);
    edge.fill(value);
    let whole = rest.len() / per_line * per_line;
    let (lines, tail) = rest.split_at_mut(whole);
    tail.fill(value);
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the level is this processor's, `lines` is whole 64-byte lines.
        Level::Avx512 => unsafe { x86::splat_avx512(&line.0[..per_line], lines) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { x86::splat_avx2(&line.0[..per_line], lines) },
        _ => {
            for chunk in lines.chunks_mut(per_line) {
                // SAFETY: `chunk` is one 64-byte line.
                unsafe { Sse2::copy(&line.0[..per_line], chunk.as_mut_ptr()) };
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Real, Segment, Store, Stream, body, reciprocals_body};
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_loadu_si256, _mm256_stream_si256, _mm512_loadu_si512, _mm512_stream_si512,
    };

    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    pub(super) unsafe fn write_avx512<T: Real>(store: Store, segment: &Segment<'_, T>, out: &mut [T]) {
        body::<T, Zmm>(store, segment, out);
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn write_avx2<T: Real>(store: Store, segment: &Segment<'_, T>, out: &mut [T]) {
        body::<T, Ymm>(store, segment, out);
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn reciprocals_avx2<T: Real>(n: &[T], high: &mut [T], low: &mut [T]) {
        reciprocals_body(n, high, low);
    }

    struct Zmm;

    impl Stream for Zmm {
        #[inline(always)]
        unsafe fn copy<T: Real>(from: &[T], to: *mut T) {
            // SAFETY: the caller's promise.
            unsafe {
                let (count, from, to) =
                    (size_of_val(from) / 64, from.as_ptr().cast::<__m512i>(), to.cast::<__m512i>());
                for k in 0..count {
                    _mm512_stream_si512(to.add(k), _mm512_loadu_si512(from.add(k)));
                }
            }
        }
    }

    struct Ymm;

    impl Stream for Ymm {
        #[inline(always)]
        unsafe fn copy<T: Real>(from: &[T], to: *mut T) {
            // SAFETY: the caller's promise.
            unsafe {
                let (count, from, to) =
                    (size_of_val(from) / 32, from.as_ptr().cast::<__m256i>(), to.cast::<__m256i>());
                for k in 0..count {
                    _mm256_stream_si256(to.add(k), _mm256_loadu_si256(from.add(k)));
                }
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn splat_avx512<T: Real>(line: &[T], to: &mut [T]) {
        // SAFETY: `line` is 64 bytes, `to` whole 64-byte lines that begin on one.
        unsafe {
            let value = _mm512_loadu_si512(line.as_ptr().cast::<__m512i>());
            let (count, to) = (size_of_val(to) / 64, to.as_mut_ptr().cast::<__m512i>());
            for k in 0..count {
                _mm512_stream_si512(to.add(k), value);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn splat_avx2<T: Real>(line: &[T], to: &mut [T]) {
        // SAFETY: as in `splat_avx512`.
        unsafe {
            let value = _mm256_loadu_si256(line.as_ptr().cast::<__m256i>());
            let (count, to) = (size_of_val(to) / 32, to.as_mut_ptr().cast::<__m256i>());
            for k in 0..count {
                _mm256_stream_si256(to.add(k), value);
            }
        }
    }
}
