"""Records to be released themselves: risk, local suppression, recoding.

>>> import pyarrow as pa, quell as q
>>> people = pa.table({
...     "town": ["A", "A", "B", "B", "B"],
...     "job": ["clerk", "clerk", "clerk", "clerk", "mayor"],
... })
>>> micro = q.Micro(people, keys=["town", "job"])
>>> micro.risk(threshold=2).safe
False
>>> safe = micro.suppress(threshold=2)
>>> safe.records.rows()[4]
{'town': 'B', 'job': None}
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .frames import Frame
from .hierarchy import misuse
from .job import Job, Release, Time
from .progress import Progress


class Micro:
    """Records, and which of their variables identify."""

    def __init__(
        self,
        data: Any,
        keys: Sequence[str],
        *,
        weight: str | None = None,
        household: str | None = None,
        missing: dict[str, Sequence[str]] | None = None,
        **more: Any,
    ) -> None:
        if isinstance(keys, str):
            raise misuse(f'keys = "{keys}" is a text', "give a list of variables")
        said = {"weight": weight, "household": household, **more}
        self._said = {name: value for name, value in said.items() if value is not None}
        if missing:
            self._said["missing"] = {name: list(codes) for name, codes in missing.items()}
        self._data = data
        self._keys = list(keys)

    def risk(self, *, sensitive: Sequence[str] = (), suda: int | None = None, **check: Any) -> MicroResult:
        """Which records have rare combinations of values.

        `check`: `threshold`, `max_dim`, `combinations`, `all_together`, `meaning` and the other keys
        of `[micro]` in a job.
        """
        risk: dict[str, Any] = {}
        if sensitive:
            risk["sensitive"] = list(sensitive)
        if suda is not None:
            risk["suda"] = suda
        if risk:
            check["risk"] = risk
        return self._run("risk", check)

    def suppress(self, **check: Any) -> MicroResult:
        """Sets as few values as possible to missing, so that no combination is rare."""
        return self._run("suppress", check)

    def recode(self, **check: Any) -> MicroResult:
        """Joins categories with the least loss, and suppresses what is left."""
        own = {name: check.pop(name) for name in list(check) if name in _OF_RECODE}
        return self._run("recode", {**check, "recode": own} if own else check)

    def _run(self, task: str, check: dict[str, Any]) -> MicroResult:
        limits = {name: check.pop(name) for name in list(check) if name in _LIMITS}
        job = Job().micro(self._data, self._keys, task=task, **self._said, **check)
        return MicroResult(job.protect(unsafe_too=True, **limits))

    def __repr__(self) -> str:
        return f"<quell.Micro: {', '.join(self._keys)}>"


_OF_RECODE = {"apply", "top", "bottom", "ladder", "truncate", "measure", "losses"}
_LIMITS = {"time", "work", "seed", "threads", "progress"}


class MicroResult:
    """What was found or done."""

    def __init__(self, release: Release) -> None:
        self._release = release

    @property
    def safe(self) -> bool:
        """Whether no checked combination is rare: in the records, or in what is released of them."""
        return self._release.is_safe

    @property
    def records(self) -> Frame:
        """The records as they may be released."""
        records = self._release.microdata
        if records is None:
            raise misuse("measuring risk releases no records", "call suppress() or recode()")
        return records

    def summary(self) -> dict[str, Any]:
        """What was found, in numbers."""
        found: dict[str, Any] = json.loads(self._release._release.micro_summary() or "{}")
        return found

    def report(self, path: str | Path | None = None) -> str:
        """The report for the office as one HTML page; written to `path` if given."""
        return self._release.report(path, audience="office")

    def __str__(self) -> str:
        return self._release._release.micro_text() or ""

    def _repr_html_(self) -> str:
        page = html.escape(self.report(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:480px;border:0"></iframe>'
