//! The same persons in every format: read, protected, released, read back.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quell_data::arrow::datatypes::DataType;
use quell_data::{Field, Records, Variable, Watch};
use quell_micro::release::{self, Released};
use quell_micro::{
    Combinations, Error, Importance, KeySet, Meaning, Microdata, Objective, Request, Selected,
    Selection, Suppressions, Threshold, read, suppress,
};
use quell_model::{Budget, Progress, Silent};

use crate::samples::{self, Columns, Values};

const AGES: [Option<f64>; 3] = [Some(30.0), None, Some(31.5)];
const TOWNS: [&str; 3] = ["A", "Bx", "A"];

fn persons() -> Columns {
    let towns = TOWNS.map(str::to_owned).to_vec();
    vec![
        ("age".to_owned(), Values::Numbers(AGES.to_vec())),
        ("town".to_owned(), Values::Texts(towns)),
    ]
}

fn selection() -> Selection {
    let keys = vec![Selected::named("town"), Selected::named("age")];
    Selection { keys, ..Selection::default() }
}

fn data(records: &Records) -> Microdata {
    read(records, &selection(), &Watch::default()).unwrap()
}

/// The persons in every format of typed columns, and in memory.
fn typed(folder: &Path) -> Vec<Records> {
    let batch = samples::batch(&persons());
    let mut all = vec![Records::batches("persons", batch.schema(), vec![batch]).unwrap()];
    type Make = fn(&Path, &Columns);
    let formats: [(&str, Make); 5] = [
        ("in.parquet", samples::parquet),
        ("in.dta", samples::stata),
        ("plain.sav", |path, columns| samples::spss(path, columns, 0)),
        ("packed.sav", |path, columns| samples::spss(path, columns, 1)),
        ("zipped.zsav", |path, columns| samples::spss(path, columns, 2)),
    ];
    for (name, make) in formats {
        make(&folder.join(name), &persons());
        all.push(Records::open(&folder.join(name)).unwrap());
    }
    all
}

#[test]
fn every_format_is_read_and_released() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for records in typed(folder.path()) {
        let name = records.source().display();
        assert_eq!(records.names().collect::<Vec<_>>(), ["age", "town"], "{name}");
        let data = data(&records);
        assert_eq!(data.keys()[0].labels(), ["A", "Bx"], "{name}");
        assert_eq!(data.keys()[1].labels(), ["30", "31.5", ""], "{name}");
        assert_eq!(data.keys()[1].label(1), "", "{name}");
        let keys: Vec<Released> = data
            .keys()
            .iter()
            .map(|original| Released { original, recoded: None, missing: "" })
            .collect();
        let hidden = Suppressions::new([(2, KeySet::of(&[0, 1]))]);
        let write = |name| release::write(&records, &at(name), &keys, &hidden, &Watch::default());
        for output in ["out.parquet", "out.csv"] {
            write(output).unwrap();
            let again = self::data(&Records::open(&at(output)).unwrap());
            assert_eq!(release::hidden(&data, &again).unwrap(), hidden, "{name}");
        }
        let released = Records::open(&at("out.parquet")).unwrap();
        assert_eq!(released.schema().field(0).data_type(), &DataType::Float64);
        assert_eq!(std::fs::read_to_string(at("out.csv")).unwrap(), "age,town\n30,A\n,Bx\n,\n");
        let error = write("out.xlsx").unwrap_err();
        assert!(error.to_string().ends_with("released as .parquet or .csv"), "{error}");
        assert!(!at("out.xlsx").exists());
    }
}

/// The persons as text: separators, decimal commas, a byte order mark, fixed places.
fn texts(folder: &Path) -> Vec<Records> {
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    };
    let csv =
        ["age,town\n30,A\n,Bx\n31.5,A\n", "\u{feff}age|town\r\n30|A\r\n|Bx\r\n31.5|\"A\"\r\n"];
    let mut all: Vec<Records> = (0..)
        .zip(csv)
        .map(|(number, text)| Records::open(&write(&format!("{number}.csv"), text)).unwrap())
        .collect();
    let fixed = write("in.asc", "30  A \n    Bx\n31.5A \n");
    let field = |name: &str, start, length| Variable {
        field: Some(Field { start, length }),
        ..Variable::named(name)
    };
    let variables = vec![field("age", 1, 4), field("town", 5, 2)];
    all.push(Records::fixed(&fixed, variables).unwrap());
    all
}

#[test]
fn every_format_gives_the_same_suppressions() {
    let folder = tempfile::tempdir().unwrap();
    let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(2)).unwrap();
    let all: Vec<Records> = typed(folder.path()).into_iter().chain(texts(folder.path())).collect();
    let found: Vec<Suppressions> = all
        .iter()
        .map(|records| {
            let request = Request {
                data: &data(records),
                combinations: &combinations,
                meaning: Meaning::Static,
                objective: Objective::Suppressions,
                importance: &Importance::equal(),
                household: KeySet::EMPTY,
            };
            suppress(&request, &Budget::default(), &Silent).unwrap().suppressions
        })
        .collect();
    for (records, own) in all.iter().zip(&found) {
        assert_eq!(own, &found[0], "{}", records.source().display());
        assert!(own.count() > 0);
    }
}

#[test]
fn letters_of_windows_stay_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    std::fs::write(&input, b"age,town\n30,K\xf6ln\n31,Bonn\n").unwrap();
    let records = Records::open(&input).unwrap();
    let data = data(&records);
    assert_eq!(data.keys()[0].labels(), ["Bonn", "Köln"]);
    let town = &data.keys()[0];
    let keys = |missing| {
        [
            Released { original: town, recoded: Some(town), missing },
            Released { original: &data.keys()[1], recoded: None, missing: "" },
        ]
    };
    let hidden = Suppressions::new([(1, KeySet::of(&[0]))]);
    release::write(&records, &output, &keys("§"), &hidden, &Watch::default()).unwrap();
    assert_eq!(std::fs::read(&output).unwrap(), b"age,town\n30,K\xf6ln\n31,\xa7\n");
    let error = release::write(&records, &output, &keys("ж"), &hidden, &Watch::default());
    assert!(error.unwrap_err().to_string().contains("Windows-1252"));
}

/// Raises a flag as soon as anything is read.
struct Impatient(Arc<AtomicBool>);

impl Progress for Impatient {
    fn stage(&self, _: &str, _: Option<u64>) {}

    fn advance(&self, _: u64) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn reading_and_writing_stop_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.csv");
    std::fs::write(&path, format!("age,town\n{}", "30,A\n".repeat(50_000))).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let budget = Budget::default().with_cancel(Arc::clone(&flag));
    let impatient = Impatient(flag);
    let records = Records::open(&path).unwrap();
    let stopped = read(&records, &selection(), &Watch::new(&budget, &impatient));
    assert!(matches!(stopped, Err(Error::Data(quell_data::Error::Stopped(_)))), "{stopped:?}");
    let data = data(&records);
    let keys = [Released { original: &data.keys()[0], recoded: None, missing: "" }];
    let output = folder.path().join("out.csv");
    let none = Suppressions::new([]);
    let watch = Watch::new(&budget, &Silent);
    assert!(release::write(&records, &output, &keys, &none, &watch).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no half file is left");
}
