"""Records of persons to be released themselves."""

import random

import pandas as pd

import quell as q

random.seed(11)
people = pd.DataFrame(
    {
        "town": random.choices("ABCDE", [9, 7, 4, 2, 1], k=2000),
        "age": [random.randint(0, 95) for _ in range(2000)],
        "job": random.choices(["clerk", "nurse", "farmer", "judge"], [9, 6, 3, 1], k=2000),
        "income": [random.randint(1, 90) * 100 for _ in range(2000)],
    }
)

micro = q.Micro(people, keys=["town", "age", "job"])
risk = micro.risk(threshold=2, max_dim=2)
print(f"{risk.summary()['risky_records']} of {len(people)} records have a rare combination")

safe = micro.suppress(threshold=2, max_dim=2, importance={"age": 2})
print(f"{int(safe.records.to_pandas().isna().sum().sum())} values hidden, and no more are needed")

coarse = micro.recode(threshold=2, max_dim=2, truncate=["age"])
print(f"with ages in classes: {int(coarse.records.to_pandas()['job'].isna().sum())} jobs hidden")
