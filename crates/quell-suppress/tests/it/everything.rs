//! **everything**: hides all cells that may be hidden.
//!
//! - *Guarantee*: safe if any pattern is; the dearest there is.
//! - *Complexity*: one pass over the cells.
//! - *Choose it* never; it shows how a method is written.

use quell_gen::random_problem;
use quell_model::{Budget, Pattern, Random, Silent, Status};
use quell_suppress::{Error, Method, Proposal, Task, protect};

use crate::recipes::assert_is_written;

/// The settings of `everything`: there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Everything;

impl Method for Everything {
    fn name(&self) -> &'static str {
        "everything"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let mut pattern = Pattern::of_primaries(task.problem);
        for cell in task.problem.system().cells() {
            if task.problem.status(cell) == Status::Safe {
                pattern.suppress(cell);
            }
        }
        Ok(Proposal::unbounded(pattern))
    }
}

#[test]
fn the_recipe_for_a_method_is_this_one_and_it_is_safe_where_any_is() {
    assert_is_written("//! **everything**", include_str!("everything.rs"));
    let mut safe = 0;
    for case in 0..20 {
        let problem = random_problem(&mut Random::new(77, case), 24);
        let outcome =
            protect(&Everything, &problem, &Budget::default(), &Silent).expect("a pattern");
        let known = protect(
            quell_suppress::method("kelly-lp").expect("a method").as_ref(),
            &problem,
            &Budget::default(),
            &Silent,
        );
        let known = known.expect("a pattern");
        assert_eq!(outcome.is_safe(), known.is_safe(), "case {case}");
        safe += usize::from(outcome.is_safe());
    }
    assert!(safe > 5, "{safe}");
}
