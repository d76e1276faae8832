//! Many traces at once: each is read, analysed by the routine that serves one, and written as one row.
//!
//! Rows of the input stay where they are: a trace is gathered into buffers of its thread, and what is
//! kept of it are numbers in a row of columns, so that memory beyond input and result does not grow with
//! the number of traces. Threads take short pieces of traces from a common counter; a row depends on its
//! trace alone, so that the result is the same for every number of threads.

mod layout;
mod reading;
mod traces;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use layout::{ANSWERS, CODES, KINDS, LAWS, Layout, NOTES, STATUSES, Status};
pub use traces::{Quantity, Traces};

use super::options::Options;
use crate::error::{Error, Result};
use crate::threads::{self, Threads};
use layout::Row;
use reading::Reading;
use traces::Gathered;

/// Traces that a thread takes at a time: some milliseconds of work.
const PIECE: usize = 16;
/// How often the calling thread asks whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// Called by the calling thread with the share done; `false` ends the work.
pub type Poll<'a> = &'a (dyn Fn(f64) -> bool + Sync);

/// Where the results go: for each trace a row of numbers, a row of codes and a set of notes.
#[derive(Debug)]
pub struct Sheets<'a> {
    /// [`Layout::names`] numbers a trace; NaN where nothing applies.
    pub values: &'a mut [f64],
    /// [`CODES`] codes a trace.
    pub codes: &'a mut [u32],
    /// One number a trace, whose bits stand for [`NOTES`].
    pub notes: &'a mut [u64],
}

/// One piece of the sheets.
type Piece<'a> = ((&'a mut [f64], &'a mut [u32]), &'a mut [u64]);

/// Analyse every trace and write one row each; `options.kind` is not read, `traces.kind` is.
///
/// Says whether all traces were reached: where the poll ended the work, the others have the status
/// "not reached".
///
/// # Errors
///
/// [`Error::Shape`] where lengths do not agree, [`Error::Domain`] for an option or an offset that is not
/// allowed. A trace that cannot be analysed is no error: its status says why.
pub fn analyse_many(
    traces: &Traces<'_>,
    options: &Options,
    threads: Threads,
    poll: Option<Poll<'_>>,
    sheets: Sheets<'_>,
) -> Result<bool> {
    options.check()?;
    traces.check()?;
    let layout = Layout::new(options);
    let (count, width) = (traces.len(), layout.len());
    let Sheets { values, codes, notes } = sheets;
    for (name, got, each) in
        [("values", values.len(), width), ("codes", codes.len(), CODES.len()), ("notes", notes.len(), 1)]
    {
        if got != count * each {
            return Err(Error::Shape { name, expected: format!("{each} for each of {count} traces"), got });
        }
    }
    let pieces = values
        .chunks_mut(PIECE * width)
        .zip(codes.chunks_mut(PIECE * CODES.len()))
        .zip(notes.chunks_mut(PIECE));
    let work = Work {
        traces,
        options,
        layout: &layout,
        done: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        poll,
    };
    let pieces = Mutex::new(pieces.enumerate());
    let take = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let threads = threads.resolve(count.div_ceil(PIECE)).min(count.max(1));
    // Only the calling thread, index 0, may ask.
    threads::run(threads, &|index| work.run(&take, index == 0));
    Ok(!work.stop.into_inner())
}

/// What the threads share.
struct Work<'a> {
    traces: &'a Traces<'a>,
    options: &'a Options,
    layout: &'a Layout,
    done: AtomicUsize,
    stop: AtomicBool,
    poll: Option<Poll<'a>>,
}

impl Work<'_> {
    /// Work on pieces until none is left.
    fn run<'p>(&self, take: &dyn Fn() -> Option<(usize, Piece<'p>)>, asks: bool) {
        let mut gathered = Gathered::default();
        let mut options = self.options.clone();
        let mut asked = Instant::now();
        while let Some((number, ((values, codes), notes))) = take() {
            let rows = values
                .chunks_exact_mut(self.layout.len())
                .zip(codes.chunks_exact_mut(CODES.len()))
                .zip(notes.iter_mut());
            for (i, ((values, codes), notes)) in rows.enumerate() {
                let mut row = Row { values, codes, notes };
                row.clear();
                if self.stop.load(Ordering::Relaxed) {
                    continue;
                }
                self.one(number * PIECE + i, &mut gathered, &mut options, &mut row);
                let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
                if asks && asked.elapsed() >= POLL {
                    self.ask(done);
                    asked = Instant::now();
                }
            }
        }
    }

    fn ask(&self, done: usize) {
        let share = done as f64 / self.traces.len() as f64;
        if self.poll.is_some_and(|poll| !poll(share)) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Read one trace, analyse it and write its row.
    fn one(&self, trace: usize, gathered: &mut Gathered, options: &mut Options, row: &mut Row<'_>) {
        let given = self.traces.gather(trace, gathered);
        let reading = Reading::new(gathered, self.traces);
        reading.settle(gathered, self.traces);
        row.read(&reading, gathered, given);
        if gathered.n.is_empty() {
            row.refuse(Status::NoUsableRows);
            return;
        }
        options.kind = reading.kind;
        let round = self.traces.round.map(|_| gathered.round.as_slice());
        match super::analyse(&gathered.n, &gathered.time, round, options) {
            Ok(analysis) => {
                row.report(self.layout, analysis.report(), options.law.is_some(), &reading);
            }
            // Values were checked row by row: what is left is a trace nobody foresaw.
            Err(_) => row.refuse(Status::Failed),
        }
    }
}
