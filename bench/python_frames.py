"""A job on records in a Polars frame, beside the command on the same records in a Parquet file.

    PYTHONPATH=python python bench/python_frames.py ROWS FOLDER RUNS COMMAND

Needs numpy, polars and the package `quell` with a build of the same profile as the command. Both make the
same two tables, protect them by `hypercube` and audit them; both are measured as processes of their own, one
after the other. For Python the time is told without and with the reading of the frame, and the peak of memory is
counted above the process with the frame in it.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

JOB = """\
data = { file = "records.parquet" }
rules = { p-percent = { p = 10 }, frequency = { minimum = 3 } }
protect = { method = "hypercube", seed = 1 }
dimension = [{ name = "industry", digits = [1, 2] }, { name = "region" }, { name = "size" }]
[[table]]
name = "by region"
dimensions = ["industry", "region"]
response = "turnover"
[[table]]
name = "by size"
dimensions = ["industry", "size"]
response = "turnover"
"""


def make(rows, path):
    import numpy
    import polars

    chance = numpy.random.default_rng(1)
    industries = numpy.array([f"{letter}{number:02}" for letter in "ABCDEFGH" for number in range(25)])
    regions = numpy.array([f"R{number:02}" for number in range(20)])
    sizes = numpy.array(["1-9", "10-49", "50-249", "250+"])
    frame = polars.DataFrame(
        {
            "industry": industries[chance.integers(0, len(industries), rows)],
            "region": regions[chance.integers(0, len(regions), rows)],
            "size": sizes[chance.choice(4, rows, p=[0.6, 0.25, 0.1, 0.05])],
            "turnover": (chance.pareto(1.5, rows) * 100).astype("int64") + 1,
        }
    )
    frame.write_parquet(path)


def status(key):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(key))


def in_python(folder):
    import polars
    import quell

    began = time.monotonic()
    # One chunk, as the Arrow interface hands it over: else Polars copies the frame when it is asked for it.
    frame = polars.read_parquet(folder / "records.parquet").rechunk()
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory begins anew
    before, read = status("VmRSS"), time.monotonic() - began
    job = quell.Job.from_toml(folder / "job.toml").records("records.parquet", frame)
    release = job.protect()
    assert release.is_safe
    took, peak = time.monotonic() - began, status("VmHWM")
    import pyarrow

    size = sum(column.nbytes for column in pyarrow.table(frame).columns) / 2**20
    print(json.dumps({"seconds": took - read, "read": read, "frame": size, "above": peak - before, "hidden": release.summary()["secondaries"]}))


def by_command(folder, command):
    began = time.monotonic()
    subprocess.run([command, "protect", folder / "job.toml"], check=True, capture_output=True)
    return time.monotonic() - began


def main():
    rows, folder, runs, command = int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    folder.mkdir(parents=True, exist_ok=True)
    make(rows, folder / "records.parquet")
    (folder / "job.toml").write_text(JOB)
    command_times, python = [], []
    for _ in range(runs):
        command_times.append(by_command(folder, command))
        done = subprocess.run([sys.executable, __file__, "--python", folder], check=True, capture_output=True, text=True)
        python.append(json.loads(done.stdout))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"command: {statistics.median(command_times):.2f} s")
    print(f"Python:  {statistics.median(run['seconds'] for run in python):.2f} s, reading the frame "
          f"{statistics.median(run['read'] for run in python):.2f} s, frame {python[0]['frame']:.0f} MiB, "
          f"peak above it {max(run['above'] for run in python):.0f} MiB (largest process {peak:.0f} MiB)")


if __name__ == "__main__":
    if sys.argv[1] == "--python":
        in_python(Path(sys.argv[2]))
    else:
        main()
