//! Jobs from text, from a program and from memory, and what they end in.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use quell::job::file::{
    Approach, DataPart, DimensionPart, GivenPart, ProtectPart, RulesPart, TablePart, TotalsChoice,
};
use quell::{
    Audience, CheckpointPlace, Context, Error, Job, JobBuilder, Limits, Overrides, TableVerdict,
    WhenUnsafe,
};

/// A small table that is made already, with one sensitive cell.
fn cells() -> RecordBatch {
    let text = |list: Vec<&'static str>| Arc::new(StringArray::from(list)) as ArrayRef;
    RecordBatch::try_from_iter([
        ("sector", text(vec!["A", "A", "A", "B", "B", "B"])),
        ("region", text(vec!["N", "S", "E", "N", "S", "E"])),
        ("turnover", Arc::new(Int64Array::from(vec![920, 300, 280, 310, 150, 170])) as ArrayRef),
        ("status", text(vec!["U", "S", "S", "S", "S", "S"])),
    ])
    .unwrap()
}

/// A job about it.
fn builder() -> JobBuilder {
    let given = GivenPart::of("cells").status("status").totals(TotalsChoice::Recompute);
    Job::builder()
        .title("Small")
        .dimension(DimensionPart::flat("sector"))
        .dimension(DimensionPart::flat("region"))
        .table(TablePart::adding("Turnover", "turnover", ["sector", "region"]).given(given))
}

fn job() -> Job {
    builder().build(".").unwrap().with_records("cells", vec![cells()])
}

/// The same with its totals, every other cell published by order: it cannot be protected.
fn unprotectable() -> Job {
    let sectors = ["A", "B", "Total"].map(|sector| [sector; 4]).concat();
    let regions = [["N", "S", "E", "Total"]; 3].concat();
    let turnover = vec![920, 300, 280, 1500, 310, 150, 170, 630, 1230, 450, 450, 2130];
    let mut statuses = vec!["P"; 12];
    statuses[0] = "U";
    let text = |list: Vec<&'static str>| Arc::new(StringArray::from(list)) as ArrayRef;
    let columns =
        vec![text(sectors), text(regions), Arc::new(Int64Array::from(turnover)), text(statuses)];
    let cells = RecordBatch::try_new(cells().schema(), columns).unwrap();
    let given = GivenPart::of("cells").status("status").totals(TotalsChoice::Check);
    let table = TablePart::adding("Turnover", "turnover", ["sector", "region"]).given(given);
    let dimensions = ["sector", "region"].map(DimensionPart::flat);
    let builder = dimensions.into_iter().fold(Job::builder().title("Small"), JobBuilder::dimension);
    builder.table(table).build(".").unwrap().with_records("cells", vec![cells])
}

#[test]
fn a_job_in_memory_ends_in_tables_and_touches_no_file() {
    let release = quell::run(&job(), &Context::default()).unwrap();
    assert_eq!(release.verdict(), TableVerdict::Safe);
    let tables = release.tables().unwrap();
    let cells = &tables[0].cells;
    let names: Vec<String> =
        cells.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["sector", "region", "turnover", "status"]);
    assert_eq!(cells.num_rows(), 12);
    let hidden = |row: &usize| cells.column(2).is_null(*row);
    let statuses = cells.column(3).as_string::<i32>();
    // One word for all that are hidden: which of them are sensitive is for the office.
    assert!((0..12).all(|row| (statuses.value(row) == "hidden") == hidden(&row)));
    assert!((0..12).all(|row| (statuses.value(row) == "published") != hidden(&row)));
    // A fifth of 920 is more than either of the smaller cells of B can fall: both must be hidden.
    assert_eq!((0..12).filter(hidden).count(), 6);
    assert!(release.report(Audience::Office).contains("for the office"));
    assert!(!release.report(Audience::Public).contains("for the office"));
}

#[test]
fn an_unsafe_release_is_written_only_by_order() {
    let release = quell::run(&unprotectable(), &Context::default()).unwrap();
    assert_eq!(release.verdict(), TableVerdict::NotSafe);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let refused = release.write(&folder);
    assert!(matches!(refused, Err(Error::NotSafe(TableVerdict::NotSafe))), "{refused:?}");
    assert!(!folder.exists());
    let written = release.write_with(&folder, WhenUnsafe::Mark, &Context::default()).unwrap();
    assert!(written[0].ends_with("NOT-SAFE-turnover.csv"), "{written:?}");
    let tables = release.tables().unwrap();
    assert_eq!(tables[0].cells.schema().field(4).name(), "note");
}

#[test]
fn a_built_job_says_what_its_file_says() {
    let builder =
        builder().data(DataPart::of("people.csv").weight("w")).rules(RulesPart::default());
    let job = builder.build(".").unwrap();
    let text = toml::to_string_pretty(&job.file).unwrap();
    assert_eq!(text, builder.to_toml().unwrap());
    assert_eq!(Job::from_toml(text.as_str(), ".").unwrap().to_toml(), text);
}

