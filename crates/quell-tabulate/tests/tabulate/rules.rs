//! The rules on cells with known contributions.

use quell_model::{CellId, Cube, Decimals, Protection, Reason, Status, Value};
use quell_tabulate::{
    Apriori, Assessment, CellSummary, Contribution, ContributorRules, Contributors, Cost,
    CostMeasure, Directive, Dominance, Frequency, OnRequest, PriorPosterior, Refusal, Response,
    Rules, Sides, Table, TrivialLevels, Violation, Wish, apply_apriori, assess, assess_all,
};

use crate::survey::{towns, turnover};

/// A table of one cell with these contributions: value, weight in tenths, wish.
fn cell(contributions: &[(Value, Value, Wish)]) -> Table {
    let contributors = || {
        let mut contributors = Contributors::none(10, 10);
        for &(value, weight, wish) in contributions {
            contributors.add(Contribution { value, weight, wish }, value * weight / 10);
        }
        contributors
    };
    let mut summary = CellSummary::empty(contributors(), Some(Box::new(contributors())));
    summary.value = contributions.iter().map(|contribution| contribution.0).sum();
    summary.weighted_value =
        contributions.iter().map(|(value, weight, _)| value * weight / 10).sum();
    summary.weight = contributions.iter().map(|contribution| contribution.1).sum();
    summary.records = contributions.len() as u64;
    let leaf = towns().hierarchy.leaves().next().unwrap();
    let (cube, cells) = Cube::roll_up(vec![towns()], [(vec![leaf], summary)]).unwrap();
    Table {
        name: "cell".to_owned(),
        cube,
        response: Response::Variable("turnover".to_owned()),
        weighted: false,
        decimals: Decimals(0),
        shadow_decimals: Decimals(0),
        weight_decimals: Decimals(1),
        cost_decimals: Decimals(0),
        missing_codes: vec![vec![leaf]],
        cells,
    }
}

fn plain(values: &[Value]) -> Table {
    cell(&values.iter().map(|&value| (value, 10, Wish::None)).collect::<Vec<_>>())
}

fn of(table: &Table, rules: &Rules) -> Assessment {
    assess(table, CellId(0), rules)
}

fn dominance(n: usize, k: f64) -> Rules {
    let respondents =
        ContributorRules { dominance: vec![Dominance { n, k }], ..ContributorRules::default() };
    Rules { respondents, ..Rules::default() }
}

fn p_percent(p: f64, n: usize) -> Rules {
    let rule = PriorPosterior::p_percent(p, n);
    let respondents =
        ContributorRules { prior_posterior: vec![rule], ..ContributorRules::default() };
    Rules { respondents, ..Rules::default() }
}

fn frequency(minimum: f64, margin: f64) -> Rules {
    let rule = Some(Frequency { minimum, margin });
    let respondents = ContributorRules { frequency: rule, ..ContributorRules::default() };
    Rules { respondents, ..Rules::default() }
}

fn levels(level: Value) -> Protection {
    Protection { lower: level, upper: level, sliding: 0 }
}

#[test]
fn dominance_is_strict_and_asks_for_the_total_at_which_the_share_is_met() {
    // 80 of 100 is not more than 80 percent; 81 of 101 is.
    assert_eq!(of(&plain(&[50, 30, 20]), &dominance(2, 80.0)).status, Status::Safe);
    let unsafe_cell = of(&plain(&[51, 30, 20]), &dominance(2, 80.0));
    assert_eq!(unsafe_cell.status, Status::Primary(Reason::Dominance));
    // 100·81/80 − 101 = 0.25, rounded up to a unit.
    assert_eq!(unsafe_cell.protection, levels(1));
    let one = of(&plain(&[90, 5, 5]), &dominance(1, 75.0));
    assert_eq!(one.protection, levels(20));
}

#[test]
fn the_p_percent_rule_is_strict_and_exact_at_its_limit() {
    // The others beside the two largest contribute 15: just enough for p = 15 of 100.
    assert_eq!(of(&plain(&[100, 40, 15]), &p_percent(15.0, 1)).status, Status::Safe);
    let unsafe_cell = of(&plain(&[100, 40, 14]), &p_percent(15.0, 1));
    assert_eq!(unsafe_cell.status, Status::Primary(Reason::PPercent));
    assert_eq!(unsafe_cell.protection, levels(1));
    assert_eq!(of(&plain(&[100]), &p_percent(15.0, 1)).protection, levels(15));
    // Against two intruders, three contributors are too few.
    assert_eq!(of(&plain(&[100, 90, 80]), &p_percent(15.0, 2)).protection, levels(15));
}

