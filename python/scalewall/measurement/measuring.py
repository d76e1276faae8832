"""`measure`: a Python function timed at several worker counts, in mixed order, until that is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scalewall._errors import ReadError
from scalewall.workers import DEFAULT_UNIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scalewall.runs import Runs


def measure(
    fn: Callable[[int], Any],
    *,
    workers: Iterable[int] | str,
    setup: Callable[[int], Any] | None = None,
    budget: str | float | None = "60 s",
    until: float = 0.02,
    rounds: int | None = None,
) -> Runs:
    """Time a function at several worker counts, in rounds of mixed order, until the times are known.

    Every round runs every count once, in a new random order, so that a slow minute hits all counts alike.
    The work must be the same at every count.

    Parameters
    ----------
    fn : callable
        Does the whole job with as many workers as its one argument says. What it returns is dropped.
        Inside, ``with scalewall.phase("serial"):`` names what is going on.
    workers : iterable of int, or str
        Worker counts, each once; text may hold ranges, as in ``"1:16:x2"``.
    setup : callable, optional
        Called with the worker count before every run; not timed.
    budget : str or float or None, default "60 s"
        Time that the whole campaign may take: seconds, or text such as "5 min". A round that would not fit
        is not begun; inside the first round it ends before the next run. Not looked at where `rounds` is
        given.
    until : float, default 0.02
        Relative half-width of the 95 % interval of each T(n) at which it stops, after three rounds at the
        earliest.
    rounds : int, optional
        Run exactly so many rounds, whatever the other limits say.

    Returns
    -------
    Runs
        Every run, with `round`, processor time and preemptions in `extra`, the machine and why it stopped in
        `environment`, and `ledger` where `fn` names phases. After Ctrl-C, what was measured until then.

    Raises
    ------
    ChoiceError, DomainError
        If an argument has a value that is not allowed.
    KeyboardInterrupt
        After Ctrl-C before the first run has ended.

    Notes
    -----
    It stops at the first of: `rounds`; `budget`; every T(n) known to within `until`; another round that
    would narrow T(2n)/T(n) by less than a tenth. Exceptions of `fn` pass through.

    Examples
    --------
    >>> import time
    >>> import scalewall as sw
    >>> runs = sw.measure(lambda n: time.sleep(0.002 + 0.02 / n), workers=[1, 2], rounds=2)
    >>> len(runs), runs.kind
    (4, 'strong')
    """
    # Whoever only fits runs does not wait for what measuring needs.
    import secrets  # noqa: PLC0415

    from scalewall.measurement import budget as lengths  # noqa: PLC0415
    from scalewall.measurement import counts, function, machine  # noqa: PLC0415
    from scalewall.measurement.journal import Journal  # noqa: PLC0415
    from scalewall.measurement.plan import Plan  # noqa: PLC0415
    from scalewall.measurement.rounds import Course  # noqa: PLC0415
    from scalewall.measurement.stopping import Limits  # noqa: PLC0415

    if not callable(fn):
        raise TypeError(f"fn is {type(fn).__name__}: expected a callable that takes the worker count")
    for name, given in (("fn", fn), ("setup", setup)):
        if given is not None and not function.takes_count(given):
            raise TypeError(f"{name} cannot be called with the worker count alone: give it one argument")
    plan = Plan(counts.given(workers), seed=secrets.randbits(32))
    limits = Limits(
        rounds=rounds,
        budget_s=None if budget is None or rounds is not None else lengths.seconds("budget", budget),
        until=until,
    )
    head = {
        "command": None,
        "function": getattr(fn, "__qualname__", type(fn).__name__),
        "counts": list(plan.counts),
        "seed": plan.seed,
        "unit": list(DEFAULT_UNIT),
        "kind": "strong",
        "quantity": "time",
        "environment": machine.environment(),
    }
    journal = Journal(head)
    course = Course(plan, limits, journal, lambda n: function.run(fn, n, setup))
    try:
        course.follow()
    except KeyboardInterrupt:
        if course.runs() is None:
            raise
        journal.add({"record": "end", "reason": "interrupted", "text": "Ctrl-C. What was measured is kept."})
    try:
        return journal.runs()
    except ReadError:
        raise lengths.too_small("budget", budget) from None
