//! Time behind a trait, so that tests can say what the clock shows.

use std::fmt::Debug;
use std::time::Instant;

use serde::Serialize;

use crate::os;

/// What the operating system has counted for one thread, in nanoseconds since the thread began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ThreadTimes {
    /// Time on a processor.
    pub on_cpu_ns: i64,
    /// Time spent ready to run while something else had the processor; `None` where the system does not count it.
    pub waiting_ns: Option<i64>,
    /// How often the thread gave the processor up to wait for something.
    pub waits: i64,
}

/// On which side of a stamp the thread's clocks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Just before.
    Before,
    /// Just after.
    After,
}

/// A monotonic clock that all threads share, and the clocks of the calling thread.
pub trait Clock: Sync + Debug {
    /// Nanoseconds since an origin that stays the same.
    fn now_ns(&self) -> i64;

    /// Nanoseconds that the calling thread has spent on a processor; `None` where the system does not count them.
    fn on_cpu_ns(&self) -> Option<i64>;

    /// The calling thread's own times, read just before or just after a stamp: the time on a processor is the one
    /// nearest to it.
    fn thread(&self, edge: Edge) -> Option<ThreadTimes>;
}

/// The clocks of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    origin: Instant,
}

impl SystemClock {
    /// A clock that shows 0 now.
    pub fn start() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now_ns(&self) -> i64 {
        // 2^63 nanoseconds are 292 years.
        self.origin.elapsed().as_nanos() as i64
    }

    fn on_cpu_ns(&self) -> Option<i64> {
        os::thread_time_ns().and_then(|ns| i64::try_from(ns).ok())
    }

    fn thread(&self, edge: Edge) -> Option<ThreadTimes> {
        let early = if edge == Edge::After { self.on_cpu_ns() } else { None };
        let (waits, waiting_ns) = (os::thread_waits()?, os::thread_waiting_ns());
        let on_cpu_ns = if edge == Edge::After { early } else { self.on_cpu_ns() };
        Some(ThreadTimes { on_cpu_ns: on_cpu_ns?, waiting_ns, waits })
    }
}
