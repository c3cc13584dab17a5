//! Tables 3 and 4 of serpell-2011 on generated tables of the same shapes, the paper's
//! figures beside ours.
//!
//! Costs of random tables with so heavy a tail do not compare across instances; methods are
//! to be compared on the same table.

use std::error::Error;

use clap::Args;

use crate::methods::VARIANTS;
use crate::protected::{Limits, Row, counts};
use crate::results::{grouped, print};

/// A row of Table 3: shape and primaries.
type Table3 = (&'static str, usize);

const TABLE_3: [Table3; 10] = [
    ("51Hx77Hx40", 16_224),
    ("88Hx50x40", 24_076),
    ("100x66x38", 86_250),
    ("21x35x60x6", 44_934),
    ("489x1026", 68_445),
    ("243x2132", 109_855),
    ("100x242Hx22H", 59_416),
    ("100x56x97", 164_239),
    ("90x90x90", 164_927),
    ("100x100x100", 227_590),
];

/// A row of Table 4: shape, seed of our table, and for each of the five variants cost
/// (primaries included) and processor seconds.
type Table4 = (&'static str, u64, [f64; 5], [f64; 5]);

#[rustfmt::skip]
const TABLE_4: [Table4; 23] = [
    ("100x112Hx4", 1, [14_200_364.0, 14_634_496.0, 13_347_366.0, 13_002_724.0, 13_719_646.0], [23_326.0, 19_945.0, 23_606.0, 37_621.0, 32_963.0]),
    ("100x27x18", 1, [1_206_282.0, 890_307.0, 888_160.0, 817_250.0, 820_074.0], [75_632.0, 69_084.0, 68_747.0, 81_112.0, 78_299.0]),
    ("100x21x24", 1, [1_004_490.0, 1_066_570.0, 1_095_378.0, 978_857.0, 1_011_579.0], [429_165.0, 421_867.0, 408_658.0, 185_883.0, 176_021.0]),
    ("100x5x106H", 1, [10_514_077.0, 8_076_508.0, 9_254_447.0, 9_707_584.0, 9_721_753.0], [142_507.0, 138_645.0, 133_836.0, 128_252.0, 120_023.0]),
    ("100x7x83", 1, [1_153_866.0, 1_124_224.0, 1_071_203.0, 1_003_650.0, 1_118_858.0], [337_506.0, 327_831.0, 286_579.0, 339_577.0, 327_393.0]),
    ("100x20x31", 1, [509_375.0, 403_207.0, 401_323.0, 489_424.0, 488_345.0], [24_365.0, 25_349.0, 26_626.0, 25_026.0, 21_051.0]),
    ("100x6x112H", 1, [8_664_779.0, 9_490_609.0, 8_846_818.0, 9_189_121.0, 9_475_840.0], [59_645.0, 58_268.0, 56_660.0, 50_280.0, 71_035.0]),
    ("100x20x36", 1, [524_462.0, 457_476.0, 450_346.0, 498_571.0, 494_505.0], [51_829.0, 49_626.0, 48_671.0, 38_253.0, 40_255.0]),
    ("100x76x10", 1, [2_233_823.0, 1_776_019.0, 1_770_470.0, 1_775_372.0, 1_752_982.0], [22_860.0, 21_277.0, 20_184.0, 20_752.0, 25_259.0]),
    ("100x4x212H", 1, [4_286_570.0, 2_919_503.0, 5_463_395.0, 7_186_450.0, 6_724_912.0], [24_338.0, 17_014.0, 16_194.0, 21_479.0, 19_499.0]),
    ("100x85x10", 1, [965_846.0, 1_027_987.0, 1_131_146.0, 924_343.0, 980_024.0], [79_644.0, 113_044.0, 101_082.0, 91_298.0, 95_935.0]),
    ("100x11x90H", 1, [1_130_691.0, 1_100_494.0, 1_046_512.0, 875_815.0, 1_062_524.0], [526_959.0, 554_947.0, 553_654.0, 180_708.0, 167_982.0]),
    ("50x50x40", 1, [545_253.0, 464_305.0, 499_235.0, 467_139.0, 480_445.0], [128_930.0, 130_230.0, 128_637.0, 67_651.0, 65_174.0]),
    ("50x50x40", 2, [398_934.0, 402_845.0, 443_264.0, 406_300.0, 368_961.0], [64_839.0, 60_923.0, 58_627.0, 62_985.0, 62_547.0]),
    ("100x43x27", 1, [681_301.0, 729_314.0, 629_563.0, 635_362.0, 662_598.0], [187_156.0, 191_088.0, 192_511.0, 190_340.0, 194_431.0]),
    ("100x158Hx9", 1, [3_013_141.0, 6_508_584.0, 4_245_042.0, 5_646_202.0, 3_795_041.0], [32_985.0, 41_040.0, 37_721.0, 37_426.0, 32_274.0]),
    ("100x30x51", 1, [1_473_847.0, 1_197_542.0, 1_242_531.0, 1_222_712.0, 1_176_491.0], [626_596.0, 575_495.0, 510_073.0, 182_036.0, 191_359.0]),
    ("100x91x23", 1, [1_311_253.0, 1_336_358.0, 1_283_137.0, 1_477_550.0, 1_440_611.0], [9_384.0, 8_796.0, 9_964.0, 10_833.0, 7_609.0]),
    ("100x25x96", 1, [1_205_047.0, 905_265.0, 938_788.0, 816_237.0, 791_300.0], [326_008.0, 303_999.0, 252_491.0, 207_350.0, 195_656.0]),
    ("100x66x38", 1, [4_020_419.0, 4_885_828.0, 2_605_882.0, 5_152_570.0, 4_211_123.0], [14_286.0, 16_901.0, 20_049.0, 13_195.0, 18_869.0]),
    ("100x55x46", 1, [685_567.0, 622_599.0, 628_427.0, 597_919.0, 628_164.0], [153_074.0, 131_129.0, 118_503.0, 111_759.0, 86_965.0]),
    ("100x73x35", 1, [1_313_824.0, 893_249.0, 889_924.0, 1_007_851.0, 1_001_572.0], [45_805.0, 41_678.0, 41_086.0, 40_967.0, 39_407.0]),
    ("100x33x78", 1, [1_153_866.0, 1_124_224.0, 1_071_203.0, 1_003_650.0, 1_118_858.0], [337_506.0, 327_831.0, 286_579.0, 339_577.0, 327_393.0]),
];

/// Levels in the tables of Table 4, in percent of the value. The paper does not give them; with
/// these about as many primaries are exposed as in its Table 1.
const LEVELS_4: &str = "@20";

/// Primaries and |K_u| of the tables in the paper's Table 1.
const TABLE_1: [(&str, usize, usize); 4] = [
    ("100x33x78", 44_617, 960),
    ("100x25x96", 59_853, 1_135),
    ("100x73x35", 24_981, 1_797),
    ("100x66x38", 86_250, 403),
];

/// What is measured.
#[derive(Debug, Args)]
pub struct SerpellArguments {
    /// Tables by shape, such as 100x66x38; all of the paper's by default
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    tables: Vec<String>,

    /// Methods by name; hybrid-rising, hybrid-rising-margins, hybrid-rising-large,
    /// hybrid-lines-margins and hybrid-lines-large are the variants of Table 4
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_value = "auto,hybrid")]
    methods: Vec<String>,

    /// Only generate and unpick, to see primaries and K_u beside the paper's
    #[arg(long)]
    counts: bool,

    #[command(flatten)]
    limits: Limits,
}

