"""Which column plays which role: names, plurals, units, rates per worker; and columns that compete."""

from __future__ import annotations

import numpy as np
import pytest

from scalewall._errors import ColumnError
from scalewall.readers import read

WORKERS = (
    "n",
    "workers",
    "threads",
    "processes",
    "procs",
    "processors",
    "cpus",
    "cores",
    "ranks",
    "tasks",
    "nodes",
    "gpus",
    "devices",
    "users",
    "connections",
    "clients",
    "load",
    "concurrency",
)
TIMES = ["time", "time_s", "wall", "wall_s", "wall_ms", "elapsed", "seconds", "duration", "runtime"]
RATES = ["throughput", "rate", "tput", "fom", "ops", "qps", "tps"]


def refused(text: str, **options: str | int) -> str:
    with pytest.raises(ColumnError) as error:
        read(text, name="runs.csv", **options)  # type: ignore[arg-type]
    assert str(error.value).startswith("runs.csv: ")
    assert "\n" not in str(error.value)
    return str(error.value)


def singular(word: str) -> str:
    return {"processes": "process"}.get(word, word.removesuffix("s") or word)


@pytest.mark.parametrize("change", [str, str.upper, str.title, singular, " {} ".format])
@pytest.mark.parametrize("name", WORKERS)
def test_worker_columns(name: str, change: object) -> None:
    header = change(name)  # type: ignore[operator]
    runs = read(f"{header},time\n1,4\n2,3\n")
    assert runs.n.tolist() == [1, 2]
    assert runs.columns["n"] == header.strip()


@pytest.mark.parametrize("change", [str, str.upper, str.title])
@pytest.mark.parametrize("name", TIMES)
def test_time_columns(name: str, change: object) -> None:
    header = change(name)  # type: ignore[operator]
    runs = read(f"n,{header}\n1,4\n2,3\n")
    assert runs.quantity == "time"
    assert runs.value.tolist() == [4, 3]
    assert runs.time.tolist() == ([0.004, 0.003] if "ms" in name else [4, 3])


@pytest.mark.parametrize("change", [str, str.upper, str.title])
@pytest.mark.parametrize(
    "name", [*RATES, "fom_problem1", "fom_max", "ops/s", "ops_per_s", "throughput (MB/s)"]
)
def test_rate_columns(name: str, change: object) -> None:
    header = change(name)  # type: ignore[operator]
    runs = read(f"n,{header}\n1,4\n2,8\n")
    assert runs.quantity == "rate"
    assert runs.value.tolist() == [4, 8]
    assert runs.time.tolist() == [0.25, 0.125]


def test_a_rate_per_minute_is_turned_into_seconds() -> None:
    runs = read("n,throughput_per_min,work\n1,60,120\n2,120,120\n")
    np.testing.assert_allclose(runs.time, [120, 60])
    assert runs.value.tolist() == [60, 120]


@pytest.mark.parametrize(
    "name",
    [
        "fom_per_node",
        "FOM_per_nodes",
        "throughput_per_node",
        "fom_per_node_max",
        "ops_per_s_per_node",
        "tflops_per_node",
    ],
)
def test_a_rate_per_worker_is_multiplied_by_the_count_and_said(name: str) -> None:
    runs = read(f"nodes,{name}\n1,10\n4,8\n", kind="strong")
    np.testing.assert_allclose(runs.time, [1 / 10, 1 / 32])
    assert runs.value.tolist() == [10, 8]
    (note,) = runs.notes
    assert note.code == "per_worker_rate"
    assert note.text == f'Column "{name}" is a rate per node: multiplied by the number of nodes.'
    generic = read(f"n,{name}\n1,10\n4,8\n", kind="strong")
    np.testing.assert_allclose(generic.time, [1 / 10, 1 / 32])


