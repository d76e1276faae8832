//! What the processor can do, and how results leave it: chosen at run time, forced by tests.

use crate::error::{Error, Result};
use std::sync::OnceLock;

/// Instruction sets that the kernels are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors with fused multiply-add (x86-64).
    Avx2,
    /// 512-bit vectors (x86-64).
    Avx512,
}

impl Level {
    /// The best level of this processor.
    pub fn best() -> Self {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| {
            #[cfg(target_arch = "x86_64")]
            {
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                {
                    return Self::Avx512;
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    return Self::Avx2;
                }
            }
            Self::Baseline
        })
    }

    /// The level called `name`; "auto" is the best one.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name, or a level that this processor lacks.
    pub fn named(name: &str) -> Result<Self> {
        let level = match name {
            "auto" => Self::best(),
            "baseline" => Self::Baseline,
            "avx2" => Self::Avx2,
            "avx512" => Self::Avx512,
            _ => return Err(choice("level", name, "\"auto\", \"baseline\", \"avx2\" or \"avx512\"")),
        };
        if level > Self::best() {
            return Err(choice("level", name, "a level that this processor has"));
        }
        Ok(level)
    }

    /// The name that [`Level::named`] takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// Through the caches.
    Plain,
    /// Past the caches: no line is read before it is overwritten.
    Streaming,
}

impl Store {
    /// The kind called `name` for a result of `bytes`; "auto" streams what the cache cannot hold.
    ///
    /// # Errors
    /// [`Error::Choice`] for another name.
    pub fn named(name: &str, bytes: usize) -> Result<Self> {
        match name {
            "auto" if bytes >= streaming_threshold() => Ok(Self::Streaming),
            "auto" | "plain" => Ok(Self::Plain),
            "streaming" => Ok(Self::Streaming),
            _ => Err(choice("store", name, "\"auto\", \"plain\" or \"streaming\"")),
        }
    }
}

/// Results of at least this many bytes are streamed.
///
/// Measured on two processors with two threads: plain stores keep up to 2 MB, which the inner
/// caches hold, and streaming wins from 4 MB on, also where the outer cache could hold the result
/// (Zen 5 with 32 MB: 1.2 to 1.6 times at 4 MB, 0.9 to 1.6 at 8, 1.2 to 1.8 at 16 and above; Emerald
/// Rapids: 2.4 times at 4 MB).
pub fn streaming_threshold() -> usize {
    4 << 20
}

fn choice(name: &'static str, got: &str, expected: &'static str) -> Error {
    Error::Choice { name, got: got.to_owned(), expected }
}
