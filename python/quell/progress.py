"""How far a call is: a bar of tqdm if it is there, a line on the terminal if not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, Union

Callback = Callable[[str, int, Union[int, None]], None]

#: What is taken for `progress`: nothing, a bar, or a function of stage, steps and all steps.
Progress = Union[bool, Callback, None]


class Shown:
    """Shows progress while a call runs: `with Shown(progress) as tell: …`."""

    def __init__(self, progress: Progress) -> None:
        self._own = progress if callable(progress) else None
        self._wanted = bool(progress)
        self._bar: Any = None
        self._stage = ""

    def __enter__(self) -> Callback | None:
        if self._own is not None:
            return self._own
        return self._tell if self._wanted else None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        elif self._stage and self._wanted and self._own is None:
            sys.stderr.write("\n")
        self._stage = ""

    def _tell(self, stage: str, steps: int, total: int | None) -> None:
        if stage != self._stage:
            self._end()
            self._stage = stage
            self._bar = _bar(stage, total)
            if self._bar is None:
                sys.stderr.write(f"{stage} ")
        if self._bar is not None:
            self._bar.n = steps
            self._bar.refresh()


def _bar(stage: str, total: int | None) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(desc=stage, total=total, leave=False)
