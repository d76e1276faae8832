"""Campaigns for batch systems: one job script a run, in mixed order, and the collecting of what they left."""

from __future__ import annotations

import json
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from scalewall import machine
from scalewall._errors import ChoiceError, ReadError
from scalewall.measurement.command import Order, order_of
from scalewall.measurement.journal import Journal, now, record_of, unwritable
from scalewall.measurement.process import Processes
from scalewall.readers.campaign import FORMAT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

HEAD, SCRIPTS, RUNS = "campaign.json", "scripts", "runs"

PLAIN = "#!/bin/sh\n{command}\n"
"""The script where no template is given."""

_PLACES = ("command", "n", "round", "name", "dir")


class Job(NamedTuple):
    """One run of a campaign: its number in the order of submission, its round and its count."""

    number: int
    round: int
    order: int
    n: int

    @property
    def name(self) -> str:
        """Return the name of its files, which sort in the order of submission."""
        return f"{self.number:04d}-r{self.round}-n{self.n}"


def jobs_of(order: Order, rounds: int) -> list[Job]:
    """Return every run of a campaign: round after round, each in an order of its own."""
    found: list[Job] = []
    for round_ in range(1, rounds + 1):
        for place, n in enumerate(order.plan.order(round_), 1):
            found.append(Job(len(found) + 1, round_, place, n))
    return found


def emit(order: Order, rounds: int, directory: Path, template: str) -> list[Path]:
    """Write one job script a run, and what is needed to collect them; return the scripts in order.

    Parameters
    ----------
    order : Order
        What is to be measured.
    rounds : int
        Every count is run so often.
    directory : Path
        Where everything goes; it must be new or empty, and all machines must see it.
    template : str
        Script with `{command}`, which runs and records, and where wanted `{n}`, `{round}`, `{name}` and
        `{dir}`. `${n}` is left to the shell.

    Returns
    -------
    list of Path
        The scripts.
    """
    if "{command}" not in template:
        raise ChoiceError(
            "--template: {command} stands nowhere in it. Write it on a line of its own, where the program "
            "is to run"
        )
    directory = directory.absolute()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise ChoiceError(f"--emit-jobs: {directory} is not empty. Name a new directory")
        for part in (SCRIPTS, RUNS):
            (directory / part).mkdir()
        jobs = jobs_of(order, rounds)
        head = {"record": "campaign", "format": FORMAT, "created": now(), **order.head({"rounds": rounds})}
        head |= {"environment": None, "jobs": [list(job) for job in jobs]}
        (directory / HEAD).write_text(json.dumps(head) + "\n", encoding="utf-8")
        return [_script(directory, job, template) for job in jobs]
    except OSError as error:
        raise unwritable(directory, error) from None


def _script(directory: Path, job: Job, template: str) -> Path:
    words = (sys.executable, "-m", "scalewall.measurement.job", str(directory), str(job.number))
    values = {
        "command": shlex.join(words),
        "n": str(job.n),
        "round": str(job.round),
        "name": job.name,
        "dir": str(directory),
    }
    places = re.compile(r"(?<!\$)\{(" + "|".join(_PLACES) + r")\}")
    path = directory / SCRIPTS / f"{job.name}.sh"
    path.write_text(places.sub(lambda match: values[match[1]], template), encoding="utf-8")
    path.chmod(0o755)
    return path


def run_job(directory: Path, number: int) -> dict[str, Any]:
    """Run one job of a campaign where it stands, leave its record, and return it."""
    head = _head(directory)
    job = _jobs(head)[number - 1]
    order = order_of(head, str(directory))
    processes = Processes()
    before = machine.counters()
    outcome = processes.run(order.command, job.n)
    local = not order.command.elsewhere
    around = machine.between(before, machine.counters(), own_cpu_s=outcome.cpu_s if local else None)
    records = [record_of(outcome, job.n, job.round, job.order, around)]
    if order.startup:
        found = processes.shell(order.startup, job.n)
        if not found.failure:
            records.append({"record": "startup", "round": job.round, "n": job.n, "process_s": found.wall_s})
    records[0]["environment"] = machine.environment()
    path = directory / RUNS / f"{job.name}.jsonl"
    # Whoever collects while jobs still run must never see half a record.
    partial = path.with_suffix(".partial")
    try:
        partial.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    return records[0]


class Collected(NamedTuple):
    """What a directory of jobs has become: the journal, and the jobs that left nothing."""

    journal: Journal
    missing: list[Job]


def collect(directory: Path, out: Path) -> Collected:
    """Write what the jobs of a campaign left into one file that `scalewall fit` reads."""
    head = _head(directory)
    jobs = _jobs(head)
    found: list[tuple[Job, list[dict[str, Any]]]] = []
    missing = []
    for job in jobs:
        records = _records(directory / RUNS / f"{job.name}.jsonl")
        if records:
            found.append((job, records))
        else:
            missing.append(job)
    if not found:
        raise ReadError(
            f"{directory}: none of {len(jobs)} jobs has left a run. Submit the scripts in "
            f"{directory / SCRIPTS} and collect when they are done"
        )
    environments = [records[0].get("environment") for _, records in found]
    plain = {key: value for key, value in head.items() if key not in {"record", "format", "created", "jobs"}}
    journal = Journal(plain | {"environment": _common(environments)}, out)
    for _, records in found:
        for record in records:
            host = (record.pop("environment", None) or {}).get("host")
            journal.add(record | ({"host": host} if host else {}))
    text = f"{len(found)} of {len(jobs)} jobs were collected."
    journal.add({"record": "end", "reason": "collected", "text": text})
    return Collected(journal, missing)


def _common(environments: Sequence[Mapping[str, Any] | None]) -> dict[str, Any]:
    """Return what all machines have in common, and the names of all."""
    known = [environment for environment in environments if environment]
    if not known:
        return {}
    same = {k: v for k, v in known[0].items() if all(other.get(k) == v for other in known)}
    return same | {"hosts": sorted({str(environment.get("host")) for environment in known})}


def _head(directory: Path) -> dict[str, Any]:
    path = directory / HEAD
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadError(
            f"{path} cannot be read: {error.strerror or error}. Expected a directory that "
            "scalewall measure --emit-jobs made"
        ) from None
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT or "jobs" not in head:
        raise ReadError(f"{path} is not what scalewall measure --emit-jobs writes. Make the jobs anew")
    return head


def _jobs(head: Mapping[str, Any]) -> list[Job]:
    return [Job(*map(int, job)) for job in head["jobs"]]


def _records(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found
