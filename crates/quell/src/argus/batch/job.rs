//! A batch as a job, as far as one job can say the same.

use std::path::{Path, PathBuf};

use quell_formats::Text;
use quell_formats::argus::arb::{self, Command, OutputFormat, Step, WriteOptions};
use quell_formats::argus::hrc;
use quell_formats::argus::rda::{self, HierarchySource, Metadata, Role, Variable};
use quell_tabulate::SumsBy;

use super::super::classification::Folders;
use super::super::rules::{contributor_attackers, sums_under};
use super::super::{given, rules};
use super::protection::{our_method, time_of};
use crate::job::file::{
    Approach, AprioriPart, AttackerPart, CostChoice, DataPart, DimensionPart, Knows, ProtectPart,
    RequestPart, RulesPart, Sums, TablePart, unplaced,
};
use crate::{ContributorAttackers, Error, Format, Job, JobBuilder};

/// What messages call a batch that is given as text.
const UNNAMED: &str = "batch.arb";

impl Job {
    /// The job that does what a batch file of τ-ARGUS does. The files that it names are looked for
    /// in `folder`, and so are those of the job.
    ///
    /// One job protects all its tables as one and writes each in every format, so not every batch
    /// is a job. Expressed are batches that start from one file of microdata, protect all their
    /// tables by one `<SUPPRESS>`, and write each in the formats 3 (with `FL+`), 4, 5 or 6 without
    /// further options; the tables are then the same, byte by byte, under the names that jobs give
    /// to files. (Codes of a variable that has no hierarchy stand in the order of jobs: by the
    /// number they begin with.) Recodes, tables read from a file, and tables protected one by one
    /// have no form in a job. Commands about the program itself, such as `<LOGBOOK>`, are left out.
    ///
    /// [`argus::run`](crate::argus::run()) runs every batch as it is.
    ///
    /// # Errors
    /// If it is no batch, a file that it names is not there, or it says what a job cannot: the
    /// first such command is named with its line.
    pub fn from_arb(text: impl AsRef<[u8]>, folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let steps = arb::parse(&Text::new(UNNAMED, text.as_ref()), &rules::forms())?;
        let mut draft = Draft::new(folder);
        for step in &steps {
            if step.command == Command::GoInteractive {
                break;
            }
            draft.step(step)?;
        }
        draft.builder()?.build(folder)
    }
}

/// A job in the making.
struct Draft<'a> {
    folder: &'a Path,
    folders: Folders,
    data: Option<PathBuf>,
    metadata: Option<(PathBuf, Metadata)>,
    /// The dimensions so far, by the names of their variables.
    dimensions: Vec<DimensionPart>,
    tables: Vec<TablePart>,
    is_read: bool,
    protect: Option<ProtectPart>,
    attacker: AttackerPart,
    /// The files asked for: the line, the table and the format of each.
    written: Vec<(usize, usize, Format)>,
    is_cleared: bool,
}

