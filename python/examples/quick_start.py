"""From records to a release, with nothing but this package: the quick start of README."""

import tempfile
from pathlib import Path

import quell as q

folder = Path(tempfile.mkdtemp())
q.survey(folder, firms=1000)
job = q.Job(
    folder / "survey.csv",
    respondent="firm",
    holding="holding",
    weight="weight",
    dimensions={"industry": folder / "industry.hrc", "size": None},
)
job.table(["industry", "size"], "turnover").table(["industry"], "export")
job.rules(q.p_percent(10), q.frequency(3))
release = job.protect(method="kelly-lp")
files = release.write(folder / "out")
print(f"{release.verdict}: {len(release)} tables, {release.summary()['secondaries']} cells hidden beside the sensitive ones")
assert release.is_safe and all(file.exists() for file in files)
