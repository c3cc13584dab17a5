//! Whether a table is a network: then no cell ever has to move further than the primary.

use quell_model::{Problem, System};

/// Whether the equations, some of them with their signs turned, are those of a network:
/// every cell in at most two, with +1 in one and −1 in the other.
///
/// Such a matrix is totally unimodular, so that every movement is a sum of cycles in which
/// all cells move equally far. Two-way tables are networks.
pub fn is_network(problem: &Problem) -> bool {
    let system = problem.system();
    let fits = system.cells().all(|cell| {
        system.equations_of(cell).len() <= 2
            && system.equations_of(cell).all(|(_, coefficient)| coefficient.abs() == 1)
    });
    fits && signs_agree(system)
}

/// Whether equations can be given signs such that the two of every cell see it with
/// opposite ones: a walk that fixes one equation after the other.
fn signs_agree(system: &System) -> bool {
    let mut sign = vec![0_i32; system.equation_count()];
    let mut open = Vec::new();
    for first in system.equations() {
        if sign[first.index()] != 0 {
            continue;
        }
        sign[first.index()] = 1;
        open.push(first);
        while let Some(equation) = open.pop() {
            for (cell, here) in system.cells_of(equation) {
                for (other, there) in
                    system.equations_of(cell).filter(|&(other, _)| other != equation)
                {
                    let wanted = -sign[equation.index()] * here * there;
                    match sign[other.index()] {
                        0 => {
                            sign[other.index()] = wanted;
                            open.push(other);
                        }
                        known if known != wanted => return false,
                        _ => {}
                    }
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};

    use super::*;

    fn table(dimensions: Vec<DimensionSize>) -> Problem {
        Ons { dimensions, ..Ons::default() }.generate(1).expect("the parameters make a table")
    }

    #[test]
    fn a_two_way_table_is_a_network() {
        assert!(is_network(&table(vec![DimensionSize::flat(4), DimensionSize::flat(5)])));
    }

    #[test]
    fn a_three_way_table_is_none() {
        assert!(!is_network(&table(vec![DimensionSize::flat(3); 3])));
    }
}
