//! Random microdata against counting record by record.

use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::prelude::*;
use quell_data::Records;
use quell_model::{Budget, CellId, Decimals, Dimension, NodeId, Value};
use quell_tabulate::{
    CellSummary, Contribution, Contributors, ProtectionRequest, Request, Resources, Response, Spec,
    Table, TableSpec, Waiver, tabulate,
};

use crate::survey::{axis, branches, file, towns};

/// A record as numbers; turnover and weight in tenths.
#[derive(Debug, Clone)]
struct Record {
    branch: usize,
    town: usize,
    turnover: Option<Value>,
    employees: Value,
    weight: Value,
    firm: u8,
    group: u8,
    request: u8,
    waiver: bool,
}

const BRANCHES: [&str; 3] = ["11", "12", "21"];
const TOWNS: [&str; 3] = ["N1", "N2", "S1"];

fn record() -> impl Strategy<Value = Record> {
    let amounts = (prop::option::weighted(0.9, -60_i64..200), 0_i64..50, 0_i64..40);
    let requests = (0_u8..6, prop::bool::weighted(0.3));
    ((0_usize..3, 0_usize..3), amounts, (0_u8..7, 0_u8..5), requests).prop_map(
        |((branch, town), (turnover, employees, weight), (firm, group), (request, waiver))| {
            Record { branch, town, turnover, employees, weight, firm, group, request, waiver }
        },
    )
}

/// How random data is tabulated.
#[derive(Debug, Clone, Copy)]
struct Setting {
    firms: bool,
    groups: bool,
    weights: bool,
    shadow: bool,
    frequency: bool,
    top: usize,
}

fn setting() -> impl Strategy<Value = Setting> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (flags, 0_usize..4).prop_map(|((firms, groups, weights, shadow, frequency), top)| Setting {
        firms,
        groups,
        weights,
        shadow,
        frequency,
        top,
    })
}

fn text(records: &[Record]) -> String {
    let mut text = "branch,town,turnover,employees,weight,firm,group,request,waiver\n".to_owned();
    let tenths = |value: Value| Decimals(1).format(value);
    for record in records {
        // Firm 0 and group 0 have no name; 9999 stands for a turnover that is not known.
        let name = |number: u8| if number == 0 { String::new() } else { format!("x{number}") };
        writeln!(
            text,
            "{},{},{},{},{},{},{},{},{}",
            BRANCHES[record.branch],
            TOWNS[record.town],
            record.turnover.map_or_else(|| "9999".to_owned(), tenths),
            record.employees,
            tenths(record.weight),
            name(record.firm),
            name(record.group),
            record.request,
            if record.waiver { "yes" } else { "no" },
        )
        .unwrap();
    }
    text
}

fn spec(path: &std::path::Path, setting: Setting) -> Spec {
    let mut records = Records::open(path).unwrap();
    records.variable_mut("weight").unwrap().decimals = Some(Decimals(1));
    records.variable_mut("turnover").unwrap().missing.codes = vec!["9999".to_owned()];
    let name = |yes: bool, name: &str| yes.then(|| name.to_owned());
    let table = |name_of: &str, dimensions: &[&str]| TableSpec {
        name: name_of.to_owned(),
        dimensions: dimensions.iter().map(|&name| name.to_owned()).collect(),
        response: match setting.frequency {
            true => Response::Frequency,
            false => Response::Variable("turnover".to_owned()),
        },
        shadow: name(setting.shadow, "employees"),
        cost: Some("employees".to_owned()),
        weighted: setting.weights,
        top: setting.top,
    };
    Spec {
        records,
        axes: vec![axis(branches()), axis(towns())],
        tables: vec![table("both", &["branch", "town"]), table("towns", &["town"])],
        respondent: name(setting.firms, "firm"),
        holding: name(setting.groups, "group"),
        request: Some(Request {
            variable: "request".to_owned(),
            first: "1".to_owned(),
            second: Some("2".to_owned()),
        }),
        waiver: Some(Waiver { variable: "waiver".to_owned(), code: "yes".to_owned() }),
        weight: name(setting.weights, "weight"),
    }
}

/// Whether a record lies under a cell.
fn under(record: &Record, dimensions: &[Dimension], table: &Table, cell: CellId) -> bool {
    dimensions.iter().enumerate().all(|(position, dimension)| {
        let code = match dimension.name.as_str() {
            "branch" => BRANCHES[record.branch],
            _ => TOWNS[record.town],
        };
        let codes = dimension.hierarchy.codes();
        let leaf = codes.iter().position(|own| own == code).unwrap() as NodeId;
        let node = table.cube.coordinate(cell, position);
        node == leaf || dimension.hierarchy.ancestors(leaf).contains(&node)
    })
}

