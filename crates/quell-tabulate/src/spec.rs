//! What to tabulate.

use quell_data::Records;
use quell_model::Dimension;

/// Several tables from the same records, made in one go.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The records.
    pub records: Records,
    /// The dimensions that tables may use.
    pub axes: Vec<Axis>,
    /// The tables.
    pub tables: Vec<TableSpec>,
    /// The variable that says who a record is from, if someone may have several. Their
    /// records count as one contribution wherever they are added up. Without it every record
    /// is from someone else.
    pub respondent: Option<String>,
    /// The variable that says to which holding a respondent belongs. Who has none (an empty
    /// or missing code) is a holding of their own.
    pub holding: Option<String>,
    /// Who asked for protection.
    pub request: Option<Request>,
    /// Who allowed the office to publish.
    pub waiver: Option<Waiver>,
    /// The variable of sampling weights.
    pub weight: Option<String>,
}

/// A dimension with the variable that feeds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Name and classification. Records carry its leaves.
    pub dimension: Dimension,
    /// The variable of the file.
    pub variable: String,
    /// How the file's codes become those of the classification.
    pub codes: CodeMatch,
}

/// How a code in the file becomes a code of a classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodeMatch {
    /// It is the same text, blanks included.
    Exact,
    /// It is the same text when blanks at both ends are ignored in both.
    #[default]
    Trimmed,
    /// It is filled with blanks on the left to this length, as τ-ARGUS does with codes of
    /// free-format files.
    Padded(usize),
    /// Its first so many characters are the code: classes of four digits feed a
    /// classification of two.
    Digits(usize),
}

/// One table to make.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSpec {
    /// What it is called.
    pub name: String,
    /// The names of its dimensions.
    pub dimensions: Vec<String>,
    /// What is counted or added up.
    pub response: Response,
    /// The variable the rules look at, if it is not the response.
    pub shadow: Option<String>,
    /// The variable whose total is the cost of suppressing a cell.
    pub cost: Option<String>,
    /// Whether the published value is the weighted one.
    pub weighted: bool,
    /// How many of the largest contributions the rules need; see
    /// [`Rules::top_needed`](crate::Rules::top_needed), or, if contributors are attackers,
    /// [`Rules::top_against_contributors`](crate::Rules::top_against_contributors).
    pub top: usize,
}

/// What a table shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Response {
    /// The number of records.
    Frequency,
    /// The total of a variable.
    Variable(String),
}

impl Response {
    /// How it is called in messages and labels.
    pub fn name(&self) -> &str {
        match self {
            Self::Frequency => "frequency",
            Self::Variable(name) => name,
        }
    }
}

/// The variable by which contributors ask for protection, with its one or two codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The variable.
    pub variable: String,
    /// The code of the first kind of request.
    pub first: String,
    /// The code of the second kind.
    pub second: Option<String>,
}

/// The variable by which contributors waive their protection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The variable.
    pub variable: String,
    /// The code that means a waiver was signed.
    pub code: String,
}
