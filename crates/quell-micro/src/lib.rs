//! Statistical disclosure control of microdata.
//!
//! - [`Microdata`], [`Column`]: identifying variables as small integers;
//! - [`read()`], [`Layout`], [`Metadata`]: delimited and fixed-width files, µ-ARGUS' `.rda`;
//! - [`Combinations`]: what is checked, and how often is enough;
//! - [`Minucs`]: the minimum unsafe combinations of a file.

mod cells;
mod combinations;
mod count;
pub mod cover;
mod data;
mod error;
pub mod heuristics;
mod household;
mod level;
mod metadata;
mod minuc;
mod program;
mod read;
pub mod recode;
pub mod release;
pub mod risk;
pub mod safety;
mod suppress;

pub use combinations::{Combination, Combinations, KeySet, Threshold};
pub use count::Limits;
pub use data::{Codes, Column, ColumnBuilder, MAX_KEYS, Microdata};
pub use error::{Error, Result};
pub use metadata::{MetaVariable, Metadata};
pub use minuc::{CombinationRisk, Minucs};
pub use read::{Field, Layout, Selection, Variable, read};
pub use safety::{Meaning, Violation};
pub use suppress::{
    Importance, Objective, Request, Solution, Suppressions, suppress, suppress_static,
};
