"""Names of the shapes of curve: what a shape looks like, never what caused it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scalewall.wording.numbers import listed, sentence, word

if TYPE_CHECKING:
    from collections.abc import Sequence

SHAPES = {
    "amdahl": "fixed share",
    "usl": "contention + coherency",
    "usl_log": "tree",
    "usl_log_schwartz": "tree, Schwartz' form",
    "power": "power law",
    "saturation": "saturation",
}

PARAMETERS = {
    "sigma": "contention",
    "kappa": "coherency",
    "q": "exponent",
    "limit_n": "saturation count",
}


def shape(law: str) -> str:
    """Return the name of a law's shape; an unknown law is named as it is."""
    return SHAPES.get(law, law)


def kept_shapes(kept: Sequence[str], tried: int) -> str:
    """Return which shapes fit, and how many are ruled out."""
    out = tried - len(kept)
    names = ", ".join(shape(law) for law in kept)
    if len(kept) == 1:
        rest = {0: "", 1: "; the other is ruled out"}.get(out, f"; {word(out)} others are ruled out")
        return f"One shape of curve ({names}) fits{rest}."
    rest = "" if out < 1 else f"; {word(out)} {'is' if out == 1 else 'are'} ruled out"
    return f"{sentence(word(len(kept)))} shapes of curve fit ({names}){rest}."


def parameters(params: dict[str, float]) -> str:
    """Return the names of a law's parameters, as in "contention (sigma) and coherency (kappa)"."""
    return listed(f"{PARAMETERS.get(name, name)} ({name})" for name in params)
