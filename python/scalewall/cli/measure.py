"""`scalewall measure`: any command at several worker counts, in mixed order, then the answer."""

from __future__ import annotations

import secrets
import sys
from dataclasses import asdict, dataclass
from pathlib import Path  # noqa: TC003 - typer reads annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scalewall._errors import ChoiceError, ReadError, ScalewallError
from scalewall.cli import BAD_INPUT
from scalewall.cli.console import ascii_only, show, tell, wants_colour, write
from scalewall.cli.fit import KINDS, Output, print_fits, save_fits
from scalewall.cli.options import choice, optional, share

if TYPE_CHECKING:
    from scalewall.measurement.command import Order
    from scalewall.measurement.journal import Journal
    from scalewall.measurement.stopping import Limits, Stop
    from scalewall.runs import Runs

MOST_ROUNDS = 8
"""Rounds where neither --rounds nor the answer ends a campaign."""

JOB_ROUNDS = 3


@dataclass(frozen=True)
class Answer:
    """How the answer is wanted."""

    gain: float
    cap: float | None
    output: Output


def command(  # noqa: PLR0917 - typer reads one parameter an option
    program: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- COMMAND", help="Program and arguments; {n} is the worker count."),
    ] = None,
    workers: Annotated[
        str, typer.Option("-n", "--workers", metavar="N,N", help="Counts: 1,2,4,8 or 1:64:x2.")
    ] = "",
    rounds: Annotated[
        int | None, typer.Option(metavar="K", help="Run exactly K rounds, unless --budget is spent first.")
    ] = None,
    budget: Annotated[str, typer.Option(metavar="TIME", help="Stop after 60s, 24min, 2h.")] = "",
    until: Annotated[
        str, typer.Option(metavar="W", help="Stop when every time is known to within W, such as 2%.")
    ] = "2%",
    warmup: Annotated[int, typer.Option(metavar="K", help="Rounds before the first that do not count.")] = 0,
    time_from: Annotated[
        str, typer.Option(metavar="REGEX", help="Seconds: group 1 of the last match in the output.")
    ] = "",
    throughput_from: Annotated[
        str, typer.Option(metavar="REGEX", help="Rate: group 1 of the last match in the output.")
    ] = "",
    env: Annotated[
        list[str] | None, typer.Option(metavar="K=V", help="Environment variable of each run; {n} counts.")
    ] = None,
    setup: Annotated[
        str, typer.Option(metavar="CMD", help="Shell command before every run, not timed.")
    ] = "",
    startup: Annotated[
        str,
        typer.Option(metavar="CMD", help="Shell command that only starts up: timed, shown, not subtracted."),
    ] = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the runs go.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the file of --out.")] = False,
    scaling: Annotated[
        str, typer.Option(metavar="KIND", help="strong (the default), weak or throughput.")
    ] = "",
    unit: Annotated[str, typer.Option(metavar="WORD", help='What is counted, such as "threads".')] = "",
    seed: Annotated[int | None, typer.Option(metavar="K", help="Decides the order of the runs.")] = None,
    emit_jobs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write one job script a run, and run nothing.")
    ] = None,
    template: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Job script with {command}; {n}, {name}, {dir}.")
    ] = None,
    gain: Annotated[str, typer.Option(metavar="G", help="Gain that counts as help, 0.1 or 10%.")] = "0.1",
    cap: Annotated[float | None, typer.Option(metavar="N", help="Largest worker count to be had.")] = None,
    every_count: Annotated[bool, typer.Option("--all", help="Show every worker count.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the fit.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page.")] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colour.")] = False,
) -> None:
    """Time a command at several worker counts, in rounds of mixed order, then answer.

    Without --rounds it stops at the first of: 8 rounds; the budget; every time known to within --until;
    another round that would narrow the answer by less than a tenth. Every run is on the disk as soon as it
    ends. Exit code 0 with runs, whatever they say; 2 where nothing could be measured.
    """
    from scalewall.measurement import command as commands  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement.journal import Journal  # noqa: PLC0415

    answer = Answer(share("--gain", gain, 0.0, 0.1), cap, Output(as_json, every_count, no_color, plot, html))
    words = commands.words_of(tuple(program or ()))
    kind = optional(choice("--scaling", scaling, KINDS))
    given = _Given(
        words, workers, warmup, seed, env or [], setup, startup, time_from, throughput_from, unit, kind
    )
    if resume:
        journal = _taken_up(out, given)
        order = commands.order_of(journal.campaign.head, str(out))
        limits = _limits(rounds, budget, until, journal.campaign.head.get("limits"))
        commands.checked(order.command, order.plan.counts)
        journal.add({"record": "resumed", **_now()})
    else:
        order = given.order()
        if emit_jobs is not None:
            _emit(order, rounds, emit_jobs, template)
            return
        if template is not None:
            raise ChoiceError("--template goes with --emit-jobs DIR")
        commands.checked(order.command, order.plan.counts)
        limits = _limits(rounds, budget, until, None)
        path = out if out is not None else commands.free_name(words)
        journal = Journal(order.head(asdict(limits)), path)
    _measure(order, limits, journal, answer)


