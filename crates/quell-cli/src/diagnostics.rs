//! How what goes wrong is shown: the user's line with a caret under the mistake.

use std::error::Error as StdError;
use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, NamedSource, SourceCode, SourceSpan,
    SpanContents,
};
use quell::Error;
use quell::job::JobMistake;
use quell_formats::{Mistake, Snippet};

use crate::exit::Exit;
use crate::output;

/// Shows an error on the standard error; says what the caller is told.
pub fn show(error: Error) -> Exit {
    let exit = match &error {
        Error::Adjust(quell_adjust::Error::NotFound) => Exit::NotSafe,
        _ if error.is_stopped() => Exit::NotSafe,
        _ if error.is_internal() => Exit::Internal,
        _ => Exit::WrongInput,
    };
    match error {
        Error::Faults { file, total, shown } => {
            let rest = total - shown.len();
            for mistake in shown {
                report(InFile::of(mistake));
            }
            if rest > 0 {
                let faults = if rest == 1 { "fault" } else { "faults" };
                output::remark(format_args!("{file} has {rest} more such {faults}"));
            }
        }
        Error::File(quell_formats::Error::Mistake(mistake)) => report(InFile::of(*mistake)),
        Error::Job(mistake) => report(InJob::of(*mistake)),
        other => report(Plain::of(&other)),
    }
    exit
}

fn report(diagnostic: impl Diagnostic + Send + Sync + 'static) {
    output::aside(format_args!("{:?}", miette::Report::new(diagnostic)));
}

/// An error without a place in a file.
#[derive(Debug)]
struct Plain {
    message: String,
    advice: String,
    cause: Option<String>,
}

impl Plain {
    fn of(error: &Error) -> Self {
        let cause = match error {
            Error::File(
                quell_formats::Error::Read { source, .. }
                | quell_formats::Error::Write { source, .. },
            ) => Some(source.to_string()),
            _ => None,
        };
        let advice = error.advice().unwrap_or_default().to_owned();
        Self { message: error.to_string(), advice, cause }
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Some(cause) => write!(f, "{}: {cause}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl StdError for Plain {}

impl Diagnostic for Plain {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.advice))
    }
}

/// A mistake with the line it stands in.
#[derive(Debug)]
struct InFile {
    mistake: Mistake,
    line: Line,
}

impl InFile {
    fn of(mistake: Mistake) -> Self {
        let line = Line {
            file: mistake.file.clone(),
            line: mistake.line,
            snippet: mistake.snippet.clone(),
        };
        Self { mistake, line }
    }
}

impl fmt::Display for InFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mistake.fmt(f)
    }
}

impl StdError for InFile {}

impl Diagnostic for InFile {
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

/// A mistake in a job file.
#[derive(Debug)]
struct InJob {
    mistake: JobMistake,
    source: NamedSource<String>,
}

impl InJob {
    fn of(mistake: JobMistake) -> Self {
        let text = mistake.text.clone();
        let source = NamedSource::new(&mistake.file, text).with_language("toml");
        Self { mistake, source }
    }
}

impl fmt::Display for InJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mistake.fmt(f)
    }
}

impl StdError for InJob {}

impl Diagnostic for InJob {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.mistake.advice))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = &self.mistake.place;
        let label = LabeledSpan::new(Some("here".to_owned()), place.start, place.len());
        Some(Box::new(std::iter::once(label)))
    }
}
