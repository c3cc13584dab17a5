//! Rules on sums of hidden cells, and contributors as attackers on small tables.

use proptest::prelude::*;
use quell_model::{
    CellId, Contributions, Decimals, HiddenSum, LeastContributors, Problem, Protection, SumRule,
    Value,
};
use quell_tabulate::{
    Additivity, AttackerBounds, Attribution, Cost, Dominance, Frequency, GivenRow, GivenTable,
    OnRequest, Prepared, PriorPosterior, Response, Rules, RulesOnSums, Sides, SumsBy, Table,
    ZeroUnsafe, assess, assess_all, contributions, linked, problem,
};

use crate::rules::plain;
use crate::survey::{FIRMS, file, made, spec, table, towns, turnover};

fn rules() -> impl Strategy<Value = Rules> {
    let frequency = prop::option::of((2_u8..6, 0_u8..40));
    let p_percent = prop::option::of((1_u8..40, 1_usize..3));
    let dominance = prop::option::of((1_usize..4, 50_u8..100));
    let sides = (0_usize..3).prop_map(|side| Sides::ALL[side]);
    (frequency, p_percent, dominance, sides, 0_u8..9).prop_map(
        |(frequency, p_percent, dominance, sides, minimum_level)| {
            let minimum_level = f64::from(minimum_level);
            let mut rules = Rules { sides, minimum_level, ..Rules::default() };
            if let Some((minimum, margin)) = frequency {
                let (minimum, margin) = (f64::from(minimum), f64::from(margin));
                rules = rules.with(Frequency { minimum, margin });
            }
            if let Some((p, n)) = p_percent {
                rules = rules.with(PriorPosterior::p_percent(f64::from(p), n));
            }
            if let Some((n, k)) = dominance {
                rules = rules.with(Dominance { n, k: f64::from(k) });
            }
            rules
        },
    )
}

fn sum_of(amounts: &[Value]) -> HiddenSum {
    let mut largest = amounts.to_vec();
    largest.sort_unstable_by_key(|&amount| -amount);
    HiddenSum { value: amounts.iter().sum(), contributors: amounts.len() as u64, largest }
}

proptest! {
    #[test]
    fn a_sum_needs_what_a_cell_of_the_same_contributors_needs(
        amounts in prop::collection::vec(0_i64..300, 1..9),
        rules in rules(),
    ) {
        let table = plain(&amounts);
        let cell = assess(&table, CellId(0), &rules);
        let judged = RulesOnSums::of(&rules, &table, Decimals(0));
        prop_assert_eq!(judged.is_none(), rules.respondents.is_empty());
        let asked = judged.and_then(|rule| rule.protection(&sum_of(&amounts)));
        prop_assert_eq!(asked, cell.status.is_primary().then_some(cell.protection));
    }
}

#[test]
fn rules_that_do_not_judge_contributors_do_not_judge_sums() {
    let table = plain(&[5, 0]);
    let others = Rules::default()
        .with(OnRequest { first: 1.0, second: 1.0, minimum: 9.0, margin: 20.0 })
        .with(ZeroUnsafe { range: 10.0 });
    assert_eq!(RulesOnSums::of(&others, &table, Decimals(0)), None);
}

#[test]
fn holdings_are_judged_by_their_rules() {
    let table = turnover();
    let rules = Rules::default()
        .with(Frequency { minimum: 5.0, margin: 20.0 })
        .with_for_holdings(Frequency { minimum: 2.0, margin: 10.0 });
    let sum = RulesOnSums::of(&rules, &table, Decimals(1)).unwrap();
    assert_eq!(sum.protection(&sum_of(&[100, 50])), None);
    let level = Protection { lower: 10, upper: 10, sliding: 0 };
    assert_eq!(sum.protection(&sum_of(&[100])), Some(level));
}

