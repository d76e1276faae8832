"""sw.scan against brute force over the stored grid, in NumPy."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scalewall as sw
from scalewall import _core

RNG = np.random.default_rng(7)
N = np.unique(np.concatenate([np.arange(1.0, 40), np.geomspace(40, 1e6, 3000)]))
ROWS = RNG.random(23)
SMALL = np.geomspace(1e-6, 0.3, 23)
LAWS: list[tuple[str, dict[str, Any]]] = [
    ("amdahl", {"p": ROWS}),
    ("amdahl", {"serial": np.r_[0, 1, SMALL[2:]]}),
    ("gustafson", {"p": ROWS}),
    ("sun_ni", {"serial": ROWS, "growth": 1.5}),
    ("usl", {"sigma": SMALL, "kappa": SMALL[::-1] ** 2}),
    ("usl", {"sigma": 0, "kappa": np.r_[0, SMALL[1:]]}),
    ("usl_log", {"sigma": SMALL, "kappa": 1e-3}),
    ("ring", {"serial": 0.01, "compute": 6.4, "latency": SMALL / 1000, "transfer": 0.02}),
    ("ring", {"serial": 0.01, "compute": 6.4, "latency": SMALL / 1000, "transfer": 0.02, "scaling": "weak"}),
    ("ring", {"compute": SMALL * 4, "latency": 1e-4, "transfer": SMALL[::-1], "scaling": "weak"}),
    ("tree", {"serial": 0.01, "compute": 6.4, "latency": SMALL, "transfer": 0.02}),
    ("tree", {"serial": 0.01, "compute": 6.4, "latency": SMALL, "transfer": 0.02, "scaling": "weak"}),
    ("terms", {}),
]
IDS = [f"{law}-{index}" for index, (law, _) in enumerate(LAWS)]
OWN = [(0.05, 1.0), (ROWS, lambda n: 1 / n), (1e-4, np.sqrt)]
SIGNED = [(1.0, lambda n: np.cos(np.log(n))), (ROWS - 0.5, lambda n: 1 / n)]
METHODS = ("auto", "grid", "brute")
QUANTITIES = ("speedup", "efficiency", "time", "throughput", "karp_flatt")


def own(law: str, args: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    return (OWN, args) if law == "terms" else (law, args)


def cases() -> list[Any]:
    return [
        pytest.param(law, args, quantity, id=f"{name}-{quantity}")
        for (law, args), name in zip(LAWS, IDS, strict=True)
        for quantity in QUANTITIES
        if not (law == "terms" and quantity == "karp_flatt")
    ]


@pytest.mark.parametrize(("law", "args", "quantity"), cases())
@pytest.mark.parametrize("order", ["ascending", "shuffled"])
def test_every_answer_is_that_of_the_stored_grid(
    law: str, args: dict[str, Any], quantity: Any, order: str
) -> None:
    n = N if order == "ascending" else RNG.permutation(N)
    law, args = own(law, args)
    grid = sw.surface(law, **args, n=n, quantity=quantity)
    levels = [float(np.quantile(grid, x)) for x in (0.1, 0.5, 0.93)] + [float(grid[3, 77]), float(grid.max())]

    def ask(question: Any, **more: Any) -> Any:
        return sw.scan(law, **args, n=n, quantity=quantity, ask=question, **more)

    for method in METHODS:
        for question, choose in (("max", np.argmax), ("argmin", np.argmin)):
            best = ask(question, method=method)
            index = choose(grid, axis=1)
            np.testing.assert_array_equal(best.index, index)
            np.testing.assert_array_equal(best.n, n[index])
            np.testing.assert_array_equal(best.value, grid[np.arange(len(grid)), index])
            one = ask(question, method=method, overall=True)
            assert (one.row, one.index) == np.unravel_index(choose(grid), grid.shape)
            assert one.value == grid[one.row, one.index]
        for level in levels:
            above = grid >= level
            got = ask("count", at=level, method=method)
            np.testing.assert_array_equal(got.count, above.sum(axis=1))
            np.testing.assert_array_equal(got.share, above.mean(axis=1))
            assert ask("share", at=level, method=method, overall=True).count == above.sum()
            some = above.any(axis=1)
            first = ask("first", at=level, method=method)
            np.testing.assert_array_equal(first.index, np.where(some, above.argmax(axis=1), -1))
            last = ask("last", at=level, method=method)
            np.testing.assert_array_equal(
                last.index, np.where(some, len(n) - 1 - above[:, ::-1].argmax(axis=1), -1)
            )
            np.testing.assert_array_equal(last.n[some], n[last.index[some]])
            np.testing.assert_array_equal(last.value[some], grid[some, last.index[some]])
            assert np.isnan(last.value[~some]).all()
            (contour,) = ask("contours", at=level, method=method)
            row, before = np.nonzero(above[:, 1:] != above[:, :-1])
            np.testing.assert_array_equal(contour.row, row)
            lower, upper = np.minimum(n[before], n[before + 1]), np.maximum(n[before], n[before + 1])
            assert ((contour.n >= lower * (1 - 1e-12)) & (contour.n <= upper * (1 + 1e-12))).all()


POSITIVE = st.one_of(st.just(0.0), st.floats(0, 1), st.floats(-12, 2).map(lambda x: 10.0**x))
FRACTION = st.one_of(st.sampled_from([0.0, 1.0, 2.0**-53, 1 - 2.0**-53, 1e-300]), st.floats(0, 1))


@st.composite
def named_grids(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A named law over ascending counts, ties among them; constants at the ends of their ranges."""
    law = draw(st.sampled_from(["amdahl", "gustafson", "sun_ni", "usl", "usl_log", "ring", "tree"]))
    rows = draw(st.integers(1, 4))

    def column(values: st.SearchStrategy[float]) -> list[float]:
        return draw(st.lists(values, min_size=rows, max_size=rows))

    args: dict[str, Any]
    if law in ("ring", "tree"):
        args = {name: column(POSITIVE) for name in ("serial", "latency", "transfer")}
        # Work that float32 can hold too.
        args["compute"] = column(POSITIVE.filter(lambda x: x >= 1e-30))
        args["scaling"] = draw(st.sampled_from(["strong", "weak"]))
    elif law in ("usl", "usl_log"):
        args = {"sigma": column(FRACTION), "kappa": column(POSITIVE)}
    else:
        args = {draw(st.sampled_from(["p", "serial"])): column(FRACTION)}
        if law == "sun_ni":
            args["growth"] = draw(st.floats(0, 2))
    top = draw(st.sampled_from([0.001, 3.0, 9.0, 17.0]))
    count = st.one_of(st.floats(0, top).map(lambda x: 10.0**x), st.sampled_from([1.0, 2.0, 1024.0]))
    n = np.sort(draw(st.lists(count, min_size=1, max_size=30)))
    # Long stretches of neighbours, where many cells tie in the last bit.
    stretch = n[-1] * (1 + np.arange(draw(st.sampled_from([0, 700]))) * 2.0**-52)
    args["n"] = np.r_[n, stretch]
    args["quantity"] = draw(st.sampled_from(QUANTITIES))
    args["dtype"] = draw(st.sampled_from([np.float64, np.float32]))
    return law, args


