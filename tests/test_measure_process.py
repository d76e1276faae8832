"""One run of a command: time, processor time, numbers in its output, failures, and stopping it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

import scalewall as sw
from scalewall.measurement.process import Command, Interrupts, Processes

BURN = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass"


def test_the_wall_time_is_that_of_the_program() -> None:
    outcome = Processes().run(Command(("sleep", "0.3")), 1)
    assert 0.3 <= outcome.wall_s < 3.0
    assert outcome.seconds == outcome.wall_s
    assert outcome.cpu_s is not None
    assert outcome.cpu_s < 0.2


def test_processor_time_of_children_is_counted() -> None:
    # The shell itself uses next to nothing: the time is that of the program it waits for.
    outcome = Processes().run(
        Command(("/bin/sh", "-c", f'"{sys.executable}" -c "$BURN"; exit 0'), {"BURN": BURN}), 1
    )
    assert outcome.failure == ""
    assert outcome.cpu_s is not None
    assert 0.2 <= outcome.cpu_s < 2.0


def test_the_count_stands_in_words_environment_and_setup(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    command = Command(
        ("/bin/sh", "-c", 'echo "elapsed $THREADS.$0"', "{n}"),
        {"THREADS": "{n}"},
        setup=f"echo before {{n}} >> {trace}",
        time_from=r"elapsed ([0-9.]+)",
    )
    assert Processes().run(command, 7).time_s == 7.7
    assert trace.read_text() == "before 7\n"


@pytest.mark.parametrize(
    ("output", "expected"), [("t=1.5", 1.5), ("t=1\nt=2e-3\n", 2e-3), ("x t=4.25 y", 4.25)]
)
def test_the_last_match_of_group_1_counts(output: str, expected: float) -> None:
    command = Command(("printf", "%s", output), time_from=r"t=([0-9.e-]+)")
    assert Processes().run(command, 1).time_s == expected


def test_a_rate_is_no_time() -> None:
    outcome = Processes().run(Command(("echo", "rate 500"), throughput_from=r"rate (\d+)"), 1)
    assert (outcome.rate, outcome.time_s) == (500.0, None)


@pytest.mark.parametrize(
    ("words", "options", "reason"),
    [
        (("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), {}, "exit code 3"),
        (("/bin/sh", "-c", "echo out err; kill -9 $$"), {}, "ended by SIGKILL"),
        (
            ("echo", "out err"),
            {"time_from": r"t=(\d+)"},
            r'--time-from "t=(\d+)" matches nothing in its output',
        ),
        (
            ("echo", "out err t=-"),
            {"time_from": r"t=(.)"},
            '--time-from found "-", which is no positive number',
        ),
        (("echo", "x"), {"setup": "echo out err; exit 4"}, "its setup failed: exit code 4"),
    ],
)
def test_a_failure_has_a_reason_and_shows_what_was_written(
    words: tuple[str, ...], options: dict[str, str], reason: str
) -> None:
    outcome = Processes().run(Command(words, **options), 1)  # type: ignore[arg-type]
    assert outcome.failure == reason
    assert "out" in outcome.output
    assert "err" in outcome.output


def test_a_program_that_is_not_there_fails() -> None:
    outcome = Processes().run(Command(("/no/such/program",)), 1)
    assert outcome.failure == "/no/such/program cannot be started: No such file or directory"
    with pytest.raises(sw.ChoiceError, match="is no program"):
        Command(("/no/such/program",)).check()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc whether a process is there")
def test_what_a_program_leaves_in_the_background_is_ended() -> None:
    command = Command(("/bin/sh", "-c", "sleep 60 & echo pid $!"), time_from=r"pid (\d+)")
    outcome = Processes().run(command, 1)
    assert outcome.wall_s < 30
    assert outcome.time_s is not None
    for _ in range(100):
        state = Path(f"/proc/{outcome.time_s:.0f}/stat")
        if not state.exists() or state.read_text().split(") ")[1][0] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("it still runs")


def test_megabytes_of_output_block_nothing_and_are_searched() -> None:
    script = "import sys; sys.stdout.write('x' * 5_000_000 + '\\nelapsed 2.5\\n' + 'y' * 5_000_000)"
    outcome = Processes().run(Command((sys.executable, "-c", script), time_from=r"elapsed ([0-9.]+)"), 1)
    assert outcome.time_s == 2.5


@pytest.mark.parametrize(
    ("words", "launcher"),
    [
        (("srun", "-n", "{n}", "./a"), "srun"),
        (("mpiexec", "-n", "{n}", "./a"), "mpiexec"),
        (("/bin/sh", "-c", "module load x; srun ./a"), "srun"),
        (("torchrun", "--nproc-per-node", "{n}", "a.py"), ""),
        (("torchrun", "--nnodes", "2", "a.py"), "torchrun"),
        (("./a", "--threads", "{n}"), ""),
    ],
)
def test_launchers_that_run_the_work_elsewhere_are_known(words: tuple[str, ...], launcher: str) -> None:
    assert Command(words).elsewhere == launcher


def test_processor_time_of_a_launcher_is_unknown(tmp_path: Path) -> None:
    launcher = tmp_path / "srun"
    launcher.write_text("#!/bin/sh\nshift 2\nexec $@\n")
    launcher.chmod(0o755)
    outcome = Processes().run(Command((str(launcher), "-n", "{n}", "true")), 2)
    assert (outcome.failure, outcome.cpu_s, outcome.preemptions) == ("", None, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_from": "("}, "is no regular expression"),
        ({"time_from": "elapsed"}, "has no group"),
        ({"time_from": "(a)", "throughput_from": "(b)"}, "both given"),
    ],
)
def test_a_pattern_that_cannot_work_is_refused_at_once(options: dict[str, str], message: str) -> None:
    with pytest.raises(sw.ChoiceError, match=message):
        Command(("true",), **options)  # type: ignore[arg-type]


def test_ctrl_c_once_lets_the_run_end_and_twice_ends_it() -> None:
    processes = Processes()

    def interrupt(times: int) -> None:
        for _ in range(times):
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

    for times, cut_short in ((1, False), (2, True)):
        with Interrupts(processes) as interrupts:
            thread = threading.Thread(target=interrupt, args=(times,))
            thread.start()
            outcome = processes.run(Command(("sleep", "2" if times == 1 else "60")), 1)
            thread.join()
            assert (interrupts.asked, interrupts.cut_short) == (True, cut_short)
            assert outcome.failure == ("ended by SIGTERM" if cut_short else "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
