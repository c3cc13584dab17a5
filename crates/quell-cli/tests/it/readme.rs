//! The README's commands are run as they stand there, with the output shown there.
//!
//! A block of kind `console` has lines `$ quell …`, each followed by what it prints, or
//! by nothing if that does not matter. A comment `# ends with 2` is the exit code.

use std::path::Path;

use crate::cases;
use crate::report;
use crate::runner::Folder;

struct Example {
    command: String,
    code: i32,
    output: String,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ quell ").filter(|_| inside) {
            let (command, comment) = command.split_once('#').unwrap_or((command, ""));
            let code = comment
                .trim()
                .strip_prefix("ends with ")
                .map_or(0, |code| code.trim().parse().expect("an exit code"));
            // A shell would take the quotes away.
            let command = command.trim().replace('"', "");
            examples.push(Example { command, code, output: String::new() });
        } else if inside && let Some(example) = examples.last_mut() {
            example.output.push_str(line);
            example.output.push('\n');
        }
    }
    examples
}

fn run(document: &str, at_least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(document)).unwrap();
    let folder = Folder::new();
    cases::copy_into(&folder, "cases");
    report::copy_examples(&folder);
    let examples = examples(&text);
    assert!(examples.len() >= at_least, "{document} lost its examples");
    for example in examples {
        let outcome = folder.quell(&example.command);
        assert_eq!(outcome.code, example.code, "{document}: {}\n{}", example.command, outcome.err);
        if !example.output.trim().is_empty() {
            assert_eq!(
                outcome.out.trim(),
                example.output.trim(),
                "{document}: {}",
                example.command
            );
        }
    }
}

/// A test for each page: its commands, at least so many, are run.
macro_rules! pages {
    ($($name:ident: $page:literal, $at_least:literal;)*) => {
        const PAGES: &[&str] = &[$($page),*];

        $(#[test]
        fn $name() {
            run($page, $at_least);
        })*
    };
}

pages! {
    the_readme_tells_the_truth: "README.md", 8;
    the_page_on_adjustment_tells_the_truth: "docs/adjust.md", 2;
    the_page_on_audits_tells_the_truth: "docs/audit.md", 3;
    the_page_on_formats_tells_the_truth: "docs/formats.md", 1;
    the_page_on_jobs_tells_the_truth: "docs/job.md", 3;
    the_page_on_microdata_tells_the_truth: "docs/micro.md", 3;
    a_first_audit_tells_the_truth: "docs/guide/first-audit.md", 6;
    a_first_job_tells_the_truth: "docs/guide/first-job.md", 2;
    choosing_a_method_tells_the_truth: "docs/guide/choosing-a-method.md", 3;
    from_rtauargus_tells_the_truth: "docs/guide/from-rtauargus.md", 1;
    from_sdcmicro_tells_the_truth: "docs/guide/from-sdcmicro.md", 3;
    from_sdctable_tells_the_truth: "docs/guide/from-sdctable.md", 4;
    from_tau_argus_tells_the_truth: "docs/guide/from-tau-argus.md", 3;
}

#[test]
fn every_page_with_commands_is_among_those_that_are_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut left_out = Vec::new();
    for folder in [".", "docs", "docs/guide", "docs/methods", "bench", "cases", "python"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let text = std::fs::read_to_string(&path).unwrap();
                let page = path.strip_prefix(&root).unwrap().display().to_string();
                let page = page.trim_start_matches("./").to_owned();
                if text.contains("\n$ quell ") && !PAGES.contains(&page.as_str()) {
                    left_out.push(page);
                }
            }
        }
    }
    assert!(left_out.is_empty(), "{left_out:?}");
}

#[test]
fn every_key_of_the_guide_to_jobs_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/job.md")).unwrap();
    let blocks = blocks(&text, "toml");
    for block in &blocks {
        let _: quell::job::file::JobFile = toml::from_str(block).unwrap();
    }
    // What is commented out there is right as well.
    let micro = blocks.iter().find(|block| block.starts_with("[micro]")).unwrap();
    let all: String =
        micro.lines().map(|line| format!("{}\n", line.trim_start_matches("# "))).collect();
    let job: quell::job::file::JobFile = toml::from_str(&all).unwrap();
    assert!(job.micro.is_some_and(|micro| micro.risk.is_some() && micro.marker.is_some()));
}

#[test]
fn jobs_in_the_guide_are_jobs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in ["first-job", "from-rtauargus"] {
        let text = std::fs::read_to_string(root.join(format!("docs/guide/{page}.md"))).unwrap();
        for block in blocks(&text, "toml") {
            let _: quell::job::file::JobFile = toml::from_str(&block).unwrap();
        }
    }
}

/// Every page is in the book, and every link of the documentation leads somewhere.
#[test]
fn the_book_has_every_page_and_no_broken_link() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let summary = std::fs::read_to_string(root.join("docs/SUMMARY.md")).unwrap();
    let linked = links(&summary);
    let mut pages = 0;
    for folder in ["docs", "docs/guide", "docs/methods"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "md") {
                continue;
            }
            let name = path.strip_prefix(root.join("docs")).unwrap().display().to_string();
            let is_linked = name == "SUMMARY.md" || linked.contains(&name);
            assert!(is_linked, "docs/SUMMARY.md lacks {name}");
            for link in links(&std::fs::read_to_string(&path).unwrap()) {
                let file = link.split('#').next().unwrap_or_default();
                let is_here = link.contains("://") || file.is_empty();
                let there = path.parent().unwrap().join(file);
                assert!(is_here || there.exists(), "{name} links to {link}");
            }
            pages += 1;
        }
    }
    assert!(pages > 40, "{pages} pages");
}

/// Where the links of a page lead.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

#[test]
fn the_demo_runs() {
    // What `./run demo` does after building.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = std::fs::read_to_string(root.join("run")).unwrap();
    let folder = Folder::new();
    cases::copy_into(&folder, "cases");
    report::copy_examples(&folder);
    let commands: Vec<&str> =
        script.lines().filter_map(|line| line.trim().strip_prefix("show ")).collect();
    assert!(commands.len() >= 4, "the demo lost its commands");
    for command in commands {
        let outcome = folder.quell(command);
        assert!(outcome.code == 0 || outcome.code == 2, "{command}: {}", outcome.err);
    }
}

/// The blocks of a kind in a document.
fn blocks(text: &str, kind: &str) -> Vec<String> {
    let opening = format!("```{kind}\n");
    let inside = text.split(&opening).skip(1);
    inside.filter_map(|rest| rest.split("\n```").next()).map(|text| format!("{text}\n")).collect()
}

#[test]
fn the_examples_of_the_formats_are_the_same_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/formats.md")).unwrap();
    let folder = Folder::new();
    let jj = blocks(&text, "text").into_iter().find(|block| block.starts_with("0\n4\n")).unwrap();
    folder.write("T.jj", &jj);
    let csv = blocks(&text, "csv");
    folder.write("T.cells.csv", &csv[0]);
    folder.write("T.equations.csv", &csv[1]);
    folder.done("audit T.jj --intervals jj.csv");
    folder.done("audit T.csv --intervals pair.csv");
    folder.done("convert T.csv same.jj");
    assert_eq!(folder.read("same.jj"), jj);
    assert_eq!(folder.read("jj.csv").lines().nth(1), Some("1,cell 1,10,0,30"));
    assert_eq!(folder.read("pair.csv").lines().nth(1), Some("1,north,10,0,30"));
}
