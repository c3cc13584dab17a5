//! The report never tells what is hidden.

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
    for example in ["survey", "people"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
        std::fs::create_dir_all(folder.path(&format!("examples/{example}"))).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            std::fs::copy(&path, folder.path(&format!("examples/{example}/{name}"))).unwrap();
        }
    }
}

/// The words of a page that are numbers, thin spaces taken out.
fn numbers(text: &str) -> std::collections::BTreeSet<String> {
    let joined = text.replace('\u{202f}', "");
    joined
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.')
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_example_is_protected_and_its_report_tells_no_hidden_value_and_no_contributor() {
    let folder = survey();
    let out = folder.done("protect examples/survey/job.toml --out out");
    assert!(out.contains("SAFE: all"), "{out}");
    folder.done("tabulate examples/survey/job.toml --out tables.csv");
    let page = folder.read("out/office/report.html");
    let numbers = numbers(&page);
    let system = folder.read("out/office/system.jj");
    let mut hidden = 0;
    for line in system.lines().skip(2) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let &[_, value, _, "u" | "m", ..] = fields.as_slice() else { continue };
        hidden += 1;
        // Smaller ones are also counts of cells and places on the map.
        if value.len() >= 5 {
            assert!(!numbers.contains(value), "{value} is in the report");
        }
    }
    assert!(hidden > 20, "{hidden} hidden cells");
    for firm in ["F000001", "F000042", "F001234"] {
        assert!(!page.contains(firm), "{firm} is in the report");
    }
    assert!(
        !page.contains("http://")
            || page.matches("http").count() == page.matches("http://www.w3.org/2000/svg").count()
    );
    // Nothing hidden is in what is published, either.
    let public = folder.read("out/turnover-by-industry-and-region.csv");
    assert!(public.contains(",x,primary"));
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
    let page = folder.read("out/office/report.html");
    assert!(!page.contains("</script><b>"));
}
