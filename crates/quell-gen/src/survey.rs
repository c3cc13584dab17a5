//! The business survey of a fictional country: microdata with everything that makes real
//! ones hard to protect.
//!
//! Few large firms and many small ones, industries and regions of very different size,
//! a division with a single group, holdings whose firms lie in several industries, and
//! weights, because small firms are sampled. Every turnover is domestic plus export.
//!
//! Nothing here describes a real country, firm or person.

use std::fmt::Write as _;

use quell_model::Random;

use crate::ParameterError;

/// The most firms.
const MOST_FIRMS: usize = 50_000_000;

/// A code of a classification: text, label, and how common its firms are. Only leaves
/// have a share.
struct Code(&'static str, &'static str, f64);

/// Sections, divisions and groups, like NACE.
const INDUSTRIES: [Code; 55] = [
    Code("A", "Farming and forestry", 0.0),
    Code("A01", "Farming", 0.0),
    Code("A011", "Crops", 5.0),
    Code("A012", "Livestock", 3.0),
    Code("A02", "Forestry", 0.0),
    Code("A021", "Forestry and logging", 1.2),
    Code("C", "Manufacturing", 0.0),
    Code("C10", "Food", 0.0),
    Code("C101", "Meat and fish", 1.6),
    Code("C102", "Bakeries", 3.5),
    Code("C103", "Dairies", 0.5),
    Code("C25", "Metal products", 0.0),
    Code("C251", "Structural metal", 3.0),
    Code("C252", "Tools", 1.0),
    Code("C26", "Electronics", 0.0),
    Code("C261", "Components", 0.7),
    Code("C262", "Instruments", 0.4),
    Code("C29", "Vehicles", 0.0),
    Code("C291", "Vehicles and parts", 0.35),
    Code("F", "Construction", 0.0),
    Code("F41", "Buildings", 0.0),
    Code("F411", "Housing", 6.0),
    Code("F412", "Other buildings", 3.0),
    Code("F43", "Building trades", 0.0),
    Code("F431", "Installation", 7.0),
    Code("F432", "Finishing", 6.0),
    Code("F433", "Roofing", 2.0),
    Code("G", "Trade", 0.0),
    Code("G45", "Motor trade", 0.0),
    Code("G451", "Sale of vehicles", 3.0),
    Code("G452", "Repair of vehicles", 5.0),
    Code("G46", "Wholesale", 0.0),
    Code("G461", "Food wholesale", 2.0),
    Code("G462", "Machinery wholesale", 1.5),
    Code("G463", "Fuel wholesale", 0.3),
    Code("G47", "Retail", 0.0),
    Code("G471", "Food retail", 8.0),
    Code("G472", "Clothing", 6.0),
    Code("G473", "Online retail", 2.0),
    Code("H", "Transport", 0.0),
    Code("H49", "Land transport", 0.0),
    Code("H491", "Rail", 0.15),
    Code("H492", "Road freight", 6.0),
    Code("H50", "Water transport", 0.0),
    Code("H501", "Shipping", 0.5),
    Code("H51", "Air transport", 0.0),
    Code("H511", "Airlines", 0.12),
    Code("J", "Information", 0.0),
    Code("J58", "Publishing", 0.0),
    Code("J581", "Books and press", 1.2),
    Code("J582", "Software publishing", 1.0),
    Code("J61", "Telecommunications", 0.0),
    Code("J611", "Telecommunications", 0.3),
    Code("J62", "Programming", 0.0),
    Code("J621", "Programming and advice", 5.0),
];

