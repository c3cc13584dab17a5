//! Adjusts a table of cox-2005, or one in a JJ file: `paper_table 25x25 SEED SECONDS METHOD
//! [SENSITIVE]` or `paper_table FILE.jj 1 SECONDS METHOD`.

use std::time::{Duration, Instant};

use quell_adjust::{Distance, Exact, Method, Options, adjust, method};
use quell_gen::Cta;
use quell_model::{Budget, Silent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, usual: &str| {
        arguments.get(index).cloned().unwrap_or_else(|| usual.to_owned())
    };
    let table = argument(0, "25x25");
    let problem = if table.ends_with(".jj") {
        quell_formats::jj::parse(&table, &std::fs::read(&table)?)?
    } else {
        let sizes: Result<Vec<usize>, _> = table.split('x').map(str::parse).collect();
        let class = Cta { sizes: sizes?, sensitive: argument(4, "0.3").parse()?, ..Cta::default() };
        class.generate(argument(1, "1").parse()?)?
    };
    let name = argument(3, "auto");
    let chosen: Box<dyn Method> = match name.as_str() {
        "highs-alone" => Box::new(Exact { plain: true }),
        name => method(name)?,
    };
    let seconds: f64 = argument(2, "10").parse()?;
    let budget = Budget::default().with_time(Duration::from_secs_f64(seconds));
    let start = Instant::now();
    // The library's tables are given for distances of at least their levels.
    let distance = if table.ends_with(".jj") { Distance::AtLeast } else { Distance::Minimal };
    let options = Options { distance, ..Options::default() };
    let outcome = adjust(chosen.as_ref(), &problem, &options, &budget, &Silent)?;
    println!(
        "{name}: cost {:.2}, at least {:.2}, gap {:.2} %, {} breaches, {:.1} s",
        outcome.cost,
        outcome.lower_bound,
        100.0 * outcome.gap(),
        outcome.audit.breaches.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