/// The contributors of some records of a file, by who they are from.
fn contributors(
    all: &[Record],
    inside: &[usize],
    setting: Setting,
    who: impl Fn(&Record) -> Option<String>,
) -> Contributors {
    let unit = if setting.weights { 10 } else { 1 };
    let mut people: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for &number in inside {
        let name = who(&all[number]).unwrap_or_else(|| format!("record {number}"));
        people.entry(name).or_default().push(number);
    }
    let mut contributors = Contributors::none(setting.top, unit);
    for (name, numbers) in people {
        // Wishes are of the person, not of the part of it in this cell.
        let everywhere = (0..all.len()).filter(|&number| {
            numbers.contains(&number) || who(&all[number]).as_ref() == Some(&name)
        });
        let request = everywhere.map(|number| request(&all[number])).max().unwrap();
        let weights: Vec<Value> =
            numbers.iter().map(|&n| if setting.weights { all[n].weight } else { 1 }).collect();
        let amounts = || numbers.iter().map(|&n| shadow(&all[n], setting));
        let value: Value = amounts().map(|(value, _)| value).sum();
        let weighted: Value = amounts().map(|(_, weighted)| weighted).sum();
        let (least, most) = (*weights.iter().min().unwrap(), *weights.iter().max().unwrap());
        let weight = if least == most || value == 0 {
            most
        } else {
            round(weighted.abs() * unit, value.abs()).clamp(least, most)
        };
        contributors.add(Contribution { value, weight, request }, weighted);
    }
    contributors
}

fn request(record: &Record) -> ProtectionRequest {
    match (record.request, record.waiver) {
        (1, _) => ProtectionRequest::FirstRequest,
        (2, _) => ProtectionRequest::SecondRequest,
        (_, true) => ProtectionRequest::Waived,
        (_, false) => ProtectionRequest::None,
    }
}

fn round(value: Value, by: Value) -> Value {
    let size = (value.abs() + by / 2) / by;
    if value < 0 { -size } else { size }
}

fn times(value: Value, record: &Record, setting: Setting) -> Value {
    if setting.weights { round(value * record.weight, 10) } else { value }
}

fn shadow(record: &Record, setting: Setting) -> (Value, Value) {
    let value = match (setting.shadow, setting.frequency) {
        (true, _) => record.employees,
        (false, true) => 1,
        (false, false) => record.turnover.unwrap_or(0),
    };
    (value, times(value, record, setting))
}

fn expected(all: &[Record], table: &Table, cell: CellId, setting: Setting) -> CellSummary {
    let inside: Vec<usize> = (0..all.len())
        .filter(|&number| under(&all[number], table.dimensions(), table, cell))
        .collect();
    let own = || inside.iter().map(|&number| &all[number]);
    let name = |number: u8| (number > 0).then(|| number.to_string());
    let respondent = |record: &Record| name(record.firm).filter(|_| setting.firms);
    let holding = |record: &Record| {
        let group = name(record.group).map(|group| format!("group {group}"));
        group.or_else(|| respondent(record))
    };
    let response = |record: &Record| match setting.frequency {
        true => Some(1),
        false => record.turnover,
    };
    let weight = |record: &Record| if setting.weights { record.weight } else { 1 };
    CellSummary {
        value: own().filter_map(response).sum(),
        weighted_value: match setting.frequency {
            true => own().map(weight).sum(),
            false => own().map(|r| times(r.turnover.unwrap_or(0), r, setting)).sum(),
        },
        cost: own().map(|record| record.employees).sum(),
        records: inside.len() as u64,
        weight: own().map(weight).sum(),
        zeros: own().filter(|record| response(record) == Some(0)).count() as u64,
        negatives: own()
            .filter(|record| response(record) < Some(0) && response(record).is_some())
            .count() as u64,
        missing: own().filter(|record| response(record).is_none()).count() as u64,
        respondents: contributors(all, &inside, setting, respondent),
        holdings: setting.groups.then(|| Box::new(contributors(all, &inside, setting, holding))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_cell_is_what_counting_by_hand_gives(
        records in prop::collection::vec(record(), 1..40),
        setting in setting(),
    ) {
        // With one decimal somewhere, so that decimals are found to be one.
        let mut records = records;
        records[0].turnover = Some(15);
        let file = file(&text(&records));
        let spec = spec(file.path(), setting);
        let resources = Resources { budget: Budget::default().with_threads(2), ..Resources::default() };
        let tabulated = tabulate(&spec, &resources).unwrap();
        for table in &tabulated.tables {
            for index in 0..table.cells.len() {
                let cell = CellId::from_index(index);
                let expected = expected(&records, table, cell, setting);
                prop_assert_eq!(table.summary(cell), &expected, "{}", table.cell_name(cell));
            }
        }
        prop_assert_eq!(tabulated.records, records.len() as u64);
        let one = Resources { budget: Budget::default().with_threads(1), ..Resources::default() };
        prop_assert_eq!(tabulate(&spec, &one).unwrap(), tabulated);
    }
}