/// Parts of the country, regions and districts, like NUTS.
const REGIONS: [Code; 26] = [
    Code("Q1", "North", 0.0),
    Code("Q11", "Fells", 0.0),
    Code("Q111", "Hollin", 3.0),
    Code("Q112", "Sundal", 1.0),
    Code("Q12", "North Coast", 0.0),
    Code("Q121", "Marrick", 5.0),
    Code("Q122", "Skerry", 1.5),
    Code("Q123", "Out Isles", 0.4),
    Code("Q2", "Centre", 0.0),
    Code("Q21", "Capital", 0.0),
    Code("Q211", "Quellhaven", 22.0),
    Code("Q212", "Quellhaven East", 9.0),
    Code("Q213", "Quellhaven West", 11.0),
    Code("Q22", "Lakes", 0.0),
    Code("Q221", "Brenne", 6.0),
    Code("Q222", "Tarn", 3.0),
    Code("Q23", "Plain", 0.0),
    Code("Q231", "Alder", 7.0),
    Code("Q232", "Wick", 4.0),
    Code("Q3", "South", 0.0),
    Code("Q31", "Vale", 0.0),
    Code("Q311", "Lower Vale", 8.0),
    Code("Q312", "Upper Vale", 3.0),
    Code("Q32", "South Coast", 0.0),
    Code("Q321", "Port Ambry", 10.0),
    Code("Q322", "Saltings", 2.0),
];

/// Size classes by employees, with the sampling rate "one in …" of each.
const SIZES: [(&str, u32, u32); 4] =
    [("1-9", 1, 5), ("10-49", 10, 2), ("50-249", 50, 1), ("250+", 250, 1)];

const LEGAL_FORMS: [&str; 4] = ["sole", "partners", "limited", "public"];

/// The parameters of the survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// Firms in the sample.
    pub firms: usize,
}

/// One firm: amounts are in thousands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firm {
    /// Its number.
    pub id: u32,
    /// The number of the firm that heads its holding; its own if it is in none.
    pub holding: u32,
    /// Its industry, a group.
    pub industry: &'static str,
    /// Its region, a district.
    pub region: &'static str,
    /// Its size class.
    pub size: &'static str,
    /// Its legal form.
    pub legal_form: &'static str,
    /// Turnover at home.
    pub domestic: u32,
    /// Turnover abroad.
    pub export: u32,
    /// Employees.
    pub employees: u32,
    /// How many firms it stands for.
    pub weight: u32,
}

impl Firm {
    /// Turnover at home and abroad.
    pub fn turnover(&self) -> u64 {
        u64::from(self.domestic) + u64::from(self.export)
    }
}

impl Survey {
    /// The firms of a seed, in order of their numbers.
    ///
    /// # Errors
    /// If there are no firms, or more than fit.
    pub fn generate(&self, seed: u64) -> Result<Vec<Firm>, ParameterError> {
        if self.firms == 0 || self.firms > MOST_FIRMS {
            let expected = "between 1 and 50 million";
            return Err(ParameterError::new("firms", self.firms, expected));
        }
        let random = &mut Random::new(seed, 0);
        let mut firms: Vec<Firm> =
            (1..=self.firms as u32).map(|id| draw_firm(id, random)).collect();
        join_holdings(&mut firms, random);
        Ok(firms)
    }
}

fn draw_firm(id: u32, random: &mut Random) -> Firm {
    let industry = pick(&INDUSTRIES, random);
    let region = pick(&REGIONS, random);
    // A heavy tail: most firms have a handful of people, a few have thousands. A sample
    // has more of the larger ones, because the smaller are thinned.
    let tail = random.uniform().max(1e-6).powf(-0.95);
    let capital = industry.as_bytes()[0] == b'J' && region.starts_with("Q21");
    let employees = (1.8 * tail * if capital { 2.0 } else { 1.0 }).min(20_000.0) as u32 + 1;
    let (size, _, one_in) =
        SIZES.iter().rev().find(|(_, from, _)| employees >= *from).unwrap_or(&SIZES[0]);
    let per_head = 60.0 + 140.0 * random.uniform() * random.uniform() / 0.25;
    let trade = if industry.starts_with("G46") { 4.0 } else { 1.0 };
    let turnover = (f64::from(employees) * per_head * trade).min(f64::from(u32::MAX / 2)) as u32;
    let exporting = match industry.as_bytes()[0] {
        b'C' => 0.5,
        b'J' | b'H' => 0.3,
        b'A' | b'G' => 0.15,
        _ => 0.03,
    };
    let export = match random.chance(exporting) {
        true => (f64::from(turnover) * 0.8 * random.uniform()) as u32,
        false => 0,
    };
    let form = match employees {
        0..=4 => random.below(3),
        5..=249 => 1 + random.below(2),
        _ => 2 + random.below(2),
    };
    Firm {
        id,
        holding: id,
        industry,
        region,
        size,
        legal_form: LEGAL_FORMS[form],
        domestic: turnover - export,
        export,
        employees,
        weight: *one_in,
    }
}

