//! Random microdata against counting record by record.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use proptest::prelude::*;
use quell_data::Records;
use quell_model::{Budget, CellId, Contributions, Decimals, Dimension, NodeId, Value};
use quell_tabulate::{
    AttackerBounds, CellSummary, Contribution, ContributorKey, Contributors, Cost, Frequency,
    Linked, Prepared, ProtectionRequest, Request, Resources, Response, Rules, Spec, SumsBy, Table,
    TableSpec, Waiver, assess_all, contributions, linked, problem, tabulate,
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
        // What the records come to, a fraction if their weights differ.
        let size = value.abs();
        let (weight, weight_rest) = match weighted.abs() * unit {
            _ if least == most => (most, 0),
            weighted if weighted >= most * size => (most, 0),
            weighted if weighted <= least * size => (least, 0),
            weighted => (weighted / size, weighted % size),
        };
        let who = ContributorKey::of_name(&name);
        let shown = numbers.iter().map(|&n| shown(&all[n], setting)).sum();
        contributors
            .add(Contribution { who, shown, value, weight, weight_rest, request }, weighted);
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

/// What a record adds to what the table shows.
fn shown(record: &Record, setting: Setting) -> Value {
    match (setting.frequency, setting.weights) {
        (true, true) => record.weight,
        (true, false) => 1,
        (false, _) => times(record.turnover.unwrap_or(0), record, setting),
    }
}

/// The same without saying who contributes: of equal contributions any may be listed.
fn anonymous(summary: &CellSummary, setting: Setting) -> CellSummary {
    let nameless = |contributors: &Contributors| {
        let unit = if setting.weights { 10 } else { 1 };
        let mut top = Contributors::none(setting.top, unit).top;
        for &entry in contributors.top.entries() {
            top.add(Contribution { who: ContributorKey::default(), ..entry });
        }
        let unlisted = contributors.unlisted.map(|_| ContributorKey::default());
        Contributors { top, unlisted, ..contributors.clone() }
    };
    CellSummary {
        respondents: nameless(&summary.respondents),
        holdings: summary.holdings.as_ref().map(|holdings| Box::new(nameless(holdings))),
        ..summary.clone()
    }
}

/// Who may stand behind each key, from all places where it is found with what contributes there.
struct Identities<K>(BTreeMap<K, BTreeSet<ContributorKey>>);

impl<K: Ord + Copy> Identities<K> {
    /// The key is that of one of these.
    fn one_of(&mut self, key: K, people: BTreeSet<ContributorKey>) {
        let known = self.0.entry(key).or_insert_with(|| people.clone());
        *known = &*known & &people;
    }

    /// Whether every key can be that of somebody, and no two are certainly of the same one.
    fn are_sound(&self) -> bool {
        let certain: Vec<_> = self.0.values().filter(|people| people.len() == 1).collect();
        let different: BTreeSet<_> = certain.iter().copied().collect();
        self.0.values().all(|people| !people.is_empty()) && certain.len() == different.len()
    }
}

/// Checks that keys in top lists mean the same contributor everywhere.
fn keys_are_sound(all: &[Record], tables: &[Table], setting: Setting) -> bool {
    let everybody = Setting { top: 100, ..setting };
    let mut identities = [Identities(BTreeMap::new()), Identities(BTreeMap::new())];
    for table in tables {
        for cell in (0..table.cells.len()).map(CellId::from_index) {
            let (own, expected) = (table.summary(cell), expected(all, table, cell, everybody));
            let pairs = [
                (Some(&own.respondents), Some(&expected.respondents)),
                (own.holdings.as_deref(), expected.holdings.as_deref()),
            ];
            for (identities, pair) in identities.iter_mut().zip(pairs) {
                let (Some(own), Some(expected)) = pair else { continue };
                for &entry in own.top.entries() {
                    let same =
                        |other: &&Contribution| Contribution { who: entry.who, ..**other } == entry;
                    let people = expected.top.entries().iter().filter(same);
                    identities.one_of(entry.who, people.map(|other| other.who).collect());
                }
                if let (Some(own), Some(expected)) = (own.only(), expected.only()) {
                    identities.one_of(own, BTreeSet::from([expected]));
                }
            }
        }
    }
    identities.iter().all(Identities::are_sound)
}

/// Contributors as attackers on the tables, linked.
fn attackers(tables: &[Table]) -> (Linked, Vec<Value>, Contributions) {
    let rules = Rules::default().with(Frequency { minimum: 3.0, margin: 20.0 });
    let assessments: Vec<_> = tables.iter().map(|table| assess_all(table, &rules)).collect();
    let costs: Vec<_> = tables.iter().map(|table| Cost::default().of(table)).collect();
    let bounds: Vec<_> = tables
        .iter()
        .zip(&assessments)
        .map(|(table, all)| AttackerBounds::Sign.of(table, all))
        .collect();
    let prepared: Vec<Prepared<'_>> = (0..tables.len())
        .map(|index| Prepared {
            table: &tables[index],
            rules: &rules,
            assessments: &assessments[index],
            costs: &costs[index],
            bounds: &bounds[index],
        })
        .collect();
    let linked = linked(tables, &[]).unwrap();
    let problem = problem(&linked, &prepared).unwrap();
    let contributions = contributions(&linked, &prepared, &problem, SumsBy::Rules).unwrap();
    (linked, problem.values().to_vec(), contributions)
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
                prop_assert_eq!(
                    anonymous(table.summary(cell), setting),
                    anonymous(&expected, setting),
                    "{}",
                    table.cell_name(cell)
                );
            }
        }
        prop_assert!(keys_are_sound(&records, &tabulated.tables, setting));
        prop_assert_eq!(tabulated.records, records.len() as u64);
        let one = Resources { budget: Budget::default().with_threads(1), ..Resources::default() };
        prop_assert_eq!(tabulate(&spec, &one).unwrap(), tabulated);
    }

    #[test]
    fn contributors_attack_with_what_they_contribute(
        records in prop::collection::vec(record(), 1..40),
        setting in setting(),
    ) {
        let mut records = records;
        records[0].turnover = Some(15);
        let setting = Setting { top: 100, ..setting };
        let file = file(&text(&records));
        let with_threads = |threads| {
            let budget = Budget::default().with_threads(threads);
            tabulate(&spec(file.path(), setting), &Resources { budget, ..Resources::default() })
        };
        let tables = with_threads(2).unwrap().tables;
        let (linked, values, contributions) = attackers(&tables);
        let mut identities = Identities(BTreeMap::new());
        for (table, cells) in tables.iter().zip(&linked.cell_of) {
            for (index, &number) in cells.iter().enumerate() {
                let summary = expected(&records, table, CellId::from_index(index), setting);
                let people = summary.holdings.as_deref().unwrap_or(&summary.respondents);
                prop_assert_eq!(u64::from(contributions.count(number)), people.count);
                let shares = contributions.shares(number);
                if let Some(only) = people.only() {
                    let value = values[number.index()].abs();
                    prop_assert_eq!((shares.len(), shares[0].amount), (1, value));
                    identities.one_of(shares[0].contributor, BTreeSet::from([only]));
                    continue;
                }
                let of = |amount: Value| {
                    let same = people.top.entries().iter().filter(|own| own.shown.abs() == amount);
                    same.map(|own| own.who).collect::<BTreeSet<_>>()
                };
                let mut amounts: Vec<Value> =
                    people.top.entries().iter().map(|own| own.shown.abs()).collect();
                amounts.retain(|&amount| amount > 0);
                amounts.sort_unstable_by_key(|&amount| -amount);
                let own: Vec<Value> = shares.iter().map(|share| share.amount).collect();
                prop_assert_eq!(own, amounts, "{}", table.cell_name(CellId::from_index(index)));
                for share in shares {
                    identities.one_of(share.contributor, of(share.amount));
                }
            }
        }
        prop_assert!(identities.are_sound());

        let (_, _, alone) = attackers(&with_threads(1).unwrap().tables);
        let cells = || (0..contributions.cell_count()).map(CellId::from_index);
        prop_assert!(cells().all(|cell| alone.shares(cell) == contributions.shares(cell)));
    }
}
