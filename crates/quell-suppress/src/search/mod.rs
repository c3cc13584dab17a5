//! What the methods share: the requirements and their proofs, programs and paths that find
//! movements, and the steps that build a pattern from them.
//!
//! - *What is asked and what is known*: `requirements`, `movement`, `store`, `forced`;
//! - *finding one movement*: `mover` chooses between `kelly_program`, a linear program over the
//!   whole table, and `nearby`, programs over regions of it; `network` and `two_way` find paths;
//! - *finding movements for groups*: `grouping`, `group_program`, `likely`;
//! - *patterns*: `incremental`, `builder`, `clean_up`, `sub_tables`; `exchange` without a program, and
//!   `company` in a hurry;
//! - *bounds*: `necessary`, what they may rest on.

pub(crate) mod builder;
pub(crate) mod clean_up;
pub(crate) mod company;
pub(crate) mod exchange;
pub(crate) mod forced;
pub(crate) mod group_program;
pub(crate) mod grouping;
pub(crate) mod incremental;
pub(crate) mod kelly_program;
pub(crate) mod likely;
pub(crate) mod movement;
pub(crate) mod mover;
pub(crate) mod nearby;
pub(crate) mod necessary;
pub(crate) mod network;
pub(crate) mod null_space_program;
pub(crate) mod requirements;
pub(crate) mod store;
pub(crate) mod sub_tables;
pub(crate) mod two_way;
