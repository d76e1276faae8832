"""Named phases of a function that is measured: a context manager that is a decorator too."""

from __future__ import annotations

import functools
import threading
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


class Recorder:
    """Adds up the phases of one run, by thread; time in an inner phase is not counted for the outer one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._caller = threading.get_ident()
        self.caller_ns: dict[str, int] = {}
        self.inside_ns: dict[str, int] = {}

    def add(self, name: str, ns: int) -> None:
        """Add nanoseconds of the current thread to a phase."""
        with self._lock:
            rows = self.caller_ns if threading.get_ident() == self._caller else self.inside_ns
            rows[name] = rows.get(name, 0) + ns


# One run at a time is measured, and its worker threads must find its recorder; context variables do not
# reach them.
_current: Recorder | None = None
_inner: ContextVar[list[int] | None] = ContextVar("_inner", default=None)
_recorders = threading.Lock()


class recording:  # noqa: N801 - used like a function
    """Make a recorder the one that phases report to."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __enter__(self) -> Recorder:
        """Begin to record; one run at a time can be measured."""
        global _current  # noqa: PLW0603 - see `_current`
        if not _recorders.acquire(blocking=False):
            raise RuntimeError(
                "scalewall.measure is running already: measure one function after the other, since two at "
                "once would disturb one another"
            )
        _current = self._recorder
        return self._recorder

    def __exit__(self, *_: object) -> None:
        """Stop recording."""
        global _current  # noqa: PLW0603 - see `_current`
        _current = None
        _recorders.release()


class phase:  # noqa: N801 - used like a function
    """Name a part of a function that `scalewall.measure` times; outside a measurement it does nothing.

    Phases of the calling thread become rows of the ledger and add up to the wall time together with what lies
    outside all phases. Phases of other threads are added up beside them. A phase named "serial" is taken as
    the serial time of the run.

    Parameters
    ----------
    name : str
        Name of the phase.

    Examples
    --------
    >>> import scalewall as sw
    >>> with sw.phase("serial"):
    ...     total = sum(range(10))
    >>> @sw.phase("sweep")
    ... def sweep(n):
    ...     return n * n
    >>> sweep(3)
    9
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name.strip():
            raise TypeError(f"name is {name!r}: expected the name of a phase, such as 'serial'")
        self.name = name
        self._begun: list[tuple[int, list[int] | None, list[int]]] = []
        self._local = threading.local()

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return the function with every call of it in this phase."""

        @functools.wraps(function)
        def inside(*args: P.args, **kwargs: P.kwargs) -> R:
            with phase(self.name):
                return function(*args, **kwargs)

        return inside

    def __enter__(self) -> phase:
        """Begin the phase on the current thread."""
        stack = getattr(self._local, "stack", None)
        if stack is None:
            stack = self._local.stack = []
        outer, mine = _inner.get(), [0]
        _inner.set(mine)
        stack.append((outer, mine, time.perf_counter_ns()))
        return self

    def __exit__(self, *_: object) -> None:
        """End the phase, also where an exception passes through."""
        end = time.perf_counter_ns()
        outer, mine, begin = self._local.stack.pop()
        _inner.set(outer)
        if outer is not None:
            outer[0] += end - begin
        recorder = _current
        if recorder is not None:
            recorder.add(self.name, end - begin - mine[0])
