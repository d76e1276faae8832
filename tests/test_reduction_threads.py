"""The same bits for any number of threads, and everything that can happen to a call with threads."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scalewall as sw

if TYPE_CHECKING:
    from collections.abc import Callable

    from scalewall.reduction import Combine, Method

COUNTS = (1, 2, 3, 5, 8, 16, 33, 64)
SIZES = (0, 1, 2, 4096, 8192, 8193, 100_000, 1_000_003)


def bits(value: Any) -> Any:
    return (
        tuple(map(bits, value))
        if isinstance(value, tuple)
        else value.hex()
        if isinstance(value, float)
        else value
    )


def data(size: int) -> np.ndarray[Any, np.dtype[Any]]:
    rng = np.random.default_rng(size)
    return rng.standard_normal(size) * 10.0 ** rng.integers(-8, 8, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("combine", ["tree", "order"])
@pytest.mark.parametrize("method", ["exact", "compensated", "pairwise"])
def test_the_same_bits_for_any_number_of_threads(size: int, method: Method, combine: Combine) -> None:
    x = data(size)
    calls: list[Callable[[int], Any]] = [
        lambda threads: sw.parallel_sum(x, method=method, combine=combine, threads=threads),
        lambda threads: sw.parallel_dot(x, x[::-1], method=method, combine=combine, threads=threads),
        lambda threads: sw.parallel_norm2(x, method=method, combine=combine, threads=threads),
    ]
    for call in calls:
        assert len({bits(call(threads)) for threads in COUNTS}) == 1


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("combine", ["tree", "order"])
def test_ranges_and_moments_have_the_same_bits_too(size: int, combine: Combine) -> None:
    x = data(size)
    assert len({bits(sw.parallel_minmax(x, combine=combine, threads=threads)) for threads in COUNTS}) == 1
    assert len({bits(sw.parallel_mean_var(x, combine=combine, threads=threads)) for threads in COUNTS}) == 1


def test_measuring_changes_no_bit() -> None:
    x = data(300_000)
    for threads in (1, 2, 7):
        for split in (False, True):
            measured = sw.parallel_sum(x, method="pairwise", threads=threads, measure=True, split=split)
            assert bits(measured.value) == bits(sw.parallel_sum(x, method="pairwise"))


def test_other_python_threads_run_meanwhile() -> None:
    x = np.ones(4_000_000)
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.0005)

    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        before = ticks
        for _ in range(40):
            sw.parallel_sum(x, threads=2)
        during = ticks - before
    finally:
        stop.set()
        ticker.join()
    assert during > 5


def test_many_python_threads_call_at_once() -> None:
    x = data(400_000)
    expected = math.fsum(x)
    wrong: list[Any] = []

    def call(threads: int) -> None:
        for _ in range(10):
            value = sw.parallel_sum(x, threads=threads)
            if value != expected:
                wrong.append(value)

    callers = [threading.Thread(target=call, args=(1 + i % 4,)) for i in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert wrong == []


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import scalewall as sw
x = np.broadcast_to(np.float64(1.5), 1 << 40)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    sw.parallel_sum(x, threads=2)
except KeyboardInterrupt:
    assert time.monotonic() - start < 30, "too late"
    assert sw.parallel_sum(np.ones(500_000), threads=2) == 500_000.0
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_ends_a_long_call_and_the_next_one_works() -> None:
    # 2**40 elements of stride 0 take hours and no memory.
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "interrupted\n", done.stderr


def _child(x: Any, answers: Any) -> None:
    answers.put(sw.parallel_sum(x, threads=2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_builds_its_own_workers() -> None:
    x = data(400_000)
    expected = sw.parallel_sum(x, threads=2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_child, args=(x, answers))
    child.start()
    try:
        assert answers.get(timeout=60) == expected
        child.join(60)
        assert child.exitcode == 0
    finally:
        if child.is_alive():
            child.kill()
    assert sw.parallel_sum(x, threads=2) == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the platform has no affinity")
def test_one_processor_only() -> None:
    x = data(400_000)
    allowed = os.sched_getaffinity(0)
    expected = math.fsum(x)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        for threads in (1, 2, 8):
            measured = sw.parallel_sum(x, threads=threads, measure=True)
            assert (measured.value, measured.ledger.workers) == (expected, threads)
        assert sw.parallel_sum(x, threads="auto", measure=True).ledger.workers == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_auto_stays_serial_where_a_thread_would_not_pay() -> None:
    assert sw.parallel_sum(np.ones(299_999), measure=True).ledger.workers == 1
    assert sw.parallel_sum(np.ones(799_999), method="pairwise", measure=True).ledger.workers == 1
    most = sw.parallel_sum(np.ones(100_000_000 // 4), measure=True).ledger.workers
    assert sw.parallel_sum(np.ones(300_000), measure=True).ledger.workers == min(2, most)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the state of the threads from /proc")
def test_workers_park_after_a_call() -> None:
    sw.parallel_sum(np.ones(1_000_000), threads=4)
    time.sleep(0.05)
    states = []
    for task in os.listdir("/proc/self/task"):  # noqa: PTH208
        with open(f"/proc/self/task/{task}/stat") as file:  # noqa: PTH123
            name, _, rest = file.read().partition("(")[2].rpartition(")")
        if name.startswith("scalewall"):
            states.append(rest.split()[0])
    assert len(states) >= 3
    assert set(states) == {"S"}


def test_signal_is_still_pythons() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
