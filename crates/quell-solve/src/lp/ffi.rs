//! The border to the HiGHS C interface: checked conversions and status codes, nothing else.

use crate::Error;
use highs_sys::HighsInt;

/// The integer HiGHS numbers columns, rows and entries with. HiGHS is built with 32 bits here.
pub type Index = i32;

// The crate passes `&[Index]` where HiGHS reads `HighsInt`; a 64-bit build must not compile.
const _: () = assert!(size_of::<HighsInt>() == size_of::<Index>());

/// `size` as an index, if it fits.
pub(super) fn index(what: &'static str, size: usize) -> Result<Index, Error> {
    Index::try_from(size).map_err(|_| Error::TooLarge { what, size })
}

/// Turns a HiGHS return code into a result. Warnings are not errors: HiGHS warns, for example, of
/// matrix entries so small that it leaves them out.
pub(super) fn check(call: &'static str, status: HighsInt) -> Result<(), Error> {
    if status == highs_sys::STATUS_ERROR { Err(Error::Refused { call }) } else { Ok(()) }
}
