//! What the auditor found: the verdict, and how much protection there is to spare.

use maud::{Markup, PreEscaped, html};
use quell_attack::{Finding, TableVerdict, Verdict};
use quell_model::{Pattern, Value};

use super::figures::{self, count, counted};
use super::{Audience, ReleaseReport};
use crate::release::SuppressedTables;
use crate::tested_against;

/// The most cells listed one by one.
const MOST_LISTED: usize = 40;

/// How the protection of a cell compares with what it needs. Coarse on purpose: a finer
/// scale would let a reader of the rules work back to the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spare {
    Exposed,
    Undecided,
    Enough,
    Ample,
    Plenty,
    Unneeded,
}

impl Spare {
    const ALL: [Self; 6] =
        [Self::Exposed, Self::Undecided, Self::Enough, Self::Ample, Self::Plenty, Self::Unneeded];

    fn of(finding: &Finding) -> Self {
        match finding.verdict {
            Verdict::ExposedExactly | Verdict::ExposedWithin => return Self::Exposed,
            Verdict::Undecided => return Self::Undecided,
            Verdict::Safe => {}
        }
        let down = (finding.down.at_least, finding.down.required);
        let up = (finding.up.at_least, finding.up.required);
        let width = (down.0.saturating_add(up.0), finding.width);
        let times = |(has, needs): (Value, Value)| (needs > 0).then(|| has as f64 / needs as f64);
        let least = [down, up, width].into_iter().filter_map(times).reduce(f64::min);
        match least {
            None => Self::Unneeded,
            Some(times) if times < 2.0 => Self::Enough,
            Some(times) if times < 5.0 => Self::Ample,
            Some(_) => Self::Plenty,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Exposed => "exposed",
            Self::Undecided => "undecided",
            Self::Enough => "one to two times what is needed",
            Self::Ample => "two to five times",
            Self::Plenty => "more than five times",
            Self::Unneeded => "asks for no width",
        }
    }
}

/// The verdict, first thing on the page.
pub fn verdict(report: &ReleaseReport<'_>) -> Markup {
    let protected = report.protected;
    let counts = protected.audit.counts();
    let all = protected.audit.primaries.len();
    let (class, picture) = match protected.verdict() {
        TableVerdict::Safe => ("safe", "M14 23l6 6 12-13"),
        TableVerdict::NotSafe => ("not-safe", "M15 15l14 14M29 15L15 29"),
        TableVerdict::NotProven => ("not-proven", "M22 12v12M22 30v1"),
    };
    let picture = format!(
        "<svg viewBox=\"0 0 44 44\" aria-hidden=\"true\"><path d=\"M22 3l16 6v12c0 10-7 17-16 20C13 38 6 31 6 21V9z\" \
         fill=\"currentColor\" opacity=\".14\"/><path d=\"{picture}\" fill=\"none\" stroke=\"currentColor\" \
         stroke-width=\"3.2\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/></svg>"
    );
    html! {
        div class={ "card verdict " (class) } {
            (PreEscaped(picture))
            div {
                strong { (protected.verdict()) }
                p {
                    @match (protected.verdict(), report.audience) {
                        (TableVerdict::Safe, Audience::Public) => {
                            "An auditor who trusts nobody proved of every sensitive cell that an attacker cannot come closer than the rules allow."
                        }
                        (TableVerdict::NotSafe, Audience::Public) => {
                            "Sensitive cells can be worked out too closely."
                        }
                        (TableVerdict::NotProven, Audience::Public) => {
                            "Not all sensitive cells were settled in the time given. What is not proven is not called safe."
                        }
                        (TableVerdict::Safe, _) if all == 0 => { "There is nothing to protect." }
                        (TableVerdict::Safe, _) if all == 1 => {
                            "An auditor who trusts nobody proved of the only sensitive cell that an attacker cannot come closer than the rules allow."
                        }
                        (TableVerdict::Safe, _) => {
                            "An auditor who trusts nobody proved of all " (counted(all, "sensitive cell"))
                            " that an attacker cannot come closer than the rules allow."
                        }
                        (TableVerdict::NotSafe, _) => {
                            (count(counts.exposed_exactly + counts.exposed_within)) " of "
                            (counted(all, "sensitive cell")) " can be worked out too closely."
                        }
                        (TableVerdict::NotProven, _) => {
                            (count(counts.undecided)) " of " (counted(all, "sensitive cell"))
                            " could not be settled in the time given. What is not proven is not called safe."
                        }
                    }
                }
            }
        }
    }
}

