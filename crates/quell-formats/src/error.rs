//! Why a file could not be read or written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Mistake;

/// Why a file could not be read or written.
#[derive(Debug, Error)]
pub enum Error {
    /// The operating system would not let us read it.
    #[error("cannot read {}", file.display())]
    Read {
        /// Which file.
        file: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The operating system would not let us write it.
    #[error("cannot write {}", file.display())]
    Write {
        /// Which file.
        file: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file has a mistake in it.
    #[error(transparent)]
    Mistake(#[from] Box<Mistake>),
    /// The table has something that the format has no way to say.
    #[error("{what} cannot be written as {format}")]
    Unwritable {
        /// What there is no way to say.
        what: String,
        /// The name of the format.
        format: &'static str,
        /// What to do about it.
        advice: &'static str,
    },
}

impl Error {
    pub(crate) fn read(file: &Path, source: io::Error) -> Self {
        Self::Read { file: file.to_owned(), source }
    }

    pub(crate) fn write(file: &Path, source: io::Error) -> Self {
        Self::Write { file: file.to_owned(), source }
    }

    /// The mistake in the file, if that is what is wrong.
    pub fn mistake(&self) -> Option<&Mistake> {
        match self {
            Self::Mistake(mistake) => Some(mistake),
            _ => None,
        }
    }
}

impl From<Mistake> for Error {
    fn from(mistake: Mistake) -> Self {
        Self::Mistake(Box::new(mistake))
    }
}
