//! The text of a first job file.

use std::fmt::Write as _;
use std::path::Path;

use super::profile::{Column, Guess, Profile};

/// The most dimensions of the first table.
const DIMENSIONS: usize = 2;

/// The text of a first job file for a data file.
pub fn text(data: &Path, profile: &Profile) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut out, data, profile);
    out
}

fn write(out: &mut String, data: &Path, profile: &Profile) -> std::fmt::Result {
    let title = data.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    writeln!(
        out,
        "# A first job, guessed from {} records. Read it before you use it:",
        profile.records
    )?;
    writeln!(out, "# docs/job.md explains every key, docs/rules.md every rule.")?;
    writeln!(out, "title = {}\n", quoted(&title))?;
    if !profile.is_table {
        records(out, data, profile)?;
    }
    dimensions(out, profile)?;
    tables(out, profile)?;
    if profile.is_table {
        given(out, data, profile)?;
    }
    out.push_str(RULES);
    let unused: Vec<&str> = profile
        .columns
        .iter()
        .filter(|column| column.guess == Guess::Unknown)
        .map(|column| column.name.as_str())
        .collect();
    if !unused.is_empty() {
        writeln!(out, "\n# Not used: {}", unused.join(", "))?;
    }
    Ok(())
}

const RULES: &str = "\
[rules]
# A cell is sensitive if one of these says so. Ask your methodologist for the parameters.
frequency = { minimum = 3, margin = 20 }
p-percent = { p = 10 }
# dominance = { n = 2, k = 85 }

[protect]
time = \"60s\"
seed = 1

[release]
folder = \"release\"
formats = [\"csv\"]            # also parquet, xlsx, code-value, pivot; office: sbs, intermediate, jj

[report]
audience = \"office\"         # or public: only what is in the release anyway
";

/// Where the records are, and who they are from.
fn records(out: &mut String, data: &Path, profile: &Profile) -> std::fmt::Result {
    writeln!(out, "[data]")?;
    writeln!(out, "file = {}", quoted(&data.to_string_lossy()))?;
    if profile.separator != b',' {
        writeln!(out, "separator = {}", quoted(&char::from(profile.separator).to_string()))?;
    }
    role(
        out,
        profile,
        "respondent",
        &Guess::Respondent,
        "who a record is from, if some have several",
    )?;
    role(out, profile, "holding", &Guess::Holding, "who belongs together")?;
    role(out, profile, "weight", &Guess::Weight, "how many each record stands for")?;
    writeln!(out)
}

/// What columns with the number of contributors are called.
const COUNTS: [&str; 8] =
    ["frequency", "freq", "contributors", "firms", "n", "count", "nb_obs", "n_obs"];

/// The column with one of these names.
fn named<'a>(profile: &'a Profile, words: &[&str]) -> Option<&'a Column> {
    let is = |column: &&Column| words.contains(&column.name.to_lowercase().as_str());
    profile.columns.iter().find(is)
}

/// Where the cells are, of a table that is made already.
fn given(out: &mut String, data: &Path, profile: &Profile) -> std::fmt::Result {
    writeln!(out, "[table.given]    # one row per cell, totals among them: a finished table")?;
    writeln!(out, "file = {}", quoted(&data.to_string_lossy()))?;
    if profile.separator != b',' {
        writeln!(out, "separator = {}", quoted(&char::from(profile.separator).to_string()))?;
    }
    match named(profile, &COUNTS) {
        Some(column) => {
            writeln!(out, "frequency = {}    # the number of contributors", quoted(&column.name))?
        }
        None => writeln!(out, "# frequency = \"…\"    # the number of contributors")?,
    }
    writeln!(out, "# top = [\"…\", \"…\"]    # the largest contributions; p-percent needs two")?;
    match named(profile, &["status", "flag", "statut"]) {
        Some(column) => writeln!(out, "status = {}    # S, U, P, M or E", quoted(&column.name))?,
        None => writeln!(out, "# status = \"…\"    # S, U, P, M or E, instead of rules")?,
    }
    writeln!(out)
}

fn role(
    out: &mut String,
    profile: &Profile,
    key: &str,
    guess: &Guess,
    words: &str,
) -> std::fmt::Result {
    let mut found = profile.of_guess(guess);
    match found.next() {
        Some(column) => writeln!(out, "{key} = {}    # {words}", quoted(&column.name)),
        None => writeln!(out, "# {key} = \"…\"    # {words}"),
    }
}

fn dimensions(out: &mut String, profile: &Profile) -> std::fmt::Result {
    let mut any = false;
    for (column, digits) in profile.dimensions() {
        any = true;
        let codes: Vec<&str> = column.distinct.iter().take(5).map(String::as_str).collect();
        let more = if column.distinct.len() > codes.len() { ", …" } else { "" };
        writeln!(
            out,
            "[[dimension]]    # {} codes: {}{more}",
            column.distinct.len(),
            comment(&codes.join(", "))
        )?;
        writeln!(out, "name = {}", quoted(&column.name))?;
        if let Some(total) = column.total().filter(|&total| profile.is_table && total != "Total") {
            writeln!(out, "total = {}", quoted(total))?;
        }
        match digits.filter(|_| !profile.is_table) {
            Some(digits) => {
                writeln!(out, "digits = {digits:?}    # its codes seem to have levels")?
            }
            None => writeln!(
                out,
                "# hierarchy = \"….hrc\"    # or digits = [1, 2]; without either it is flat"
            )?,
        }
        if column.empty > 0 {
            writeln!(out, "# {} records have no code", column.empty)?;
        }
        writeln!(out)?;
    }
    if !any {
        writeln!(
            out,
            "# No column looks like a classification: name one.\n[[dimension]]\nname = \"…\"\n"
        )?;
    }
    Ok(())
}

fn tables(out: &mut String, profile: &Profile) -> std::fmt::Result {
    let names: Vec<&Column> =
        profile.dimensions().map(|(column, _)| column).take(DIMENSIONS).collect();
    let list: Vec<String> = names.iter().map(|column| quoted(&column.name)).collect();
    let by: Vec<&str> = names.iter().map(|column| column.name.as_str()).collect();
    let count = profile.is_table.then(|| named(profile, &COUNTS)).flatten().map(|own| &own.name);
    let mut responses =
        profile.of_guess(&Guess::Response).filter(|column| Some(&column.name) != count);
    let response = responses.next();
    let what = response.map_or("number of records", |column| column.name.as_str());
    writeln!(out, "[[table]]")?;
    writeln!(out, "name = {}", quoted(&format!("{what} by {}", by.join(" and "))))?;
    writeln!(out, "dimensions = [{}]", list.join(", "))?;
    match response {
        Some(column) => {
            let note = if column.negative {
                "    # it has negative values: rules look at sizes"
            } else {
                ""
            };
            writeln!(out, "response = {}{note}", quoted(&column.name))?;
        }
        None => writeln!(out, "# response = \"…\"    # without one, records are counted")?,
    }
    let others: Vec<&str> = responses.map(|column| column.name.as_str()).collect();
    if !others.is_empty() {
        writeln!(out, "# other numbers to make tables of: {}", comment(&others.join(", ")))?;
    }
    writeln!(out)
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A text that stays on its line.
fn comment(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
