//! Several tables as one system.

use quell_model::{Labels, Reason, Status};
use quell_tabulate::{
    AttackerBounds, Cost, Frequency, LinkError, Prepared, Response, ResponseEquation, Rules, Table,
    assess_all, linked, problem,
};

use crate::survey::{FIRMS, file, made, spec, table};

fn tables() -> Vec<Table> {
    let file = file(FIRMS);
    let wanted = vec![
        table("both", &["branch", "town"], "turnover"),
        table("towns", &["town"], "turnover"),
        table("domestic", &["town", "branch"], "domestic"),
        table("export", &["branch", "town"], "export"),
    ];
    made(&spec(file.path(), wanted)).tables
}

fn variable(name: &str) -> Response {
    Response::Variable(name.to_owned())
}

fn turnover_is_the_sum() -> ResponseEquation {
    let parts = vec![variable("domestic"), variable("export")];
    ResponseEquation { total: variable("turnover"), parts }
}

#[test]
fn the_same_cut_is_the_same_cell() {
    let tables = tables();
    let linked = linked(&tables, &[]).unwrap();
    let [both, towns] = [&tables[0], &tables[1]];
    for (index, &cell) in linked.cell_of[1].iter().enumerate() {
        let town = towns.cube.codes(quell_model::CellId::from_index(index)).next().unwrap();
        let same = both.find(&["", town]).unwrap();
        assert_eq!(linked.cell_of[0][same.index()], cell);
    }
    let cells = [0, 2, 3].map(|table: usize| tables[table].cells.len());
    assert_eq!(linked.system.cell_count(), cells.iter().sum::<usize>());
}

#[test]
fn equations_between_responses_join_the_system() {
    let tables = tables();
    let apart = linked(&tables, &[]).unwrap().system.equation_count();
    let joined = linked(&tables, &[turnover_is_the_sum()]).unwrap();
    assert_eq!(joined.system.equation_count(), apart + tables[0].cells.len());
    let unknown = ResponseEquation { total: variable("turnover"), parts: vec![variable("profit")] };
    assert!(matches!(linked(&tables, &[unknown]), Err(LinkError::UnknownResponse { .. })));
    let wrong = ResponseEquation { total: variable("turnover"), parts: vec![variable("export")] };
    let error = linked(&tables, &[wrong]).unwrap_err().to_string();
    assert!(error.contains("not the sum of its parts in the cell Total × Total"), "{error}");
}

#[test]
fn tables_that_contradict_each_other_are_named() {
    let mut tables = tables();
    tables[1].cells[0].value += 1;
    let error = linked(&tables[..2], &[]).unwrap_err().to_string();
    for part in ["Total", "\"both\"", "\"towns\"", "217.0", "217.1"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_problem_of_linked_tables_has_no_faults() {
    let tables = tables();
    let rules = Rules::default().with(Frequency { minimum: 3.0, margin: 20.0 });
    let assessments: Vec<_> = tables.iter().map(|table| assess_all(table, &rules)).collect();
    let costs: Vec<_> = tables.iter().map(|table| Cost::default().of(table)).collect();
    for bounds in [AttackerBounds::Sign, AttackerBounds::Nothing, AttackerBounds::TauArgus] {
        let bounds: Vec<_> =
            tables.iter().zip(&assessments).map(|(table, all)| bounds.of(table, all)).collect();
        let prepared: Vec<Prepared<'_>> = (0..tables.len())
            .map(|index| Prepared {
                table: &tables[index],
                rules: &rules,
                assessments: &assessments[index],
                costs: &costs[index],
                bounds: &bounds[index],
            })
            .collect();
        let all = linked(&tables, &[turnover_is_the_sum()]).unwrap();
        let whole = problem(&all, &prepared).unwrap();
        assert_eq!(whole.faults(), []);
        assert!(
            whole.primaries().all(|cell| whole.status(cell) == Status::Primary(Reason::Frequency))
        );
        assert!(whole.primaries().count() > 4);
        let single = problem(&linked(&tables[..1], &[]).unwrap(), &prepared[..1]).unwrap();
        assert!(matches!(single.labels(), Labels::Cube(_)));
        assert_eq!(single.contributors().unwrap()[0], 6);
    }
}
