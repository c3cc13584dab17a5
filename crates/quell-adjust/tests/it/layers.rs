//! The order of the parts: no method imports another; only `auto` chooses among them.

use std::fs;
use std::path::Path;

#[test]
fn no_method_imports_another() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/methods");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("the methods") {
        let path = entry.expect("a file").path();
        if path.ends_with("mod.rs") || path.ends_with("auto.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for import in ["crate::methods", "super::"] {
            assert!(!code.contains(import), "{} uses {import}", path.display());
        }
        seen += 1;
    }
    assert!(seen > 5, "all methods are looked at");
}
