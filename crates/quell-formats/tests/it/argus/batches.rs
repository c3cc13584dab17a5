//! `.arb` files.

use quell_formats::argus::arb::{
    AprioriFile, Command, Cost, Method, OutputFormat, RecodeBy, TableSpec, Totals, WriteOptions,
};

use super::{batch, text, wrong};

pub const MICRO: &str = "\
// A batch\r\n<LOGBOOK> \"my log.txt\"\r\n<OPENMICRODATA> \"firms.asc\"\r\n<OPENMETADATA> firms.rda\r\n\
<SPECIFYTABLE> \"Size\"\"Region\"|\"Turnover\"|\"Shadow\"|\"Cost\",0.5\r\n\
<SAFETYRULE> P(15,1)|P(0,0)|NK(3,75)|FREQ(3,30)|ZERO(20)|REQ(15,10,3,20)|WGT(1)|MIS(0)|MAN(20)|\r\n\
<SPECIFYTABLE> \"Region\"|<freq>||-2\r\n<SAFETYRULE> FREQ(4,20)\r\n<READMICRODATA>\r\n\
<APRIORY> \"a.hst\",1,\";\"\r\n<APRIORI> \"b.hst\", 2, \"|\", 0, 1\r\n\
<RECODE> 1, Size, \"size.grc\"\r\n<RECODE> 2,Region,2\r\n<SOLVER> cplex,\"access.ilm\"\r\n\
<SUPPRESS> MOD(1,5,1,1,0,20000,0.8,1.2)\r\n<SUPPRESS> GH(2,75,0,1)\r\n<SUPPRESS> MOD(0)\r\n\
<SUPPRESS> OPT(1,10)\r\n<SUPPRESS> NET(2,1,1)\r\n<SUPPRESS> RND(2,5,0,10,0,3,1)\r\n\
<SUPPRESS> CTA(1)\r\n<SUPPRESS> CKM(1) \"c.txt\" | | 2.7\r\n\
<WRITETABLE> (1, 3, AS+FL+, \"out 1.txt\")\r\n<WRITETABLE> (1,3,3,\"old.txt\")\r\n\
<WRITETABLE> (2,5,,\"out.tab\")\r\n<VERSIONINFO> \"v.txt\"\r\n<SILENT>\r\n<GOINTERACTIVE>\r\n";

pub const TABLES: &str = "\
<OPENTABLEDATA> \"a.tab\"\n<OPENMETADATA> \"a.rda\"\n<SPECIFYTABLE> \"A\"\"B\"|\"R\"\n<READTABLE> 1T\n\
<SUPPRESS> GH(1)\n<WRITETABLE> (1,1,AS+QU-,\"a.csv\")\n<CLEAR>\n\
<OPENTABLEDATA> \"b.tab\"\n<OPENMETADATA> \"b.rda\"\n<SPECIFYTABLE> \"A\"|\"R\"||\n<SAFETYRULE>\n\
<OPENTABLEDATA> \"c.tab\"\n<OPENMETADATA> \"c.rda\"\n<SPECIFYTABLE> \"A\"|\"R\"||-3\n<READTABLE>\n\
<COVER>\n<SUPPRESS> MOD(0)\n";

fn commands(content: &str) -> Vec<Command> {
    let steps = batch(&text(content)).expect("a good batch");
    steps.into_iter().map(|step| step.command).collect()
}

#[test]
fn every_command_is_read_with_its_arguments() {
    let steps = batch(&text(MICRO)).unwrap();
    assert_eq!(steps[0].line, 2);
    let commands: Vec<Command> = steps.into_iter().map(|step| step.command).collect();
    assert_eq!(commands[0], Command::Logbook("my log.txt".into()));
    assert_eq!(commands[2], Command::OpenMetadata("firms.rda".into()));
    assert_eq!(
        commands[3],
        Command::SpecifyTable(TableSpec {
            explanatory: vec!["Size".into(), "Region".into()],
            response: Some("Turnover".into()),
            shadow: Some("Shadow".into()),
            cost: Cost::Variable("Cost".into()),
            lambda: 0.5,
        })
    );
    let Command::SafetyRule(rules) = &commands[4] else { panic!("{:?}", commands[4]) };
    assert_eq!((rules.weighted, rules.missing_is_safe, rules.manual_margin), (true, false, 20.0));
    let written: Vec<_> = rules.rules.iter().map(|rule| rule.keyword).collect();
    assert_eq!(written, ["P", "P", "NK", "FREQ", "ZERO", "REQ"]);
    assert_eq!(rules.rules[5].parameters[2], ("minimum", 3.0));
    let Command::SpecifyTable(second) = &commands[5] else { panic!("{:?}", commands[5]) };
    assert_eq!((second.response.as_ref(), &second.cost), (None, &Cost::Unity));
    assert_eq!(
        commands[9],
        Command::Apriori(AprioriFile {
            file: "b.hst".into(),
            table: 2,
            separator: "|".into(),
            ignore_errors: false,
            expand_trivial: true,
        })
    );
    let size = RecodeBy::File("size.grc".into());
    assert_eq!(commands[10], Command::Recode { table: 1, variable: "Size".into(), by: size });
    let region = RecodeBy::Level(2);
    assert_eq!(commands[11], Command::Recode { table: 2, variable: "Region".into(), by: region });
    assert_eq!(
        commands[12],
        Command::Solver { name: "CPLEX".into(), licence: Some("access.ilm".into()) }
    );
}

