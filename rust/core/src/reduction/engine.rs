//! Blocks to workers, partial results to one: the same bits for any number of threads.
//!
//! The data are cut into chunks whose size depends on their number alone. Workers take chunks from a
//! common counter. Where merging depends on the order, every chunk has a leaf of its own, and the leaves are
//! merged along one tree, or in order, whoever computed them; where it does not, every worker has a leaf.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::accumulators::{Accumulator, BLOCK};
use super::strided::{Load, Strided};
use super::team::{Phases, Team, locked};
use crate::error::{Error, Result};
use crate::ledger::Stamps;
use crate::surfaces::{Level, Poll};

/// How partial results become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// Along a tree, by the workers themselves as they finish.
    #[default]
    Tree,
    /// One after the other, by the caller at the end.
    Order,
}

/// Leaves at most: a combine that no number of elements makes long.
const CHUNKS: usize = 1024;

/// Blocks in the smallest chunk: long enough that taking it costs nothing, short enough to even out.
const CHUNK_BLOCKS: usize = 2;

/// How often the caller is asked whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// Partial results and the fixed tree over them.
///
/// The right one of two neighbours at distance `s`, a power of two, has `s` as its lowest bit: so its
/// number names the node.
struct Leaves<A> {
    slots: Vec<Mutex<Option<A>>>,
    arrived: Vec<AtomicBool>,
    joined: AtomicUsize,
}

impl<A> Leaves<A> {
    fn new(count: usize) -> Self {
        Self {
            slots: (0..count).map(|_| Mutex::new(None)).collect(),
            arrived: (0..count).map(|_| AtomicBool::new(false)).collect(),
            joined: AtomicUsize::new(0),
        }
    }

    /// Merge upwards from a leaf for as long as the neighbour has been here: the second of two goes on.
    fn climb(&self, leaf: usize, merge: &dyn Fn(&mut A, A)) {
        let (mut leaf, mut distance) = (leaf, 1);
        while distance < self.slots.len() {
            let left = leaf & !(2 * distance - 1);
            let right = left + distance;
            if right < self.slots.len() {
                if !self.arrived[right].swap(true, Ordering::AcqRel) {
                    return;
                }
                self.join(left, right, merge);
            }
            leaf = left;
            distance *= 2;
        }
    }

    fn join(&self, left: usize, right: usize, merge: &dyn Fn(&mut A, A)) {
        let later = locked(&self.slots[right]).take();
        if let Some(later) = later {
            self.joined.fetch_add(1, Ordering::Relaxed);
            let mut slot = locked(&self.slots[left]);
            match slot.as_mut() {
                Some(earlier) => merge(earlier, later),
                None => *slot = Some(later),
            }
        }
    }

    /// Whatever has not been merged yet, merged along the tree or in order.
    fn finish(&self, combine: Combine, merge: &dyn Fn(&mut A, A)) -> Option<A> {
        match combine {
            // The workers have merged all there is.
            Combine::Tree if self.joined.load(Ordering::Relaxed) + 1 >= self.slots.len() => {}
            Combine::Tree => {
                let mut distance = 1;
                while distance < self.slots.len() {
                    for left in (0..self.slots.len() - distance).step_by(2 * distance) {
                        self.join(left, left + distance, merge);
                    }
                    distance *= 2;
                }
            }
            Combine::Order => (1..self.slots.len()).for_each(|right| self.join(0, right, merge)),
        }
        self.slots.first().and_then(|slot| locked(slot).take())
    }
}