@settings(max_examples=150, deadline=None)
@given(grid=named_grids(), data=st.data())
def test_rows_answered_without_a_visit_are_those_of_the_stored_grid(grid: Any, data: st.DataObject) -> None:
    law, args = grid
    stored = sw.surface(law, **args)
    best = sw.scan(law, **args)
    np.testing.assert_array_equal(best.index, stored.argmax(axis=1))
    np.testing.assert_array_equal(best.value, stored.max(axis=1))
    least = sw.scan(law, **args, ask="min")
    np.testing.assert_array_equal(least.index, stored.argmin(axis=1))
    for _ in range(3):
        level = float(data.draw(st.sampled_from(list(stored.ravel()[:200]))))
        level = data.draw(st.sampled_from([level, float(np.nextafter(level, np.inf)), 0.7 * level]))
        above = stored >= stored.dtype.type(level)
        got = sw.scan(law, **args, ask="count", at=level)
        np.testing.assert_array_equal(got.count, above.sum(axis=1))
        first, last = (sw.scan(law, **args, ask=ask, at=level) for ask in ("first", "last"))
        some = above.any(axis=1)
        np.testing.assert_array_equal(first.index, np.where(some, above.argmax(axis=1), -1))
        end = above.shape[1] - 1 - above[:, ::-1].argmax(axis=1)
        np.testing.assert_array_equal(last.index, np.where(some, end, -1))
        (contour,) = sw.scan(law, **args, ask="contours", at=level)
        np.testing.assert_array_equal(contour.row, np.nonzero(above[:, 1:] != above[:, :-1])[0])