#[test]
fn every_method_is_read_with_its_arguments() {
    let commands = commands(MICRO);
    let methods: Vec<_> = commands
        .iter()
        .filter_map(|command| match command {
            Command::Suppress { table, method } => Some((*table, method.clone())),
            _ => None,
        })
        .collect();
    let modular = |minutes, flags: [Option<bool>; 3], numbers: [Option<f64>; 3]| Method::Modular {
        minutes,
        singleton_singleton: flags[0],
        singleton_multiple: flags[1],
        minimum_frequency: flags[2],
        scaling_cost: numbers[0],
        lower_margin: numbers[1],
        upper_margin: numbers[2],
    };
    let flags = [Some(true), Some(true), Some(false)];
    let numbers = [Some(20_000.0), Some(0.8), Some(1.2)];
    assert_eq!(methods[0], (Some(1), modular(Some(5), flags, numbers)));
    assert_eq!(
        methods[1],
        (Some(2), Method::Hypercube { bound: Some(75.0), size: Some(0), singleton: Some(true) })
    );
    assert_eq!(methods[2], (None, modular(None, [None; 3], [None; 3])));
    assert_eq!(methods[3], (Some(1), Method::Optimal { minutes: Some(10) }));
    assert_eq!(methods[4], (Some(2), Method::Network));
    assert_eq!(
        methods[5].1,
        Method::Rounding {
            base: 5,
            steps: Some(0),
            minutes: Some(10),
            partitions: Some(false),
            stop: Some(3),
            unit_cost: Some(true)
        }
    );
    assert_eq!(methods[6].1, Method::Adjustment);
    assert_eq!(
        methods[7].1,
        Method::CellKey { table: Some("c.txt".into()), separate: None, mu_c: Some(2.7) }
    );
}

#[test]
fn output_options_are_letters_or_the_numbers_of_old() {
    let written: Vec<_> = commands(MICRO)
        .into_iter()
        .chain(commands(TABLES))
        .filter_map(|command| match command {
            Command::WriteTable { format, options, file, .. } => Some((format, options, file)),
            _ => None,
        })
        .collect();
    let code_value = WriteOptions::of(OutputFormat::CodeValue);
    let first = WriteOptions { status: true, first_line: true, ..code_value };
    assert_eq!(written[0], (OutputFormat::CodeValue, first, "out 1.txt".into()));
    let old = WriteOptions { status: true, suppress_empty: true, ..code_value };
    assert_eq!(written[1].1, old);
    assert_eq!(written[2].1, WriteOptions::of(OutputFormat::Intermediate));
    assert!(written[2].1.quotes && !written[3].1.quotes && written[3].1.status);
}

#[test]
fn tables_are_read_without_rules_and_several_at_once() {
    let commands = commands(TABLES);
    let keep = Command::ReadTable { totals: Totals::Recompute, keep_status: true };
    assert_eq!(commands[3], keep);
    let Command::SafetyRule(rules) = &commands[10] else { panic!("{:?}", commands[10]) };
    assert!(rules.rules.is_empty());
}

#[test]
fn an_unknown_command_is_named_with_its_line() {
    let error = batch(&text("\n// x\n<WRITETABEL> (1,1,,\"f\")\n")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t, line 3, column 1: found \"<WRITETABEL>\", expected a command of a batch"
    );
    assert_eq!(error.mistake().unwrap().advice, "did you mean <WRITETABLE>?");
}

