//! The same records in other layouts give the same tables.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use datafusion::arrow::array::{
    ArrayRef, Decimal128Array, DictionaryArray, Float64Array, Int32Array, LargeStringArray,
    RecordBatch, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::Int32Type;
use quell_data::{Field, Options, Records, Variable};
use quell_model::{Budget, Decimals, Progress, Stop};
use quell_tabulate::{CodeMatch, Error, Resources, Spec, Tabulated, tabulate};

use crate::samples::{self, Columns, Values};
use crate::survey::{FIRMS, NUMBERS, file, made, spec, table, with_decimals};

fn both(path: &Path) -> Spec {
    spec(path, vec![table("turnover", &["branch", "town"], "turnover")])
}

fn of(records: Records) -> Tabulated {
    let file = file(FIRMS);
    made(&Spec { records: with_decimals(records), ..both(file.path()) })
}

fn wanted() -> Tabulated {
    made(&both(file(FIRMS).path()))
}

fn texts() -> Vec<(String, Vec<String>)> {
    let mut lines = FIRMS.lines().map(|line| line.split(','));
    let names = lines.next().unwrap();
    let mut columns: Vec<(String, Vec<String>)> =
        names.map(|name| (name.to_owned(), Vec::new())).collect();
    for line in lines {
        for ((_, column), field) in columns.iter_mut().zip(line) {
            column.push(field.to_owned());
        }
    }
    columns
}

/// The survey with numbers as numbers; codes of branches, too.
fn columns() -> Columns {
    let values = |name: &str, texts: Vec<String>| match NUMBERS.contains(&name) || name == "branch"
    {
        true => Values::Numbers(texts.iter().map(|text| text.parse().ok()).collect()),
        false => Values::Texts(texts),
    };
    texts().into_iter().map(|(name, texts)| (name.clone(), values(&name, texts))).collect()
}

#[test]
fn semicolons_and_no_header_change_nothing() {
    let other = FIRMS.replace(',', ";").replace('\n', "\r\n");
    assert_eq!(of(Records::open(file(&other).path()).unwrap()), wanted());
    let body = file(other.split_once('\n').unwrap().1);
    let names = texts().into_iter().map(|(name, _)| name).collect();
    let options = Options { names: Some(names), ..Options::default() };
    assert_eq!(of(Records::open_with(body.path(), &options).unwrap()), wanted());
}

#[test]
fn csv_as_people_have_it_is_read() {
    let wanted = wanted();
    let german = FIRMS.replace(',', ";").replace('.', ",");
    assert_eq!(of(Records::open(file(&german).path()).unwrap()), wanted);
    let tabs = file(&format!("\u{feff}{}", FIRMS.replace(',', "\t")));
    assert_eq!(of(Records::open(tabs.path()).unwrap()), wanted);
    let quoted: String =
        FIRMS.lines().map(|line| format!("\"{}\"\n", line.replace(',', "\"|\""))).collect();
    assert_eq!(of(Records::open(file(&quoted).path()).unwrap()), wanted);
    // A byte order mark before records without names.
    let body = file(&format!("\u{feff}{}", FIRMS.split_once('\n').unwrap().1));
    let names = texts().into_iter().map(|(name, _)| name).collect();
    let options = Options { names: Some(names), ..Options::default() };
    assert_eq!(of(Records::open_with(body.path(), &options).unwrap()), wanted);
}

#[test]
fn letters_that_are_not_utf_8_are_read_wherever_the_first_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("firms.csv");
    for far in [0, 40_000] {
        let mut bytes = FIRMS.as_bytes().to_vec();
        for _ in 0..far {
            bytes.extend_from_slice(b"f1,g1,21,N1,0,0,0,1\n");
        }
        bytes.extend_from_slice(b"f\xe9e,,11,N1,8,8,0,1\n");
        std::fs::write(&path, &bytes).unwrap();
        let found = of(Records::open(&path).unwrap());
        assert_eq!(found.records, 8 + far);
        let table = &found.tables[0];
        let total = table.summary(table.find(&["", ""]).unwrap());
        assert_eq!((total.value, total.respondents.count), (2_250, 7));
    }
}

