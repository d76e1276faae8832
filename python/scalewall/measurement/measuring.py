"""`measure`: a Python function timed at several worker counts, in mixed order, until that is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from scalewall._errors import ReadError
from scalewall.workers import DEFAULT_UNIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mpi4py.MPI import Intracomm

    from scalewall.measurement.journal import Journal
    from scalewall.measurement.outcome import Outcome
    from scalewall.measurement.plan import Plan
    from scalewall.measurement.stopping import Limits
    from scalewall.runs import Runs


@overload
def measure(
    fn: Callable[[int], Any],
    *,
    workers: Iterable[int] | str,
    setup: Callable[[int], Any] | None = ...,
    budget: str | float | None = ...,
    until: float = ...,
    rounds: int | None = ...,
    comm: None = None,
) -> Runs: ...
@overload
def measure(
    fn: Callable[[Intracomm], Any],
    *,
    workers: Iterable[int] | str,
    setup: Callable[[Intracomm], Any] | None = ...,
    budget: str | float | None = ...,
    until: float = ...,
    rounds: int | None = ...,
    comm: Intracomm,
) -> Runs | None: ...
def measure(
    fn: Callable[[Any], Any],
    *,
    workers: Iterable[int] | str,
    setup: Callable[[Any], Any] | None = None,
    budget: str | float | None = "60 s",
    until: float = 0.02,
    rounds: int | None = None,
    comm: Intracomm | None = None,
) -> Runs | None:
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
    comm : mpi4py.MPI.Intracomm, optional
        All its ranks call. The workers are then its first n ranks, and `fn` and `setup` take the communicator
        of these n instead of the count; the other ranks sleep. A run begins at a barrier and takes as long as
        on the slowest rank; its processor time is that of all n, and its phases are those of rank 0.

    Returns
    -------
    Runs
        Every run, with `round`, processor time and preemptions in `extra`, the machine and why it stopped in
        `environment`, and `ledger` where `fn` names phases. After Ctrl-C, what was measured until then.
        With `comm`, on rank 0; None on the other ranks, and Ctrl-C ends it without a result.

    Raises
    ------
    ChoiceError, DomainError
        If an argument has a value that is not allowed.
    ImportError
        If `comm` is given and mpi4py cannot be imported.
    ScalewallError
        If `fn` failed on another rank.
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
    from scalewall.measurement import budget as lengths  # noqa: PLC0415
    from scalewall.measurement import function  # noqa: PLC0415
    from scalewall.measurement.journal import Journal  # noqa: PLC0415

    def prepare() -> tuple[Plan, Limits]:
        return _prepared(fn, setup, workers=workers, budget=budget, until=until, rounds=rounds)

    if comm is not None:
        return _over_ranks(comm, fn, setup, prepare)
    plan, limits = prepare()
    journal = Journal(_head(fn, plan))
    try:
        _follow(journal, plan, limits, lambda n: function.run(fn, n, setup))
    except KeyboardInterrupt:
        if not any(journal.campaign.of("run")):
            raise
        journal.add({"record": "end", "reason": "interrupted", "text": "Ctrl-C. What was measured is kept."})
    try:
        return journal.runs()
    except ReadError:
        raise lengths.too_small("budget", budget) from None


def _prepared(
    fn: object,
    setup: object,
    *,
    workers: Iterable[int] | str,
    budget: str | float | None,
    until: float,
    rounds: int | None,
) -> tuple[Plan, Limits]:
    """Return what is run when and what ends it; raise where an argument cannot be used."""
    import secrets  # noqa: PLC0415

    from scalewall.measurement import budget as lengths  # noqa: PLC0415
    from scalewall.measurement import counts, function  # noqa: PLC0415
    from scalewall.measurement.plan import Plan  # noqa: PLC0415
    from scalewall.measurement.stopping import Limits  # noqa: PLC0415

    if not callable(fn):
        raise TypeError(f"fn is {type(fn).__name__}: expected a callable that takes the worker count")
    for name, given in (("fn", fn), ("setup", setup)):
        if given is not None and not function.takes_count(given):
            raise TypeError(f"{name} cannot be called with the worker count alone: give it one argument")
    limits = Limits(
        rounds=rounds,
        budget_s=None if budget is None or rounds is not None else lengths.seconds("budget", budget),
        until=until,
    )
    return Plan(counts.given(workers), seed=secrets.randbits(32)), limits


def _head(fn: object, plan: Plan) -> dict[str, Any]:
    from scalewall import machine  # noqa: PLC0415

    return {
        "command": None,
        "function": getattr(fn, "__qualname__", type(fn).__name__),
        "counts": list(plan.counts),
        "seed": plan.seed,
        "unit": list(DEFAULT_UNIT),
        "kind": "strong",
        "quantity": "time",
        "environment": machine.environment(),
    }


def _follow(
    journal: Journal, plan: Plan, limits: Limits, run: Callable[[int], Outcome], *, local: bool = True
) -> None:
    from scalewall.measurement.rounds import Course  # noqa: PLC0415

    Course(plan, limits, journal, run, local=local).follow()


def _over_ranks(
    comm: Any,
    fn: Callable[[Any], Any],
    setup: Callable[[Any], Any] | None,
    prepare: Callable[[], tuple[Plan, Limits]],
) -> Runs | None:
    """Measure on the first n ranks: rank 0 leads, the others do as it says."""
    from scalewall.distributed.communicator import agreed, checked  # noqa: PLC0415
    from scalewall.distributed.teams import FAILED, Teams, fitting  # noqa: PLC0415
    from scalewall.measurement.journal import Journal  # noqa: PLC0415

    comm = checked(comm)

    def said() -> tuple[tuple[Plan, Limits], str]:
        plan, limits = prepare()
        return (plan, limits), f"workers {fitting(plan.counts, comm)}"

    plan, limits = agreed(comm, said)
    teams = Teams(comm, plan.counts, fn, setup)
    if comm.rank > 0:
        teams.obey()
        return None
    journal = Journal(_head(fn, plan) | {"ranks": comm.size})
    try:
        _follow(journal, plan, limits, teams.run, local=teams.one_machine)
    except Exception:
        teams.end(FAILED)
        raise
    teams.end()
    return journal.runs()
