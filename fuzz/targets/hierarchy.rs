//! Hierarchies in the forms of other tools: JSON, level names, level columns, parents.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quell_data::Text;
use quell_formats::hierarchy::{json, level_columns, level_names, merge, parents};

fuzz_target!(|bytes: &[u8]| {
    let text = Text::new("T.csv", bytes);
    let trees = [json(&text), level_names(&text), level_columns(&text, None), parents(&text)];
    let trees: Vec<_> = trees.into_iter().flatten().collect();
    for tree in &trees {
        let _ = (tree.depths(), tree.leaves(), tree.to_hierarchy("Total"));
    }
    let _ = merge(&trees, "Total");
});
