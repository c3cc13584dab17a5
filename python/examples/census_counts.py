"""Counts of persons: a table without values, with a threshold, adjusted instead of suppressed."""

import random

import pyarrow as pa

import quell as q

random.seed(5)
people = pa.table(
    {
        "region": random.choices(["N1", "N2", "S1", "S2"], [5, 3, 2, 1], k=400),
        "age": random.choices(["0-17", "18-64", "65+"], [2, 6, 2], k=400),
        "citizenship": random.choices(["here", "EU", "elsewhere"], [90, 7, 3], k=400),
    }
)

regions = {"North": ["N1", "N2"], "South": ["S1", "S2"]}
job = q.Job(people, dimensions={"region": regions, "age": None, "citizenship": None})
job.table(["region", "age", "citizenship"], name="Persons")
job.rules(q.frequency(4))
release = job.protect(time="20s")
hidden = sum(row["status"] != "published" for row in release["Persons"].rows())
print(f"suppressed: {release.verdict}, {hidden} of {len(release['Persons'])} counts hidden")

# The counts by age and citizenship alone, moved a little instead of hidden.
job = q.Job(people, dimensions={"region": None, "age": None, "citizenship": None})
job.table(["age", "citizenship"], name="Persons").rules(q.frequency(15))
job.set("protect", approach="adjust").set("adjust", distance="at-least")
adjusted = job.protect(time="20s")
print(f"adjusted: {adjusted.verdict}, every count published")
