//! x
use quell_attack::*;
use quell_model::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let p = quell_gen::Preset::find(&args[1]).expect("preset");
    let problem = p.parameters().generate(1).unwrap();
    let t = std::time::Instant::now();
    let a = audit(
        &problem,
        &Pattern::of_statuses(&problem),
        &Budget::default().with_threads(args[2].parse().unwrap()),
        &Silent,
    )
    .unwrap();
    println!("{:?} {:?} certs {}", t.elapsed(), a.counts(), a.certificates.len());
}
