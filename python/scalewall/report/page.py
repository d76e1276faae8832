"""A fit as one self-contained page: verdict, numbers, chart, runs, what to measure next, cautions."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scalewall import palette
from scalewall._core import __version__
from scalewall.plotting import words
from scalewall.plotting.scene import EFFICIENCY, scene
from scalewall.report import canvas, chart, sections
from scalewall.wording import answer, care, glue

if TYPE_CHECKING:
    import os

    from scalewall.fitting import Fit

CURVE_POINTS = 72
"""Points of a curve on the page: smooth at 820 pixels, and the file stays small."""

SHORT = {"forecast_ground": "fcbg", "band_forecast": "bandf", "band_edge": "edge"}
"""Names of CSS variables where they differ from the field of the theme."""


def page(fit: Fit) -> str:
    """Return a fit as one HTML document that loads nothing.

    Parameters
    ----------
    fit : Fit
        Any fit; one that was refused shows its measured points and the readings it could have.

    Returns
    -------
    str
        A document of about 40 KB with its styles, charts and the script of one slider. Without script all
        but the slider is there. Colours follow the reader's light or dark setting; printed it is light.
    """
    return render("page.html.jinja", facts(fit))


def write_page(fit: Fit, path: str | os.PathLike[str]) -> None:
    """Write a fit as one self-contained HTML file.

    Parameters
    ----------
    fit : Fit
        Any fit.
    path : path-like
        File to write.
    """
    Path(path).write_text(page(fit), encoding="utf-8", newline="\n")


def render(name: str, context: dict[str, Any]) -> str:
    """Fill one of the templates of this folder; everything in `context` is escaped unless it is markup."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415 - slow to import

    environment = Environment(autoescape=True, undefined=StrictUndefined, loader=FunctionLoader(_resource))
    return environment.get_template(name).render(context)


def facts(fit: Fit, prefix: str = "") -> dict[str, Any]:
    """Collect all that a page says and shows; `prefix` keeps the ids of its charts apart from others."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    # Only our own style, SVG and script are markup; every text is escaped by the template.
    view = scene(fit, CURVE_POINTS)
    found = answer(fit)
    color = words.TONES.get(found.tone, "ink")
    strip = sections.strip(fit, color)
    slider = sections.slider(fit, view)
    if slider is not None:
        slider["json"] = Markup(slider["json"])
    return {
        "light": Markup(variables(palette.LIGHT)),
        "dark": Markup(variables(palette.DARK)),
        "word": found.word,
        "color": color,
        "sentence": glue(found.sentence.removesuffix(".")),
        "lead": [glue(line) for line in (found.advice,) if line],
        "source": fit.runs.source or "runs",
        "kind": sections.KINDS.get(fit.kind, fit.kind),
        "strip": None if strip is None else tuple(map(Markup, strip)),
        "ways": () if fit.refusal is None else fit.refusal.readings,
        "tiles": sections.tiles(fit),
        "ranges": glue(f"All ranges: {fit.level * 100:g} % intervals, over every law that the data allow."),
        "chart_title": words.chart_title(view),
        "chart": tuple(map(Markup, chart.charts(fit, view, prefix))),
        "names": [
            (
                Markup(canvas.line_sample(c.law)),
                words.law_name(c.law).replace("\n", " "),
                canvas.variable(c.law),
            )
            for c in view.curves
            if view.quantity != EFFICIENCY
        ],
        "caption": glue(words.caption(view)),
        "slider": slider,
        "script": Markup(_resource("page.js")),
        **sections.table(fit, view),
        "next": sections.next_steps(fit),
        "care": [glue(line) for line in care(fit)],
        "method": [glue(line) for line in sections.method(fit)],
        "data": sections.data(fit),
        "version": __version__,
    }


def variables(theme: palette.Theme) -> str:
    """Return a theme as CSS variables."""
    return ";".join(
        f"--{SHORT.get(name, name).replace('_', '-')}:{color}" for name, color in vars(theme).items()
    )


def _resource(name: str) -> str:
    text = resources.files("scalewall.report").joinpath(name).read_text(encoding="utf-8")
    # Comments of a script are for those who read its source.
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("//"))
