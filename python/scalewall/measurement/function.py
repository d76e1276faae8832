"""One run of a Python function: wall time, processor time of this process and its children, phases."""

from __future__ import annotations

import inspect
import resource
import time
from collections.abc import Callable
from typing import Any

from scalewall.measurement.outcome import Outcome
from scalewall.measurement.recorder import Recorder, recording

Work = Callable[[Any], Any]
"""Takes the worker count, or the communicator of the workers."""


def run(fn: Work, n: Any, setup: Work | None = None) -> Outcome:
    """Call `fn(n)` once and return what it took; `setup(n)` comes before it and is not timed.

    Exceptions of both pass through: a broken function is no measurement.
    """
    if setup is not None:
        setup(n)
    recorder = Recorder()
    with recording(recorder):
        before = _usage()
        start = time.perf_counter_ns()
        fn(n)
        wall_ns = time.perf_counter_ns() - start
        after = _usage()
    user, system, preemptions, switches = (b - a for a, b in zip(before, after, strict=True))
    return Outcome(
        wall_ns / 1e9,
        user_s=user,
        system_s=system,
        preemptions=int(preemptions),
        switches=int(switches),
        phases_ns=recorder.caller_ns,
        inside_ns=recorder.inside_ns,
    )


def takes_count(fn: object) -> bool:
    """Return whether a callable can be called with the worker count alone; True where it cannot be told."""
    try:
        inspect.signature(fn).bind(1)  # type: ignore[arg-type]
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _usage() -> tuple[float, float, float, float]:
    """Return user and system seconds, preemptions and switches of this process and its ended children."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return (
        own.ru_utime + children.ru_utime,
        own.ru_stime + children.ru_stime,
        own.ru_nivcsw + children.ru_nivcsw,
        own.ru_nvcsw + children.ru_nvcsw,
    )
