"""Jobs: records, tables, rules, protection, audit, release.

>>> import pyarrow as pa, quell as q
>>> firms = pa.table({"region": ["N", "N", "N", "S", "S"], "turnover": [900, 20, 30, 8, 9]})
>>> job = q.Job(firms, dimensions={"region": None})
>>> release = job.table(["region"], "turnover").rules(q.p_percent(10)).protect()
>>> release[0].rows()[1:]
[{'region': 'N', 'turnover': None, 'status': 'hidden'}, \
{'region': 'S', 'turnover': None, 'status': 'hidden'}]
>>> job.set("attacker", below=1, above=1).protect()
Traceback (most recent call last):
    ...
quell.NotSafe: the release is not proven safe (not-safe) (give it more time, or look at it: ...)
"""

from __future__ import annotations

import html
import json
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _quell
from ._quell import NotSafe
from .frames import Frame
from .hierarchy import files_of, misuse
from .progress import Progress, Shown
from .rules import Rule, Rules

#: What the data are called in the text of a job if they are in memory.
IN_MEMORY = "records"

Time = Union[str, int, float, None]


class Limits:
    """What a call may use."""

    def __init__(
        self,
        time: Time = None,
        work: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.time = time
        self.work = work
        self.seed = seed
        self.threads = threads


class Job:
    """What to protect, and how.

    `data` is a frame, or the name of a file (CSV, Parquet, Stata, SPSS, SAS). `dimensions` says for
    each dimension what its hierarchy is; `None`: all codes are directly below the total.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        dimensions: Mapping[str, Any] | None = None,
        respondent: str | None = None,
        holding: str | None = None,
        weight: str | None = None,
        missing: Mapping[str, Sequence[str]] | None = None,
        title: str | None = None,
        total: str = "Total",
        name: str = IN_MEMORY,
    ) -> None:
        # Private to this user: classifications may be confidential.
        self._folder = tempfile.TemporaryDirectory(prefix="quell-")
        self._records: list[tuple[str, Any]] = []
        self._file: dict[str, Any] = {}
        if title is not None:
            self._file["title"] = title
        if data is not None:
            self._file["data"] = self._data(data, name)
            said = {"respondent": respondent, "holding": holding, "weight": weight}
            said = {key: value for key, value in said.items() if value is not None}
            self._file["data"].update(said)
            if missing:
                self._file["data"]["missing"] = {key: list(codes) for key, codes in missing.items()}
        for dimension, hierarchy in (dimensions or {}).items():
            self.dimension(dimension, hierarchy, total=total)

    @classmethod
    def from_toml(cls, path: str | Path) -> FileJob:
        """The job in a file."""
        path = Path(path)
        return FileJob(path.read_text(encoding="utf-8"), path.resolve().parent)

    @classmethod
    def from_arb(cls, path: str | Path) -> FileJob:
        """The job that a batch file of τ-ARGUS says."""
        path = Path(path)
        return FileJob(_quell.job_of_arb(path), path.resolve().parent)

    @classmethod
    def init(cls, path: str | Path) -> str:
        """The text of a first job, from a look at a file of records."""
        path = Path(path)
        return _quell.first_job(path, path.resolve().parent)

    def _data(self, data: Any, name: str) -> dict[str, Any]:
        if isinstance(data, (str, Path)):
            path = Path(data).resolve()
            if not path.exists():
                raise misuse(f"there is no file {data}", "check the name of the data")
            return {"file": str(path)}
        self._records.append((name, data))
        return {"file": name}

    def dimension(self, name: str, hierarchy: Any = None, *, total: str = "Total", **more: Any) -> Job:
        """Adds a dimension. `more` are other keys of `[[dimension]]`, such as `variable` or `digits`."""
        part: dict[str, Any] = {"name": name}
        files = files_of(hierarchy, name, Path(self._folder.name), total)
        if files:
            part["hierarchy"] = [str(file) for file in files]
        if total != "Total":
            part["total"] = total
        part.update(_dashes(more))
        self._file.setdefault("dimension", []).append(part)
        return self

    def table(
        self,
        dimensions: Sequence[str],
        response: str | None = None,
        *,
        name: str | None = None,
        given: Any = None,
        rules: Rules | Rule | str | None = None,
        **more: Any,
    ) -> Job:
        """Adds a table; without `response` it counts records.

        `given` is a table that is made already: a frame or a file with one row per cell, with
        `frequency`, `top`, `status` and other keys of `given` in `more`.
        """
        if isinstance(dimensions, str):
            raise misuse(f'dimensions = "{dimensions}" is a text', "give a list of names")
        usual = " by ".join([response or "Records", " and ".join(dimensions)])
        part: dict[str, Any] = {"name": name or usual, "dimensions": list(dimensions)}
        if response is not None:
            part["response"] = response
        if given is not None:
            keys = {"frequency", "top", "status", "totals", "lower", "upper", "decimals", "metadata"}
            own = {key: more.pop(key) for key in list(more) if key in keys}
            part["given"] = {**self._data(given, f"{IN_MEMORY}-{part['name']}"), **_dashes(own)}
        if rules is not None:
            part["rules"] = Rules.of(rules).to_dict()
        part.update(_dashes(more))
        self._file.setdefault("table", []).append(part)
        return self

    def rules(self, *rules: Rules | Rule | str, **more: Any) -> Job:
        """Says which cells are sensitive, in all tables that have no rules of their own."""
        self._file["rules"] = {**Rules.of(*rules).to_dict(), **_dashes(more)}
        return self

    def equation(self, total: str, parts: Sequence[str]) -> Job:
        """Says that a response is the sum of others."""
        self._file.setdefault("equation", []).append({"total": total, "parts": list(parts)})
        return self

    def micro(self, data: Any, keys: Sequence[str], **more: Any) -> Job:
        """Releases records themselves: `[micro]` of a job; see `Micro` for that alone."""
        part = {**self._data(data, f"{IN_MEMORY}-micro"), "keys": list(keys)}
        self._file["micro"] = {**part, **_dashes(more)}
        return self

    def set(self, section: str, **keys: Any) -> Job:
        """Sets keys of `protect`, `adjust`, `attacker`, `release` or `report`; docs/job.md lists them."""
        self._file.setdefault(section, {}).update(_dashes(keys))
        return self

    def to_toml(self, path: str | Path | None = None) -> str:
        """The job as a file that the command runs as well; written to `path` if given.

        Hierarchies that are no files yet are written beside it.
        """
        file = json.loads(json.dumps(self._file))
        if path is not None:
            path = Path(path)
            for dimension in file.get("dimension", []):
                if "hierarchy" in dimension:
                    dimension["hierarchy"] = [
                        self._beside(path, one) for one in dimension["hierarchy"]
                    ]
        text = _quell.job_text(json.dumps(file))
        if path is not None:
            path.write_text(text, encoding="utf-8")
        return text

    def _beside(self, path: Path, hierarchy: str) -> str:
        own = Path(hierarchy)
        if own.parent != Path(self._folder.name):
            return hierarchy
        beside = path.with_name(f"{path.stem}-{own.name}")
        shutil.copyfile(own, beside)
        return beside.name

    def tabulate(self, *, progress: Progress = None, **limits: Any) -> dict[str, Frame]:
        """The tables with their statuses, before protection: for the office, not for publication."""
        with Shown(progress) as tell:
            tables = _quell.tabulate(*self._call(), Limits(**limits), tell)
        return {name: Frame(table) for name, table in tables}

    def protect(
        self,
        *,
        time: Time = None,
        work: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        method: str | None = None,
        progress: Progress = None,
        unsafe_too: bool = False,
    ) -> Release:
        """Runs the job.

        Raises `NotSafe` unless all of it is proven safe; `unsafe_too` gives the release all the same.
        Ctrl-C ends the search: what is proven safe by then is returned with a warning.
        """
        limits = Limits(time, work, seed, threads)
        with Shown(progress) as tell:
            own, interrupted = _quell.protect(*self._call(), limits, method, tell)
        release = Release(own)
        if not (release.is_safe or unsafe_too):
            if interrupted:
                raise KeyboardInterrupt("stopped; nothing is proven safe yet")
            raise _not_safe(release)
        if interrupted:
            warnings.warn("stopped early; this is the best that is proven safe", stacklevel=2)
        return release

    def _call(self) -> tuple[str, Path, list[tuple[str, Any]]]:
        return self.to_toml(), Path(self._folder.name), self._records


class FileJob(Job):
    """A job whose text is there already."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__()
        self._text = text
        self._at = folder

    def records(self, name: str, frame: Any) -> FileJob:
        """Gives records in memory, in place of the file that the job calls `name`."""
        self._records.append((name, frame))
        return self

    def to_toml(self, path: str | Path | None = None) -> str:
        if path is not None:
            Path(path).write_text(self._text, encoding="utf-8")
        return self._text

    def _call(self) -> tuple[str, Path, list[tuple[str, Any]]]:
        return self._text, self._at, self._records


class ReleasedTable(Frame):
    """A table as it may be published: hidden values are null."""

    def __init__(self, name: str, table: Any) -> None:
        super().__init__(table)
        self.name = name

    def __repr__(self) -> str:
        return f"<quell.ReleasedTable {self.name!r}: {len(self)} cells>"


class Release:
    """What a job ends in: tables, microdata, a verdict, a report."""

    def __init__(self, release: _quell.Release) -> None:
        self._release = release
        self._tables: list[ReleasedTable] | None = None

    @property
    def verdict(self) -> str:
        """`safe`, `not-safe` or `not-proven`."""
        return self._release.verdict

    @property
    def is_safe(self) -> bool:
        """Whether all of it is proven safe."""
        return self._release.is_safe

    @property
    def title(self) -> str:
        """The title of the report."""
        return self._release.title

    @property
    def notes(self) -> list[str]:
        """What its reader should know."""
        return self._release.notes

    @property
    def tables(self) -> list[ReleasedTable]:
        """The tables as they may be published."""
        if self._tables is None:
            self._tables = [ReleasedTable(name, table) for name, table in self._release.tables()]
        return self._tables

    @property
    def microdata(self) -> Frame | None:
        """The records as they are released, if any are."""
        records = self._release.micro_records()
        return None if records is None else Frame(records)

    def summary(self) -> dict[str, Any]:
        """What is hidden, what it costs, and what is proven."""
        found: dict[str, Any] = json.loads(self._release.summary() or "{}")
        return found

    def confidential(self) -> dict[str, Frame]:
        """All values, hidden ones included: for the office only."""
        return {name: Frame(table) for name, table in self._release.confidential()}

    def report(self, path: str | Path | None = None, *, audience: str = "public") -> str:
        """The report as one HTML page, for everybody or for the `office`; written to `path` if given."""
        page = self._release.report(audience)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def write(self, folder: str | Path, *, unsafe_too: bool = False) -> list[Path]:
        """Writes all files into a folder, together or not at all, and tells which."""
        return [Path(file) for file in self._release.write(Path(folder), unsafe_too)]

    def __getitem__(self, which: int | str) -> ReleasedTable:
        if isinstance(which, int):
            return self.tables[which]
        for table in self.tables:
            if table.name == which:
                return table
        names = ", ".join(table.name for table in self.tables)
        raise KeyError(f'there is no table "{which}"; there are {names}')

    def __iter__(self) -> Iterator[ReleasedTable]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        return f"<quell.Release {self.title!r}: {self.verdict}, {len(self)} tables>"

    def _repr_html_(self) -> str:
        tables = "".join(f"<h4>{html.escape(one.name)}</h4>{one._repr_html_()}" for one in self)
        page = html.escape(self.report(), quote=True)
        frame = f'<iframe srcdoc="{page}" style="width:100%;height:480px;border:0"></iframe>'
        return f"<p><b>{html.escape(self.verdict)}</b></p>{tables}{frame}"


def _not_safe(release: Release) -> NotSafe:
    what = f"the release is not proven safe ({release.verdict})"
    advice = "give it more time, or look at it: the exception has it as .release"
    error = NotSafe(f"{what} ({advice})")
    error.what, error.where, error.advice, error.release = what, None, advice, release
    return error


def _dashes(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of a job file: `decimal_comma` is `decimal-comma` there."""
    return {key.replace("_", "-"): value for key, value in keys.items()}
