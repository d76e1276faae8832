"""Worker counts as people type them: `1,2,4,8`, `1:64:x2`, `8:64:8`."""

from __future__ import annotations

import math

from scalewall._errors import DomainError

_EXPECTED = "expected counts such as 1,2,4,8, or a range such as 1:64:x2 (doubling) or 8:64:8 (in steps)"
_MOST = 100_000


def counts(name: str, text: str) -> tuple[int, ...]:
    """Return the whole worker counts of a list of numbers and ranges, each once, in the order given.

    A range is `start:stop`, `start:stop:step` or `start:stop:xfactor`; `stop` is part of it where a step
    meets it.

    Parameters
    ----------
    name : str
        What to call the list in a message, such as "-n".
    text : str
        The list.

    Returns
    -------
    tuple of int
        Counts, each at least 1.

    Raises
    ------
    DomainError
        If a part is no count and no range.

    Examples
    --------
    >>> counts("-n", "1:16:x2,24")
    (1, 2, 4, 8, 16, 24)
    >>> counts("-n", "8:32:8")
    (8, 16, 24, 32)
    """
    found: list[int] = []
    for part in text.split(","):
        found += _part(name, text, part.strip())
    return tuple(dict.fromkeys(found))


def _part(name: str, text: str, part: str) -> list[int]:
    pieces = part.split(":")
    if len(pieces) == 1:
        return [_count(name, text, part)]
    if len(pieces) > 3:
        raise _wrong(name, text, part)
    start, stop = (_count(name, text, piece) for piece in pieces[:2])
    if stop < start:
        raise _wrong(name, text, part)
    step = pieces[2].strip() if len(pieces) == 3 else "1"
    if step.startswith(("x", "*")):
        return _growing(name, text, start, stop, step[1:])
    width = _count(name, text, step)
    if (stop - start) // width > _MOST:
        raise _wrong(name, text, part)
    return list(range(start, stop + 1, width))


def _growing(name: str, text: str, start: int, stop: int, factor: str) -> list[int]:
    try:
        by = float(factor)
    except ValueError:
        raise _wrong(name, text, f"x{factor}") from None
    if not (math.isfinite(by) and by > 1):
        raise _wrong(name, text, f"x{factor}")
    steps = math.floor(math.log(stop / start) / math.log(by) + 1e-9)
    if steps > _MOST:
        raise _wrong(name, text, f"x{factor}")
    # Factors such as x1.5 are rounded to whole counts; two that fall together are one.
    return [round(start * by**k) for k in range(steps + 1)]


def _count(name: str, text: str, piece: str) -> int:
    plain = piece.strip()
    if not (plain.isdecimal() and 1 <= int(plain) <= 2**53):
        raise _wrong(name, text, piece)
    return int(plain)


def _wrong(name: str, text: str, part: str) -> DomainError:
    return DomainError(f'{name} is "{text}": "{part.strip()}" is no worker count; {_EXPECTED}')