impl SerpellArguments {
    fn takes(&self, name: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|table| table.eq_ignore_ascii_case(name))
    }
}

const HEADER_3: [&str; 13] = [
    "table",
    "cells",
    "primaries",
    "paper",
    "method",
    "cost",
    "secondaries",
    "method, wall s",
    "with audit, wall s",
    "peak, MiB",
    "`quell audit`, wall s",
    "safe",
    "measured",
];

pub fn table3(arguments: &SerpellArguments) -> Result<(), Box<dyn Error>> {
    if arguments.counts {
        return show_counts(arguments, TABLE_3.map(|(name, _)| (name, 1)).as_slice(), "");
    }
    let mut rows = Vec::new();
    for (name, primaries) in TABLE_3.into_iter().filter(|(name, _)| arguments.takes(name)) {
        for method in &arguments.methods {
            let row = arguments.limits.result("serpell-table3", (name, 1), method)?;
            let [cost, secondaries, wall, audit] = common(&row);
            rows.push(vec![
                name.to_owned(),
                whole(&row, "cells"),
                whole(&row, "primaries"),
                grouped(primaries),
                method.clone(),
                cost,
                secondaries,
                row.text("method_wall_s").to_owned(),
                wall,
                row.text("peak_mib").to_owned(),
                audit,
                row.text("audit_safe").to_owned(),
                row.date().to_owned(),
            ]);
        }
    }
    println!("{} s a table\n", arguments.limits.time);
    print(&HEADER_3, &rows);
    Ok(())
}

