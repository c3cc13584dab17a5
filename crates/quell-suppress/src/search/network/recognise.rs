//! Whether a table is a network, and where its cells lie in it.
//!
//! Two-way tables are networks as they are. Those with one hierarchical dimension become
//! networks without the equations that say nothing new: the sum over the flat dimension of a
//! sub-total's row follows from those of the rows below it (castro-2012, "1H2D").

use std::collections::BTreeMap;

use quell_model::{CellId, EquationId, System};

/// The cells of a table as arcs between its equations.
#[derive(Debug, Clone)]
pub(crate) struct Arcs {
    /// The nodes of each cell: where its rise comes from and where it goes. The node after the
    /// last equation is the outside, where the cells of a single equation end.
    pub(crate) ends: Vec<(u32, u32)>,
    /// The sign of each equation that makes every cell enter one and leave another; zero for
    /// those that say nothing new.
    pub(crate) signs: Vec<i32>,
}

/// The arcs of a table, or `None` if it is no network: every cell must stand in at most two
/// equations, and these must have signs such that it enters one and leaves the other.
///
/// Such a matrix is totally unimodular, so that every movement is a sum of cycles in which
/// all cells move equally far.
pub(crate) fn arcs(system: &System) -> Option<Arcs> {
    let mut units = system.equations().flat_map(|equation| system.cells_of(equation));
    if !units.all(|(_, coefficient)| coefficient.abs() == 1) {
        return None;
    }
    let kept = kept(system);
    let equations_of =
        |cell: CellId| system.equations_of(cell).filter(|(equation, _)| kept[equation.index()]);
    if system.cells().any(|cell| equations_of(cell).count() > 2) {
        return None;
    }
    let mut signs = vec![0_i32; system.equation_count()];
    for start in system.equations().filter(|equation| kept[equation.index()]) {
        if signs[start.index()] != 0 {
            continue;
        }
        signs[start.index()] = 1;
        let mut open = vec![start];
        while let Some(equation) = open.pop() {
            for (cell, coefficient) in system.cells_of(equation) {
                for (other, theirs) in equations_of(cell).filter(|&(other, _)| other != equation) {
                    let wanted = -signs[equation.index()] * coefficient * theirs;
                    match &mut signs[other.index()] {
                        sign if *sign == 0 => {
                            *sign = wanted;
                            open.push(other);
                        }
                        sign if *sign != wanted => return None,
                        _ => {}
                    }
                }
            }
        }
    }
    let outside = system.equation_count() as u32;
    let ends = |cell: CellId| {
        let mut ends = (outside, outside);
        for (equation, coefficient) in equations_of(cell) {
            match signs[equation.index()] * coefficient {
                1 => ends.1 = equation.0,
                _ => ends.0 = equation.0,
            }
        }
        ends
    };
    Some(Arcs { ends: system.cells().map(ends).collect(), signs })
}

/// What a cell is in an equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Total,
    Part,
    /// One of two cells that are equal.
    Either,
}

fn role(system: &System, equation: EquationId, coefficient: i32) -> Role {
    let of_sign = system.cells_of(equation).filter(|&(_, other)| other == coefficient).count();
    match (system.cells_of(equation).count(), of_sign) {
        (2, 1) => Role::Either,
        (_, 1) => Role::Total,
        _ => Role::Part,
    }
}

/// Which equations to keep: not those that follow from the others, among the sums whose
/// cells are all sub-totals of another kind.
fn kept(system: &System) -> Vec<bool> {
    let mut kept = vec![true; system.equation_count()];
    let crowded = |cell: CellId| system.equations_of(cell).count() > 2;
    if !system.cells().any(crowded) {
        return kept;
    }
    for equation in system.equations() {
        if system.cells_of(equation).all(|(cell, _)| is_sub_total(system, cell, equation)) {
            kept[equation.index()] = false;
            kept[equation.index()] = !follows(system, equation, &kept);
        }
    }
    kept
}

