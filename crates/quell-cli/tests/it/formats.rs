//! The same records in every format: jobs and microdata alike.

use std::path::Path;

use crate::runner::Folder;
use crate::samples::{self, Columns, Values};

/// Firms with a code that is a number and a turnover with decimals.
const DATA: &str = "\
firm,sector,region,turnover
a,1,N,900.5
b,1,N,20.25
c,1,S,300
d,1,S,280
e,2,N,310
f,2,N,150
g,2,S,160
h,2,S,
";

const JOB: &str = "\
[data]
file = \"FILE\"
respondent = \"firm\"

[[dimension]]
name = \"sector\"

[[dimension]]
name = \"region\"

[[table]]
name = \"turnover\"
dimensions = [\"sector\", \"region\"]
response = \"turnover\"

[rules]
p-percent = { p = 10 }
";

fn columns() -> Columns {
    let mut lines = DATA.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().unwrap().collect();
    let rows: Vec<Vec<&str>> = lines.map(Iterator::collect).collect();
    let column = |(place, name): (usize, &&str)| {
        let texts = rows.iter().map(|row| row[place]);
        let values = match *name {
            "sector" | "turnover" => Values::Numbers(texts.map(|text| text.parse().ok()).collect()),
            _ => Values::Texts(texts.map(str::to_owned).collect()),
        };
        ((*name).to_owned(), values)
    };
    names.iter().enumerate().map(column).collect()
}

/// Writes the data in every format; gives the names of the files.
fn write_all(folder: &Folder) -> Vec<&'static str> {
    folder.write("plain.csv", DATA);
    folder.write("german.csv", &DATA.replace(',', ";").replace('.', ","));
    folder.write("tabs.txt", &format!("\u{feff}{}", DATA.replace(',', "\t").replace('\n', "\r\n")));
    type Make = fn(&Path, &Columns);
    let typed: [(&str, Make); 4] = [
        ("data.parquet", samples::parquet),
        ("data.dta", samples::stata),
        ("data.sav", |path, columns| samples::spss(path, columns, 1)),
        ("data.zsav", |path, columns| samples::spss(path, columns, 2)),
    ];
    let mut names = vec!["plain.csv", "german.csv", "tabs.txt"];
    for (name, make) in typed {
        make(&folder.path(name), &columns());
        names.push(name);
    }
    names
}

#[test]
fn every_format_gives_the_same_tables() {
    let folder = Folder::new();
    let mut wanted = String::new();
    for name in write_all(&folder) {
        folder.write("job.toml", &JOB.replace("FILE", name));
        let outcome = folder.quell("tabulate job.toml --out t.jj");
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.err);
        let table = folder.read("t.jj");
        if wanted.is_empty() {
            wanted.clone_from(&table);
        }
        assert_eq!(table, wanted, "{name}");
    }
}

#[test]
fn every_format_gives_the_same_risks() {
    let folder = Folder::new();
    let mut wanted = String::new();
    for name in write_all(&folder) {
        let risks = folder.quell(&format!("micro risk {name} --keys firm,sector,region --json"));
        assert_eq!((risks.code, risks.err.as_str()), (2, ""), "{name}");
        if wanted.is_empty() {
            wanted.clone_from(&risks.out);
        }
        assert_eq!(risks.out, wanted, "{name}");
    }
}

#[test]
fn a_first_job_is_written_for_every_format() {
    let folder = Folder::new();
    for name in write_all(&folder) {
        let outcome = folder.quell(&format!("init {name} --out first.toml"));
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.err);
        assert!(folder.read("first.toml").contains("turnover"), "{name}");
        std::fs::remove_file(folder.path("first.toml")).unwrap();
    }
}
