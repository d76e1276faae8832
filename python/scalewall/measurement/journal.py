"""Records of a campaign: kept in memory, and written to a file one by one as they come."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from scalewall._errors import ReadError
from scalewall.readers import campaign
from scalewall.readers.campaign import FORMAT, Campaign

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scalewall.measurement.outcome import Outcome
    from scalewall.runs import Runs


def now() -> str:
    """Return the time of day for a record."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Takes the records of a campaign.

    With a file, every record is on the disk before `add` returns, so that neither Ctrl-C nor a crash of the
    machine loses a run that has ended.

    Parameters
    ----------
    head : mapping
        What is measured; written as the first record of a new file.
    path : Path, optional
        File to write; it must not exist yet.
    """

    def __init__(self, head: Mapping[str, Any], path: Path | None = None) -> None:
        self.path = path
        self._file: IO[str] | None = None
        self._campaign = Campaign({"record": "campaign", "format": FORMAT, "created": now()} | dict(head), [])
        self._line = 1
        if path is not None:
            try:
                self._file = path.open("x", encoding="utf-8")
            except FileExistsError:
                raise ReadError(
                    f"{path} exists already and is not written over: go on with --resume, or name another "
                    "--out"
                ) from None
            except OSError as error:
                raise unwritable(path, error) from None
            self._write(self._campaign.head)

    @classmethod
    def resume(cls, path: Path) -> Journal:
        """Return the journal of a file that exists, ready to go on, without a last line that was cut off."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ReadError(
                f"{path} cannot be read: {error.strerror or error}. --resume needs the file of the "
                "campaign that is to go on"
            ) from None
        # The last record may lack nothing but its line end.
        content += b"\n" if _is_record(content[content.rfind(b"\n") + 1 :]) else b""
        whole = content[: content.rfind(b"\n") + 1]
        text = whole.decode("utf-8", errors="replace")
        if not campaign.is_campaign(text):
            raise ReadError(f"{path} is no file of scalewall measure: --resume needs one")
        journal = cls.__new__(cls)
        journal.path = path
        journal._campaign = campaign.parse(text, path.name)
        journal._line = whole.count(b"\n")
        try:
            size = path.stat().st_size
            if len(whole) < size:
                os.truncate(path, len(whole))
            journal._file = path.open("a", encoding="utf-8")
            if len(whole) > size:
                journal._file.write("\n")
        except OSError as error:
            raise unwritable(path, error) from None
        return journal

    @property
    def campaign(self) -> Campaign:
        """Everything recorded so far."""
        return self._campaign

    def add(self, record: Mapping[str, Any]) -> None:
        """Take one record; on return it is on the disk, where there is a file."""
        self._line += 1
        self._campaign.records.append((self._line, dict(record)))
        self._write(record)

    def runs(self) -> Runs:
        """Return the runs so far, exactly as `scalewall.read` would return them."""
        name = "" if self.path is None else self.path.name
        return campaign.runs_of(self._campaign, name)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._file is None or self.path is None:
            return
        try:
            self._file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise unwritable(self.path, error) from None


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def unwritable(path: Path, error: OSError) -> ReadError:
    """Return the error of a file that cannot be written."""
    reason = error.strerror or str(error)
    return ReadError(f"{path} cannot be written: {reason}. Name another file with --out")


def record_of(outcome: Outcome, n: int, round_: int, order: int, around: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of one run.

    Parameters
    ----------
    outcome : Outcome
        What it gave.
    n, round_, order : int
        Worker count, round (from 1; warm-up rounds are 0, -1, ...), place in its round.
    around : mapping
        What went on around the run: what others used, and so on.
    """
    kind = "failed" if outcome.failure else "warmup" if round_ < 1 else "run"
    record: dict[str, Any] = {"record": kind, "round": round_, "order": order, "n": n}
    if outcome.failure:
        record |= {"reason": outcome.failure, "output": outcome.output}
    elif outcome.rate is not None:
        record["rate"] = outcome.rate
    else:
        record["time_s"] = outcome.seconds
    record["process_s"] = outcome.wall_s
    for name in ("user_s", "system_s", "preemptions", "switches", "peak_rss_bytes"):
        record[name] = getattr(outcome, name)
    record |= around
    if outcome.phases_ns:
        record["phases_ns"] = dict(outcome.phases_ns)
    if outcome.inside_ns:
        record["inside_ns"] = dict(outcome.inside_ns)
    return record | {"ended": now()}