/// Whether a cell is, apart from one equation, the total of a second and a part of a third.
fn is_sub_total(system: &System, cell: CellId, apart_from: EquationId) -> bool {
    let others = system.equations_of(cell).filter(|&(equation, _)| equation != apart_from);
    let mut roles = others.map(|(equation, coefficient)| role(system, equation, coefficient));
    let (one, other, none) = (roles.next(), roles.next(), roles.next());
    none.is_none()
        && one.is_some()
        && other.is_some()
        && (one != other || one == Some(Role::Either))
}

/// Whether an equation is a sum of kept ones: its totals are replaced by their parts until
/// whole equations are left, which are zero.
fn follows(system: &System, equation: EquationId, kept: &[bool]) -> bool {
    let mut left: BTreeMap<CellId, i32> = system.cells_of(equation).collect();
    // Every cell is replaced once; more are going round in circles.
    let mut steps = system.cell_count();
    while let Some((&cell, &coefficient)) = left.first_key_value() {
        let mut known = system.equations_of(cell).filter(|(other, _)| kept[other.index()]);
        let is_whole = |&(other, there): &(EquationId, i32)| {
            let factor = coefficient * there;
            system.cells_of(other).all(|(cell, its)| left.get(&cell) == Some(&(its * factor)))
        };
        let is_total =
            |&(other, there): &(EquationId, i32)| role(system, other, there) != Role::Part;
        let Some((other, there)) = known.clone().find(is_whole).or_else(|| known.find(is_total))
        else {
            return false;
        };
        for (cell, its) in system.cells_of(other) {
            let sum = left.entry(cell).or_default();
            *sum -= its * coefficient * there;
            if *sum == 0 {
                left.remove(&cell);
            }
        }
        steps -= 1;
        if steps == 0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};
    use quell_model::Problem;

    use super::*;

    fn table(dimensions: Vec<DimensionSize>) -> Problem {
        Ons { dimensions, ..Ons::default() }.generate(1).expect("the parameters make a table")
    }

    fn is_network(dimensions: Vec<DimensionSize>) -> bool {
        arcs(table(dimensions).system()).is_some()
    }

    #[test]
    fn two_way_tables_are_networks_also_with_one_hierarchy() {
        let (flat, deep) = (DimensionSize::flat, DimensionSize::hierarchical);
        assert!(is_network(vec![flat(4), flat(5)]));
        assert!(is_network(vec![flat(6), deep(30)]));
        assert!(is_network(vec![deep(40), flat(5)]));
    }

    #[test]
    fn others_are_none() {
        let (flat, deep) = (DimensionSize::flat, DimensionSize::hierarchical);
        assert!(!is_network(vec![flat(3); 3]));
        assert!(!is_network(vec![deep(20), deep(20)]));
    }

    #[test]
    fn equations_that_are_left_out_follow_from_the_rest() {
        // Every movement along the arcs is one of the whole table.
        let problem = table(vec![DimensionSize::hierarchical(30), DimensionSize::flat(4)]);
        let system = problem.system();
        let arcs = arcs(system).expect("a network");
        assert!(arcs.signs.contains(&0), "some equations say nothing new");
        let rank = |all: bool| {
            let kept =
                system.equations().filter(|equation| all || arcs.signs[equation.index()] != 0);
            let mut rows: Vec<Vec<f64>> = kept
                .map(|equation| {
                    let mut row = vec![0.0; system.cell_count()];
                    system
                        .cells_of(equation)
                        .for_each(|(cell, c)| row[cell.index()] = f64::from(c));
                    row
                })
                .collect();
            let mut rank = 0;
            for column in 0..system.cell_count() {
                let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column].abs() > 1e-9)
                else {
                    continue;
                };
                rows.swap(rank, pivot);
                let pivot = rows[rank].clone();
                for row in rows.iter_mut().skip(rank + 1) {
                    let factor = row[column] / pivot[column];
                    row.iter_mut().zip(&pivot).for_each(|(entry, &own)| *entry -= factor * own);
                }
                rank += 1;
            }
            rank
        };
        assert_eq!(rank(true), rank(false));
    }
}
