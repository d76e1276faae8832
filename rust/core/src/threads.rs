//! The only pool: parked workers, built when first asked for, one set per calling thread.
//!
//! A pool belongs to the thread that asked for it and remembers the process it was built in, so
//! that many threads may compute at once without sharing a lock, and a forked child, in which no
//! worker lives on, builds its own. The caller takes part as worker 0.
#![allow(unsafe_code)] // One lifetime is erased while `run` blocks; the block says why that is sound.

use std::any::Any;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::os;

/// How many threads a call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Threads {
    /// As many as the process may run on, fewer where the work is small.
    #[default]
    Auto,
    /// The calling thread alone; no pool is built.
    Serial,
    /// Exactly this many, the calling thread among them.
    Fixed(NonZeroUsize),
}

/// The largest count that [`Threads::fixed`] accepts.
pub const MAX_THREADS: usize = 1024;

impl Threads {
    /// Exactly `count` threads.
    ///
    /// # Errors
    /// [`Error::Threads`] for 0 and for more than [`MAX_THREADS`].
    pub fn fixed(count: usize) -> Result<Self> {
        NonZeroUsize::new(count)
            .filter(|count| count.get() <= MAX_THREADS)
            .map(Self::Fixed)
            .ok_or(Error::Threads { requested: count, max: MAX_THREADS })
    }

    /// The number of threads for a job of which at most `useful` can work at once.
    pub fn resolve(self, useful: usize) -> usize {
        match self {
            Self::Serial => 1,
            Self::Fixed(count) => count.get(),
            Self::Auto if useful <= 1 => 1,
            Self::Auto => available().min(useful),
        }
    }
}

/// Processors that the process may use: its affinity now, and the quota it had at the first call.
///
/// The quota lies in files, which take longer to read than a small grid takes to compute.
fn available() -> usize {
    static AT_FIRST: OnceLock<usize> = OnceLock::new();
    let quota = *AT_FIRST.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get));
    os::allowed_cpus().map_or(quota, |cpus| cpus.min(quota)).max(1)
}

/// When one worker began and ended its part of a job.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    /// The first instant inside the job.
    pub begin: Instant,
    /// The instant after its last work.
    pub end: Instant,
}

type Job = &'static (dyn Fn(usize) + Sync);
type Panic = Box<dyn Any + Send>;

/// What the caller hands over, and what the workers hand back.
#[derive(Default)]
struct Board {
    job: Option<Job>,
    epoch: u64,
    /// Workers that have taken the job.
    taken: usize,
    stop: bool,
    panic: Option<Panic>,
    stamps: Vec<Option<Stamp>>,
}

struct Shared {
    board: Mutex<Board>,
    wake: Condvar,
    running: AtomicUsize,
    caller_waits: AtomicBool,
    caller_cpu: AtomicUsize,
    caller: Thread,
}

impl Shared {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Pool {
    process: u32,
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

const NO_CPU: usize = usize::MAX;
/// Turns of the caller's wait before it parks: a few microseconds, the spread of equal shares.
const SPINS: usize = 2_000;

/// How often the caller looks whether every worker has taken a job that all must take.
const UNTIL_ALL: Duration = Duration::from_micros(20);

impl Pool {
    fn new(size: usize) -> Self {
        let shared = Arc::new(Shared {
            board: Mutex::new(Board { stamps: vec![None; size], ..Board::default() }),
            wake: Condvar::new(),
            running: AtomicUsize::new(0),
            caller_waits: AtomicBool::new(false),
            caller_cpu: AtomicUsize::new(NO_CPU),
            caller: std::thread::current(),
        });
        let workers = (1..size)
            .map_while(|index| {
                let shared = Arc::clone(&shared);
                let builder = std::thread::Builder::new().name(format!("scalewall-{index}"));
                builder.spawn(move || work(&shared, index)).ok()
            })
            .collect();
        Self { process: std::process::id(), shared, workers }
    }

