//! What R cannot do itself: the compiled part of the R package `quell`.
//!
//! It is thin: data frames become Arrow record batches, calls of the library run on a thread of their
//! own while R's listens to interrupts, and what comes back are numbers, texts and columns. What an R
//! programmer sees is written in R, in the package around this crate.
//!
//! - `call`: a call with progress and interrupts;
//! - `failure`: what goes wrong, as values that R raises as conditions;
//! - `frames`: data frames in and out; `values`: lists as JSON and back;
//! - `job`: jobs, tables and microdata alike; `table`: one table; `micro`: frequencies of records;
//! - `generate`: data to try.

#![deny(clippy::print_stdout, clippy::print_stderr)]
#![allow(missing_docs, reason = "what extendr makes public is for R alone")]

mod call;
mod failure;
mod frames;
mod generate;
mod job;
mod micro;
mod table;
mod values;

use extendr_api::prelude::*;

// What R loads; functions register themselves in their modules.
extendr_module! {
    mod quell;
    use generate;
    use job;
    use micro;
    use table;
}
