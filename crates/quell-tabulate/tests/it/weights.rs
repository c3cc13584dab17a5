//! Weighted rules on random records against fractions by hand: a firm whose records have different
//! weights weighs what they come to, exactly.

use std::collections::BTreeMap;
use std::fmt::Write;

use num_rational::Ratio;
use quell_data::Records;
use quell_model::{CellId, Decimals, Random, Status, Value};
use quell_tabulate::{
    Dominance, PriorPosterior, Resources, Response, Rules, Spec, Table, TableSpec, assess_all,
    tabulate,
};

use crate::survey::{axis, file, towns};

type Fraction = Ratio<i128>;

/// Town, firm, turnover, weight in tenths.
type Record = (&'static str, usize, Value, Value);

fn table(records: &[Record], top: usize) -> Table {
    let mut text = "town,turnover,weight,firm\n".to_owned();
    for (town, firm, turnover, weight) in records {
        writeln!(text, "{town},{turnover},{},f{firm}", Decimals(1).format(*weight)).unwrap();
    }
    let file = file(&text);
    let mut records = Records::open(file.path()).unwrap();
    records.variable_mut("weight").unwrap().decimals = Some(Decimals(1));
    let spec = Spec {
        records,
        axes: vec![axis(towns())],
        tables: vec![TableSpec {
            name: "towns".to_owned(),
            dimensions: vec!["town".to_owned()],
            response: Response::Variable("turnover".to_owned()),
            shadow: None,
            cost: None,
            weighted: true,
            top,
        }],
        respondent: Some("firm".to_owned()),
        holding: None,
        request: None,
        waiver: None,
        weight: Some("weight".to_owned()),
    };
    tabulate(&spec, &Resources::default()).unwrap().tables.remove(0)
}

/// A contributor: turnover, weight, and both together.
struct Firm {
    turnover: i128,
    weight: Fraction,
}

/// The firms of a cell, the largest first, and what it shows.
fn firms(records: &[&Record]) -> (Vec<Firm>, i128) {
    let mut own: BTreeMap<usize, Vec<(i128, i128)>> = BTreeMap::new();
    for (_, firm, turnover, weight) in records {
        own.entry(*firm).or_default().push((i128::from(*turnover), i128::from(*weight)));
    }
    // As the table shows it, each record is rounded.
    let shown = |&(turnover, weight): &(i128, i128)| (turnover * weight + 5) / 10;
    let total = own.values().flatten().map(shown).sum();
    let merged = |records: &Vec<(i128, i128)>| {
        let turnover: i128 = records.iter().map(|record| record.0).sum();
        let weighted: i128 = records.iter().map(shown).sum();
        let weights = || records.iter().map(|record| Fraction::new(record.1, 10));
        let (least, most) = (weights().min().unwrap(), weights().max().unwrap());
        let weight = match turnover {
            0 => most,
            _ if least == most => most,
            _ => Fraction::new(weighted, turnover).clamp(least, most),
        };
        Firm { turnover, weight }
    };
    let mut firms: Vec<Firm> = own.values().map(merged).collect();
    firms.sort_by_key(|firm| std::cmp::Reverse((firm.turnover, firm.weight)));
    (firms, total)
}

/// The contributions of the `n` largest, each as often as it weighs.
fn largest(firms: &[Firm], n: usize) -> Fraction {
    let (mut left, mut sum) = (Fraction::from_integer(n as i128), Fraction::from_integer(0));
    for firm in firms {
        let taken = firm.weight.min(left);
        sum += taken * firm.turnover;
        left -= taken;
    }
    sum
}

#[test]
fn statuses_and_levels_are_those_of_exact_fractions() {
    let (mut unsafe_cells, mut fractions) = (0, 0);
    for case in 0..600 {
        let mut random = Random::new(91, case);
        let records: Vec<Record> = (0..2 + random.below(14))
            .map(|_| {
                let town = ["N1", "N2", "S1"][random.below(3)];
                let turnover = 1 + (random.uniform().powi(3) * 900.0) as Value;
                (town, random.below(4), turnover, 10 + random.below(25) as Value)
            })
            .collect();
        let n = 1 + random.below(2);
        let (p, k) = (1 + random.below(20) as i128, 50 + random.below(45) as i128);
        let by_p = Rules::default().with(PriorPosterior::p_percent(p as f64, n));
        let by_k = Rules::default().with(Dominance { n, k: k as f64 });
        let table = table(&records, n + 1);
        for cell in (0..table.cells.len()).map(CellId::from_index) {
            let code = table.cell_name(cell);
            let inside: Vec<&Record> = records
                .iter()
                .filter(|(town, ..)| match code.as_str() {
                    "N" => town.starts_with('N'),
                    "S" => town.starts_with('S'),
                    code => code == *town || cell == CellId(0),
                })
                .collect();
            let (firms, total) = firms(&inside);
            fractions += usize::from(firms.iter().any(|f| !(f.weight * 10).is_integer()));
            assert_eq!(i128::from(table.value(cell)), total, "case {case}: {code}");
            let total = Fraction::from_integer(total);
            let missing_p =
                largest(&firms, n + 1) + Fraction::new(p * firms[0].turnover, 100) - total;
            let missing_k = largest(&firms, n) * 100 / k - total;
            for (rules, missing) in [(&by_p, missing_p), (&by_k, missing_k)] {
                let rules = Rules { weighted: true, ..rules.clone() };
                let found = &assess_all(&table, &rules)[cell.index()];
                let expected = if missing > Fraction::from_integer(0) {
                    unsafe_cells += 1;
                    Some(missing.ceil().to_integer())
                } else {
                    None
                };
                let level = match found.status {
                    Status::Primary(_) => Some(i128::from(found.protection.upper)),
                    _ => None,
                };
                assert_eq!(level, expected, "case {case}, {code}, n {n}, p {p}, k {k}");
            }
        }
    }
    assert!(unsafe_cells > 500 && fractions > 500, "{unsafe_cells} unsafe, {fractions} fractions");
}

/// A firm of 30 with weights 2 and 2.5 stands for 2⅓ firms of 30: with 2.3 it would seem that
/// somebody else contributes.
#[test]
fn an_average_weight_is_not_rounded() {
    let table = table(&[("N1", 1, 10, 20), ("N1", 1, 20, 25), ("N1", 2, 6, 5)], 3);
    let rules =
        Rules { weighted: true, ..Rules::default().with(PriorPosterior::p_percent(3.0, 2)) };
    let found = assess_all(&table, &rules);
    let cell =
        (0..table.cells.len()).find(|&cell| table.cell_name(CellId::from_index(cell)) == "N1");
    let assessment = &found[cell.unwrap()];
    assert!(assessment.status.is_primary());
    // 3 % of 30, rounded up.
    assert_eq!(assessment.protection.upper, 1);
}
