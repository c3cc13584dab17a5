//! Mistakes in files are shown with the user's line and a caret.

use crate::runner::Folder;

/// What the command says about a JJ file with these contents.
fn complaint(text: &str) -> String {
    let folder = Folder::new();
    folder.write("T.jj", text);
    let outcome = folder.quell("convert T.jj out.jj");
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{}", outcome.err);
    outcome.err
}

#[test]
fn the_line_is_shown_with_a_caret() {
    let text = complaint("0\n1\n0 3,5 1 s 0 9 0 0 0\n0\n");
    assert_eq!(
        text.trim_end(),
        "  × T.jj, line 3, column 3: found \"3,5\", expected its value, a number\n   \
         ╭─[T.jj:3:3]\n \
         3 │ 0 3,5 1 s 0 9 0 0 0\n   \
         ·   ─┬─\n   \
         ·    ╰── here\n   \
         ╰────\n  \
         help: write numbers as 12, -3.5 or 1e6, with a decimal point and no\n        \
         thousands separators"
    );
}

#[test]
fn of_a_long_line_only_the_part_around_the_mistake_is_shown() {
    let cells: String = (0..3000).map(|i| format!("{i} 0 1 s 0 9 0 0 0\n")).collect();
    let mut parts: Vec<String> = (0..3000).map(|i| format!("{i} (1)")).collect();
    parts[1500] = "1500 [1)".to_owned();
    let text = complaint(&format!("0\n3000\n{cells}1\n0 3000 : {}\n", parts.join(" ")));
    assert!(text.contains("T.jj:3004:"), "{text}");
    assert!(text.contains("1500 [1)"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
    let column: usize =
        text.split("T.jj:3004:").nth(1).unwrap().split(']').next().unwrap().parse().unwrap();
    assert!(text.contains(&format!("column {column}:")), "{text}");
}

#[test]
fn what_is_missing_is_shown_where_it_should_stand() {
    let text = complaint("0\n1\n0 3 1 s 0 9 0 0\n0\n");
    assert!(text.contains("T.jj:3:16"), "{text}");
    assert!(text.contains("the end of the line"), "{text}");
    let text = complaint("0\n2\n0 3 1 s 0 9 0 0 0\n");
    assert!(text.contains("T.jj:4:1"), "{text}");
    assert!(text.contains("the file is cut off"), "{text}");
    assert!(complaint("").contains("T.jj:1:1"));
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let folder = Folder::new();
    std::fs::write(folder.path("T.jj"), b"0\n1\n0 \xff\xfe\0 1 s 0 9 0 0 0\n0\n").unwrap();
    let outcome = folder.quell("convert T.jj out.jj");
    assert_eq!(outcome.code, 1);
    assert!(outcome.err.contains("T.jj:3:3"), "{}", outcome.err);
}

#[test]
fn both_files_of_a_pair_are_named_in_their_mistakes() {
    let folder = Folder::new();
    folder.write("T.cells.csv", "cell,value\na,1\nb,x\n");
    folder.write("T.equations.csv", "equation,cell,coefficient\n1,c,1\n");
    let outcome = folder.quell("convert T.csv out.jj");
    assert!(outcome.err.contains("T.cells.csv:3:3"), "{}", outcome.err);
    folder.write("T.cells.csv", "cell,value\na,1\nb,2\n");
    let outcome = folder.quell("convert T.csv out.jj");
    assert!(outcome.err.contains("T.equations.csv:2:3"), "{}", outcome.err);
}

#[test]
fn a_wrong_frequency_file_is_a_mistake_too() {
    let folder = Folder::new();
    folder.write("T.jj", "0\n1\n0 3 1 s 0 9 0 0 0\n0\n");
    folder.write("T.frq", "1 1\n2 2\n");
    let outcome = folder.quell("convert T.jj out.jj");
    assert_eq!(outcome.code, 1);
    assert!(outcome.err.contains("T.frq:2:1"), "{}", outcome.err);
}

#[test]
fn many_faults_are_counted_and_the_first_shown() {
    let cells: String = (0..30).map(|i| format!("{i} 5 1 s 0 3 0 0 0\n")).collect();
    let text = complaint(&format!("0\n30\n{cells}0\n"));
    assert_eq!(text.matches("outside its bounds").count(), 10, "{text}");
    assert!(text.contains("T.jj has 20 more such faults"), "{text}");
}
