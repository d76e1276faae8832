"""Worker counts as people type them."""

from __future__ import annotations

import pytest

import scalewall as sw
from scalewall.ranges import counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2,4,8", (1, 2, 4, 8)),
        (" 4 , 2,4", (4, 2)),
        ("1:64:x2", (1, 2, 4, 8, 16, 32, 64)),
        ("1:100:x2", (1, 2, 4, 8, 16, 32, 64)),
        ("3:3", (3,)),
        ("1:4", (1, 2, 3, 4)),
        ("8:33:8", (8, 16, 24, 32)),
        ("1:27:x3,5", (1, 3, 9, 27, 5)),
        ("2:20:x1.5", (2, 3, 4, 7, 10, 15)),
        ("1:1000000:x10", (1, 10, 100, 1000, 10_000, 100_000, 1_000_000)),
    ],
)
def test_lists_and_ranges(text: str, expected: tuple[int, ...]) -> None:
    assert counts("-n", text) == expected


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "1.5", "a", "4:2", "1:8:x1", "1:8:x", "1:8:0", "1:2:3:4", "1,,2", "1:8:xinf"]
)
def test_what_is_no_count_is_named(text: str) -> None:
    with pytest.raises(sw.DomainError, match=r"^-n is .* is no worker count; expected counts such as"):
        counts("-n", text)
