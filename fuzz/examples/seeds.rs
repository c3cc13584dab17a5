//! Writes the first inputs of every target, from the tables, examples and samples of this
//! repository: `cargo run --example seeds`. libFuzzer finds its way from there.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use quell_formats::csv_pair;
use quell_gen::random_problem;
use quell_model::Random;

#[path = "../../crates/quell-data/tests/it/samples.rs"]
#[allow(clippy::all)]
mod samples;

use samples::{Columns, Values};

fn main() -> Result<(), Box<dyn Error>> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = Corpus { folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus") };
    corpus.tables()?;
    corpus.records()?;
    corpus.small_texts()?;
    for place in ["cases", "examples", "docs", "README.md"] {
        corpus.take(&repository.join(place))?;
    }
    Ok(())
}

/// The folder with one folder for each target.
struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    fn put(&self, target: &str, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        fs::write(self.file(target, name)?, bytes)?;
        Ok(())
    }

    fn file(&self, target: &str, name: &str) -> Result<PathBuf, Box<dyn Error>> {
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        Ok(folder.join(name))
    }

    /// Random tables of every shape in both forms, and numbers of problems.
    fn tables(&self) -> Result<(), Box<dyn Error>> {
        for seed in 0..40 {
            let problem = random_problem(&mut Random::new(seed, 4), 20);
            let mut text = Vec::new();
            quell_formats::jj::print(&mut text, &problem)?;
            self.put("jj", &format!("random-{seed}"), &text)?;
            let mut pair = Vec::new();
            csv_pair::print_cells(&mut pair, &problem)?;
            pair.extend(b"---\n");
            csv_pair::print_equations(&mut pair, &problem)?;
            self.put("csv_pair", &format!("random-{seed}"), &pair)?;
            let seed = seed as u8;
            self.put("problem", &format!("{seed}"), &[seed, 0, 0, 0, seed, seed, seed])?;
        }
        Ok(())
    }

    /// The same records in every kind of file.
    fn records(&self) -> Result<(), Box<dyn Error>> {
        let texts = |values: [&str; 4]| Values::Texts(values.map(str::to_owned).to_vec());
        let columns: Columns = vec![
            ("town".to_owned(), texts(["A", "Zürich", "A", ""])),
            ("turnover".to_owned(), Values::Numbers(vec![Some(1.5), None, Some(-3.0), Some(1e6)])),
        ];
        samples::parquet(&self.file("parquet", "sample")?, &columns);
        samples::stata(&self.file("dta", "sample")?, &columns);
        for packing in 0..3 {
            let file = self.file("sav", &format!("sample-{packing}"))?;
            samples::spss(&file, &columns, packing);
        }
        // The mark at the start of every SAS file, on 64 bits, little end first.
        let mut head = vec![0_u8; 12];
        head.extend([0xc2, 0xea, 0x81, 0x60, 0xb3, 0x14, 0x11, 0xcf]);
        head.extend([0xbd, 0x92, 0x08, 0x00, 0x09, 0xc7, 0x31, 0x8c, 0x18, 0x1f, 0x10, 0x11]);
        head.extend([0x33, 0x22, 0x00, 0x33, 0x22, 0x00, 0x01, 0x00]);
        head.resize(65_536, 0);
        self.put("sas7bdat", "head", &head)?;
        self.put("csv", "semicolons", b"town;n\nZ\xfcrich;1,5\n\"A;B\";2\n")?;
        self.put("csv", "commas", "\u{feff}town,n\r\nA,1.5\r\n\"B\"\"\",\r\n".as_bytes())
    }

    /// Texts of τ-ARGUS too small for a file of their own.
    fn small_texts(&self) -> Result<(), Box<dyn Error>> {
        let micro = b"Reg 1 2 99\n  <RECODEABLE>\n  <HIERARCHICAL>\n  <HIERLEVELS> 1 1\n\
                      Var 4 5\n  <NUMERIC>\n  <DECIMALS> 1\nw 10 3\n  <WEIGHT>\n";
        self.put("rda", "micro", micro)?;
        let free = b"<SEPARATOR> \";\"\nReg 2 99\n<RECODABLE>\n<HIERCODELIST> \"a.hrc\"\n\
                     <HIERLEADSTRING> @\nVar 9\n<NUMERIC>\n";
        self.put("rda", "free", free)?;
        let mut fixed = micro.to_vec();
        fixed.extend(b"---\n11 100.5 1.0\n12 200.0 2.5\n");
        self.put("fixed", "micro", &fixed)?;
        let table = b"<SEPARATOR> \";\"\nReg\n<RECODEABLE>\n<TOTCODE> \"Total\"\nN\n<FREQUENCY>\n\
                      St\n<STATUS>\nTurn\n<NUMERIC>\n---\nTotal;9;S;700\nA;4;U;300\nB;5;;400,5\n";
        self.put("tab", "table", table)?;
        self.put("grc", "groups", b"1: 10, 11-19 , 2-\nB:a,b\n<MISSING> 9 99\n<CODELIST> \"x.cdl\"\n")?;
        self.put("grc", "tree", b"<TREERECODE>\nA\nBc\n")?;
        self.put("hst", "apriori", b"Total;A;S\nB;A;U\nB;Total;C;5\nB;A;PL;10;20.5\nA;;ML\n")?;
        self.put("hrc", "tree", b"North\n@ 1\n@ 2\nSouth\n@11\n@@11a\n")?;
        self.put("hierarchy", "names", b"\"level\";\"name\"\n@;Total\n@@;A\n@@@;A1\n@@;B\n")?;
        self.put("hierarchy", "columns", b"a,b\nA,A1\nA,A2\nB,B1\n")?;
        self.put("hierarchy", "parents", b"code,parent\nA,\nA1,A\nA2,A\n")?;
        let tree = br##"[{"id":"A","parent":"#","text":"A","state":{}},{"id":"B","parent":"A"}]"##;
        self.put("hierarchy", "json", tree)?;
        let batch = b"<OPENMICRODATA> \"a.asc\"\n<OPENMETADATA> \"a.rda\"\n\
            <SPECIFYTABLE> \"Size\"\"Region\"|\"Var2\"|\"\"|\"\"\n<SAFETYRULE> P(20,1)|FREQ(3,20)\n\
            <READMICRODATA>\n<APRIORI> \"a.hst\",1,\";\"\n<SUPPRESS> MOD(1,5,1,1,1)\n\
            <WRITETABLE> (1,3,AS+FL+,\"o.csv\")\n";
        self.put("arb", "batch", batch)?;
        let checkpoint = b"quell checkpoint 2\nmethod local-lp\ntable 00\nsteps 3\nhidden 1 2\n\
            proof 1:5 2:-5\ntried 7:1.5\nend\n";
        self.put("checkpoint", "some", checkpoint)
    }

    /// Files of the repository, by their endings.
    fn take(&self, place: &Path) -> Result<(), Box<dyn Error>> {
        if place.is_dir() {
            let mut inside: Vec<_> =
                fs::read_dir(place)?.map(|entry| entry.map(|one| one.path())).collect::<Result<_, _>>()?;
            inside.sort();
            return inside.iter().try_for_each(|path| self.take(path));
        }
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let target = match place.extension().and_then(|ending| ending.to_str()) {
            Some("jj") => "jj",
            Some("hrc") => "hrc",
            Some("cdl") => "cdl",
            Some("toml") => "job",
            Some("csv") => "csv",
            Some("md") => return self.jobs_of(place),
            _ => return Ok(()),
        };
        let bytes = fs::read(place)?;
        // Long inputs are slow, and tell no more than short ones.
        self.put(target, &name, &bytes[..bytes.len().min(4_096)])
    }

    /// The jobs in a page of the documentation.
    fn jobs_of(&self, page: &Path) -> Result<(), Box<dyn Error>> {
        let text = fs::read_to_string(page)?;
        let stem = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, block) in text.split("```toml\n").skip(1).enumerate() {
            let job = block.split("```").next().unwrap_or_default();
            self.put("job", &format!("{stem}-{number}"), job.as_bytes())?;
        }
        Ok(())
    }
}
