"""The page and the notebook fragment: self-contained, safe, and with the numbers of every other form."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sample_fits import CASES, made, sample, usl

from scalewall.report.notebook import fragment
from scalewall.report.page import page, write_page
from scalewall.wording import answer, wall
from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from pathlib import Path

    import scalewall as sw

every_case = pytest.mark.parametrize("name", list(CASES))
VOID = {"meta", "link", "br", "hr", "img", "input", "line", "circle", "rect", "path"}


class Document(HTMLParser):
    """Elements with their attributes and the text outside style and script; fails where tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None], tuple[str, ...]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), tuple(self._open)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), tuple(self._open)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open, f"</{tag}> closes nothing"
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self._open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).replace("\u00a0", " ").split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs, _ in self.elements if name == tag]


def slider_of(html: str) -> dict[str, Any]:
    found = re.search(r"var d=(\{.*?\}),q=", html)
    assert found is not None
    stored: dict[str, Any] = json.loads(found.group(1))
    return stored


@every_case
def test_the_page_loads_nothing(name: str) -> None:
    html = page(sample(name))
    for forbidden in ("http", "src=", "@import", "<link", "<iframe", "fetch(", "XMLHttpRequest", "import("):
        assert forbidden not in html
    assert set(re.findall(r"url\((.)", html)) <= {"#"}


@every_case
def test_the_page_is_well_formed_small_and_complete(name: str) -> None:
    html = page(sample(name))
    document = Document(html)
    assert html.startswith("<!doctype html>")
    assert len(html.encode()) < 60_000
    for tag in ("title", "h1", "main", "table", "footer"):
        assert document.all(tag), tag
    ids = Counter(attrs["id"] for _, attrs, _ in document.elements if "id" in attrs)
    assert max(ids.values()) == 1
    used = set(re.findall(r"var\((--[a-z-]+)\)", html)) - {"--x", "--v"}
    for theme in re.findall(r":root\{([^}]*)\}", html)[:2]:
        assert used <= set(re.findall(r"(--[a-z-]+):", theme))


@every_case
def test_a_screen_reader_finds_labels_and_heads(name: str) -> None:
    document = Document(page(sample(name)))
    for attrs in document.all("svg"):
        assert attrs.get("aria-hidden") == "true" or (attrs.get("role") == "img" and attrs.get("aria-label"))
    heads = document.all("th")
    assert heads
    assert all(attrs.get("scope") == "col" for attrs in heads)
    assert document.all("html") == [{"lang": "en"}]
    inputs = document.all("input")
    labels = {attrs.get("for") for attrs in document.all("label")}
    assert {attrs.get("id") for attrs in inputs} <= labels


@every_case
def test_the_order_is_that_of_every_answer(name: str) -> None:
    fit = sample(name)
    text = Document(page(fit)).text
    found = answer(fit)
    expected = [found.word, "The runs", "How this was computed", "The data"]
    if fit.refusal is None:
        expected[1:1] = ["All ranges"]
        expected[3:3] = ["Measure next"]
    at = text.index("scalewall fit")
    for word in expected:
        at = text.index(word, at) + len(word)
    assert found.sentence.removesuffix(".") in text


@every_case
def test_range_ends_are_those_of_json_and_text(name: str) -> None:
    fit = sample(name)
    text, stored = Document(page(fit)).text, fit.to_dict()
    summary = fit.summary().replace("\u00a0", " ")
    if fit.refusal is not None:
        return
    for row in wall(fit):
        assert row.value.removesuffix(f" {fit.runs.unit}") in text
    for point in stored["forecast"]:
        low, high = point["efficiency"]["low"], point["efficiency"]["high"]
        assert say.shares(low, high) in text
        assert say.shares(low, high) in summary
        if fit.kind != "weak":
            factors = say.factors(point["speedup"]["low"], point["speedup"]["high"])
            assert factors in text
            assert factors.replace("×", "x") in summary
        if fit.runs.quantity == "rate" and fit.kind != "weak":
            rates = say.span(1 / point["time"]["high"], 1 / point["time"]["low"])
            assert rates in text
            assert rates in summary
        elif fit.kind == "strong":
            unit = say.time_unit([*(c.time for c in fit.counts), point["time"]["low"]])
            times = say.times(point["time"]["low"], point["time"]["high"], unit)
            assert times in text
            assert times in summary
    if stored["peak_n"] and stored["peak_n"]["high"] is not None:
        assert say.counts(stored["peak_n"]["low"], stored["peak_n"]["high"]) in text


