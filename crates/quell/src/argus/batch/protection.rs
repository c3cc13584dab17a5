//! The protection of a batch's tables: `<SUPPRESS>` in all its forms.

use std::time::Duration;

use quell_attack::TableVerdict;
use quell_formats::argus::arb;
use quell_model::{Budget, CellId, Progress, Status, Value};
use quell_tabulate::Table;

use super::super::rules::{attackers, attackers_under};
use super::NotProven;
use super::session::Session;
use super::tables::Current;
use crate::adjust;
use crate::job::Limits;
use crate::pipeline::{self, Attackers, Decided};
use crate::suppress::{SuppressOptions, suppress};
use crate::text::{AuditReport, counted};
use crate::{ContributorAttackers, Error, tested_against};

impl Session<'_> {
    /// Protects a table, or all of them as one, by the method that stands for one of τ-ARGUS.
    ///
    /// # Errors
    /// If there is no such table or method, or it fails.
    pub(super) fn suppress(
        &mut self,
        line: usize,
        number: Option<usize>,
        method: &arb::Method,
    ) -> Result<(), Error> {
        if let (arb::Method::Adjustment, Some(number)) = (method, number) {
            return self.adjust(line, number);
        }
        let limits = Limits { time: self.time.or(time_of(method)), ..Limits::default() };
        let members: Vec<usize> = match number {
            Some(number) => vec![self.table_at(number)?],
            None => (0..self.tables.len()).collect(),
        };
        let name = our_method(method, members.len())?;
        if name != our_method(method, 1)? {
            let note = format!("linked tables are protected as one, by {name}");
            self.log.note(line, note);
        }
        let (mut tables, mut decided): (Vec<Table>, Vec<Decided>) = (Vec::new(), Vec::new());
        for &index in &members {
            if let Some(current) = self.tables[index].current.take() {
                tables.push(current.table);
                decided.push(current.decided);
            }
        }
        let attackers = attackers_under(method);
        let outcome = self.protect(line, (name, limits, attackers), &tables, &decided);
        // The tables go back whatever happened, for the log and later commands.
        let secondary = outcome.as_ref().ok().cloned().unwrap_or_default();
        for (position, ((index, table), decided)) in
            members.iter().zip(tables).zip(decided).enumerate()
        {
            let secondary = secondary.get(position).cloned();
            self.tables[*index].current = Some(Current { table, decided, secondary });
        }
        outcome.map(|_| ())
    }

    /// Which cells of each table are hidden to protect others.
    fn protect(
        &mut self,
        line: usize,
        (name, limits, attackers): (&str, Limits, Attackers),
        tables: &[Table],
        decided: &[Decided],
    ) -> Result<Vec<Vec<bool>>, Error> {
        let linked = pipeline::link(tables, decided, &[], attackers)?;
        let options = SuppressOptions {
            method: name.to_owned(),
            search_time: limits.usual_search_time(self.context),
        };
        let context = limits.start(self.context);
        let outcome = suppress(&linked.problem, &options, &context)?.outcome;
        let (audit, contributors) = pipeline::audit(&linked.problem, &outcome.pattern, &context)?;
        let report = AuditReport::new(&linked.problem, &outcome.pattern, &audit);
        let report = match linked.problem.contributions() {
            Some(_) => report.with_contributors(&contributors),
            None => report,
        };
        self.log.note(
            line,
            format!(
                "{name}: {} of cost {:.2}; {}",
                counted(outcome.secondaries, "secondary"),
                outcome.cost,
                report.verdict()
            ),
        );
        self.log.note(line, tested_against(&linked.problem));
        if report.verdict() != TableVerdict::Safe {
            self.not_proven.push(NotProven { line, audit: report.text() });
        }
        let problem = &linked.problem;
        let hidden = |cell: &CellId| {
            outcome.pattern.is_suppressed(*cell) && !problem.status(*cell).is_primary()
        };
        let cells = linked.linked.cell_of.iter();
        Ok(cells.map(|cells| cells.iter().map(hidden).collect()).collect())
    }

    /// Adjusts a table: its values are replaced and nothing is hidden.
    fn adjust(&mut self, line: usize, number: usize) -> Result<(), Error> {
        let index = self.table_at(number)?;
        let Some(mut current) = self.tables[index].current.take() else { return Ok(()) };
        let limits = Limits { time: self.time, ..Limits::default() };
        let budget = limits.unaudited(self.context);
        let outcome = adjusted_values(&current, &budget, self.context.progress);
        if let Ok((values, summary)) = &outcome {
            for (cell, &value) in values.iter().enumerate() {
                current.table.set_value(CellId::from_index(cell), value);
                current.decided.assessments[cell].status = Status::Safe;
            }
            current.secondary = Some(vec![false; values.len()]);
            let verdict = if summary.safe { "SAFE" } else { "NOT SAFE" };
            self.log.note(
                line,
                format!(
                    "adjusted: {} changed at a cost of {:.2}; {verdict}",
                    counted(summary.changed, "cell"),
                    summary.cost
                ),
            );
            if !summary.safe {
                self.not_proven.push(NotProven { line, audit: summary.text() });
            }
        }
        self.tables[index].current = Some(current);
        outcome.map(|_| ())
    }
}

/// The name of our method for one of τ-ARGUS that protects so many tables.
pub(super) fn our_method(method: &arb::Method, tables: usize) -> Result<&'static str, Error> {
    match method {
        // Sub-tables and paths are those of one table; several hang together in other ways.
        arb::Method::Modular { .. } | arb::Method::Network if tables > 1 => Ok("auto"),
        arb::Method::Hypercube { .. } => Ok("hypercube"),
        arb::Method::Modular { .. } => Ok("modular"),
        arb::Method::Optimal { .. } => Ok("exact"),
        arb::Method::Network => Ok("shortest-path"),
        arb::Method::Rounding { .. } => Err(not_yet("controlled rounding (RND)")),
        // A batch cannot ask for it on linked tables: the reader refuses that.
        arb::Method::Adjustment => {
            Err(not_yet("controlled tabular adjustment (CTA) of linked tables"))
        }
        arb::Method::CellKey { .. } => Err(not_yet("the cell key method (CKM)")),
    }
}

/// The adjusted values of a table, in its order.
fn adjusted_values(
    current: &Current,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(Vec<Value>, adjust::summary::Summary), Error> {
    let tables = std::slice::from_ref(&current.table);
    let decided = std::slice::from_ref(&current.decided);
    let linked = pipeline::link(tables, decided, &[], attackers(ContributorAttackers::No))?;
    let options = quell_adjust::Options::default();
    let method = quell_adjust::METHODS[0];
    let done = adjust::adjusted(&linked.problem, method, &options, budget, progress)?;
    let cells = linked.linked.cell_of[0].iter();
    Ok((cells.map(|cell| done.values[cell.index()]).collect(), done.summary))
}

/// The minutes that a batch gives a method.
pub(super) fn time_of(method: &arb::Method) -> Option<Duration> {
    let minutes = match method {
        arb::Method::Modular { minutes, .. } | arb::Method::Optimal { minutes } => *minutes,
        _ => None,
    };
    let minutes = minutes.filter(|&minutes| minutes > 0)?;
    Some(Duration::from_secs(60 * u64::from(minutes)))
}

fn not_yet(what: &str) -> Error {
    Error::arguments(
        format!("{what} is not there yet"),
        "protect the table by suppression: GH, MOD, OPT or NET",
    )
}
