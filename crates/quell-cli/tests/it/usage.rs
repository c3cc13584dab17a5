//! Help, versions and wrong usage.

use crate::runner::Folder;

#[test]
fn help_names_the_sub_commands_and_exit_codes() {
    let text = Folder::new().done("--help");
    for words in
        ["audit", "unpick", "exposure", "generate", "convert", "Exit codes:", "not proven safe"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let text = Folder::new().done("generate ons --help");
    for words in ["--dims", "--preset", "--primary-share", "--p-percent", "--seed", "--out"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(Folder::new().done("--version").starts_with("quell "));
}

#[test]
fn wrong_usage_is_wrong_input() {
    for arguments in
        ["", "nonsense", "convert", "convert a b c", "generate", "generate ons", "audit"]
    {
        let outcome = Folder::new().quell(arguments);
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "quell {arguments}");
        assert!(outcome.err.contains("Usage"), "quell {arguments}: {}", outcome.err);
    }
}

/// With this table the solver would print lines of its own between those of the command.
#[test]
fn nothing_but_the_answer_is_printed() {
    let folder = Folder::new();
    folder.write(
        "T.jj",
        "0\n9\n0 -11 1 m -1e30 -2 0 0 0\n1 -4 1 u -1e30 23 4 6 0\n2 20 1 u -2 48 9 8 0\n\
         3 -14 1 u -1e30 2 4 2 0\n4 0 1 m -1e30 49 0 0 0\n5 16 1 u -1e30 56 1 5 0\n\
         6 -10 1 m -38 1e30 0 0 0\n7 -19 1 m -1e30 23 0 0 0\n8 6 1 m -1e30 48 0 0 0\n3\n\
         30 7 : 7 (-1) 2 (2) 5 (1) 8 (-1) 4 (3) 3 (2) 0 (1)\n9 4 : 1 (2) 0 (-1) 4 (-1) 8 (1)\n\
         -42 3 : 4 (1) 0 (2) 6 (2)\n",
    );
    for command in
        ["suppress T.jj --method kelly-ilp", "suppress T.jj --method exact", "audit T.jj"]
    {
        let outcome = folder.quell(&format!("{command} --json"));
        let json: Result<serde_json::Value, _> = serde_json::from_str(&outcome.out);
        assert!(json.is_ok(), "{command}: {}", outcome.out);
    }
}