#[test]
fn the_pq_rule_counts_what_everybody_knows_beforehand() {
    let rule = |q| {
        let mut rules = p_percent(10.0, 1);
        rules.respondents.prior_posterior[0].q = q;
        rules
    };
    // The remainder of 12 is enough if everyone knows it to within 100 %, not to within 50 %.
    assert_eq!(of(&plain(&[100, 50, 12]), &rule(100.0)).status, Status::Safe);
    let known = of(&plain(&[100, 50, 12]), &rule(50.0));
    // 10/50·100 + 150 − 162 = 8.
    assert_eq!(known.protection, levels(8));
}

#[test]
fn placeholders_do_not_apply() {
    assert_eq!(of(&plain(&[100]), &p_percent(0.0, 0)).status, Status::Safe);
    assert_eq!(of(&plain(&[100]), &dominance(0, 0.0)).status, Status::Safe);
}

#[test]
fn too_few_contributors_are_unsafe_with_a_margin() {
    let rules = frequency(3.0, 30.0);
    assert_eq!(of(&plain(&[10, 10, 10]), &rules).status, Status::Safe);
    let few = of(&plain(&[10, 11]), &rules);
    assert_eq!(few.status, Status::Primary(Reason::Frequency));
    assert_eq!(few.protection, levels(7));
    // Weighted, two firms that stand for 3.0 are enough.
    let weighted = Rules { weighted: true, ..rules };
    assert_eq!(
        of(&cell(&[(10, 14, Wish::None), (11, 16, Wish::None)]), &weighted).status,
        Status::Safe
    );
}

#[test]
fn a_heavy_contributor_stands_for_several() {
    let weighted = Rules { weighted: true, ..dominance(2, 60.0) };
    // 50 stands for 1.5 and 40 for the other half: 95 of 155 is 61 percent.
    let table = cell(&[(50, 15, Wish::None), (40, 20, Wish::None)]);
    assert_eq!(of(&table, &weighted).status, Status::Primary(Reason::Dominance));
    assert_eq!(of(&table, &Rules { weighted: true, ..dominance(2, 62.0) }).status, Status::Safe);
}

#[test]
fn a_request_of_the_largest_is_heard() {
    let rule = OnRequest { first: 50.0, second: 70.0, minimum: 3.0, margin: 10.0 };
    let respondents = ContributorRules { request: Some(rule), ..ContributorRules::default() };
    let rules = Rules { respondents, ..Rules::default() };
    let asked = |wish, other| cell(&[(60, 10, wish), (20, 10, other), (20, 10, Wish::None)]);
    let heard = of(&asked(Wish::FirstRequest, Wish::None), &rules);
    assert_eq!((heard.status, heard.protection), (Status::Primary(Reason::Request), levels(10)));
    assert_eq!(of(&asked(Wish::SecondRequest, Wish::None), &rules).status, Status::Safe);
    assert_eq!(of(&asked(Wish::None, Wish::FirstRequest), &rules).status, Status::Safe);
    let two = cell(&[(60, 10, Wish::SecondRequest), (50, 10, Wish::None)]);
    assert_eq!(of(&two, &rules).status, Status::Primary(Reason::Request));
}

#[test]
fn a_waiver_gives_way_to_the_next_who_did_not_sign() {
    let rules = p_percent(15.0, 1);
    let waived = |rest: Value| {
        cell(&[(100, 10, Wish::Waived), (40, 10, Wish::None), (rest, 10, Wish::None)])
    };
    // The largest does not mind; 40 is to be protected from 100, by a remainder of 6 or more.
    assert_eq!(of(&waived(6), &rules).status, Status::Safe);
    assert_eq!(of(&waived(5), &rules).status, Status::Primary(Reason::PPercent));
    let all = cell(&[(100, 10, Wish::Waived)]);
    assert_eq!(of(&all, &rules).status, Status::Safe);
    assert_eq!(of(&all, &frequency(3.0, 30.0)).status, Status::Safe);
    assert_eq!(of(&all, &dominance(1, 50.0)).status, Status::Safe);
}

#[test]
fn zeros_are_unsafe_only_if_there_is_a_rule() {
    let zero = plain(&[0, 0]);
    assert_eq!(of(&zero, &Rules::default()).status, Status::Safe);
    let found = of(&zero, &Rules { zero: Some(25.0), ..Rules::default() });
    assert_eq!(found.status, Status::Primary(Reason::Zero));
    assert_eq!(found.protection, Protection { lower: 0, upper: 25, sliding: 0 });
}

#[test]
fn the_first_rule_in_order_decides_and_the_strictest_of_its_kind_sets_the_level() {
    let mut rules = p_percent(15.0, 1);
    rules.respondents.dominance = vec![Dominance { n: 1, k: 50.0 }];
    rules.respondents.frequency = Some(Frequency { minimum: 3.0, margin: 90.0 });
    rules.holdings.dominance = vec![Dominance { n: 1, k: 25.0 }];
    let found = of(&plain(&[100]), &rules);
    assert_eq!(found.status, Status::Primary(Reason::Dominance));
    assert_eq!(found.protection, levels(300));
    assert_eq!(found.violated.len(), 4);
    assert!(matches!(found.violated[1], Violation::HoldingDominance(_)));
    assert_eq!(rules.top_needed(), 2);
}

