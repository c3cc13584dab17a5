//! `.rda` files.

use quell_formats::argus::rda::{
    self, CellKeyKind, FieldPlace, FileName, HierarchySource, Layout, Role, Scaling,
};

use super::{text, wrong};

pub const FIXED: &str = "\
Year 1  2 99 \r\n  <RECODEABLE>\r\n  <DISTANCE>  1  2  3\r\n\
Nace 4  5 99999 \"88888\"\r\n\t<RECODABLE>\r\n\t<HIERARCHICAL>\r\n\t<HIERLEVELS>  3 1 1 0 0\r\n\
Region 12 2\r\n  <RECODEABLE>\r\n  <TOTCODE> \"All of it\"\r\n  <CODELIST> \"region.cdl\"\r\n\
  <HIERCODELIST> \"my region.hrc\"\r\n  <HIERLEADSTRING> \"@\"\r\n  <HIERARCHICAL>\r\n\
// a comment\r\n\
Weight 15 4 9999\r\n  <NUMERIC>\r\n  <DECIMALS>  1 \r\n  <WEIGHT>\r\n\
Turnover 19 9\r\n  <NUMERIC> // the response\r\n  <RECODEABLE>\r\n\
Request 99  1\r\n  <REQUEST>  \"1\" \"2\"\r\n\
Firm 100 6\r\n  <HOLDING>\r\n";

pub const TABLE: &str = "\
<SEPARATOR> \";\"\n<SAFE> \"V\"\n<UNSAFE> \"N\"\n<PROTECT> \"Z\"\n\
Reg \"99\"\n  <RECODEABLE>\n  <TOTCODE> \"Total\"\nSec\n  <RECODEABLE>\n\
Turn\n  <NUMERIC>\n  <DECIMALS> 2\nN\n  <FREQUENCY>\nSh\n  <NUMERIC> <SHADOW>\n\
Co\n  <NUMERIC><cost>\nT1\n  <MAXSCORE>\nT2\n  <MAXSCORE>\nSt\n  <STATUS>\n\
Lo\n  <NUMERIC> <LOWERPL>\nUp\n  <NUMERIC> <UPPERPL>\n";

pub const CELL_KEY: &str = "\
<SEPARATOR> \",\"\nSavings 4\n  <NUMERIC>\n  <CKM> T(3)\n  <INCLUDEZEROS> N\n  <SEPARATION> Y\n\
  <PARITY> N\n  <SCALING> F(0.03,0.30,1000,3,0.5,0.2)\nSex 1 9\n  <RECODABLE>\n  <IDLEVEL> 2\n\
  <SUPPRESSWEIGHT> 50\n  <TRUNCABLE>\nKey 10\n  <RECORDKEY>\n  <DECIMALS> 8\n  <PFILE> \"f.txt\"\n\
  <PFILE_CONT> \"c.txt\"\n  <PFILE_SEP> \"s.txt\"\nhouse 4\n  <HOUSE_ID>\n";

#[test]
fn fixed_width_metadata_have_places() {
    let metadata = rda::parse_micro(&text(FIXED)).unwrap();
    assert_eq!(metadata.layout, Layout::Fixed);
    let year = metadata.variable("YEAR").unwrap();
    assert_eq!((year.start, year.length, year.line), (Some(1), Some(2), 1));
    assert_eq!(year.distances, Some([1, 2, 3, 3, 3]));
    assert_eq!(year.total(), "Total");
    let nace = metadata.variable("nace").unwrap();
    assert_eq!(nace.hierarchy, Some(HierarchySource::Digits(vec![3, 1, 1])));
    assert_eq!(nace.missing, ["99999", "88888"]);
    let region = metadata.variable("Region").unwrap();
    let file = FileName { name: "my region.hrc".into(), line: 12 };
    assert_eq!(region.hierarchy, Some(HierarchySource::File { file, lead: "@".into() }));
    assert_eq!(region.total(), "All of it");
    assert_eq!(region.pad("1"), " 1");
    let weight = metadata.variable("weight").unwrap();
    assert_eq!((weight.role.as_ref(), weight.decimals), (Some(&Role::Weight), 1));
    assert!(!weight.is_response());
    let turnover = metadata.variable("turnover").unwrap();
    assert!(turnover.is_response() && turnover.categorical);
    let request = metadata.with_role(&Role::Request(Vec::new())).unwrap();
    assert_eq!(request.role, Some(Role::Request(vec!["1".into(), "2".into()])));
    assert_eq!(metadata.fields()[1], FieldPlace { name: "Nace", start: 3, length: 5 });
}

