//! Bindings of the laws. Each function reads its arguments and makes one core call.

// The doc comments are numpydoc, read by Python: backticks there mean parameters.
#![allow(clippy::doc_markdown)]

mod amdahl;
mod choices;
mod evaluate;
mod hill_marty;
mod macros;
mod output;
mod serial_fractions;
mod sun_ni;
mod usl;
mod usl_inverse;
mod usl_log;
mod work;

use choices::{Branch, Design, Growth, Share, falling, half};

pub(crate) use amdahl::*;
pub(crate) use hill_marty::*;
pub(crate) use serial_fractions::*;
pub(crate) use sun_ni::*;
pub(crate) use usl::*;
pub(crate) use usl_inverse::*;
pub(crate) use usl_log::*;
pub(crate) use work::*;