#[test]
fn negative_contributions_count_by_their_size() {
    let found = of(&plain(&[-100, 30]), &p_percent(10.0, 1));
    // 10 percent of 100 is short of a total of sizes of 130; that share of 70, rounded up.
    assert_eq!(found.protection, levels(6));
}

#[test]
fn levels_have_a_minimum_and_sides() {
    let rules = Rules { minimum_level: 40.0, ..frequency(3.0, 10.0) };
    assert_eq!(of(&plain(&[100]), &rules).protection, levels(40));
    let upper = Rules { sides: Sides::Upper, ..frequency(3.0, 10.0) };
    assert_eq!(
        of(&plain(&[100]), &upper).protection,
        Protection { lower: 0, upper: 10, sliding: 0 }
    );
    let sliding = Rules { sides: Sides::Sliding, ..frequency(3.0, 10.0) };
    assert_eq!(
        of(&plain(&[100]), &sliding).protection,
        Protection { lower: 0, upper: 0, sliding: 20 }
    );
}

#[test]
fn cells_of_missing_codes_can_be_left_alone() {
    let table = plain(&[100]);
    let leaf = CellId::from_index(table.cells.len() - 1);
    let rules = Rules { missing_is_safe: true, ..p_percent(15.0, 1) };
    assert_eq!(assess(&table, leaf, &rules).status, Status::Safe);
    assert!(of(&table, &rules).status.is_primary());
}

#[test]
fn the_largest_parameters_do_not_overflow() {
    let large = plain(&[Value::MAX / 128, Value::MAX / 256]);
    for rules in
        [dominance(usize::MAX, 1e300), p_percent(1e300, usize::MAX), frequency(1e300, 1e300)]
    {
        let _ = of(&large, &rules);
    }
    let _ = of(&large, &p_percent(f64::NAN, 1));
}

fn apriori(codes: [&str; 2], directive: Directive) -> Apriori {
    Apriori { codes: codes.map(str::to_owned).to_vec(), directive }
}

#[test]
fn a_priori_statuses_are_applied_in_order_and_refused_where_they_may_not_follow() {
    let table = turnover();
    let rules = p_percent(15.0, 1);
    let mut assessments = assess_all(&table, &rules);
    let mut costs = Cost { measure: CostMeasure::Unity, ..Cost::default() }.of(&table);
    let entries = [
        apriori(["", ""], Directive::Unsafe),
        apriori(["", ""], Directive::Levels { lower: 5.0, upper: 7.0 }),
        apriori(["11", "N1"], Directive::Safe),
        apriori(["12", "S1"], Directive::Cost(0.0)),
        apriori(["12", "S1"], Directive::Suppressed),
        apriori(["2", "N2"], Directive::Safe),
        apriori(["9", "N2"], Directive::Safe),
        apriori(["11", "N1"], Directive::Levels { lower: 1.0, upper: 1.0 }),
    ];
    let refusals =
        apply_apriori(&entries, TrivialLevels::Apart, &table, &rules, &mut assessments, &mut costs);
    let at = |codes: &[&str]| &assessments[table.find(codes).unwrap().index()];
    assert_eq!(at(&["", ""]).status, Status::Primary(Reason::Manual));
    assert_eq!(at(&["", ""]).protection, Protection { lower: 50, upper: 70, sliding: 0 });
    assert_eq!(at(&["11", "N1"]).status, Status::Safe);
    assert!(at(&["11", "N1"]).by_hand);
    let kinds: Vec<usize> = refusals
        .iter()
        .map(|refusal| match refusal {
            Refusal::NotAllowed { entry, .. }
            | Refusal::Empty { entry, .. }
            | Refusal::UnknownCode { entry, .. } => *entry,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(kinds, [5, 6, 7, 8]);
    assert!(refusals[0].to_string().contains("is unsafe and cannot become suppressed"));
}

#[test]
fn trivial_levels_share_their_status() {
    let table = turnover();
    let rules = Rules::default();
    let mut assessments = assess_all(&table, &rules);
    let mut costs = Cost::default().of(&table);
    // Branch 2 is branch 21, the south is S1.
    let entries = [apriori(["2", "S"], Directive::Unsafe)];
    apply_apriori(&entries, TrivialLevels::Together, &table, &rules, &mut assessments, &mut costs);
    let unsafe_cells = assessments.iter().filter(|a| a.status.is_primary()).count();
    assert_eq!(unsafe_cells, 4);
}