    fn run(&self, job: &(dyn Fn(usize) + Sync), all: bool) -> Vec<Stamp> {
        // SAFETY: the reference lives on `run`'s caller; workers copy it from the board and count
        // themselves as running under one lock, and `run` returns only after it has taken the job
        // off the board and `running` is 0, also when a part panicked.
        let job: Job = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), Job>(job) };
        let shared = &*self.shared;
        shared.caller_cpu.store(os::current_cpu().unwrap_or(NO_CPU), Ordering::Relaxed);
        {
            let mut board = shared.board();
            board.job = Some(job);
            board.epoch += 1;
            board.stamps.fill(None);
            board.taken = 0;
        }
        shared.wake.notify_all();
        let begin = Instant::now();
        let own = catch_unwind(AssertUnwindSafe(|| job(0)));
        let stamp = Stamp { begin, end: Instant::now() };
        while all && shared.board().taken < self.workers.len() {
            std::thread::park_timeout(UNTIL_ALL);
        }
        // A worker that the system has not let run by now is not waited for: it finds no job.
        shared.board().job = None;
        let mut spins = 0;
        while shared.running.load(Ordering::Acquire) > 0 {
            spins += 1;
            if spins < SPINS {
                std::hint::spin_loop();
                continue;
            }
            shared.caller_waits.store(true, Ordering::SeqCst);
            if shared.running.load(Ordering::SeqCst) > 0 {
                std::thread::park();
            }
        }
        shared.caller_waits.store(false, Ordering::Relaxed);
        let mut board = shared.board();
        board.stamps[0] = Some(stamp);
        let stamps = board.stamps.iter().flatten().copied().collect();
        let panic = board.panic.take();
        drop(board);
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        stamps
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // A forked child: the workers stayed in the parent, so there is nobody to wait for.
            std::mem::take(&mut self.workers).into_iter().for_each(std::mem::forget);
            return;
        }
        self.shared.board().stop = true;
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            // A worker catches the panics of its jobs, so that joining cannot fail.
            let _ = worker.join();
        }
    }
}

/// Moves a worker that woke up on the processor of the thread it is to help.
fn leave_caller(shared: &Shared) {
    let cpu = shared.caller_cpu.load(Ordering::Relaxed);
    if cpu != NO_CPU && os::current_cpu() == Some(cpu) {
        os::leave_cpu(cpu);
    }
}

fn work(shared: &Shared, index: usize) {
    let mut seen = 0;
    loop {
        let job = {
            let mut board = shared.board();
            loop {
                if board.stop {
                    return;
                }
                if board.epoch != seen {
                    break;
                }
                board = shared.wake.wait(board).unwrap_or_else(PoisonError::into_inner);
            }
            seen = board.epoch;
            let Some(job) = board.job else {
                drop(board);
                // Too late, most likely because it waited for the caller's own processor: the next
                // time it would be too late again.
                leave_caller(shared);
                continue;
            };
            shared.running.fetch_add(1, Ordering::SeqCst);
            board.taken += 1;
            job
        };
        leave_caller(shared);
        let begin = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| job(index)));
        {
            let mut board = shared.board();
            board.stamps[index] = Some(Stamp { begin, end: Instant::now() });
            if let Err(panic) = outcome {
                board.panic.get_or_insert(panic);
            }
        }
        if shared.running.fetch_sub(1, Ordering::SeqCst) == 1 && shared.caller_waits.load(Ordering::SeqCst) {
            shared.caller.unpark();
        }
    }
}

thread_local! {
    static POOLS: RefCell<Vec<Pool>> = const { RefCell::new(Vec::new()) };
}

/// Calls `job` at most once on each of `count` threads with indices `0..count`; the caller is thread
/// 0 and always called.
///
/// Returns when and how long each thread worked. A thread that the system refuses, or has not let
/// run before the caller's own part ends, is not called, so a job must share its work out by
/// taking from a common counter: then a busy processor costs its help and no wait.
///
/// # Panics
/// Resumes the first panic of a part, after all parts have ended.
pub fn run(count: usize, job: &(dyn Fn(usize) + Sync)) -> Vec<Stamp> {
    dispatch(count, job, false)
}

