//! Measures of disclosure risk.
//!
//! | file | measure |
//! |---|---|
//! | [`frequency`] | sample frequencies, k-anonymity, sample uniques |
//! | [`individual`] | individual risk (Franconi–Polettini), population uniques |
//! | [`suda`] | special uniques: SUDA and DIS-SUDA scores |
//! | [`diversity`] | l-diversity: distinct, entropy, recursive |
//! | [`closeness`] | t-closeness |

pub mod closeness;
pub mod diversity;
pub mod frequency;
pub mod individual;
pub mod suda;
