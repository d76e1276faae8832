"""What people call the things they count: threads, ranks, GPUs, users."""

from __future__ import annotations

import math
import re

# Words of one worker as they stand in a column name, with the plural and the singular for sentences.
WORKER_WORDS: dict[str, tuple[str, str]] = {
    "n": ("workers", "worker"),
    "worker": ("workers", "worker"),
    "thread": ("threads", "thread"),
    "process": ("processes", "process"),
    "proc": ("procs", "proc"),
    "processor": ("processors", "processor"),
    "cpu": ("CPUs", "CPU"),
    "core": ("cores", "core"),
    "rank": ("ranks", "rank"),
    "task": ("tasks", "task"),
    "node": ("nodes", "node"),
    "gpu": ("GPUs", "GPU"),
    "device": ("devices", "device"),
    "user": ("users", "user"),
    "connection": ("connections", "connection"),
    "client": ("clients", "client"),
    "load": ("load units", "load unit"),
    "concurrency": ("requests", "request"),
}

# Words that name workers, but that no table is read by unless the caller names the column.
_RARE_WORDS: dict[str, tuple[str, str]] = {
    "pe": ("PEs", "PE"),
    "socket": ("sockets", "socket"),
    "machine": ("machines", "machine"),
    "host": ("hosts", "host"),
    "instance": ("instances", "instance"),
    "server": ("servers", "server"),
    "replica": ("replicas", "replica"),
    "shard": ("shards", "shard"),
    "job": ("jobs", "job"),
    "goroutine": ("goroutines", "goroutine"),
    "executor": ("executors", "executor"),
    "tile": ("tiles", "tile"),
    "tpu": ("TPUs", "TPU"),
    "session": ("sessions", "session"),
}

# nthreads, ngpus, nproc: the n says "number of".
_LEADING_N = re.compile(
    r"^n(?=(?:thread|process|proc|core|node|rank|task|gpu|cpu|worker|user|client|pe)(?:e?s)?$)"
)

DEFAULT_UNIT = ("workers", "worker")


def singular(word: str) -> str:
    """Return the word without its plural ending; both sides of a comparison go through here."""
    if word in {"processes", "concurrencies"}:
        return {"processes": "process", "concurrencies": "concurrency"}[word]
    if len(word) > 2 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def words_of(name: str) -> list[str]:
    """Split a column name into lower-case words: `numThreads`, `num-threads` and `num threads` are one."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.strip())
    return [word for word in re.split(r"[\s_\-./:]+", spaced.lower()) if word]


def unit_of(name: str) -> tuple[str, str]:
    """Return plural and singular of the workers that a column counts; "workers" where the name does not say.

    Examples
    --------
    >>> unit_of("processors")
    ('processors', 'processor')
    >>> unit_of("num_gpus")
    ('GPUs', 'GPU')
    >>> unit_of("x")
    ('workers', 'worker')
    """
    words = words_of(name)
    if "per" in words:
        words = words[: words.index("per")]
    for word in reversed(words):
        one = singular(_LEADING_N.sub("", word))
        found = WORKER_WORDS.get(one) or _RARE_WORDS.get(one)
        if found is not None:
            return found
    return DEFAULT_UNIT


def grouped(value: float, digits: int = 6) -> str:
    """Write a number for a sentence: thousands in gaps, at most `digits` digits that mean something.

    Examples
    --------
    >>> grouped(251871234.0)
    '251 871 000'
    >>> grouped(0.5), grouped(2048.0)
    ('0.5', '2 048')
    """
    if not math.isfinite(value):
        return str(value)
    rounded = float(f"{value:.{digits}g}")
    if rounded == int(rounded) and abs(rounded) < 1e15:
        return f"{int(rounded):,}".replace(",", " ")
    return f"{value:.{digits}g}"


def count_text(value: float) -> str:
    """Write a worker count as people type it: no gaps, no `.0`."""
    return f"{int(value)}" if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"
