//! Reading the data of a batch: records or a table.

use quell_data::Records;
use quell_formats::Text;
use quell_formats::argus::arb::{self, Command, RecodeBy};
use quell_formats::argus::grc;
use quell_formats::argus::rda::{self, Metadata, Role};
use quell_model::Dimension;
use quell_tabulate::{
    Axis, CodeMatch, Request, Response, Spec, TableSpec, distinct_codes, tabulate,
};

use super::super::classification::{self, plain};
use super::super::{given, rules};
use super::session::{Session, Source};
use super::tables::Current;
use crate::Error;
use crate::pipeline::Decided;
use crate::text::counted;

/// What stands before the name of a dimension that is recoded, once a table and once more:
/// such a dimension has groups that others of its name have not.
const RECODED: &str = "\u{1}";

impl Session<'_> {
    /// `<READMICRODATA>`: makes all tables in one go.
    ///
    /// # Errors
    /// If the records or their metadata are wrong.
    pub(super) fn read_microdata(&mut self, line: usize, position: usize) -> Result<(), Error> {
        let Some(Source::Microdata(path)) = &self.source else {
            return Err(Error::arguments("no microdata are open", "see <OPENMICRODATA>"));
        };
        self.context.progress.stage("tabulating", None);
        let metadata = self.metadata()?;
        let records = Records::described(path, metadata)?;
        let groups = self.groups_ahead(position)?;
        let axes = self.axes(metadata, &records, &groups)?;
        let named = |role: Role| metadata.with_role(&role).map(|variable| variable.name.clone());
        let request = metadata.with_role(&Role::Request(Vec::new())).and_then(|variable| {
            let Some(Role::Request(codes)) = &variable.role else { return None };
            let first = codes.first()?.clone();
            Some(Request { variable: variable.name.clone(), first, second: codes.get(1).cloned() })
        });
        let tables = self.tables.iter().enumerate().map(|(number, table)| TableSpec {
            name: format!("table {}", number + 1),
            dimensions: table
                .spec
                .explanatory
                .iter()
                .map(|name| axis_name(number, name, metadata, &groups))
                .collect(),
            response: match &table.spec.response {
                Some(name) => Response::Variable(canonical(metadata, name)),
                None => Response::Frequency,
            },
            shadow: table.spec.shadow.as_ref().map(|name| canonical(metadata, name)),
            cost: match &table.spec.cost {
                arb::Cost::Variable(name) => Some(canonical(metadata, name)),
                _ => None,
            },
            weighted: table.rules.weighted,
            top: table.rules.top_against_contributors(),
        });
        let spec = Spec {
            axes,
            tables: tables.collect(),
            respondent: None,
            holding: named(Role::Holding),
            request,
            waiver: None,
            weight: named(Role::Weight),
            records,
        };
        let tabulated = tabulate(&spec, &self.resources)?;
        self.log.note(line, counted(tabulated.records as usize, "record"));
        for note in tabulated.notes {
            self.log.note(line, note);
        }
        for (number, table) in tabulated.tables.into_iter().enumerate() {
            self.tables[number].full = Some(table);
            self.refresh(line, number)?;
        }
        Ok(())
    }

    /// The groups that recodes after `position` ask for: by table and variable.
    fn groups_ahead(&self, position: usize) -> Result<Vec<GroupsAhead>, Error> {
        let mut ahead = Vec::new();
        for step in &self.steps[position..] {
            match &step.command {
                Command::Recode { table, variable, by: RecodeBy::File(name) } => {
                    let recode = grc::parse(&Text::read(&self.folders.find(name)?)?)?;
                    if let grc::Recode::Groups(groups) = recode {
                        let (table, variable) = (table.saturating_sub(1), variable.to_lowercase());
                        ahead.push(GroupsAhead { table, variable, groups });
                    }
                }
                Command::Clear | Command::GoInteractive => break,
                _ => {}
            }
        }
        Ok(ahead)
    }

    fn axes(
        &self,
        metadata: &Metadata,
        records: &Records,
        groups: &[GroupsAhead],
    ) -> Result<Vec<Axis>, Error> {
        let mut wanted: Vec<(String, &rda::Variable, Option<&grc::Groups>)> = Vec::new();
        for (number, table) in self.tables.iter().enumerate() {
            for name in &table.spec.explanatory {
                let variable = metadata.variable(name).ok_or_else(|| given::unknown(name))?;
                let axis = axis_name(number, name, metadata, groups);
                if !wanted.iter().any(|(other, ..)| *other == axis) {
                    let own = groups.iter().find(|ahead| ahead.is_of(number, name));
                    wanted.push((axis, variable, own.map(|ahead| &ahead.groups)));
                }
            }
        }
        let names: Vec<&str> =
            wanted.iter().map(|(_, variable, _)| variable.name.as_str()).collect();
        let codes = distinct_codes(records, &names, &self.resources)?;
        let mut axes = Vec::new();
        for ((axis, variable, groups), codes) in wanted.into_iter().zip(&codes) {
            let mut hierarchy = classification::hierarchy(variable, codes, &self.folders)?;
            if let Some(groups) = groups {
                let width = variable.length.unwrap_or(0);
                hierarchy = classification::with_groups(&hierarchy, groups, width)?;
            }
            axes.push(Axis {
                dimension: Dimension::new(axis, hierarchy),
                variable: variable.name.clone(),
                codes: CodeMatch::Trimmed,
            });
        }
        Ok(axes)
    }

    /// `<READTABLE>`: takes all tables from the file.
    ///
    /// # Errors
    /// If the file or its metadata are wrong.
    pub(super) fn read_table(
        &mut self,
        line: usize,
        totals: arb::Totals,
        keep_status: bool,
    ) -> Result<(), Error> {
        let Some(Source::Table(path)) = &self.source else {
            return Err(Error::arguments("no table is open", "see <OPENTABLEDATA>"));
        };
        let metadata = self.metadata()?;
        let mut read = Vec::new();
        for (number, table) in self.tables.iter().enumerate() {
            read.push(given::read(
                path,
                metadata,
                &self.folders,
                &format!("table {}", number + 1),
                &table.spec,
                &table.rules,
                (totals, keep_status),
            )?);
        }
        let metadata = metadata.clone();
        for (table, given) in self.tables.iter_mut().zip(read) {
            let usual = rules::cost(&table.spec, &metadata).of(&given.table);
            let costs = given.costs.iter().zip(usual).map(|(given, usual)| given.unwrap_or(usual));
            let labels = vec![Default::default(); given.table.dimensions().len()];
            table.current = Some(Current {
                decided: Decided {
                    rules: table.rules.clone(),
                    assessments: given.assessments,
                    costs: costs.collect(),
                    labels,
                },
                table: given.table,
                secondary: None,
            });
        }
        self.log.note(line, "table read");
        for number in 0..self.tables.len() {
            self.note_cells(line, number);
        }
        Ok(())
    }
}

/// Groups that a recode to come asks for.
#[derive(Debug)]
struct GroupsAhead {
    table: usize,
    variable: String,
    groups: grc::Groups,
}

impl GroupsAhead {
    fn is_of(&self, table: usize, variable: &str) -> bool {
        self.table == table && self.variable == variable.to_lowercase()
    }
}

/// A variable as the metadata call it.
fn canonical(metadata: &Metadata, name: &str) -> String {
    metadata.variable(name).map_or_else(|| name.to_owned(), |variable| variable.name.clone())
}

/// The dimension of a table for a variable: shared by all tables, unless groups are ahead.
fn axis_name(table: usize, name: &str, metadata: &Metadata, groups: &[GroupsAhead]) -> String {
    let shared = canonical(metadata, name);
    match groups.iter().any(|ahead| ahead.is_of(table, name)) {
        true => format!("{}{}", RECODED.repeat(table + 1), plain(&shared)),
        false => shared,
    }
}
