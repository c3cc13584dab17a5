//! The rules on cells with known contributions.

use quell_model::{CellId, Cube, Decimals, Protection, Reason, Status, Value};
use quell_tabulate::{
    Apriori, Assessment, Attribution, CellSummary, Contribution, ContributorKey, Contributors,
    Cost, CostMeasure, Directive, Dominance, Frequency, OnRequest, PriorPosterior,
    ProtectionRequest, RULES, Refusal, Response, Rules, Sides, Table, TrivialLevels, Unit, Who,
    ZeroUnsafe, apply_apriori, assess, assess_all,
};

use crate::survey::{towns, turnover};

/// A table of one cell with these contributions: value, weight in tenths, request.
fn cell(contributions: &[(Value, Value, ProtectionRequest)]) -> Table {
    let contributors = || {
        let mut contributors = Contributors::none(10, 10);
        for &(value, weight, request) in contributions {
            let who = ContributorKey::default();
            let contribution =
                Contribution { who, shown: value, value, weight, weight_rest: 0, request };
            contributors.add(contribution, value * weight / 10);
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
        attribution: Attribution::Named,
        has_shadow: false,
        decimals: Decimals(0),
        shadow_decimals: Decimals(0),
        weight_decimals: Decimals(1),
        cost_decimals: Decimals(0),
        missing_codes: vec![vec![leaf]],
        cells,
    }
}

pub fn plain(values: &[Value]) -> Table {
    cell(&values.iter().map(|&value| (value, 10, ProtectionRequest::None)).collect::<Vec<_>>())
}

fn of(table: &Table, rules: &Rules) -> Assessment {
    assess(table, CellId(0), rules)
}

fn dominance(n: usize, k: f64) -> Rules {
    Rules::default().with(Dominance { n, k })
}

fn p_percent(p: f64, n: usize) -> Rules {
    Rules::default().with(PriorPosterior::p_percent(p, n))
}

fn frequency(minimum: f64, margin: f64) -> Rules {
    Rules::default().with(Frequency { minimum, margin })
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
    let rule = |q| Rules::default().with(PriorPosterior { p: 10.0, q, n: 1 });
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
        of(
            &cell(&[(10, 14, ProtectionRequest::None), (11, 16, ProtectionRequest::None)]),
            &weighted
        )
        .status,
        Status::Safe
    );
}

#[test]
fn a_heavy_contributor_stands_for_several() {
    let weighted = Rules { weighted: true, ..dominance(2, 60.0) };
    // 50 stands for 1.5 and 40 for the other half: 95 of 155 is 61 percent.
    let table = cell(&[(50, 15, ProtectionRequest::None), (40, 20, ProtectionRequest::None)]);
    assert_eq!(of(&table, &weighted).status, Status::Primary(Reason::Dominance));
    assert_eq!(of(&table, &Rules { weighted: true, ..dominance(2, 62.0) }).status, Status::Safe);
}

#[test]
fn a_request_of_the_largest_is_heard() {
    let rule = OnRequest { first: 50.0, second: 70.0, minimum: 3.0, margin: 10.0 };
    let rules = Rules::default().with(rule);
    let asked = |request, other| {
        cell(&[(60, 10, request), (20, 10, other), (20, 10, ProtectionRequest::None)])
    };
    let heard = of(&asked(ProtectionRequest::FirstRequest, ProtectionRequest::None), &rules);
    assert_eq!((heard.status, heard.protection), (Status::Primary(Reason::Request), levels(10)));
    assert_eq!(
        of(&asked(ProtectionRequest::SecondRequest, ProtectionRequest::None), &rules).status,
        Status::Safe
    );
    assert_eq!(
        of(&asked(ProtectionRequest::None, ProtectionRequest::FirstRequest), &rules).status,
        Status::Safe
    );
    let two =
        cell(&[(60, 10, ProtectionRequest::SecondRequest), (50, 10, ProtectionRequest::None)]);
    assert_eq!(of(&two, &rules).status, Status::Primary(Reason::Request));
}

#[test]
fn a_waiver_gives_way_to_the_next_who_did_not_sign() {
    let rules = p_percent(15.0, 1);
    let waived = |rest: Value| {
        cell(&[
            (100, 10, ProtectionRequest::Waived),
            (40, 10, ProtectionRequest::None),
            (rest, 10, ProtectionRequest::None),
        ])
    };
    // The largest does not mind; 40 is to be protected from 100, by a remainder of 6 or more.
    assert_eq!(of(&waived(6), &rules).status, Status::Safe);
    assert_eq!(of(&waived(5), &rules).status, Status::Primary(Reason::PPercent));
    let all = cell(&[(100, 10, ProtectionRequest::Waived)]);
    assert_eq!(of(&all, &rules).status, Status::Safe);
    assert_eq!(of(&all, &frequency(3.0, 30.0)).status, Status::Safe);
    assert_eq!(of(&all, &dominance(1, 50.0)).status, Status::Safe);
}

