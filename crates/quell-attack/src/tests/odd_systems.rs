//! Systems that are no tables: coefficients other than ±1 and amounts with six decimals, on which a
//! basis that floating point found may be wrong by a hair. Nothing stays undecided, and intervals
//! have the right last digit.

use num_bigint::BigInt;
use num_rational::Ratio;
use quell_model::{
    Budget, Cell, CellId, Decimals, Direction, Pattern, Problem, Protection, Random, Reason,
    Silent, Status, SystemBuilder, Value,
};

use super::oracle::farthest;
use crate::audit::{Verdict, audit};
use crate::intervals;

fn budget() -> Budget {
    Budget::default().with_threads(1)
}

/// A system of up to 60 cells, most of them hidden.
fn odd(random: &mut Random) -> Problem {
    let cells = 4 + random.below(57);
    let values: Vec<Value> = (0..cells).map(|_| amount(random)).collect();
    let mut builder = SystemBuilder::new(cells);
    for _ in 0..1 + cells / 3 {
        let mut entries: Vec<(CellId, i32)> = Vec::new();
        while entries.len() < 2 + random.below(3) {
            let cell = CellId::from_index(random.below(cells));
            let coefficient = random.below(11) as i32 - 5;
            if coefficient != 0 && entries.iter().all(|(other, _)| *other != cell) {
                entries.push((cell, coefficient));
            }
        }
        let terms = entries.iter().map(|&(cell, c)| Value::from(c) * values[cell.index()]);
        let sum = terms.sum();
        builder.equation(entries, sum);
    }
    let wide = 2 * values.iter().map(|value| value.abs()).max().unwrap_or(1);
    let dressed: Vec<Cell> = values
        .iter()
        .map(|&value| {
            let is_primary = random.below(3) == 0;
            let level = |random: &mut Random| (value.abs() / (1 + random.below(9) as Value)).max(1);
            Cell {
                value,
                weight: 1.0,
                status: match random.below(8) {
                    _ if is_primary => Status::Primary(Reason::Given),
                    0 => Status::Safe,
                    _ => Status::Secondary,
                },
                lower_bound: if random.below(4) == 0 { value - value.abs() / 2 } else { -wide },
                upper_bound: if random.below(4) == 0 { value + value.abs() / 3 } else { wide },
                protection: Protection { lower: level(random), upper: level(random), sliding: 0 },
            }
        })
        .collect();
    Problem::new(builder.build(), Decimals(6), dressed)
}

/// An amount of up to thousands, in millionths.
fn amount(random: &mut Random) -> Value {
    (random.uniform() * 10_000_000_000.0) as Value - 5_000_000_000
}

#[test]
fn nothing_is_left_undecided_and_no_verdict_is_wrong() {
    let (mut safe, mut exposed) = (0, 0);
    for case in 0..250 {
        let problem = odd(&mut Random::new(81, case));
        let pattern = Pattern::of_statuses(&problem);
        for finding in audit(&problem, &pattern, &budget(), &Silent).unwrap().primaries {
            let levels = problem.protection(finding.cell);
            // Which way round by the other solver, unless it is too near to tell.
            let ends = Direction::BOTH.map(|side| farthest(&problem, &pattern, finding.cell, side));
            let spare = (ends[0] - levels.lower as f64).min(ends[1] - levels.upper as f64);
            match finding.verdict {
                Verdict::Undecided => panic!("case {case}: {finding:?}, ends {ends:?}"),
                Verdict::Safe => safe += 1,
                _ => exposed += 1,
            }
            if spare.abs() > 1e3 {
                assert_eq!(finding.verdict == Verdict::Safe, spare > 0.0, "case {case}: {ends:?}");
            }
        }
    }
    assert!(safe > 100 && exposed > 100, "{safe} safe, {exposed} exposed");
}

/// Two cells of an equation `a·x = b·y`: the ends are known without any program.
#[test]
fn ends_are_exact_whatever_the_size_of_numbers() {
    for case in 0..200 {
        let mut random = Random::new(82, case);
        let (a, b) = (1 + random.below(9) as i32, 1 + random.below(9) as i32);
        let values = [1, 2].map(|_| amount(&mut random).abs() * 10_000 + 1);
        let mut builder = SystemBuilder::new(2);
        let right = Value::from(a) * values[0] - Value::from(b) * values[1];
        builder.equation([(CellId(0), a), (CellId(1), -b)], right);
        let rooms = [1, 2].map(|_| 1 + (random.uniform() * 1e13) as Value);
        let cells = [0, 1].map(|cell| Cell {
            value: values[cell],
            weight: 1.0,
            status: Status::Secondary,
            lower_bound: values[cell] - rooms[cell],
            upper_bound: values[cell] + rooms[cell],
            protection: Protection::default(),
        });
        let problem = Problem::new(builder.build(), Decimals(0), cells);
        let pattern = Pattern::of_statuses(&problem);
        let found = intervals(&problem, &pattern, &budget(), &Silent).unwrap().unwrap();
        // x moves by b/a of what y does.
        let own = Ratio::from_integer(BigInt::from(rooms[0]));
        let other = Ratio::new(BigInt::from(rooms[1]) * b, BigInt::from(a));
        let end = own.min(other);
        let digits = (end * BigInt::from(10)).round().to_integer().to_string();
        for shown in [found[0].down, found[0].up] {
            assert_eq!(((shown * 10.0).round() as i64).to_string(), digits, "case {case}");
        }
    }
}
