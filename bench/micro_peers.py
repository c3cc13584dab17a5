#!/usr/bin/env python3
"""Risk measures of one file by quell and by pycanon, and k-anonymity by quell and by anjana.

    python3 -m venv peers && peers/bin/pip install pycanon anjana
    cargo build --release -p quell
    peers/bin/python bench/micro_peers.py [records] [seed]

QUELL names another binary. Both read the same CSV file, in CPU seconds. pycanon's k, l and t must be equal to ours (it looks at all
identifying variables together, so only these measures do the same job). anjana removes
whole records where generalising is not enough; quell hides single values, so what is
compared there is time and what is left of the data.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pycanon
from anjana import anonymity as anjana
from pycanon import anonymity

RECORDS = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
QUELL = os.environ.get("QUELL") or Path(__file__).resolve().parent.parent / "target" / "release" / "quell"
KEYS = {"sex": 2, "age": 20, "town": 10, "status": 4, "job": 6}
K = 5


def cpu():
    """CPU seconds of this process and of those it has run: a shared machine bends the others."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(work):
    started = cpu()
    result = work()
    return result, cpu() - started


def quell(*arguments):
    done = subprocess.run([QUELL, "micro", *map(str, arguments), "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 2):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def row(what, own, other, own_time, other_time):
    print(f"{what:<34}{own:>14}{other:>14}{own_time:>10.3f}{other_time:>10.3f}")


def main():
    random = np.random.default_rng(SEED)
    # Skewed like real variables: low codes are common.
    columns = {
        name: (random.random(RECORDS) ** 2 * size).astype(int) for name, size in KEYS.items()
    }
    columns["illness"] = [f"i{code}" for code in (random.random(RECORDS) ** 2 * 8).astype(int)]
    frame = pd.DataFrame(columns)
    keys = list(KEYS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        frame.to_csv(path, index=False)
        print(f"{RECORDS} records, {len(KEYS)} keys, seed {SEED}; pandas {pd.__version__}, numpy {np.__version__}")
        print(f"{'':<34}{'quell':>14}{'peer':>14}{'quell s':>10}{'peer s':>10}   (CPU)")
        ours, own = timed(
            lambda: quell("risk", path, "--keys", ",".join(keys), "--all-together", "--threshold", K, "--sensitive", "illness")
        )
        frame, reading = timed(lambda: pd.read_csv(path))
        k, seconds = timed(lambda: anonymity.k_anonymity(frame, keys))
        row("k-anonymity (pycanon)", ours["uniques"]["k_anonymity"], k, own, reading + seconds)
        assert k == ours["uniques"]["k_anonymity"]
        l, seconds = timed(lambda: anonymity.l_diversity(frame, keys, ["illness"]))
        row("l-diversity, distinct (pycanon)", ours["sensitive"][0]["distinct_l"], l, own, reading + seconds)
        assert l == ours["sensitive"][0]["distinct_l"]
        t, seconds = timed(lambda: anonymity.t_closeness(frame, keys, ["illness"]))
        t_own = ours["sensitive"][0]["t_equal"]
        row("t-closeness (pycanon)", f"{t_own:.6f}", f"{t:.6f}", own, reading + seconds)
        assert abs(t - t_own) < 1e-6

        safe = Path(folder) / "safe.csv"
        done, own = timed(
            lambda: quell("suppress", path, "--keys", ",".join(keys), "--all-together", "--parts", "--threshold", K, "--out", safe)
        )
        values = RECORDS * len(KEYS)
        kept_own = 1 - done["suppression"]["suppressions"] / values
        hierarchies = {
            name: {0: frame[name].values, 1: np.full(RECORDS, "*", dtype=object)} for name in keys
        }
        kept, seconds = timed(lambda: anjana.k_anonymity(frame, [], keys, K, 50, hierarchies))
        # What anjana generalised to "*" or removed with its record is not kept.
        shown = sum(int((kept[name].astype(str) != "*").sum()) for name in keys) if len(kept) else 0
        row(f"{K}-anonymity: values kept (anjana)", f"{kept_own:.4%}", f"{shown / values:.4%}", own, seconds)


if __name__ == "__main__":
    main()
