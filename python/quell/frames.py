"""Frames out: Arrow tables that become whatever one works with."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from ._quell import ArrowFrame

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Rows that are shown of a frame.
SHOWN = 20

#: Colours of statuses: hidden cells are shown by their words, too.
COLOURS = {"primary": "#e8a0a0", "secondary": "#f3d9a4", "suppressed": "#eccb9a", "hidden": "#eccb9a"}


class Frame:
    """A table of Arrow data. `to_polars()`, `to_pandas()`, `to_arrow()` and every library that knows
    the Arrow PyCapsule interface take it without a copy."""

    def __init__(self, table: ArrowFrame) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._table.__arrow_c_schema__()

    def to_polars(self) -> polars.DataFrame:
        """The same as a Polars frame."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """The same as a pyarrow table."""
        import pyarrow

        return pyarrow.table(self)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.columns)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def rows(self, most: int | None = None) -> list[dict[str, Any]]:
        """The rows as dictionaries; the first `most` of them."""
        count = len(self) if most is None else min(most, len(self))
        return [dict(zip(self.columns, row)) for row in self._table.rows(count)]

    def __repr__(self) -> str:
        return f"<quell.Frame: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        is_released = "status" in self.columns
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(_row(row, "×" if is_released else "") for row in self.rows(SHOWN))
        left = len(self) - SHOWN
        more = f"<p>and {left} more rows</p>" if left > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _row(row: dict[str, Any], hidden: str) -> str:
    colour = COLOURS.get(str(row.get("status")))
    style = f' style="background:{colour};color:#222"' if colour else ""
    cells = "".join(
        f"<td>{hidden if value is None else html.escape(str(value))}</td>" for value in row.values()
    )
    return f"<tr{style}>{cells}</tr>"