@dataclass(frozen=True)
class _Given:
    """What the command line says about what is to be measured."""

    words: tuple[str, ...]
    workers: str
    warmup: int
    seed: int | None
    env: list[str]
    setup: str
    startup: str
    time_from: str
    throughput_from: str
    unit: str
    kind: str | None

    def order(self) -> Order:
        from scalewall.measurement import command as commands  # noqa: PLC0415 - not needed for --help
        from scalewall.measurement import counts, naming  # noqa: PLC0415
        from scalewall.measurement.plan import Plan  # noqa: PLC0415
        from scalewall.measurement.process import Command, option_pairs  # noqa: PLC0415
        from scalewall.workers import unit_of  # noqa: PLC0415

        if not self.workers:
            raise ChoiceError("-n is missing: give the worker counts, such as -n 1,2,4,8 or -n 1:64:x2")
        command = Command(
            self.words, option_pairs("--env", self.env), self.setup, self.time_from, self.throughput_from
        )
        kind = self.kind
        if kind is None and self.throughput_from:
            kind = "throughput"
        if kind == "throughput" and not self.throughput_from:
            raise ChoiceError("--scaling throughput needs a rate: say where it stands with --throughput-from")
        words = naming.unit(self.words, command.env)
        if self.unit:
            found = unit_of(self.unit)
            words = (
                found if found[0].lower() == self.unit.lower() else (self.unit, self.unit.removesuffix("s"))
            )
        seed = secrets.randbits(32) if self.seed is None else self.seed
        return commands.Order(
            command, Plan(counts.parse("-n", self.workers), self.warmup, seed), self.startup, kind, words
        )


def _taken_up(out: Path | None, given: _Given) -> Journal:
    from scalewall.measurement import counts  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement.journal import Journal  # noqa: PLC0415

    if out is None:
        raise ChoiceError("--resume needs --out FILE, the file that is to go on")
    journal = Journal.resume(out)
    head = journal.campaign.head
    told: dict[str, tuple[Any, Any]] = {
        "the command": (list(given.words), head.get("command")),
        "-n": (list(counts.parse("-n", given.workers)) if given.workers else [], head.get("counts")),
        "--time-from": (given.time_from, head.get("time_from")),
        "--throughput-from": (given.throughput_from, head.get("throughput_from")),
    }
    for name, (now, before) in told.items():
        if now and now != before:
            journal.close()
            raise ChoiceError(
                f"{name} differs from that of {out}: runs of two programs must not be mixed. Leave it out "
                "with --resume, or begin anew with another --out"
            )
    return journal


def _limits(rounds: int | None, budget: str, until: str, before: dict[str, Any] | None) -> Limits:
    from scalewall.measurement import budget as lengths  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement.stopping import Limits  # noqa: PLC0415

    if rounds is not None and rounds < 1:
        raise ChoiceError(f"--rounds is {rounds}: expected at least 1")
    before = before or {}
    budget_s = lengths.seconds("--budget", budget) if budget else before.get("budget_s")
    rounds = rounds if rounds is not None else before.get("rounds")
    most = None if rounds is not None else MOST_ROUNDS
    return Limits(rounds, most, budget_s, share("--until", until, 0.0, 0.02))


def _now() -> dict[str, Any]:
    from scalewall import machine  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement.journal import now  # noqa: PLC0415

    return {"environment": machine.environment(), "ended": now()}


def _emit(order: Order, rounds: int | None, directory: Path, template: Path | None) -> None:
    from scalewall.measurement import command as commands  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement import jobs  # noqa: PLC0415

    text = jobs.PLAIN
    if template is not None:
        try:
            text = template.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ReadError(f"--template {template} cannot be read: {error}") from None
    if len(order.plan.counts) > 1 and not order.command.varies:
        # The program may exist on the compute nodes only, but {n} must stand somewhere.
        commands.checked(order.command, order.plan.counts)
    scripts = jobs.emit(order, JOB_ROUNDS if rounds is None else rounds, directory, text)
    place = directory / jobs.SCRIPTS
    write(
        f"{len(scripts)} job scripts in {place}, named in the order in which to submit them:\n"
        f"  for job in {place}/*.sh; do sbatch $job; done\n"
        f"When they are done: scalewall collect {directory}\n"
    )


