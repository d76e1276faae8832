"""Ctrl-C before the command line has been loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scalewall._loading import is_command

PROGRAM = """
import os, signal, sys
signal.signal(signal.SIGINT, {before})
sys.orig_argv = {words!r}
import scalewall
{between}
os.kill(os.getpid(), signal.SIGINT)
print("goes on")
"""
COMMAND = ["python", "/usr/bin/scalewall", "fit"]


def interrupted(
    words: list[str], between: str = "", before: str = "signal.default_int_handler"
) -> tuple[int, str, str]:
    program = PROGRAM.format(words=words, between=between, before=before)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_one_line_and_130() -> None:
    assert interrupted(COMMAND) == (130, "", "scalewall: stopped by Ctrl-C.\n")


def test_another_program_keeps_its_ctrl_c() -> None:
    assert "KeyboardInterrupt" in interrupted(["python", "train.py"])[2]


def test_the_loaded_command_line_has_the_usual_ctrl_c() -> None:
    between = "from scalewall._loading import end_as_usual; end_as_usual()"
    assert "KeyboardInterrupt" in interrupted(COMMAND, between)[2]


def test_who_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    assert interrupted(COMMAND, before="signal.SIG_IGN") == (0, "goes on\n", "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["python", "/usr/bin/scalewall", "fit"], True),
        (["python", "-X", "dev", "-m", "scalewall", "fit"], True),
        (["python"], False),
        (["python", "-m", "pytest", "scalewall"], False),
        (["python", "-c", "import scalewall"], False),
    ],
)
def test_who_is_the_command_line(words: list[str], expected: bool) -> None:
    assert is_command(words) is expected
