//! What earlier releases have told: it cannot be hidden any more.
//!
//! Whoever has both releases sees the published cells of both. So a cell that was published
//! before, with the value that it still has, is published: the search may not count on it, and
//! the audit gives it to the attacker. A sensitive cell that was published before is lost.

use std::path::{Path, PathBuf};

use quell_data::{Records, Watch};
use quell_model::{CellId, Status, Value};
use quell_tabulate::Table;
use toml::Spanned;

use super::files::stems;
use super::folder::manifest::Manifest;
use crate::job::Job;
use crate::pipeline::LinkedProblem;
use crate::report::Audience;
use crate::text::counted;
use crate::{Context, Error};

/// The most cells that a message names.
const SHOWN: usize = 5;

/// The formats that can be read back exactly.
const ENDINGS: [&str; 2] = ["csv", "parquet"];

/// The cells of a table as an earlier release has them.
#[derive(Debug, Default)]
struct OutAlready {
    /// Published with the value that they still have, by their place in the table.
    same: Vec<CellId>,
    /// Published with another value.
    revised: usize,
    /// Not in the table any more.
    gone: usize,
}

/// Takes the cells that earlier releases of the job's tables have published as published.
///
/// # Errors
/// If a folder holds no release of these tables, or a sensitive cell is out already.
pub fn take_as_published(
    job: &Job,
    tables: &[Table],
    linked: &mut LinkedProblem,
    notes: &mut Vec<String>,
    context: &Context<'_>,
) -> Result<(), Error> {
    for folder in &job.file.release.published {
        let told = Earlier { job, folder, path: job.locate(folder.get_ref()) };
        told.take(tables, linked, notes, context)?;
    }
    Ok(())
}

/// An earlier release.
struct Earlier<'a> {
    job: &'a Job,
    folder: &'a Spanned<PathBuf>,
    path: PathBuf,
}

impl Earlier<'_> {
    fn mistake(&self, message: String, advice: &str) -> Error {
        self.job.mistake(self.folder.span(), message, advice)
    }

    fn take(
        &self,
        tables: &[Table],
        linked: &mut LinkedProblem,
        notes: &mut Vec<String>,
        context: &Context<'_>,
    ) -> Result<(), Error> {
        let shown = self.folder.get_ref().display();
        let manifest = Manifest::read(&self.path)
            .filter(|manifest| manifest.audience == Audience::Public)
            .ok_or_else(|| {
                let advice = "name the folder of a release, with its manifest.json";
                self.mistake(format!("{shown} is no release of quell"), advice)
            })?;
        let mut statuses: Vec<Status> =
            linked.problem.system().cells().map(|cell| linked.problem.status(cell)).collect();
        let mut exposed = Vec::new();
        let mut used = Vec::new();
        let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        for (number, (table, stem)) in tables.iter().zip(stems(&names)).enumerate() {
            let of = |ending: &&str| {
                let name = format!("{stem}.{ending}");
                manifest.files.iter().any(|file| file.name == name).then_some(name)
            };
            let Some(name) = ENDINGS.iter().find_map(of) else {
                notes.push(format!("{shown} has no csv or parquet of \"{}\"", table.name));
                continue;
            };
            let told = self.told(&self.path.join(&name), table, context)?;
            used.push(stem);
            for place in told.same {
                let cell = linked.linked.cell_of[number][place.index()];
                match statuses[cell.index()] {
                    Status::Primary(_) => exposed.push(linked.problem.cell_name(cell)),
                    _ => statuses[cell.index()] = Status::Protected,
                }
            }
            if told.revised > 0 {
                notes.push(format!(
                    "{} of \"{}\" had other values in {shown}: old values are taken to tell \
                     nothing of new ones",
                    counted(told.revised, "cell"),
                    table.name
                ));
            }
            if told.gone > 0 {
                notes.push(format!(
                    "{} of {shown} are not in \"{}\" any more: what they told is not taken into \
                     account",
                    counted(told.gone, "cell"),
                    table.name
                ));
            }
        }
        if used.is_empty() {
            let advice = "an earlier release is read from its csv or parquet files";
            return Err(self.mistake(format!("{shown} has none of the job's tables"), advice));
        }
        let other = |name: &str| {
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            ENDINGS.contains(&ending) && !used.iter().any(|used| used == stem)
        };
        for file in manifest.files.iter().filter(|file| other(&file.name)) {
            let name = &file.name;
            notes.push(format!("{name} of {shown} is none of the job's tables: what it told is not taken into account"));
        }
        if !exposed.is_empty() {
            exposed.sort_unstable();
            exposed.dedup();
            let names = exposed.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            let more = if exposed.len() > SHOWN { ", …" } else { "" };
            let message = format!(
                "{} published in {shown} already: {names}{more}",
                match exposed.len() {
                    1 => "a sensitive cell was".to_owned(),
                    several => format!("{several} sensitive cells were"),
                }
            );
            let advice = "what is known cannot be hidden any more: publish these cells (S in an \
                          a-priori file), or show something else";
            return Err(self.mistake(message, advice));
        }
        linked.problem = linked.problem.clone().with_statuses(statuses);
        Ok(())
    }

    /// What a file told of a table.
    fn told(&self, file: &Path, table: &Table, context: &Context<'_>) -> Result<OutAlready, Error> {
        let records = Records::open(file)?;
        let mut columns = Vec::new();
        for dimension in table.dimensions() {
            columns.push(records.position(&dimension.name)?);
        }
        let dimensions = columns.len();
        columns.push(records.position(table.response.name())?);
        columns.push(records.position("status")?);
        let mut told = OutAlready::default();
        let watch = Watch::new(&context.audit_budget(), context.progress);
        records.each_row(&columns, &watch, |row| {
            let texts: Vec<_> =
                (0..columns.len()).map(|place| row.text(place).unwrap_or_default()).collect();
            if texts[dimensions + 1] != "published" {
                return Ok::<(), quell_data::Error>(());
            }
            let codes: Vec<&str> = texts[..dimensions].iter().map(AsRef::as_ref).collect();
            match table.find(&codes) {
                None => told.gone += 1,
                Some(place) => {
                    let same = is(&texts[dimensions], table.value(place), table);
                    if same { told.same.push(place) } else { told.revised += 1 }
                }
            }
            Ok(())
        })?;
        Ok(told)
    }
}

/// Whether a text is this value, with however many zeros behind the point.
fn is(text: &str, value: Value, table: &Table) -> bool {
    let plain = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    plain(text.trim()) == plain(&table.decimals.format(value))
}