#[test]
fn where_rules_look_at_something_else_only_numbers_judge_a_sum() {
    let shadowed = Table { has_shadow: true, ..plain(&[5]) };
    let share = Rules::default().with(PriorPosterior::p_percent(10.0, 1));
    assert_eq!(RulesOnSums::of(&share, &shadowed, Decimals(0)), None);
    let both = share.with(Frequency { minimum: 2.0, margin: 20.0 });
    let judged = RulesOnSums::of(&both, &shadowed, Decimals(0)).unwrap();
    assert_eq!(judged.protection(&sum_of(&[99, 1])), None);
    assert!(judged.protection(&sum_of(&[100])).is_some());
}

#[test]
fn enough_must_contribute_where_nothing_else_is_known() {
    let frequency = |minimum, margin| Frequency { minimum, margin };
    let least = |at_least, percent| LeastContributors { at_least, percent };
    assert_eq!(Rules::default().least_contributors(), least(3, 20));
    let rules = Rules { manual_margin: 7.5, ..Rules::default() };
    assert_eq!(rules.least_contributors(), least(3, 8));
    let rules = rules.with(frequency(4.0, 30.0)).with_for_holdings(frequency(2.0, 40.0));
    assert_eq!(rules.least_contributors(), least(4, 40));
    assert_eq!(rules.top_against_contributors(), 4);
    assert_eq!(Rules::default().top_against_contributors(), 3);
    assert_eq!(Rules::default().with(frequency(500.0, 1.0)).top_against_contributors(), 20);
    let many = Rules::default().with(Dominance { n: 30, k: 80.0 });
    assert_eq!(many.top_against_contributors(), 30);
}

/// The problem of some tables with the contributions to it.
fn attacked(tables: &[Table], rules: &[Rules]) -> (Problem, Option<Contributions>) {
    judged_by(SumsBy::Rules, tables, rules)
}

/// The same, with other judges of sums.
fn judged_by(sums: SumsBy, tables: &[Table], rules: &[Rules]) -> (Problem, Option<Contributions>) {
    let assessments: Vec<_> =
        tables.iter().zip(rules).map(|(table, rules)| assess_all(table, rules)).collect();
    let costs: Vec<_> = tables.iter().map(|table| Cost::default().of(table)).collect();
    let bounds: Vec<_> = tables
        .iter()
        .zip(&assessments)
        .map(|(table, all)| AttackerBounds::Sign.of(table, all))
        .collect();
    let prepared: Vec<Prepared<'_>> = (0..tables.len())
        .map(|index| Prepared {
            table: &tables[index],
            rules: &rules[index],
            assessments: &assessments[index],
            costs: &costs[index],
            bounds: &bounds[index],
        })
        .collect();
    let linked = linked(tables, &[]).unwrap();
    let problem = problem(&linked, &prepared).unwrap();
    let contributions = contributions(&linked, &prepared, &problem, sums);
    (problem, contributions)
}

fn frequency(minimum: f64) -> Rules {
    Rules::default().with(Frequency { minimum, margin: 20.0 })
}

#[test]
fn a_contributor_is_the_same_one_in_all_tables() {
    let file = file(FIRMS);
    let wanted = vec![
        table("turnover", &["branch", "town"], "turnover"),
        table("export", &["town"], "export"),
    ];
    let tables = made(&spec(file.path(), wanted)).tables;
    let (problem, contributions) = attacked(&tables, &[frequency(2.0), frequency(4.0)]);
    let contributions = contributions.unwrap();
    let cell = |name: &str| {
        problem.system().cells().find(|&cell| problem.cell_name(cell) == name).unwrap()
    };
    // f3, of no holding, is alone in a cell of either table.
    let [one, other] = ["turnover: 12 × N2", "export: N2"].map(cell);
    let only = contributions.only_contributor(one).unwrap();
    assert_eq!(contributions.only_contributor(other), Some(only));
    assert_eq!(contributions.shares(one)[0].amount, 300);
    assert_eq!(contributions.shares(other)[0].amount, 200);
    // Holding g2: its second firm contributes nothing, and is no contributor of its own.
    assert_eq!(contributions.count(cell("turnover: 21 × S1")), 1);
    // The stricter rule of the two tables counts: three are too few.
    let rule = contributions.rule().unwrap();
    assert!(rule.protection(&sum_of(&[100, 90, 80])).is_some());
    assert!(rule.protection(&sum_of(&[100, 90, 80, 70])).is_none());
}

