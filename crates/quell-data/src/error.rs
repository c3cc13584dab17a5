//! Why a file could not be read or written.

use std::io;
use std::path::{Path, PathBuf};

use quell_model::Stop;
use thiserror::Error;

use crate::{Mistake, Place};

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
    /// It is no longer the file that was read at first.
    #[error("{} changed while it was read; nothing was written", file.display())]
    Changed {
        /// Which file.
        file: PathBuf,
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
    /// A file of records that is not what it should be.
    #[error("{}: {message}", file.display())]
    Malformed {
        /// Which file.
        file: PathBuf,
        /// What is wrong, and what to do about it.
        message: String,
    },
    /// A record that is not what it should be.
    #[error("{}, {place}: {message}", file.display())]
    Record {
        /// The file, or the name of records in memory.
        file: PathBuf,
        /// The record.
        place: Place,
        /// What is wrong with it.
        message: String,
    },
    /// A variable that the records do not have.
    #[error(
        "{}: there is no variable \"{name}\"; {}",
        file.display(),
        match suggestion {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("there are {}", known.join(", ")),
        }
    )]
    UnknownVariable {
        /// The file, or the name of records in memory.
        file: PathBuf,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
        /// The nearest of them, if one is near.
        suggestion: Option<String>,
    },
    /// A name that several variables have.
    #[error("{}: there are {count} variables \"{name}\"; give them different names", file.display())]
    RepeatedVariable {
        /// The file, or the name of records in memory.
        file: PathBuf,
        /// The name.
        name: String,
        /// How many have it.
        count: usize,
    },
    /// Stopped before the end.
    #[error("stopped before all records were read ({0:?}): nothing is proven")]
    Stopped(Stop),
}

impl Error {
    /// A file that the operating system would not let us read.
    pub fn read(file: &Path, source: io::Error) -> Self {
        Self::Read { file: file.to_owned(), source }
    }

    /// A file that the operating system would not let us write.
    pub fn write(file: &Path, source: io::Error) -> Self {
        Self::Write { file: file.to_owned(), source }
    }

    /// A file of records that is not what it should be.
    pub fn malformed(file: &Path, message: impl ToString) -> Self {
        Self::Malformed { file: file.to_owned(), message: message.to_string() }
    }

    /// The mistake in the file, if that is what is wrong.
    pub fn mistake(&self) -> Option<&Mistake> {
        match self {
            Self::Mistake(mistake) => Some(mistake),
            _ => None,
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &str {
        match self {
            Self::Mistake(mistake) => &mistake.advice,
            Self::Changed { .. } => "start again when nobody writes it",
            Self::Unwritable { advice, .. } => advice,
            Self::Read { source, .. } | Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => "check the name and the folder",
                io::ErrorKind::PermissionDenied => "check who may read and write there",
                io::ErrorKind::StorageFull => "make room on the disk",
                _ => "check the file and its folder",
            },
            Self::Malformed { .. } => "check the file, its format and its separator",
            Self::Record { .. } => "correct the record",
            Self::UnknownVariable { .. } => "check the name against the file's header",
            Self::RepeatedVariable { .. } => "give every variable a name of its own",
            Self::Stopped(_) => "give it more time",
        }
    }
}

impl From<Mistake> for Error {
    fn from(mistake: Mistake) -> Self {
        Self::Mistake(Box::new(mistake))
    }
}
