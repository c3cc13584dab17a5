//! The sub-commands, one file each: arguments become typed options, the library does the work,
//! the result is shown.

pub mod adjust;
pub mod argus;
pub mod audit;
pub mod compare;
pub mod convert;
pub mod exposure;
pub mod generate;
pub mod init;
pub mod micro;
pub mod protect;
pub mod suppress;
pub mod tabulate;
pub mod unpick;

use quell::{Context, Error, Progress};

use crate::args::{LimitArguments, SearchArguments};
use crate::progress::ProgressBar;
use crate::signals::{First, Signals};

/// What every command that takes long needs: a progress bar and an ear for Ctrl-C.
#[derive(Default)]
pub struct Session {
    signals: Signals,
    progress: ProgressBar,
}

impl Session {
    /// Begins with reading. Ctrl-C still ends the program at once.
    pub fn begin() -> Self {
        let session = Self::default();
        session.progress.stage("reading", None);
        session
    }

    /// The context of work within limits, whose time begins now. From now on Ctrl-C stops that
    /// work in good order. To be called once.
    ///
    /// # Errors
    /// If there is no room for the threads that listen.
    pub fn limited(&self, limits: &LimitArguments) -> Result<Context<'_>, Error> {
        self.signals.listen(First::Everything)?;
        let budget = limits.budget(self.signals.cancel().flag());
        Ok(Context { budget, ..self.unlimited() })
    }

    /// The context of a search, whose time begins now. From now on Ctrl-C ends the search, and
    /// what it has found is audited. To be called once.
    ///
    /// # Errors
    /// As [`Self::limited`].
    pub fn search(&self, search: &SearchArguments) -> Result<Context<'_>, Error> {
        let budget = search.budget(self.signals.cancel().flag());
        Ok(Context { budget, ..self.search_of_a_job()? })
    }

    /// The context of a job, which has limits of its own. Ctrl-C does as in [`Self::search`]. To
    /// be called once.
    ///
    /// # Errors
    /// As [`Self::limited`].
    pub fn search_of_a_job(&self) -> Result<Context<'_>, Error> {
        self.signals.listen(First::Search)?;
        Ok(self.unlimited())
    }

    /// The context of work that begins anew for each search, whose time begins now. Ctrl-C does
    /// as in [`Self::search`]. To be called once.
    ///
    /// # Errors
    /// As [`Self::limited`].
    pub fn searches(&self, limits: &LimitArguments) -> Result<Context<'_>, Error> {
        let budget = limits.budget(self.signals.cancel().flag());
        Ok(Context { budget, ..self.search_of_a_job()? })
    }

    /// A context without limits.
    pub fn unlimited(&self) -> Context<'_> {
        let context = Context {
            progress: &self.progress,
            temporary: Some(&self.signals),
            ..Context::default()
        };
        context.cancelled_by(self.signals.cancel())
    }

    /// Whom to tell how far one has come.
    pub fn progress(&self) -> &dyn Progress {
        &self.progress
    }
}
