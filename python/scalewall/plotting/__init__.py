"""Figures of a fit with matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scalewall._errors import ChoiceError, ScalewallError

if TYPE_CHECKING:
    import os
    from types import ModuleType

    from matplotlib.axes import Axes

    from scalewall.fitting import Fit

__all__ = ["plot", "save"]

FORMATS = (".png", ".svg", ".pdf")


class MissingLibraryError(ScalewallError, ImportError):
    """An optional library is needed and not installed."""


def plot(fit: Fit, ax: Axes | None = None) -> Axes:
    """Draw a fit and return the axes of its main panel.

    Parameters
    ----------
    fit : Fit
        Any fit; one that was refused shows its measured points and says why there is no verdict.
    ax : matplotlib.axes.Axes, optional
        Draw only the main panel into these axes. Without it a figure of its own is made, with the verdict
        as title; `plot(fit).figure` is that figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the main panel.

    Raises
    ------
    ScalewallError
        If matplotlib is not installed.

    Notes
    -----
    Neither pyplot nor its settings are touched. Nothing is drawn beyond four times the largest count.
    """
    matplotlib = _matplotlib()
    from scalewall.plotting import figure, panel  # noqa: PLC0415 - matplotlib is optional
    from scalewall.plotting.scene import scene  # noqa: PLC0415

    if ax is None:
        with matplotlib.rc_context(figure.RC):
            return figure.build(fit).axes[0]
    panel.draw(ax, fit, scene(fit))
    return ax


def save(fit: Fit, path: str | os.PathLike[str]) -> None:
    """Write the figure of a fit to a file; the suffix decides the format.

    Parameters
    ----------
    fit : Fit
        Any fit.
    path : path-like
        File to write: .png, .svg or .pdf.

    Raises
    ------
    ChoiceError
        If the suffix is none of these.
    ScalewallError
        If matplotlib is not installed.
    """
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise ChoiceError(
            f"path is {str(target)!r}: a figure is written as {', '.join(FORMATS)}; give one of these endings"
        )
    matplotlib = _matplotlib()
    from scalewall.plotting import figure  # noqa: PLC0415 - matplotlib is optional

    with matplotlib.rc_context(figure.RC):
        built = figure.build(fit)
        # No date in the file: the same fit gives the same bytes.
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(target.suffix.lower())
        built.savefig(target, metadata=metadata)


def _matplotlib() -> ModuleType:
    try:
        import matplotlib  # noqa: PLC0415, ICN001 - optional
    except ImportError as error:
        raise MissingLibraryError(
            'matplotlib is not installed: figures need it. Install it with: pip install "scalewall[plot]"'
        ) from error
    return matplotlib
