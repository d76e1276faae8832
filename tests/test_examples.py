"""The scripts in examples/ run as they stand and say what they promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def output(*words: str) -> str:
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    found = subprocess.run(words, check=True, capture_output=True, text=True, env=env)
    return found.stdout


def test_a_function_is_measured_by_phases() -> None:
    text = output(sys.executable, str(EXAMPLES / "measure_function.py"))
    assert "Stopped: " in text
    assert re.search(r"^serial( +[\d.]+){5}$", text, re.MULTILINE)


def test_a_command_is_measured_and_compared() -> None:
    text = output("/bin/sh", str(EXAMPLES / "measure_command.sh"))
    assert "15 runs in 3 rounds" in text
    assert "Start-up alone (python3 -c pass)" in text
    assert "serial share, of the 1-worker time" in text


def test_two_kernels_are_measured_on_any_machine() -> None:
    text = output(sys.executable, str(EXAMPLES / "two_kernels.py"))
    assert re.findall(r"^== (.*?):", text, re.MULTILINE) == [
        "embarrassingly parallel",
        "three quarters under a lock",
    ]
    assert text.count("Stopped: ") == 2


def test_the_plateau_of_a_training_step_is_where_it_was_predicted() -> None:
    text = output(sys.executable, str(EXAMPLES / "training_step.py"))
    rows = re.findall(r"^ +(\d+) +([\d.]+) ms +([\d.]+) ms", text, re.MULTILINE)
    assert [int(n) for n, _, _ in rows] == [1, 2, 4, 8, 16]
    # Sleeping takes longer than asked for on a busy machine, and not always by as much.
    for _, predicted, measured in rows:
        assert 0.6 < float(predicted) / float(measured) < 1.6
    speedups = [float(rows[0][2]) / float(measured) for _, _, measured in rows]
    assert max(speedups) < 8  # nowhere near 16: it has a plateau
