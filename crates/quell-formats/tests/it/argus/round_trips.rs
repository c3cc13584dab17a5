//! What is written is read back equal.

use std::path::Path;

use proptest::prelude::*;
use quell_formats::Text;
use quell_formats::argus::arb::{OutputFormat, WriteOptions};
use quell_formats::argus::output::{
    self, CostName, OutputCell, OutputDimension, OutputTable, Values,
};
use quell_formats::argus::rda::{
    CellKey, CellKeyKind, FileName, HierarchySource, Layout, Metadata, PerturbationTables, Role,
    Scaling, StatusLetters, Variable,
};
use quell_formats::argus::tab::{self, Wanted};
use quell_formats::argus::{CellStatus, hrc, rda};
use quell_model::{Decimals, Hierarchy, NodeId, Random};

use crate::tables::cases;

/// A word that metadata can say: anything without quotes, also blanks and keywords.
fn word(random: &mut Random) -> String {
    let letters = ['a', 'B', '1', ' ', 'é', '/', '<', '>', ',', '(', '|', ';', '@', '.'];
    let length = 1 + random.below(5);
    let inside: String = (0..length).map(|_| letters[random.below(letters.len())]).collect();
    format!("x{inside}y")
}

pub fn any_hierarchy(random: &mut Random, size: usize) -> Hierarchy {
    let mut codes = vec!["Total".to_owned()];
    let mut parents: Vec<Option<NodeId>> = vec![None];
    for number in 1..=size {
        let pad = " ".repeat(random.below(3));
        codes.push(format!("{pad}c{number}"));
        parents.push(Some(random.below(number) as NodeId));
    }
    Hierarchy::from_parents(codes, &parents).expect("parents come first")
}

fn file(random: &mut Random) -> Option<FileName> {
    random.chance(0.4).then(|| FileName { name: word(random), line: 0 })
}

fn any_variable(random: &mut Random, number: usize, layout: &Layout) -> Variable {
    let table = matches!(layout, Layout::Table(_));
    // Only tops and household variables may stand twice.
    let role = match random.below(6) {
        0 if table => Some(Role::Top),
        0 => Some(Role::Household),
        1 if number == 0 && !table => Some(Role::Weight),
        1 if number == 1 && !table => Some(Role::Request(vec![word(random)])),
        1 if number == 0 => Some(Role::Shadow),
        1 if number == 1 => Some(Role::Status),
        _ => None,
    };
    let length = if table { None } else { Some(8 + random.below(5)) };
    let hierarchy = match random.below(3) {
        0 => length.map(|length| HierarchySource::Digits(vec![2, length - 2])),
        1 => Some(HierarchySource::File {
            file: FileName { name: word(random), line: 0 },
            lead: "@".to_owned(),
        }),
        _ => None,
    };
    let scaling = match random.below(3) {
        0 => None,
        1 => Some(Scaling::Plain { sigma1: 0.25, epsilons: vec![1.5; random.below(3)] }),
        _ => Some(Scaling::Flex {
            sigma0: 0.03,
            sigma1: 0.3,
            x_star: 1000.0,
            q: 3.0,
            epsilons: vec![0.5; random.below(3)],
        }),
    };
    Variable {
        name: format!("{}{number}", word(random)),
        line: 0,
        start: layout.has_places().then(|| 1 + random.below(100)),
        length,
        missing: (0..random.below(3)).map(|_| word(random)).collect(),
        categorical: random.chance(0.5),
        numeric: number == 2 || random.chance(0.3),
        role: role.filter(|_| number != 2),
        total_code: random.chance(0.3).then(|| word(random)),
        code_list: file(random),
        hierarchy,
        distances: random.chance(0.3).then_some([1, 2, 3, 4, 5]),
        decimals: random.below(16) as u8,
        truncable: random.chance(0.3),
        perturbation: PerturbationTables {
            frequency: file(random),
            magnitude: file(random),
            separate: file(random),
        },
        cell_key: random.chance(0.5).then(|| CellKey {
            kind: [CellKeyKind::None, CellKeyKind::Mean, CellKeyKind::Top(3)][random.below(3)],
            include_zeros: random.chance(0.5),
            parity: random.chance(0.5),
            separation: random.chance(0.5),
            scaling,
        }),
        identification: random.below(3) as u32,
        suppression: random.chance(0.3).then_some(50),
    }
}

pub fn any_metadata(random: &mut Random) -> Metadata {
    let separator = [";", ",", "\t", " "][random.below(4)].to_owned();
    let layout = match random.below(4) {
        0 => Layout::Fixed,
        1 => Layout::Free(separator),
        2 => Layout::Spss,
        _ => Layout::Table(separator),
    };
    let letters = match layout {
        Layout::Table(_) if random.chance(0.5) => {
            StatusLetters { safe: "V".into(), unsafe_: "N".into(), protect: "Z z".into() }
        }
        _ => StatusLetters::default(),
    };
    let count = 3 + random.below(4);
    let variables = (0..count).map(|number| any_variable(random, number, &layout)).collect();
    Metadata { layout, letters, variables }
}

fn without_lines(mut metadata: Metadata) -> Metadata {
    for variable in &mut metadata.variables {
        variable.line = 0;
        let hierarchy = match &mut variable.hierarchy {
            Some(HierarchySource::File { file, .. }) => Some(file),
            _ => None,
        };
        let tables = &mut variable.perturbation;
        let files = [
            variable.code_list.as_mut(),
            hierarchy,
            tables.frequency.as_mut(),
            tables.magnitude.as_mut(),
            tables.separate.as_mut(),
        ];
        files.into_iter().flatten().for_each(|file| file.line = 0);
    }
    metadata
}