@pytest.mark.parametrize(("law", "args"), LAWS, ids=IDS)
def test_quantiles_and_histograms_are_those_of_numpy(law: str, args: dict[str, Any]) -> None:
    n, q = N[:700], [0, 0.01, 0.25, 0.5, 0.77, 1]
    law, args = own(law, args)
    for quantity in ("speedup", "time"):
        grid = sw.surface(law, **args, n=n, quantity=quantity)
        edges = np.unique(np.r_[np.quantile(grid, [0.2, 0.3, 0.9]), grid.max()])
        got = sw.scan(law, **args, n=n, quantity=quantity, ask="quantiles", q=q)
        np.testing.assert_array_equal(got.value, np.quantile(grid, q, axis=1).T)
        got = sw.scan(law, **args, n=n, quantity=quantity, ask="quantiles", q=q, overall=True)
        np.testing.assert_array_equal(got.value, np.quantile(grid, q))
        bins = sw.scan(law, **args, n=n, quantity=quantity, ask="histogram", bins=edges, overall=True)
        np.testing.assert_array_equal(bins.count, np.histogram(grid, edges)[0])
        bins = sw.scan(law, **args, n=n, quantity=quantity, ask="histogram", bins=edges)
        np.testing.assert_array_equal(bins.count, [np.histogram(row, edges)[0] for row in grid])


def test_float32_grids_are_asked_in_float32() -> None:
    grid = sw.surface("usl", sigma=SMALL, kappa=1e-6, n=N, dtype=np.float32)
    best = sw.scan("usl", sigma=SMALL, kappa=1e-6, n=N, dtype=np.float32)
    np.testing.assert_array_equal(best.index, grid.argmax(axis=1))
    got = sw.scan(
        "usl", sigma=SMALL, kappa=1e-6, n=N, dtype=np.float32, ask="quantiles", q=[0.5], overall=True
    )
    assert got.value[0] == np.quantile(grid.astype(np.float64), 0.5)
    level = float(grid[5, 1000])
    count = sw.scan("usl", sigma=SMALL, kappa=1e-6, n=N, dtype=np.float32, ask="count", at=level).count
    np.testing.assert_array_equal(count, (grid >= np.float32(level)).sum(axis=1))


def test_own_terms_of_any_sign_are_asked_cell_by_cell() -> None:
    grid = sw.surface(SIGNED, n=N, quantity="time")
    for method in METHODS:
        best = sw.scan(SIGNED, n=N, quantity="time", method=method)  # type: ignore[arg-type]
        np.testing.assert_array_equal(best.index, grid.argmax(axis=1))
        got = sw.scan(SIGNED, n=N, quantity="time", method=method, ask="quantiles", q=[0.3])  # type: ignore[arg-type]
        np.testing.assert_array_equal(got.value, np.quantile(grid, [0.3], axis=1).T)


