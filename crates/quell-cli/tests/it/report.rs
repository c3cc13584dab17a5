//! The report as a page; what it tells whom is tested in `trust`.

use std::path::Path;

use crate::runner::Folder;

/// The bundled example.
pub fn survey() -> Folder {
    let folder = Folder::new();
    copy_examples(&folder);
    folder
}

/// Copies the examples into a folder.
pub fn copy_examples(folder: &Folder) {
    for example in ["survey", "people", "tau-argus"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
        std::fs::create_dir_all(folder.path(&format!("examples/{example}"))).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            std::fs::copy(&path, folder.path(&format!("examples/{example}/{name}"))).unwrap();
        }
    }
}

#[test]
fn the_bundled_survey_is_the_one_that_is_generated() {
    let folder = survey();
    folder.done("generate survey --firms 4000 --seed 1 --out again");
    for name in ["survey.csv", "industry.hrc", "industry.cdl", "region.hrc", "region.cdl"] {
        let (bundled, again) = (format!("examples/survey/{name}"), format!("again/{name}"));
        assert!(folder.read(&bundled) == folder.read(&again), "{name} differs");
    }
}

#[test]
fn labels_cannot_break_out_of_the_page() {
    let folder = crate::job::changed("name = \"Turnover\"", "name = \"</script><b>\"");
    folder.done("protect job.toml");
    let page = folder.read("out-office/report.html");
    assert!(!page.contains("</script><b>"));
}