def test_a_rate_per_another_worker_uses_its_column_or_says_what_it_takes() -> None:
    runs = read("nodes,gpus,fom_per_gpu\n1,4,10\n2,8,9\n", n="nodes", kind="strong")
    np.testing.assert_allclose(runs.time, [1 / 40, 1 / 72])
    assert 'multiplied by column "gpus"' in runs.notes[0].text
    assert runs.extra["gpus"].tolist() == [4, 8]
    alone = read("nodes,fom_per_gpu\n1,10\n2,9\n", kind="strong")
    np.testing.assert_allclose(alone.time, [1 / 10, 1 / 18])
    assert "only if every node has the same number of GPUs" in alone.notes[0].text


def test_a_rate_per_worker_that_the_caller_names() -> None:
    text = "gpus,samples_per_gpu\n1,10\n2,9\n"
    assert "--throughput samples_per_gpu" in refused(text)
    runs = read(text, throughput="samples_per_gpu", kind="strong")
    np.testing.assert_allclose(runs.time, [1 / 10, 1 / 18])


def test_work_and_round_by_name() -> None:
    runs = read("n,time,Work,Rounds\n1,4,7,1\n2,2,7,2\n4,1,7,\n")
    assert runs.kind == "strong"
    assert runs.work is not None
    assert runs.work.tolist() == [7, 7, 7]
    assert runs.round is not None
    assert runs.round.tolist() == [1, 2, -1]
    assert not runs.extra


def test_rounds_can_be_words() -> None:
    runs = read("n,time,round\n1,4,warm\n2,2,warm\n1,4,\n2,2,cold\n")
    assert runs.round is not None
    assert runs.round.tolist() == [0, 0, -1, 1]
    assert not runs.rejected


def test_flags_are_names_in_any_case_or_numbers() -> None:
    text = "Cells,Procs,total_s,Fom\n5,1,4,9\n5,2,3,9\n"
    for time in ("total_s", "TOTAL_S", "3", 3):
        runs = read(text, time=time)
        assert runs.time.tolist() == [4, 3]
        assert list(runs.extra) == ["Cells", "Fom"]
    assert read(text, n="cells", time="total_s").n.tolist() == [5, 5]
    assert read(text, time="total_s", work="cells").kind == "strong"


def test_a_flag_decides_between_time_and_rate() -> None:
    text = "n,time,fom\n1,4,9\n2,3,11\n"
    assert refused(text) == (
        'runs.csv: a time ("time") and a rate ("fom") stand side by side, and only one is what was measured. '
        'Say --time time or --throughput fom. The columns are "n", "time", "fom"'
    )
    assert read(text, time="time").quantity == "time"
    assert read(text, throughput="fom").quantity == "rate"
    assert "both are given (--time and --throughput)" in refused(text, time="time", throughput="fom")


def test_two_columns_for_one_role_are_both_listed() -> None:
    assert refused("nodes,ranks,time\n1,2,3\n") == (
        'runs.csv: two columns could be the worker count: "nodes", "ranks". Say --n nodes or --n ranks. '
        'The columns are "nodes", "ranks", "time"'
    )
    assert "--n nodes or --n hw_threads" in refused("nodes,hw_threads,threads_per_core,time\n1,2,1,3\n")
    assert "two columns could be the rate" in refused("n,fom_a,fom_b\n1,2,3\n")
    assert "--throughput fom_a or --throughput fom_b" in refused("n,fom_a,fom_b\n1,2,3\n")
    assert "--time wall or --time elapsed" in refused("n,wall,elapsed\n1,2,3\n")
    assert "three columns could be the worker count" in refused("nodes,ranks,gpus,time\n1,2,3,4\n")
    assert "--throughput 'fom a'" in refused("n,fom a,fom b\n1,2,3\n")


def test_all_that_competes_is_said_at_once() -> None:
    said = refused("nodes,ranks,wall_s,fom\n1,2,3,4\n")
    for flag in ("--n nodes", "--n ranks", "--time wall_s", "--throughput fom"):
        assert flag in said