def test_a_flat_grid_answers_the_first_cell() -> None:
    n = np.arange(1.0, 5000)
    for method in METHODS:
        best = sw.scan("usl", sigma=[0, 0], kappa=0, n=n, quantity="efficiency", method=method)  # type: ignore[arg-type]
        np.testing.assert_array_equal(best.index, [0, 0])
        one = sw.scan("amdahl", serial=[1, 1], n=n, method=method, overall=True)  # type: ignore[arg-type]
        assert (one.row, one.index, one.value) == (0, 0, 1)
    # Amdahl's curve saturates in the last bit: many columns share the largest value.
    n = np.geomspace(1e14, 1e18, 20_000)
    grid = sw.surface("amdahl", p=[0.5, 0.9], n=n)
    for method in METHODS:
        best = sw.scan("amdahl", p=[0.5, 0.9], n=n, method=method)  # type: ignore[arg-type]
        np.testing.assert_array_equal(best.index, grid.argmax(axis=1))


@settings(max_examples=30, deadline=None)
@given(
    sigma=st.lists(st.floats(0, 1), min_size=1, max_size=9),
    kappa=st.floats(0, 1),
    n=st.lists(st.floats(1, 1e12), min_size=1, max_size=600),
    threads=st.sampled_from([1, 2, 3]),
)
def test_any_usl_grid(sigma: Any, kappa: float, n: Any, threads: int) -> None:
    n = sorted(n)
    grid = sw.surface("usl", sigma=sigma, kappa=kappa, n=n)
    for method in METHODS:
        best = sw.scan("usl", sigma=sigma, kappa=kappa, n=n, method=method, threads=threads)  # type: ignore[arg-type]
        np.testing.assert_array_equal(best.index, grid.argmax(axis=1))
        level = float(np.median(grid))
        got = sw.scan("usl", sigma=sigma, kappa=kappa, n=n, ask="count", at=level, method=method)  # type: ignore[arg-type]
        np.testing.assert_array_equal(got.count, (grid >= level).sum(axis=1))


@pytest.mark.parametrize("level", ["baseline", "avx2", "avx512"])
def test_every_cpu_level_answers_the_same(level: str) -> None:
    if ("baseline", "avx2", "avx512").index(level) > ("baseline", "avx2", "avx512").index(
        _core.surfaces_machine()[0]
    ):
        pytest.skip(f"this processor has no {level}")
    grid = sw.surface("usl", sigma=SMALL, kappa=1e-6, n=N)
    best = sw.scan("usl", sigma=SMALL, kappa=1e-6, n=N, level=level)
    np.testing.assert_array_equal(best.index, grid.argmax(axis=1))


def test_a_grid_of_many_cells_takes_little_memory() -> None:
    sigma, n = np.linspace(0, 0.1, 2000), np.linspace(1, 1e4, 50_000)
    tracemalloc.start()
    best = sw.scan("usl", sigma=sigma, kappa=1e-6, n=n, method="grid")
    assert tracemalloc.get_traced_memory()[1] < 4e6
    tracemalloc.stop()
    peak = np.sqrt((1 - sigma) / 1e-6)
    np.testing.assert_allclose(best.n, peak, atol=0.2)


@pytest.mark.parametrize(
    ("args", "error", "text"),
    [
        ({"ask": "mode"}, sw.ChoiceError, "ask is 'mode': expected one of max"),
        ({"ask": "count"}, TypeError, "at is missing: ask='count' needs it"),
        ({"ask": "max", "at": 2}, TypeError, "at is given: ask='max' does not use it"),
        ({"ask": "quantiles", "q": [0.2, 1.5]}, sw.DomainError, r"q\[1\] is 1.5: expected a quantile"),
        ({"ask": "histogram", "bins": [1, 2, 2]}, sw.DomainError, r"bins\[2\] is 2.0: expected edges in asc"),
        ({"ask": "histogram", "bins": [2]}, sw.ShapeError, "bins has length 1: expected at least two"),
        ({"ask": "count", "at": [1, 2, 3]}, sw.ShapeError, "at has length 3"),
        ({"ask": "count", "at": float("nan")}, sw.ChoiceError, "at holds NaN"),
        ({"method": "guess"}, sw.ChoiceError, 'method is "guess"'),
    ],
)
def test_a_wrong_question_is_named(args: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        sw.scan("amdahl", p=[0.1, 0.2], n=[1, 2], **args)
