"""A fit as it shows itself in a notebook: one fragment of HTML that touches nothing around it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from scalewall.report.page import facts, render

if TYPE_CHECKING:
    from scalewall.fitting import Fit


def fragment(fit: Fit) -> str:
    """Return a fit as a fragment of HTML for a notebook.

    Every style is bound to the fragment, ids are its own, and there is no script. Colours follow the theme
    of the notebook.

    Parameters
    ----------
    fit : Fit
        Any fit.

    Returns
    -------
    str
        One `div` element.
    """
    # Ids are shared by all cells of a notebook: equal only where the runs are.
    seed = b"".join(column.tobytes() for column in (fit.runs.n, fit.runs.time)) + repr(fit.options).encode()
    return render("notebook.html.jinja", facts(fit, f"s{hashlib.sha256(seed).hexdigest()[:10]}-"))