@pytest.mark.parametrize(
    ("header", "flag"),
    [
        ("cores,total_bw_MBps", "--throughput total_bw_MBps"),
        ("cores,aggregate_fom", "--throughput aggregate_fom"),
        ("cores,ns_per_day", "--throughput ns_per_day"),
        ("cores,iter_per_s", "--throughput iter_per_s"),
        ("cores,cpu_time", "--time cpu_time"),
        ("cores,total_s", "--time total_s"),
        ("cores,latency_ms", "--time latency_ms"),
        ("pes_per_numa,fom", "--n pes_per_numa"),
        ("cores,x", "--time COLUMN or --throughput COLUMN"),
        ("x,time", "--n COLUMN"),
    ],
)
def test_a_missing_column_names_what_comes_near(header: str, flag: str) -> None:
    said = refused(f"{header}\n1,2\n2,3\n")
    assert f"Say {flag}." in said
    assert "The columns are " + ", ".join(f'"{name}"' for name in header.split(",")) in said


@pytest.mark.parametrize(
    "extra",
    [
        "threads_per_core",
        "throughput_stddev",
        "fom_unit",
        "cpu_load",
        "efficiency",
        "timestamp",
        "published_speedup",
        "cpu_time",
        "workload",
        "run",
        "hostname",
    ],
)
def test_other_columns_compete_for_nothing(extra: str) -> None:
    for measured in ("time", "fom"):
        runs = read(f"threads,{measured},{extra}\n1,4,5\n2,3,6\n")
        assert runs.n.tolist() == [1, 2]
        assert list(runs.extra) == [extra]


def test_qualified_worker_names_count_alone_and_compete_beside_others() -> None:
    for name in (
        "num_threads",
        "nthreads",
        "numThreads",
        "mpi_ranks",
        "hw_threads",
        "n_gpus",
        "total_cores",
        "np",
    ):
        assert read(f"{name},time\n1,4\n2,3\n").n.tolist() == [1, 2]
        assert name in refused(f"workers,{name},time\n1,2,4\n")


def test_columns_that_are_not_there() -> None:
    assert refused("nodes,time\n1,2\n", n="node_count") == (
        'runs.csv: there is no column "node_count". The columns are "nodes", "time". Say --n COLUMN'
    )
    assert refused("nodes,time\n1,2\n", n="node").endswith("Say --n nodes")
    assert "there is no column 5, only 2" in refused("nodes,time\n1,2\n", time="5")
    assert 'column "nodes" is given for two roles (--n and --work)' in refused(
        "nodes,time\n1,2\n", n=1, work=1
    )


def test_names_that_stand_twice() -> None:
    said = refused("n,time,time\n1,2,3\n2,1,2\n")
    assert 'the name "time" stands over columns 2 and 3' in said
    assert "--time 2" in said
    assert read("n,time,time\n1,2,3\n2,1,2\n", time=3).time.tolist() == [3, 2]
    assert "stands over columns 2 and 3" in refused("n,x,x\n1,2,3\n", time="x")


def test_serial_and_one_worker_columns_by_flag_with_units() -> None:
    runs = read("n,time,s_ms,big_s\n1,4,500,4\n2,3,,8\n", serial="s_ms", one_worker="big_s")
    assert runs.serial is not None
    assert runs.one_worker is not None
    np.testing.assert_array_equal(runs.serial, [0.5, np.nan])
    assert runs.one_worker.tolist() == [4, 8]
    assert not runs.rejected


def test_options_reach_the_runs() -> None:
    text = "nodes,time,particles\n1,4,10\n2,4,20\n4,4,40\n8,4,80\n16,4,5\n0.5,4,5\n"
    runs = read(text, work="particles", keep_rows=[6], min_n=0.5, unit="boards")
    assert runs.kind == "weak"
    assert len(runs) == 6
    assert runs.unit == "boards"
    assert read(text, work="particles").rejected[0].reason.endswith("Put it back with --keep-row 6")
    assert read("n,fom\n1,2\n2,3\n", kind="throughput").kind == "throughput"


def test_every_column_that_comes_near_is_offered() -> None:
    rows = {
        "threads": [1, 2],
        **{f"{kind}_rate": [1.0, 2.0] for kind in ("call", "exec", "lio", "txn", "io")},
    }
    with pytest.raises(ColumnError, match=r"--throughput txn_rate or --throughput io_rate\."):
        read(rows)
