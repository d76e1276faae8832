"""Worker counts of a campaign: whole numbers from a list, or from text with ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scalewall import ranges
from scalewall._errors import DomainError
from scalewall.workers import count_text

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST = 2**53


def parse(option: str, text: str) -> tuple[int, ...]:
    """Return the worker counts of a text such as "1,2,4,8" or "1:64:x2", each once, in the order given.

    Parameters
    ----------
    option : str
        What to call it in a message.
    text : str
        Numbers and ranges in the grammar of all commands.

    Raises
    ------
    DomainError
        If the text is not in the grammar, or a number in it is no whole count of at least 1.

    Examples
    --------
    >>> parse("-n", "1:16:x2,24")
    (1, 2, 4, 8, 16, 24)
    """
    found = ranges.parse(option, text)
    wrong = ~((found >= 1) & (found <= LARGEST) & (found == found.round()))
    if wrong.any():
        number = count_text(float(found[int(wrong.argmax())]))
        raise DomainError(
            f'{option} is "{text}": {number} is no whole worker count of at least 1. Write counts such as '
            "1,2,4,8 or 1:64:x2"
        )
    return tuple(dict.fromkeys(int(n) for n in found.tolist()))


def given(workers: Iterable[int] | str) -> tuple[int, ...]:
    """Return the worker counts that a caller gave, as a sequence or as text.

    Raises
    ------
    TypeError
        If a count is no whole number.
    """
    if isinstance(workers, str):
        return parse("workers", workers)
    counts = tuple(workers)
    for i, n in enumerate(counts):
        if isinstance(n, bool) or int(n) != n:
            raise TypeError(f"workers[{i}] is {n!r}: expected a whole worker count")
    return tuple(int(n) for n in counts)
