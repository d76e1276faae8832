"""A campaign of a command: its head, its runner, and how it is taken up again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scalewall import machine
from scalewall._errors import ChoiceError
from scalewall.measurement import naming
from scalewall.measurement.plan import Plan
from scalewall.measurement.process import PLACE, Command

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Order:
    """What is to be measured: a command, its plan, and what its runs are called.

    Attributes
    ----------
    command, plan
        What is run, at which counts.
    startup : str
        Shell command that only starts up; empty where none is given.
    kind : str or None
        "strong", "weak" or "throughput".
    unit : (str, str)
        Plural and singular of what is counted.
    """

    command: Command
    plan: Plan
    startup: str = ""
    kind: str | None = None
    unit: tuple[str, str] = field(default=("workers", "worker"))

    def head(self, limits: Mapping[str, Any]) -> dict[str, Any]:
        """Return the first record of its file."""
        return {
            "command": list(self.command.words),
            "env": dict(self.command.env),
            "setup": self.command.setup,
            "startup": self.startup,
            "time_from": self.command.time_from,
            "throughput_from": self.command.throughput_from,
            "elsewhere": self.command.elsewhere,
            "counts": list(self.plan.counts),
            "warmup": self.plan.warmup,
            "seed": self.plan.seed,
            "unit": list(self.unit),
            "kind": self.kind,
            "quantity": "rate" if self.command.throughput_from else "time",
            "limits": dict(limits),
            "environment": machine.environment(),
        }


def order_of(head: Mapping[str, Any], source: str) -> Order:
    """Return what a file says is to be measured.

    Raises
    ------
    ChoiceError
        If the file was not written for a command.
    """
    if not head.get("command"):
        raise ChoiceError(f"{source} holds runs of a Python function: only those of a command can go on")
    return Order(
        Command(
            tuple(head["command"]),
            dict(head.get("env") or {}),
            head.get("setup") or "",
            head.get("time_from") or "",
            head.get("throughput_from") or "",
        ),
        Plan(tuple(head["counts"]), int(head.get("warmup") or 0), int(head["seed"])),
        head.get("startup") or "",
        head.get("kind"),
        tuple(head.get("unit") or ("workers", "worker")),
    )


def words_of(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return program and arguments; a single word with spaces in it is a line for the shell."""
    if len(given) == 1 and any(sign.isspace() for sign in given[0].strip()):
        return ("/bin/sh", "-c", given[0])
    return given


def checked(command: Command, counts: tuple[int, ...]) -> None:
    """Raise `ChoiceError` where every count would run the same command, or the program is not there."""
    if len(counts) > 1 and not command.varies:
        raise ChoiceError(
            f"{PLACE} stands nowhere in the command or in --env: every count would run the same. Write it "
            f"where the worker count belongs, such as --threads {PLACE} or --env OMP_NUM_THREADS={PLACE}"
        )
    command.check()


def free_name(words: tuple[str, ...], directory: Path = Path()) -> Path:
    """Return a file name after the program that does not exist yet."""
    stem = naming.stem(words)
    path, number = directory / f"{stem}.runs.jsonl", 1
    while path.exists():
        number += 1
        path = directory / f"{stem}.{number}.runs.jsonl"
    return path
