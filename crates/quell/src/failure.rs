//! What goes wrong, and how it is shown: the user's line with a caret under the mistake.

use std::error::Error;
use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use quell_formats::{Mistake, Snippet};
use thiserror::Error as ThisError;

use crate::exit::Exit;
use crate::job::JobMistake;
use crate::micro;

/// Why a sub-command could not do its work. All of these are wrong input but failures of solvers.
#[derive(Debug, ThisError)]
pub enum Failure {
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
    Micro(#[from] quell_micro::Error),
    /// The attack itself failed.
    #[error(transparent)]
    Attack(#[from] quell_attack::AuditError),
}

impl Failure {
    /// Arguments that make no sense.
    pub fn arguments(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Arguments { message: message.into(), advice: advice.into() }
    }

    /// Shows the failure on the standard error.
    pub fn show(self) -> Exit {
        match self {
            Self::File(error) => show_file_error(error),
            Self::Faults { file, total, shown } => {
                let rest = total - shown.len();
                for mistake in shown {
                    show(Shown::of(mistake));
                }
                if rest > 0 {
                    eprintln!("quell: {file} has {rest} more such faults");
                }
            }
            Self::Arguments { message, advice } => show(Plain { message, advice, cause: None }),
            Self::Job(mistake) => show(*mistake),
            Self::Tabulate(error) => {
                let advice = "see docs/tabulate.md".to_owned();
                show(Plain { message: error.to_string(), advice, cause: None });
            }
            Self::Link(error) => {
                let advice =
                    "tables that are protected together must agree; see docs/job.md".into();
                show(Plain { message: error.to_string(), advice, cause: None });
            }
            Self::Suppress(
                error @ (quell_suppress::Error::UnknownMethod { .. }
                | quell_suppress::Error::NotForThisTable { .. }),
            ) => {
                let advice = "choose another method; see docs/job.md".to_owned();
                show(Plain { message: error.to_string(), advice, cause: None });
            }
            // Tables are checked when they are read, so this is not the user's doing.
            Self::Suppress(error) => return internal(&error),
            Self::Adjust(error @ quell_adjust::Error::NotFound) => {
                let advice = "give it more time, or choose another method".to_owned();
                show(Plain { message: error.to_string(), advice, cause: None });
                return Exit::NotSafe;
            }
            Self::Adjust(quell_adjust::Error::Solver(error)) => return internal(&error),
            Self::Adjust(error) => {
                let advice = "see docs/adjust.md".to_owned();
                show(Plain { message: error.to_string(), advice, cause: None });
            }
            Self::Micro(error @ quell_micro::Error::Solver(_)) => return internal(&error),
            Self::Micro(error) => {
                let advice = micro::advice(&error).to_owned();
                show(Plain { message: error.to_string(), advice, cause: None });
            }
            Self::Attack(error) => return internal(&error),
        }
        Exit::WrongInput
    }
}

fn internal(error: &impl Error) -> Exit {
    let advice = "this is a mistake in quell; please report it with the table".into();
    show(Plain { message: error.to_string(), advice, cause: None });
    Exit::Internal
}

impl From<JobMistake> for Failure {
    fn from(mistake: JobMistake) -> Self {
        Self::Job(Box::new(mistake))
    }
}

impl From<quell_tabulate::Error> for Failure {
    fn from(error: quell_tabulate::Error) -> Self {
        Self::Tabulate(Box::new(error))
    }
}

impl From<quell_tabulate::LinkError> for Failure {
    fn from(error: quell_tabulate::LinkError) -> Self {
        Self::Link(Box::new(error))
    }
}

impl From<quell_formats::Error> for Failure {
    fn from(error: quell_formats::Error) -> Self {
        Self::File(error)
    }
}

fn show_file_error(error: quell_formats::Error) {
    match error {
        quell_formats::Error::Mistake(mistake) => show(Shown::of(*mistake)),
        quell_formats::Error::Unwritable { advice, .. } => {
            show(Plain { message: error.to_string(), advice: advice.to_owned(), cause: None });
        }
        quell_formats::Error::Read { ref source, .. }
        | quell_formats::Error::Write { ref source, .. } => {
            let advice = match source.kind() {
                std::io::ErrorKind::NotFound => "check the name and the folder",
                std::io::ErrorKind::PermissionDenied => "check who may read and write there",
                std::io::ErrorKind::StorageFull => "make room on the disk",
                _ => "check the file and its folder",
            };
            let cause = Some(source.to_string());
            show(Plain { message: error.to_string(), advice: advice.to_owned(), cause });
        }
    }
}

fn show(diagnostic: impl Diagnostic + Send + Sync + 'static) {
    eprintln!("{:?}", miette::Report::new(diagnostic));
}

/// A failure without a place in a file.
#[derive(Debug)]
struct Plain {
    message: String,
    advice: String,
    cause: Option<String>,
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Some(cause) => write!(f, "{}: {cause}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Error for Plain {}

impl Diagnostic for Plain {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.advice))
    }
}

/// A mistake with the line it stands in.
#[derive(Debug)]
struct Shown {
    mistake: Mistake,
    line: Line,
}

impl Shown {
    fn of(mistake: Mistake) -> Self {
        let line = Line {
            file: mistake.file.clone(),
            line: mistake.line,
            snippet: mistake.snippet.clone(),
        };
        Self { mistake, line }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mistake.fmt(f)
    }
}

impl Error for Shown {}

impl Diagnostic for Shown {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.mistake.advice))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.line)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let wrong = self.mistake.snippet.wrong.clone();
        let label = LabeledSpan::new(Some("here".to_owned()), wrong.start, wrong.len());
        Some(Box::new(std::iter::once(label)))
    }
}

/// Part of a line of a file, with the numbers it has there: lines of equations may be
/// megabytes long, so never the whole file.
#[derive(Debug)]
struct Line {
    file: String,
    line: usize,
    snippet: Snippet,
}

impl SourceCode for Line {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text = &self.snippet.text;
        // Asked without context, the place of the span itself is wanted.
        let start = if lines_before + lines_after == 0 { span.offset().min(text.len()) } else { 0 };
        let column = self.snippet.first_column - 1 + text[..start].chars().count();
        let part = SourceSpan::from((start, text.len() - start));
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.clone(),
            &text.as_bytes()[start..],
            part,
            self.line - 1,
            column,
            1,
        )))
    }
}