#[test]
fn commands_that_come_too_early_are_refused() {
    let refused = |content: &str| {
        let (line, _, expected) = wrong(batch(&text(content)));
        (line, expected)
    };
    let micro = "<OPENMICRODATA> m\n<OPENMETADATA> r\n<SPECIFYTABLE> \"A\"|\"R\"\n";
    let ruled = &format!("{micro}<SAFETYRULE> P(10)\n");
    let expect = |line: usize, expected: &str| (line, expected.to_owned());
    assert_eq!(refused("<OPENMETADATA> r"), expect(1, "data to be opened before it"));
    assert_eq!(
        refused("<OPENMICRODATA> m\n<SPECIFYTABLE> \"A\"|\"R\""),
        expect(2, "metadata and complete tables before it")
    );
    assert_eq!(
        refused(&format!("{micro}<READMICRODATA>")),
        expect(4, "a table with rules before it")
    );
    assert_eq!(refused(&format!("{ruled}<SAFETYRULE> P(5)")), expect(5, "a table before it"));
    assert_eq!(refused(&format!("{ruled}<SUPPRESS> MOD(1)")), expect(5, "table 1 read before it"));
    assert_eq!(
        refused(&format!("{ruled}<READMICRODATA>\n<SUPPRESS> MOD(2)")),
        expect(6, "table 1, the only one specified before it")
    );
    assert_eq!(
        refused(&format!("{ruled}<READTABLE>")),
        expect(5, "<READMICRODATA>, as the data are microdata")
    );
    assert_eq!(refused("<WRITETABLE> (1,1,,\"f\")"), expect(1, "a table specified before it"));
    assert_eq!(refused(&format!("{ruled}<OPENMICRODATA> n")), expect(5, "no data open"));
    let cleared = format!("{ruled}<READMICRODATA>\n<CLEAR>\n<SUPPRESS> MOD(1)");
    assert_eq!(refused(&cleared), expect(7, "a table specified before it"));
    let tabular = "<OPENTABLEDATA> t\n<OPENMETADATA> r\n<SPECIFYTABLE> \"A\"|\"R\"\n<READTABLE>\n";
    assert_eq!(
        refused(&format!("{tabular}<RECODE> 1,A,2")),
        expect(5, "microdata: tables cannot be recoded")
    );
}

#[test]
fn wrong_arguments_have_their_place() {
    let start = "<OPENMICRODATA> m\n<OPENMETADATA> r\n<SPECIFYTABLE> \"A\"|\"R\"\n\
                 <SAFETYRULE> P(10)\n<READMICRODATA>\n";
    let refused = |command: &str| {
        let (line, column, expected) = wrong(batch(&text(&format!("{start}{command}\n"))));
        assert_eq!(line, 6, "{command}");
        (column, expected)
    };
    let expect = |column: usize, expected: &str| (column, expected.to_owned());
    assert_eq!(refused("<SUPPRESS> MDO(1)"), expect(12, "a method of suppression"));
    assert_eq!(refused("<SUPPRESS> OPT(0)"), expect(16, "the number of a table, from 1"));
    assert_eq!(refused("<SUPPRESS> OPT(1,2,3)"), expect(20, "no more arguments"));
    assert_eq!(refused("<SUPPRESS> OPT(1"), expect(17, "\",\""));
    assert_eq!(refused("<SUPPRESS> RND(1)"), expect(12, "a rounding base"));
    assert_eq!(refused("<SUPPRESS> GH(1,75,0,2)"), expect(22, "0 or 1"));
    assert_eq!(refused("<WRITETABLE> (1,8,,\"f\")"), expect(17, "a type of output, 1 to 7"));
    assert_eq!(refused("<WRITETABLE> (1,1,XX+,\"f\")"), expect(19, "options like AS+QU-"));
    assert_eq!(refused("<WRITETABLE> (0,1,,\"f\")"), expect(15, "the number of a table, from 1"));
    assert_eq!(refused("<APRIORI> \"f\",1,;"), expect(17, "a separator in quotes"));
    assert_eq!(refused("<RECODE> 1, Size"), expect(17, "\",\""));
    assert_eq!(refused("<SOLVER> GUROBI"), expect(10, "FREE, CPLEX or XPRESS"));
    assert_eq!(refused("<SUPPRESS> MOD(1) x"), expect(19, "the end of the line"));
    assert_eq!(refused("<LOGBOOK>"), expect(10, "the name of a file"));
}
