//! The commands of a batch, one after the other.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quell_formats::Text;
use quell_formats::argus::arb::{self, Command, RecodeBy, Step};
use quell_formats::argus::rda::{self, Metadata, Role};
use quell_formats::argus::{grc, hst};
use quell_tabulate::{Resources, Rules, TrivialLevels};

use super::super::classification::Folders;
use super::super::log::Log;
use super::super::output::{Pending, tells_hidden_values};
use super::super::{given, hst_entries, rules};
use super::NotProven;
use super::tables::{BatchTable, RecodeStep};
use crate::text::counted;
use crate::{Context, Error};

/// The data of a batch.
#[derive(Debug)]
pub enum Source {
    /// Records.
    Microdata(PathBuf),
    /// A table.
    Table(PathBuf),
}

/// A batch as it runs.
pub struct Session<'a> {
    /// All commands.
    pub steps: &'a [Step],
    /// The batch's folder, where outputs without a path go.
    pub folder: &'a Path,
    /// Where files are looked for.
    pub folders: Folders,
    /// What tabulation may use.
    pub resources: Resources<'a>,
    /// The time of each protection, instead of the batch's.
    pub time: Option<Duration>,
    /// What the batch may use, and whom it tells.
    pub context: &'a Context<'a>,
    /// The logbook.
    pub log: Log,
    /// The data opened last.
    pub source: Option<Source>,
    /// Their metadata.
    pub metadata: Option<Metadata>,
    /// The tables.
    pub tables: Vec<BatchTable>,
    /// What to write in the end.
    pub outputs: Vec<Pending>,
    /// Where each output goes, and what the batch calls it.
    pub places: Vec<(PathBuf, String)>,
    /// What was not proven safe.
    pub not_proven: Vec<NotProven>,
}

