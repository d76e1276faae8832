//! What can go wrong, as a closed set: every message names the argument, what it is and what is allowed.

/// The result of a fallible call of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that a caller can get wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A value lies outside the domain of the formula.
    #[error("{name}{} is {value:?}: expected {allowed}", at(*.index))]
    Domain {
        /// Argument name as the caller wrote it.
        name: &'static str,
        /// Position of the first offending element; `None` for a scalar.
        index: Option<usize>,
        /// The offending value.
        value: f64,
        /// The values that are allowed, in words.
        allowed: &'static str,
    },
    /// Two arguments do not fit together in length or shape.
    #[error("{name} has length {got}: expected {expected}")]
    Shape {
        /// Argument name as the caller wrote it.
        name: &'static str,
        /// What was expected, in words.
        expected: String,
        /// The length it has.
        got: usize,
    },
    /// The data are too few for what was asked.
    #[error("{what}: {needed}")]
    TooFew {
        /// What was given, in words.
        what: String,
        /// What is needed, in words.
        needed: String,
    },
    /// An option has a value that is none of those allowed.
    #[error("{name} is {got:?}: expected {expected}")]
    Choice {
        /// Argument name as the caller wrote it.
        name: &'static str,
        /// The value given.
        got: String,
        /// The values that are allowed, in words.
        expected: &'static str,
    },
    /// A result that cannot fit in memory.
    #[error(
        "the {rows} x {columns} grid needs {} and {} are free: ask scalewall.scan, which never stores the grid, \
         or evaluate fewer rows at a time",
        bytes(*.needed), bytes(*.free)
    )]
    Memory {
        /// Rows of the grid.
        rows: usize,
        /// Columns of the grid.
        columns: usize,
        /// Bytes that the result takes.
        needed: u64,
        /// Bytes that the system can give.
        free: u64,
    },
    /// The thread count cannot be had.
    #[error("threads is {requested}: expected \"auto\", \"serial\" or a count from 1 to {max}")]
    Threads {
        /// The count asked for.
        requested: usize,
        /// The largest count allowed.
        max: usize,
    },
    /// The caller asked to stop.
    #[error("stopped before the end")]
    Cancelled,
}

fn bytes(count: u64) -> String {
    let gigabytes = count as f64 / 1e9;
    if gigabytes < 1.0 { format!("{:.1} MB", count as f64 / 1e6) } else { format!("{gigabytes:.1} GB") }
}

fn at(index: Option<usize>) -> String {
    index.map_or_else(String::new, |i| format!("[{i}]"))
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn a_domain_error_names_argument_index_value_and_what_is_allowed() {
        let error =
            Error::Domain { name: "n", index: Some(3), value: 0.5, allowed: "a worker count of at least 1" };
        assert_eq!(error.to_string(), "n[3] is 0.5: expected a worker count of at least 1");
    }
}
