//! An audit for people and programs: a short text, JSON, and a CSV file with one line per primary.
//!
//! **For the office, not for publication.** A verdict file says how near an attacker can
//! come to each primary; whoever has it and the published table knows more than he
//! should.
//!
//! The same problem, pattern and verdicts give the same bytes: there are no times, file
//! names or other traces of the run in a report.
//!
//! Amounts are written with the table's decimals. In JSON they are strings (`"12.50"`),
//! because most readers of JSON turn numbers into floats and would lose digits; an end
//! without a known limit is `null` in JSON and `inf` in CSV and text.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io;

use quell_attack::{Audit, ContributorAttack, Counts, End, Finding, TableVerdict, Verdict};
use quell_model::{CellId, Pattern, Problem, Value};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::counted;

/// The most cells the text names.
const MOST_SHOWN: usize = 20;

/// The header of the CSV form.
const CSV_HEADER: &str = "cell,name,verdict,lpl,down_at_least,down_at_most,upl,up_at_least,\
up_at_most,spl,slack";

/// An audit with what it is about, ready to be shown.
#[derive(Debug, Clone, Copy)]
pub struct AuditReport<'a> {
    problem: &'a Problem,
    pattern: &'a Pattern,
    audit: &'a Audit,
    contributors: Option<&'a ContributorAttack>,
}

impl<'a> AuditReport<'a> {
    /// The report of an audit of `problem` under `pattern`.
    pub fn new(problem: &'a Problem, pattern: &'a Pattern, audit: &'a Audit) -> Self {
        Self { problem, pattern, audit, contributors: None }
    }

    /// The same report with what single contributors can learn, in text and JSON.
    pub fn with_contributors(self, attack: &'a ContributorAttack) -> Self {
        Self { contributors: Some(attack), ..self }
    }

    /// The verdict on the table: safe only if it is safe from everyone who was looked at.
    pub fn verdict(&self) -> TableVerdict {
        TableVerdict::of(self.all_counts())
    }

    /// Verdicts from everyone's view counted together.
    fn all_counts(&self) -> Counts {
        let counts = self.audit.counts();
        self.contributors.map_or(counts, |attack| attack.counts_with(counts))
    }