@every_case
def test_the_slider_stores_the_forecast_and_stops_at_the_horizon(name: str) -> None:
    fit = sample(name)
    html = page(fit)
    if 'type="range"' not in html:
        assert fit.refusal is not None
        assert "<script" not in html
        return
    stored = slider_of(html)
    n = np.array(stored["n"])
    assert (np.diff(n) > 0).all()
    assert (n[0], n[-1]) == (fit.counts[0].n, 4 * fit.counts[-1].n)
    for point in fit.to_dict()["forecast"]:
        (at,) = np.flatnonzero(n == point["n"])
        for low, high, what in (("sl", "sh", "speedup"), ("el", "eh", "efficiency")):
            if (name, what) == ("weak from 32", "efficiency"):
                continue
            ends = (stored[low][at], stored[high][at])
            assert ends == pytest.approx((point[what]["low"], point[what]["high"]), rel=1e-6)


@every_case
def test_no_chart_goes_beyond_four_times_the_data(name: str) -> None:
    fit = sample(name)
    html = page(fit)
    charts = re.findall(r"<svg[^>]*?data-x0=.*?</svg>", html, re.S)
    if not charts:
        assert fit.refusal is not None
        return
    assert len(charts) == 2
    for svg in charts:
        x0, kx = (float(re.findall(rf'data-{key}="([-\d.]+)"', svg)[0]) for key in ("x0", "kx"))
        horizon = x0 + np.log2(4 * fit.counts[-1].n) * kx
        last = x0 + np.log2(fit.counts[-1].n) * kx
        curves = re.findall(r'<path d="M([-\d. L]+)Z?"[^>]*(?:stroke-width="(?:2|1.4)"|fill="url)', svg)
        assert curves
        for curve in curves:
            assert max(float(p.split()[0]) for p in curve.split("L")) <= horizon + 0.06
        hatched = re.findall(r'<path d="M([-\d. L]+)Z" fill="url', svg)
        plain = re.findall(r'<path d="M([-\d. L]+)Z" fill="var\(--band\)', svg)
        assert (len(hatched), len(plain)) == (1, 0 if fit.kind == "weak" else 1)
        assert min(float(p.split()[0]) for p in hatched[0].split("L")) >= last - 0.06
        for band in plain:
            assert max(float(p.split()[0]) for p in band.split("L")) <= last + 0.06


def evil() -> sw.Fit:
    return made(
        [1, 2, 4, 8],
        usl(0.05),
        repeats=2,
        unit=("<script>alert(1)</script>", '"><img onerror=alert(2)>'),
        source="</title><script>alert(3)</script>'\".csv",
    )


@pytest.mark.parametrize("form", [page, fragment])
def test_what_the_user_named_is_text_and_never_markup(form: object) -> None:
    assert callable(form)
    html = form(evil())
    document = Document(html)
    assert not document.all("img")
    assert len(document.all("script")) == (1 if form is page else 0)
    assert html.count("</script") == (1 if form is page else 0)
    assert "alert(1)" in document.text
    for attrs in document.all("svg"):
        assert "onerror" not in attrs


def test_the_slider_names_units_as_text() -> None:
    stored = slider_of(page(evil()))
    assert stored["many"] == "<script>alert(1)</script>"


def test_many_runs_stay_one_small_page() -> None:
    fit = made([1, 2, 4, 8, 16, 32], usl(0.03), noise=0.05, repeats=900)
    html = page(fit)
    assert len(html.encode()) < 60_000
    assert "and 5000 more" in html


def test_a_refused_page_names_each_reading_and_its_flag() -> None:
    fit = sample("does not fall")
    assert fit.refusal is not None
    text = Document(page(fit)).text
    for reading, flag in fit.refusal.readings:
        assert reading in text
        assert flag in text
    assert "forecast" not in text


def test_what_was_left_out_is_on_the_page() -> None:
    fit = sample("a run left out")
    assert len(fit.flagged) == 1
    assert f"row {fit.flagged[0].line}" in Document(page(fit)).text


def test_the_file_is_the_page(tmp_path: Path) -> None:
    path = tmp_path / "fit.html"
    write_page(sample("raytracer"), path)
    assert path.read_text(encoding="utf-8") == page(sample("raytracer")) == page(sample("raytracer"))


@every_case
def test_the_fragment_touches_nothing_around_it(name: str) -> None:
    html = fragment(sample(name))
    document = Document(html)
    assert not document.all("script")
    assert "http" not in html
    assert document.elements[0][:2] == ("div", document.elements[0][1])
    assert all(opened and opened[0] == "div" for _, _, opened in document.elements[1:])
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.S)
    for selectors in re.findall(r"([^{}]+)\{", style):
        for selector in selectors.split(","):
            assert ".scalewall-fit" in selector, selector
    assert answer(sample(name)).sentence.removesuffix(".") in document.text


def test_two_fragments_share_no_id() -> None:
    ids = [
        {attrs["id"] for _, attrs, _ in Document(fragment(sample(name))).elements if "id" in attrs}
        for name in ("raytracer", "yes")
    ]
    assert ids[0]
    assert ids[1]
    assert not ids[0] & ids[1]


def test_a_fit_shows_itself_in_a_notebook() -> None:
    fit = sample("raytracer")
    assert fit._repr_html_() == fragment(fit)
    assert unescape(answer(fit).word) in fit._repr_html_()
