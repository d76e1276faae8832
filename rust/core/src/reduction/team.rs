//! Fork, work, merge, join, with a stamp at each: the frame of every run that a ledger describes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::{Clock, Edge, ThreadTimes};
use crate::ledger::{Stamps, WorkerStamps};
use crate::os;
use crate::threads;

/// What a run records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// Nothing: no clock is read.
    #[default]
    Nothing,
    /// One stamp at every change of phase.
    Phases,
    /// Stamps, and the threads' own clocks around the work: on the processor, preempted, blocked.
    Split,
}

/// Reading a thread's clocks takes a few microseconds; what takes longer was interrupted.
const TOGETHER_NS: i64 = 20_000;

/// Attempts at an uninterrupted reading.
const READINGS: usize = 5;

/// Who works, and what is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Team<'a> {
    /// Worker slots, the caller among them.
    pub workers: usize,
    /// What is recorded.
    pub measure: Measure,
    /// Whether every worker must take part; otherwise one that wakes after the work is done is not waited for.
    pub all: bool,
    /// The clock of the stamps.
    pub clock: &'a dyn Clock,
}

/// The start of a run: what follows on the caller until [`Team::run`] is its setup.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begun {
    start_ns: i64,
    on_cpu_ns: Option<i64>,
}

/// What every worker does, given its index: its work, and the merging after it.
#[derive(Clone, Copy)]
pub(crate) struct Phases<'a> {
    pub(crate) work: &'a (dyn Fn(usize) + Sync),
    pub(crate) merge: &'a (dyn Fn(usize) + Sync),
}

impl Team<'_> {
    /// Take the first stamp.
    pub(crate) fn begin(&self) -> Begun {
        let on_cpu_ns = self.on_cpu_ns();
        let start_ns = if self.measure == Measure::Nothing { 0 } else { self.clock.now_ns() };
        Begun { start_ns, on_cpu_ns }
    }

    /// Run the phases on the workers, then `finish` on the caller; the stamps are there if something was to be recorded.
    pub(crate) fn run<R>(
        &self,
        begun: Begun,
        phases: Phases<'_>,
        finish: impl FnOnce() -> R,
    ) -> (R, Option<Stamps>) {
        if self.measure == Measure::Nothing {
            self.dispatch(&|worker| {
                (phases.work)(worker);
                (phases.merge)(worker);
            });
            return (finish(), None);
        }
        let slots: Vec<_> = (0..self.workers).map(|_| Mutex::new(None)).collect();
        let between = self.on_cpu_ns();
        let dispatch_ns = self.clock.now_ns();
        self.dispatch(&|worker| self.stamped(worker, phases, &slots[worker]));
        let resumed_ns = self.clock.now_ns();
        let again = self.on_cpu_ns();
        let result = finish();
        let after = self.on_cpu_ns();
        let end_ns = self.clock.now_ns();
        let found: Vec<Option<WorkerStamps>> =
            slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        // A worker that never came was waking up until the last one was done.
        let last = found.iter().flatten().map(|worker| worker.merged_ns).max().unwrap_or(dispatch_ns);
        let workers = found.into_iter().map(|worker| worker.unwrap_or(self.absent(last))).collect();
        let spent = |from: Option<i64>, to: Option<i64>| from.zip(to).map(|(from, to)| to - from);
        let setup = spent(begun.on_cpu_ns, between);
        let serial_cpu_ns = setup.zip(spent(again, after)).map(|(setup, end)| setup + end);
        let stamps = Stamps {
            start_ns: begun.start_ns,
            dispatch_ns,
            resumed_ns,
            end_ns,
            workers,
            serial_cpu_ns,
            stamping_ns: self.stamping_ns(),
        };
        (result, Some(stamps))
    }

    fn dispatch(&self, job: &(dyn Fn(usize) + Sync)) {
        if self.all {
            threads::run_all(self.workers, job);
        } else {
            threads::run(self.workers, job);
        }
    }

    fn absent(&self, last: i64) -> WorkerStamps {
        let threads = (self.measure == Measure::Split).then(Default::default);
        WorkerStamps { begin_ns: last, end_ns: last, merging_ns: last, merged_ns: last, threads, cpus: None }
    }

    fn stamped(&self, worker: usize, phases: Phases<'_>, slot: &Mutex<Option<WorkerStamps>>) {
        let cpu = os::current_cpu();
        let (begin_ns, before) = self.coherent(Edge::Before);
        (phases.work)(worker);
        let (end_ns, after) = self.coherent(Edge::After);
        let merging_ns = if after.is_some() { self.clock.now_ns() } else { end_ns };
        (phases.merge)(worker);
        let cpus = cpu.zip(os::current_cpu()).map(|(begin, end)| [begin, end]);
        let merged_ns = self.clock.now_ns();
        let threads = before.zip(after).map(|(before, after)| [before, after]);
        let stamps = WorkerStamps { begin_ns, end_ns, merging_ns, merged_ns, threads, cpus };
        *locked(slot) = Some(stamps);
    }

    /// What the stamps of one worker and of the caller cost: measured by taking them once more.
    fn stamping_ns(&self) -> i64 {
        let start = self.clock.now_ns();
        let _ = (self.thread(Edge::Before), self.thread(Edge::After));
        let _ = [self.on_cpu_ns(), self.on_cpu_ns(), self.on_cpu_ns(), self.on_cpu_ns()];
        let _ = [self.clock.now_ns(), self.clock.now_ns(), self.clock.now_ns()];
        // Three stamps were just taken; a worker and the caller take seven.
        (self.clock.now_ns() - start) * if self.measure == Measure::Split { 1 } else { 2 }
    }

    /// A stamp and the thread's clocks of the same moment: read again where something came between them.
    fn coherent(&self, edge: Edge) -> (i64, Option<ThreadTimes>) {
        let mut reading = (self.clock.now_ns(), None);
        if self.measure != Measure::Split {
            return reading;
        }
        for _ in 0..READINGS {
            let start = self.clock.now_ns();
            let thread = self.clock.thread(edge);
            let end = self.clock.now_ns();
            reading = (if edge == Edge::After { start } else { end }, thread);
            if end - start < TOGETHER_NS {
                break;
            }
        }
        reading
    }

    fn thread(&self, edge: Edge) -> Option<ThreadTimes> {
        (self.measure == Measure::Split).then(|| self.clock.thread(edge)).flatten()
    }

    fn on_cpu_ns(&self) -> Option<i64> {
        (self.measure == Measure::Split).then(|| self.clock.on_cpu_ns()).flatten()
    }
}

