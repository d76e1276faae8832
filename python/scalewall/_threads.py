"""How many threads a call may use: the argument, then the environment, then the machine."""

from __future__ import annotations

import operator
import os
from typing import Literal, TypeAlias

from scalewall._errors import ThreadError

Threads: TypeAlias = Literal["auto", "serial"] | int

VARIABLE = "SCALEWALL_NUM_THREADS"


def resolve(threads: Threads) -> int:
    """Return the count for the core; 0 lets it use as many as the process may run on."""
    if threads == "auto":
        given = os.environ.get(VARIABLE)
        return 0 if given is None else _from_environment(given)
    if threads == "serial":
        return 1
    if isinstance(threads, (bool, str)):
        message = f'threads is {threads!r}: expected "auto", "serial" or a count of at least 1'
        raise TypeError(message) if isinstance(threads, bool) else ThreadError(message)
    count = operator.index(threads)
    if count < 1:
        raise ThreadError(f'threads is {count}: expected "auto", "serial" or a count of at least 1')
    return count


def _from_environment(text: str) -> int:
    if text.isdecimal() and int(text) >= 1:
        return int(text)
    raise ThreadError(
        f"the environment variable {VARIABLE} is {text!r}: expected a count of at least 1, or unset it"
    )