#[test]
fn sums_are_judged_as_far_as_that_is_asked() {
    let file = file(FIRMS);
    let tables = made(&spec(file.path(), vec![table("t", &["town"], "turnover")])).tables;
    let rules = [frequency(3.0).with(PriorPosterior::p_percent(10.0, 1))];
    let asked = |sums, amounts: &[Value]| {
        let (_, contributions) = judged_by(sums, &tables, &rules);
        contributions.unwrap().rule().and_then(|rule| rule.protection(&sum_of(amounts)))
    };
    let (two, dominated, safe) = ([100, 90], [1_000, 20, 1, 1], [100, 90, 80, 70]);
    for sums in [SumsBy::Rules, SumsBy::Frequency, SumsBy::Nothing] {
        let found = [&two[..], &dominated, &safe].map(|amounts| asked(sums, amounts).is_some());
        let expected = [sums != SumsBy::Nothing, sums == SumsBy::Rules, false];
        assert_eq!(found, expected, "{sums:?}");
    }
}

#[test]
fn who_is_alone_with_nothing_knows_the_zero() {
    let zeros = "firm,group,branch,town,turnover,domestic,export,weight\n\
                 a,,11,N1,0,0,0,1\nb,,11,N2,5,5,0,1\nb,,11,S1,0,0,0,1\n";
    let file = file(zeros);
    let spec = spec(file.path(), vec![table("t", &["town"], "turnover")]);
    let (problem, contributions) = attacked(&made(&spec).tables, &[frequency(2.0)]);
    let contributions = contributions.unwrap();
    let cell = |name: &str| {
        problem.system().cells().find(|&cell| problem.cell_name(cell) == name).unwrap()
    };
    let only = |name: &str| contributions.only_contributor(cell(name));
    assert!(only("N1").is_some() && only("N1") != only("N2"));
    assert_eq!(only("S1"), only("N2"));
    assert_eq!(contributions.shares(cell("S1"))[0].amount, 0);
}

#[test]
fn of_a_table_made_by_others_only_numbers_are_known() {
    let row = |code: &str, value, frequency| GivenRow {
        codes: vec![code.to_owned()],
        value: Some(value),
        frequency,
        ..GivenRow::default()
    };
    let build = |rows: Vec<GivenRow>| {
        let given = GivenTable {
            name: "given".to_owned(),
            dimensions: vec![towns()],
            response: Response::Variable("turnover".to_owned()),
            decimals: Decimals(0),
            cost_decimals: Decimals(0),
            rows,
        };
        given.build(Additivity::Check).unwrap().0
    };
    let counted =
        build(vec![row("N1", 10, Some(1)), row("N2", 20, Some(4)), row("S1", 30, Some(1))]);
    assert_eq!(counted.attribution, Attribution::Counted);
    let (problem, contributions) = attacked(&[counted], &[frequency(4.0)]);
    let contributions = contributions.unwrap();
    assert_eq!(problem.contributors().unwrap().iter().max(), Some(&6));
    let alone: Vec<_> =
        problem.system().cells().filter_map(|cell| contributions.only_contributor(cell)).collect();
    assert!(alone.len() >= 2, "{alone:?}");
    assert!(contributions.rule().unwrap().protection(&sum_of(&[9, 9, 9])).is_some());

    let uncounted = build(vec![row("N1", 10, None), row("N2", 20, None)]);
    assert_eq!(uncounted.attribution, Attribution::Unknown);
    let (problem, contributions) = attacked(&[uncounted], &[Rules::default()]);
    assert!(problem.contributors().is_none() && contributions.is_none());
}