    /// A summary to read: sizes, verdicts counted, the verdict on the table in one line
    /// and its worst cells.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, out: &mut String) -> fmt::Result {
        let counts = self.audit.counts();
        let primaries = self.audit.primaries.len();
        writeln!(
            out,
            "{}, {}, {} hidden: {primaries} primary, {} secondary",
            counted(self.problem.cell_count(), "cell"),
            counted(self.problem.system().equation_count(), "equation"),
            self.pattern.len(),
            self.pattern.secondaries(self.problem).count(),
        )?;
        writeln!(out)?;
        for (words, count) in [
            ("safe", counts.safe),
            ("exposed exactly", counts.exposed_exactly),
            ("exposed within", counts.exposed_within),
            ("undecided", counts.undecided),
        ] {
            writeln!(out, "  {words:<16}{count:>9}")?;
        }
        writeln!(out)?;
        let sentence = match self.contributors {
            Some(attack) => explanation_with_contributors(counts, primaries, attack),
            None => explanation(counts, primaries),
        };
        writeln!(out, "{}: {sentence}", self.verdict())?;
        if let Some(attack) = self.contributors {
            writeln!(
                out,
                "Contributors: {} of {} can learn too much of a primary that is safe from others \
                 ({} hidden cells have a single one)",
                dangerous(attack),
                attack.attackers,
                attack.singletons,
            )?;
            if !attack.unsafe_sums.is_empty() {
                writeln!(
                    out,
                    "Sums of hidden cells: {} sensitive and not proven safe",
                    attack.unsafe_sums.len(),
                )?;
            }
        }
        self.write_worst(out)?;
        self.write_contributors(out)?;
        self.write_sums(out)
    }

    fn write_worst(&self, out: &mut String) -> fmt::Result {
        let unsafe_ones =
            self.audit.primaries.iter().filter(|finding| finding.verdict != Verdict::Safe);
        let worst = worst_first(unsafe_ones, |finding| finding);
        if worst.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        writeln!(
            out,
            "Distances from the true value: what a cell needs, and what is proven of an attacker's\n\
             bounds (<= at most, for exposed cells; >= at least, for undecided ones)."
        )?;
        writeln!(out)?;
        let header = ["cell", "verdict", "needs down", "has", "needs up", "has", "slack"];
        let mut rows = vec![header.map(String::from)];
        for finding in worst.iter().take(MOST_SHOWN) {
            let [verdict, rest @ ..] = self.columns(finding);
            let [needs_down, down, needs_up, up, slack] = rest;
            let name = self.problem.cell_name(finding.cell);
            rows.push([name, verdict, needs_down, down, needs_up, up, slack]);
        }
        write_columns(out, &rows, 2)?;
        write_rest(out, worst.len())
    }

    fn write_contributors(&self, out: &mut String) -> fmt::Result {
        let Some(attack) = self.contributors.filter(|attack| !attack.unsafe_pairs.is_empty())
        else {
            return Ok(());
        };
        writeln!(out)?;
        writeln!(
            out,
            "What contributors, each named by a hidden cell of his, learn of other cells:"
        )?;
        writeln!(out)?;
        let header =
            ["contributor", "cell", "verdict", "needs down", "has", "needs up", "has", "slack"];
        let mut rows = vec![header.map(String::from)];
        let worst = worst_first(&attack.unsafe_pairs, |pair| &pair.finding);
        for pair in worst.iter().take(MOST_SHOWN) {
            let [verdict, rest @ ..] = self.columns(&pair.finding);
            let [needs_down, down, needs_up, up, slack] = rest;
            let contributor = self.problem.cell_name(pair.own_cell);
            let name = self.problem.cell_name(pair.finding.cell);
            rows.push([contributor, name, verdict, needs_down, down, needs_up, up, slack]);
        }
        write_columns(out, &rows, 3)?;
        write_rest(out, worst.len())
    }

    fn write_sums(&self, out: &mut String) -> fmt::Result {
        let Some(attack) = self.contributors.filter(|attack| !attack.unsafe_sums.is_empty()) else {
            return Ok(());
        };
        writeln!(out)?;
        writeln!(out, "Sums of hidden cells that must not be known so closely:")?;
        writeln!(out)?;
        for found in attack.unsafe_sums.iter().take(MOST_SHOWN) {
            let names: Vec<String> =
                found.sum.cells.iter().map(|&cell| self.problem.cell_name(cell)).collect();
            writeln!(out, "  {}: {}", names.join(" + "), found.verdict.word())?;
        }
        write_rest(out, attack.unsafe_sums.len())
    }

    /// Verdict, what is needed and proven on both sides, and slack.
    fn columns(&self, finding: &Finding) -> [String; 6] {
        let amount = |value: Value| self.problem.decimals().format(value);
        let proven = |end: End| match (finding.verdict, end.at_most) {
            (Verdict::Safe | Verdict::Undecided, _) => format!(">= {}", amount(end.at_least)),
            (_, Value::MAX) => "no limit".to_owned(),
            (_, limit) => format!("<= {}", amount(limit)),
        };
        [
            finding.verdict.word().replace('-', " "),
            amount(finding.down.required),
            proven(finding.down),
            amount(finding.up.required),
            proven(finding.up),
            amount(finding.slack()),
        ]
    }

    /// Writes one line per primary, by rising cell, after a header.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_csv(&self, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "{CSV_HEADER}")?;
        let amount = |value: Value| self.problem.decimals().format(value);
        for finding in &self.audit.primaries {
            writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{},{}",
                finding.cell.0,
                quoted(&self.problem.cell_name(finding.cell)),
                finding.verdict.word(),
                amount(finding.down.required),
                amount(finding.down.at_least),
                amount(finding.down.at_most),
                amount(finding.up.required),
                amount(finding.up.at_least),
                amount(finding.up.at_most),
                amount(finding.width),
                amount(finding.slack()),
            )?;
        }
        Ok(())
    }
}

/// One sentence on what outsiders learn of the whole table.
fn explanation(counts: Counts, primaries: usize) -> String {
    let exposed = counts.exposed_exactly + counts.exposed_within;
    let and_undecided = match counts.undecided {
        0 => String::new(),
        1 => ", 1 more is undecided".to_owned(),
        undecided => format!(", {undecided} more are undecided"),
    };
    match TableVerdict::of(counts) {
        TableVerdict::Safe if primaries == 0 => "there is nothing to protect".to_owned(),
        TableVerdict::Safe if primaries == 1 => "the only primary is proven safe".to_owned(),
        TableVerdict::Safe => format!("all {primaries} primaries are proven safe"),
        TableVerdict::NotSafe => format!(
            "{exposed} of {} {} exposed{and_undecided}",
            counted(primaries, "primary"),
            if exposed == 1 { "is" } else { "are" }
        ),
        TableVerdict::NotProven => {
            let all = counted(primaries, "primary");
            format!("{} of {all} not settled in the budget", counts.undecided)
        }
    }
}