#[test]
fn every_key_survives_being_written() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for example in ["examples/survey/job.toml", "examples/people/job.toml"] {
        let job = Job::read(&root.join(example)).unwrap();
        let once = toml::to_string(&job.file).unwrap();
        let again = Job::from_toml(once.as_str(), ".").unwrap();
        assert_eq!(toml::to_string(&again.file).unwrap(), once, "{example}");
    }
}

#[test]
fn records_in_memory_must_be_named_by_the_job() {
    let job = builder().build(".").unwrap().with_records("cell", vec![cells()]);
    let Err(Error::Arguments { message, advice }) = quell::run(&job, &Context::default()) else {
        panic!("nothing is called so");
    };
    assert!(message.contains("\"cell\""), "{message}");
    assert_eq!(advice, "did you mean \"cells\"?");
}

#[test]
fn mistakes_of_a_built_job_have_a_place() {
    let table = TablePart::adding("Turnover", "turnover", ["sector", "regoin"])
        .given(GivenPart::of("cells").status("status"));
    let job = Job::builder()
        .dimension(DimensionPart::flat("sector"))
        .dimension(DimensionPart::flat("region"))
        .table(table)
        .build(".")
        .unwrap()
        .with_records("cells", vec![cells()]);
    let Err(Error::Job(mistake)) = quell::run(&job, &Context::default()) else {
        panic!("there is no such dimension");
    };
    assert_eq!(&mistake.text[mistake.place.clone()], "\"regoin\"");
}

#[test]
fn an_adjustment_refuses_what_it_does_not_do() {
    let protect = ProtectPart { approach: Approach::Adjust, ..ProtectPart::default() };
    let job = builder().protect(protect).build(".").unwrap().with_records("cells", vec![cells()]);
    let place = CheckpointPlace { file: "state".into(), resume: false };
    let context = Context { checkpoints: Some(place), ..Context::default() };
    let Err(Error::Arguments { message, .. }) = quell::run(&job, &context) else {
        panic!("nobody would write the checkpoint");
    };
    assert!(message.contains("adjustment keeps no checkpoints"), "{message}");
    let release = quell::run(&job, &Context::default()).unwrap();
    assert_eq!(release.verdict(), TableVerdict::Safe);
    let cells = &release.tables().unwrap()[0].cells;
    assert_eq!(cells.column(2).null_count(), 0);
}

#[test]
fn what_is_said_instead_of_the_file_holds_and_is_reported() {
    let limits = Limits { work: Some(77), seed: Some(5), ..Limits::default() };
    let overrides =
        Overrides { method: Some("kelly-lp".to_owned()), limits, ..Overrides::default() };
    let release = quell::run(&job().with_overrides(overrides), &Context::default()).unwrap();
    let report = release.report(Audience::Office);
    for words in ["<code>77</code>", "<code>5</code>", "<code>no limit</code>", "kelly-lp"] {
        assert!(report.contains(words), "{words}");
    }
}

#[test]
fn records_in_memory_take_what_their_description_says() {
    let place = tempfile::tempdir().unwrap();
    let description = "<SEPARATOR> \",\"\nregion 1 9\n  <RECODEABLE>\nturnover 8\n  <NUMERIC>\n";
    std::fs::write(place.path().join("firms.rda"), description).unwrap();
    let job = |metadata: &str| {
        let text = format!(
            "data = {{ file = \"firms\"{metadata} }}\ndimension = [{{ name = \"region\" }}]\n\
             rules = {{ frequency = {{ minimum = 3 }}, missing-is-safe = true }}\n[[table]]\n\
             name = \"Turnover\"\ndimensions = [\"region\"]\nresponse = \"turnover\"\n"
        );
        let firms = RecordBatch::try_from_iter([
            ("region", Arc::new(StringArray::from(vec!["1", "1", "1", "9"])) as ArrayRef),
            ("turnover", Arc::new(Int64Array::from(vec![10, 20, 30, 40])) as ArrayRef),
        ])
        .unwrap();
        Job::from_toml(text, place.path()).unwrap().with_records("firms", vec![firms])
    };
    let sensitive = |job: &Job| {
        let tables = quell::tabulate(job, &Context::default()).unwrap();
        tables.problem().primaries().count()
    };
    // The one firm of no known region needs no protection, once 9 is known to mean that.
    assert_eq!(sensitive(&job("")), 1);
    assert_eq!(sensitive(&job(", metadata = \"firms.rda\"")), 0);
    let other = description.replace("turnover", "profit");
    std::fs::write(place.path().join("firms.rda"), other).unwrap();
    let job = job(", metadata = \"firms.rda\"");
    let error = quell::tabulate(&job, &Context::default()).unwrap_err().to_string();
    assert!(error.contains("there is no variable \"profit\""), "{error}");
}