impl<'a> Draft<'a> {
    fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            folders: Folders { folders: vec![folder.to_owned()] },
            data: None,
            metadata: None,
            dimensions: Vec::new(),
            tables: Vec::new(),
            is_read: false,
            protect: None,
            attacker: AttackerPart::default(),
            written: Vec::new(),
            is_cleared: false,
        }
    }

    /// Takes the next command. The reader of batches has checked their order.
    fn step(&mut self, step: &Step) -> Result<(), Error> {
        let line = step.line;
        let refuse = |what: &str| Err(no_form(line, what));
        match &step.command {
            Command::Solver { .. }
            | Command::Logbook(_)
            | Command::VersionInfo(_)
            | Command::Cover
            | Command::Silent
            | Command::Anco
            | Command::GoInteractive => Ok(()),
            _ if self.is_cleared => refuse("what follows <CLEAR>: a job has one source of data"),
            Command::Clear => {
                self.is_cleared = true;
                Ok(())
            }
            Command::OpenMicrodata(name) => {
                self.data = Some(self.named(name)?);
                Ok(())
            }
            Command::OpenTableData(_) | Command::ReadTable { .. } => {
                refuse("a table that is read from a file of τ-ARGUS")
            }
            Command::OpenMetadata(name) => {
                let path = self.folders.find(name)?;
                let metadata = rda::parse_micro(&Text::read(&path)?)?;
                self.metadata = Some((self.named(name)?, metadata));
                Ok(())
            }
            Command::SpecifyTable(_) if self.is_read => {
                refuse("a table specified after the data were read")
            }
            Command::SpecifyTable(spec) => self.table(line, spec),
            Command::SafetyRule(written) => self.rules(written),
            Command::ReadMicrodata if self.is_read => refuse("data read twice"),
            Command::ReadMicrodata => {
                self.is_read = true;
                Ok(())
            }
            Command::Recode { .. } => refuse("<RECODE>"),
            Command::Apriori(file) => self.apriori(line, file),
            Command::Suppress { table, method } => self.suppress(line, *table, method),
            Command::WriteTable { table, format, options, .. } => {
                if self.protect.is_none() {
                    return refuse("a table written before it is protected");
                }
                let Some(format) = self.format(*format, *options) else {
                    return refuse("this format with these options");
                };
                self.written.push((line, *table, format));
                Ok(())
            }
        }
    }

    /// A file as the job names it: from the folder, wherever the batch looked for it.
    fn named(&self, name: &str) -> Result<PathBuf, Error> {
        let found = self.folders.find(name)?;
        Ok(found.strip_prefix(self.folder).map_or_else(|_| found.clone(), Path::to_owned))
    }

    fn metadata(&self) -> Result<&Metadata, Error> {
        match &self.metadata {
            Some((_, metadata)) => Ok(metadata),
            None => Err(Error::arguments("there are no metadata", "see <OPENMETADATA>")),
        }
    }

    fn table(&mut self, line: usize, spec: &arb::TableSpec) -> Result<(), Error> {
        let metadata = self.metadata()?.clone();
        let canonical = |name: &str| {
            metadata.variable(name).map_or_else(|| name.to_owned(), |known| known.name.clone())
        };
        let optional = |name: &Option<String>| name.as_deref().map(canonical).map(unplaced);
        let mut names = Vec::new();
        for name in &spec.explanatory {
            let variable = metadata.variable(name).ok_or_else(|| given::unknown(name))?;
            if spec.cost == arb::Cost::Distance && variable.distances.is_some() {
                return Err(no_form(line, "costs by distances of the metadata"));
            }
            names.push(variable.name.clone());
            self.dimension(line, variable)?;
        }
        let (cost, cost_variable) = match &spec.cost {
            arb::Cost::Response => (None, None),
            arb::Cost::Variable(name) => (None, Some(unplaced(canonical(name)))),
            arb::Cost::Frequency => (Some(CostChoice::Frequency), None),
            arb::Cost::Unity => (Some(CostChoice::Unity), None),
            arb::Cost::Distance => (Some(CostChoice::Distance), None),
        };
        self.tables.push(TablePart {
            response: optional(&spec.response),
            shadow: optional(&spec.shadow),
            cost,
            cost_variable,
            cost_lambda: Some(spec.lambda).filter(|&lambda| lambda != 1.0),
            ..TablePart::counting(format!("table {}", self.tables.len() + 1), names)
        });
        Ok(())
    }

    /// The dimension of a variable, once however many tables have it.
    fn dimension(&mut self, line: usize, variable: &Variable) -> Result<(), Error> {
        let flat = DimensionPart::flat(&variable.name).total(variable.total());
        let (part, codes) = match &variable.hierarchy {
            None => (flat, Vec::new()),
            Some(HierarchySource::Digits(levels)) => (flat.digits(levels.clone()), Vec::new()),
            Some(HierarchySource::File { file, lead }) => {
                let tree = hrc::parse(&Text::read(&self.folders.find(&file.name)?)?, lead)?;
                let part = DimensionPart { lead: lead.clone(), ..flat };
                let codes = tree.nodes.iter().map(|node| node.code.trim().to_owned());
                (part.hierarchy(self.named(&file.name)?), codes.collect())
            }
        };
        let missing = variable.missing.iter().map(|code| code.trim());
        let mut missing = missing.filter(|code| !code.is_empty());
        if let Some(code) = missing.find(|code| !codes.iter().any(|own| own == code)) {
            let name = &variable.name;
            let what = format!("the code {code} of {name}, which means that it is not known and");
            return Err(no_form(line, &format!("{what} is in no hierarchy file,")));
        }
        let known = self.dimensions.iter().any(|own| own.name.get_ref() == &variable.name);
        if !known {
            self.dimensions.push(part);
        }
        Ok(())
    }

    fn rules(&mut self, written: &arb::SafetyRules) -> Result<(), Error> {
        let metadata = self.metadata()?;
        let weighted = written.weighted && metadata.with_role(&Role::Weight).is_some();
        let has_holdings = metadata.with_role(&Role::Holding).is_some();
        let own = rules::rules(written, weighted);
        if let Some(table) = self.tables.last_mut() {
            table.weighted = Some(own.weighted);
            table.rules = Some(RulesPart {
                respondents: own.respondents,
                // Without a variable of holdings there are none to look at.
                holdings: Some(own.holdings).filter(|rules| has_holdings && !rules.is_empty()),
                cells: own.cells,
                manual_margin: Some(own.manual_margin),
                minimum_level: None,
                weighted: Some(own.weighted),
                missing_is_safe: own.missing_is_safe,
                sides: own.sides,
            });
        }
        Ok(())
    }

    fn apriori(&mut self, line: usize, file: &arb::AprioriFile) -> Result<(), Error> {
        if self.protect.is_some() {
            return Err(no_form(line, "<APRIORI> after <SUPPRESS>"));
        }
        let part = AprioriPart {
            file: unplaced(self.named(&file.file)?),
            separator: file.separator.clone(),
            expand_trivial_levels: file.expand_trivial,
            ignore_errors: file.ignore_errors,
        };
        match self.tables.get_mut(file.table.saturating_sub(1)) {
            Some(table) if table.apriori.is_none() => table.apriori = Some(part),
            Some(_) => return Err(no_form(line, "a second <APRIORI> for one table")),
            // The reader of batches has checked the number.
            None => {}
        }
        Ok(())
    }

    fn suppress(
        &mut self,
        line: usize,
        table: Option<usize>,
        method: &arb::Method,
    ) -> Result<(), Error> {
        if self.protect.is_some() || (table.is_some() && self.tables.len() > 1) {
            return Err(no_form(line, "tables that are protected one by one"));
        }
        let name =
            our_method(method, self.tables.len()).map_err(|_| no_form(line, "this method"))?;
        self.protect = Some(ProtectPart {
            approach: Approach::Suppress,
            method: Some(unplaced(name.to_owned())),
            time: time_of(method).map(|time| unplaced(format!("{}s", time.as_secs()))),
            ..ProtectPart::default()
        });
        self.attacker.contributors = match contributor_attackers(method) {
            ContributorAttackers::IfKnown => None,
            ContributorAttackers::Yes => Some(true),
            ContributorAttackers::No => Some(false),
        };
        self.attacker.sums = match sums_under(method) {
            SumsBy::Rules => None,
            SumsBy::Frequency => Some(Sums::Frequency),
            SumsBy::Nothing => Some(Sums::None),
        };
        Ok(())
    }

    /// The format of jobs that makes the same file.
    fn format(&self, format: OutputFormat, options: WriteOptions) -> Option<Format> {
        let usual = WriteOptions::of(format);
        let (same, own) = match format {
            OutputFormat::CodeValue => {
                (options == WriteOptions { first_line: true, ..usual }, Format::CodeValue)
            }
            OutputFormat::Sbs => (options == usual, Format::Sbs),
            OutputFormat::Intermediate => (options == usual, Format::Intermediate),
            // A job writes the system of all tables.
            OutputFormat::Jj => (options == usual && self.tables.len() == 1, Format::Jj),
            OutputFormat::Csv | OutputFormat::Pivot | OutputFormat::CellKey => return None,
        };
        same.then_some(own)
    }

    /// The formats of the release: each must be asked for every table.
    fn formats(&self) -> Result<Vec<Format>, Error> {
        let mut formats: Vec<Format> = Vec::new();
        for &(line, _, format) in &self.written {
            if formats.contains(&format) {
                continue;
            }
            let has = |table: usize| {
                self.written.iter().any(|&(_, other, own)| (other, own) == (table, format))
            };
            if let Some(table) = (1..=self.tables.len()).find(|&table| !has(table)) {
                let what = format!("a format that table {table} is not written in");
                return Err(no_form(line, &what));
            }
            formats.push(format);
        }
        Ok(formats)
    }

    fn builder(self) -> Result<JobBuilder, Error> {
        let formats = self.formats()?;
        let (Some(data), Some((metadata_file, metadata)), Some(protect)) =
            (self.data, self.metadata, self.protect)
        else {
            let advice = "a job is about tables that are protected: see <SUPPRESS>";
            return Err(Error::arguments("the batch protects no table", advice));
        };
        let named =
            |role: Role| metadata.with_role(&role).map(|variable| unplaced(variable.name.clone()));
        let request = metadata.with_role(&Role::Request(Vec::new())).and_then(|variable| {
            let Some(Role::Request(codes)) = &variable.role else { return None };
            Some(RequestPart {
                variable: unplaced(variable.name.clone()),
                first: codes.first()?.clone(),
                second: codes.get(1).cloned(),
            })
        });
        let data = DataPart {
            metadata: Some(unplaced(metadata_file)),
            holding: named(Role::Holding),
            weight: named(Role::Weight),
            request,
            ..DataPart::of(data)
        };
        let attacker = AttackerPart { knows: Some(Knows::TauArgus), ..self.attacker };
        let mut builder =
            Job::builder().data(data).protect(protect).attacker(attacker).formats(formats);
        builder = self.dimensions.into_iter().fold(builder, JobBuilder::dimension);
        Ok(self.tables.into_iter().fold(builder, JobBuilder::table))
    }
}

/// What a batch says and a job cannot.
fn no_form(line: usize, what: &str) -> Error {
    Error::arguments(
        format!("line {line} of the batch: {what} has no form in a job"),
        "run the batch as it is: quell argus run, or argus::run of the library",
    )
}
