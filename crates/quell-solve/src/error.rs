//! What can go wrong when a model is handed over or read back.

/// The crate's one error type.
///
/// That a model has no solution, or that a limit was reached, is an [`Outcome`](crate::Outcome) and
/// not an error: errors are calls that make no sense, and HiGHS refusing what it was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// HiGHS could not be started (out of memory).
    #[error("no HiGHS instance could be created")]
    Create,
    /// HiGHS returned an error for data that passed our own checks.
    #[error("HiGHS refused the call {call}")]
    Refused {
        /// The function of the HiGHS C interface.
        call: &'static str,
    },
    /// Two slices that belong together have different lengths.
    #[error("{what}: {expected} values expected, {found} given")]
    Length {
        /// The name of the slice.
        what: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// A column, row or node number is outside the model.
    #[error("{what} {index} does not exist, there are {size}")]
    OutOfRange {
        /// What was numbered.
        what: &'static str,
        /// The number given.
        index: i64,
        /// How many there are.
        size: usize,
    },
    /// The starts of a sparse matrix decrease, or do not end at the number of its entries.
    #[error("the starts of a sparse matrix must grow from 0 to the number of entries")]
    Starts,
    /// A number that must be finite is not, or a number is not a number.
    #[error("{what} contains a value that is no usable number")]
    NotANumber {
        /// Where the value was found.
        what: &'static str,
    },
    /// More columns, rows or entries than a 32-bit index can number.
    #[error("{what}: {size} is more than 32-bit indices can number")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much.
        size: usize,
    },
    /// The last solve did not leave what was asked for.
    #[error("the last solve left no {what}")]
    NotAvailable {
        /// What was asked for.
        what: &'static str,
    },
}

/// A slice must have the stated length.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}