/// What single contributors add to that sentence: they only count for primaries that are safe
/// from outsiders.
fn explanation_with_contributors(
    counts: Counts,
    primaries: usize,
    attack: &ContributorAttack,
) -> String {
    let (exposed, undecided) = victims(attack);
    let outsiders = explanation(counts, primaries);
    if exposed + undecided == 0 {
        return match attack.unsafe_sums.len() {
            0 => outsiders,
            1 => format!("{outsiders}, but a sum of hidden cells is not"),
            sums => format!("{outsiders}, but {sums} sums of hidden cells are not"),
        };
    }
    let (outsiders, but) = match TableVerdict::of(counts) {
        TableVerdict::Safe => (format!("{outsiders} from outsiders"), "but"),
        _ => (outsiders, "and"),
    };
    let contributors = match (exposed, undecided) {
        (0, undecided) => format!("{undecided} not proven safe from contributors"),
        (exposed, 0) => format!("contributors can expose {exposed} of the safe ones"),
        (exposed, undecided) => format!(
            "contributors can expose {exposed} of the safe ones, and {undecided} more are \
             not proven safe from them"
        ),
    };
    format!("{outsiders}, {but} {contributors}")
}

/// How many primaries that are safe from outsiders some single contributor can expose, and for
/// how many others that is undecided.
fn victims(attack: &ContributorAttack) -> (usize, usize) {
    let of = |undecided: bool| -> BTreeSet<CellId> {
        let findings = attack.unsafe_pairs.iter().map(|pair| &pair.finding);
        let chosen = findings.filter(|one| (one.verdict == Verdict::Undecided) == undecided);
        chosen.map(|finding| finding.cell).collect()
    };
    let exposed = of(false);
    let undecided = of(true).difference(&exposed).count();
    (exposed.len(), undecided)
}

/// How many single contributors learn too much, or are not proven not to.
fn dangerous(attack: &ContributorAttack) -> usize {
    let mut cells: Vec<_> = attack.unsafe_pairs.iter().map(|pair| pair.own_cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells.len()
}

/// Sorts by how bad a finding is: known exactly, then by how far it misses its levels.
fn worst_first<T>(found: impl IntoIterator<Item = T>, finding: impl Fn(&T) -> &Finding) -> Vec<T> {
    let mut worst: Vec<T> = found.into_iter().collect();
    worst.sort_by_key(|one| {
        let finding = finding(one);
        (finding.verdict, finding.slack(), finding.cell)
    });
    worst
}

/// Says how many were left out.
fn write_rest(out: &mut String, total: usize) -> fmt::Result {
    match total.saturating_sub(MOST_SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more: ask for CSV or JSON"),
    }
}

/// Writes rows as columns: the first `words` of them to the left, amounts to the right.
fn write_columns<const N: usize>(
    out: &mut String,
    rows: &[[String; N]],
    words: usize,
) -> fmt::Result {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or(0));
    for row in rows {
        let mut line = String::from(" ");
        for (column, (field, &width)) in row.iter().zip(&widths).enumerate() {
            if column < words {
                write!(line, " {field:<width$} ")?;
            } else {
                write!(line, " {field:>width$} ")?;
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A field of a CSV file, in quotes where RFC 4180 asks for them.
fn quoted(field: &str) -> std::borrow::Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}

/// The JSON form; its fields come in this order.
#[derive(Serialize)]
struct JsonReport<'a> {
    #[serde(serialize_with = "verdict_word")]
    verdict: TableVerdict,
    safe: bool,
    decided: bool,
    cells: usize,
    equations: usize,
    hidden: usize,
    primaries: usize,
    counts: JsonCounts,
    certificates: usize,
    findings: JsonFindings<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contributors: Option<JsonContributors>,
}

fn verdict_word<S: Serializer>(verdict: &TableVerdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}

#[derive(Serialize)]
struct JsonContributors {
    singletons: usize,
    attackers: usize,
    pairs: usize,
    unsafe_pairs: Vec<JsonPair>,
    unsafe_sums: Vec<JsonSum>,
}

#[derive(Serialize)]
struct JsonSum {
    cells: Vec<u32>,
    names: Vec<String>,
    verdict: &'static str,
}

#[derive(Serialize)]
struct JsonPair {
    own_cell: u32,
    own_cell_name: String,
    #[serde(flatten)]
    finding: JsonFinding,
}

#[derive(Serialize)]
struct JsonCounts {
    safe: usize,
    exposed_exactly: usize,
    exposed_within: usize,
    undecided: usize,
}

/// The findings, turned into JSON one by one: there may be hundreds of thousands.
struct JsonFindings<'a>(AuditReport<'a>);

#[derive(Serialize)]
struct JsonFinding {
    cell: u32,
    name: String,
    verdict: &'static str,
    required_down: String,
    proven_down: String,
    limit_down: Option<String>,
    required_up: String,
    proven_up: String,
    limit_up: Option<String>,
    required_width: String,
    slack: String,
}

impl JsonFinding {
    fn new(problem: &Problem, finding: &Finding) -> Self {
        let amount = |value: Value| problem.decimals().format(value);
        let limit = |value: Value| (value != Value::MAX).then(|| amount(value));
        Self {
            cell: finding.cell.0,
            name: problem.cell_name(finding.cell),
            verdict: finding.verdict.word(),
            required_down: amount(finding.down.required),
            proven_down: amount(finding.down.at_least),
            limit_down: limit(finding.down.at_most),
            required_up: amount(finding.up.required),
            proven_up: amount(finding.up.at_least),
            limit_up: limit(finding.up.at_most),
            required_width: amount(finding.width),
            slack: amount(finding.slack()),
        }
    }
}

impl Serialize for JsonFindings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let AuditReport { problem, audit, .. } = self.0;
        let mut sequence = serializer.serialize_seq(Some(audit.primaries.len()))?;
        for finding in &audit.primaries {
            sequence.serialize_element(&JsonFinding::new(problem, finding))?;
        }
        sequence.end()
    }
}

