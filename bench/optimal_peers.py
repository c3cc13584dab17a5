#!/usr/bin/env python3
"""The same tables by quell's `exact` and by τ-ARGUS Optimal, whose engine is on PyPI.

    python3 -m venv peers && peers/bin/pip install pytauargus
    cargo build --release -p quell
    peers/bin/python bench/optimal_peers.py [rows] [instances] [seconds] [folder]

Two-way tables of herrington-2015's kind with 1 % and 3 % primaries, levels of 10 %. Both get the
same cells, levels, costs and bounds, in one thread, in turn; processor seconds are those of the
child process. τ-ARGUS' pattern is audited by `quell audit`.
"""

import csv
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

ARGUMENTS = dict(enumerate(sys.argv[1:]))
ROWS = int(ARGUMENTS.get(0, 50))
INSTANCES = int(ARGUMENTS.get(1, 5))
SECONDS = int(ARGUMENTS.get(2, 600))
FOLDER = Path(ARGUMENTS.get(3, "/tmp/quell-optimal"))
TARGET = os.environ.get("CARGO_TARGET_DIR", Path(__file__).resolve().parent.parent / "target")
QUELL = Path(TARGET) / "release" / "quell"
SHARES = (0.01, 0.03)

RDA = """   <SEPARATOR> ";"
Row "99"
    <RECODEABLE>
    <TOTCODE> "Total"
Column "99"
    <RECODEABLE>
    <TOTCODE> "Total"
Value
    <NUMERIC>
    <DECIMALS> 2
Freq
    <FREQUENCY>
Status
    <STATUS>
Lower
    <NUMERIC> <LOWERPL>
Upper
    <NUMERIC> <UPPERPL>
<SAFE> "S"
<UNSAFE> "U"
<PROTECT> "P"
"""


def run(command):
    """Runs a command; its output and the processor seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done, cpu


def by_quell(name):
    done, cpu = run([QUELL, "suppress", f"{name}.csv", "--method", "exact", "--threads", "1",
                     "--time", f"{SECONDS}s", "--json", "--out", f"{name}-quell.csv"])
    found = json.loads(done.stdout)
    return found["cost"], found["gap"] == 0, cpu


def by_tau_argus(name):
    with open(FOLDER / f"{name}.cells.csv", newline="") as file:
        cells = list(csv.DictReader(file))
    with open(FOLDER / f"{name}.tab", "w") as file:
        for cell in cells:
            row, column = cell["cell"].split(" × ")
            status = "U" if cell["status"] == "primary" else "S"
            levels = f'{cell["lpl"]};{cell["upl"]}'
            file.write(f'"{row}";"{column}";{cell["value"]};10;{status};{levels}\n')
    (FOLDER / f"{name}.rda").write_text(RDA)
    (FOLDER / f"{name}.arb").write_text(
        f'<OPENTABLEDATA> "{name}.tab"\n<OPENMETADATA> "{name}.rda"\n'
        '<SPECIFYTABLE> "Row""Column"|"Value"||"Value"\n<READTABLE> 1T\n'
        f'<SUPPRESS> OPT(1,{max(1, SECONDS // 60)})\n<WRITETABLE> (1,5,,"{name}-tau.tab")\n')
    done, cpu = run([Path(sys.executable).parent / "tauargus", "run", f"{name}.arb"])
    released = FOLDER / f"{name}-tau.tab"
    if not released.exists():
        raise SystemExit(f"τ-ARGUS wrote no table:\n{done.stdout}\n{done.stderr}")
    hidden = set()
    with open(released) as file:
        for line in file:
            fields = [field.strip(' "\n') for field in line.split(";")]
            if "M" in fields[2:]:
                hidden.add(f"{fields[0]} × {fields[1]}")
    with open(FOLDER / f"{name}-tau.cells.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, cells[0].keys())
        writer.writeheader()
        for cell in cells:
            if cell["cell"] in hidden:
                cell = cell | {"status": "secondary"}
            writer.writerow(cell)
    (FOLDER / f"{name}-tau.equations.csv").write_text(
        (FOLDER / f"{name}.equations.csv").read_text())
    audited, _ = run([QUELL, "audit", f"{name}-tau.csv"])
    cost = sum(float(cell["weight"]) for cell in cells if cell["cell"] in hidden)
    return cost, audited.returncode == 0, cpu


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    print("| primaries | seed | quell, cost | proven | CPU s | τ-ARGUS Optimal, cost | safe | CPU s | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for share in SHARES:
        for seed in range(1, INSTANCES + 1):
            name = f"t{share}-{seed}".replace(".", "")
            run([QUELL, "generate", "herrington", "--rows", str(ROWS), "--columns", str(ROWS),
                 "--primary-share", str(share), "--seed", str(seed), "--out", f"{name}.csv"])
            cost, proven, cpu = by_quell(name)
            theirs, safe, their_cpu = by_tau_argus(name)
            print(f"| {share:.0%} | {seed} | {cost:,.2f} | {'yes' if proven else 'no'} | {cpu:.2f} | "
                  f"{theirs:,.2f} | {'yes' if safe else 'no'} | {their_cpu:.2f} | {their_cpu / cpu:.1f} |",
                  flush=True)


main()
