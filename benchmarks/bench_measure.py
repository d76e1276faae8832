"""What the harness itself costs: a phase, a record on the disk, a decision after a round, a process."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import scalewall as sw
from scalewall.measurement.journal import Journal, record_of
from scalewall.measurement.outcome import Outcome
from scalewall.measurement.process import Command, Processes
from scalewall.measurement.recorder import Recorder, recording
from scalewall.measurement.stopping import Limits

HEAD = {"command": ["x"], "counts": [1, 2], "seed": 1, "unit": ["threads", "thread"], "kind": "strong"}


class Phase:
    """The stamps around one phase, inside a measurement and outside."""

    params = ("inside", "outside")
    param_names = ("measurement",)

    def setup(self, measurement: str) -> None:
        self.recording = recording(Recorder()) if measurement == "inside" else None
        if self.recording is not None:
            self.recording.__enter__()

    def teardown(self, measurement: str) -> None:
        if self.recording is not None:
            self.recording.__exit__()

    def time_thousand(self, measurement: str) -> None:
        for _ in range(1000):
            with sw.phase("x"):
                pass


class Campaign:
    """Everything that happens between two runs."""

    def setup(self) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.journal = Journal(HEAD, Path(self.directory.name) / "x.runs.jsonl")
        self.record = record_of(Outcome(1.0, 1.0, 0.1, 3, 4, 1 << 20), 2, 1, 1, {"others_cpus": 0.1})
        n = np.tile([1.0, 2, 4, 8, 16, 32], 4)
        time = (0.05 + 0.95 / n) * np.exp(np.random.default_rng(1).normal(0, 0.03, n.size))
        self.runs = sw.Runs(n, time=time, round=np.repeat([1, 2, 3, 4], 6), kind="strong")
        self.processes = Processes()

    def teardown(self) -> None:
        self.journal.close()
        self.directory.cleanup()

    def time_record(self) -> None:
        self.journal.add(self.record)

    def time_decision(self) -> None:
        Limits(until=1e-6).after_round(self.runs, 4, 1.0)

    def time_process(self) -> None:
        self.processes.run(Command(("true",)), 1)
