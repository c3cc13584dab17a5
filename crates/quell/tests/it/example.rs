//! The example `library` does what it says.

#[path = "../../../../examples/library.rs"]
mod library;

#[test]
fn the_example_of_the_library_runs() {
    library::main().unwrap();
}
