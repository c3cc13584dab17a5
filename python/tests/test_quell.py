"""What a Python programmer relies on."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas
import polars
import pyarrow as pa
import pytest

import quell as q

ROOT = Path(__file__).resolve().parents[2]

CELLS = {
    "region": ["N", "N", "N", "S", "S", "S"],
    "size": ["a", "b", "c", "a", "b", "c"],
    "turnover": [20, 50, 10, 8, 19, 22],
    "status": ["primary", "safe", "safe", "safe", "safe", "safe"],
}

FIRMS = {
    "region": ["N1"] * 3 + ["N2"] * 4 + ["S1"] * 5,
    "turnover": [900, 20, 30, 70, 80, 65, 72, 11, 14, 9, 12, 16],
}


def frames(columns):
    yield "pyarrow", pa.table(columns)
    yield "polars", polars.DataFrame(columns)
    yield "pandas", pandas.DataFrame(columns)
    texts = [name for name, values in columns.items() if isinstance(values[0], str)]
    yield "polars categories", polars.DataFrame(columns).with_columns(
        polars.col(texts).cast(polars.Categorical)
    )
    yield "pandas categories", pandas.DataFrame(columns).astype(dict.fromkeys(texts, "category"))
    yield "views", pa.table(
        {
            name: pa.array(values, pa.string_view()) if name in texts else values
            for name, values in columns.items()
        }
    )


@pytest.mark.parametrize("kind,frame", list(frames(CELLS)))
def test_frames_of_all_libraries_are_tables(kind, frame):
    table = q.Table(frame, ["region", "size"], "turnover", status="status")
    assert (table.cells, table.primaries) == (12, 1)
    assert not q.audit(table).safe
    protected = table.suppress()
    assert protected.safe and protected.secondaries == 3
    out = protected.table
    assert out.to_polars()["turnover"].null_count() == 4
    assert int(out.to_pandas()["turnover"].isna().sum()) == 4
    assert out.to_arrow()["turnover"].null_count == 4


@pytest.mark.parametrize("kind,frame", list(frames(FIRMS)))
def test_frames_of_all_libraries_are_records(kind, frame):
    job = q.Job(frame, dimensions={"region": {"North": ["N1", "N2"], "South": ["S1"]}})
    release = job.table(["region"], "turnover").rules(q.p_percent(10)).protect()
    assert release.is_safe and release.summary()["secondaries"] == 1
    hidden = [row["region"] for row in release[0].rows() if row["turnover"] is None]
    assert hidden == ["N1", "N2"]


def test_relations_of_duckdb_are_records():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    firms = pa.table(FIRMS)
    connection.register("firms", firms)
    job = q.Job(connection.sql("select * from firms"), dimensions={"region": None}).table(["region"], "turnover")
    assert job.rules(q.p_percent(10)).protect().is_safe


def survey_job(folder):
    q.survey(folder, firms=600, seed=3)
    return (
        q.Job(
            folder / "survey.csv",
            respondent="firm",
            holding="holding",
            weight="weight",
            dimensions={"industry": folder / "industry.hrc", "size": None},
            title="Survey",
        )
        .table(["industry", "size"], "turnover")
        .rules(q.p_percent(10), q.frequency(3))
        .set("protect", method="kelly-lp", seed=1)
        .set("release", formats=["csv", "parquet"], folder="out")
    )


def command():
    """The command, if it is built: it is by the tests of the workspace."""
    built = ROOT / "target" / "debug" / "quell"
    assert built.exists(), "build the workspace first: ./run test"
    return built


def files_of(folder):
    """The published files; reports have the day and the names of inputs in them."""
    found = sorted(path for path in folder.rglob("*") if path.suffix in (".csv", ".parquet"))
    return {path.name: path.read_bytes() for path in found}


def test_the_command_gives_the_same_bytes(tmp_path):
    job = survey_job(tmp_path)
    job.protect().write(tmp_path / "python")
    job.to_toml(tmp_path / "job.toml")
    subprocess.run([command(), "protect", tmp_path / "job.toml"], check=True, capture_output=True)
    own, theirs = files_of(tmp_path / "python"), files_of(tmp_path / "out")
    assert own and own == theirs


def test_a_frame_gives_the_same_cells_as_its_file(tmp_path):
    by_file = survey_job(tmp_path).protect()
    frame = polars.read_csv(tmp_path / "survey.csv")
    job = q.Job(
        frame,
        respondent="firm",
        holding="holding",
        weight="weight",
        dimensions={"industry": tmp_path / "industry.hrc", "size": None},
    )
    job.table(["industry", "size"], "turnover").rules("P(10,1)|FREQ(3,20)")
    by_frame = job.protect(method="kelly-lp", seed=1)
    assert by_file[0].rows() == by_frame[0].rows()


def test_jobs_are_read_from_files_and_batches(tmp_path):
    job = q.Job.from_toml(ROOT / "examples" / "survey" / "job.toml")
    assert len(job.tabulate()) == 4
    batch = q.Job.from_arb(ROOT / "examples" / "tau-argus" / "tables.arb")
    assert batch.protect().is_safe
    text = q.Job.init(ROOT / "examples" / "survey" / "survey.csv")
    assert "[[dimension]]" in text


def test_hidden_values_are_shown_only_by_their_name():
    job = q.Job(pa.table(FIRMS), dimensions={"region": None}).table(["region"], "turnover")
    release = job.rules(q.p_percent(10)).protect()
    shown = [repr(release), release._repr_html_(), release.report(), repr(release[0])]
    assert all("950" not in text for text in shown), "950 is hidden"
    confidential = release.confidential()[release[0].name].rows()
    assert 950.0 in [row["turnover"] for row in confidential]


def test_notebooks_show_verdicts_and_no_hidden_value():
    table = q.Table(pa.table(CELLS), ["region", "size"], "turnover", status="status")
    assert "not-safe" in q.audit(table)._repr_html_() and "exposed exactly" in q.audit(table)._repr_html_()
    assert "12 cells" in table._repr_html_() and "×" in table._repr_html_() and ">20<" not in table._repr_html_()
    protected = table.suppress()
    assert "<b>safe</b>" in protected._repr_html_() and protected._repr_html_().count("×") == 4
    people = pa.table({"town": ["A", "A", "B"], "job": ["clerk", "clerk", "mayor"]})
    assert "iframe" in q.Micro(people, keys=["town", "job"]).risk(threshold=2)._repr_html_()


def test_what_is_not_safe_is_refused(tmp_path):
    job = q.Job(pa.table(FIRMS), dimensions={"region": None}).table(["region"], "turnover")
    # Everybody knows every value to within one percent: nothing protects the large firm.
    job.rules(q.p_percent(10)).set("attacker", below=1, above=1)
    with pytest.raises(q.NotSafe) as refused:
        job.protect()
    release = refused.value.release
    assert not release.is_safe and "time" in refused.value.advice
    with pytest.raises(q.NotSafe):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_rules_of_tau_argus_are_those_of_ours():
    theirs = q.Rules.of("P(10,1)|NK(0,0)|P(0,0)|P(5,1)|FREQ(3,20)|FREQ(0,0)").to_dict()
    assert theirs == q.Rules.of(
        q.p_percent(10.0, n=1), q.frequency(3, 20.0), q.holdings(q.p_percent(5.0, n=1))
    ).to_dict()


def test_hierarchies_come_from_everything(tmp_path):
    (tmp_path / "r.hrc").write_text("North\n@N1\n@N2\nSouth\n@S1\n")
    edges = {"parent": ["Total", "Total", "North", "North", "South"]}
    edges["child"] = ["North", "South", "N1", "N2", "S1"]
    levels = {"top": ["North", "North", "South"], "bottom": ["N1", "N2", "S1"]}
    found = []
    for hierarchy in [
        tmp_path / "r.hrc",
        {"North": {"N1": None, "N2": None}, "South": {"S1": None}},
        polars.DataFrame(edges),
        pandas.DataFrame(levels),
    ]:
        job = q.Job(pa.table(FIRMS), dimensions={"region": hierarchy}).table(["region"], "turnover")
        tables = job.rules(q.p_percent(10)).tabulate()
        found.append({row["region"]: row["turnover"] for row in tables["turnover by region"].rows()})
    assert found[0]["North"] == 1237 and all(one == found[0] for one in found)


def test_tables_are_adjusted_compared_unpicked_and_written(tmp_path):
    table = q.Table(pa.table(CELLS), ["region", "size"], "turnover", status="status")
    with pytest.raises(q.QuellError):
        table.adjust(distance="nowhere")
    rules = q.Rules.of(q.frequency(3))
    counts = {**CELLS, "n": [2, 9, 9, 9, 9, 9]}
    by_rules = q.Table(pa.table(counts), ["region", "size"], "turnover", frequency="n", rules=rules)
    adjusted = by_rules.adjust()
    moved = [row["turnover"] for row in adjusted.rows() if row["region"] == "N"]
    assert 20 not in moved and None not in moved
    methods = [row["method"] for row in table.compare(["hypercube", "kelly-lp"])]
    assert methods == ["hypercube", "kelly-lp"]
    assert "1 of 1 primary falls" in table.unpick()
    table.write(tmp_path / "t.jj")
    assert (tmp_path / "t.jj").read_text().startswith("0\n12\n")


def test_audits_tell_intervals_and_cells():
    table = q.Table(pa.table(CELLS), ["region", "size"], "turnover", status="status")
    found = q.audit(table, intervals=True)
    assert found.exposed().rows()[0]["verdict"] == "exposed exactly"
    assert found.intervals().rows()[0]["lower"] == found.intervals().rows()[0]["upper"] == 20
    assert "NOT SAFE" in str(found)


def test_records_are_suppressed_and_recoded():
    people = polars.DataFrame(
        {
            "age": [30, 31, 32, 33, 34, 70, 71, 34],
            "town": ["A", "A", "A", "B", "B", "B", "B", "A"],
            "income": [1, 2, 3, 4, 5, 6, 7, 8],
        }
    )
    micro = q.Micro(people, keys=["age", "town"])
    risk = micro.risk(threshold=2)
    assert not risk.safe and risk.summary()["risky_records"] > 0
    safe = micro.suppress(threshold=2)
    assert safe.safe and safe.records.to_polars()["income"].to_list() == list(range(1, 9))
    assert safe.records.to_polars().schema["age"] == polars.Int64
    coarse = micro.recode(threshold=2, truncate=["age"])
    assert coarse.safe and len(coarse.records) == 8
    with pytest.raises(q.QuellError) as wrong:
        q.Micro(people, keys=["aeg"]).risk()
    assert '"aeg"' in str(wrong.value) and "age" in wrong.value.what + wrong.value.advice


@pytest.mark.parametrize(
    "misuse,words",
    [
        (lambda: q.Job(pa.table(FIRMS), dimensions={"regoin": None}).table(["regoin"], "turnover").protect(), "region"),
        (lambda: q.Job(pa.table(FIRMS), dimensions={"region": None}).table(["region"], "turnover").rules("P(x)"), "no rule"),
        (lambda: q.Job("nowhere.csv"), "nowhere.csv"),
        (lambda: q.Job(5), "Arrow"),
        (lambda: q.Job(pa.table(FIRMS), dimensions={"region": None}).table("region"), "list"),
        (lambda: q.Table(pa.table(CELLS), ["region", "size"], "turnover"), "sensitive"),
        (lambda: q.Table(pa.table(CELLS), ["region", "size"], "status", status="status"), "status"),
        (lambda: q.Table(pa.table(CELLS), ["region", "where"], "turnover", status="status"), "where"),
        (lambda: q.Table(pa.table(CELLS), ["region", "size"], "turnover", status="status").suppress(method="best"), "best"),
        (lambda: q.Table(pa.table(CELLS), ["region", "size"], "turnover", status="status").suppress(time="soon"), "soon"),
        (lambda: q.Job(pa.table(FIRMS)).set("protect", metod="auto").to_toml(), "method"),
    ],
)
def test_misuse_gets_a_sentence(misuse, words):
    with pytest.raises(q.QuellError) as wrong:
        job = misuse()
        if isinstance(job, q.Job):
            job.protect()
    error = wrong.value
    assert words in str(error), str(error)
    assert error.advice and "panicked" not in str(error) and "called `" not in str(error)


def test_not_a_weight(tmp_path):
    frame = pa.table({**FIRMS, "w": [-1.0] * 12})
    job = q.Job(frame, dimensions={"region": None}, weight="w").table(["region"], "turnover")
    with pytest.raises(q.QuellError) as wrong:
        job.rules(q.frequency(3)).protect()
    assert "weight" in str(wrong.value)


def test_progress_is_told():
    told = []
    table = q.Table(pa.table(CELLS), ["region", "size"], "turnover", status="status")
    job = q.Job(pa.table({name: values * 4000 for name, values in FIRMS.items()}), dimensions={"region": None})
    job.table(["region"], "turnover").rules(q.p_percent(10))
    job.protect(progress=lambda stage, steps, total: told.append(stage))
    table.suppress(progress=True)
    assert all(isinstance(stage, str) for stage in told)


def large_table():
    size = 24
    rows = {"a": [], "b": [], "c": [], "v": [], "n": []}
    state = 12345
    for a in range(size):
        for b in range(size):
            for c in range(size):
                state = (1103515245 * state + 12345) % 2**31
                rows["a"].append(f"a{a}")
                rows["b"].append(f"b{b}")
                rows["c"].append(f"c{c}")
                rows["v"].append(1 + state % 997)
                rows["n"].append(1 + state % 23)
    return q.Table(pa.table(rows), ["a", "b", "c"], "v", frequency="n", rules=q.frequency(3, 20), contributors=False)


def test_ctrl_c_ends_a_search_within_a_second():
    # Python does not listen where it was started with the signal ignored, as in the background of a shell.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    table = large_table()
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    try:
        with pytest.warns(UserWarning):
            assert table.suppress(method="exact", time="10m").safe
    except KeyboardInterrupt:
        pass
    assert time.monotonic() - begun < 60, "far more than it should, so that a busy machine does not matter"


def test_other_threads_go_on_while_a_call_works():
    table = large_table()
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    table.suppress(method="hypercube", time="2s")
    done.set()
    thread.join()
    assert len(counted) > 10, "the lock of Python was held"


def test_the_package_says_what_it_is():
    assert q.METHODS[0] == "auto"
    text = (ROOT / "Cargo.toml").read_text()
    assert f'version = "{q.__version__}"' in text


@pytest.mark.parametrize("example", sorted((ROOT / "python" / "examples").glob("*.py")))
def test_examples_run(example, tmp_path):
    where = {**os.environ, "PYTHONPATH": str(Path(q.__file__).resolve().parents[1])}
    done = subprocess.run(
        [sys.executable, example], cwd=tmp_path, env=where, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_jobs_as_text_are_json_inside(tmp_path):
    text = survey_job(tmp_path).to_toml()
    assert json.dumps("turnover") in text and "[[table]]" in text