/// Reduce operands of equal length with one team.
///
/// # Errors
/// [`Error::Cancelled`] where `poll` said so.
pub(crate) fn reduce<A, T, W, const K: usize>(
    operands: &[Strided<'_, T>; K],
    team: &Team<'_>,
    combine: Combine,
    poll: Option<Poll<'_>>,
) -> Result<(A, Option<Stamps>)>
where
    A: Accumulator<W, K>,
    T: Load<W>,
    W: Copy + Default,
{
    let begun = team.begin();
    let level = Level::best();
    let len = operands[0].len();
    let chunk = BLOCK * len.div_ceil(BLOCK * CHUNKS).max(CHUNK_BLOCKS);
    let chunks = len.div_ceil(chunk);
    let leaves = Leaves::new(if A::ORDER_FREE { team.workers } else { chunks });
    let mine: Vec<_> = (0..team.workers).map(|_| Mutex::new(Vec::new())).collect();
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let work = |worker: usize| {
        let mut asker = Asker::new(if worker == 0 { poll } else { None });
        let mut buffers = [const { Vec::new() }; K];
        let mut taken = locked(&mine[worker]);
        let mut total = A::zero(level);
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= chunks {
                break;
            }
            let mut partial = if A::ORDER_FREE { None } else { Some(A::zero(level)) };
            let target = partial.as_mut().unwrap_or(&mut total);
            push_chunk(target, operands, number * chunk..((number + 1) * chunk).min(len), &mut buffers);
            if partial.is_some() {
                *locked(&leaves.slots[number]) = partial;
                taken.push(number);
            }
            if !asker.go_on((number + 1) as f64 / chunks as f64) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        if A::ORDER_FREE {
            *locked(&leaves.slots[worker]) = Some(total);
            taken.push(worker);
        }
    };
    let climb = |worker: usize| {
        if combine == Combine::Tree {
            locked(&mine[worker]).iter().for_each(|&leaf| leaves.climb(leaf, &A::merge));
        }
    };
    let finish = || leaves.finish(combine, &A::merge).unwrap_or_else(|| A::zero(level));
    let (result, stamps) = team.run(begun, Phases { work: &work, merge: &climb }, finish);
    if stop.into_inner() { Err(Error::Cancelled) } else { Ok((result, stamps)) }
}

fn push_chunk<A, T, W, const K: usize>(
    target: &mut A,
    operands: &[Strided<'_, T>; K],
    chunk: std::ops::Range<usize>,
    buffers: &mut [Vec<W>; K],
) where
    A: Accumulator<W, K>,
    T: Load<W>,
    W: Copy + Default,
{
    for start in chunk.clone().step_by(BLOCK) {
        let range = start..(start + BLOCK).min(chunk.end);
        let mut buffers = buffers.iter_mut();
        let blocks = operands.each_ref().map(|operand| {
            let buffer = buffers.next();
            if let Some(view) = operand.slice(range.clone()).and_then(T::view) {
                return view;
            }
            // One buffer an operand, so that there is always a next one.
            buffer.map_or(&[][..], |buffer| {
                buffer.resize(BLOCK, W::default());
                operand.gather(range.clone(), buffer, T::load);
                &buffer[..range.len()]
            })
        });
        target.push(blocks);
    }
}

/// Asks the caller now and then whether to go on.
struct Asker<'a> {
    poll: Option<(Poll<'a>, Instant)>,
}

impl<'a> Asker<'a> {
    fn new(poll: Option<Poll<'a>>) -> Self {
        Self { poll: poll.map(|poll| (poll, Instant::now())) }
    }

    fn go_on(&mut self, done: f64) -> bool {
        match self.poll.as_mut() {
            Some((poll, last)) if last.elapsed() >= POLL => {
                *last = Instant::now();
                poll(done)
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::{Combine, Leaves, reduce};
    use crate::clock::SystemClock;
    use crate::error::Error;
    use crate::reduction::accumulators::Accumulator;
    use crate::reduction::strided::Strided;
    use crate::reduction::team::{Measure, Team};
    use crate::surfaces::Level;

    /// Writes down in which order it was merged.
    struct Order(Vec<f64>);

    impl Accumulator<f64, 1> for Order {
        const ORDER_FREE: bool = false;

        fn zero(_level: Level) -> Self {
            Self(Vec::new())
        }

        fn push(&mut self, [block]: [&[f64]; 1]) {
            assert!(block[0] >= 0.0, "a negative block");
            self.0.push(block[0]);
        }

        fn merge(&mut self, later: Self) {
            self.0.extend(later.0);
        }
    }

    fn order(x: &[f64], workers: usize, combine: Combine) -> Vec<f64> {
        let clock = SystemClock::start();
        let team = Team { workers, measure: Measure::Phases, all: false, clock: &clock };
        let outcome = reduce::<Order, f64, f64, 1>(&[Strided::from(x)], &team, combine, None);
        outcome.map(|(order, _)| order.0).unwrap_or_default()
    }

    #[test]
    fn every_block_arrives_once_and_in_order() {
        let x: Vec<f64> = (0..300_000).map(f64::from).collect();
        let expected: Vec<f64> = x.iter().copied().step_by(4096).collect();
        for combine in [Combine::Tree, Combine::Order] {
            for workers in [1, 2, 3, 16] {
                assert_eq!(order(&x, workers, combine), expected);
            }
        }
    }

    #[test]
    fn a_panicking_worker_is_resumed_and_the_pool_lives_on() {
        let mut x = vec![1.0; 300_000];
        x[40 * 4096] = -1.0;
        for workers in [1, 2, 5] {
            let outcome = catch_unwind(AssertUnwindSafe(|| order(&x, workers, Combine::Tree)));
            assert!(outcome.is_err());
            assert_eq!(order(&[2.0; 10], workers, Combine::Tree), [2.0]);
        }
    }

    #[test]
    fn a_poll_that_says_no_ends_the_call() {
        let value = 1.0;
        let endless = Strided::repeat(&value, 1 << 40);
        let clock = SystemClock::start();
        let team = Team { workers: 2, measure: Measure::Nothing, all: false, clock: &clock };
        let outcome = reduce::<Order, f64, f64, 1>(&[endless], &team, Combine::Tree, Some(&|_| false));
        assert_eq!(outcome.map(drop), Err(Error::Cancelled));
    }

    #[test]
    fn leaves_of_workers_that_never_came_do_not_matter() {
        for combine in [Combine::Tree, Combine::Order] {
            let leaves = Leaves::new(7);
            for leaf in [0, 3, 5] {
                *super::locked(&leaves.slots[leaf]) = Some(vec![leaf]);
                if combine == Combine::Tree {
                    leaves.climb(leaf, &|mine: &mut Vec<usize>, later| mine.extend(later));
                }
            }
            assert_eq!(leaves.finish(combine, &|mine, later| mine.extend(later)), Some(vec![0, 3, 5]));
        }
    }
}