impl Session<'_> {
    /// Runs all commands up to `<GOINTERACTIVE>`.
    ///
    /// # Errors
    /// Of the first command that fails.
    pub fn run(&mut self) -> Result<(), Error> {
        let steps = self.steps;
        for (position, step) in steps.iter().enumerate() {
            if step.command == Command::GoInteractive {
                self.log.note(step.line, "<GOINTERACTIVE>: the batch ends here");
                return Ok(());
            }
            self.step(position, step).map_err(|failure| at_line(step.line, failure))?;
        }
        Ok(())
    }

    fn step(&mut self, position: usize, step: &Step) -> Result<(), Error> {
        self.context.go_on()?;
        let line = step.line;
        match &step.command {
            Command::OpenMicrodata(name) => {
                self.source = Some(Source::Microdata(self.folders.find(name)?));
                self.log.note(line, format!("microdata {name}"));
            }
            Command::OpenTableData(name) => {
                self.source = Some(Source::Table(self.folders.find(name)?));
                self.log.note(line, format!("table {name}"));
            }
            Command::OpenMetadata(name) => {
                let text = Text::read(&self.folders.find(name)?)?;
                self.metadata = Some(match self.source {
                    Some(Source::Table(_)) => rda::parse_table(&text)?,
                    _ => rda::parse_micro(&text)?,
                });
                self.log.note(line, format!("metadata {name}"));
            }
            Command::SpecifyTable(spec) => self.specify(line, spec),
            Command::SafetyRule(safety) => self.safety_rule(line, safety),
            Command::ReadMicrodata => self.read_microdata(line, position)?,
            Command::ReadTable { totals, keep_status } => {
                self.read_table(line, *totals, *keep_status)?;
            }
            Command::Apriori(file) => self.apriori(line, file)?,
            Command::Recode { table, variable, by } => self.recode(line, *table, variable, by)?,
            Command::Suppress { table, method } => self.suppress(line, *table, method)?,
            Command::WriteTable { table, format, options, file } => {
                self.write_table(line, *table, *format, *options, file)?;
            }
            Command::Logbook(name) => {
                let path = self.output_path(line, name)?;
                self.log.redirect(path)?;
            }
            Command::VersionInfo(name) => {
                let path = self.output_path(line, name)?;
                let text = format!("quell {}\n", env!("CARGO_PKG_VERSION"));
                self.outputs.push(Pending::Text { path, text });
            }
            Command::Clear => {
                self.tables.clear();
                self.source = None;
                self.metadata = None;
            }
            Command::Solver { name, .. } => {
                self.log.note(line, format!("solver {name}: HiGHS is used whatever is named"));
            }
            Command::GoInteractive | Command::Cover | Command::Silent | Command::Anco => {}
        }
        Ok(())
    }

    /// Where an output goes: into the folder that its name has, from the batch's own, or beside
    /// the batch if there is no such folder here. Batches come from machines with other drives.
    ///
    /// # Errors
    /// If two outputs would go to one file that were to go to two.
    fn output_path(&mut self, line: usize, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name.replace('\\', "/"));
        let has_folder =
            path.parent().is_none_or(|above| above.as_os_str().is_empty() || above.is_dir());
        let path = match path.file_name() {
            Some(last) if !has_folder => {
                let beside = self.folder.join(last);
                let place = beside.display();
                self.log.note(line, format!("there is no folder for {name} here: it is {place}"));
                beside
            }
            _ => path,
        };
        let other = |(own, other): &&(PathBuf, String)| *own == path && other != name;
        if let Some((_, other)) = self.places.iter().find(other) {
            return Err(Error::arguments(
                format!("{other} and {name} would both be {}", path.display()),
                "make the folders that the batch names, or give its outputs other names",
            ));
        }
        self.places.push((path.clone(), name.to_owned()));
        Ok(path)
    }

    fn specify(&mut self, line: usize, spec: &arb::TableSpec) {
        let number = self.tables.len() + 1;
        let what = spec.response.as_deref().unwrap_or("frequencies");
        self.log.note(line, format!("table {number}: {what} by {}", spec.explanatory.join(" × ")));
        self.tables.push(BatchTable {
            spec: spec.clone(),
            rules: Rules::default(),
            full: None,
            recodes: Vec::new(),
            apriori: Vec::new(),
            current: None,
        });
    }

    fn safety_rule(&mut self, line: usize, safety: &arb::SafetyRules) {
        let weighted = safety.weighted
            && self.metadata.as_ref().is_some_and(|all| all.with_role(&Role::Weight).is_some());
        if let Some(table) = self.tables.last_mut() {
            table.rules = rules::rules(safety, weighted);
        }
        self.log.note(line, "rules of that table");
    }

    /// The metadata of the data.
    ///
    /// # Errors
    /// If none are open.
    pub(super) fn metadata(&self) -> Result<&Metadata, Error> {
        self.metadata.as_ref().ok_or_else(|| {
            Error::arguments("there are no metadata", "name them with <OPENMETADATA>")
        })
    }

    /// Applies recodes, rules and a-priori files to what was read.
    pub(super) fn refresh(&mut self, line: usize, number: usize) -> Result<(), Error> {
        let metadata = self.metadata()?.clone();
        let table = &mut self.tables[number];
        let cost = rules::cost(&table.spec, &metadata);
        let refusals = table.refresh(|table| cost.of(table)).map_err(|error| {
            Error::arguments(
                format!("table {} cannot be recoded: {error}", number + 1),
                "every code must belong to one that is kept",
            )
        })?;
        self.note_cells(line, number);
        for refusal in refusals {
            self.log.note(line, format!("table {}: {refusal}; left out", number + 1));
        }
        Ok(())
    }

    /// Notes how many cells a table has, and how many of them are unsafe.
    pub(super) fn note_cells(&mut self, line: usize, number: usize) {
        let Some(current) = &self.tables[number].current else { return };
        let cells = &current.decided.assessments;
        let primary = cells.iter().filter(|cell| cell.status.is_primary()).count();
        let cells = counted(cells.len(), "cell");
        self.log.note(line, format!("table {}: {cells}, {primary} unsafe", number + 1));
    }

    pub(super) fn table_at(&self, number: usize) -> Result<usize, Error> {
        match number.checked_sub(1).filter(|&index| index < self.tables.len()) {
            Some(index) => Ok(index),
            None => Err(Error::arguments(
                format!("there is no table {number}"),
                format!("the batch specifies {}", counted(self.tables.len(), "table")),
            )),
        }
    }

    fn apriori(&mut self, line: usize, file: &arb::AprioriFile) -> Result<(), Error> {
        let index = self.table_at(file.table)?;
        let text = Text::read(&self.folders.find(&file.file)?)?;
        let dimensions = self.tables[index].spec.explanatory.len();
        let entries = hst_entries::entries(&hst::parse(&text, &file.separator, dimensions)?);
        let trivial =
            if file.expand_trivial { TrivialLevels::Together } else { TrivialLevels::Apart };
        self.log.note(line, format!("{}: {}", file.file, counted(entries.len(), "entry")));
        let table = &mut self.tables[index];
        let rules = table.rules.clone();
        let Some(current) = &mut table.current else { return Ok(()) };
        let refusals = quell_tabulate::apply_apriori(
            &entries,
            trivial,
            &current.table,
            &rules,
            &mut current.decided.assessments,
            &mut current.decided.costs,
        );
        table.apriori.push((entries, trivial));
        match refusals.first() {
            Some(first) if !file.ignore_errors => {
                Err(Error::arguments(format!("{}: {first}", file.file), "correct the entry"))
            }
            _ => {
                for refusal in refusals {
                    self.log.note(line, format!("{}: {refusal}; left out", file.file));
                }
                Ok(())
            }
        }
    }

    fn recode(
        &mut self,
        line: usize,
        number: usize,
        variable: &str,
        by: &RecodeBy,
    ) -> Result<(), Error> {
        let index = self.table_at(number)?;
        let table = &self.tables[index];
        let names = &table.spec.explanatory;
        let position = names.iter().position(|name| name.eq_ignore_ascii_case(variable));
        let position = position.ok_or_else(|| given::unknown(variable))?;
        if table.full.is_none() {
            return Err(Error::arguments(
                "a table read from a file cannot be recoded",
                "recode the file, or start from microdata",
            ));
        }
        let step = match by {
            RecodeBy::File(name) => {
                RecodeStep::File(grc::parse(&Text::read(&self.folders.find(name)?)?)?)
            }
            RecodeBy::Level(level) => RecodeStep::Level(*level),
        };
        self.log.note(line, format!("table {number}: {variable} recoded"));
        self.tables[index].recodes.push((position, step));
        self.refresh(line, index)
    }

    fn write_table(
        &mut self,
        line: usize,
        number: usize,
        format: arb::OutputFormat,
        options: arb::WriteOptions,
        file: &str,
    ) -> Result<(), Error> {
        let index = self.table_at(number)?;
        let table = &self.tables[index];
        let Some(current) = &table.current else {
            return Err(Error::arguments(
                format!("table {number} has not been read"),
                "see <READMICRODATA> and <READTABLE>",
            ));
        };
        let protected = current.secondary.is_some();
        let path = self.output_path(line, file)?;
        let table = &self.tables[index];
        let Some(current) = &table.current else { return Ok(()) };
        let pending = Pending::new(path, table, current, self.metadata()?, format, options)?;
        self.outputs.push(pending);
        self.log.note(line, format!("table {number} to {file}"));
        if !protected {
            let note = "only unsafe cells are hidden: the table has not been protected";
            self.log.note(line, note);
        }
        if tells_hidden_values(format, options) {
            let note =
                format!("{file} holds the values of hidden cells: it is not for publication");
            self.log.note(line, note);
        }
        Ok(())
    }
}

/// The same failure with the line of the batch where that is not in it.
fn at_line(line: usize, failure: Error) -> Error {
    match failure {
        Error::Arguments { message, advice } => {
            Error::Arguments { message: format!("line {line}: {message}"), advice }
        }
        other => other,
    }
}
