"""One grammar for ranges of numbers, the same in every command.

``0:1:1000``
    1000 numbers from 0 to 1, evenly spaced, ends included.
``1:1e6:log1000``
    1000 numbers from 1 to a million with equal ratios, ends included.
``1:1024:x2``
    1, 2, 4, … as long as they do not pass 1024.
``1,2,4,64:128:3``
    A list; each part is a number or a range.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scalewall._errors import DomainError

if TYPE_CHECKING:
    import numpy.typing as npt

FORMS = "write a number, a:b:count, a:b:logcount, a:b:x2, or several with commas, such as 0:1:1000 or 1,2,4"
MOST = 100_000_000


def parse(option: str, text: str) -> npt.NDArray[np.float64]:
    """Return the numbers that `text` stands for; `option` names it in errors.

    Parameters
    ----------
    option : str
        Name of the option, for the message.
    text : str
        A range in the grammar of this module.

    Returns
    -------
    ndarray of float64, shape (k,)
        The numbers in the order given.

    Raises
    ------
    DomainError
        If `text` is not in the grammar; the message shows the part and the forms.

    Examples
    --------
    >>> parse("--n", "1:64:x4,100").tolist()
    [1.0, 4.0, 16.0, 64.0, 100.0]
    """
    return np.concatenate([_part(option, text, part.strip()) for part in text.split(",")])


def _part(option: str, text: str, part: str) -> npt.NDArray[np.float64]:
    pieces = part.split(":")
    if len(pieces) == 1:
        return np.array([_number(option, text, part)])
    if len(pieces) != 3:
        raise _wrong(option, text, f'"{part}" has {len(pieces)} parts between colons')
    low, high = _number(option, text, pieces[0]), _number(option, text, pieces[1])
    step = pieces[2].strip().lower()
    if step.startswith("x"):
        return _ratios(option, text, low, high, _number(option, text, step[1:]))
    if step.startswith("log"):
        if low <= 0 or high <= 0:
            raise _wrong(option, text, f'"{part}" needs ends above 0 for equal ratios')
        return np.geomspace(low, high, _count(option, text, step[3:]))
    return np.linspace(low, high, _count(option, text, step))


def _ratios(option: str, text: str, low: float, high: float, ratio: float) -> npt.NDArray[np.float64]:
    if low <= 0 or high < low or ratio <= 1:
        raise _wrong(option, text, "a:b:xR needs 0 < a <= b and a ratio R above 1")
    # The reserve keeps an end that rounding moved just past the last power.
    steps = math.floor(math.log(high / low) / math.log(ratio) * (1 + 1e-12) + 1e-12)
    powers: npt.NDArray[np.float64] = low * ratio ** np.arange(steps + 1.0)
    return powers


def _count(option: str, text: str, piece: str) -> int:
    if not piece.isdecimal() or not 1 <= int(piece) <= MOST:
        raise _wrong(option, text, f'"{piece}" is not a count from 1 to {MOST}')
    return int(piece)


def _number(option: str, text: str, piece: str) -> float:
    try:
        value = float(piece)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise _wrong(option, text, f'"{piece}" is not a number')
    return value


def _wrong(option: str, text: str, why: str) -> DomainError:
    return DomainError(f'{option} is "{text}": {why}; {FORMS}')