/// Calls `job` exactly once on each thread, waiting until the last has run; otherwise as [`run`].
///
/// For jobs in which every thread has a part of its own. A thread that the system refuses to start is not called.
///
/// # Panics
/// Resumes the first panic of a part, after all parts have ended.
pub fn run_all(count: usize, job: &(dyn Fn(usize) + Sync)) -> Vec<Stamp> {
    dispatch(count, job, true)
}

fn dispatch(count: usize, job: &(dyn Fn(usize) + Sync), all: bool) -> Vec<Stamp> {
    if count <= 1 {
        let begin = Instant::now();
        job(0);
        return vec![Stamp { begin, end: Instant::now() }];
    }
    let pool = POOLS.with(|pools| {
        let mut pools = pools.borrow_mut();
        pools.retain(|pool| pool.process == std::process::id());
        let found = pools.iter().position(|pool| pool.shared.board().stamps.len() == count);
        found.map(|position| pools.swap_remove(position))
    });
    // Taken out while it runs, so that a job that itself asks for threads gets a pool of its own.
    let pool = pool.unwrap_or_else(|| Pool::new(count));
    let outcome = catch_unwind(AssertUnwindSafe(|| pool.run(job, all)));
    POOLS.with(|pools| pools.borrow_mut().push(pool));
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    #[test]
    fn every_thread_is_called_once_and_stamped() {
        for count in [1, 2, 5] {
            let seen = Mutex::new(BTreeSet::new());
            let all = Barrier::new(count);
            let stamps = run(count, &|index| {
                // The caller's part lasts until every worker has begun.
                all.wait();
                assert!(seen.lock().unwrap().insert(index));
            });
            assert_eq!(seen.into_inner().unwrap(), (0..count).collect());
            assert_eq!(stamps.len(), count);
            assert!(stamps.iter().all(|stamp| stamp.begin <= stamp.end));
        }
    }

    #[test]
    fn a_panic_is_resumed_after_the_others_ended_and_the_pool_lives_on() {
        for culprit in [0, 2] {
            let ended = AtomicUsize::new(0);
            let all = Barrier::new(3);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                run(3, &|index| {
                    all.wait();
                    assert!(index != culprit, "part {index} failed");
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    ended.fetch_add(1, Ordering::SeqCst);
                });
            }));
            let message = outcome.unwrap_err();
            assert_eq!(message.downcast_ref::<String>().unwrap(), &format!("part {culprit} failed"));
            assert_eq!(ended.load(Ordering::SeqCst), 2);
            let stamps = run(3, &|_| {
                all.wait();
            });
            assert_eq!(stamps.len(), 3);
        }
    }

    #[test]
    fn everybody_is_called_where_all_must() {
        for count in [1, 2, 5] {
            let called = AtomicUsize::new(0);
            let stamps = run_all(count, &|_| {
                called.fetch_add(1, Ordering::SeqCst);
            });
            assert_eq!((stamps.len(), called.into_inner()), (count, count));
        }
    }

    #[test]
    fn a_worker_that_comes_too_late_finds_no_job() {
        for _ in 0..2000 {
            // Too short for a worker to wake up in, mostly.
            let stamps = run(2, &|_| {});
            assert!((1..=2).contains(&stamps.len()));
        }
    }

    #[test]
    fn many_threads_and_nested_calls_do_not_meet() {
        let total = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let outer = Barrier::new(2);
                        run(2, &|_| {
                            outer.wait();
                            let inner = Barrier::new(2);
                            run(2, &|_| {
                                inner.wait();
                                total.fetch_add(1, Ordering::Relaxed);
                            });
                        });
                    }
                });
            }
        });
        assert_eq!(total.into_inner(), 8 * 50 * 4);
    }

    #[test]
    fn zero_threads_is_an_error() {
        assert_eq!(Threads::fixed(0), Err(Error::Threads { requested: 0, max: MAX_THREADS }));
        assert_eq!(Threads::Auto.resolve(0), 1);
        assert_eq!(Threads::Serial.resolve(9), 1);
    }
}
