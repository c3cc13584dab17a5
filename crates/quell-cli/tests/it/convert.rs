//! `quell convert`.

use crate::runner::Folder;

#[test]
fn a_table_goes_to_csv_and_back_unchanged() {
    let folder = Folder::new();
    for seed in 0..20 {
        folder.done(&format!("generate random --seed {seed} --out a.jj"));
        // Decimals that no number needs are gone after the first reading.
        folder.done("convert a.jj b.jj");
        folder.done("convert b.jj c.csv");
        folder.done("convert c.csv d.jj");
        assert_eq!(folder.read("b.jj"), folder.read("d.jj"), "seed {seed}");
    }
}

#[test]
fn contributors_come_along() {
    let folder = Folder::new();
    folder.done("generate ons --dims 4,4 --mean 2 --out a.jj");
    folder.done("convert a.jj b.csv");
    folder.done("convert b.cells.csv c.jj");
    assert_eq!(folder.read("a.frq"), folder.read("c.frq"));
}

#[test]
fn a_table_that_does_not_add_up_is_converted_only_on_request() {
    let folder = Folder::new();
    folder.write("a.jj", "0\n2\n0 5 1 s 0 9 0 0 0\n1 4 1 u 0 9 1 1 0\n1\n0 2 : 0 (-1) 1 (1)\n");
    let outcome = folder.quell("convert a.jj b.csv");
    assert_eq!(outcome.code, 1);
    assert!(outcome.err.contains("a.jj:6:1"), "{}", outcome.err);
    assert!(outcome.words().contains("off by -1"), "{}", outcome.err);
    assert_eq!(folder.names(), ["a.jj"]);
    folder.done("convert --unchecked a.jj b.csv");
    assert_eq!(
        folder.read("b.cells.csv"),
        "cell,value,weight,status,lower_bound,upper_bound,lpl,upl,spl\n\
         0,5,1,safe,0,9,0,0,0\n\
         1,4,1,primary,0,9,1,1,0\n"
    );
    assert_eq!(folder.read("b.equations.csv"), "equation,cell,coefficient\n0,0,-1\n0,1,1\n");
}

#[test]
fn a_failure_leaves_what_was_there() {
    let folder = Folder::new();
    folder.write("b.jj", "old");
    folder.write("a.jj", "0\n1\n");
    assert_eq!(folder.quell("convert a.jj b.jj").code, 1);
    assert_eq!(folder.read("b.jj"), "old");
    assert_eq!(folder.names(), ["a.jj", "b.jj"]);
}
