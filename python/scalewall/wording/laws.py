"""Names of the shapes of curve: what a shape looks like, never what caused it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scalewall.wording.numbers import listed, sentence, word

if TYPE_CHECKING:
    from collections.abc import Sequence

SHAPES = {
    "amdahl": "contention alone",
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


def kept_shapes(kept: Sequence[str], dropped: Sequence[str] = ()) -> str:
    """Return which shapes fit, and how many are ruled out.

    Amdahl's law is the bound of the universal law, so that the two are one shape.
    """
    names = [shape(law) for law in kept if law != "amdahl" or "usl" not in kept]
    out = len([law for law in dropped if law != "amdahl" and not (law == "usl" and "amdahl" in kept)])
    listing = ", ".join(names)
    verb = "is" if out == 1 else "are"
    if len(names) == 1:
        rest = f"; {word(out)} {'other' if out == 1 else 'others'} {verb} ruled out" if out else ""
        return f"One shape of curve ({listing}) fits{rest}."
    rest = f"; {word(out)} {verb} ruled out" if out else ""
    return f"{sentence(word(len(names)))} shapes of curve fit ({listing}){rest}."


def least_bad(kept: Sequence[str]) -> str:
    """Return the shapes that the ranges span where none fits."""
    names = [shape(law) for law in kept if law != "amdahl" or "usl" not in kept]
    if len(names) == 1:
        return f"The ranges come from the least bad shape ({names[0]})."
    return f"The ranges span the {word(len(names))} least bad shapes ({', '.join(names)})."


def parameters(params: dict[str, float]) -> str:
    """Return the names of a law's parameters, as in "contention (sigma) and coherency (kappa)"."""
    return listed(f"{PARAMETERS.get(name, name)} ({name})" for name in params)
