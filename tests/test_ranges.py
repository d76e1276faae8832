"""The grammar of ranges."""

from __future__ import annotations

import numpy as np
import pytest

import scalewall as sw
from scalewall import ranges


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0:1:5", [0, 0.25, 0.5, 0.75, 1]),
        ("1:0:3", [1, 0.5, 0]),
        ("5:9:1", [5]),
        ("1:1024:x2", [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
        ("1:1000:x10", [1, 10, 100, 1000]),
        ("3:100:x2", [3, 6, 12, 24, 48, 96]),
        ("2", [2]),
        (" 1, 2 ,4e2", [1, 2, 400]),
        ("1,10:30:3", [1, 10, 20, 30]),
    ],
)
def test_forms(text: str, expected: list[float]) -> None:
    np.testing.assert_allclose(ranges.parse("--n", text), expected, rtol=1e-15)


def test_equal_ratios_meet_both_ends() -> None:
    got = ranges.parse("--n", "1:1e6:log1000")
    assert (got[0], got[-1], len(got)) == (1, 1e6, 1000)
    np.testing.assert_allclose(got[1:] / got[:-1], 10 ** (6 / 999), rtol=1e-12)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", '"" is not a number'),
        ("a:b:3", '"a" is not a number'),
        ("1:2", "has 2 parts between colons"),
        ("0:1:0", '"0" is not a count'),
        ("0:1:2.5", '"2.5" is not a count'),
        ("0:1:log5", "needs ends above 0"),
        ("1:2:x1", "a ratio R above 1"),
        ("4:2:x2", "needs 0 < a <= b"),
        ("1:inf:3", '"inf" is not a number'),
        ("1,,2", '"" is not a number'),
    ],
)
def test_a_wrong_range_is_shown_with_the_forms(text: str, why: str) -> None:
    with pytest.raises(sw.DomainError) as info:
        ranges.parse("--n", text)
    assert f'--n is "{text}"' in str(info.value)
    assert why in str(info.value)
    assert "a:b:logcount" in str(info.value)