/// A leaf, by its share.
fn pick(codes: &[Code], random: &mut Random) -> &'static str {
    let all: f64 = codes.iter().map(|code| code.2).sum();
    let mut at = random.uniform() * all;
    for Code(text, _, share) in codes {
        if *share > 0.0 && at < *share {
            return text;
        }
        at -= share;
    }
    // Rounding can leave a hair after the last one.
    codes[codes.len() - 1].0
}

/// One firm in twelve of those with ten or more employees belongs to a holding of two to
/// five firms anywhere in the file.
fn join_holdings(firms: &mut [Firm], random: &mut Random) {
    let mut members: Vec<usize> =
        (0..firms.len()).filter(|&firm| firms[firm].employees >= 10).collect();
    random.shuffle(&mut members);
    members.truncate(members.len() / 12);
    let mut rest = members.as_slice();
    while rest.len() >= 2 {
        let (group, others) = rest.split_at(rest.len().min(2 + random.below(4)));
        let head = group.iter().map(|&firm| firms[firm].id).min().unwrap_or_default();
        for &firm in group {
            firms[firm].holding = head;
        }
        rest = others;
    }
}

/// The firms as a CSV file with a header.
pub fn survey_csv(firms: &[Firm]) -> String {
    let mut text = String::from(
        "firm,holding,industry,region,size,legal_form,turnover,domestic,export,employees,weight\n",
    );
    for firm in firms {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "F{:06},F{:06},{},{},{},{},{},{},{},{},{}",
            firm.id,
            firm.holding,
            firm.industry,
            firm.region,
            firm.size,
            firm.legal_form,
            firm.turnover(),
            firm.domestic,
            firm.export,
            firm.employees,
            firm.weight
        );
    }
    text
}

/// A classification of the survey in the files of τ-ARGUS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    /// The variable.
    pub name: &'static str,
    /// The hierarchy (`.hrc`): one line for each code, one `@` for each level below the first.
    pub hierarchy: String,
    /// The labels (`.cdl`): `code,label`.
    pub labels: String,
}

/// The hierarchies of industry and region.
pub fn survey_classifications() -> [Classification; 2] {
    // The level of a code shows in its length.
    [("industry", &INDUSTRIES[..], [1, 3, 4]), ("region", &REGIONS[..], [2, 3, 4])].map(
        |(name, codes, lengths)| {
            let mut hierarchy = String::new();
            let mut labels = String::new();
            for Code(code, label, _) in codes {
                let level = lengths.iter().position(|&length| length == code.len()).unwrap_or(0);
                let _ = writeln!(hierarchy, "{}{code}", "@".repeat(level));
                let _ = writeln!(labels, "{code},{label}");
            }
            Classification { name, hierarchy, labels }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_survey() {
        let survey = Survey { firms: 300 };
        let csv = |seed| survey_csv(&survey.generate(seed).unwrap());
        assert_eq!(csv(1), csv(1));
        assert_ne!(csv(1), csv(2));
    }

    #[test]
    fn every_firm_has_codes_of_the_hierarchies_and_a_turnover_that_adds_up() {
        let firms = Survey { firms: 2_000 }.generate(3).unwrap();
        let [industry, region] = survey_classifications();
        let leaf = |hierarchy: &str, code: &str| {
            hierarchy.lines().any(|line| line.strip_prefix("@@") == Some(code))
        };
        for firm in &firms {
            assert!(leaf(&industry.hierarchy, firm.industry), "{}", firm.industry);
            assert!(leaf(&region.hierarchy, firm.region), "{}", firm.region);
            assert!(SIZES.iter().any(|size| size.0 == firm.size));
        }
        let holdings = firms.iter().filter(|firm| firm.holding != firm.id).count();
        assert!(holdings > 10, "{holdings} firms are in another's holding");
        let large = firms.iter().filter(|firm| firm.size == "250+").count();
        assert!((2..200).contains(&large), "{large} large firms of 2000");
    }

    #[test]
    fn no_firms_are_refused() {
        assert!(Survey { firms: 0 }.generate(1).is_err());
    }
}