#[test]
fn a_number_with_a_point_among_decimal_commas_is_not_guessed() {
    let german = FIRMS.replace(',', ";").replace('.', ",").replace(";30;", ";1.030;");
    let records = Records::open(file(&german).path()).unwrap();
    // Seen with the others, the point leaves open what a comma means.
    assert!(!records.variable("turnover").unwrap().decimal_comma);
    let file = file(&german);
    let options = Options { decimal_comma: Some(true), ..Options::default() };
    let records = Records::open_with(file.path(), &options).unwrap();
    let spec = Spec { records, ..both(file.path()) };
    let error = tabulate(&spec, &Resources::default()).unwrap_err().to_string();
    assert!(error.contains("line 4: found \"1.030\" in turnover"), "{error}");
    assert!(error.contains("decimal comma"), "{error}");
}

#[test]
fn fixed_width_codes_keep_their_blanks() {
    // Every field eight wide, numbers and codes to the right.
    let rows = texts()[0].1.len();
    let lines = (0..rows).map(|row| {
        let fields = texts().into_iter().map(|(_, values)| format!("{:>8}", values[row]));
        fields.collect::<String>() + "\n"
    });
    let fixed = file(&lines.collect::<String>());
    let variables = texts().into_iter().enumerate().map(|(position, (name, _))| Variable {
        field: Some(Field { start: 8 * position + 1, length: 8 }),
        ..Variable::named(name)
    });
    let records = Records::fixed(fixed.path(), variables.collect()).unwrap();
    assert_eq!(of(records.clone()), wanted());
    let file = file(FIRMS);
    let mut spec = Spec { records, ..both(file.path()) };
    spec.axes[0].codes = CodeMatch::Exact;
    let error = tabulate(&spec, &Resources::default()).unwrap_err();
    assert!(error.to_string().contains("line 1: found code \"      11\""), "{error}");
}

#[test]
fn typed_files_give_the_same() {
    let wanted = wanted();
    let folder = tempfile::tempdir().unwrap();
    // A name full of pattern characters is still a name.
    let parquet = folder.path().join("firms [*?] ä.parquet");
    samples::parquet(&parquet, &columns());
    let dta = folder.path().join("firms.dta");
    samples::stata(&dta, &columns());
    let mut files = vec![parquet, dta];
    for (name, packing) in [("plain.sav", 0), ("packed.sav", 1), ("zipped.zsav", 2)] {
        files.push(folder.path().join(name));
        samples::spss(&folder.path().join(name), &columns(), packing);
    }
    for path in files {
        assert_eq!(of(Records::open(&path).unwrap()), wanted, "{}", path.display());
    }
}

/// The survey as people's programs hand it over: views, large texts, dictionaries, decimals.
fn batch() -> RecordBatch {
    let arrays = texts().into_iter().map(|(name, values)| {
        let number = |text: &String| text.parse::<f64>().unwrap();
        let array: ArrayRef = match name.as_str() {
            "firm" => Arc::new(StringViewArray::from_iter_values(values)),
            "group" => Arc::new(LargeStringArray::from(values)),
            "branch" => {
                Arc::new(Int32Array::from_iter_values(values.iter().map(|v| v.parse().unwrap())))
            }
            "town" => {
                let towns: DictionaryArray<Int32Type> =
                    values.iter().map(|town| Some(town.as_str())).collect();
                Arc::new(towns)
            }
            "turnover" => {
                let cents = values.iter().map(|v| (number(v) * 100.0).round() as i128);
                let cents = Decimal128Array::from_iter_values(cents);
                Arc::new(cents.with_precision_and_scale(12, 2).unwrap())
            }
            "weight" | "domestic" | "export" => {
                Arc::new(Float64Array::from_iter_values(values.iter().map(number)))
            }
            _ => Arc::new(StringArray::from(values)),
        };
        (name, array)
    });
    RecordBatch::try_from_iter(arrays).unwrap()
}

#[test]
fn batches_in_memory_give_the_same_however_they_are_cut() {
    let wanted = wanted();
    let whole = batch();
    let rows = whole.num_rows();
    for cut in [rows, 3, 1] {
        let slices = (0..rows).step_by(cut).map(|from| whole.slice(from, cut.min(rows - from)));
        let records = Records::batches("firms", whole.schema(), slices.collect()).unwrap();
        assert_eq!(of(records), wanted, "{cut} records per batch");
    }
}

