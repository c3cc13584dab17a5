#!/usr/bin/env python3
"""The same table from the same records by quell, Polars and DuckDB.

    python3 -m venv peers && peers/bin/pip install polars duckdb pyarrow numpy
    cargo build --release -p quell-bench
    peers/bin/python bench/tabulate_peers.py [records] [seed] [folder] [repeats]

Branch (20 × 6 × 5 codes) × region (10 × 20) × size (6) × form (4) of turnover: for every cell
and every total the value, the number of records and the two largest contributions. The peers
group at the finest level and then at every combination of levels, which is faster in both than
grouping sets over the records. Each runs in a process of its own, in turn, so that the
peak memory is its own; sums over all cells must be equal.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

CHILD = sys.argv[1:2] == ["--child"]
ARGUMENTS = dict(enumerate([] if CHILD else sys.argv[1:]))
RECORDS = int(ARGUMENTS.get(0, 10_000_000))
SEED = int(ARGUMENTS.get(1, 1))
FOLDER = Path(ARGUMENTS.get(2, "/tmp/quell-tabulate"))
REPEATS = int(ARGUMENTS.get(3, 3))
TARGET = os.environ.get("CARGO_TARGET_DIR", Path(__file__).resolve().parent.parent / "target")
QUELL = Path(TARGET) / "release" / "quell-bench"
BRANCH, REGION, SIZE, FORM = (3, 2, 1, 0), (2, 1, 0), (1, 0), (1, 0)


def generate(path):
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet

    random = np.random.default_rng(SEED)
    letters = np.array([chr(ord("A") + i) for i in range(20)])

    def codes(parts):
        # Skewed like real classifications: the first codes are common.
        size = int(np.prod([len(part) for part in parts]))
        names = [""]
        for part in parts:
            names = [name + letter for name in names for letter in part]
        drawn = (random.random(RECORDS) ** 2 * size).astype(np.int32)
        return pa.DictionaryArray.from_arrays(pa.array(drawn), pa.array(names)).cast(pa.string())

    cents = np.exp(random.normal(9.0, 2.0, RECORDS)).astype(np.int64)
    table = pa.table({
        "branch": codes([letters, "012345", "01234"]),
        "region": codes([letters[:10], letters]),
        "size": codes(["012345"]),
        "form": codes(["0123"]),
        "firm": pa.array(random.integers(0, RECORDS * 3 // 4, RECORDS)),
        "turnover": pa.array(cents / 100),
    })
    parquet.write_table(table, path.with_suffix(".parquet"), row_group_size=500_000)
    csv.write_csv(table, path.with_suffix(".csv"))


def levels(names=("branch", "region", "size", "form")):
    for branch in BRANCH:
        for region in REGION:
            for size in SIZE:
                for form in FORM:
                    yield dict(zip(names, (branch, region, size, form)))


def with_polars(path):
    import polars as pl

    scan = pl.scan_parquet if path.suffix == ".parquet" else pl.scan_csv
    options = {} if path.suffix == ".parquet" else {"schema_overrides": {"size": pl.String, "form": pl.String}}
    keys = ["branch", "region", "size", "form"]
    base = (
        scan(path, **options)
        .with_columns((pl.col("turnover") * 100).round().cast(pl.Int64).alias("v"))
        .group_by(keys)
        .agg(pl.len().alias("n"), pl.col("v").sum().alias("value"), pl.col("v").top_k(2).alias("top"))
        .collect(engine="streaming")
    )
    value = first = second = cells = 0
    for level in levels():
        columns = [pl.col(key).str.slice(0, length).alias(key) for key, length in level.items()]
        total = (
            base.lazy()
            .group_by(columns)
            .agg(pl.col("n").sum(), pl.col("value").sum(), pl.col("top").explode().top_k(2))
            .with_columns(pl.col("top").list.max().alias("t1"))
            .with_columns((pl.col("top").list.sum() - pl.col("t1")).alias("t2"))
            .collect()
        )
        cells += total.height
        value += total["value"].sum()
        first += total["t1"].sum()
        second += total["t2"].sum()
    return cells, value, first, second


def with_duckdb(path):
    import duckdb

    read = f"read_parquet('{path}')" if path.suffix == ".parquet" else (
        f"read_csv('{path}', types={{'size': 'VARCHAR', 'form': 'VARCHAR'}})"
    )
    connection = duckdb.connect()
    connection.execute(f"""
        create table base as
        select branch, region, size, form, count(*) n, sum(v)::bigint as value, max(v, 2) top
        from (select *, round(turnover * 100)::bigint v from {read}) group by all
    """)
    value = first = second = cells = 0
    for level in levels():
        keys = ", ".join(f"left({key}, {length}) {key}" for key, length in level.items())
        found = connection.execute(f"""
            with total as (
                select {keys}, sum(n) n, sum(value) as value,
                       max(top[1]) t1, list_reverse_sort(flatten(list(top)))[2] t2
                from base group by all)
            select count(*), sum(value), sum(t1), sum(t2) from total
        """).fetchone()
        cells += found[0]
        value += found[1]
        first += found[2]
        second += found[3] or 0
    return cells, value, first, second


def child(name, path):
    started = time.perf_counter()
    result = {"polars": with_polars, "duckdb": with_duckdb}[name](path)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{seconds:.2f} {peak:.0f}", *map(int, result))


def run(name, path):
    if name == "quell":
        command = [QUELL, "tabulate", path]
    else:
        command = [sys.executable, __file__, "--child", name, path]
    out = subprocess.run(command, capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr)
    line = out.stdout.strip().splitlines()[-1]
    if name != "quell":
        seconds, peak, *result = line.split()
        return float(seconds), float(peak), tuple(map(int, result))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return float(cells[4]), float(cells[6]), tuple(int(cells[i]) for i in (3, 7, 8, 9))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    stem = FOLDER / f"records-{RECORDS}-{SEED}"
    if not stem.with_suffix(".parquet").exists():
        generate(stem)
    for suffix in (".parquet", ".csv"):
        print(f"\n{RECORDS:,} records, {suffix[1:]}")
        print(f"{'':<8}{'seconds':>9}{'best':>8}{'peak MiB':>10}  cells")
        results = set()
        for name in ("quell", "polars", "duckdb"):
            runs = [run(name, stem.with_suffix(suffix)) for _ in range(REPEATS)]
            results.add(runs[0][2])
            seconds = sorted(one[0] for one in runs)
            print(f"{name:<8}{seconds[len(seconds) // 2]:>9.2f}{seconds[0]:>8.2f}{max(one[1] for one in runs):>10.0f}  {runs[0][2][0]:,}")
        print("all sums agree" if len(results) == 1 else f"SUMS DIFFER: {results}")


if CHILD:
    child(sys.argv[2], Path(sys.argv[3]))
else:
    main()
