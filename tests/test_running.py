"""The screen of a campaign under way: what stands where, how it is redrawn, and its forms without colour."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import scalewall as sw
from scalewall.report import campaign, running
from scalewall.report.text import to_text

COUNTS = (1, 2, 4, 8, 16)
SNAPSHOTS = Path(__file__).parent / "snapshots"


def state(rounds: int = 2) -> running.Running:
    rng = np.random.default_rng(5)
    n = np.tile(np.array(COUNTS, dtype=float), rounds)
    time_s = 95.6 * (0.1 + 0.9 / n) * np.exp(rng.normal(0, 0.05, n.size))
    at = np.repeat(np.arange(1, rounds + 1), len(COUNTS))
    found = running.Running(
        COUNTS, "threads", 8, fixed=False, round=rounds + 1, current=4, done=12, total=40, left_s=1560.0
    )
    found.values = {int(k): time_s[n == k].tolist() for k in COUNTS}
    for last in range(1, rounds + 1):
        runs = sw.Runs(
            n[at <= last], time=time_s[at <= last], round=at[at <= last], kind="strong", unit="threads"
        )
        found.ranges.append((last, sw.fit(runs)))
    return found


@pytest.mark.parametrize(("name", "ascii_only"), [("running", False), ("running_ascii", True)])
def test_the_screen_is_as_it_was_agreed(name: str, ascii_only: bool) -> None:
    text = to_text(running.screen(state(), ascii_only=ascii_only)) + "\n"
    path = SNAPSHOTS / f"{name}.txt"
    assert text == path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii() is ascii_only


def test_the_screen_says_what_is_known() -> None:
    text = running.text(state())
    assert text.startswith("round 3 of at most 8   ██████              12 of 40 runs  26 min left at most")
    assert re.search(r"^ +4 .*   running$", text, re.MULTILINE)
    assert re.search(r"^32 threads against 16, as of now: .*\(95 %\)$", text, re.MULTILINE)
    assert [line.split("  ")[1] for line in text.splitlines() if line.startswith("  round ")] == [
        "round 1",
        "round 2",
    ]
    assert "Ctrl-C stops after this run and keeps what there is." in text


def test_before_the_first_run_there_is_a_screen_too() -> None:
    empty = running.Running((1, 2), "threads", None, fixed=False)
    assert running.text(empty).startswith("round 1   0 runs\n")
    assert "against" not in running.text(empty)


def test_the_mean_of_every_count_and_its_scatter_are_shown() -> None:
    found = running.Running((1, 2), "threads", 3, fixed=True)
    found.values = {1: [1.0, 1.21], 2: [0.5]}
    rows = running.text(found).splitlines()[3:5]
    assert rows[0].split()[:4] == ["1", "1.10", "s", "13.5"]  # sd of two logs: 0.19 / root 2
    assert rows[1].split()[:3] == ["2", "0.500", "s"]
    assert rows[1].rstrip().endswith("2.2x")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.04 s"), (7.4, "7 s"), (99.0, "99 s"), (100.0, "2 min"), (1560.0, "26 min"), (7200.0, "2.0 h")],
)
def test_waiting_times(seconds: float, words: str) -> None:
    assert running.duration(seconds) == words


def test_what_a_failed_run_wrote_cannot_steer_the_terminal() -> None:
    text = campaign.failure(4, 2, "threads", "exit code 1", "a\x1b[2Jb\nlast")
    assert "\x1b" not in text
    assert text.splitlines()[-1] == "  | last"
    assert "It wrote nothing." in campaign.failure(1, 0, "thread", "exit code 1", "")


def read_terminal(words: list[str], cwd: Path, seconds: float = 60.0) -> str:
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "40", "NO_COLOR": "1"}
    process = subprocess.Popen(words, cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    shown, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.2)
        if ready:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        elif process.poll() is not None:
            break
    os.close(ours)
    assert process.wait(10) == 0
    return shown.decode("utf-8")


def on_screen(stream: str) -> list[str]:
    """Return what is left on a terminal that knows `up k lines` and `clear from here`."""
    lines: list[str] = [""]
    for part in re.split(r"(\x1b\[\d+F\x1b\[J|\r?\n)", stream):
        up = re.fullmatch(r"\x1b\[(\d+)F\x1b\[J", part)
        if up:
            del lines[len(lines) - 1 - int(up[1]) :]
            lines.append("")
        elif part in {"\n", "\r\n"}:
            lines.append("")
        else:
            lines[-1] += part
    return lines


def test_a_terminal_is_redrawn_in_place_and_ends_with_the_answer_alone(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "scalewall", "measure", "-n", "1,2,4,8", "--rounds", "2"]
    stream = read_terminal([*words, "--", "/bin/sh", "-c", "sleep 0.0$((16 / $0))", "{n}"], tmp_path)
    assert stream.count("\x1b[J") >= 8
    assert stream.count("Order is mixed in every round") >= 8
    left = "\n".join(on_screen(stream))
    assert "Order is mixed" not in left
    assert left.lstrip().startswith("8 runs in 2 rounds, ")
    assert left.count("Saved ") == 1
