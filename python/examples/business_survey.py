"""A business survey: from records in a frame to a release with its report.

Three tables that hang together are protected as one system; holdings act as one contributor.
"""

import tempfile
from pathlib import Path

import polars as pl

import quell as q

folder = Path(tempfile.mkdtemp())
q.survey(folder, firms=500, seed=7)
firms = pl.read_csv(folder / "survey.csv")

job = q.Job(
    firms,
    title="Business survey",
    respondent="firm",
    holding="holding",
    weight="weight",
    dimensions={
        "industry": folder / "industry.hrc",
        "size": None,
    },
)
job.table(["industry", "size"], "turnover")
job.table(["industry", "size"], "domestic")
job.table(["industry", "size"], "export")
job.equation("turnover", ["domestic", "export"])
job.rules(q.p_percent(10), q.frequency(3, margin=20), q.holdings(q.p_percent(10)))

try:
    release = job.protect(method="kelly-lp", seed=1)
except q.NotSafe as refused:
    # Some cells cannot be protected from everybody whatever is hidden: the office decides.
    release = refused.release

summary = release.summary()
print(f"{release.verdict}: {summary['primaries']} sensitive cells, {summary['secondaries']} hidden beside")
for table in release:
    hidden = table.to_polars()[table.columns[-2]].null_count()
    print(f"  {table.name}: {hidden} of {len(table)} cells hidden")
if release.is_safe:
    release.write(folder / "release")
    release.report(folder / "report.html")
