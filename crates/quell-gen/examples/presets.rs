//! Generates every preset of the ONS class and compares its primaries with the paper.

use std::time::Instant;

fn main() {
    println!("{:>14} {:>9} {:>9} {:>9} {:>7}", "table", "cells", "primaries", "paper", "seconds");
    for preset in quell_gen::PRESETS {
        let start = Instant::now();
        let problem = preset.parameters().generate(1).expect("presets are sound");
        println!(
            "{:>14} {:>9} {:>9} {:>9} {:>7.2}",
            preset.name,
            problem.cell_count(),
            problem.primaries().count(),
            preset.primaries,
            start.elapsed().as_secs_f64()
        );
    }
}
