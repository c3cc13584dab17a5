//! `quell generate`.

use quell_formats::jj;

use crate::runner::Folder;

#[test]
fn every_class_writes_a_sound_table() {
    let folder = Folder::new();
    for class in [
        "ons --dims 10,8,6H",
        "ons --dims 12,9 --mean 3 --zeros 0.3 --p-percent 20 --levels-from-rule --weights contributors",
        "ons --dims 6,6 --mean 1 --zeros 0.5 --publish-zeros --upper-bound own --upper-factor 1.5",
        "ons --dims 6,6 --upper-bound none --decimals 0 --threshold 0 --mean 2 --p-percent 10",
        "ons --preset 20x20x20",
        "herrington --rows 20 --columns 10 --primary-share 0.03",
        "herrington --rows 5 --columns 5 --primaries 3 --weights one",
        "herrington --preset 10000cells1",
        "cta --sizes 5,4,3 --zeros 0.2 --sensitive 0.5",
        "random --size 30",
        "random --shape linked",
    ] {
        let said = folder.done(&format!("generate {class} --seed 7 --out T.jj"));
        let problem = jj::read(&folder.path("T.jj")).unwrap();
        assert!(said.starts_with("wrote T.jj: "), "{said}");
        assert!(said.contains(&format!("{} cells", problem.cell_count())), "{said}");
        assert!(said.contains(&format!("{} primaries", problem.primaries().count())), "{said}");
        assert!(problem.faults().iter().all(quell_model::Fault::is_warning), "{class}");
    }
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let folder = Folder::new();
    folder.done("generate ons --dims 9,9H --seed 3 --out a.jj");
    folder.done("generate ons --dims 9,9H --seed 3 --out b.jj");
    folder.done("generate ons --dims 9,9H --seed 4 --out c.jj");
    assert_eq!(folder.read("a.jj"), folder.read("b.jj"));
    assert_ne!(folder.read("a.jj"), folder.read("c.jj"));
    assert_eq!(folder.names(), ["a.frq", "a.jj", "b.frq", "b.jj", "c.frq", "c.jj"]);
}

#[test]
fn a_published_table_stays_as_it_is() {
    // Seeds are quoted in reports: this very text must come out for ever.
    let folder = Folder::new();
    folder.done("generate ons --dims 3,3 --mean 2 --seed 1 --out T.jj");
    assert_eq!(
        folder.read("T.jj"),
        include_str!("published.jj"),
        "the ONS class gives another table for the same seed"
    );
}

#[test]
fn a_pair_of_csv_files_is_written_on_request() {
    let folder = Folder::new();
    let said = folder.done("generate cta --sizes 3,3 --out T.csv");
    assert!(
        said.starts_with("wrote T.cells.csv and T.equations.csv: 16 cells, 8 equations"),
        "{said}"
    );
    assert_eq!(folder.names(), ["T.cells.csv", "T.equations.csv"]);
}

#[test]
fn json_says_what_was_written() {
    let folder = Folder::new();
    let said = folder.done("generate cta --sizes 3,3 --seed 5 --out T.jj --json");
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(json["file"], "T.jj");
    assert_eq!(json["cells"], 16);
    assert_eq!(json["seed"], 5);
}

#[test]
fn options_that_make_no_table_are_explained() {
    let folder = Folder::new();
    for (options, words) in [
        ("ons --dims 5,5 --primary-share 0.999", "--primary-share"),
        ("ons --dims 5,5 --zeros 1.5", "zeros is 1.5, but must be a share"),
        ("ons --preset 7x7", "the presets are 20x20x20"),
        ("ons --dims 5,1", "at least 2"),
        ("ons --dims 5,x", "invalid value 'x'"),
        ("ons --dims 5,5 --mean 1 --primary-share 0.1", "cannot be used with"),
        ("herrington --rows 0", "rows is 0"),
        ("herrington --preset 7x7", "the presets are 10000Cells0.5"),
        ("herrington --rows 3 --columns 3 --primaries 10", "--primaries"),
        ("cta --sizes 0", "sizes"),
        ("random --shape round", "invalid value 'round'"),
    ] {
        let outcome = folder.quell(&format!("generate {options} --out T.jj"));
        assert_eq!(outcome.code, 1, "{options}: {outcome:?}");
        let text =
            outcome.err.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{options}: {}", outcome.err);
        assert!(folder.names().is_empty(), "{options}: nothing may be written");
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let outcome = Folder::new().quell("generate random --out no/such/T.jj");
    assert_eq!(outcome.code, 1);
    assert!(outcome.err.contains("cannot write no/such/T.jj"), "{}", outcome.err);
}

#[test]
fn a_survey_comes_with_its_classifications() {
    let folder = Folder::new();
    folder.done("generate survey --firms 50 --seed 3 --out survey");
    let csv = folder.read("survey/survey.csv");
    assert_eq!(csv.lines().count(), 51);
    assert!(csv.starts_with("firm,holding,industry,region,size,"));
    assert!(folder.read("survey/region.hrc").starts_with("Q1\n@Q11\n@@Q111\n"));
    assert!(folder.read("survey/industry.cdl").contains("A011,Crops\n"));
    folder.done("generate survey --firms 50 --seed 3 --out again");
    assert_eq!(folder.read("again/survey.csv"), csv);
}