impl JsonContributors {
    fn new(problem: &Problem, attack: &ContributorAttack) -> Self {
        let pairs = attack.unsafe_pairs.iter().map(|pair| JsonPair {
            own_cell: pair.own_cell.0,
            own_cell_name: problem.cell_name(pair.own_cell),
            finding: JsonFinding::new(problem, &pair.finding),
        });
        let sums = attack.unsafe_sums.iter().map(|found| JsonSum {
            cells: found.sum.cells.iter().map(|cell| cell.0).collect(),
            names: found.sum.cells.iter().map(|&cell| problem.cell_name(cell)).collect(),
            verdict: found.verdict.word(),
        });
        Self {
            singletons: attack.singletons,
            attackers: attack.attackers,
            pairs: attack.pairs,
            unsafe_pairs: pairs.collect(),
            unsafe_sums: sums.collect(),
        }
    }
}

impl Serialize for AuditReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = self.audit.counts();
        JsonReport {
            verdict: self.verdict(),
            safe: self.verdict() == TableVerdict::Safe,
            decided: self.all_counts().undecided == 0,
            cells: self.problem.cell_count(),
            equations: self.problem.system().equation_count(),
            hidden: self.pattern.len(),
            primaries: self.audit.primaries.len(),
            counts: JsonCounts {
                safe: counts.safe,
                exposed_exactly: counts.exposed_exactly,
                exposed_within: counts.exposed_within,
                undecided: counts.undecided,
            },
            certificates: self.audit.certificates.len(),
            findings: JsonFindings(*self),
            contributors: self
                .contributors
                .map(|attack| JsonContributors::new(self.problem, attack)),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use quell_model::{
        Budget, Cell, CellId, Decimals, Labels, Protection, Reason, Silent, Status, SystemBuilder,
    };

    use super::*;
    use quell_attack::audit;

    /// Two rows and a total of each: `T = a + b` with both hidden, `U = c + d` with only
    /// `c` hidden. One decimal, levels of 1.0.
    fn table() -> Problem {
        let primary = Status::Primary(Reason::Given);
        let cell = |value, status, level| Cell {
            value,
            weight: 1.0,
            status,
            lower_bound: 0,
            upper_bound: 1000,
            protection: Protection { lower: level, upper: level, sliding: 0 },
        };
        let mut builder = SystemBuilder::new(6);
        builder.equation([(CellId(0), -1), (CellId(1), 1), (CellId(2), 1)], 0);
        builder.equation([(CellId(3), -1), (CellId(4), 1), (CellId(5), 1)], 0);
        let cells = [
            cell(300, Status::Safe, 0),
            cell(100, primary, 10),
            cell(200, primary, 250),
            cell(70, Status::Safe, 0),
            cell(40, primary, 10),
            cell(30, Status::Safe, 0),
        ];
        let names = ["T", "a, north", "b", "U", "c", "d"].map(String::from).to_vec();
        Problem::new(builder.build(), Decimals(1), cells).with_labels(Labels::Named(names))
    }

    fn audited(problem: &Problem, budget: &Budget) -> (Pattern, Audit) {
        let pattern = Pattern::of_primaries(problem);
        let audit = audit(problem, &pattern, budget, &Silent).unwrap();
        (pattern, audit)
    }

    #[test]
    fn the_text_names_the_worst_cells_first() {
        let problem = table();
        let (pattern, audit) = audited(&problem, &Budget::default());
        let text = AuditReport::new(&problem, &pattern, &audit).text();
        assert_eq!(
            text,
            "\
6 cells, 2 equations, 3 hidden: 3 primary, 0 secondary

  safe                    1
  exposed exactly         1
  exposed within          1
  undecided               0

NOT SAFE: 2 of 3 primaries are exposed

Distances from the true value: what a cell needs, and what is proven of an attacker's
bounds (<= at most, for exposed cells; >= at least, for undecided ones).

  cell  verdict          needs down      has  needs up      has  slack
  c     exposed exactly         1.0   <= 0.0       1.0   <= 0.0   -1.0
  b     exposed within         25.0  <= 20.0      25.0  <= 10.0  -15.0
"
        );
    }

    #[test]
    fn the_csv_has_a_line_a_primary() {
        let problem = table();
        let (pattern, audit) = audited(&problem, &Budget::default());
        let mut csv = Vec::new();
        AuditReport::new(&problem, &pattern, &audit).write_csv(&mut csv).unwrap();
        let text = String::from_utf8(csv).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], CSV_HEADER);
        assert!(lines[1].starts_with("1,\"a, north\",safe,1.0,"), "{text}");
        assert_eq!(lines[3], "4,c,exposed-exactly,1.0,0.0,0.0,1.0,0.0,0.0,0.0,-1.0");
    }

    #[test]
    fn the_json_has_exact_amounts_in_a_fixed_order() {
        let problem = table();
        let (pattern, audit) = audited(&problem, &Budget::default());
        let text = serde_json::to_string(&AuditReport::new(&problem, &pattern, &audit)).unwrap();
        assert!(
            text.starts_with(
                "{\"verdict\":\"not-safe\",\"safe\":false,\"decided\":true,\"cells\":6,\
                 \"equations\":2,\"hidden\":3,\"primaries\":3,\"counts\":{\"safe\":1,\
                 \"exposed_exactly\":1,\"exposed_within\":1,\"undecided\":0},\"certificates\":"
            ),
            "{text}"
        );
        assert!(
            text.ends_with(
                "{\"cell\":4,\"name\":\"c\",\"verdict\":\"exposed-exactly\",\
                 \"required_down\":\"1.0\",\"proven_down\":\"0.0\",\"limit_down\":\"0.0\",\
                 \"required_up\":\"1.0\",\"proven_up\":\"0.0\",\"limit_up\":\"0.0\",\
                 \"required_width\":\"0.0\",\"slack\":\"-1.0\"}]}"
            ),
            "{text}"
        );
    }

    #[test]
    fn what_is_not_settled_is_not_called_safe() {
        let mut problem = table();
        let mut statuses: Vec<Status> =
            problem.system().cells().map(|cell| problem.status(cell)).collect();
        statuses[2] = Status::Secondary;
        statuses[4] = Status::Safe;
        problem = problem.with_statuses(statuses);
        let pattern = Pattern::of_statuses(&problem);
        let budget = Budget::default().with_time(Duration::ZERO);
        let audit = audit(&problem, &pattern, &budget, &Silent).unwrap();
        let report = AuditReport::new(&problem, &pattern, &audit);
        assert_eq!(report.verdict(), TableVerdict::NotProven);
        let text = report.text();
        assert!(text.contains("NOT PROVEN: 1 of 1 primary not settled in the budget"), "{text}");
        assert!(text.contains("1 primary, 1 secondary"), "{text}");
        let json = serde_json::to_value(report).unwrap();
        assert_eq!((&json["safe"], &json["decided"]), (&false.into(), &false.into()));
        assert_eq!(json["verdict"], "not-proven");
    }

    #[test]
    fn a_table_without_primaries_is_safe() {
        let problem = table();
        let statuses = vec![Status::Safe; problem.cell_count()];
        let problem = problem.with_statuses(statuses);
        let (pattern, audit) = audited(&problem, &Budget::default());
        let report = AuditReport::new(&problem, &pattern, &audit);
        assert!(report.text().contains("SAFE: there is nothing to protect"));
    }
}
