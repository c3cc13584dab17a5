//! Why a cell is hidden, and what protects it: for the office.

use std::collections::BTreeMap;

use quell_attack::{Audit, Finding};
use quell_model::{CellId, Status};
use quell_tabulate::Attribution;
use serde::Serialize;

use super::reason;
use crate::release::{ProtectedTable, SuppressedTables};

/// The most cells named as protectors of one, or as protected by one.
const MOST_NAMED: usize = 12;

/// The most contributions told of a cell.
const MOST_SHARES: usize = 3;

/// What the office is told of a cell: lines of a heading and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation(Vec<(&'static str, String)>);

/// Which cells protect which, by the movements that prove it.
pub struct Protectors<'a> {
    protected: &'a SuppressedTables,
    /// The hidden cells that move when a primary is moved.
    of_primary: BTreeMap<CellId, Vec<CellId>>,
    /// The primaries that a secondary moves with.
    of_secondary: BTreeMap<CellId, Vec<CellId>>,
    findings: BTreeMap<CellId, &'a Finding>,
}

impl<'a> Protectors<'a> {
    /// Those of an audited pattern.
    pub fn of(protected: &'a SuppressedTables) -> Self {
        let Audit { primaries, certificates, .. } = &protected.audit;
        let mut of_primary: BTreeMap<CellId, Vec<CellId>> = BTreeMap::new();
        let mut of_secondary: BTreeMap<CellId, Vec<CellId>> = BTreeMap::new();
        for finding in primaries {
            let ends = [finding.down.certificate, finding.up.certificate];
            let proofs = ends.into_iter().flatten().filter_map(|proof| certificates.get(proof));
            let mut moved: Vec<CellId> = proofs
                .flat_map(|proof| proof.movement.iter().map(|&(cell, _)| cell))
                .filter(|&cell| cell != finding.cell)
                .collect();
            moved.sort_unstable();
            moved.dedup();
            for &cell in &moved {
                if protected.status(cell) == Status::Secondary {
                    of_secondary.entry(cell).or_default().push(finding.cell);
                }
            }
            of_primary.insert(finding.cell, moved);
        }
        let findings = primaries.iter().map(|finding| (finding.cell, finding)).collect();
        Self { protected, of_primary, of_secondary, findings }
    }

    /// What is told of a cell of a table.
    pub fn explain(&self, table: &ProtectedTable, place: CellId, cell: CellId) -> Explanation {
        let decimals = table.decimals();
        let mut lines = vec![("value", decimals.format(table.table.value(place)))];
        lines.extend(contributors(table, place));
        let assessment = &table.decided.assessments[place.index()];
        match self.protected.status(cell) {
            Status::Primary(own) => {
                lines.push(("hidden because", reason(own).to_owned()));
                let all: Vec<&str> = assessment.violated.iter().map(|one| one.rule.title).collect();
                if all.len() > 1 {
                    lines.push(("rules it breaks", all.join(", ")));
                }
                let problem = &self.protected.problem;
                let levels = problem.cell(cell).protection;
                let amount = |level| problem.decimals().format(level);
                let mut needs = format!("−{} and +{}", amount(levels.lower), amount(levels.upper));
                if levels.sliding > 0 {
                    needs += &format!(", {} together", amount(levels.sliding));
                }
                lines.push(("an attacker must be kept away by", needs));
                if let Some(finding) = self.findings.get(&cell) {
                    lines.push(("verdict", finding.verdict.word().replace('-', " ")));
                }
                let protectors = self.of_primary.get(&cell).map_or(&[][..], Vec::as_slice);
                lines.extend(self.named("protected by", protectors));
            }
            Status::Secondary => {
                lines.push(("hidden because", "it protects others".to_owned()));
                let protects = self.of_secondary.get(&cell).map_or(&[][..], Vec::as_slice);
                match protects.is_empty() {
                    true => {
                        lines.push(("protects", "no cell that could not do without".to_owned()))
                    }
                    false => lines.extend(self.named("protects", protects)),
                }
            }
            Status::Protected => lines.push(("", "published: it may not be hidden".to_owned())),
            Status::Safe => {}
        }
        Explanation(lines)
    }

    fn named(&self, what: &'static str, cells: &[CellId]) -> Option<(&'static str, String)> {
        let problem = &self.protected.problem;
        let name = |&cell: &CellId| match self.protected.status(cell) {
            Status::Primary(_) => format!("{} (sensitive itself)", problem.cell_name(cell)),
            _ => problem.cell_name(cell).to_string(),
        };
        let mut names: Vec<String> = cells.iter().take(MOST_NAMED).map(name).collect();
        if let Some(more @ 1..) = cells.len().checked_sub(MOST_NAMED) {
            names.push(format!("{more} more"));
        }
        (!names.is_empty()).then(|| (what, names.join(", ")))
    }
}

/// How many contribute, and how much the largest do.
fn contributors(table: &ProtectedTable, place: CellId) -> Vec<(&'static str, String)> {
    let contributors = &table.table.cells[place.index()].respondents;
    if table.table.attribution == Attribution::Unknown {
        return Vec::new();
    }
    let mut lines = vec![("contributors", contributors.count.to_string())];
    let share =
        |value: quell_model::Value| 100.0 * value.unsigned_abs() as f64 / contributors.size as f64;
    let tops = contributors.top.entries().iter().take(MOST_SHARES);
    let shares: Vec<String> = tops.map(|one| format!("{:.1} %", share(one.value))).collect();
    if contributors.size > 0 && !shares.is_empty() {
        lines.push(("the largest have", shares.join(", ")));
    }
    lines
}
