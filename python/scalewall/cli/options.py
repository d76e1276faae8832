"""Values of options: what is allowed, and one clear line where a value is not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scalewall._errors import ChoiceError, DomainError

if TYPE_CHECKING:
    from collections.abc import Sequence


def choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """Return `value` if it is allowed or empty; case is ignored."""
    plain = value.lower().replace("-", "_") if value else ""
    if plain and plain not in allowed:
        raise ChoiceError(f'{option} is "{value}": expected {", ".join(allowed[:-1])} or {allowed[-1]}')
    return plain


def optional(value: str) -> str | None:
    """Return None for an option that was not given."""
    return value or None


def share(option: str, value: str, low: float, usual: float) -> float:
    """Return a share written as 0.1 or as 10%; it lies between `low` and 1, ends excluded."""
    text = value.strip()
    number = _number(text.removesuffix("%"))
    if number is not None and text.endswith("%"):
        number /= 100.0
    if number is None or not low < number < 1.0:
        allowed = f"a share between {low:g} and 1, such as {usual:g} or {100 * usual:g}%"
        raise DomainError(f'{option} is "{value}": expected {allowed}')
    return number


def numbers(option: str, value: str) -> tuple[float, ...]:
    """Return the worker counts of a list such as 128,256."""
    if not value:
        return ()
    found = []
    for part in value.split(","):
        number = _number(part)
        if number is None or not (math.isfinite(number) and number >= 1):
            wrong = f'"{part.strip()}" is not a worker count'
            raise DomainError(f'{option} is "{value}": {wrong}. Write counts from 1 on, such as 128,256')
        found.append(number)
    return tuple(found)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
