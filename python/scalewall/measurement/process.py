"""One run of a command: started, waited for with its processor time, its output searched for a number."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from scalewall._errors import ChoiceError, ScalewallError
from scalewall.measurement.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLACE = "{n}"
"""Stands for the worker count in commands and environment variables."""

SHOWN_LINES = 20
_TAIL_BYTES = 64_000

# Programs that start the work on other machines, or hand it to a service: their own processor time says
# nothing about it. torchrun starts its workers itself, unless it is told of further nodes.
_ELSEWHERE = frozenset(
    {
        "srun",
        "mpiexec",
        "mpirun",
        "orterun",
        "prun",
        "prterun",
        "aprun",
        "jsrun",
        "flux",
        "ssh",
        "docker",
        "podman",
        "kubectl",
        "ray",
        "dask",
        "qsub",
        "sbatch",
        "salloc",
        "oarsh",
        "ibrun",
        "systemd-run",
    }
)
_TORCHRUN = frozenset({"torchrun", "accelerate", "deepspeed"})


@dataclass(frozen=True)
class Command:
    """A command with a place for the worker count.

    Attributes
    ----------
    words : tuple of str
        Program and arguments; `{n}` in any of them is the worker count.
    env : mapping of str to str
        Environment variables of each run; `{n}` in a value is the worker count.
    setup : str
        Shell command before every run, outside the timed part.
    time_from, throughput_from : str
        Regular expression over the output; group 1 of its last match is seconds, or a rate.
    """

    words: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    setup: str = ""
    time_from: str = ""
    throughput_from: str = ""

    def __post_init__(self) -> None:
        if not self.words:
            raise ChoiceError("the command is missing: write it after --, such as -- ./prog --threads {n}")
        if self.time_from and self.throughput_from:
            raise ChoiceError("--time-from and --throughput-from are both given: choose one")
        for option, pattern in (
            ("--time-from", self.time_from),
            ("--throughput-from", self.throughput_from),
        ):
            if pattern:
                _compiled(option, pattern)

    @property
    def varies(self) -> bool:
        """Whether the worker count stands anywhere in the command or its environment."""
        return any(PLACE in text for text in (*self.words, *self.env.values()))

    @property
    def elsewhere(self) -> str:
        """Name of the launcher that may run the work on other machines; empty where there is none."""
        # A shell line in one argument may hold the launcher.
        names = [os.path.basename(part) for word in self.words for part in word.split()]  # noqa: PTH119
        for name in names:
            if name in _ELSEWHERE:
                return name
            if name in _TORCHRUN and any(
                re.match(r"--nnodes|--num_machines|--hostfile", word) for word in self.words
            ):
                return name
        return ""

    def filled(self, n: int) -> list[str]:
        """Return program and arguments for `n` workers."""
        return [word.replace(PLACE, str(n)) for word in self.words]

    def check(self) -> None:
        """Raise `ChoiceError` where the program cannot be found, before hours are spent."""
        program = self.words[0]
        if PLACE not in program and shutil.which(program) is None:
            raise ChoiceError(
                f'"{program}" is no program that can be run here. Check the path, or make the file executable'
            )


def _compiled(option: str, pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise ChoiceError(f'{option} "{pattern}" is no regular expression: {error}') from None
    if compiled.groups < 1:
        raise ChoiceError(
            f'{option} "{pattern}" has no group: put the number in brackets, such as "elapsed ([0-9.]+)"'
        )
    return compiled


class Processes:
    """Runs commands one after the other, each in a process group of its own, and can end the current one."""

    def __init__(self) -> None:
        self._current: int | None = None

    def run(self, command: Command, n: int) -> Outcome:
        """Run a command for `n` workers and return what it gave.

        The time runs from before the process is made until it and everything it waited for has ended.
        """
        env = os.environ | {name: value.replace(PLACE, str(n)) for name, value in command.env.items()}
        if command.setup:
            failure = self._setup(command.setup.replace(PLACE, str(n)), env)
            if failure is not None:
                return failure
        with tempfile.TemporaryFile() as output:
            outcome = self._timed(command.filled(n), env, output, known=not command.elsewhere, alone=True)
            return _read(outcome, command, output)

    def shell(self, line: str, n: int) -> Outcome:
        """Run a line of shell, for what is started beside the program."""
        return self.run(Command(("/bin/sh", "-c", line.replace(PLACE, str(n)))), n)

    def end(self, number: int) -> None:
        """Send a signal to the process group of the current run; may be called from a signal handler."""
        if self._current is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._current, number)

    def _setup(self, line: str, env: Mapping[str, str]) -> Outcome | None:
        with tempfile.TemporaryFile() as output:
            outcome = self._timed(["/bin/sh", "-c", line], env, output, known=True)
            if not outcome.failure:
                return None
            return Outcome(
                outcome.wall_s, failure=f"its setup failed: {outcome.failure}", output=_tail(output)
            )

    def _timed(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        output: IO[bytes],
        *,
        known: bool,
        alone: bool = False,
    ) -> Outcome:
        start = time.perf_counter_ns()
        try:
            # Output goes to a file: a pipe would have to be read while the clock runs.
            process = subprocess.Popen(
                words, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        except OSError as error:
            return Outcome(0.0, failure=f"{words[0]} cannot be started: {error.strerror or error}")
        self._current = process.pid
        try:
            _, status, usage = os.wait4(process.pid, 0)
            wall_s = (time.perf_counter_ns() - start) / 1e9
            if alone:
                # What the program left in the background must not compute while the next run is timed.
                self.end(signal.SIGKILL)
        except BaseException:
            self.end(signal.SIGKILL)
            process.wait()
            raise
        finally:
            self._current = None
        process.returncode = os.waitstatus_to_exitcode(status)
        scale = 1 if sys.platform == "darwin" else 1024
        return Outcome(
            wall_s,
            user_s=usage.ru_utime if known else None,
            system_s=usage.ru_stime if known else None,
            preemptions=usage.ru_nivcsw if known else None,
            switches=usage.ru_nvcsw if known else None,
            peak_rss_bytes=usage.ru_maxrss * scale if known else None,
            failure=_reason(process.returncode),
        )


def _reason(code: int) -> str:
    if code == 0:
        return ""
    if code > 0:
        return f"exit code {code}"
    try:
        return f"ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by signal {-code}"


def _read(outcome: Outcome, command: Command, output: IO[bytes]) -> Outcome:
    """Return the outcome with the number that the program printed, or with what a failed run wrote."""
    if outcome.failure:
        return _failed(outcome, outcome.failure, output)
    pattern = command.time_from or command.throughput_from
    if not pattern:
        return outcome
    option = "--time-from" if command.time_from else "--throughput-from"
    output.seek(0)
    text = output.read().decode("utf-8", errors="replace")
    match = None
    for match in _compiled(option, pattern).finditer(text):  # noqa: B007 - the last one counts
        pass
    if match is None:
        return _failed(outcome, f'{option} "{pattern}" matches nothing in its output', output)
    number = _positive(match[1])
    if number is None:
        return _failed(outcome, f'{option} found "{match[1]}", which is no positive number', output)
    name = "time_s" if command.time_from else "rate"
    return Outcome(**(vars(outcome) | {name: number}))


def _positive(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number > 0 else None


def _failed(outcome: Outcome, failure: str, output: IO[bytes]) -> Outcome:
    return Outcome(**(vars(outcome) | {"failure": failure, "output": _tail(output)}))


def _tail(output: IO[bytes]) -> str:
    """Return the last lines of an output."""
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _TAIL_BYTES))
    lines = output.read().decode("utf-8", errors="replace").splitlines()
    return "\n".join(lines[-SHOWN_LINES:])


class Interrupts:
    """Ctrl-C once: stop after this run. Again: end this run. A third time, or a request to end: at once.

    Attributes
    ----------
    asked : bool
        Whether somebody wants to stop.
    """

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._times = 0
        self._before: dict[int, object] = {}

    @property
    def asked(self) -> bool:
        """Whether somebody wants to stop."""
        return self._times > 0

    @property
    def cut_short(self) -> bool:
        """Whether the current run was ended, so that it counts for nothing."""
        return self._times > 1

    def __enter__(self) -> Interrupts:
        """Take over the signals; only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            return self
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # `nohup` ignores the end of its terminal, and that must stay so.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        """Give the signals back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _handle(self, number: int, _frame: object) -> None:
        self._times = self._times + 1 if number == signal.SIGINT else max(self._times + 1, 2)
        if self._times == 2:
            self._processes.end(signal.SIGTERM)
        elif self._times > 2:
            self._processes.end(signal.SIGKILL)


def option_pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """Return variables written as NAME=value."""
    pairs = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (sign and name.strip()):
            raise ScalewallError(f'{option} "{text}": expected NAME=value, such as OMP_NUM_THREADS={PLACE}')
        pairs[name.strip()] = value
    return pairs
