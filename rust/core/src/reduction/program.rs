//! A program whose serial share is known by operation count: what the ledger is validated with.

use std::hint::black_box;
use std::sync::Mutex;

use super::team::{Measure, Phases, Team, locked};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::ledger::Stamps;

/// Turns of one loop, on the caller before the work is handed out, and on every worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Turns on the caller alone.
    pub serial: u64,
    /// Turns of each worker; as many workers as entries.
    pub parallel: Vec<u64>,
    /// Share of a worker's turns, 0 to 1, that it takes while it holds the one lock.
    pub locked: f64,
}

/// Pieces into which the turns under the lock are cut: so that workers wait for each other, not for luck.
const PIECES: u64 = 20;

/// One chain of dependent operations: its time is its length, whatever the memory does.
fn turn(count: u64) {
    let mut x = black_box(1.0_f64);
    for _ in 0..count {
        x = x * 0.999_999 + 1e-6;
    }
    black_box(x);
}

impl Program {
    /// Run it, recording phases and the threads' own clocks.
    ///
    /// # Errors
    /// [`Error::Domain`] where the locked share lies outside 0 to 1; [`Error::TooFew`] for no worker.
    pub fn run(&self, clock: &dyn Clock) -> Result<Stamps> {
        if !(0.0..=1.0).contains(&self.locked) {
            let allowed = "a share from 0 to 1";
            return Err(Error::Domain { name: "locked", index: None, value: self.locked, allowed });
        }
        let lock = Mutex::new(());
        let team = Team { workers: self.parallel.len(), measure: Measure::Split, all: true, clock };
        let begun = team.begin();
        turn(self.serial);
        let work = |worker: usize| {
            let turns = self.parallel[worker];
            let held = (turns as f64 * self.locked) as u64;
            if held == 0 {
                return turn(turns);
            }
            for _ in 0..PIECES {
                {
                    let _held = locked(&lock);
                    turn(held / PIECES);
                }
                turn((turns - held) / PIECES);
            }
        };
        let ((), stamps) = team.run(begun, Phases { work: &work, merge: &|_| () }, || ());
        let needed = "a program needs at least one worker".to_owned();
        stamps.ok_or(Error::TooFew { what: "parallel is empty".to_owned(), needed })
    }
}

#[cfg(test)]
mod tests {
    use super::Program;
    use crate::clock::SystemClock;
    use crate::ledger::Ledger;

    #[test]
    fn the_ledger_of_a_program_balances_and_sees_its_lock() {
        let clock = SystemClock::start();
        for workers in [1, 2, 5] {
            let program = Program { serial: 10_000, parallel: vec![50_000; workers], locked: 0.8 };
            let ledger = program.run(&clock).map(|stamps| Ledger::of(&stamps));
            assert!(ledger.is_ok_and(|ledger| ledger.balances() && ledger.workers == workers));
        }
    }

    #[test]
    fn a_share_outside_its_range_is_an_error() {
        let program = Program { serial: 1, parallel: vec![1], locked: 1.5 };
        let refusal = program.run(&SystemClock::start()).map_err(|error| error.to_string());
        assert_eq!(refusal, Err("locked is 1.5: expected a share from 0 to 1".to_owned()));
    }
}