/// The audit in detail; for the public no more than the verdicts counted.
pub fn section(report: &ReleaseReport<'_>) -> Markup {
    let audit = &report.protected.audit;
    let mut classes: Vec<(Spare, &Finding)> =
        audit.primaries.iter().map(|finding| (Spare::of(finding), finding)).collect();
    classes.sort_by_key(|(spare, finding)| (*spare, finding.cell));
    let number = |spare: Spare| classes.iter().filter(|(class, _)| *class == spare).count();
    let most = Spare::ALL.into_iter().map(number).max().unwrap_or(0);
    html! {
        h2 { "What an attacker can learn" }
        p.soft {
            "The auditor knows every published cell, every equation and the bounds that an attacker is granted. It works on the release itself and never asks the method that chose what is hidden. What it calls safe rests on "
            @match report.audience {
                Audience::Office => { (counted(audit.certificates.len(), "certificate")) ", " }
                Audience::Public => { "certificates, " }
            }
            "each checked in exact arithmetic."
        }
        p { "The release was " (tested_against(&report.protected.problem)) "." }
        @if report.audience == Audience::Office && !classes.is_empty() {
            (before_and_after(report.protected))
            div.card {
                h3 { "Protection proven, as a multiple of what each cell needs" }
                div.bars {
                    @for spare in Spare::ALL.into_iter().filter(|&spare| number(spare) > 0) {
                        div.row {
                            div.name { (spare.words()) }
                            (figures::bar(number(spare), most))
                            div.count { (count(number(spare))) }
                        }
                    }
                }
                details {
                    summary { "The tightest cells" }
                    div.scroll { table {
                        tr { th { "cell" } th { "verdict" } th { "protection" } }
                        @for (spare, finding) in classes.iter().take(MOST_LISTED) {
                            tr {
                                td { (report.protected.problem.cell_name(finding.cell)) }
                                td { (finding.verdict.word().replace('-', " ")) }
                                td { (spare.words()) }
                            }
                        }
                    } }
                    @if classes.len() > MOST_LISTED {
                        p.small.soft { "All others, " (count(classes.len() - MOST_LISTED)) ", are at least as well protected." }
                    }
                }
            }
        }
    }
}

/// What can be learned of the sensitive cells if nothing is hidden, if only they are, and as it is
/// released.
fn before_and_after(protected: &SuppressedTables) -> Markup {
    let problem = &protected.problem;
    let all = protected.audit.primaries.len();
    // What falls to subtraction is found in no time; there may be more.
    let unpicked = quell_attack::unpick(problem, &Pattern::of_primaries(problem));
    let fallen = unpicked.exposures.len();
    let counts = protected.contributors.counts_with(protected.audit.counts());
    let exposed = counts.exposed_exactly + counts.exposed_within;
    let most = all.max(1);
    let row = |name: &str, number: usize, words: &str| {
        html! {
            div.row {
                div.name { (name) }
                (figures::bar(number, most))
                div.count { (words) (count(number)) }
            }
        }
    };
    html! {
        div.card {
            h3 { "Sensitive cells that can be worked out" }
            div.bars {
                (row("nothing hidden", all, ""))
                (row("only they hidden", fallen, "at least "))
                (row("as released", exposed, ""))
                @if counts.undecided > 0 { (row("not settled", counts.undecided, "")) }
            }
        }
    }
}
