//! Tables that τ-ARGUS has written, to be audited as they are.

use std::path::{Path, PathBuf};

use quell_formats::Text;
use quell_formats::argus::rda::{self, Metadata};
use quell_formats::argus::{sbs, tab};
use quell_model::{Dimension, Problem};
use quell_tabulate::{Additivity, Attribution, Place, Response, Rules};

use super::classification::{self, Folders};
use super::given::unknown;
use super::output::counts;
use super::rules::attackers;
use crate::given::{Decides, Given, GivenCells, codes};
use crate::pipeline::Decided;
use crate::{ContributorAttackers, Error, pipeline};

/// A table that τ-ARGUS has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedTable {
    /// The file: intermediate (`.tab`) or SBS (`.sbs`).
    pub file: PathBuf,
    /// What describes it (`.rda`). For an SBS file: what describes its variables.
    pub metadata: PathBuf,
    /// The spanning variables, in order; those of the metadata if none are named.
    pub dimensions: Vec<String>,
}

impl FinishedTable {
    /// Whether a file is one by its name.
    pub fn is_one(file: &Path) -> bool {
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        matches!(ending.as_deref(), Some("tab" | "sbs"))
    }

    /// The table with its values, statuses and protection levels; unsafe cells without levels
    /// have the usual margin.
    ///
    /// # Errors
    /// If a file cannot be read or has a mistake, or the table does not add up.
    pub fn read(&self) -> Result<Problem, Error> {
        let text = Text::read(&self.metadata)?;
        let is_sbs = self.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sbs"));
        // Metadata of records say as much of variables as those of a table.
        let metadata = match rda::parse_table(&text) {
            Err(_) if is_sbs => rda::parse_micro(&text)?,
            table => table?,
        };
        let names = self.names(&metadata)?;
        let table = Text::read(&self.file)?;
        let (rows, response) = match is_sbs {
            true => (sbs::parse(&table, &names)?, Some("value".to_owned())),
            false => {
                let response = metadata.variables.iter().find(|variable| {
                    variable.numeric && !variable.categorical && variable.role.is_none()
                });
                let response = response.map(|variable| variable.name.clone());
                let wanted =
                    tab::Wanted { response: response.as_deref(), ..tab::Wanted::default() };
                (tab::parse(&table, &metadata, wanted)?, response)
            }
        };
        let folder = self.metadata.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folders = Folders { folders: vec![folder.unwrap_or(Path::new(".")).to_owned()] };
        let mut dimensions = Vec::new();
        for name in &names {
            let variable = metadata.variable(name).ok_or_else(|| unknown(name))?;
            let known = codes(&rows, name, variable.total());
            let hierarchy = classification::hierarchy(variable, &known, &folders)?;
            dimensions.push((Dimension::new(name, hierarchy), name.clone()));
        }
        let given = Given {
            file: &self.file,
            place: Place::Line,
            rows: &rows,
            name: "table",
            dimensions,
            response: response.map_or(Response::Frequency, Response::Variable),
            decimals: None,
            additivity: Additivity::Check,
            advice: "correct the table, or the hierarchies that its metadata name",
            decides: Decides::Statuses,
        };
        problem(given.build(&Rules::default())?)
    }

    /// The spanning variables.
    fn names(&self, metadata: &Metadata) -> Result<Vec<String>, Error> {
        let all = metadata.variables.iter().filter(|variable| variable.categorical);
        let all: Vec<String> = all.map(|variable| variable.name.clone()).collect();
        if self.dimensions.is_empty() {
            return Ok(all);
        }
        let known = |name: &String| {
            let found = all.iter().find(|own| own.eq_ignore_ascii_case(name));
            found.cloned().ok_or_else(|| unknown(name))
        };
        self.dimensions.iter().map(known).collect()
    }
}

fn problem(given: GivenCells) -> Result<Problem, Error> {
    let GivenCells { table, assessments, costs, .. } = given;
    let costs = costs.into_iter().map(|cost| cost.unwrap_or(1.0)).collect();
    let labels = vec![Default::default(); table.dimensions().len()];
    let decided = Decided { rules: Rules::default(), assessments, costs, labels };
    let tables = std::slice::from_ref(&table);
    let decided = std::slice::from_ref(&decided);
    let linked = pipeline::link(tables, decided, &[], attackers(ContributorAttackers::No))?;
    if let Some(fault) = linked.problem.faults().into_iter().find(|fault| !fault.is_warning()) {
        let advice = "correct the table, or the hierarchies that its metadata name";
        return Err(Error::arguments(fault.describe(&linked.problem), advice));
    }
    Ok(match table.attribution {
        Attribution::Unknown => linked.problem,
        _ => {
            let counts = counts(&table, &linked.linked.cell_of[0], linked.problem.cell_count());
            let contributors = counts.into_iter().map(|(contributors, _)| contributors).collect();
            linked.problem.with_contributors(contributors)
        }
    })
}
