//! Where records come from, and how they are described.
//!
//! ```text
//! CSV, Parquet, fixed width, ─┐               ┌─► batches of Arrow arrays (tabulation)
//! Stata, SPSS, SAS            ├──► Records ───┤
//! Arrow batches in memory ────┘               └─► record by record, as fields (microdata)
//! ```
//!
//! - [`Records`]: a file or batches in memory, with what is known of its [`Variable`]s;
//! - [`Options`], [`FileKind`], [`Dialect`]: what is found out about a file, and what may be said instead;
//! - [`Part`], [`Row`], [`texts`]: reading them;
//! - [`Fingerprint`]: whether a file is still the one that was read;
//! - [`Watch`]: what may stop the reading, and who is told how far it is;
//! - [`argus`]: the files of τ- and µ-ARGUS that describe records: `.rda`, `.grc`, `.cdl`;
//! - [`Text`], [`Mistake`], [`Place`], [`Error`]: what is wrong with a file, with line, column and advice.
//!
//! ```
//! use std::sync::Arc;
//! use quell_data::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
//! use quell_data::{Error, Records, Watch};
//!
//! let town: ArrayRef = Arc::new(StringArray::from(vec!["A", "B", "A"]));
//! let age: ArrayRef = Arc::new(Int64Array::from(vec![Some(30), None, Some(31)]));
//! let batch = RecordBatch::try_from_iter([("town", town), ("age", age)]).unwrap();
//! let people = Records::batches("people", batch.schema(), vec![batch])?;
//! let columns = [people.position("age")?];
//! let mut ages = Vec::new();
//! people.each_row(&columns, &Watch::default(), |row| {
//!     ages.push(row.text(0).unwrap_or_default().into_owned());
//!     Ok::<(), Error>(())
//! })?;
//! assert_eq!(ages, ["30", "", "31"]);
//! # Ok::<(), Error>(())
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod argus;
mod dialect;
mod encoding;
mod error;
mod files;
mod fingerprint;
pub mod mistake;
mod place;
mod records;
pub mod suggest;
pub mod text;
mod values;
mod variable;

pub use arrow;
pub use dialect::Dialect;
pub use encoding::{Encoding, decoded};
pub use error::Error;
pub use files::FileKind;
pub use fingerprint::Fingerprint;
pub use mistake::{Mistake, Snippet};
pub use place::Place;
pub use records::{Batches, Options, Origin, Part, Records, Row, Watch};
pub use text::Text;
pub use values::texts;
pub use variable::{Field, Kind, Missing, Variable};
