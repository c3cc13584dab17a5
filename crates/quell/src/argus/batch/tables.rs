//! The tables of a batch: as specified, as read, as recoded, as protected.

use quell_formats::argus::arb;
use quell_formats::argus::grc::Recode;
use quell_model::{Hierarchy, NodeId, Status};
use quell_tabulate::{Apriori, Refusal, Rules, Table, TrivialLevels, apply_apriori, assess_all};

use super::super::classification::{is_new, plain};
use super::super::restrict::{RestrictError, restrict};
use crate::pipeline::Decided;

/// A table of a batch.
#[derive(Debug)]
pub struct BatchTable {
    /// What the batch says of it.
    pub spec: arb::TableSpec,
    /// Its rules.
    pub rules: Rules,
    /// What was read, with the groups of recodes to come.
    pub full: Option<Table>,
    /// Recodes so far: the dimension and how.
    pub recodes: Vec<(usize, RecodeStep)>,
    /// A-priori files so far.
    pub apriori: Vec<(Vec<Apriori>, TrivialLevels)>,
    /// The table as it is now.
    pub current: Option<Current>,
}

/// A recode of one dimension.
#[derive(Debug, Clone)]
pub enum RecodeStep {
    /// By groups or by a tree.
    File(Recode),
    /// All below this level is folded.
    Level(usize),
}

/// A table with what is decided of its cells.
#[derive(Debug)]
pub struct Current {
    /// The table.
    pub table: Table,
    /// What rules, costs and people say.
    pub decided: Decided,
    /// Whether each cell is hidden to protect others; none before protection.
    pub secondary: Option<Vec<bool>>,
}

impl BatchTable {
    /// The table as the recodes so far make it, with its rules applied anew.
    ///
    /// # Errors
    /// If a recode leaves no table.
    pub fn refresh(
        &mut self,
        costs: impl Fn(&Table) -> Vec<f64>,
    ) -> Result<Vec<Refusal>, RestrictError> {
        let Some(full) = &self.full else { return Ok(Vec::new()) };
        let mut table = full.clone();
        for position in 0..full.dimensions().len() {
            let steps: Vec<&RecodeStep> = self
                .recodes
                .iter()
                .filter(|(dimension, _)| *dimension == position)
                .map(|(_, step)| step)
                .collect();
            let named = |text: &str| plain(text).to_owned();
            table = restrict(&table, position, |tree, node| keeps(&steps, tree, node), named)?;
        }
        let mut assessments = assess_all(&table, &self.rules);
        let mut costs = costs(&table);
        let mut refusals = Vec::new();
        for (entries, trivial) in &self.apriori {
            refusals.extend(apply_apriori(
                entries,
                *trivial,
                &table,
                &self.rules,
                &mut assessments,
                &mut costs,
            ));
        }
        let labels = vec![Default::default(); table.dimensions().len()];
        self.current = Some(Current {
            table,
            decided: Decided { rules: self.rules.clone(), assessments, costs, labels },
            secondary: None,
        });
        Ok(refusals)
    }
}

/// Whether a code stays after the recodes of its dimension.
fn keeps(steps: &[&RecodeStep], tree: &Hierarchy, node: NodeId) -> bool {
    let grouped = steps.iter().any(|step| matches!(step, RecodeStep::File(Recode::Groups(_))));
    let is_group = is_new(tree.code(node));
    let in_group = tree.ancestors(node).iter().any(|&above| is_new(tree.code(above)));
    // Groups stand for their parts once the recode is done, and are not there before.
    let stays = if grouped { !in_group } else { !is_group };
    stays
        && steps.iter().all(|step| match step {
            RecodeStep::File(Recode::Groups(_)) => true,
            RecodeStep::File(Recode::Tree(codes)) => {
                let folded = |code: &str| codes.iter().any(|fold| fold.code.trim() == code.trim());
                !tree.ancestors(node).iter().any(|&above| folded(tree.code(above)))
            }
            RecodeStep::Level(level) => tree.ancestors(node).len() < *level,
        })
}

impl Current {
    /// The status of a cell now.
    pub fn status(&self, cell: usize) -> Status {
        let status = self.decided.assessments[cell].status;
        match (&self.secondary, status) {
            (Some(secondary), Status::Safe | Status::Secondary) if secondary[cell] => {
                Status::Secondary
            }
            (Some(_), Status::Secondary) => Status::Safe,
            _ => status,
        }
    }
}
