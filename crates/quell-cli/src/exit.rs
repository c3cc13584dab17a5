//! What the caller learns from the exit code.

use std::process::ExitCode;

use quell::TableVerdict;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: the work is done, the table is safe.
    Done,
    /// 1: the input is wrong: arguments, files, tables.
    WrongInput,
    /// 2: the table is not safe, or its safety was not proven within the budget.
    NotSafe,
    /// 3: a mistake of ours.
    Internal,
}

impl Exit {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::WrongInput => 1,
            Self::NotSafe => 2,
            Self::Internal => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<TableVerdict> for Exit {
    fn from(verdict: TableVerdict) -> Self {
        match verdict {
            TableVerdict::Safe => Self::Done,
            TableVerdict::NotSafe | TableVerdict::NotProven => Self::NotSafe,
        }
    }
}
