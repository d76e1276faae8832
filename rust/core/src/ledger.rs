//! Where every worker-nanosecond of a fork-join run went: rows that add up to workers times wall time.
//!
//! The stamps of one run are `t0` start, `t1` dispatch, `a[i]`, `b[i]`, `c[i]` begin, end of the work and end of
//! the merging of worker `i`, `t2` caller resumed, `t3` end, all of one clock. Then
//!
//! | row | |
//! |---|---|
//! | setup | `N (t1 - t0)` |
//! | wake | sum of `a[i] - t1` |
//! | compute | sum of `b[i] - a[i]`; split by the threads' own clocks into `on_cpu`, `preempted`, `blocked` |
//! | imbalance | sum of `max c - c[i]` |
//! | join | `N (t2 - max c)` |
//! | combine | sum of `c[i] - b[i]` less what reading the threads' clocks took, and `N (t3 - t2)` |
//! | unaccounted | where two clocks disagree, with its sign, and the reading of the threads' clocks |
//!
//! and the rows add up to `N (t3 - t0)` by algebra, in integers.
#![allow(clippy::cast_possible_wrap)] // Worker counts.

use serde::Serialize;

use crate::clock::ThreadTimes;

/// The stamps of one worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct WorkerStamps {
    /// First instant inside the job.
    pub begin_ns: i64,
    /// End of its own work.
    pub end_ns: i64,
    /// Begin of the merging after its work: later than the end by what reading the thread's clocks takes.
    pub merging_ns: i64,
    /// End of the merging.
    pub merged_ns: i64,
    /// The thread's own clocks at begin and end, where the split was asked for.
    pub threads: Option<[ThreadTimes; 2]>,
    /// Processor at begin and end, where the system tells.
    pub cpus: Option<[usize; 2]>,
}

/// The stamps of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Stamps {
    /// Start of the call.
    pub start_ns: i64,
    /// The caller hands the job out.
    pub dispatch_ns: i64,
    /// The caller goes on after the last worker.
    pub resumed_ns: i64,
    /// End of the call.
    pub end_ns: i64,
    /// One per worker; the caller is worker 0.
    pub workers: Vec<WorkerStamps>,
    /// Processor time of the caller in its two serial phases, where the split was asked for.
    pub serial_cpu_ns: Option<i64>,
    /// What taking the stamps cost by itself, estimated from the cost of one.
    pub stamping_ns: i64,
}

/// The rows of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Worker slots `N`.
    pub workers: usize,
    /// Wall time.
    pub wall_ns: i64,
    /// Name and nanoseconds over all workers, in the order in which they happen.
    pub rows: Vec<(&'static str, i64)>,
    /// Time of the serial phases: processor time where the threads' clocks were read, else wall time.
    pub serial_ns: i64,
    /// Time of the parallel work, of the same clock.
    pub parallel_ns: i64,
}

/// A duration that no clock should show as negative; what it does show goes to `unaccounted`.
fn duration(from: i64, to: i64, unaccounted: &mut i64) -> i64 {
    let span = to - from;
    *unaccounted += span.min(0);
    span.max(0)
}

impl Ledger {
    /// The ledger of a run; empty stamps of no worker give an empty ledger.
    pub fn of(stamps: &Stamps) -> Self {
        let workers = stamps.workers.len();
        let count = workers as i64;
        let last = stamps.workers.iter().map(|worker| worker.merged_ns).max().unwrap_or(stamps.dispatch_ns);
        let mut rest = 0;
        let setup = count * duration(stamps.start_ns, stamps.dispatch_ns, &mut 0);
        let (mut wake, mut compute, mut imbalance, mut combine) = (0, 0, 0, 0);
        for worker in &stamps.workers {
            wake += duration(stamps.dispatch_ns, worker.begin_ns, &mut rest);
            compute += worker.end_ns - worker.begin_ns;
            combine += worker.merged_ns - worker.merging_ns;
            rest += worker.merging_ns - worker.end_ns;
            imbalance += last - worker.merged_ns;
        }
        let mut late = 0;
        let join = count * duration(last, stamps.resumed_ns, &mut late);
        combine += count * (stamps.end_ns - stamps.resumed_ns);
        rest += count * late;

        let mut rows = vec![("setup", setup), ("wake", wake)];
        let split = split(&stamps.workers);
        let parallel_ns = if let Some(split) = split {
            rows.push(("on_cpu", split.on_cpu));
            rows.push(("preempted", split.preempted));
            rows.push(("blocked", split.blocked));
            rest += compute - split.on_cpu - split.preempted - split.blocked;
            split.on_cpu
        } else {
            rows.push(("compute", compute));
            compute
        };
        let wall_serial = (stamps.dispatch_ns - stamps.start_ns) + (stamps.end_ns - stamps.resumed_ns);
        let serial_ns = split.and(stamps.serial_cpu_ns).unwrap_or(wall_serial);
        rows.extend([("imbalance", imbalance), ("join", join), ("combine", combine), ("unaccounted", rest)]);
        Self { workers, wall_ns: stamps.end_ns - stamps.start_ns, rows, serial_ns, parallel_ns }
    }

