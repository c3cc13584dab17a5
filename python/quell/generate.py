"""Data to try things on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from . import _quell


def generate(path: str | Path, kind: str = "ons", sizes: Sequence[int | str] = (10, 10, 10), *, seed: int = 1) -> int:
    """Writes a synthetic table of one of the classes in the literature to a JJ file (`.jj`) or a pair of CSV
    files (`.csv`), and tells how many cells it has.

    `kind` is `ons` (k-way; `"158H"` is a hierarchy of 158 codes), `herrington` (rows and columns) or `cta`. A job
    takes the file as a whole system:

    >>> import tempfile, quell as q
    >>> file = f"{tempfile.mkdtemp()}/t.jj"
    >>> q.generate(file, "ons", [6, 5, 4], seed=7)
    120
    >>> q.Job().set("system", file=file).set("protect", method="hypercube").protect().verdict
    'safe'
    """
    return _quell.table_in_file(Path(path), kind, [str(size) for size in sizes], seed)


def survey(folder: str | Path, *, firms: int = 4000, seed: int = 1) -> list[Path]:
    """Writes the records and classifications of a fictional business survey into a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in _quell.survey_files(firms, seed):
        (folder / name).write_text(text, encoding="utf-8")
        written.append(folder / name)
    return written
