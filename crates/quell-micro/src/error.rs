//! What can go wrong, and whose fault it is.

use quell_model::Stop;
use thiserror::Error;

/// An error of the microdata crate.
#[derive(Debug, Error)]
pub enum Error {
    /// Records, or a file that describes or recodes them, could not be read.
    #[error(transparent)]
    Data(#[from] quell_data::Error),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A delimited file is broken.
    #[error("{path}: {source}")]
    Csv {
        /// The file.
        path: String,
        /// What the reader said, with the line.
        source: csv::Error,
    },
    /// A line of a user's file does not say what it should.
    #[error("{path}, line {line}: {message}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// A variable that the file does not have.
    #[error("there is no variable \"{name}\"; the file has {}", .known.join(", "))]
    UnknownVariable {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A code that the variable does not have.
    #[error("variable \"{variable}\" has no code \"{code}\"")]
    UnknownCode {
        /// The variable.
        variable: String,
        /// The code.
        code: String,
    },
    /// A request that makes no sense.
    #[error("{0}")]
    Request(String),
    /// More than this crate can hold.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The work was cancelled, or its time was over, before anything was known to be safe.
    #[error("{}", stopped(*.0))]
    Stopped(Stop),
    /// The solver failed, or found a model of ours to have no solution.
    #[error("solver: {0}")]
    Solver(String),
}

fn stopped(why: Stop) -> &'static str {
    match why {
        Stop::Cancelled => "cancelled before a safe result was known; nothing is proven",
        Stop::Deadline | Stop::Work => {
            "the time was over before a safe result was known; nothing is proven"
        }
    }
}

impl Error {
    /// An I/O error with its file.
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }

    /// A broken delimited file.
    pub(crate) fn csv(path: &std::path::Path, source: csv::Error) -> Self {
        Self::Csv { path: path.display().to_string(), source }
    }

    /// A line that does not say what it should.
    pub(crate) fn line(path: &std::path::Path, line: u64, message: impl Into<String>) -> Self {
        Self::Line { path: path.display().to_string(), line, message: message.into() }
    }
}

/// What this crate's functions give back.
pub type Result<T> = std::result::Result<T, Error>;

/// One of several named values by its name.
pub(crate) fn named<T: Copy>(
    text: &str,
    what: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T> {
    all.iter().copied().find(|&one| name(one) == text.trim()).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        Error::Request(format!("there is no {what} \"{text}\"; there are {}", names.join(", ")))
    })
}
