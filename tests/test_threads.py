"""The pool from outside: fork, many Python threads, Ctrl-C, progress, the GIL."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from typing import Any

import numpy as np
import pytest

import scalewall as sw

P, N = np.linspace(0, 1, 400), np.linspace(1, 1e4, 1000)


def expected() -> Any:
    return 1 / ((1 - P)[:, None] + P[:, None] / N)


def _child(queue: Any) -> None:
    queue.put(sw.surface("amdahl", p=P, n=N, threads=2).tobytes())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_builds_its_own_pool() -> None:
    assert sw.surface("amdahl", p=P, n=N, threads=2).tobytes() == expected().tobytes()
    context = multiprocessing.get_context("fork")
    with warnings.catch_warnings():
        # Python 3.12 warns of forking with threads; that this works is what is tested.
        warnings.simplefilter("ignore", DeprecationWarning)
        queue = context.Queue()
        child = context.Process(target=_child, args=(queue,))
        child.start()
    assert queue.get(timeout=60) == expected().tobytes()
    child.join(60)
    assert child.exitcode == 0
    assert sw.surface("amdahl", p=P, n=N, threads=2).tobytes() == expected().tobytes()


def test_many_python_threads_at_once() -> None:
    wrong: list[int] = []
    truth = expected().tobytes()

    def work(index: int) -> None:
        for _ in range(10):
            if sw.surface("amdahl", p=P, n=N, threads=1 + index % 3).tobytes() != truth:
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_python_threads_run_meanwhile() -> None:
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    sw.scan("sun_ni", p=np.linspace(0, 1, 1000), growth=1.5, n=np.linspace(1, 1e6, 200_000), threads=1)
    seen = ticks
    stop.set()
    ticker.join()
    assert seen > 3


@pytest.mark.parametrize("call", ["surface", "scan"])
def test_ctrl_c_stops_a_long_call(call: str) -> None:
    """The call would take many seconds; it ends soon after the signal."""
    code = textwrap.dedent(
        f"""
        import sys, time, numpy as np, scalewall as sw
        p, n = np.linspace(0, 1, 1000), np.linspace(1, 1e6, 100_000)
        out = np.empty((1000, 100_000)) if "{call}" == "surface" else None
        print("ready", flush=True)
        try:
            while True:
                if out is not None:
                    sw.surface("amdahl", p=p, n=n, out=out, level="baseline", threads=1)
                else:
                    sw.scan("sun_ni", p=np.linspace(0, 1, 20_000), n=n, growth=1.5, method="brute", threads=1)
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            sys.exit(7)
        """
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.4)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        stopped = float(process.stdout.readline())
        assert process.wait(60) == 7
    # 0.2 s is what an idle machine gives; a busy one may take its time.
    assert stopped - sent < 2.0


def test_progress_rises_to_one() -> None:
    seen: list[float] = []
    sw.scan("sun_ni", p=P, n=np.linspace(1, 1e6, 200_000), growth=1.5, method="brute", progress=seen.append)
    assert seen[-1] == 1.0
    assert all(0 < share <= 1 for share in seen)
    assert seen == sorted(seen)
    seen.clear()
    sw.surface("amdahl", p=0.5, n=[1, 2], progress=seen.append)
    assert seen == [1.0]


def test_an_error_in_progress_stops_the_call_and_is_raised() -> None:
    class StopNowError(Exception):
        pass

    def fail(share: float) -> None:
        raise StopNowError(share)

    with pytest.raises(StopNowError):
        sw.scan("sun_ni", p=P, n=np.linspace(1, 1e6, 400_000), growth=1.5, method="brute", progress=fail)


def test_progress_true_writes_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    sw.surface("amdahl", p=0.5, n=[1, 2], progress=True)
    assert capsys.readouterr().err.endswith("100%\n")
    with pytest.raises(TypeError, match="progress is 3: expected True, False"):
        sw.surface("amdahl", p=0.5, n=[1, 2], progress=3)  # type: ignore[arg-type]


def test_the_environment_sets_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCALEWALL_NUM_THREADS", "2")
    assert sw.surface("amdahl", p=P, n=N).tobytes() == expected().tobytes()
    monkeypatch.setenv("SCALEWALL_NUM_THREADS", "many")
    with pytest.raises(sw.ThreadError, match="SCALEWALL_NUM_THREADS is 'many': expected a count"):
        sw.surface("amdahl", p=P, n=N)
