//! Recipes of `CONTRIBUTING.md` against code that is compiled and tested.

/// Asserts that a block of `CONTRIBUTING.md` that begins with `first` stands in a file of tests,
/// line by line and in order. Imports and visibilities differ, as the file is outside the crate.
pub fn assert_is_written(first: &str, file: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CONTRIBUTING.md");
    let page = std::fs::read_to_string(path).expect("CONTRIBUTING.md");
    let mut blocks = page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    let block = blocks.find(|block| block.trim_start().starts_with(first)).expect("the recipe");
    let is_same = |line: &&str| !line.is_empty() && !line.starts_with("use ");
    let mut code = file.lines().map(str::trim);
    let mut looked_at = 0;
    for line in block.lines().map(str::trim).filter(is_same) {
        let line = line.replace("pub(super) ", "");
        assert!(code.any(|one| one == line), "not in the tests, or not at its place: {line}");
        looked_at += 1;
    }
    assert!(looked_at > 20, "{looked_at} lines");
}
