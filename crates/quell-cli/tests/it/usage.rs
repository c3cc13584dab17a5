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
