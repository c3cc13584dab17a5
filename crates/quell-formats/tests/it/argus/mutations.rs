//! Damaged files: reading never panics, and every mistake points into the text.

use proptest::prelude::*;
use quell_formats::argus::rda::Metadata;
use quell_formats::argus::tab::Wanted;
use quell_formats::argus::{cdl, grc, hrc, hst, rda, tab};
use quell_formats::{Error, Text, hierarchy};
use quell_model::Random;

use super::batch;
use super::batches::{MICRO, TABLES};
use super::metadata::{CELL_KEY, FIXED, TABLE};
use super::tables::CELLS;
use crate::mutations::{check_place, damaged};
use crate::tables::cases;

const HRC: &str = "North\n@ 1\n@ 2\n@@2a\nSouth \r\n@11\n@12";
const GRC: &str = "1: -20\n2: 21-30, \"x y\"\n6: 61-\n<MISSING> 8, 9\n<CODELIST> a.cdl\n";
const HST: &str = "Total;S1;U\nR2;S1;C;1\nR2;S3;PL;50;75\nR1;;ML\n";
const LEVELS: &str = "L1,L2,L3\nA,A1,01\nA,A1,02\nA,X,X\nB,,09\n";
const NAMES: &str = "\"level\";\"name\"\n\"@\";\"T\"\n\"@@\";\"A\"\n\"@@@\";\"a1\"\n\"@@\";\"B\"\n";
const PARENTS: &str = "from,to\nA,a1\nAll,A\nAll,B\nA,a2\n";
const JSON: &str = "[{\"id\":\"a1\",\"parent\":\"A\",\"text\":\"a1\",\"state\":{\"opened\":true}},\n \
                    {\"id\":\"A\",\"parent\":\"#\"},\n{\"id\":\"B\",\"parent\":\"#\"}]";

/// The text, and the mistake if there is one.
fn checked<T>(
    bytes: &[u8],
    read: impl FnOnce(&Text) -> Result<T, Error>,
) -> Result<(), TestCaseError> {
    let text = Text::new("t", bytes);
    match read(&text) {
        Ok(_) => Ok(()),
        Err(error) => check_place(&error, &[text.as_str().as_bytes()]),
    }
}

fn micro_or_table(text: &Text) -> Result<Metadata, Error> {
    rda::parse_micro(text).or_else(|_| rda::parse_table(text))
}

proptest! {
    #![proptest_config(cases(6_000))]

    #[test]
    fn damaged_metadata_are_refused_or_print_as_they_read(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 1);
        let original = [FIXED, TABLE, CELL_KEY][random.below(3)];
        let bytes = damaged(original.into(), random);
        checked(&bytes, rda::parse_micro)?;
        checked(&bytes, rda::parse_table)?;
        if let Ok(metadata) = micro_or_table(&Text::new("t", &bytes)) {
            // Printing must never panic, whatever was read.
            prop_assert!(!rda::print(&metadata).is_empty());
            prop_assert!(metadata.fields().len() <= metadata.variables.len());
        }
    }

    #[test]
    fn damaged_hierarchies_are_refused_or_make_one(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 2);
        let originals = [HRC, LEVELS, NAMES, PARENTS, JSON];
        let kind = random.below(originals.len());
        let bytes = damaged(originals[kind].into(), random);
        checked(&bytes, |text| {
            let tree = match kind {
                0 => hrc::parse(text, "@"),
                1 => hierarchy::level_columns(text, None),
                2 => hierarchy::level_names(text),
                3 => hierarchy::parents(text),
                _ => hierarchy::json(text),
            }?;
            assert_eq!(tree.depths().len(), tree.nodes.len());
            let merged = hierarchy::merge(&[tree.clone(), tree.clone()], "Total")?;
            let single = tree.to_hierarchy("Total")?;
            assert_eq!(merged.len(), single.len());
            let _ = hrc::print(&single, "@");
            Ok(tree.without_padding(|code| code.len() % 2 == 0))
        })?;
    }

    #[test]
    fn damaged_recodes_and_histories_are_refused_or_read(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 3);
        let bytes = damaged([GRC, "<TREERECODE>\n142\n"][random.below(2)].into(), random);
        checked(&bytes, |text| {
            if let grc::Recode::Groups(groups) = grc::parse(text)? {
                groups.new_code("25", 2);
            }
            Ok(())
        })?;
        let bytes = damaged(HST.into(), random);
        checked(&bytes, |text| hst::parse(text, ";", 2))?;
        let labels = cdl::CodeList::parse(&Text::new("t", &bytes));
        prop_assert!(labels.labels.iter().all(|label| labels.label(&label.code).is_some()));
    }

    #[test]
    fn damaged_tables_are_refused_or_read(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 4);
        let mut metadata = TABLE.as_bytes().to_vec();
        if random.chance(0.3) {
            metadata = damaged(metadata, random);
        }
        let Ok(metadata) = rda::parse_table(&Text::new("t", &metadata)) else { return Ok(()) };
        let bytes = damaged(CELLS.into(), random);
        let response = random.chance(0.7).then_some("Turn");
        let wanted = Wanted { response, ..Wanted::default() };
        checked(&bytes, |text| tab::parse(text, &metadata, wanted))?;
    }

    #[test]
    fn damaged_batches_are_refused_or_read(seed in any::<u64>()) {
        let random = &mut Random::new(seed, 5);
        let bytes = damaged([MICRO, TABLES][random.below(2)].into(), random);
        checked(&bytes, batch)?;
    }
}
