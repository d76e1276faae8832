"""Every colour, dash and size that people see, decided once for figure, page and notebook."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours of one ground, light or dark; text stands at least 4.8 to 1 on paper, 7 to 1 in the dark."""

    ink: str
    soft: str
    hair: str
    grid: str
    paper: str
    card: str
    axis: str
    forecast_ground: str
    band: str
    band_forecast: str
    band_edge: str
    bar: str
    accent: str
    yes: str
    no: str
    open: str
    refused: str
    amdahl: str
    usl: str
    usl_log: str
    power: str
    saturation: str


LIGHT = Theme(
    ink="#1b2733",
    soft="#55626f",
    hair="#dfe4e9",
    grid="#e6eaee",
    paper="#ffffff",
    card="#f7f8fa",
    axis="#8a96a3",
    forecast_ground="#f5f6f8",
    band="#a9cce8",
    band_forecast="#dce9f4",
    band_edge="#5e9ccb",
    bar="#3f83bd",
    accent="#0b5fa5",
    yes="#00735c",
    no="#a8370b",
    open="#7a5a00",
    refused="#6b2c5b",
    amdahl="#3f4a56",
    usl="#0b5fa5",
    usl_log="#b5530b",
    power="#00735c",
    saturation="#ae4e8d",
)

DARK = Theme(
    ink="#e3e9ef",
    soft="#a3b0bd",
    hair="#2d3845",
    grid="#232d38",
    paper="#11161c",
    card="#19212a",
    axis="#6f7d8b",
    forecast_ground="#161d25",
    band="#2c5575",
    band_forecast="#1d3142",
    band_edge="#5e9ccb",
    bar="#4a90cf",
    accent="#6db3f2",
    yes="#3cc79f",
    no="#ff8a5c",
    open="#e3b341",
    refused="#d08bc0",
    amdahl="#f2f5f8",
    usl="#6db3f2",
    usl_log="#f0a35e",
    power="#4cc2a4",
    saturation="#f5b5d5",
)


@dataclass(frozen=True)
class LawStyle:
    """How one law is drawn: the field of `Theme` with its colour, and its dash in units of line widths."""

    color: str
    dash: tuple[float, ...]


LAWS = {
    # The dash alone tells the laws apart in grey; the laws seen most often have the plainest dashes.
    "usl": LawStyle("usl", ()),
    "usl_log": LawStyle("usl_log", (6.0, 2.0)),
    "usl_log_schwartz": LawStyle("usl_log", (6.0, 2.0)),
    "saturation": LawStyle("saturation", (1.2, 1.6)),
    "power": LawStyle("power", (5.0, 1.6, 1.2, 1.6)),
    "log_growth": LawStyle("power", (5.0, 1.6, 1.2, 1.6)),
    "linear_growth": LawStyle("usl", ()),
    "amdahl": LawStyle("amdahl", (9.0, 1.6, 1.2, 1.6, 1.2, 1.6)),
}

ANSWERS = {
    # Leaning stands beside "cannot tell": the data do not decide, so it must not look decided.
    "yes": "yes",
    "no": "no",
    "leaning yes": "open",
    "leaning no": "open",
    "cannot tell": "open",
    "not answered": "ink",
}
"""Field of `Theme` that colours the verdict word, by the doubling answer."""


@dataclass(frozen=True)
class KindStyle:
    """How one kind of worker time is drawn: its colour, its hatch, and whether text on it is light."""

    color: str
    hatch: str = ""
    light_text: bool = False


KINDS = {
    "useful": KindStyle("#1f5f99", light_text=True),
    "slower": KindStyle("#7fb2da", ".."),
    "serial": KindStyle("#a8370b", light_text=True),
    "serial_wait": KindStyle("#f0a883", "//"),
    "imbalance": KindStyle("#e8c15a"),
    "off_cpu": KindStyle("#b9a6cc", "\\\\"),
    "blocked": KindStyle("#b9a6cc", "xx"),
    "start": KindStyle("#8a96a3"),
    "unaccounted": KindStyle("#e6eaee", "++"),
}
"""Worker time in a ledger figure; the two ways to be off the processor share a colour, not a hatch."""

WIDTH = 7.6
"""Width of a figure in inches."""

MAIN_PANEL = 3.14
"""Height of the main panel in inches."""

LOWER_PANEL = 1.03
"""Height of the e(n) panel in inches."""

LEFT, RIGHT = 0.65, 1.55
"""Room in inches left of the panels for ticks, and right of them for the words on the lines."""

TITLE, SUBTITLE, LABEL, NOTE, TICK = 13.0, 9.5, 9.2, 8.0, 9.0
"""Type sizes in points."""

HALO = 3.0
"""Width in points of the paper-coloured halo behind words that cross lines."""

DPI, SCREEN_DPI = 150, 100
"""Resolution of PNG files, and of a figure while it is drawn."""

SVG_WIDE, SVG_NARROW = 820, 380
"""Widths in pixels of the two charts of a page."""