#[test]
fn zeros_are_unsafe_only_if_there_is_a_rule() {
    let zero = plain(&[0, 0]);
    assert_eq!(of(&zero, &Rules::default()).status, Status::Safe);
    let found = of(&zero, &Rules::default().with(ZeroUnsafe { range: 25.0 }));
    assert_eq!(found.status, Status::Primary(Reason::Zero));
    assert_eq!(found.protection, Protection { lower: 0, upper: 25, sliding: 0 });
}

#[test]
fn the_first_rule_in_order_decides_and_the_strictest_of_its_kind_sets_the_level() {
    // In no order: that of the kinds decides, not that of the file.
    let rules = p_percent(15.0, 1)
        .with(Frequency { minimum: 3.0, margin: 90.0 })
        .with(Dominance { n: 1, k: 50.0 })
        .with_for_holdings(Dominance { n: 1, k: 25.0 });
    let found = of(&plain(&[100]), &rules);
    assert_eq!(found.status, Status::Primary(Reason::Dominance));
    assert_eq!(found.protection, levels(300));
    assert_eq!(found.violated.len(), 4);
    let violated: Vec<_> = found.violated.iter().map(|found| (found.rule.key, found.who)).collect();
    assert_eq!(violated[0], ("dominance", Who::Respondents));
    assert_eq!(violated[1], ("dominance", Who::Holdings));
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

#[test]
fn kinds_are_declared_with_names_of_their_own_and_give_back_their_parameters() {
    for (position, kind) in RULES.iter().enumerate() {
        let others = || RULES[..position].iter();
        assert!(others().all(|other| other.key != kind.key), "{}", kind.key);
        let keyword = |kind: &quell_tabulate::RuleKind| kind.argus.map(|form| form.keyword);
        assert!(others().all(|other| keyword(other) != keyword(kind)), "{}", kind.key);
        // Every parameter with a value of its own.
        let given: Vec<(&str, f64)> =
            kind.parameters.iter().zip(1_u8..).map(|(own, n)| (own.name, f64::from(n))).collect();
        let rule = kind.rule(&given).unwrap();
        let values: Vec<f64> = given.iter().map(|&(_, value)| value).collect();
        assert_eq!((rule.kind().key, rule.values()), (kind.key, values));
        for form in kind.argus.iter().flat_map(|form| form.arguments) {
            assert!(form.iter().all(|name| kind.parameter(name).is_some()), "{}", kind.key);
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for kind in RULES {
        let usual = |name: &str| -> Vec<(&'static str, f64)> {
            kind.parameters
                .iter()
                .map(|own| own.name)
                .filter(|own| *own != name)
                .map(|own| (own, 1.0))
                .collect()
        };
        for parameter in kind.parameters {
            let with = |value: f64| {
                let mut given = usual(parameter.name);
                given.push((parameter.name, value));
                kind.rule(&given)
            };
            assert!(with(0.0).is_ok() && with(parameter.most).is_ok(), "{}", parameter.name);
            for wrong in [-1.0, 2.0 * parameter.most, f64::NAN, f64::INFINITY] {
                let message = with(wrong).unwrap_err().to_string();
                assert!(message.starts_with(&format!("{} is ", parameter.name)), "{message}");
            }
            assert_eq!(with(1.5).is_err(), parameter.unit == Unit::Contributors);
            assert_eq!(kind.rule(&usual(parameter.name)).is_ok(), parameter.default.is_some());
        }
    }
}

#[test]
fn rules_say_what_must_be_known_of_a_cell() {
    assert_eq!(Rules::default().needs(), quell_tabulate::Needs::default());
    assert_eq!(dominance(3, 75.0).top_needed(), 3);
    assert_eq!(dominance(3, 0.0).top_needed(), 0, "a placeholder needs nothing");
    assert_eq!(p_percent(10.0, 2).top_needed(), 3);
    assert!(frequency(3.0, 20.0).needs().counts && !dominance(1, 75.0).needs().counts);
    let request = OnRequest { first: 70.0, second: 0.0, minimum: 3.0, margin: 20.0 };
    assert!(Rules::default().with_for_holdings(request).needs().requests);
    assert!(Rules::default().is_empty() && dominance(0, 0.0).is_empty());
    assert!(!Rules::default().with(ZeroUnsafe { range: 0.0 }).is_empty());
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
