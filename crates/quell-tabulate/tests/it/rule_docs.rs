//! `docs/rules.md` is written from the rules themselves: what a rule does from the doc comment
//! in its file, its parameters and names from its declaration.
//!
//! After a change, `QUELL_WRITE_DOCS=1 cargo nextest run -p quell-tabulate rule_docs` writes it
//! anew between the marks.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use quell_tabulate::{ArgusForm, Parameter, RULES, RuleKind, SETTINGS, Scope};

const START: &str = "<!-- rules: written from the code -->\n";
const END: &str = "<!-- end of rules -->\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The doc comment of the rule in the file that has its name.
fn doc_comment(kind: &RuleKind) -> String {
    let file = format!("src/rules/{}.rs", kind.key.replace('-', "_"));
    let source =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file)).unwrap();
    let lines: Vec<&str> = source.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("pub struct")).unwrap();
    let attributes = lines[..end].iter().rev().take_while(|line| line.starts_with('#')).count();
    let comment = lines[..end - attributes].iter().rev().take_while(|line| line.starts_with("///"));
    let mut comment: Vec<&str> = comment.copied().collect();
    comment.reverse();
    assert!(comment.len() > 5, "{file} says too little of its rule");
    let text = |line: &&str| line.trim_start_matches("///").trim_start().to_owned();
    let heading = |line: String| match line.strip_prefix("# ") {
        Some(heading) => format!("#### {heading}"),
        None => line,
    };
    comment.iter().map(text).map(heading).collect::<Vec<_>>().join("\n")
}

fn parameters(parameters: &[Parameter]) -> String {
    let mut table =
        "| parameter | meaning | values | if not given |\n|---|---|---|---|\n".to_owned();
    for own in parameters {
        let default = own.default.map_or("must be given".to_owned(), |value| value.to_string());
        // Writing into a string cannot fail.
        let _ =
            writeln!(table, "| `{}` | {} | {} | {default} |", own.name, own.meaning, own.range());
    }
    table
}

/// How job files write a rule.
fn in_a_job(kind: &RuleKind) -> String {
    match kind.parameters {
        [only] => format!("{} = {}", kind.key, only.example),
        several => {
            let all = several.iter().map(|own| format!("{} = {}", own.name, own.example));
            format!("{} = {{ {} }}", kind.key, all.collect::<Vec<_>>().join(", "))
        }
    }
}

fn in_a_batch(form: ArgusForm) -> String {
    let all = form.arguments.iter().map(|names| format!("`{}({})`", form.keyword, names.join(",")));
    all.collect::<Vec<_>>().join(" or ")
}

fn heading(kind: &RuleKind) -> String {
    match kind.title == kind.key {
        true => format!("`{}`", kind.key),
        false => format!("`{}`: {}", kind.key, kind.title),
    }
}

fn section(kind: &RuleKind) -> String {
    let who = match kind.scope {
        Scope::Contributors => "of respondents, or in `holdings` of holdings",
        Scope::Cell => "of the cell as a whole",
    };
    let repeats = if kind.repeats { "; several may stand in a list" } else { "" };
    let batch =
        kind.argus.map_or(String::new(), |form| format!(" In `.arb` files: {}.", in_a_batch(form)));
    format!(
        "### {}\n\n{}\n\n{}\nIn job files: `{}`, {who}{repeats}.{batch}\n",
        heading(kind),
        doc_comment(kind),
        parameters(kind.parameters),
        in_a_job(kind),
    )
}

fn settings() -> String {
    let mut table = "### Settings for all rules\n\n\
                     | name in `[rules]` | meaning | in `.arb` files |\n|---|---|---|\n"
        .to_owned();
    for own in SETTINGS {
        let batch = own.argus.map_or("–".to_owned(), |form| format!("`{form}`"));
        let _ = writeln!(table, "| `{}` | {} | {batch} |", own.key, own.meaning);
    }
    table
}

#[test]
fn the_documentation_of_the_rules_is_that_of_their_files() {
    let path = root().join("docs/rules.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(START).expect("docs/rules.md has a mark at the start");
    let (_, after) = rest.split_once(END).expect("docs/rules.md has a mark at the end");
    let sections: Vec<String> =
        RULES.iter().map(|kind| section(kind)).chain([settings()]).collect();
    let expected = format!("{before}{START}\n{}\n{END}{after}", sections.join("\n"));
    if std::env::var_os("QUELL_WRITE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    } else {
        assert!(text == expected, "docs/rules.md is not what the rules say: see rule_docs.rs");
    }
}

#[test]
fn every_rule_and_parameter_stands_in_the_documentation_of_jobs() {
    let job = std::fs::read_to_string(root().join("docs/job.md")).unwrap();
    let keys = RULES.iter().map(|kind| kind.key).chain(SETTINGS.iter().map(|own| own.key));
    for key in keys {
        assert!(job.contains(&format!("{key} = ")), "docs/job.md does not show {key}");
    }
}
