"""`scalewall measure`, `collect` and `compare` as people call them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scalewall as sw
from scalewall.cli import run
from scalewall.report import campaign

SLEEPER = """import sys, time
n, total = int(sys.argv[1]), float(sys.argv[2])
begin = time.perf_counter()
time.sleep(0.1 * total)
time.sleep(0.9 * total / n)
print(f"elapsed {time.perf_counter() - begin:.6f}")
"""
ELAPSED = r"elapsed ([0-9.]+)"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working directory that holds a program of one tenth serial time, which only sleeps."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    return tmp_path


def sleeper(total: float, *, program: str = "sleeper.py") -> list[str]:
    return ["--time-from", ELAPSED, "--", sys.executable, program, "{n}", f"{total}"]


def shell(line: str) -> list[str]:
    return ["--", "/bin/sh", "-c", line]


def records(path: Path, kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [record for record in found if record["record"] == kind]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "scalewall", "measure", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def wait_for_runs(path: Path, count: int) -> None:
    for _ in range(600):
        if path.exists() and path.read_text().count('"record": "run"') >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} never held {count} runs")


def serial_share_holds(path: Path) -> None:
    fit = sw.fit(path)
    assert fit.serial_fraction is not None
    assert len(fit.runs) == 24
    assert 0.05 <= fit.serial_fraction.low <= 0.1 <= fit.serial_fraction.high <= 0.2


def test_a_sleeping_program_with_one_tenth_serial_time(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["measure", "-n", "1,2,3,4,6,8,12,16", "--rounds", "3", *sleeper(0.8)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("24 runs in 3 rounds, ")
    assert "Stopped: the 3 rounds asked for are done." in " ".join(shown.out.split())
    assert "Saved sleeper.runs.jsonl (24 rows, with round and machine record)." in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    fit = sw.fit("sleeper.runs.jsonl")
    assert fit.serial_fraction is not None
    assert len(fit.runs) == 24  # none is set aside: they only sleep
    # A late wake-up of a millisecond on a busy machine is a share of 0.001 here, ten times that of 8 s.
    assert 0.05 <= fit.serial_fraction.low <= 0.105
    assert 0.095 <= fit.serial_fraction.high <= 0.2


@pytest.mark.slow
def test_a_sleeping_program_of_four_seconds(here: Path) -> None:
    assert run(["measure", "-n", "1,2,3,4,6,8,12,16", "--rounds", "3", *sleeper(4.0)]) == 0
    serial_share_holds(here / "sleeper.runs.jsonl")


def test_the_answer_is_that_of_fit(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["measure", "-n", "1:8:x2", "--rounds", "2", "--out", "a.runs.jsonl", *sleeper(0.2)]) == 0
    measured_out = capsys.readouterr().out
    assert run(["fit", "a.runs.jsonl"]) == 0
    fit_out = capsys.readouterr().out
    assert fit_out.rstrip() in measured_out


def test_a_pipe_gets_one_line_a_round(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["measure", "-n", "1,2,4,8", "--rounds", "3", *sleeper(0.1)])
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"round {k} of 3" for k in (1, 2, 3)]
    assert "16 against 8 workers: " in lines[-1]
    assert "\x1b" not in "".join(lines)


def test_failed_runs_are_shown_with_their_output_and_not_counted(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = 'if [ $0 -eq 4 ]; then echo "out of memory on rank 3"; exit 7; fi; sleep 0.0$0'
    assert run(["measure", "-n", "1,2,4", "--rounds", "2", "--out", "a.jsonl", *shell(line), "{n}"]) == 0
    shown = capsys.readouterr()
    assert "The run on 4 workers in round 1 failed and does not count: exit code 7." in shown.err
    assert "  | out of memory on rank 3" in shown.err
    assert "4 runs in 2 rounds, 2 failed" in shown.out
    assert "the run on 4 workers failed (exit code 7)" in " ".join(shown.out.split())
    assert set(sw.read("a.jsonl").n.tolist()) == {1.0, 2.0}


def test_nothing_but_failures_exits_with_2(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["measure", "-n", "1,2", *shell("echo no licence; exit 1; {n}")]) == 2
    shown = capsys.readouterr()
    assert "no licence" in shown.err
    assert "nothing was measured" in shown.err
    assert shown.out == ""


def test_variables_setup_and_start_up(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--env", "OMP_NUM_THREADS={n}", "--setup", "echo {n} >> setups", "--startup", "sleep 0.05"]
    line = "sleep 0.1; echo $OMP_NUM_THREADS >> seen"
    assert run(["measure", "-n", "1,2", "--rounds", "2", "--out", "a.jsonl", *arguments, *shell(line)]) == 0
    assert Path("setups").read_text() == Path("seen").read_text()
    assert sorted(Path("seen").read_text().split()) == ["1", "1", "2", "2"]
    out = capsys.readouterr().out
    assert "Start-up alone (sleep 0.05) takes 0." in out
    assert "Nothing is subtracted." in " ".join(out.split())
    assert bool(np.all(sw.read("a.jsonl").time >= 0.1))
    assert sw.read("a.jsonl").unit == "threads"


def test_a_rate_gives_a_load_curve(here: Path) -> None:
    arguments = [
        "--throughput-from",
        r"rate (\d+)",
        *shell("sleep 0.1; echo rate $((1000 * $0 / (9 + $0)))"),
        "{n}",
    ]
    assert run(["measure", "-n", "1,2,4,8", "--rounds", "2", "--out", "a.jsonl", *arguments]) == 0
    runs = sw.read("a.jsonl")
    assert (runs.kind, runs.quantity) == ("throughput", "rate")
    assert sorted(set(runs.value.tolist())) == [100.0, 181.0, 307.0, 470.0]


def test_the_split_into_idle_and_added_computing_is_exact() -> None:
    n = np.array([1.0, 2, 4, 1, 2, 4])
    wall = np.array([10.0, 6.0, 4.5, 10.2, 6.1, 4.4])
    user, system = np.array([9.0, 9.5, 11.0, 9.1, 9.4, 11.2]), np.full(6, 0.5)
    extra = {"process_s": wall, "user_s": user, "system_s": system}
    found = campaign.split(sw.Runs(n, time=wall - 0.2, kind="strong", extra=extra))
    assert found is not None
    np.testing.assert_allclose(found.idle + found.inflation, found.total, rtol=1e-12)
    np.testing.assert_allclose(found.total, [(2 * 6.05 - 10.1) / 10.1, (4 * 4.45 - 10.1) / (3 * 10.1)])
    np.testing.assert_allclose(found.inflation, [0.4 / 10.1, 2.05 / (3 * 10.1)])


def test_a_command_has_a_split_and_one_without_one_worker_has_none(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["measure", "-n", "1,2,4", "--rounds", "2", *sleeper(0.4)]) == 0
    out = capsys.readouterr().out
    assert "Where e(n) came from  of the 1-worker time, whole process" in out
    found = campaign.split(sw.read("sleeper.runs.jsonl"))
    assert found is not None
    assert bool(np.all(found.idle > found.inflation))  # it sleeps
    assert run(["measure", "-n", "2,4,8", "--rounds", "2", *sleeper(0.2)]) == 0
    assert "Where e(n) came from" not in capsys.readouterr().out


def test_a_launcher_has_no_split_and_says_so(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "srun").write_text("#!/bin/sh\nsleep 0.0$2\n")
    (here / "srun").chmod(0o755)
    monkeypatch.setenv("PATH", str(here), prepend=os.pathsep)
    assert run(["measure", "-n", "1,2", "--rounds", "1", "--", "srun", "-n", "{n}", "./solver"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "unknown, since srun runs the work where its processor time cannot be seen" in out
    runs = sw.read("solver.runs.jsonl")
    assert "user_s" not in runs.extra
    assert runs.unit == "ranks"


def test_ctrl_c_keeps_what_there_is_and_resume_goes_on(here: Path) -> None:
    path = here / "a.jsonl"
    process = start("-n", "1,2,4", "--rounds", "4", "--out", str(path), *sleeper(0.4))
    wait_for_runs(path, 4)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"Stopped: you asked for it." in out
    before = sw.read(path)
    assert 4 <= len(before) < 12
    assert run(["measure", "--resume", "--out", str(path)]) == 0
    after = sw.read(path)
    assert len(after) == 12
    assert after.time[: len(before)].tolist() == before.time.tolist()
    assert len(records(path, "campaign")) == 1


def test_a_killed_harness_loses_nothing_that_had_ended(here: Path) -> None:
    path = here / "a.jsonl"
    process = start("-n", "1,2,4", "--rounds", "4", "--out", str(path), *sleeper(0.4))
    wait_for_runs(path, 3)
    process.kill()
    process.communicate(timeout=60)
    assert len(sw.read(path)) >= 3
    with path.open("a") as file:
        file.write('{"record": "run", "round": 2, "n"')
    assert run(["measure", "--resume", "--out", str(path)]) == 0
    assert len(sw.read(path)) == 12
    assert not sw.read(path).rejected


def test_another_program_cannot_go_on_with_the_runs_of_this_one(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["measure", "-n", "1,2", "--rounds", "1", "--out", "a.jsonl", *sleeper(0.02)])
    capsys.readouterr()
    other = ["measure", "--resume", "--out", "a.jsonl"]
    assert run([*other, "-n", "1,2,4", *sleeper(0.02)]) == 2
    assert run([*other, *shell("true {n}")]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert "-n differs from that of a.jsonl" in errors[0]
    assert "the command differs from that of a.jsonl" in errors[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "1,2"], "the command is missing"),
        (["--", "true", "{n}"], "-n is missing"),
        (["-n", "1,2", "--", "true"], "{n} stands nowhere in the command or in --env"),
        (["-n", "1,x", "--", "true", "{n}"], '-n is "1,x"'),
        (["-n", "1,2", "--", "/no/such", "{n}"], '"/no/such" is no program that can be run here'),
        (["-n", "1,2", "--time-from", "x", "--", "true", "{n}"], "has no group"),
        (["-n", "1,2", "--budget", "soon", "--", "true", "{n}"], '--budget is "soon"'),
        (["-n", "1,2", "--env", "X", "--", "true", "{n}"], "expected NAME=value"),
        (["-n", "1,2", "--rounds", "0", "--", "true", "{n}"], "--rounds is 0"),
        (["-n", "1,2", "--scaling", "throughput", "--", "true", "{n}"], "needs a rate"),
        (["--resume", "--", "true", "{n}"], "--resume needs --out FILE"),
        (["-n", "1,2", "--out", "/no/dir/a.jsonl", "--", "true", "{n}"], "cannot be written"),
    ],
)
def test_what_cannot_be_measured_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["measure", *arguments]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert [path.name for path in here.iterdir()] == ["sleeper.py"]


def test_runs_are_never_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["measure", "-n", "1,2", "--rounds", "1", "--json"]
    assert run([*words, *sleeper(0.01)]) == 0
    assert run([*words, *sleeper(0.01)]) == 0
    assert (here / "sleeper.2.runs.jsonl").exists()
    assert run([*words, "--out", "sleeper.runs.jsonl", *sleeper(0.01)]) == 2
    assert "exists already" in capsys.readouterr().err


def test_json_is_one_object_and_the_same_as_that_of_fit(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["measure", "-n", "1,2,4,8", "--rounds", "2", "--json", *sleeper(0.1)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "scalewall.fit/1"
    assert found == sw.fit("sleeper.runs.jsonl").to_dict()


def emit(here: Path, *more: str) -> list[Path]:
    (here / "job.sh").write_text(
        "#!/bin/sh\n#SBATCH -n {n} -J {name}\necho ${n} {dir} >/dev/null\n{command}\n"
    )
    words = ["measure", "-n", "1,2,4,8", "--rounds", "3", "--emit-jobs", "jobs", "--template", "job.sh"]
    assert run([*words, *more]) == 0
    return sorted((here / "jobs" / "scripts").iterdir())


def test_jobs_are_written_run_and_collected(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scripts = emit(here, *sleeper(0.1, program=str(here / "sleeper.py")))
    assert len(scripts) == 12
    text = scripts[0].read_text()
    assert "echo ${n} " in text  # left to the shell
    assert f"-J {scripts[0].stem}" in text
    counts = [int(script.stem.rpartition("n")[2]) for script in scripts]
    assert [sorted(counts[k : k + 4]) for k in (0, 4, 8)] == [[1, 2, 4, 8]] * 3
    for script in scripts[:-1]:
        subprocess.run([str(script)], check=True, cwd="/")
    capsys.readouterr()
    assert run(["collect", "jobs"]) == 0
    shown = capsys.readouterr()
    assert f"1 jobs have left nothing yet: {scripts[-1].stem}." in shown.err
    assert "11 of 12 jobs were collected." in " ".join(shown.out.split())
    subprocess.run([str(scripts[-1])], check=True)
    assert run(["collect", "jobs", "--out", "all.jsonl"]) == 0
    runs = sw.read("all.jsonl")
    assert len(runs) == 12
    assert runs.round is not None
    assert runs.environment["hosts"] == [os.uname().nodename]


def test_a_failed_job_is_shown_and_not_counted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = 'if [ $0 -eq 8 ]; then echo "no space"; exit 9; fi'
    codes = [
        subprocess.run([str(s)], check=False, capture_output=True).returncode
        for s in emit(here, *shell(line), "{n}")
    ]
    assert sorted(codes) == [0] * 9 + [1] * 3
    capsys.readouterr()
    assert run(["collect", "jobs"]) == 0
    shown = capsys.readouterr()
    assert "  | no space" in shown.err
    assert set(sw.read("jobs/runs.jsonl").n.tolist()) == {1.0, 2.0, 4.0}


def test_what_is_no_directory_of_jobs_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["collect", str(here)]) == 2
    assert "Expected a directory that scalewall measure --emit-jobs made" in capsys.readouterr().err
    emit(here, *shell("true {n}"))
    assert run(["collect", "jobs"]) == 2
    assert "none of 12 jobs has left a run" in capsys.readouterr().err
    assert run(["measure", "-n", "1,2", "--emit-jobs", "jobs", *shell("true {n}")]) == 2
    assert "is not empty" in capsys.readouterr().err
    Path("bad.sh").write_text("#!/bin/sh\n")
    assert run(["measure", "-n", "1,2", "--emit-jobs", "j2", "--template", "bad.sh", *shell("true {n}")]) == 2
    assert "{command} stands nowhere" in capsys.readouterr().err


def table(path: Path, f: float, seed: int) -> str:
    rng = np.random.default_rng(seed)
    rows = [
        f"{k},{n},{10 * (f + (1 - f) / n) * np.exp(rng.normal(0, 0.005)):.6f}"
        for k in (1, 2, 3)
        for n in (1, 2, 4, 8, 16)
    ]
    path.write_text("round,threads,time_s\n" + "\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize(
    ("f", "options", "code", "word"),
    [
        (0.10, [], 1, "WORSE"),
        (0.10, ["--tolerance", "0.1"], 0, "NO WORSE"),
        (0.10, ["--at", "16", "--tolerance", "5%"], 1, "WORSE"),
        (0.10, ["--at", "16", "--tolerance", "200%"], 0, "NO WORSE"),
        (0.02, [], 0, "BETTER"),
        (0.05, [], 0, "CANNOT TELL"),
    ],
)
def test_compare_is_a_gate(  # noqa: PLR0917 - pytest passes them by name
    f: float, options: list[str], code: int, word: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = table(here / "a.csv", 0.05, 1), table(here / "b.csv", f, 2)
    assert run(["compare", a, b, *options]) == code
    assert capsys.readouterr().out.startswith(f"{word}  The ")
    assert run(["compare", a, b, *options, "--json"]) == code
    assert json.loads(capsys.readouterr().out)["answer"] == word.lower()


def test_compare_refuses_what_it_cannot_compare(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = table(here / "a.csv", 0.05, 1)
    assert run(["compare", a, a, "--at", "3"]) == 2
    assert run(["compare", a, a, "--tolerance", "much"]) == 2
    assert run(["compare", a, "missing.csv"]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_columns_of_a_measured_file_need_no_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["measure", "-n", "1,2", "--rounds", "1", "--out", "a.jsonl", *sleeper(0.02)])
    capsys.readouterr()
    assert run(["fit", "a.jsonl", "--time", "process_s"]) == 2
    assert "Leave out --time" in capsys.readouterr().err