const HEADER_4: [&str; 15] = [
    "table",
    "cells",
    "primaries",
    "E_u",
    "method",
    "secondaries' cost",
    "with primaries",
    "paper, with primaries",
    "CPU s",
    "paper, CPU s",
    "with audit, wall s",
    "peak, MiB",
    "`quell audit`, wall s",
    "safe",
    "measured",
];

pub fn table4(arguments: &SerpellArguments) -> Result<(), Box<dyn Error>> {
    if arguments.counts {
        let tables = TABLE_4.map(|(name, seed, ..)| (name, seed));
        return show_counts(arguments, tables.as_slice(), LEVELS_4);
    }
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for (name, seed, costs, seconds) in TABLE_4 {
        if !arguments.takes(name) {
            continue;
        }
        let mut of_methods = Vec::new();
        for method in &arguments.methods {
            let table = format!("{name}{LEVELS_4}");
            let row = arguments.limits.result("serpell-table4", (&table, seed), method)?;
            of_methods.push((method.as_str(), row.number("cost")));
            // What the paper recommends stands beside all methods but its other variants.
            let variant = VARIANTS.iter().position(|(variant, ..)| variant == method).unwrap_or(4);
            let [cost, _, wall, audit] = common(&row);
            rows.push(vec![
                name.to_owned(),
                whole(&row, "cells"),
                whole(&row, "primaries"),
                whole(&row, "e_u"),
                method.clone(),
                cost,
                grouped((row.number("cost") + row.number("primaries_cost")) as usize),
                grouped(costs[variant] as usize),
                row.text("cpu_s").to_owned(),
                grouped(seconds[variant] as usize),
                wall,
                row.text("peak_mib").to_owned(),
                audit,
                row.text("audit_safe").to_owned(),
                row.date().to_owned(),
            ]);
        }
        let cost = |name: &str| of_methods.iter().find(|(method, _)| *method == name);
        if let (Some((_, auto)), Some((_, hybrid))) = (cost("auto"), cost("hybrid")) {
            ratios.push(auto / hybrid);
        }
    }
    println!("{} s a table\n", arguments.limits.time);
    print(&HEADER_4, &rows);
    if !ratios.is_empty() {
        let logs: f64 = ratios.iter().map(|ratio: &f64| ratio.ln()).sum();
        let mean = (logs / ratios.len() as f64).exp();
        println!("\nauto costs {mean:.3} times hybrid (geometric mean of {} tables)", ratios.len());
    }
    Ok(())
}

/// Cost, secondaries, seconds with the audit, seconds of the separate audit.
fn common(row: &Row) -> [String; 4] {
    let text = |column: &str| row.text(column).to_owned();
    [whole(row, "cost"), whole(row, "secondaries"), text("wall_s"), text("audit_wall_s")]
}

fn whole(row: &Row, column: &str) -> String {
    grouped(row.number(column).round() as usize)
}

fn show_counts(
    arguments: &SerpellArguments,
    tables: &[(&'static str, u64)],
    levels: &str,
) -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    for &(name, seed) in tables.iter().filter(|(name, _)| arguments.takes(name)) {
        let [cells, primaries, exposed] = counts(&format!("{name}{levels}"), seed)?;
        let of_table_3 = TABLE_3.iter().find(|(table, _)| *table == name).map(|&(_, count)| count);
        let of_table_1 = TABLE_1.iter().find(|(table, ..)| *table == name);
        let paper = of_table_1.map(|&(_, count, _)| count).or(of_table_3);
        let or_dash = |number: Option<usize>| number.map_or_else(|| "–".to_owned(), grouped);
        rows.push(vec![
            name.to_owned(),
            seed.to_string(),
            grouped(cells),
            grouped(primaries),
            or_dash(paper),
            grouped(exposed),
            or_dash(of_table_1.map(|&(.., exposed)| exposed)),
        ]);
    }
    print(&["table", "seed", "cells", "primaries", "paper", "E_u", "paper's K_u"], &rows);
    Ok(())
}