#[test]
fn faults_in_memory_have_the_name_and_the_record() {
    let columns = columns();
    let broken = samples::batch(
        &columns
            .into_iter()
            .map(|(name, values)| match (name.as_str(), values) {
                ("town", Values::Texts(mut towns)) => {
                    towns[4] = "nowhere".to_owned();
                    (name, Values::Texts(towns))
                }
                (_, values) => (name, values),
            })
            .collect::<Columns>(),
    );
    let records = Records::batches("survey", broken.schema(), vec![broken]).unwrap();
    let file = file(FIRMS);
    let spec = Spec { records: with_decimals(records), ..both(file.path()) };
    let error = tabulate(&spec, &Resources::default()).unwrap_err().to_string();
    assert!(error.starts_with("survey, record 5: found code \"nowhere\" of town"), "{error}");
}

#[test]
fn numbers_that_a_file_declares_missing_are_not_added_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("firms.sav");
    let columns = columns();
    samples::spss_with_missing(&path, &columns, "turnover", &[100.5], Some([6.0, 8.0]));
    let found = made(&Spec { records: Records::open(&path).unwrap(), ..both(file(FIRMS).path()) });
    let table = &found.tables[0];
    let total = table.summary(table.find(&["", ""]).unwrap());
    // All but 100.5 and 7.
    assert_eq!((total.value, total.missing), (1_095, 2));
}

#[test]
fn codes_are_cut_or_padded_to_fit() {
    let wanted = wanted();
    let longer = file(&FIRMS.replace(",11,", ",1199,").replace(",12,", ",12xx,"));
    let mut spec = both(longer.path());
    spec.axes[0].codes = CodeMatch::Digits(2);
    assert_eq!(made(&spec), wanted);
}

/// Counts records, and raises a flag at so many.
struct Counted {
    records: AtomicU64,
    stop_at: u64,
    flag: Arc<AtomicBool>,
}

impl Progress for Counted {
    fn stage(&self, _: &str, _: Option<u64>) {}

    fn advance(&self, steps: u64) {
        if self.records.fetch_add(steps, Ordering::Relaxed) + steps >= self.stop_at {
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn records_are_counted_and_a_raised_flag_stops_the_reading() {
    let folder = tempfile::tempdir().unwrap();
    let header = FIRMS.lines().next().unwrap();
    let line = "f1,g1,21,N1,9.5,9.5,0,1\n";
    let path = folder.path().join("many.csv");
    std::fs::write(&path, format!("{header}\n{}", line.repeat(300_000))).unwrap();
    let csv = with_decimals(Records::open(&path).unwrap());
    let many: Columns = columns()
        .into_iter()
        .map(|(name, values)| (name, values.first_repeated(300_000)))
        .collect();
    let batch = samples::batch(&many);
    let memory = Records::batches("many", batch.schema(), vec![batch]).unwrap();
    for records in [csv, with_decimals(memory)] {
        let mut spec = Spec { records, ..both(&path) };
        (spec.respondent, spec.holding) = (None, None);
        for stop_at in [u64::MAX, 50_000] {
            let flag = Arc::new(AtomicBool::new(false));
            let counted = Counted { records: AtomicU64::new(0), stop_at, flag: Arc::clone(&flag) };
            let budget = Budget::default().with_threads(2).with_cancel(flag);
            let resources = Resources { budget, progress: &counted, ..Resources::default() };
            let done = tabulate(&spec, &resources);
            let seen = counted.records.load(Ordering::Relaxed);
            match stop_at {
                u64::MAX => assert_eq!((done.unwrap().records, seen), (300_000, 300_000)),
                _ => {
                    assert!(matches!(done, Err(Error::Stopped(Stop::Cancelled))), "{done:?}");
                    assert!(seen < 300_000, "{seen} records were read");
                }
            }
        }
    }
}

#[test]
fn declared_decimals_hold_in_every_layout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("firms.dta");
    samples::stata(&path, &columns());
    let mut records = Records::open(&path).unwrap();
    records.variable_mut("turnover").unwrap().decimals = Some(Decimals(0));
    let found = made(&Spec { records, ..both(file(FIRMS).path()) });
    let table = &found.tables[0];
    // 100.5 becomes 101, and 9.5 becomes 10.
    assert_eq!(table.summary(table.find(&["", ""]).unwrap()).value, 218);
}
