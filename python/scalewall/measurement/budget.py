"""Lengths of time as people type them: `90`, `60 s`, `24min`, `1h30m`."""

from __future__ import annotations

import math
import re

from scalewall._errors import DomainError

_UNITS = {
    "": 1.0,
    "ms": 1e-3,
    "s": 1.0,
    "sec": 1.0,
    "second": 1.0,
    "m": 60.0,
    "min": 60.0,
    "minute": 60.0,
    "h": 3600.0,
    "hour": 3600.0,
    "d": 86400.0,
    "day": 86400.0,
}
_PART = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*")


def seconds(name: str, given: str | float) -> float:
    """Return a length of time in seconds.

    Parameters
    ----------
    name : str
        What to call it in a message.
    given : str or float
        A number of seconds, or text with units: "90", "60 s", "1h 30min".

    Examples
    --------
    >>> seconds("budget", "1h30m"), seconds("budget", 2.5)
    (5400.0, 2.5)
    """
    if isinstance(given, str):
        total, at = 0.0, 0
        text = given.strip().lower()
        while at < len(text):
            match = _PART.match(text, at)
            unit = None if match is None else _UNITS.get(match[2], _UNITS.get(match[2].removesuffix("s")))
            if match is None or unit is None:
                raise _wrong(name, given)
            total += float(match[1]) * unit
            at = match.end()
    else:
        total = float(given)
    if not (math.isfinite(total) and total > 0):
        raise _wrong(name, given)
    return total


def _wrong(name: str, given: object) -> DomainError:
    return DomainError(f'{name} is "{given}": expected a length of time above 0, such as 60s, 24min or 1h30m')


def too_small(name: str, given: object) -> DomainError:
    """Return the error of a budget in which not one run ended."""
    return DomainError(f'{name} is "{given}": not one run ended in that time. Give more')
