"""The course of a campaign on a program and a clock that are not real: order, records, failures, going on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import scalewall as sw
from scalewall.measurement.capacity import Capacity
from scalewall.measurement.journal import Journal
from scalewall.measurement.outcome import Outcome
from scalewall.measurement.plan import Plan
from scalewall.measurement.rounds import Course
from scalewall.measurement.stopping import Limits, Stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNTS = (1, 2, 4, 8)
HEAD = {"command": ["x"], "counts": list(COUNTS), "seed": 5, "unit": ["threads", "thread"], "kind": "strong"}


class World:
    """A program of one tenth serial work on a machine whose clock moves only while it runs."""

    def __init__(self, journal: Journal, limits: Limits, *, warmup: int = 0, cpus: float = 64.0) -> None:
        self.now = 100.0
        self.ran: list[int] = []
        self.fails: Callable[[int], str] = lambda n: ""
        self.stop_after = 10**9
        self.cpu: Callable[[int, float], float] = lambda n, t: 10.0
        self.course = Course(
            Plan(COUNTS, warmup, seed=5),
            limits,
            journal,
            self.run,
            asked=lambda: len(self.ran) >= self.stop_after,
            clock=lambda: self.now,
            probe=lambda: Capacity(cpus, 64),
        )

    def run(self, n: int) -> Outcome:
        self.ran.append(n)
        # A deterministic wobble of up to 2 %: repeats are not all the same.
        wall = 10 * (0.1 + 0.9 / n) * (1 + 0.02 * ((len(self.ran) * 7) % 5 - 2) / 2)
        self.now += wall
        return Outcome(
            wall, user_s=self.cpu(n, wall), system_s=0.0, preemptions=0, failure=self.fails(n), output="o"
        )

    def follow(self) -> Stop:
        try:
            return self.course.follow()
        finally:
            self.course.journal.close()


def test_rounds_run_every_count_in_the_planned_order() -> None:
    world = World(Journal(HEAD), Limits(rounds=3))
    assert world.follow().reason == "rounds"
    plan = Plan(COUNTS, seed=5)
    assert world.ran == [n for k in (1, 2, 3) for n in plan.order(k)]
    runs = world.course.journal.runs()
    assert len(runs) == 12
    assert runs.round is not None
    assert sorted(set(runs.round.tolist())) == [1, 2, 3]


def test_warm_up_rounds_are_recorded_and_do_not_count() -> None:
    world = World(Journal(HEAD), Limits(rounds=2), warmup=2)
    world.follow()
    assert len(world.ran) == 16
    assert len(world.course.journal.runs()) == 8
    assert len(world.course.journal.campaign.of("warmup")) == 8


def test_the_budget_is_kept_to() -> None:
    one_round = sum(10 * (0.1 + 0.9 / n) for n in COUNTS)
    world = World(Journal(HEAD), Limits(budget_s=2.5 * one_round, until=1e-9))
    began = world.now
    assert world.follow().reason == "budget"
    assert len(world.ran) == 8
    assert world.now - began <= 2.5 * one_round


def test_a_budget_below_one_round_stops_between_runs_and_keeps_them() -> None:
    world = World(Journal(HEAD), Limits(budget_s=0.1, until=1e-9))
    stop = world.follow()
    assert (stop.reason, len(world.ran)) == ("budget", 1)
    assert stop.text == "the 0.1 s given are spent in the first round."
    assert len(world.course.journal.runs()) == 1


def test_a_request_to_stop_ends_it_after_the_run() -> None:
    world = World(Journal(HEAD), Limits(rounds=5))
    world.stop_after = 6
    assert world.follow().reason == "interrupted"
    assert len(world.course.journal.runs()) == 6


def test_failed_runs_are_recorded_listed_and_never_mixed_in() -> None:
    world = World(Journal(HEAD), Limits(rounds=3))
    world.fails = lambda n: "exit code 3" if n == 4 and len(world.ran) < 6 else ""
    world.follow()
    runs = world.course.journal.runs()
    failed = world.course.journal.campaign.of("failed")
    assert len(runs) + len(failed) == 12
    assert 1 <= len(failed) <= 2
    assert [row.line for row in runs.rejected] == [line for line, _ in failed]
    assert "the run on 4 threads failed (exit code 3)" in runs.rejected[0].reason


def test_a_count_that_only_fails_is_given_up_and_the_others_go_on() -> None:
    world = World(Journal(HEAD), Limits(rounds=5))
    world.fails = lambda n: "exit code 1" if n == 8 else ""
    world.follow()
    assert world.ran.count(8) == 2
    assert world.ran.count(4) == 5
    assert set(world.course.journal.runs().n.tolist()) == {1.0, 2.0, 4.0}


def test_nothing_but_failures_ends_after_one_round() -> None:
    world = World(Journal(HEAD), Limits(rounds=5))
    world.fails = lambda n: "exit code 1"
    assert world.follow().reason == "failed"
    assert len(world.ran) == len(COUNTS)
    with pytest.raises(sw.ReadError, match="all 4 runs failed"):
        world.course.journal.runs()


def test_every_record_is_in_the_file_before_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    world = World(Journal(HEAD, path), Limits(rounds=2))
    seen: list[int] = []
    inner = world.run

    def run(n: int) -> Outcome:
        seen.append(path.read_text().count('"record": "run"'))
        return inner(n)

    world.course.run = run
    world.follow()
    assert seen == list(range(8))


def test_what_was_written_reads_as_what_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    world = World(Journal(HEAD, path), Limits(rounds=3))
    world.follow()
    here, there = world.course.journal.runs().to_dict(), sw.read(path).to_dict()
    assert here == there
    assert there["environment"]["stopped"] == "the 3 rounds asked for are done."
    assert sw.fit(path).serial_fraction is not None


def cut(path: Path, keep_runs: int, tail: str = "") -> None:
    lines, kept, runs = path.read_text().splitlines(keepends=True), "", 0
    for line in lines:
        runs += '"record": "run"' in line
        if runs > keep_runs:
            break
        kept += line
    path.write_text(kept + tail)


def test_a_campaign_that_was_cut_off_goes_on_as_it_would_have(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    first = World(Journal(HEAD, path), Limits(rounds=3))
    first.follow()
    cut(path, 6, '{"record": "run", "round": 2, "n": 4, "ti')
    with_half = sw.read(path)
    assert len(with_half) == 6
    assert [note.code for note in with_half.notes if note.code == "row_cut_off"] == ["row_cut_off"]

    second = World(Journal.resume(path), Limits(rounds=3))
    second.follow()
    assert second.ran == first.ran[6:]
    runs = sw.read(path)
    assert len(runs) == 12
    assert not runs.rejected
    pairs = list(zip(runs.round.tolist(), runs.n.tolist(), strict=True))  # type: ignore[union-attr]
    assert len(set(pairs)) == 12


def test_a_record_that_lacks_only_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    World(Journal(HEAD, path), Limits(rounds=3)).follow()
    cut(path, 6)
    path.write_text(path.read_text().rstrip("\n"))
    World(Journal.resume(path), Limits(rounds=3)).follow()
    runs = sw.read(path)
    assert len(runs) == 12
    assert not runs.rejected


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    Journal(HEAD, path).close()
    with pytest.raises(sw.ReadError, match="exists already"):
        Journal(HEAD, path)


def test_only_a_file_of_measure_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("n,time\n1,2\n")
    with pytest.raises(sw.ReadError, match="is no file of scalewall measure"):
        Journal.resume(path)
    with pytest.raises(sw.ReadError, match="cannot be read"):
        Journal.resume(tmp_path / "missing")


def test_points_beyond_the_capacity_are_set_aside_where_processor_time_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    world = World(Journal(HEAD, path), Limits(rounds=2), cpus=2.0)
    world.cpu = lambda n, wall: min(n, 2.0) * wall
    world.follow()
    runs = sw.read(path)
    assert set(runs.n.tolist()) == {1.0, 2.0}
    assert len(runs.rejected) == 4
    row = runs.rejected[0]
    assert f"shared 2 processors and used 2 of them. Put it back with --keep-row {row.line}" in row.reason
    put_back = sw.read(path, keep_rows=[r.line for r in runs.rejected])
    assert len(put_back) == 8


def test_the_same_program_asleep_keeps_all_its_points() -> None:
    world = World(Journal(HEAD), Limits(rounds=2), cpus=2.0)
    world.cpu = lambda n, wall: 0.01
    world.follow()
    assert len(world.course.journal.runs()) == 8


def test_start_up_is_shown_and_nothing_is_subtracted() -> None:
    world = World(Journal(HEAD | {"startup": "./x --help"}), Limits(rounds=2))
    world.course.startup = lambda n: Outcome(0.25)
    world.follow()
    runs = world.course.journal.runs()
    text = next(note.text for note in runs.notes if note.code == "startup")
    assert text.startswith("Start-up alone (./x --help) takes 0.25 s")
    plain = World(Journal(HEAD), Limits(rounds=2))
    plain.follow()
    assert runs.time.tolist() == plain.course.journal.runs().time.tolist()


def test_lines_that_are_no_records_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    World(Journal(HEAD, path), Limits(rounds=1)).follow()
    lines = path.read_text().splitlines()
    lines.insert(3, "garbage")
    path.write_text("\n".join(lines) + "\n")
    runs = sw.read(path)
    assert [row.line for row in runs.rejected] == [4]
    assert len(runs) == 4


def test_a_format_of_the_future_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.runs.jsonl"
    head: dict[str, Any] = {"record": "campaign", "format": "scalewall.runs/9"}
    path.write_text(json.dumps(head) + "\n")
    with pytest.raises(sw.ReadError, match=r'format "scalewall.runs/9" is not known here'):
        sw.read(path)