#[test]
fn table_metadata_have_roles_and_letters() {
    let metadata = rda::parse_table(&text(TABLE)).unwrap();
    assert_eq!(metadata.layout, Layout::Table(";".into()));
    assert_eq!(metadata.letters.unsafe_, "N");
    assert_eq!(metadata.position("turn"), Some(2));
    assert_eq!(metadata.with_role(&Role::Cost).unwrap().name, "Co");
    assert_eq!(metadata.with_role(&Role::Shadow).unwrap().name, "Sh");
    assert!(metadata.variable("Turn").unwrap().is_response());
    assert!(metadata.fields().is_empty());
}

#[test]
fn options_of_the_cell_key_method_and_of_mu_argus_are_known() {
    let metadata = rda::parse_micro(&text(CELL_KEY)).unwrap();
    let cell_key = metadata.variable("savings").unwrap().cell_key.clone().unwrap();
    assert_eq!(cell_key.kind, CellKeyKind::Top(3));
    assert!(cell_key.separation && !cell_key.parity);
    assert_eq!(
        cell_key.scaling,
        Some(Scaling::Flex {
            sigma0: 0.03,
            sigma1: 0.3,
            x_star: 1000.0,
            q: 3.0,
            epsilons: vec![0.5, 0.2]
        })
    );
    let sex = metadata.variable("sex").unwrap();
    assert_eq!((sex.identification, sex.suppression, sex.truncable), (2, Some(50), true));
    let key = metadata.with_role(&Role::RecordKey).unwrap();
    assert_eq!(key.perturbation.magnitude.as_ref().unwrap().name, "c.txt");
    assert_eq!(metadata.with_role(&Role::HouseholdId).unwrap().name, "house");
}

#[test]
fn spss_files_have_places_too() {
    let metadata = rda::parse_micro(&text("<SPSS>\nA 3 2\n <RECODEABLE>\n")).unwrap();
    assert_eq!(metadata.layout, Layout::Spss);
    assert_eq!(metadata.fields().len(), 1);
}

#[test]
fn a_misspelt_keyword_is_named_with_a_suggestion() {
    let error = rda::parse_micro(&text("A 1 2\n  <RECODBLE>\n")).unwrap_err();
    let mistake = error.mistake().unwrap();
    assert_eq!(
        mistake.to_string(),
        "t, line 2, column 3: found \"<RECODBLE>\", expected a keyword of metadata"
    );
    assert_eq!(mistake.advice, "did you mean <RECODABLE>?");
}

#[test]
fn mistakes_in_metadata_have_their_place() {
    let micro = |content: &str| wrong(rda::parse_micro(&text(content)));
    let table = |content: &str| wrong(rda::parse_table(&text(content)));
    let expect = |line, column, expected: &str| (line, column, expected.to_owned());
    assert_eq!(micro("A x 2"), expect(1, 3, "the first column, a number from 1"));
    assert_eq!(micro("A 1"), expect(1, 4, "the length, a number of columns"));
    assert_eq!(micro("A 1 0"), expect(1, 5, "the length, a number of columns"));
    assert_eq!(micro("A 1 2 999"), expect(1, 7, "a missing code no longer than the variable"));
    assert_eq!(micro("A 1 2 9 8 7"), expect(1, 11, "the end of the line"));
    assert_eq!(
        micro("A 1 2\n<HIERLEVELS> 1 2"),
        expect(2, 14, "digits that add up to the length, 2")
    );
    assert_eq!(micro("A 1 2\n<HIERARCHICAL>").0, 1);
    assert_eq!(micro("A 1 2\na 3 2"), expect(2, 1, "a name not used before"));
    assert_eq!(micro("A 1 2\n<WEIGHT>\nB 3 2\n<WEIGHT>").0, 3);
    assert_eq!(micro("<NUMERIC>\nA 1 2"), expect(1, 1, "the first variable"));
    assert_eq!(micro("A 1 2\n<SEPARATOR> \";\""), expect(2, 1, "an option of a variable"));
    assert_eq!(micro("A 1 2\n<FREQUENCY>"), expect(2, 1, "an option of microdata metadata"));
    assert_eq!(micro("A 1 2\n<DECIMALS> 16"), expect(2, 12, "a number of decimals up to 15"));
    assert_eq!(micro("A 1 2\n<PARITY> Y"), expect(2, 1, "<CKM> before it"));
    assert_eq!(micro("A 1 2\n<REQUEST>").0, 2);
    assert_eq!(micro("A 1 2\n<NUMERIC> x"), expect(2, 11, "the end of the line"));
    assert_eq!(micro("\n\n"), expect(1, 1, "a variable"));
    assert_eq!(table("A\n<RECODEABLE>\n"), expect(2, 13, "a response or frequency"));
    assert_eq!(table("A\n<WEIGHT>"), expect(2, 1, "an option of table metadata"));
    assert_eq!(table("A\n<TOTCODE>\n"), expect(2, 10, "the code of the total"));
    assert_eq!(table("A \"b"), expect(1, 3, "a closing quote"));
}