/// Run something while worker `i` of a team of `cpus.len()` may run on processor `cpus[i]` only.
///
/// Workers are moved before and given their processors back after, both outside of what runs.
/// True where every worker could be moved.
pub fn placed<R>(cpus: &[usize], run: impl FnOnce(bool) -> R) -> R {
    struct Restore(Vec<Mutex<Vec<usize>>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            threads::run_all(self.0.len(), &|worker| {
                os::allow_cpus(&locked(&self.0[worker]));
            });
        }
    }
    if cpus.is_empty() {
        return run(true);
    }
    let before = Restore(cpus.iter().map(|_| Mutex::new(Vec::new())).collect());
    let refused = AtomicBool::new(false);
    threads::run_all(cpus.len(), &|worker| {
        *locked(&before.0[worker]) = os::allowed_cpu_list();
        if !os::allow_cpus(&cpus[worker..=worker]) {
            refused.store(true, Ordering::Relaxed);
        }
    });
    run(!refused.into_inner())
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::{Measure, Phases, Team, placed};
    use crate::clock::{Clock, Edge, ThreadTimes};
    use crate::ledger::Ledger;
    use crate::os;

    /// Shows one more every time it is asked.
    #[derive(Debug, Default)]
    struct Counting(AtomicI64);

    impl Clock for Counting {
        fn now_ns(&self) -> i64 {
            self.0.fetch_add(1, Ordering::SeqCst)
        }

        fn on_cpu_ns(&self) -> Option<i64> {
            Some(self.now_ns())
        }

        fn thread(&self, _edge: Edge) -> Option<ThreadTimes> {
            Some(ThreadTimes { on_cpu_ns: self.now_ns(), waiting_ns: None, waits: 0 })
        }
    }

    fn run(workers: usize, measure: Measure) -> Option<Ledger> {
        let clock = Counting::default();
        let team = Team { workers, measure, all: true, clock: &clock };
        let phases = Phases { work: &|_| (), merge: &|_| () };
        let (value, stamps) = team.run(team.begin(), phases, || 7);
        assert_eq!(value, 7);
        stamps.as_ref().map(Ledger::of)
    }

    #[test]
    fn nothing_is_recorded_unless_asked() {
        assert_eq!(run(2, Measure::Nothing), None);
    }

    #[test]
    fn one_worker_by_a_counting_clock() {
        // Readings: start 0, dispatch 1, begin 2, end 3, merged 4, resumed 5, end 6.
        let ledger = run(1, Measure::Phases).map(|ledger| ledger.rows);
        let expected = vec![
            ("setup", 1),
            ("wake", 1),
            ("compute", 1),
            ("imbalance", 0),
            ("join", 1),
            ("combine", 2),
            ("unaccounted", 0),
        ];
        assert_eq!(ledger, Some(expected));
    }

    #[test]
    fn many_workers_balance_by_any_clock() {
        for measure in [Measure::Phases, Measure::Split] {
            for workers in [1, 2, 7] {
                assert!(
                    run(workers, measure)
                        .is_some_and(|ledger| ledger.balances() && ledger.workers == workers)
                );
            }
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn placing_gives_the_processors_back_also_after_a_panic() {
        let before = os::allowed_cpu_list();
        let target = before[before.len() - 1];
        let seen = placed(&[target, target], |moved| (moved, os::allowed_cpu_list()));
        assert_eq!(seen, (true, vec![target]));
        assert_eq!(os::allowed_cpu_list(), before);
        let outcome = std::panic::catch_unwind(|| placed(&[target], |_| panic!("on purpose")));
        assert!(outcome.is_err());
        assert_eq!(os::allowed_cpu_list(), before);
    }
}
