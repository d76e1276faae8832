"""From runs to a fit: which laws the data allow, the wall, and what the next doubling buys."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from scalewall import _core
from scalewall._errors import ChoiceError, DomainError, InsufficientDataError
from scalewall.phases import gustafson_fraction
from scalewall.readers import read
from scalewall.refusals import no_usable_row, refusal_notes, refusal_of
from scalewall.results import (
    Count,
    Doubling,
    DoublingStep,
    Estimate,
    Flagged,
    ForecastPoint,
    Interval,
    LawFit,
    Measurement,
    Note,
    Prediction,
    Refusal,
    Rejected,
    SerialFraction,
    WeakGrowth,
)
from scalewall.runs import Runs
from scalewall.wording import note_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from scalewall.verdict import Verdict

Law = Literal["amdahl", "usl", "usl_log", "usl_log_schwartz", "power", "saturation"]
Residuals = Literal["log", "time", "throughput"]
IntervalKind = Literal["region", "wald"]

HORIZON = 4.0
"""Nothing is stated beyond this multiple of the largest measured count."""


@dataclass(frozen=True)
class FitOptions:
    """What was asked of a fit; see `fit` for the meaning of each field."""

    law: Law | None = None
    residuals: Residuals = "log"
    interval: IntervalKind = "region"
    bounds: bool = True
    level: float = 0.95
    gain: float = 0.1
    cap: float | None = None
    at: tuple[float, ...] = ()
    efficiency: float = 0.5
    confirm: bool = False

    def __post_init__(self) -> None:
        _one_of("law", self.law, (None, *get_args(Law)))
        _one_of("residuals", self.residuals, get_args(Residuals))
        _one_of("interval", self.interval, get_args(IntervalKind))
        _inside("level", self.level, 0.5, 1.0, "a confidence level between 0.5 and 1, such as 0.95")
        _inside("gain", self.gain, 0.0, 1.0, "a share of time to save between 0 and 1, such as 0.1")
        _inside("efficiency", self.efficiency, 0.0, 1.0, "an efficiency between 0 and 1, such as 0.5")
        if self.cap is not None and not self.cap >= 1:
            raise DomainError(f"cap is {self.cap}: expected the largest worker count you can get, at least 1")
        for i, n in enumerate(self.at):
            if not (math.isfinite(n) and n >= 1):
                raise DomainError(f"at[{i}] is {n}: expected a worker count of at least 1")


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """What a table of runs says about its scaling, and what it cannot say.

    Made by `fit`; every range is a 95 % interval (or the `level` asked for) over all laws that the data
    allow. Times are in the unit of the runs (seconds), speedups are against the fitted one-worker time.

    Attributes
    ----------
    runs : Runs
        The runs as they were read.
    kind : str
        "strong", "weak", "throughput" (a load curve) or "unknown"; then nothing is answered.
    laws : tuple of LawFit
        amdahl, usl, usl_log, power and saturation, each with parameters and whether the data allow it.
    law : str or None
        The best law that is kept. `params` and `serial_fraction.value` hold if this law holds.
    serial_fraction : SerialFraction or None
        Share of the one-worker time that does not shrink, over the kept laws that have one.
    ceiling, peak_n : Interval or None
        Largest speedup at any count, and the count beyond which more workers are slower; `high` may be
        infinite. None for weak scaling.
    doubling : Doubling
        Whether twice the largest count saves the share of the time asked for.
    forecasts : tuple of ForecastPoint
        What somebody would measure at the counts asked for.
    next : Measurement or None
        What to measure next; None where the question is answered.
    notes : tuple of Note
        What to read with care.
    refusal : Refusal or None
        Why there is no answer, where there is none.
    """

    runs: Runs
    options: FitOptions
    kind: str
    status: str
    counts: tuple[Count, ...]
    scatter: float | None
    misfit: float | None
    laws: tuple[LawFit, ...]
    law: str | None
    serial_fraction: SerialFraction | None
    ceiling: Interval | None
    peak_n: Interval | None
    doubling: Doubling
    forecasts: tuple[ForecastPoint, ...]
    next: Measurement | None
    candidates: tuple[Measurement, ...]
    families: dict[str, float] | None
    weak: WeakGrowth | None
    notes: tuple[Note, ...]
    refusal: Refusal | None
    flagged: tuple[Flagged, ...]
    _analysis: _core.Analysis = field(repr=False)

    @property
    def level(self) -> float:
        """Confidence level of every interval."""
        return self.options.level

    @property
    def gain(self) -> float:
        """Share of the time that a doubling must save to count as help."""
        return self.options.gain

    @property
    def cap(self) -> float | None:
        """Largest worker count that can be had, where the caller named one."""
        return self.options.cap

    @property
    def insisted(self) -> str | None:
        """The law the caller insisted on."""
        return self.options.law

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """Rows left out before the fit, each with its line and reason."""
        return self.runs.rejected

    @property
    def params(self) -> dict[str, float]:
        """Parameters of the best kept law, if this law holds."""
        best = self.law_fit(self.law) if self.law else None
        return dict(best.params) if best else {}

    def law_fit(self, law: str) -> LawFit:
        """Return the fit of one law of `laws`.

        Raises
        ------
        ChoiceError
            If `law` is not among the fitted laws.
        """
        for candidate in self.laws:
            if candidate.law == law:
                return candidate
        raise ChoiceError(f"law is {law!r}: expected one of {[f.law for f in self.laws]}")

    def conf_int(self) -> dict[str, Interval]:
        """Return the interval of each parameter of the best kept law, at the level of the fit."""
        best = self.law_fit(self.law) if self.law else None
        return dict(best.intervals) if best else {}

    def predict(self, n: npt.ArrayLike) -> Prediction:
        """Return where the curve runs at `n`: time, speedup and efficiency, each with an interval.

        The interval is the one of the doubling answer: it holds the curve, not a single measured value.

        Parameters
        ----------
        n : array_like of float
            Worker counts, at least 1; any above 0 where the runs have loads below 1.

        Returns
        -------
        Prediction
            Arrays of shape (k, 3) with columns value, low, high.

        Raises
        ------
        DomainError
            If a count is not finite or lies below what the runs let in.
        """
        counts = _counts(n, self.runs)
        return Prediction(counts, **self._analysis.predict(counts))

    def forecast(self, n: npt.ArrayLike) -> tuple[ForecastPoint, ...]:
        """Return what somebody would measure at `n`, noise and bends included.

        Parameters
        ----------
        n : array_like of float
            Worker counts, at least 1; any above 0 where the runs have loads below 1.

        Returns
        -------
        tuple of ForecastPoint
            One point a count, in the order given.

        Raises
        ------
        DomainError
            If a count is not finite or lies below what the runs let in.
        """
        counts = _counts(n, self.runs)
        columns = self._analysis.forecast(counts)
        rows = zip(counts, columns["time"], columns["speedup"], columns["efficiency"], strict=True)
        return tuple(
            ForecastPoint(float(k), Estimate(*t.tolist()), Estimate(*s.tolist()), Estimate(*e.tolist()))
            for k, t, s, e in rows
        )

    def knee(self, efficiency: float = 0.5) -> Interval | None:
        """Return the largest count still at or above an efficiency, as a range over the kept laws.

        Allocation rules often ask for 0.75. None where the question does not apply.
        """
        _inside("efficiency", efficiency, 0.0, 1.0, "an efficiency between 0 and 1, such as 0.5")
        knee = self._analysis.knee(float(efficiency))
        return None if knee is None else Interval(*knee)

    def law_time(self, law: str, n: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the time at `n` on the fitted curve of one law, in the unit of the runs."""
        self.law_fit(law)
        return self._analysis.law_time(law, _counts(n, self.runs))

    def doublings(self) -> tuple[DoublingStep, ...]:
        """Return what each further doubling buys in time and costs in worker-seconds.

        Steps run from the largest measured count to four times that count: beyond it nothing is stated.
        """
        if not self.counts or not self.forecasts or self.kind == "unknown":
            return ()
        start = self.counts[-1].n
        steps = []
        for at in (start, 2.0 * start):
            found = self._analysis.time_ratio(at, 2.0 * at)
            if found is not None:
                low, _, high = found
                cost = Interval(2.0 * low, 2.0 * high)
                steps.append(DoublingStep(at, 2.0 * at, Interval(low, high), cost))
        return tuple(steps)

    def verdict(self) -> Verdict:
        """Return the answer in words: regime, wall, what a doubling buys, what to measure next."""
        from scalewall.verdict import verdict  # noqa: PLC0415 - a floor above, looked up when asked

        return verdict(self)

    def summary(self) -> str:
        """Return the answer as plain text of at most 80 columns."""
        from scalewall.report.text import summary  # noqa: PLC0415 - a floor above, looked up when asked

        return summary(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the fit with matplotlib and return the axes of its main panel."""
        from scalewall.plotting import plot  # noqa: PLC0415 - a floor above, looked up when asked

        return plot(self, ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Return the fit as plain Python, schema "scalewall.fit/1": what the command line prints as JSON."""
        from scalewall.report.schema import fit_object  # noqa: PLC0415 - a floor above, looked up when asked

        return fit_object(self)

    def to_dataframe(self) -> Any:
        """Return one row a worker count as a pandas DataFrame: n, time, runs, speedup, efficiency, e(n)."""
        from scalewall.report.schema import fit_frame  # noqa: PLC0415 - a floor above, looked up when asked

        return fit_frame(self)

    def _repr_html_(self) -> str:
        from scalewall.report.notebook import fragment  # noqa: PLC0415 - a floor above, looked up when asked

        return fragment(self)

    def __repr__(self) -> str:
        counts = f"{len(self.counts)} worker counts, {len(self.runs)} runs"
        return f"<Fit {self.kind}, {counts}, law={self.law!r}, doubling={self.doubling.answer!r}>"

    def __reduce__(self) -> tuple[Any, tuple[Runs, FitOptions]]:
        # A fit is a pure function of runs and options: doing it again is smaller than storing it.
        return _analyse, (self.runs, self.options)


def fit(
    runs: Any,
    *,
    law: Law | None = None,
    residuals: Residuals = "log",
    interval: IntervalKind = "region",
    bounds: bool = True,
    level: float = 0.95,
    gain: float = 0.1,
    cap: float | None = None,
    at: Sequence[float] = (),
    efficiency: float = 0.5,
    confirm: bool = False,
    kind: str | None = None,
) -> Fit:
    """Fit scaling laws to measured runs and answer what the next doubling buys.

    No single law is chosen: every law that the data allow is kept, and each interval spans all of them.
    Where the data cannot tell, the answer says so and names the measurement that would.

    Parameters
    ----------
    runs : Runs, path, dict or data frame
        Measured runs; anything but `Runs` goes through `scalewall.read`.
    law : {"amdahl", "usl", "usl_log", "power", "saturation", "usl_log_schwartz"}, optional
        Insist on one law. All intervals and the doubling answer then come from its region alone.
    residuals : {"log", "time", "throughput"}, default "log"
        What is minimised: relative errors of the time (the default, as scatter is relative), absolute
        errors of the time, or absolute errors of the throughput (what most USL tools do).
    interval : {"region", "wald"}, default "region"
        Profile-likelihood region by F threshold, or estimate ± t · standard error.
    bounds : bool, default True
        Keep sigma and kappa at or above 0. False reproduces tools without bounds.
    level : float, default 0.95
        Confidence level of every interval.
    gain : float, default 0.1
        Doubling counts as help when it makes the program at least this much faster: T(2n)/T(n) at or
        below 1/(1 + gain).
    cap : float, optional
        Largest worker count that can be had; no measurement beyond it is proposed.
    at : sequence of float, optional
        Counts to forecast; twice the largest count if empty.
    efficiency : float, default 0.5
        Efficiency that defines the knee.
    confirm : bool, default False
        Accept that the time does not fall with n although the work is fixed. Runs that scalewall timed
        itself need no such word: they are known to be times.
    kind : {"strong", "weak", "throughput"}, optional
        Overrides the kind of the runs.

    Returns
    -------
    Fit
        The laws, the wall, the doubling answer, the forecast and what to measure next. An unknown kind
        or too few counts give a `Fit` whose `refusal` says so; they raise nothing.

    Raises
    ------
    ChoiceError, DomainError
        If an option has a value that is not allowed.
    InsufficientDataError
        If there is not one usable run.

    Notes
    -----
    Each law is fitted by least squares with the overall scale profiled out; its region holds all
    parameters with SSE <= SSE_min + s² F(level; 1, df) [1]_. Forecast and doubling answer come from curves
    weighted by how well they fit. Deterministic; takes about a millisecond.

    References
    ----------
    .. [1] Bates and Watts, "Nonlinear Regression Analysis and Its Applications", 1988, chapter 6.

    Examples
    --------
    >>> import scalewall as sw
    >>> runs = sw.Runs(n=[1, 2, 4, 8, 16], time=[100.0, 52.0, 28.0, 16.1, 10.2], kind="strong")
    >>> fit = sw.fit(runs)
    >>> fit.doubling.answer
    'yes'
    """
    table = runs if isinstance(runs, Runs) else read(runs)
    if kind is not None:
        table = table.with_kind(kind)
    if len(table) == 0:
        raise InsufficientDataError(no_usable_row(table))
    confirm = confirm or bool(table.environment)
    options = FitOptions(
        law, residuals, interval, bounds, level, gain, cap, tuple(map(float, at)), efficiency, confirm
    )
    return _analyse(table, options)


def _analyse(runs: Runs, options: FitOptions) -> Fit:
    analysis = _core.fitting_analyse(
        runs.n,
        runs.time,
        round=runs.round,
        kind=runs.kind,
        law=options.law,
        residuals=options.residuals,
        interval=options.interval,
        bounded=options.bounds,
        level=options.level,
        gain=options.gain,
        cap=options.cap,
        efficiency=options.efficiency,
        targets=np.asarray(options.at, dtype=np.float64) if options.at else None,
        confirm=options.confirm,
    )
    found = analysis.to_dict()
    counts = tuple(_count(c) for c in found["counts"])
    serial, phase_notes = gustafson_fraction(runs, options.level)
    refusal = refusal_of(runs, found, options.law is not None)
    flagged = tuple(_flagged(runs, f) for f in found["flagged"])
    used = runs.without([run.line for run in flagged])
    return Fit(
        runs=runs,
        options=options,
        kind=runs.kind,
        status=found["status"],
        counts=counts,
        scatter=found["scatter"],
        misfit=found["misfit"],
        laws=tuple(_law(entry) for entry in found["laws"]),
        law=found["law"],
        serial_fraction=serial if runs.kind == "weak" else _serial(found["serial_fraction"]),
        ceiling=_interval(found["ceiling"]),
        peak_n=_interval(found["peak_n"]),
        doubling=_doubling(found["doubling"]),
        forecasts=tuple(_point(p) for p in found["forecast"]),
        next=_measurement(found["next"]),
        candidates=tuple(Measurement(**m) for m in found["candidates"]),
        families=found["families"],
        weak=_weak(found.get("weak")),
        notes=(
            *refusal_notes(refusal),
            *runs.notes,
            *phase_notes,
            *(Note(note["code"], note_text(note["code"], note["values"], used)) for note in found["notes"]),
        ),
        refusal=refusal,
        flagged=flagged,
        _analysis=analysis,
    )


def _interval(entry: Mapping[str, float] | None) -> Interval | None:
    return None if entry is None else Interval(entry["low"], entry["high"])


def _estimate(entry: Mapping[str, Any]) -> Estimate:
    return Estimate(entry["value"], entry["low"], entry["high"])


def _count(entry: Mapping[str, Any]) -> Count:
    e = entry["karp_flatt"]
    return Count(
        entry["n"],
        entry["time"],
        int(entry["runs"]),
        entry["speedup"],
        entry["efficiency"],
        None if e is None else _estimate(e),
    )


def _law(entry: Mapping[str, Any]) -> LawFit:
    intervals = {name: Interval(i["low"], i["high"]) for name, i in entry["intervals"].items()}
    rest = {k: entry[k] for k in ("time_one", "sse", "noise", "df", "kept")}
    return LawFit(law=entry["law"], params=dict(entry["params"]), intervals=intervals, **rest)


def _serial(entry: Mapping[str, Any] | None) -> SerialFraction | None:
    return None if entry is None else SerialFraction(entry["value"], entry["low"], entry["high"], entry["of"])


def _doubling(entry: Mapping[str, Any]) -> Doubling:
    ratio, inner = entry["time_ratio"], entry["inner"]
    return Doubling(
        start=entry["from"],
        to=entry["to"],
        answer=entry["answer"],
        time_ratio=Interval(ratio["low"], ratio["high"]),
        mid=ratio["mid"],
        inner=_interval(inner),
    )


def _point(entry: Mapping[str, Any]) -> ForecastPoint:
    return ForecastPoint(
        entry["n"], _estimate(entry["time"]), _estimate(entry["speedup"]), _estimate(entry["efficiency"])
    )


def _measurement(entry: Mapping[str, Any] | None) -> Measurement | None:
    return None if entry is None else Measurement(**entry)


def _weak(entry: Mapping[str, Any] | None) -> WeakGrowth | None:
    if entry is None:
        return None
    per_doubling = entry["growth_per_doubling"]
    return WeakGrowth(
        efficiency_at_max=entry["efficiency_at_max"],
        log_growth=_estimate(entry["log_growth"]),
        linear_growth=_estimate(entry["linear_growth"]),
        growth_per_doubling=Interval(per_doubling["low"], per_doubling["high"]),
        efficiency=tuple((e["n"], Interval(e["low"], e["high"])) for e in entry["efficiency"]),
    )


def _flagged(runs: Runs, entry: Mapping[str, Any]) -> Flagged:
    row = int(entry["row"])
    return Flagged(
        line=int(runs.line[row]),
        n=float(runs.n[row]),
        value=float(runs.value[row]),
        deviation=entry["deviation"],
        first=entry["first"],
    )


def _counts(n: npt.ArrayLike, runs: Runs) -> npt.NDArray[np.float64]:
    counts = np.atleast_1d(np.ascontiguousarray(n, dtype=np.float64)).ravel()
    # Runs that hold fractional loads may be asked about others.
    fractional = len(runs) > 0 and bool(runs.n.min() < 1)
    wrong = ~(np.isfinite(counts) & ((counts > 0) if fractional else (counts >= 1)))
    if wrong.any():
        i = int(wrong.argmax())
        allowed = "a finite load above 0" if fractional else "a finite worker count of at least 1"
        raise DomainError(f"n[{i}] is {counts[i]}: expected {allowed}", "n", i, float(counts[i]), allowed)
    return counts


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise ChoiceError(f"{name} is {value!r}: expected one of {', '.join(map(repr, allowed))}")


def _inside(name: str, value: float, low: float, high: float, allowed: str) -> None:
    if not low < value < high:
        raise DomainError(f"{name} is {value}: expected {allowed}")
