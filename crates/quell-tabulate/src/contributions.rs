//! Contributors as attackers: who contributes how much to which cells of linked tables.

use quell_model::{Contributions, ContributorId, Decimals, Problem, Share, Value};
use rustc_hash::FxHashMap;

use crate::rules::on_sums;
use crate::{
    Attribution, CellSummary, Contribution, ContributorKey, Contributors, Linked, Prepared, SumsBy,
};

/// What is known of the contributions to the cells of `problem`, which was made of these tables;
/// nothing if a table does not say how many contribute. Sums of hidden cells are judged by `sums`.
///
/// A contributor is a holding where there are holdings, and a respondent otherwise: the firms of
/// a holding know what it knows. The same contributor has the same number in all tables. Of
/// tables that only say how many contribute, every only contributor is taken for someone else.
pub fn contributions(
    linked: &Linked,
    tables: &[Prepared<'_>],
    problem: &Problem,
    sums: SumsBy,
) -> Option<Contributions> {
    let counts = problem.contributors()?;
    let rules = tables.iter().map(|prepared| (prepared.table, prepared.rules));
    let rule = on_sums(rules, linked.decimals, sums);
    let judged = |contributions: Contributions| match rule.clone() {
        Some(rule) => contributions.with_rule(rule),
        None => contributions,
    };
    if tables.iter().all(|prepared| prepared.table.attribution == Attribution::Counted) {
        let counted = Contributions::of_counts(problem.system(), counts, problem.values());
        return Some(judged(counted));
    }
    let mut cells: Vec<Option<Known<'_>>> = vec![None; problem.cell_count()];
    for (prepared, numbers) in tables.iter().zip(&linked.cell_of) {
        let table = prepared.table;
        let scale = Decimals(linked.decimals.0.saturating_sub(table.decimals.0)).scale();
        for (summary, number) in table.cells.iter().zip(numbers) {
            let named = table.attribution == Attribution::Named;
            let known = Known { contributors: attackers(summary), summary, named, scale };
            let own = &mut cells[number.index()];
            if own.is_none_or(|own| known.list().len() > own.list().len()) {
                *own = Some(known);
            }
        }
    }
    let mut numbers = Numbers::default();
    let cells = cells.iter().zip(problem.values()).map(|(known, &value)| match known {
        Some(known) => (known.count(), known.shares(value, &mut numbers)),
        None => (0, Vec::new()),
    });
    Some(judged(Contributions::new(cells.collect::<Vec<_>>())))
}

/// Those of the contributors who attack.
fn attackers(summary: &CellSummary) -> &Contributors {
    summary.holdings.as_deref().unwrap_or(&summary.respondents)
}

/// What a table says of a cell.
#[derive(Clone, Copy)]
struct Known<'a> {
    contributors: &'a Contributors,
    summary: &'a CellSummary,
    /// Whether it says who they are.
    named: bool,
    /// What its units come to in those of the system.
    scale: Value,
}

impl Known<'_> {
    fn list(&self) -> &[Contribution] {
        if self.named { self.contributors.top.entries() } else { &[] }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.contributors.count).unwrap_or(u32::MAX)
    }

    /// The shares of the largest contributors, or that of the only one.
    fn shares(&self, value: Value, numbers: &mut Numbers) -> Vec<Share> {
        let size = value.saturating_abs();
        if self.contributors.count == 1 {
            let contributor = match self.contributors.only().filter(|_| self.named) {
                Some(key) => numbers.of(key, 0),
                None => numbers.someone_else(),
            };
            return vec![Share { contributor, amount: size }];
        }
        let mut shares = Vec::new();
        let mut seen: FxHashMap<ContributorKey, u32> = FxHashMap::default();
        for entry in self.list() {
            let before = seen.entry(entry.who).or_default();
            let amount = entry.shown.saturating_abs().saturating_mul(self.scale);
            // Only negative contributions of others make a value less than one of its parts.
            let amount = if self.summary.negatives == 0 { amount.min(size) } else { amount };
            if amount > 0 {
                shares.push(Share { contributor: numbers.of(entry.who, *before), amount });
            }
            *before += 1;
        }
        shares
    }
}

/// The numbers of contributors, given out as they come.
#[derive(Default)]
struct Numbers {
    /// By key, and by the place among those with the same key: see [`ContributorKey`].
    known: FxHashMap<(ContributorKey, u32), ContributorId>,
    given: u32,
}

impl Numbers {
    fn of(&mut self, key: ContributorKey, place: u32) -> ContributorId {
        if let Some(&known) = self.known.get(&(key, place)) {
            return known;
        }
        let number = self.someone_else();
        self.known.insert((key, place), number);
        number
    }

    fn someone_else(&mut self) -> ContributorId {
        let number = ContributorId(self.given);
        self.given += 1;
        number
    }
}
