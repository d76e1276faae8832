"""Figures of fits: what is drawn, where words stand, what is left alone."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from sample_fits import CASES, sample

import scalewall as sw
from scalewall import palette, plotting
from scalewall.plotting import ticks
from scalewall.plotting.placing import push_apart
from scalewall.plotting.scene import scene
from scalewall.wording import answer, wall

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

every_case = pytest.mark.parametrize("name", list(CASES))


@cache
def drawn(name: str) -> Axes:
    """The figure of a case, drawn once; tests only look at it."""
    return plotting.plot(sample(name))


def figure_of(ax: Axes) -> Figure:
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def texts_of(figure: Figure) -> list[Text]:
    figure.canvas.draw()
    found = figure.findobj(lambda artist: isinstance(artist, Text) and artist.get_visible())
    # Tick labels of ticks outside the limits exist but are not drawn.
    hidden = {
        id(label)
        for ax in figure.axes
        for axis, (low, high) in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim()))
        for tick in axis.get_major_ticks()
        if not low * (1 - 1e-9) <= tick.get_loc() <= high * (1 + 1e-9)
        for label in (tick.label1, tick.label2)
    }
    texts = [t for t in found if isinstance(t, Text) and t.get_text().strip() and id(t) not in hidden]
    return [t for t in texts if not _is_second_label(figure, t)]


def _is_second_label(figure: Figure, text: Text) -> bool:
    return any(
        text is tick.label2
        for ax in figure.axes
        for axis in (ax.xaxis, ax.yaxis)
        for tick in axis.get_major_ticks()
    )


def corners(text: Text) -> npt.NDArray[np.float64]:
    """The four corners of a text in pixels, turned as the text is, one pixel smaller on each side."""
    angle = text.get_rotation()
    box = text.get_window_extent()
    centre = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
    text.set_rotation(0.0)
    flat = text.get_window_extent()
    text.set_rotation(angle)
    x, y = max(flat.width / 2 - 1, 0.5), max(flat.height / 2 - 1, 0.5)
    turn = math.radians(angle)
    matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    box_: npt.NDArray[np.float64] = centre + np.array([[-x, -y], [x, -y], [x, y], [-x, y]]) @ matrix.T
    return box_


def overlap(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> bool:
    """Whether two convex polygons overlap: no edge of either separates them."""
    for polygon in (a, b):
        for edge in np.roll(polygon, -1, axis=0) - polygon:
            normal = np.array([-edge[1], edge[0]])
            left, right = a @ normal, b @ normal
            if left.max() <= right.min() or right.max() <= left.min():
                return False
    return True


def data_lines(ax: Axes) -> Iterator[Line2D]:
    return (line for line in ax.lines if line.get_transform() == ax.transData)


def heights(line: Line2D) -> npt.NDArray[np.float64]:
    return np.asarray(line.get_ydata(), dtype=np.float64)


def solid_dots(ax: Axes) -> Line2D:
    (dots,) = [
        line for line in data_lines(ax)
        if line.get_marker() == "o" and line.get_markerfacecolor() == palette.LIGHT.ink
    ]  # fmt: skip
    return dots


@every_case
def test_no_two_words_overlap_and_none_leaves_the_figure(name: str) -> None:
    figure = figure_of(drawn(name))
    texts = texts_of(figure)
    places = [corners(text) for text in texts]
    for (a, box_a), (b, box_b) in itertools.combinations(zip(texts, places, strict=True), 2):
        assert not overlap(box_a, box_b), f"{a.get_text()!r} meets {b.get_text()!r}"
    for text, box in zip(texts, places, strict=True):
        assert box.min() >= 0, text.get_text()
        assert box[:, 0].max() <= figure.bbox.width, text.get_text()
        assert box[:, 1].max() <= figure.bbox.height, text.get_text()


def test_the_overlap_check_sees_an_overlap() -> None:
    figure = Figure()
    FigureCanvasAgg(figure)
    a, b, c = figure.text(0.5, 0.5, "words"), figure.text(0.52, 0.51, "other"), figure.text(0.1, 0.1, "away")
    assert overlap(corners(a), corners(b))
    assert not overlap(corners(a), corners(c))


@every_case
def test_nothing_is_drawn_beyond_four_times_the_data(name: str) -> None:
    fit = sample(name)
    figure = figure_of(drawn(name))
    horizon = 4 * max(c.n for c in fit.counts) if fit.counts else 4 * fit.runs.n.max()
    for ax in figure.axes:
        assert ax.get_xlim()[1] <= horizon * (1 + 1e-12)
        for line in ax.lines:
            if line.get_transform() != ax.transAxes:
                assert np.max(np.asarray(line.get_xdata(), dtype=float), initial=0.0) <= horizon * (1 + 1e-12)
        for collection in ax.collections:
            for path in collection.get_paths():
                assert np.asarray(path.vertices)[:, 0].max() <= horizon * (1 + 1e-12)
        for patch in ax.patches:
            edges = ax.transData.inverted().transform(patch.get_window_extent().get_points())
            assert edges[:, 0].max() <= horizon * (1 + 1e-9)


@every_case
def test_the_forecast_does_not_look_like_a_measurement(name: str) -> None:
    fit = sample(name)
    ax = drawn(name)
    bands = [c for c in ax.collections if isinstance(c, PolyCollection)]
    last = max(c.n for c in fit.counts) if fit.counts else fit.runs.n.max()
    for band in bands:
        n = np.asarray(band.get_paths()[0].vertices)[:, 0]
        if band.get_hatch():
            assert n.min() >= last * (1 - 1e-12)
        else:
            assert n.max() <= last * (1 + 1e-12)
    words = {t.get_text() for t in ax.texts}
    if bands:
        assert [bool(b.get_hatch()) for b in bands] == ([True] if fit.kind == "weak" else [False, True])
        assert words & {"forecast: no data here", "forecast"}
        laws = [line for line in data_lines(ax) if line.get_marker() == "None" and line.get_zorder() == 3]
        inside = [line for line in laws if np.max(line.get_xdata()) <= last]
        beyond = [line for line in laws if np.min(line.get_xdata()) >= last]
        assert len(inside) == len(beyond) == len(laws) / 2
        assert max(line.get_linewidth() for line in beyond) < min(line.get_linewidth() for line in inside)
    else:
        assert not words & {"forecast: no data here", "forecast"}


@pytest.mark.parametrize("name", ["raytracer", "yes", "from 32, long unit", "a run left out"])
def test_dots_are_the_measured_speedups(name: str) -> None:
    fit = sample(name)
    ax = drawn(name)
    dots = solid_dots(ax)
    used = ~np.isin(fit.runs.line, [run.line for run in fit.flagged])
    n = np.unique(fit.runs.n)
    mean = np.exp([np.log(fit.runs.time[used & (fit.runs.n == k)]).mean() for k in n])
    assert fit.law is not None
    np.testing.assert_array_equal(dots.get_xdata(), n)
    time_one = fit.law_fit(fit.law).time_one
    assert time_one is not None
    np.testing.assert_allclose(heights(dots), time_one / mean, rtol=1e-9)
    rings = [line for line in data_lines(ax) if line.get_marker() == "o" and line is not dots]
    repeated = len(fit.runs) > len(n)
    assert [len(np.asarray(r.get_xdata())) for r in rings] == ([int(used.sum())] if repeated else [])
    crosses = [line for line in data_lines(ax) if line.get_marker() == "x"]
    assert sum(len(np.asarray(c.get_xdata())) for c in crosses) == len(fit.flagged)


def test_the_band_is_where_the_curve_is_predicted() -> None:
    fit = sample("raytracer")
    view = scene(fit)
    assert view.band is not None
    speedup = fit.predict(view.band.n).speedup
    np.testing.assert_array_equal(view.band.low, speedup[:, 1])
    np.testing.assert_array_equal(view.band.high, speedup[:, 2])
    assert (view.band.n[0], view.band.n[-1]) == (1.0, 80.0)


def test_a_rate_is_drawn_as_it_was_measured() -> None:
    fit = sample("hundred counts")
    dots = solid_dots(drawn("hundred counts"))
    np.testing.assert_allclose(heights(dots), fit.runs.value, rtol=1e-12)


@pytest.mark.parametrize("name", ["weak", "weak from 32"])
def test_weak_scaling_has_one_panel_of_efficiency(name: str) -> None:
    fit = sample(name)
    ax = drawn(name)
    assert len(figure_of(ax).axes) == 1
    assert ax.get_yscale() == "linear"
    time = np.array([c.time for c in fit.counts])
    # On one worker the fitted time counts; further up the measured time at the smallest count.
    start = time[0] * (fit.counts[0].efficiency or 0.0) if name == "weak" else time[0]
    np.testing.assert_allclose(heights(solid_dots(ax)), start / time, rtol=1e-9)


def test_weak_growth_is_drawn_as_it_was_fitted() -> None:
    fit = sample("weak")
    (curve,) = scene(fit).curves
    assert fit.weak is not None
    assert fit.weak.log_growth.value is not None
    assert curve.law == "log_growth"  # the times were made so
    loss = curve.y[0] / curve.y - 1
    np.testing.assert_allclose(loss, fit.weak.log_growth.value * np.log2(curve.n), atol=1e-9)


def test_strong_scaling_has_e_of_n_below_with_its_reading() -> None:
    fit = sample("no, peak inside the data")
    upper, lower = figure_of(drawn("no, peak inside the data")).axes
    assert upper.get_xlim() == lower.get_xlim()
    shares = [c.karp_flatt.value for c in fit.counts if c.karp_flatt is not None]
    np.testing.assert_allclose(heights(solid_dots(lower)), np.array(shares, dtype=np.float64))
    (reading,) = [t.get_text() for t in lower.texts if t.get_text().startswith("Rises")]
    assert any(note.code == "karp_flatt_rises" for note in fit.notes)
    assert "overhead" in reading.replace("\n", " ")


@every_case
def test_the_title_is_the_answer(name: str) -> None:
    fit = sample(name)
    found = answer(fit)
    said = " ".join(t.get_text() for t in figure_of(drawn(name)).texts).replace("\u00a0", " ")
    assert said.startswith(found.word)
    plain = found.sentence.replace("×", "x").removesuffix(".")
    question = plain.partition(": ")[0] if found.word == "CANNOT TELL" else plain
    assert question in said
    if fit.refusal is not None:
        for text, flag in fit.refusal.readings:
            assert text.lower() in said.lower()
            assert flag in said


@every_case
def test_ranges_on_the_figure_are_those_of_the_text(name: str) -> None:
    fit = sample(name)
    if fit.refusal is not None or fit.kind == "weak":
        return
    ax = drawn(name)
    said = " ".join(t.get_text() for t in ax.texts).replace("\u00a0", " ")
    rows = {row.name: row.value for row in wall(fit)}
    assert rows["ceiling"].replace("×", "x") in said
    if fit.peak_n is not None and math.isfinite(fit.peak_n.high):
        assert rows["peak"].removesuffix(f" {fit.runs.unit}") in said


def test_a_refused_table_shows_its_points_and_nothing_else() -> None:
    fit = sample("does not fall")
    ax = drawn("does not fall")
    assert len(figure_of(ax).axes) == 1
    assert not ax.collections
    assert not ax.patches
    np.testing.assert_allclose(np.sort(heights(ax.lines[0])), np.sort(fit.runs.value))
    assert {line.get_marker() for line in data_lines(ax)} == {"o"}


def test_one_law_asked_for_is_the_only_one_drawn() -> None:
    assert [curve.law for curve in scene(sample("one law asked for")).curves] == ["amdahl"]


def test_at_least_is_never_less_than_the_best_measured() -> None:
    view = scene(sample("all laws kept"))
    if view.ceiling is not None and math.isinf(view.ceiling.high):
        assert view.ceiling.low >= view.y.max()


def test_given_axes_get_the_main_panel_only() -> None:
    figure = Figure(figsize=(8, 5))
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    before = dict(mpl.rcParams)
    assert plotting.plot(sample("raytracer"), ax=right) is right
    assert sample("raytracer").plot(ax=left) is left
    assert dict(mpl.rcParams) == before
    assert len(figure.axes) == 2
    assert not figure.texts
    assert right.get_xlim()[1] == 80.0


def test_settings_come_back_after_a_figure(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    plotting.save(sample("raytracer"), tmp_path / "fit.svg")
    assert dict(mpl.rcParams) == before


def test_pyplot_stays_untouched() -> None:
    code = (
        "import sys, scalewall as sw\n"
        "assert 'matplotlib' not in sys.modules\n"
        "f = sw.fit(sw.Runs([1, 2, 4, 8], time=[9.0, 5.0, 3.0, 2.0], kind='strong'))\n"
        "f.plot()\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_suffix_decides_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"fit{suffix}"
    plotting.save(sample("raytracer"), path)
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_the_same_fit_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    for name in ("a", "b"):
        plotting.save(sample("raytracer"), tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


@pytest.mark.parametrize("name", ["fit.gif", "fit", "fit.csv"])
def test_an_unknown_suffix_is_one_clear_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(sw.ChoiceError, match=r"\.png, \.svg, \.pdf") as error:
        plotting.save(sample("raytracer"), tmp_path / name)
    assert name in str(error.value)
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_the_error_names_the_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "scalewall\[plot\]"') as error:
        plotting.plot(sample("raytracer"))
    assert isinstance(error.value, sw.ScalewallError)


def luminance(color: str) -> float:
    """Relative luminance as the accessibility guidelines define it."""
    parts = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


WORDS = (
    "ink",
    "soft",
    "accent",
    "yes",
    "no",
    "open",
    "refused",
    *sorted({s.color for s in palette.LAWS.values()}),
)


@pytest.mark.parametrize("field", WORDS)
def test_words_can_be_read_on_both_grounds(field: str) -> None:
    assert contrast(getattr(palette.LIGHT, field), palette.LIGHT.paper) >= 4.8
    assert contrast(getattr(palette.DARK, field), palette.DARK.paper) >= 7.0


def test_laws_differ_without_colour() -> None:
    names = ("amdahl", "usl", "usl_log", "power", "saturation")
    assert len({palette.LAWS[law].dash for law in names}) == len(names)


@pytest.mark.parametrize(
    ("wanted", "heights", "expected"),
    [
        ([10.0, 50.0], [4.0, 4.0], [10.0, 50.0]),
        ([10.0, 10.0], [4.0, 4.0], [7.0, 13.0]),  # two that want one place share it evenly, gap 2
        ([0.0, 0.0, 0.0], [4.0, 4.0, 4.0], [2.0, 8.0, 14.0]),  # pushed in from the edge
        ([99.0, 100.0], [4.0, 4.0], [92.0, 98.0]),
        ([50.0, 10.0], [4.0, 4.0], [50.0, 10.0]),  # the order given does not matter
    ],
)
def test_labels_are_pushed_apart_no_more_than_needed(
    wanted: list[float], heights: list[float], expected: list[float]
) -> None:
    assert push_apart(wanted, heights, 0.0, 100.0, 2.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: ticks.doublings(0.9, 80.0, 9), [1, 2, 4, 8, 16, 32, 64]),
        (lambda: ticks.doublings(1.0, 2.0**20, 9), [1, 8, 64, 512, 4096, 32768, 262144]),
        (lambda: ticks.doublings(24.0, 100.0, 9), [32, 64]),
        (lambda: ticks.decades(90.0, 2100.0, 5), [100, 200, 500, 1000, 2000]),
        (lambda: ticks.even(0.0, 0.052, 4), [0.0, 0.02, 0.04]),
        (lambda: ticks.plain(262144.0), "262\u2009k"),
        (lambda: ticks.plain(0.05), "0.05"),
        (lambda: ticks.plain(65536.0), "65\u2009536"),
        (lambda: ticks.percent(0.025), "2.5 %"),
    ],
)
def test_ticks_are_round(call: Any, expected: Any) -> None:
    found = call()
    assert found == (expected if isinstance(expected, str) else pytest.approx(expected))