def _measure(order: Order, limits: Limits, journal: Journal, answer: Answer) -> None:
    from scalewall.cli.watching import Watching  # noqa: PLC0415 - not needed for --help
    from scalewall.measurement.process import Interrupts, Processes  # noqa: PLC0415
    from scalewall.measurement.rounds import Course  # noqa: PLC0415

    processes = Processes()
    watching = Watching(
        order.plan,
        limits,
        order.unit,
        answer.gain,
        rated=bool(order.command.throughput_from),
        colour=wants_colour(no_color=answer.output.no_color),
        records=[record for _, record in journal.campaign.records],
    )
    with Interrupts(processes) as interrupts:
        course = Course(
            order.plan,
            limits,
            journal,
            run=lambda n: processes.run(order.command, n),
            startup=(lambda n: processes.shell(order.startup, n)) if order.startup else None,
            local=not order.command.elsewhere,
            asked=lambda: interrupts.asked,
            cut_short=lambda: interrupts.cut_short,
            watch=watching,
        )
        try:
            stop = course.follow()
        finally:
            watching.clear()
            journal.close()
    finish(journal, stop, answer)


def finish(journal: Journal, stop: Stop, answer: Answer) -> None:
    """Say why a campaign ended, then the answer, then where the runs are."""
    from scalewall.fitting import fit  # noqa: PLC0415 - measuring comes first
    from scalewall.report import campaign  # noqa: PLC0415
    from scalewall.report.signs import Piece  # noqa: PLC0415

    found = journal.campaign
    try:
        runs = journal.runs()
    except ReadError as error:
        raise ScalewallError(f"nothing was measured: {error}. What was tried is in {journal.path}") from None
    output = answer.output
    if not output.as_json:
        spent = next((float(r["spent_s"]) for _, r in reversed(found.of("end")) if "spent_s" in r), 0.0)
        counted = found.of("run")
        lines = campaign.stopped(
            len(counted), len({r["round"] for _, r in counted}), spent, len(found.of("failed")), stop.text
        )
        show([(Piece(_plain(line)),) for line in (*lines, "")], colour=False)
    if len(runs) == 0:
        _nothing_left(journal, runs)
        return
    result = fit(runs, gain=answer.gain, cap=answer.cap, confirm=True)
    print_fits({"": result}, "", output)
    if not output.as_json:
        lines_ = campaign.split_lines(runs, str(found.head.get("elsewhere") or ""))
        colour = wants_colour(no_color=output.no_color)
        show([tuple(Piece(_plain(p.text), p.style) for p in line) for line in lines_], colour=colour)
    _saved(journal, runs, as_json=output.as_json)
    save_fits({"": result}, output)


def _nothing_left(journal: Journal, runs: Runs) -> None:
    """Say that every count lies beyond what this machine has: that is no fault of the program."""
    from scalewall.report.text import wrapped  # noqa: PLC0415 - rare

    text = (
        f"CANNOT TELL  anything about the program: every count had more {runs.unit} than this machine has "
        f"processors. {runs.rejected[0].reason}. Measure fewer {runs.unit}, or on a larger machine."
    )
    write("\n".join(map(_plain, wrapped(text, 0, 13))) + "\n")
    _saved(journal, runs, as_json=False)


def _saved(journal: Journal, runs: Runs, *, as_json: bool) -> None:
    rows = len(runs) + sum("keep-row" in row.reason for row in runs.rejected)
    path = journal.path
    text = f"Saved {path} ({rows} rows, with round and machine record). Again: scalewall fit {path}"
    if as_json:
        tell(text)
    else:
        from scalewall.report.text import wrapped  # noqa: PLC0415 - JSON does without

        write("\n" + "\n".join(map(_plain, wrapped(text, 0, 0))) + "\n")


def _plain(text: str) -> str:
    from scalewall.report.signs import plain_text  # noqa: PLC0415 - not needed for --help

    text = text.replace("\u00a0", " ").replace("×", "x")
    return plain_text(text) if ascii_only(sys.stdout) else text


__all__ = ["BAD_INPUT", "command", "finish"]
