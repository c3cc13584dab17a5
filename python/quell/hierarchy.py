"""Classifications: from files, nested dictionaries, or frames.

A hierarchy is

- the name of a file: `.hrc`, `.json`, or a CSV file of parents and children, levels, or one column
  per level;
- a nested dictionary: `{"North": {"N1": None, "N2": None}, "South": ["S1", "S2"]}`, the total left
  out;
- a frame with columns `parent` and `child`, or one column per level, coarse to fine;
- a list of these: several hierarchies over the same codes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._quell import QuellError, arrow_frame
from .frames import Frame


def misuse(what: str, advice: str) -> QuellError:
    """An error that says what is wrong and what to do."""
    error = QuellError(f"{what} ({advice})")
    error.what, error.where, error.advice = what, None, advice
    return error


def files_of(hierarchy: Any, name: str, folder: Path, total: str) -> list[Path]:
    """The files of a dimension's hierarchies; those that are no files yet are written into a folder."""
    if hierarchy is None:
        return []
    several = hierarchy if isinstance(hierarchy, list) else [hierarchy]
    if several and all(isinstance(one, str) and not Path(one).suffix for one in several):
        raise misuse(
            f'the hierarchy of "{name}" is a list of codes',
            "leave it out if all codes are directly below the total; else give a nested dict",
        )
    return [_file_of(one, f"{name}-{place}", folder, total) for place, one in enumerate(several, 1)]


def _file_of(hierarchy: Any, name: str, folder: Path, total: str) -> Path:
    if isinstance(hierarchy, (str, Path)):
        path = Path(hierarchy)
        if not path.exists():
            raise misuse(f"there is no file {path}", "check the name of the hierarchy")
        return path.resolve()
    path = folder / f"{''.join(letter if letter.isalnum() else '-' for letter in name)}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if isinstance(hierarchy, Mapping):
            writer.writerow(["parent", "child"])
            writer.writerows(_edges(hierarchy, total))
        else:
            writer.writerows(_lines(hierarchy))
    return path


def _edges(tree: Mapping[str, Any], parent: str) -> Iterator[tuple[str, str]]:
    for code, below in tree.items():
        yield parent, code
        if isinstance(below, Mapping):
            yield from _edges(below, code)
        elif isinstance(below, Sequence) and not isinstance(below, str):
            for leaf in below:
                yield code, leaf
        elif below is not None:
            raise misuse(f'"{below}" stands below "{code}"', "give a dict, a list of codes, or None")


def _lines(frame: Any) -> Iterator[list[str]]:
    table = as_frame(frame)
    names = table.columns
    lowered = [name.lower() for name in names]
    is_edges = "parent" in lowered and len(names) == 2
    yield lowered if is_edges else names
    for row in table.rows():
        yield ["" if value is None else str(value) for value in row.values()]


def as_frame(frame: Any) -> Frame:
    """A frame of any library as one of ours."""
    if isinstance(frame, Frame):
        return frame
    return Frame(arrow_frame(frame))
