//! The order of the parts: no method imports another, and what methods share imports none.

use std::fs;
use std::path::{Path, PathBuf};

/// The source files under a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    files.collect()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

/// The modules that files of `methods/` are, with what each makes public.
fn methods() -> Vec<(String, Vec<String>)> {
    let list = fs::read_to_string(folder("methods/mod.rs")).expect("the list of methods");
    let exports = |module: &str| {
        let start = list.find(&format!("pub use self::{module}::"))?;
        let names = &list[start..start + list[start..].find(';')?];
        let names = names.rsplit("::").next()?.trim_matches(['{', '}', ' ', '\n']);
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        Some(names.map(str::to_owned).collect::<Vec<_>>())
    };
    let modules = list.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let with_exports = modules.map(|module| {
        (module.to_owned(), exports(module).unwrap_or_else(|| panic!("{module} exports nothing")))
    });
    with_exports.collect()
}

/// The method that a file of `methods/` belongs to.
fn method_of(path: &Path) -> String {
    let inside = path.strip_prefix(folder("methods")).expect("inside");
    let first = inside.components().next().expect("a name").as_os_str();
    first.to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The statements by which a file imports from this crate, without line breaks.
fn imports(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a source");
    let code: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()).collect();
    let code = code.join(" ");
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
    let own = |one: &&str| ["crate::", "super::"].iter().any(|from| one.starts_with(from));
    uses.filter(own).map(str::to_owned).collect()
}

/// The words of a statement.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

#[test]
fn no_method_imports_another() {
    let methods = methods();
    assert!(methods.len() > 10, "all methods are looked at");
    for path in sources(&folder("methods")) {
        let own = method_of(&path);
        // The list builds all; `auto` chooses among them.
        if own == "mod" || own == "auto" {
            continue;
        }
        for statement in imports(&path) {
            // Within a method's own folder, `super` is that folder.
            let others = methods.iter().filter(|(name, _)| *name != own);
            for (name, exports) in others {
                let from_crate = statement.starts_with("crate::");
                let module = from_crate && statement.contains(&format!("methods::{name}"));
                let from_list =
                    from_crate && words(&statement).any(|one| exports.iter().any(|e| e == one));
                let beside = statement.starts_with(&format!("super::{name}"))
                    && path.parent() == Some(folder("methods").as_path());
                assert!(
                    !(module || from_list || beside),
                    "{} imports {name}: {statement}",
                    path.display(),
                );
            }
        }
    }
}

#[test]
fn what_methods_share_knows_none_of_them() {
    let exports: Vec<String> = methods().into_iter().flat_map(|(_, exports)| exports).collect();
    for part in ["search", "bound", "genetic"] {
        for path in sources(&folder(part)) {
            let text = fs::read_to_string(&path).expect("a source");
            // Tests may compare with a method.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            assert!(!code.contains("crate::methods"), "{}", path.display());
            for statement in code.split("use crate::").skip(1).filter_map(|s| s.split(';').next()) {
                let method = words(statement).find(|one| exports.iter().any(|name| name == one));
                assert_eq!(method, None, "{} imports a method", path.display());
            }
        }
    }
}
