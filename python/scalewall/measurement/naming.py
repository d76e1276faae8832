"""What a command counts, and what it is called."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from scalewall.measurement.process import PLACE
from scalewall.workers import DEFAULT_UNIT, unit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_RANKS = frozenset({"mpiexec", "mpirun", "srun", "orterun", "prun", "prterun", "aprun", "jsrun", "ibrun"})
_SHORT = {"-t": "threads", "-j": "jobs", "-p": "processes"}
_STARTERS = _RANKS | {
    "torchrun",
    "env",
    "time",
    "nice",
    "taskset",
    "numactl",
    "perf",
    "sh",
    "bash",
    "zsh",
    "ssh",
    "docker",
    "podman",
}


def unit(words: Sequence[str], env: Mapping[str, str]) -> tuple[str, str]:
    """Return plural and singular of what the place in a command counts; "workers" where nothing says.

    Examples
    --------
    >>> unit(["./lu", "--threads", "{n}"], {})
    ('threads', 'thread')
    >>> unit(["mpiexec", "-n", "{n}", "./lu"], {})
    ('ranks', 'rank')
    """
    if not words:
        return DEFAULT_UNIT
    if PurePath(words[0]).name in _RANKS and any(PLACE in word for word in words):
        return unit_of("ranks")
    for before, word in zip(("", *words), words, strict=False):
        if PLACE not in word:
            continue
        # An option and its value, in one word or in two; a line for a shell is no name.
        name = word.split(PLACE)[0].rstrip("=:") or (before if before.startswith("-") else "")
        if any(sign.isspace() for sign in name):
            continue
        found = unit_of(_SHORT.get(name, re.sub(r"[^A-Za-z]+", " ", name).strip()))
        if found != DEFAULT_UNIT:
            return found
    for name, value in env.items():
        if PLACE in value:
            found = unit_of(name.removesuffix("_NUM"))
            if found != DEFAULT_UNIT:
                return found
    return DEFAULT_UNIT


def stem(words: Sequence[str]) -> str:
    """Return a short name for files about a command.

    Examples
    --------
    >>> stem(["./lu", "--threads", "{n}"]), stem(["mpiexec", "-n", "{n}", "python3", "bench.py"])
    ('lu', 'bench')
    """
    for word in words:
        name = PurePath(word).name
        starts = name in _STARTERS or re.fullmatch(r"python[\d.]*|julia|Rscript|perl|ruby|node", name)
        if (
            not starts
            and not word.startswith("-")
            and PLACE not in word
            and not re.fullmatch(r"[\d.]+", name)
        ):
            plain = re.sub(r"[^\w.-]+", "_", PurePath(name).stem).strip("._-")
            if plain:
                return plain[:40]
    return "measured"
