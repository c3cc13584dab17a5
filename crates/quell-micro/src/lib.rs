//! Statistical disclosure control of microdata.
//!
//! - [`Microdata`], [`Column`]: identifying variables as small integers;
//! - [`read()`], [`Selection`]: microdata from whatever [`quell_data::Records`] there are;
//! - [`Combinations`]: what is checked, and how often is enough;
//! - [`Minucs`]: the minimum unsafe combinations of a file;
//! - [`suppress()`]: local suppression under five objectives and three meanings of "safe";
//! - [`safety`]: those meanings, and the verification of a released file;
//! - [`cover`], [`heuristics`]: the set-covering problems behind, exact and quick;
//! - [`recode`]: global recoding, given or chosen together with suppression;
//! - [`risk`]: measures of disclosure risk;
//! - [`release`]: the released file, written and read back.
//!
//! Everything that counts or searches takes a budget and tells its progress. Whoever searches
//! gives the best safe solution it has when the budget is spent; whoever counts ends with
//! [`Error::Stopped`].
//!
//! ```
//! use quell_micro::{
//!     Column, Combinations, Importance, KeySet, Meaning, Microdata, Objective, Request, Threshold,
//!     suppress,
//! };
//! use quell_model::{Budget, Silent};
//!
//! let town = Column::from_labels("town", ["A", "A", "B", "B", "B"], &[]);
//! let job = Column::from_labels("job", ["clerk", "clerk", "clerk", "clerk", "mayor"], &[]);
//! let data = Microdata::new(vec![town, job])?;
//! let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(2))?;
//! let request = Request {
//!     data: &data,
//!     combinations: &combinations,
//!     meaning: Meaning::Static,
//!     objective: Objective::Suppressions,
//!     importance: &Importance::equal(),
//!     household: KeySet::EMPTY,
//! };
//! let solution = suppress(&request, &Budget::default(), &Silent)?;
//! // There is one mayor: the job is hidden, and that is the least.
//! assert_eq!(solution.suppressions.count(), 1);
//! assert!(solution.suppressions.of(4).contains(1));
//! assert!(solution.proved);
//! # Ok::<(), quell_micro::Error>(())
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cells;
mod combinations;
mod count;
pub mod cover;
mod data;
mod error;
pub mod heuristics;
mod household;
mod level;
mod minuc;
mod program;
mod read;
pub mod recode;
pub mod release;
pub mod risk;
pub mod safety;
mod stop_check;
mod suppress;

pub use combinations::{
    Combination, Combinations, KeySet, ListedCombination, Threshold, Thresholds,
};
pub use count::Limits;
pub use data::{Codes, Column, ColumnBuilder, MAX_KEYS, Microdata};
pub use error::{Error, Result};
pub use minuc::{CombinationRisk, Minucs};
pub use read::{Selected, Selection, read};
pub use safety::{Meaning, Violation};
pub use suppress::{
    Importance, Objective, Request, Solution, Suppressions, suppress, suppress_static,
    suppress_within,
};
