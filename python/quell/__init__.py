"""Quell: statistical disclosure control for tables and microdata, proven.

- `Job`: from records to an audited release, in one object;
- `Table`, `audit`: one table that is there already;
- `Micro`: records to be released themselves;
- `p_percent`, `dominance`, `frequency`, `prior_posterior`, `zero`, `Rules`: which cells are
  sensitive;
- `QuellError`, `NotSafe`: what goes wrong, where, and what to do.

Frames come in through the Arrow PyCapsule interface (Polars, pandas, pyarrow, DuckDB and others)
and go out the same way, without a copy.
"""

from ._quell import METHODS, InternalError, NotSafe, QuellError, __version__
from .frames import Frame
from .generate import generate, survey
from .job import Job, Release, ReleasedTable
from .micro import Micro, MicroResult
from .rules import Rules, dominance, frequency, holdings, p_percent, prior_posterior, zero
from .table import Audit, Suppressed, Table, audit

__all__ = [
    "METHODS",
    "Audit",
    "Frame",
    "InternalError",
    "Job",
    "Micro",
    "MicroResult",
    "NotSafe",
    "QuellError",
    "Release",
    "ReleasedTable",
    "Rules",
    "Suppressed",
    "Table",
    "__version__",
    "audit",
    "dominance",
    "frequency",
    "generate",
    "holdings",
    "p_percent",
    "prior_posterior",
    "survey",
    "zero",
]
