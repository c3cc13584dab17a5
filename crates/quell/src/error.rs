//! What goes wrong. How it is shown is the business of each face; what it says, where and what to do
//! about it stands here.

use quell_formats::Mistake;

use crate::job::JobMistake;

/// Why work could not be done. All of these are wrong input but failures of solvers.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error(transparent)]
    File(quell_formats::Error),
    /// A file has mistakes, or its table has faults at these places.
    #[error("{} has {} {}", file, total, if *total == 1 { "fault" } else { "faults" })]
    Faults {
        /// The file.
        file: String,
        /// How many there are.
        total: usize,
        /// The first of them.
        shown: Vec<Mistake>,
    },
    /// Arguments that make no sense.
    #[error("{message}")]
    Arguments {
        /// What is wrong.
        message: String,
        /// What to do.
        advice: String,
    },
    /// The job file has a mistake.
    #[error(transparent)]
    Job(Box<JobMistake>),
    /// The tables could not be made from the data.
    #[error(transparent)]
    Tabulate(Box<quell_tabulate::Error>),
    /// The tables contradict each other.
    #[error(transparent)]
    Link(Box<quell_tabulate::LinkError>),
    /// No pattern was found.
    #[error(transparent)]
    Suppress(#[from] quell_suppress::Error),
    /// No adjusted table was found.
    #[error(transparent)]
    Adjust(#[from] quell_adjust::Error),
    /// Microdata could not be protected.
    #[error(transparent)]
    Micro(quell_micro::Error),
    /// The tables are not proven safe, so nothing was written.
    #[error("the tables are not proven safe ({0}); nothing was written")]
    NotSafe(quell_attack::TableVerdict),
    /// The call was cancelled before there was anything to show.
    #[error("stopped before the end; nothing was written")]
    Stopped,
    /// The attack itself failed.
    #[error(transparent)]
    Attack(#[from] quell_attack::AuditError),
    /// A parameter that makes no synthetic table.
    #[error(transparent)]
    Generate(#[from] quell_gen::ParameterError),
}

impl Error {
    /// Arguments that make no sense.
    pub fn arguments(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Arguments { message: message.into(), advice: advice.into() }
    }

    /// What to do about it, if that is not part of a place in a file.
    pub fn advice(&self) -> Option<&str> {
        match self {
            Self::File(error) => Some(error.advice()),
            Self::Faults { .. } => None,
            Self::Arguments { advice, .. } => Some(advice),
            Self::Job(mistake) => Some(&mistake.advice),
            Self::Tabulate(_) => Some("see docs/tabulate.md"),
            Self::Link(_) => Some("tables that are protected together must agree; see docs/job.md"),
            Self::Suppress(_) if !self.is_internal() => {
                Some("choose another method; see docs/job.md")
            }
            Self::Adjust(quell_adjust::Error::NotFound) => {
                Some("give it more time, or choose another method")
            }
            Self::Adjust(_) if !self.is_internal() => Some("see docs/adjust.md"),
            Self::Micro(error) if !self.is_internal() => Some(micro_advice(error)),
            Self::NotSafe(_) => Some("give it more time or another method, or look at its audit"),
            Self::Stopped => Some("let it go on for longer, or make the job smaller"),
            Self::Generate(_) => Some("change that parameter of the class of tables"),
            _ => Some("this is a mistake in quell; please report it with the table"),
        }
    }

    /// Where in a file something is wrong, in words, if it is in a file.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Job(mistake) => Some(mistake.line()),
            Self::Faults { shown, .. } => shown.first().map(ToString::to_string),
            _ => None,
        }
    }

    /// Whether the work was stopped, by its time or by whoever cancelled it, before there was
    /// anything to show: nothing is wrong, and nothing is proven.
    pub fn is_stopped(&self) -> bool {
        match self {
            Self::Stopped | Self::File(quell_formats::Error::Stopped(_)) => true,
            Self::Tabulate(error) => matches!(**error, quell_tabulate::Error::Stopped(_)),
            Self::Micro(error) => matches!(error, quell_micro::Error::Stopped(_)),
            _ => false,
        }
    }

    /// Whether it is a mistake of ours: tables are checked when they are read, so solvers that
    /// refuse them are not the user's doing.
    pub fn is_internal(&self) -> bool {
        match self {
            Self::Suppress(error) => !matches!(
                error,
                quell_suppress::Error::UnknownMethod { .. }
                    | quell_suppress::Error::NotForThisTable { .. }
            ),
            Self::Adjust(error) => matches!(error, quell_adjust::Error::Solver(_)),
            Self::Micro(error) => matches!(error, quell_micro::Error::Solver(_)),
            Self::Attack(_) => true,
            _ => false,
        }
    }
}

impl From<JobMistake> for Error {
    fn from(mistake: JobMistake) -> Self {
        Self::Job(Box::new(mistake))
    }
}

impl From<quell_tabulate::Error> for Error {
    fn from(error: quell_tabulate::Error) -> Self {
        match error {
            quell_tabulate::Error::Data(error) => Self::File(error),
            other => Self::Tabulate(Box::new(other)),
        }
    }
}

impl From<quell_micro::Error> for Error {
    fn from(error: quell_micro::Error) -> Self {
        match error {
            quell_micro::Error::Data(error) => Self::File(error),
            other => Self::Micro(other),
        }
    }
}

impl From<quell_tabulate::LinkError> for Error {
    fn from(error: quell_tabulate::LinkError) -> Self {
        match error {
            quell_tabulate::LinkError::Stopped(stop) => quell_tabulate::Error::Stopped(stop).into(),
            other => Self::Link(Box::new(other)),
        }
    }
}

impl From<quell_formats::Error> for Error {
    fn from(error: quell_formats::Error) -> Self {
        Self::File(error)
    }
}

fn micro_advice(error: &quell_micro::Error) -> &'static str {
    match error {
        quell_micro::Error::Io { .. } => "check the name and the folder",
        quell_micro::Error::Csv { .. } => {
            "check the file; --separator says what stands between fields"
        }
        quell_micro::Error::Line { .. } => "correct the line",
        quell_micro::Error::UnknownVariable { .. } => "check --keys against the file's header",
        quell_micro::Error::UnknownCode { .. } => "check the code against the file",
        quell_micro::Error::Stopped(_) => "nothing was written; give it more time, or check less",
        quell_micro::Error::TooLarge(_) => "choose fewer variables or a smaller --max-dim",
        _ => "see quell micro --help",
    }
}
