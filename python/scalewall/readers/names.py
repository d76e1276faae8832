"""What the name of a column says: the role it can play, the unit it is in, whether it counts per worker."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scalewall.readers.cells import TIME_UNITS
from scalewall.workers import WORKER_WORDS, singular, words_of

TIME_NAMES = frozenset(
    {
        "time",
        "wall",
        "elapsed",
        "second",
        "duration",
        "runtime",
        "walltime",
        "wall_time",
        "wallclock",
        "wall_clock",
        "wall_clock_time",
        "elapsed_time",
        "run_time",
    }
)
# Names that are a time and its unit in one word.
_UNIT_NAMES = frozenset(
    {"seconds", "milliseconds", "microseconds", "nanoseconds", "minutes", "hours", "secs"}
)
RATE_NAMES = frozenset(map(singular, ("throughput", "rate", "tput", "fom", "ops", "qps", "tps")))
# A number of operations per second is a rate only where the name says per what.
_PER_WORKER_NAMES = frozenset(map(singular, ("flops", "mflops", "gflops", "tflops", "pflops", "iops", "rps")))
_RATE_UNITS = frozenset(
    {
        "b",
        "kb",
        "mb",
        "gb",
        "tb",
        "kib",
        "mib",
        "gib",
        "byte",
        "bytes",
        "hz",
        "khz",
        "mhz",
        "req",
        "reqs",
        "request",
        "requests",
        "item",
        "items",
        "mbps",
        "gbps",
        "kbps",
        "rps",
        "op",
        "iops",
        "flops",
        "mflops",
        "gflops",
        "tflops",
        "sec",
        "second",
        "seconds",
        "s",
    }
)
# A spread, not a value.
_SPREADS = frozenset(
    {
        "std",
        "stddev",
        "sd",
        "stdev",
        "stderr",
        "se",
        "err",
        "error",
        "errors",
        "ci",
        "cv",
        "var",
        "variance",
        "unit",
        "units",
    }
)
_STATISTICS = frozenset({"min", "max", "mean", "median", "avg", "average", "best", "worst"})
# Words that may stand before a worker word without changing what it counts.
_BEFORE_WORKERS = frozenset(
    {
        "n",
        "nb",
        "num",
        "number",
        "no",
        "nr",
        "of",
        "total",
        "mpi",
        "omp",
        "openmp",
        "hw",
        "hardware",
        "sw",
        "software",
        "os",
        "logical",
        "physical",
        "compute",
        "cpu",
        "gpu",
        "worker",
        "client",
        "parallel",
        "concurrent",
        "active",
    }
)
_ONE_WORD_N = re.compile(
    r"n(?:thread|process|proc|processor|core|node|rank|task|gpu|cpu|worker|client|user)(?:e?s)?$"
)
_EXACT_ONLY = frozenset({"n", "load", "concurrency"})
_TIME_HINTS = frozenset(
    {"time", "wall", "elapsed", "duration", "runtime", "seconds", "latency", "response", "total"}
)
_RATE_HINTS = frozenset(
    {
        "fom",
        "throughput",
        "rate",
        "tput",
        "ops",
        "qps",
        "tps",
        "rps",
        "iops",
        "bw",
        "bandwidth",
        "mbps",
        "gbps",
        "flops",
        "mflops",
        "gflops",
        "tflops",
        "speed",
    }
)


# A column with one of these is not what was measured, and not what was counted.
_NO_HINTS = _SPREADS | frozenset(
    {"util", "utilization", "usage", "pct", "percent", "speedup", "efficiency", "id", "name"}
)


@dataclass(frozen=True)
class Name:
    """A column name taken apart.

    `role` is "n", "time", "throughput", "work", "round" or None; `hint` is the role that the name comes near
    to. `factor` turns the numbers into seconds, or into a rate per second. `per` is the worker word of a rate
    per worker. `unit` is the unit in the name, `known` whether it could be understood.
    """

    text: str
    role: str | None
    hint: str | None
    factor: float
    per: str | None
    unit: str | None
    known: bool

    @property
    def statistic(self) -> bool:
        """Say whether the unit may be a statistic instead: `time_min` is minutes or the least of several."""
        return self.unit == "min" and re.search(r"[\s_-]min$", self.text.strip().lower()) is not None


def parse_name(text: str) -> Name:
    """Take a column name apart."""
    bare, bracket = _without_bracket(text)
    words = words_of(bare)
    role = _counted(words)
    time = _time(words, bracket)
    rate = _rate(words_of(bare.replace("/", " per ")), bracket)
    if role is not None:
        return Name(text, role, None, 1.0, None, None, True)
    if time is not None:
        unit, factor, known = time
        return Name(text, "time", None, factor, None, unit, known)
    if rate is not None:
        per, factor = rate
        return Name(text, "throughput", None, factor, per, None, True)
    return _unnamed(text, words, bracket, words_of(bare.replace("/", " per ")))


def sibling_of_minimum(text: str, others: list[str]) -> str | None:
    """Return the column that shows that `..._min` is the least of several and not minutes."""
    stem = text.strip().lower().removesuffix("min")
    for other in others:
        name = other.strip().lower()
        if name != text.strip().lower() and name.startswith(stem) and name.removeprefix(stem) in _STATISTICS:
            return other
    return None


def as_time(name: Name) -> Name:
    """Return the name as that of a time, because the caller says so."""
    if name.role == "time":
        return name
    bare, bracket = _without_bracket(name.text)
    words = words_of(bare)
    unit = bracket or (
        words[-1] if len(words) > 1 and words[-1] in TIME_UNITS and "per" not in words else None
    )
    if words and words[-1] in _UNIT_NAMES:
        unit = words[-1]
    factor = TIME_UNITS.get(unit or "s")
    return Name(name.text, "time", None, factor or 1.0, None, unit, factor is not None)


def as_rate(name: Name) -> Name:
    """Return the name as that of a rate, because the caller says so; "per gpu" in it still counts."""
    if name.role == "throughput":
        return name
    bare, bracket = _without_bracket(name.text)
    per, factor, _ = _per(words_of(bare.replace("/", " per ")), bracket)
    return Name(name.text, "throughput", None, factor, per, None, True)


def _without_bracket(text: str) -> tuple[str, str | None]:
    match = re.search(r"[\[(<]\s*([^\])>]*?)\s*[\])>]\s*$", text)
    if match is None or match.start() == 0:
        return text, None
    return text[: match.start()], match[1].lower() or None


def _counted(words: list[str]) -> str | None:
    """Return "n", "work" or "round" if the words name one of these."""
    if not words or "per" in words:
        return None
    last = singular(words[-1])
    if len(words) == 1:
        if last in WORKER_WORDS or _ONE_WORD_N.match(words[0]) or words[0] == "np":
            return "n"
        return last if last in {"work", "round"} else None
    if (
        last in WORKER_WORDS
        and last not in _EXACT_ONLY
        and all(word in _BEFORE_WORKERS for word in words[:-1])
    ):
        return "n"
    return None


def _time(words: list[str], bracket: str | None) -> tuple[str | None, float, bool] | None:
    """Return unit, factor and whether the unit is known, if the words name a time."""
    if not words or "per" in words:
        return None
    if len(words) == 1 and words[0] in _UNIT_NAMES and bracket is None:
        return words[0], TIME_UNITS[words[0]], True
    unit = bracket
    if unit is None and len(words) > 1 and words[-1] in TIME_UNITS:
        unit, words = words[-1], words[:-1]
        if len(words) > 1 and words[-1] == "in":
            words = words[:-1]
    if "_".join([*words[:-1], singular(words[-1])]) not in TIME_NAMES:
        return None
    if unit is None:
        return None, 1.0, True
    factor = TIME_UNITS.get(unit)
    return unit, factor or 1.0, factor is not None


def _per(words: list[str], bracket: str | None) -> tuple[str | None, float, list[str]]:
    """Take "per worker" and "per time" out of the words; return worker word, factor and what is left."""
    if bracket is not None:
        tail = words_of(bracket.replace("/", " per "))
        words = words + (tail[tail.index("per") :] if "per" in tail else [])
    per: str | None = None
    factor = 1.0
    left: list[str] = []
    index = 0
    while index < len(words):
        after = words[index + 1] if index + 1 < len(words) else ""
        if words[index] == "per" and singular(after) in WORKER_WORDS and after not in _EXACT_ONLY:
            per = singular(after)
            index += 2
        elif words[index] == "per" and after in TIME_UNITS:
            factor /= TIME_UNITS[after]
            left.append("/t")
            index += 2
        else:
            left.append(words[index])
            index += 1
    return per, factor, left


def _rate(words: list[str], bracket: str | None) -> tuple[str | None, float] | None:
    """Return the worker word and the factor to per second, if the words name a rate."""
    per, factor, left = _per(words, bracket)
    timed = "/t" in left
    base = [word for word in left if word != "/t"]
    if not base or any(word in _SPREADS for word in base):
        return None
    if base[0] in {"fom", "foms"}:
        return per, factor
    if "per" in base:
        return None
    named = singular(base[0]) in RATE_NAMES and all(word in _RATE_UNITS for word in base[1:])
    per_worker = per is not None and (timed or (len(base) == 1 and singular(base[0]) in _PER_WORKER_NAMES))
    return (per, factor) if named or per_worker else None


def _unnamed(text: str, words: list[str], bracket: str | None, spread_words: list[str]) -> Name:
    """Return a name without a role, with the role that it comes near to."""
    per, factor, left = _per(spread_words, bracket)
    hint: str | None = None
    counts = singular(words[0]) in WORKER_WORDS if words else False
    if any(word in _NO_HINTS for word in words) or (counts and per is not None):
        hint = None
    elif "/t" in left or any(word in _RATE_HINTS for word in words):
        hint = "throughput"
    elif any(word in _TIME_HINTS for word in words) or (len(words) > 1 and words[-1] in TIME_UNITS):
        hint = "time"
    elif per is not None:
        hint = "throughput"
    elif any(singular(word) in WORKER_WORDS or word == "pes" for word in words):
        hint = "n"
    return Name(text, None, hint, factor, per, None, True)
