"""The number rules: digits, ranges, counts, shares, factors and times."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalewall.wording import numbers as say
from scalewall.wording.verdict import at_least

positive = st.floats(1e-5, 1e14)


@pytest.mark.parametrize(
    ("value", "count", "text"),
    [
        (358.2, 3, "358"),
        (0.8274, 3, "0.827"),
        (5.0, 3, "5.00"),
        (12.82, 3, "12.8"),
        (99.96, 3, "100"),
        (50677, 5, "50 677"),
        (0, 2, "0"),
        (-0.0123, 2, "-0.012"),
        (1e-9, 3, "1.00e-09"),
        (math.inf, 2, "infinite"),
    ],
)
def test_digits(value: float, count: int, text: str) -> None:
    assert say.digits(value, count) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [("1234", "1234"), ("12345", "12 345"), ("836857", "836 857"), ("251916000", "251 916 000"),
     ("-12345.6", "-12 345.6")],
)  # fmt: skip
def test_thousands_stand_apart_from_five_digits_on(number: str, text: str) -> None:
    assert say.group(number) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (8.12, 21.2, "8.1–21"),
        (4, 40, "4.0–40"),
        (12.44, 13.02, "12.4–13.0"),  # ends within 8 %: a third digit
        (67.0, 72.4, "67.0–72.4"),
        (0.904, 1.04, "0.90–1.0"),
        (7.04, 14.3, "7.0–14"),
        (12.41, 12.42, "12.4"),
    ],
)
def test_spans(low: float, high: float, text: str) -> None:
    assert say.span(low, high) == text


@given(positive, st.floats(1.0, 1e3))
def test_a_span_never_has_more_than_three_digits(low: float, spread: float) -> None:
    for end in say.span(low, low * spread).split("–"):
        mantissa = end.replace(" ", "").split("e")[0].replace(".", "").lstrip("0")
        assert len(mantissa.rstrip("0")) <= 3


@given(positive, st.floats(1.0, 1e3))
def test_the_ends_of_a_span_are_the_numbers_rounded(low: float, spread: float) -> None:
    high = low * spread
    ends = [float(end.replace(" ", "")) for end in say.span(low, high).split("–")]
    assert ends[0] == pytest.approx(low, rel=0.051)
    assert ends[-1] == pytest.approx(high, rel=0.051)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(23.4, 24.9, "23–25"), (31.2, 35.01, "31–36"), (24, 24, "24"), (1.2, 2048.7, "1–2049")],
)
def test_ranges_of_counts_are_whole_and_go_outward(low: float, high: float, text: str) -> None:
    assert say.counts(low, high) == text


@given(st.floats(1, 1e12), st.floats(1, 1e3))
def test_a_range_of_counts_holds_the_range(low: float, spread: float) -> None:
    ends = [float(end.replace(" ", "")) for end in say.counts(low, low * spread).split("–")]
    assert ends[0] <= low
    assert ends[-1] >= low * spread


@pytest.mark.parametrize(("n", "text"), [(40, "40"), (2048, "2048"), (50677, "50 677"), (1.5, "1.5")])
def test_one_count_stays_as_it_was_given(n: float, text: str) -> None:
    assert say.count(n) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.794, "79 %"), (1.0, "100 %"), (0.0182, "1.8 %"), (0.0996, "10 %"), (0.0034, "0.34 %"), (0, "0 %"),
     (0.905, "91 %")],
)  # fmt: skip
def test_shares(value: float, text: str) -> None:
    assert say.share(value) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.45, 0.461, "45–46 %"),
        (0.752, 0.788, "75–79 %"),
        (0.021, 0.026, "2.1–2.6 %"),
        (0.0008, 0.00101, "0.08–0.10 %"),
        (0.0, 0.063, "0–6.3 %"),
        (0.0002, 0.063, "0.02–6.3 %"),
        (0.451, 0.4513, "45.1 %"),
        (0.98, 1.04, "98–104 %"),
        (0, 0, "0 %"),
        (-0.003, 0.004, "-0.30–0.40 %"),
    ],
)
def test_ranges_of_shares_have_equal_decimals(low: float, high: float, text: str) -> None:
    assert say.shares(low, high) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1.326, "1.33×"), (1.004, "1.00×"), (1.997, "2.0×"), (2.44, "2.4×"), (17.2, "17×")]
)
def test_factors_near_one_have_two_decimals(value: float, text: str) -> None:
    assert say.factor(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.986, "0.99×"), (9.86, "9.86×"), (11.55, "11.6×"), (120.4, "120×"), (0.01234, "0.012×")],
)
def test_speedups(value: float, text: str) -> None:
    assert say.speedup(value) == text


@pytest.mark.parametrize(
    ("times", "texts"),
    [
        ((358.0, 9.61), ["358 s", "9.61 s"]),
        ((10.5, 0.8222), ["10.5 s", "0.822 s"]),
        ((0.05, 0.005), ["50.0 ms", "5.00 ms"]),
        ((8.3e-8, 2.44e-9), ["83.0 ns", "2.44 ns"]),
        ((86400.0, 3600.0), ["24.0 h", "1.00 h"]),
        ((20000.0, 300.0), ["333 min", "5.00 min"]),
        ((358.0, 0.05), ["358 s", "0.0500 s"]),
    ],
)
def test_a_column_of_times_has_one_unit(times: tuple[float, ...], texts: list[str]) -> None:
    unit = say.time_unit(times)
    assert [say.time(t, unit) for t in times] == texts


@given(st.floats(1e-12, 1e12))
def test_every_time_has_a_unit_and_its_value(seconds: float) -> None:
    found = re.fullmatch(r"([\d. e+-]+) (h|min|s|ms|µs|ns)", say.time(seconds))
    assert found is not None
    scale = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[found[2]]
    assert float(found[1].replace(" ", "")) * scale == pytest.approx(seconds, rel=0.006)


@given(st.floats(0.1, 1e6), st.floats(0.1, 1e6))
def test_at_least_is_never_less_than_the_best_measured(low: float, best: float) -> None:
    said = float(at_least(low, best).removesuffix("×").replace(" ", ""))
    shown = float(say.speedup(best).removesuffix("×").replace(" ", ""))
    assert said >= min(best, shown)


def test_glue_keeps_numbers_and_units_together() -> None:
    assert say.glue("836 857 particles, 79 % in 12 ms of 3 runs") == (
        "836\u00a0857 particles, 79\u00a0% in 12\u00a0ms of 3 runs"
    )


def test_lists_and_words() -> None:
    assert say.listed(["a"]) == "a"
    assert say.listed(["a", "b", "c"]) == "a, b and c"
    assert [say.word(n) for n in (0, 1, 4, 12)] == ["no", "one", "four", "12"]
    assert [say.plural(n, "row") for n in (1, 2)] == ["1 row", "2 rows"]
