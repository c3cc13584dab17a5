//! Runs that are killed at random moments: the release is the old one or the new one, whole, and
//! the next run leaves nothing of the dead one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::job::{JOB, small};
use crate::runner::Folder;
use crate::trust::files;

/// Kills of the usual test; `QUELL_KILLS=200` asks for more.
const KILLS: usize = 16;

/// What is on the disk of a release: the files for everyone and those for the office.
type Whole = [BTreeMap<PathBuf, Vec<u8>>; 2];

fn whole(folder: &Folder) -> Whole {
    [files(&folder.path("out")), files(&folder.path("out-office"))]
}

/// A job with tables and microdata, with a folder for temporary files of its own.
fn scene() -> Folder {
    let folder = small();
    let job = format!(
        "{JOB}\n[micro]\nfile = \"people.csv\"\nkeys = [\"town\", \"job\"]\nthreshold = 2\n"
    );
    folder.write("job.toml", &job);
    std::fs::create_dir(folder.path("tmp")).unwrap();
    folder
}

/// Two versions of the input, of which the releases differ in every part.
fn set_version(folder: &Folder, version: usize) {
    let data = folder.read("data.csv");
    let (from, to) = [("l,B1,N,401", "l,B1,N,400"), ("l,B1,N,400", "l,B1,N,401")][version];
    folder.write("data.csv", &data.replace(from, to));
    let mayor = ["mayor", "judge"][version];
    let people = ["clerk,A", "clerk,A", "clerk,B", "clerk,B", &format!("{mayor},B")].join("\n");
    folder.write("people.csv", &format!("job,town\n{people}\n"));
}

fn command(folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quell"));
    command
        .args(["protect", "job.toml"])
        .current_dir(folder.path("."))
        .env("TMPDIR", folder.path("tmp"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Numbers without a pattern, the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

/// Starts a run and kills it: at any moment of it, or as soon as the release is being made.
fn killed(folder: &Folder, usual: Duration, at_the_end: bool, chance: &mut Chance) {
    let mut run = command(folder).spawn().unwrap();
    let wait = |condition: &dyn Fn() -> bool, run: &mut std::process::Child| {
        while !condition() && run.try_wait().unwrap().is_none() {
            std::hint::spin_loop();
        }
    };
    match at_the_end {
        true => {
            let making = folder.path(".out.quell-new/journal.json");
            let half = folder.path(".out.quell-new/public");
            let first: &Path = if chance.below(2) == 0 { &making } else { &half };
            wait(&|| first.exists(), &mut run);
            let (began, rest) = (Instant::now(), Duration::from_micros(chance.below(1500)));
            wait(&|| began.elapsed() >= rest, &mut run);
        }
        false => {
            std::thread::sleep(Duration::from_micros(chance.below(usual.as_micros() as u64)));
        }
    }
    // It may have ended already.
    let _ = run.kill();
    run.wait().unwrap();
}

#[test]
fn killed_runs_leave_one_release_whole_and_nothing_else() {
    let kills = std::env::var("QUELL_KILLS").ok().and_then(|text| text.parse().ok());
    let kills: usize = kills.unwrap_or(KILLS);
    let folder = scene();
    let mut versions: Vec<Whole> = Vec::new();
    let mut usual = Duration::ZERO;
    for version in [0, 1] {
        set_version(&folder, version);
        let began = Instant::now();
        assert!(command(&folder).status().unwrap().success());
        usual = began.elapsed();
        versions.push(whole(&folder));
    }
    assert_ne!(versions[0][0], versions[1][0]);
    let clean = folder.names();
    let mut chance = Chance(1);
    let (mut finished_by_the_next, mut left) = (0, 0);
    for kill in 0..kills {
        set_version(&folder, kill % 2);
        killed(&folder, usual, kill % 4 < 2, &mut chance);
        let [public, office] = whole(&folder);
        let known = |part: usize, found: &BTreeMap<PathBuf, Vec<u8>>| {
            versions.iter().position(|version| version[part] == *found)
        };
        let public = known(0, &public);
        assert!(public.is_some(), "kill {kill}: half a release for everyone");
        let office = known(1, &office);
        assert!(office.is_some(), "kill {kill}: half a release for the office");
        left += usize::from(folder.names() != clean);
        finished_by_the_next += usize::from(public != office);
        // The next run has no time: it puts the place in order all the same.
        let next = command(&folder).args(["--method", "shortest-path", "--time", "0s"]).status();
        assert!(next.unwrap().code().is_some());
        let after = whole(&folder);
        assert!(versions.contains(&after), "kill {kill}: two releases mixed");
        assert!(public.is_none_or(|public| versions[public][0] == after[0]), "kill {kill}");
        assert_eq!(folder.names(), clean, "kill {kill}: something is left");
        assert_eq!(files(&folder.path("tmp")), BTreeMap::new(), "kill {kill}");
        let spilled = std::fs::read_dir(folder.path("tmp")).unwrap().count();
        assert_eq!(spilled, 0, "kill {kill}: something is left in the temporary folder");
    }
    println!(
        "{kills} kills: {left} left something for the next run to clean, in \
         {finished_by_the_next} it had the office's part to bring into place"
    );
}

#[test]
fn two_runs_cannot_write_to_one_folder() {
    let folder = small();
    folder.done("generate ons --dims 6,6,6 --seed 7 --out table.jj");
    folder.write(
        "long.toml",
        "[system]\nfile = \"table.jj\"\n[protect]\nmethod = \"exact\"\ntime = \"1h\"\n\
         [release]\nfolder = \"out\"\n",
    );
    let mut long = Command::new(env!("CARGO_BIN_EXE_quell"))
        .args(["protect", "long.toml"])
        .current_dir(folder.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path(".out.quell-new/lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    let outcome = folder.quell("protect job.toml");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.words().contains("another run is writing to out"), "{}", outcome.err);
    // Elsewhere it may.
    folder.done("protect job.toml --out other");
    long.kill().unwrap();
    long.wait().unwrap();
    folder.done("protect job.toml");
    assert!(!folder.path(".out.quell-new").exists());
}