    /// Nanoseconds of one row; 0 for a row that this run does not have.
    pub fn row(&self, name: &str) -> i64 {
        self.rows.iter().find(|(row, _)| *row == name).map_or(0, |&(_, ns)| ns)
    }

    /// Whether the rows add up to workers times wall time.
    pub fn balances(&self) -> bool {
        self.rows.iter().map(|&(_, ns)| ns).sum::<i64>() == self.workers as i64 * self.wall_ns
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Split {
    on_cpu: i64,
    preempted: i64,
    blocked: i64,
}

/// The work split by the threads' own clocks; `None` unless every worker has read them.
///
/// A thread that was neither running nor ready to run was blocked, and the system counted a voluntary
/// wait for it. Time off the processor without one is nobody's: it stays unaccounted.
fn split(workers: &[WorkerStamps]) -> Option<Split> {
    let mut total = Split::default();
    for worker in workers {
        let [before, after] = worker.threads?;
        let on_cpu = after.on_cpu_ns - before.on_cpu_ns;
        let waiting = after.waiting_ns.zip(before.waiting_ns).map_or(0, |(after, before)| after - before);
        let off = worker.end_ns - worker.begin_ns - on_cpu - waiting;
        total.on_cpu += on_cpu;
        total.preempted += waiting;
        if after.waits > before.waits {
            total.blocked += off.max(0);
        }
    }
    (!workers.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::{Ledger, Stamps, WorkerStamps};
    use crate::clock::ThreadTimes;
    use proptest::prelude::*;

    fn two_workers() -> Stamps {
        Stamps {
            start_ns: 100,
            dispatch_ns: 110,
            resumed_ns: 195,
            end_ns: 200,
            workers: vec![
                WorkerStamps {
                    begin_ns: 111,
                    end_ns: 160,
                    merging_ns: 160,
                    merged_ns: 162,
                    ..WorkerStamps::default()
                },
                WorkerStamps {
                    begin_ns: 120,
                    end_ns: 190,
                    merging_ns: 190,
                    merged_ns: 191,
                    ..WorkerStamps::default()
                },
            ],
            serial_cpu_ns: None,
            stamping_ns: 0,
        }
    }

    #[test]
    fn rows_are_what_the_stamps_say() {
        let ledger = Ledger::of(&two_workers());
        let expected = [
            ("setup", 20),
            ("wake", 11),
            ("compute", 119),
            ("imbalance", 29),
            ("join", 8),
            ("combine", 13),
            ("unaccounted", 0),
        ];
        assert_eq!(ledger.rows, expected);
        assert_eq!((ledger.workers, ledger.wall_ns), (2, 100));
        assert_eq!((ledger.serial_ns, ledger.parallel_ns), (15, 119));
        assert!(ledger.balances());
    }

    #[test]
    fn the_split_uses_the_threads_clocks_and_signs_the_rest() {
        let mut stamps = two_workers();
        let times = |on_cpu_ns, waiting_ns, waits| ThreadTimes { on_cpu_ns, waiting_ns, waits };
        // 49 ns: 40 on the processor, 5 ready, no voluntary wait: 4 are nobody's.
        stamps.workers[0].threads = Some([times(1000, Some(7), 3), times(1040, Some(12), 3)]);
        // 70 ns: 30 on the processor, 10 ready, the rest blocked.
        stamps.workers[1].threads = Some([times(500, Some(0), 3), times(530, Some(10), 4)]);
        stamps.serial_cpu_ns = Some(14);
        let ledger = Ledger::of(&stamps);
        assert_eq!(
            (ledger.row("on_cpu"), ledger.row("preempted"), ledger.row("blocked"), ledger.row("unaccounted")),
            (70, 15, 30, 4)
        );
        assert_eq!((ledger.serial_ns, ledger.parallel_ns), (14, 70));
        assert_eq!(ledger.row("compute"), 0);
        assert!(ledger.balances());
    }

    proptest! {
        #[test]
        fn rows_add_up_for_any_stamps(
            times in prop::array::uniform4(-1000i64..1000),
            workers in prop::collection::vec(
                (prop::array::uniform4(-1000i64..1000), prop::option::of(prop::array::uniform6(-50i64..50))), 0..6,
            ),
        ) {
            let workers = workers
                .into_iter()
                .map(|([begin_ns, end_ns, merging_ns, merged_ns], clocks)| WorkerStamps {
                    begin_ns,
                    end_ns,
                    merging_ns,
                    merged_ns,
                    threads: clocks.map(|[a, b, c, d, e, f]| [
                        ThreadTimes { on_cpu_ns: a, waiting_ns: Some(b), waits: c },
                        ThreadTimes { on_cpu_ns: d, waiting_ns: Some(e), waits: f },
                    ]),
                    cpus: None,
                })
                .collect();
            let [start_ns, dispatch, resumed_ns, end_ns] = times;
            // The caller's own clock is monotonic; only stamps of other threads may disagree with it.
            let dispatch_ns = dispatch.max(start_ns);
            let stamps =
                Stamps { start_ns, dispatch_ns, resumed_ns, end_ns, workers, serial_cpu_ns: None, stamping_ns: 0 };
            prop_assert!(Ledger::of(&stamps).balances());
        }
    }
}
