"""The course of a campaign: round after round until there is enough, every run recorded as it ends."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from scalewall import machine
from scalewall._errors import ReadError
from scalewall.measurement.capacity import probe as probe_now
from scalewall.measurement.journal import record_of
from scalewall.measurement.stopping import Limits, Stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from scalewall.measurement.capacity import Capacity
    from scalewall.measurement.journal import Journal
    from scalewall.measurement.outcome import Outcome
    from scalewall.measurement.plan import Plan
    from scalewall.runs import Runs

GIVEN_UP = 2
"""A count whose first runs all fail is given up after so many."""


class Watch(Protocol):
    """Somebody who wants to see how a campaign goes on."""

    def begins(self, n: int, round_: int) -> None:
        """Take note that a run begins."""

    def ended(self, record: dict[str, Any]) -> None:
        """Take note of a run that has ended, counted or not."""

    def round_done(self, round_: int, runs: Runs | None) -> None:
        """Take note of a complete round and of all runs so far."""


class Nobody:
    """A watch that looks away."""

    def begins(self, n: int, round_: int) -> None:
        """Take note of nothing."""

    def ended(self, record: dict[str, Any]) -> None:
        """Take note of nothing."""

    def round_done(self, round_: int, runs: Runs | None) -> None:
        """Take note of nothing."""


@dataclass
class Course:
    """One campaign under way.

    Attributes
    ----------
    plan, limits, journal
        What is run when, what ends it, where every run is recorded.
    run : callable
        Runs the program once for a worker count.
    startup : callable, optional
        Runs the start-up alone, once a round.
    local : bool
        Whether the work is done on this machine, so that its processors can be asked.
    asked : callable
        Whether somebody wants to stop.
    cut_short : callable
        Whether the run that has just ended was ended from outside.
    watch : Watch
        Sees every run and every round.
    clock : callable
        Seconds that only grow.
    probe : callable
        The trial of how many processors there are.
    """

    plan: Plan
    limits: Limits
    journal: Journal
    run: Callable[[int], Outcome]
    startup: Callable[[int], Outcome] | None = None
    local: bool = True
    asked: Callable[[], bool] = lambda: False
    cut_short: Callable[[], bool] = lambda: False
    watch: Watch = Nobody()  # noqa: RUF009 - it has no state
    clock: Callable[[], float] = time.monotonic
    probe: Callable[[], Capacity] = probe_now

    def follow(self) -> Stop:
        """Run rounds until one of the limits is reached; return which.

        Rounds that the journal holds already are not run again. The end is recorded too.
        """
        before = machine.counters()
        self._began = self.clock() - self._spent_before()
        self._probe()
        stop = self._rounds()
        self._probe()
        own = sum(
            float(record.get("user_s") or 0.0) + float(record.get("system_s") or 0.0)
            for _, record in self.journal.campaign.of("run", "failed", "warmup")
        )
        around = machine.between(before, machine.counters(), own_cpu_s=own if self.local else None)
        self.journal.add(
            {
                "record": "end",
                "reason": stop.reason,
                "text": stop.text,
                "spent_s": round(self.clock() - self._began, 3),
                **around,
            }
        )
        return stop

    def _rounds(self) -> Stop:
        for round_ in itertools.chain(range(1 - self.plan.warmup, 1), itertools.count(1)):
            before = len(self.journal.campaign.records)
            stop = self._round(round_)
            if stop is None and round_ >= 1:
                runs = self.runs()
                if len(self.journal.campaign.records) > before:
                    self.watch.round_done(round_, runs)
                if runs is None:
                    stop = Stop("failed", "no run succeeded.")
                else:
                    stop = self.limits.after_round(runs, round_, self.clock() - self._began)
            if stop is not None:
                return stop
        raise AssertionError("rounds go on until there is a reason to stop")

    def _round(self, round_: int) -> Stop | None:
        done = {(r["round"], r["n"]) for _, r in self.journal.campaign.of("run", "failed", "warmup")}
        left = [n for n in self.plan.order(round_) if (round_, n) not in done]
        if left and self.startup is not None and round_ >= 1:
            self._startup(round_)
        for n in left:
            if self._given_up(n):
                continue
            stop = self.limits.before_run(self.clock() - self._began, round_ - 1)
            if stop is not None:
                return stop
            if self.asked() or not self._one(n, round_) or self.asked():
                return Stop("interrupted", "you asked for it. What was measured is kept.")
        return None

    def _one(self, n: int, round_: int) -> bool:
        """Run the program once and record it; False where the run was ended from outside."""
        self.watch.begins(n, round_)
        before = machine.counters()
        outcome = self.run(n)
        if self.cut_short():
            return False
        around = machine.between(before, machine.counters(), own_cpu_s=outcome.cpu_s if self.local else None)
        record = record_of(outcome, n, round_, self.plan.order(round_).index(n) + 1, around)
        self.journal.add(record)
        self.watch.ended(record)
        return True

    def _startup(self, round_: int) -> None:
        assert self.startup is not None
        # A start-up may depend on the count: rounds go through the counts in turn.
        n = self.plan.counts[(round_ - 1) % len(self.plan.counts)]
        outcome = self.startup(n)
        record = {"record": "startup", "round": round_, "n": n, "process_s": outcome.wall_s}
        if outcome.failure:
            record |= {"record": "startup failed", "reason": outcome.failure, "output": outcome.output}
        if not self.cut_short():
            self.journal.add(record)
            self.watch.ended(record)

    def _given_up(self, n: int) -> bool:
        kinds = Counter(r["record"] for _, r in self.journal.campaign.of("run", "failed") if r["n"] == n)
        return kinds["run"] == 0 and kinds["failed"] >= GIVEN_UP

    def runs(self) -> Runs | None:
        """Return the runs so far, None where there is none that counts."""
        try:
            return self.journal.runs()
        except ReadError:
            return None

    def _probe(self) -> None:
        if self.local and not self.cut_short():
            found = self.probe()
            self.journal.add({"record": "capacity", "cpus": round(found.cpus, 3), "spinners": found.spinners})

    def _spent_before(self) -> float:
        """Return the seconds that the runs of a campaign that goes on took already."""
        records = self.journal.campaign.of("run", "failed", "warmup", "startup")
        return sum(float(record.get("process_s") or 0.0) for _, record in records)
