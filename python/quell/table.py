"""One table that is there already: audited, suppressed, adjusted.

>>> import pyarrow as pa, quell as q
>>> cells = pa.table({
...     "region": ["N", "N", "S", "S"],
...     "size": ["a", "b", "a", "b"],
...     "turnover": [20, 50, 8, 19],
...     "status": ["primary", "safe", "safe", "safe"],
... })
>>> table = q.Table(cells, ["region", "size"], "turnover", status="status")
>>> q.audit(table).safe
False
>>> protected = table.suppress()
>>> protected.safe, protected.secondaries
(True, 3)
>>> protected.table.rows(2)
[{'region': 'Total', 'size': 'Total', 'turnover': 97, 'status': 'published'}, \
{'region': 'Total', 'size': 'a', 'turnover': 28, 'status': 'published'}]
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _quell
from ._quell import METHODS
from .frames import Frame
from .hierarchy import files_of, misuse
from .job import Limits, Time
from .progress import Progress, Shown
from .rules import Rule, Rules


class _Columns:
    """Which columns are what, as the extension module reads it."""

    def __init__(self, **columns: Any) -> None:
        self.__dict__.update(columns)


class _Dimension:
    def __init__(self, column: str, total: str, hierarchies: list[Path]) -> None:
        self.column = column
        self.total = total
        self.hierarchies = hierarchies


class Table:
    """A table with one row per cell; totals may be left out.

    `dimensions` are columns of codes, or a dictionary of columns and hierarchies. Which cells are
    sensitive is said by a column `status`, or by `rules` on the columns `frequency` (how many
    contribute) and `top` (the largest contributions).
    """

    def __init__(
        self,
        frame: Any,
        dimensions: Iterable[str] | Mapping[str, Any],
        value: str | None = None,
        *,
        status: str | None = None,
        frequency: str | None = None,
        top: Sequence[str] = (),
        cost: str | None = None,
        levels: tuple[str, str] | None = None,
        bounds: tuple[str, str] | None = None,
        decimals: int | None = None,
        rules: Rules | Rule | str | None = None,
        contributors: bool | None = None,
        total: str = "Total",
    ) -> None:
        if isinstance(dimensions, str):
            raise misuse(f'dimensions = "{dimensions}" is a text', "give a list of columns")
        named = dimensions if isinstance(dimensions, Mapping) else dict.fromkeys(dimensions)
        lower, upper = levels or (None, None)
        with tempfile.TemporaryDirectory(prefix="quell-") as folder:
            columns = _Columns(
                dimensions=[
                    _Dimension(name, total, files_of(hierarchy, name, Path(folder), total))
                    for name, hierarchy in named.items()
                ],
                value=value,
                status=status,
                frequency=frequency,
                top=[top] if isinstance(top, str) else list(top),
                cost=cost,
                lower=lower,
                upper=upper,
                bounds=bounds,
                decimals=decimals,
                rules=None if rules is None else json.dumps(Rules.of(rules).to_dict()),
                contributors=contributors,
            )
            self._table = _quell.ArrowTable(frame, columns)

    @property
    def cells(self) -> int:
        """How many cells it has, totals included."""
        return self._table.counts()[0]

    @property
    def primaries(self) -> int:
        """How many of them are sensitive."""
        return self._table.counts()[2]

    def published(self) -> Frame:
        """The table with the cells hidden that its statuses call primary or secondary."""
        return Frame(self._table.published())

    def confidential(self) -> Frame:
        """All values: for the office only."""
        return Frame(self._table.confidential())

    def audit(
        self,
        *,
        contributors: bool = False,
        intervals: bool = False,
        progress: Progress = None,
        **limits: Any,
    ) -> Audit:
        """Whether every sensitive cell is safe from who sees the published ones, proven."""
        with Shown(progress) as tell:
            return Audit(self._table.audit(Limits(**limits), contributors, intervals, tell))

    def suppress(
        self,
        *,
        method: str = METHODS[0],
        time: Time = None,
        work: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Suppressed:
        """Hides further cells until every sensitive one is safe."""
        with Shown(progress) as tell:
            limits = Limits(time, work, seed, threads)
            own, interrupted = self._table.suppress(limits, method, tell)
        if interrupted:
            if not own.safe:
                raise KeyboardInterrupt("stopped; nothing is proven safe yet")
            warnings.warn("stopped early; this is the best that is proven safe", stacklevel=2)
        return Suppressed(own)

    def adjust(
        self, *, method: str = "exact", progress: Progress = None, time: Time = None,
        work: int | None = None, seed: int | None = None, threads: int | None = None,
        **options: Any,
    ) -> Frame:
        """Moves sensitive values to a safe distance, and others a little, so that all adds up.

        `options` are those of `[adjust]` in a job, such as `distance="at-least"`.
        """
        own = {key.replace("_", "-"): value for key, value in options.items()}
        with Shown(progress) as tell:
            limits = Limits(time, work, seed, threads)
            table, safe, _ = self._table.adjust(limits, method, json.dumps(own), tell)
        if not safe:
            raise misuse("the adjusted table is not safe", "give it more time, or another method")
        return Frame(table)

    def compare(
        self, methods: Sequence[str] = (), *, progress: Progress = None, **limits: Any
    ) -> list[dict[str, Any]]:
        """Several methods, each with the same time: what they hide, what it costs, how long it took."""
        with Shown(progress) as tell:
            rows = self._table.compare(Limits(**limits), list(methods), tell)
        found: list[dict[str, Any]] = json.loads(rows)
        return found

    def unpick(self) -> str:
        """What falls by subtraction alone, in words."""
        return self._table.unpick()

    def write(self, path: str | Path) -> None:
        """Writes it with all values as a JJ file (`.jj`) or a pair of CSV files (`.csv`)."""
        self._table.write(Path(path))

    def __repr__(self) -> str:
        return f"<quell.Table: {self.cells} cells, {self.primaries} primaries>"

    def _repr_html_(self) -> str:
        return f"<p>{self.cells} cells, {self.primaries} primaries</p>{self.published()._repr_html_()}"


class Suppressed:
    """A protected table."""

    def __init__(self, suppressed: _quell.Suppressed) -> None:
        self._suppressed = suppressed
        self._summary: dict[str, Any] = json.loads(suppressed.summary())

    @property
    def safe(self) -> bool:
        """Whether every sensitive cell is proven safe."""
        return self._suppressed.safe

    @property
    def verdict(self) -> str:
        """`safe`, `not-safe` or `not-proven`."""
        return self._suppressed.verdict

    @property
    def table(self) -> Frame:
        """The table as it may be published, if it is safe: hidden values are null."""
        return Frame(self._suppressed.table())

    @property
    def secondaries(self) -> int:
        """How many cells are hidden beside the sensitive ones."""
        return int(self._summary["secondaries"])

    @property
    def cost(self) -> float:
        """What those cost."""
        return float(self._summary["cost"])

    def summary(self) -> dict[str, Any]:
        """What came of it, in numbers."""
        return dict(self._summary)

    def _repr_html_(self) -> str:
        return f"<p><b>{self.verdict}</b></p>{self.table._repr_html_()}"

    def __repr__(self) -> str:
        return f"<quell.Suppressed: {self.verdict}, {self.secondaries} secondaries>"


class Audit:
    """What an audit has found: for the office, because it says how near an attacker can come."""

    def __init__(self, audit: _quell.Audit) -> None:
        self._audit = audit

    @property
    def safe(self) -> bool:
        """Whether every sensitive cell is proven safe."""
        return self._audit.safe

    @property
    def verdict(self) -> str:
        """`safe`, `not-safe` or `not-proven`."""
        return self._audit.verdict

    def counts(self) -> dict[str, int]:
        """How many sensitive cells have which verdict."""
        names = ("safe", "exposed exactly", "exposed within", "undecided")
        return dict(zip(names, self._audit.counts()))

    def primaries(self) -> Frame:
        """Every sensitive cell with its verdict."""
        return Frame(self._audit.primaries())

    def exposed(self) -> Frame:
        """Those that are not proven safe."""
        return Frame(self._audit.exposed())

    def intervals(self) -> Frame:
        """What an attacker can work out of every hidden cell."""
        found = self._audit.intervals()
        if found is None:
            raise misuse("the audit did not look at intervals", "ask for them: intervals=True")
        return Frame(found)

    def __str__(self) -> str:
        return self._audit.text()

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.counts().items())
        return f"<quell.Audit: {self.verdict} ({counts})>"

    def _repr_html_(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.counts().items())
        exposed = "" if self.safe else self.exposed()._repr_html_()
        return f"<p><b>{self.verdict}</b>: {counts}</p>{exposed}"


def audit(table: Table, **how: Any) -> Audit:
    """Audits a table; see `Table.audit`."""
    return table.audit(**how)
