//! The methods of the measurements by name: those of the command, and settings of `hybrid`
//! that the command does not offer.

use quell_suppress::{Error, Method};

/// The method of a name.
pub fn method(name: &str) -> Result<Box<dyn Method>, Error> {
    quell_suppress::method(name)
}
