"""`sw.measure` and `sw.phase` on functions that sleep, compute, fail, and name their phases."""

from __future__ import annotations

import pickle
import threading
import time

import numpy as np
import pytest

import scalewall as sw
from scalewall.measurement import function, recorder
from scalewall.measurement.capacity import probe


def nap(n: int) -> None:
    time.sleep(0.004 + 0.036 / n)


def test_explicit_rounds_run_every_count_as_often() -> None:
    runs = sw.measure(nap, workers=[1, 2, 4], rounds=3)
    assert (len(runs), runs.kind, runs.quantity) == (9, "strong", "time")
    assert sorted(runs.n.tolist()) == [1.0] * 3 + [2.0] * 3 + [4.0] * 3
    assert bool(np.all(runs.time >= 0.004 + 0.036 / runs.n))
    for column in ("order", "process_s", "user_s", "system_s", "preemptions"):
        assert runs.extra[column].shape == (9,)
    assert runs.environment["usable"] >= 1
    assert runs.environment["stopped"] == "the 3 rounds asked for are done."


def test_explicit_rounds_do_not_look_at_the_budget() -> None:
    assert len(sw.measure(nap, workers="1:4:x2", rounds=2, budget=0.001)) == 6


def test_it_stops_by_itself_and_says_why() -> None:
    runs = sw.measure(nap, workers=[1, 2], until=0.5, budget="20 s")
    assert runs.environment["stopped"] == "every time is known to within 50 %."
    assert len(runs) == 6


def test_the_budget_ends_it() -> None:
    begin = time.monotonic()
    runs = sw.measure(lambda n: time.sleep(0.1), workers=[1], budget="1 s", until=1e-9)
    assert time.monotonic() - begin < 5.0
    assert 1 <= len(runs) <= 10


def test_setup_comes_before_every_run_and_is_not_timed() -> None:
    seen: list[int] = []

    def setup(n: int) -> None:
        seen.append(n)
        time.sleep(0.05)

    runs = sw.measure(lambda n: time.sleep(0.001), workers=[1, 2], setup=setup, rounds=2)
    assert sorted(seen) == [1, 1, 2, 2]
    assert float(np.median(runs.time)) < 0.05


def test_phases_add_up_to_workers_times_wall_time() -> None:
    @sw.phase("parallel")
    def work(n: int) -> None:
        time.sleep(0.02 / n)

    def job(n: int) -> None:
        with sw.phase("serial"):
            time.sleep(0.01)
        work(n)

    runs = sw.measure(job, workers=[1, 2, 4], rounds=2)
    ledger = runs.ledger
    assert ledger is not None
    assert list(ledger.rows) == ["serial", "parallel", "outside phases"]
    total = np.sum(list(ledger.rows.values()), axis=0)
    np.testing.assert_allclose(total, ledger.n * ledger.wall_s, rtol=1e-12)
    assert bool(np.all(ledger.rows["serial"] >= 0.01 * ledger.n))
    assert bool(np.all(ledger.rows["outside phases"] >= 0))
    assert runs.serial is not None
    assert bool(np.all(runs.serial >= 0.01))
    assert "outside phases" in ledger.summary()
    assert pickle.loads(pickle.dumps(runs)).ledger is not None


def test_without_phases_there_is_no_ledger() -> None:
    assert sw.measure(nap, workers=[1], rounds=1).ledger is None


def test_time_in_an_inner_phase_is_not_counted_twice() -> None:
    def job(n: int) -> None:
        with sw.phase("outer"):
            time.sleep(0.01)
            with sw.phase("inner"):
                time.sleep(0.05)

    outcome = function.run(job, 1)
    assert 0.05 <= outcome.phases_ns["inner"] / 1e9 <= outcome.wall_s
    assert sum(outcome.phases_ns.values()) / 1e9 <= outcome.wall_s
    assert outcome.phases_ns["outer"] < outcome.phases_ns["inner"]


def test_phases_of_other_threads_stand_beside_those_of_the_caller() -> None:
    def job(n: int) -> None:
        def inside() -> None:
            with sw.phase("chunk"):
                time.sleep(0.02)

        threads = [threading.Thread(target=inside) for _ in range(n)]
        with sw.phase("parallel"):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    outcome = function.run(job, 3)
    assert set(outcome.phases_ns) == {"parallel"}
    assert outcome.inside_ns["chunk"] >= 3 * 20_000_000


def test_a_phase_outside_a_measurement_does_nothing() -> None:
    with sw.phase("x") as entered:
        assert entered.name == "x"

    @sw.phase("y")
    def double(x: int) -> int:
        """Twice."""
        return 2 * x

    assert (double(4), double.__name__, double.__doc__) == (8, "double", "Twice.")


def test_a_phase_ends_where_an_exception_passes_and_can_be_entered_again() -> None:
    named = sw.phase("x")
    taken = recorder.Recorder()
    with recorder.recording(taken):
        for _ in range(2):
            with pytest.raises(KeyError), named:
                raise KeyError
        with named, named:
            pass
    assert taken.caller_ns["x"] > 0


def test_two_measurements_at_once_are_refused() -> None:
    def outer(n: int) -> None:
        sw.measure(nap, workers=[1], rounds=1)

    with pytest.raises(RuntimeError, match="running already"):
        sw.measure(outer, workers=[1], rounds=1)
    assert len(sw.measure(nap, workers=[1], rounds=1)) == 1


def test_an_exception_of_the_function_passes_through() -> None:
    def broken(n: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sw.measure(broken, workers=[1, 2])


def test_ctrl_c_keeps_what_there_is() -> None:
    calls = 0

    def interrupted(n: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt

    runs = sw.measure(interrupted, workers=[1, 2], rounds=5)
    assert len(runs) == 3
    assert runs.environment["stopped"] == "Ctrl-C. What was measured is kept."
    calls = 3
    with pytest.raises(KeyboardInterrupt):
        sw.measure(interrupted, workers=[1, 2], rounds=5)


def test_runs_too_short_to_measure_say_so() -> None:
    runs = sw.measure(lambda n: None, workers=[1, 2, 4, 8], rounds=2)
    assert "too_short" in {note.code for note in runs.notes}


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(TypeError, match="fn is int"):
        sw.measure(3, workers=[1])  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="fn cannot be called with the worker count alone"):
        sw.measure(lambda: None, workers=[1])  # type: ignore[misc,arg-type]
    with pytest.raises(TypeError, match=r"workers\[1\] is 1.5"):
        sw.measure(nap, workers=[1, 1.5])  # type: ignore[list-item]
    with pytest.raises(sw.DomainError, match=r"workers\[0\] is 0"):
        sw.measure(nap, workers=[0, 1])
    with pytest.raises(sw.DomainError, match="rounds is 0"):
        sw.measure(nap, workers=[1], rounds=0)
    with pytest.raises(sw.DomainError, match="budget"):
        sw.measure(nap, workers=[1], budget="soon")
    with pytest.raises(TypeError, match="name is 3"):
        sw.phase(3)  # type: ignore[arg-type]


def test_a_flat_function_needs_no_word_that_these_are_times() -> None:
    runs = sw.measure(lambda n: time.sleep(0.02), workers=[1, 2, 4, 8], rounds=2)
    found = sw.fit(runs)
    assert found.refusal is None
    assert found.doubling.answer in {"no", "leaning no", "cannot tell"}


def test_the_trial_finds_no_more_processors_than_it_asks() -> None:
    found = probe(0.05, spinners=2)
    assert found.spinners == 2
    assert 0.0 < found.cpus <= 2.0
