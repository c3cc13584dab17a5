//! **ordering**: the largest first, alternate ways (cox-2005, section 3).
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: one linear program.
//! - *Choose it* as a yardstick, or where one linear program is all there is time for.

use crate::bound::line_bound;
use crate::judge::Judge;
use crate::{Error, Instance, Method, Proposal, Task, Way};

/// The settings of `ordering`: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ordering;

impl Method for Ordering {
    fn name(&self) -> &'static str {
        "ordering"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let mut judge = Judge::new(task.instance, task.budget)?;
        judge.judge(&alternate(task.instance))?;
        Ok(Proposal {
            movement: judge.settle(task.budget)?,
            lower_bound: line_bound(task.instance),
        })
    }
}

/// The sensitive cells by size, largest first.
pub(crate) fn by_size(instance: &Instance) -> Vec<usize> {
    let mut order: Vec<usize> = (0..instance.sensitive.len()).collect();
    let size = |&index: &usize| {
        let sensitive = &instance.sensitive[index];
        (instance.problem.value(sensitive.cell).abs(), sensitive.rise.max(sensitive.fall))
    };
    order.sort_by_key(|index| std::cmp::Reverse(size(index)));
    order
}

/// Ways that alternate from the largest cell down, as far as the cells' bounds allow.
pub(crate) fn alternate(instance: &Instance) -> Vec<Way> {
    let mut ways = vec![Way::Rise; instance.sensitive.len()];
    let mut next = Way::Rise;
    for index in by_size(instance) {
        let sensitive = &instance.sensitive[index];
        let way = if instance.may(sensitive, next) { next } else { next.other() };
        ways[index] = way;
        next = way.other();
    }
    ways
}
