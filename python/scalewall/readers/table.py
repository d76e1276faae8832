"""A table as it was found: columns of cells, the line of every row, and rows that fit no column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scalewall._errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from scalewall.results import Note, Rejected

    # Cells as text or Python objects; a column that is numbers already is an array.
    Cells = Sequence[object] | npt.NDArray[np.generic]


@dataclass(frozen=True)
class Table:
    """Columns of equal length. `names` is None where the source has no header."""

    source: str
    names: tuple[str, ...] | None
    columns: tuple[Cells, ...]
    line: npt.NDArray[np.int64]
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[Note, ...] = ()
    # Columns without a name that a program wrote as an index.
    index: frozenset[int] = field(default_factory=frozenset)
    # True where every cell is text, so that text may be a number.
    text: bool = False
    # Columns of durations, converted to seconds already.
    seconds: frozenset[int] = field(default_factory=frozenset)

    def name(self, column: int) -> str:
        """Return the name of a column for a message: as in the header, or its number."""
        return f"{column + 1}" if self.names is None else self.names[column]


def unreadable(source: str, text: str) -> ReadError:
    """Return a `ReadError` that begins with the name of the source."""
    return ReadError(f"{source}: {text}" if source else text)


def listed(names: Sequence[str], most: int = 12) -> str:
    """List names in quotes, the first ones where there are many."""
    shown = ", ".join(f'"{shortened(name)}"' for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def shortened(text: str, most: int = 40) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."
