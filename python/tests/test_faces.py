"""Random jobs give the same verdicts and the same cells through the command, Python and R."""

import csv
import os
import random
import subprocess
from pathlib import Path

import polars
import pytest

import quell as q

ROOT = Path(__file__).resolve().parents[2]
JOBS = 40

SECTORS = {"A": ["A1", "A2", "A3"], "B": ["B1", "B2"], "C": {"C1": ["C11", "C12"], "C2": None}}
LEAVES = ["A1", "A2", "A3", "B1", "B2", "C11", "C12", "C2"]

#: Protects every job in its folder with R: the verdict, and each table as a CSV file.
IN_R = """
library(quell)
for (folder in list.dirs(commandArgs(TRUE)[1], recursive = FALSE)) {
  data <- read.csv(file.path(folder, "data.csv"), colClasses = c(sector = "character", region = "character",
                   size = "character", firm = "character"))
  job <- read_job(file.path(folder, "job.toml"), data.csv = data)
  release <- protect_job(job, unsafe_too = TRUE)
  writeLines(verdict(unclass(release)), file.path(folder, "r.verdict"))
  tables <- tables(release)
  for (name in names(tables)) {
    write.csv(tables[[name]], file.path(folder, paste0("r-", name, ".csv")), row.names = FALSE)
  }
}
"""


def random_records(chance):
    decimals = chance.choice([0, 0, 1])
    firms = chance.randint(5, 60)
    rows = []
    for _ in range(chance.randint(15, 150)):
        value = round(chance.paretovariate(0.9) * 10, decimals)
        rows.append(
            {
                "sector": chance.choice(LEAVES),
                "region": f"R{chance.randint(1, 4)}",
                "size": chance.choice(["s", "m", "l"]),
                "firm": f"f{chance.randint(1, firms)}",
                "turnover": value if decimals else int(value),
                "weight": chance.choice([1, 1, 2, 5]),
            }
        )
    return rows


def random_job(chance, data):
    by = {"sector": SECTORS, "region": None, "size": None}
    named = {}
    if chance.random() < 0.6:
        named["respondent"] = "firm"
    if chance.random() < 0.3:
        named["weight"] = "weight"
    job = q.Job(data, dimensions=by, name="data.csv", **named)
    for number in range(chance.randint(1, 2)):
        dimensions = chance.sample(list(by), chance.randint(1, 2))
        job.table(dimensions, chance.choice(["turnover", None]), name=f"t{number}")
    rules = [q.p_percent(chance.choice([5, 10, 20])), q.dominance(1, 75), q.frequency(chance.choice([2, 3]))]
    job.rules(*chance.sample(rules, chance.randint(1, 3)))
    method = chance.choice(["hypercube", "kelly-lp", "auto"])
    return job.set("protect", method=method, work=2000, seed=chance.randint(1, 9)).set("release", folder="out")


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    head, cells = rows[0], rows[1:]
    value = head.index("status") - 1
    return [(tuple(row[:value]), number(row[value]), row[value + 1]) for row in cells]


def number(text):
    return None if text in ("x", "", "NA", None) else float(text)


def by_python(release):
    found = {}
    for table in release:
        value = table.columns.index("status") - 1
        rows = [list(row.values()) for row in table.rows()]
        found[table.name] = [
            (tuple(row[:value]), None if row[value] is None else float(row[value]), row[value + 1]) for row in rows
        ]
    return found


@pytest.mark.skipif("QUELL_COMMAND" not in os.environ, reason="the command and R's package are built by ./run r")
def test_random_jobs_give_the_same_through_command_python_and_r(tmp_path):
    verdicts, tables = {}, {}
    for seed in range(JOBS):
        chance = random.Random(seed)
        folder = tmp_path / f"job{seed:02}"
        folder.mkdir()
        rows = random_records(chance)
        with (folder / "data.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        job = random_job(chance, polars.DataFrame(rows))
        job.to_toml(folder / "job.toml")
        release = job.protect(unsafe_too=True)
        verdicts[folder], tables[folder] = release.verdict, by_python(release)
    script = tmp_path / "in.R"
    script.write_text(IN_R, encoding="utf-8")
    subprocess.run(["Rscript", script, tmp_path], check=True, capture_output=True, text=True)
    for folder, verdict in verdicts.items():
        command = [os.environ["QUELL_COMMAND"], "protect", folder / "job.toml"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode == 0) == (verdict == "safe"), (folder, verdict, done.stderr)
        assert (folder / "r.verdict").read_text().strip() == verdict
        for name, cells in tables[folder].items():
            assert rows_of(folder / f"r-{name}.csv") == cells, (folder, name)
            if verdict == "safe":
                assert rows_of(folder / "out" / f"{name}.csv") == cells, (folder, name)
    # A test that never hides a cell, or only ever does, would show nothing.
    hidden = [cell[1] is None for found in tables.values() for cells in found.values() for cell in cells]
    assert 0.02 < sum(hidden) / len(hidden) < 0.98
    assert list(verdicts.values()).count("safe") > JOBS // 2