fn any_cell(random: &mut Random, at: Vec<u32>, tops: usize) -> OutputCell {
    let value = 1 + random.below(1_000_000) as i64;
    let statuses = [
        CellStatus::SafeManual,
        CellStatus::UnsafeManual,
        CellStatus::Protected,
        CellStatus::Secondary,
    ];
    let mut rest = value;
    let mut top = value;
    OutputCell {
        at,
        status: statuses[random.below(4)],
        value: Some(value),
        released: None,
        frequency: 1 + random.below(50) as u32,
        shadow: random.below(1000) as i64,
        cost: random.below(10_000) as f64,
        tops: (0..tops)
            .map(|_| {
                top = random.below(top.min(rest) as usize + 1) as i64;
                rest -= top;
                top
            })
            .collect(),
        lower: random.below(100) as i64,
        upper: random.below(100) as i64,
        audit: None,
    }
}

fn any_output(random: &mut Random) -> OutputTable {
    let dimensions: Vec<OutputDimension> = (0..1 + random.below(3))
        .map(|number| {
            let size = 1 + random.below(4);
            OutputDimension::of(&format!("D {number}"), &any_hierarchy(random, size)).0
        })
        .collect();
    let tops = random.below(3);
    let mut cells = Vec::new();
    for code in 0..dimensions[0].codes.len() as u32 {
        if random.chance(0.7) {
            let other = dimensions[1..].iter().map(|other| random.below(other.codes.len()) as u32);
            let at = [code].into_iter().chain(other).collect();
            cells.push(any_cell(random, at, tops));
        }
    }
    OutputTable {
        dimensions,
        response: random.chance(0.8).then(|| "Turn over".to_owned()),
        cost: [CostName::Response, CostName::Unity, CostName::Variable("C".into())]
            [random.below(3)]
        .clone(),
        decimals: Decimals(random.below(4) as u8),
        values: Values::Suppressed,
        p_percent: false,
        cells,
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn hierarchies_read_back_equal(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 1);
        let size = 1 + random.below(20);
        let hierarchy = any_hierarchy(random, size);
        let written = hrc::print(&hierarchy, "@@").unwrap();
        let tree = hrc::parse(&Text::new("t", written.as_bytes()), "@@").unwrap();
        let again = tree.to_hierarchy("Total").unwrap();
        // The order of a file is its own; sums are the same.
        prop_assert_eq!(hrc::print(&again, "@@").unwrap(), written);
        let named = |hierarchy: &Hierarchy| {
            let mut sums: Vec<(String, Vec<String>)> = hierarchy.sums().iter().map(|sum| {
                let parts = sum.parts.iter().map(|&part| hierarchy.code(part).to_owned());
                (hierarchy.code(sum.total).to_owned(), parts.collect())
            }).collect();
            sums.sort();
            sums
        };
        prop_assert_eq!(named(&again), named(&hierarchy));
    }

    #[test]
    fn metadata_read_back_equal(seed in any::<u64>()) {
        let metadata = any_metadata(&mut Random::new(seed, 2));
        let written = rda::print(&metadata);
        let text = Text::new("t", written.as_bytes());
        let again = match metadata.layout {
            Layout::Table(_) => rda::parse_table(&text),
            _ => rda::parse_micro(&text),
        };
        let again = match again {
            Ok(again) => without_lines(again),
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{written}"))),
        };
        prop_assert_eq!(again, metadata);
    }

    #[test]
    fn intermediate_tables_read_back_equal(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 3);
        let table = any_output(random);
        let format = OutputFormat::Intermediate;
        let options = WriteOptions {
            suppress_empty: random.chance(0.5),
            quotes: true,
            audit: random.chance(0.5),
            status_only: random.chance(0.3),
            ..WriteOptions::of(format)
        };
        let path = Path::new("out.tab");
        let mut written = Vec::new();
        output::print(&mut written, path, &table, format, options).unwrap();
        let companions = output::companions(path, &table, options).unwrap();
        let metadata = Text::new("out.rda", companions.metadata.1.as_bytes());
        let metadata = rda::parse_table(&metadata).unwrap();
        let wanted = Wanted { response: table.response.as_deref(), ..Wanted::default() };
        if table.response.is_none() && table.decimals.0 > 0 {
            // A count with decimals is no count.
            return Ok(());
        }
        let again = tab::parse(&Text::new("out.tab", &written), &metadata, wanted).unwrap();
        let filled = again.rows.iter().filter(|row| row.value.is_some());
        let mut cells = table.cells.clone();
        cells.sort_by(|one, other| one.at.cmp(&other.at));
        prop_assert_eq!(filled.clone().count(), cells.len());
        for (row, cell) in filled.zip(&cells) {
            let codes = cell.at.iter().zip(&table.dimensions);
            let codes: Vec<String> =
                codes.map(|(&code, dimension)| dimension.codes[code as usize].code.clone()).collect();
            prop_assert_eq!(&row.codes, &codes);
            let units = |exact: Option<quell_formats::Exact>| {
                exact.and_then(|exact| exact.units(table.decimals))
            };
            prop_assert_eq!(units(row.value), cell.value);
            prop_assert_eq!(row.status, Some(cell.status));
            prop_assert_eq!(row.cost, Some(cell.cost));
            prop_assert_eq!(units(row.lower), Some(cell.lower));
            prop_assert_eq!(units(row.upper), Some(cell.upper));
            if table.response.is_some() {
                prop_assert_eq!(row.frequency, Some(cell.frequency));
            }
            if !options.status_only {
                let tops: Vec<_> = row.tops.iter().map(|&top| units(Some(top)).unwrap()).collect();
                prop_assert_eq!(&tops, &cell.tops);
            }
        }
    }
}
