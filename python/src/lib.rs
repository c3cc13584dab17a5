//! The extension module `_quell`: what Python cannot do itself.
//!
//! It is thin: frames become Arrow record batches, calls of the library run on a thread of their
//! own, and what comes back are numbers, texts and Arrow tables. What a Python programmer sees is
//! written in Python, in the package `quell` beside this crate.
//!
//! - `call`: a call with progress and Ctrl-C;
//! - `errors`: what goes wrong, as exceptions;
//! - `frames`: frames in and out;
//! - `job`: jobs, tables and microdata alike; `table`: one table; `generate`: data to try.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod call;
mod errors;
mod frames;
mod generate;
mod job;
mod table;

use pyo3::prelude::*;

/// What Python imports.
#[pymodule]
fn _quell(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    frames::register(module)?;
    job::register(module)?;
    table::register(module)?;
    generate::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("METHODS", quell_suppress::METHODS.to_vec())?;
    module.add("ADJUST_METHODS", quell_adjust::METHODS.to_vec())
}
