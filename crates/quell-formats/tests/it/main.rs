//! Behaviour of the readers and writers, in one binary.

mod argus;
mod csv_pair;
mod jj;
mod mutations;
mod places;
mod tables;
