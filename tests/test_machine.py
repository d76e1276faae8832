"""The record of the machine, on a tree of files with known content and on whatever runs the tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scalewall import machine

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return two sockets of two cores with two threads each, in a control group of 2.5 processors."""
    for cpu in range(8):
        place = f"sys/devices/system/cpu/cpu{cpu}"
        write(tmp_path, f"{place}/topology/physical_package_id", f"{cpu // 4}\n")
        write(tmp_path, f"{place}/topology/core_id", f"{cpu % 2}\n")
        write(tmp_path, f"{place}/cpufreq/scaling_governor", "powersave\n")
    write(tmp_path, "sys/devices/system/node/node0/x", "")
    write(tmp_path, "sys/devices/system/node/node1/x", "")
    write(tmp_path, "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n")
    write(tmp_path, "proc/self/cgroup", "0::/slice/job\n")
    write(tmp_path, "sys/fs/cgroup/cpu.max", "max 100000\n")
    write(tmp_path, "sys/fs/cgroup/slice/cpu.max", "250000 100000\n")
    write(tmp_path, "sys/fs/cgroup/slice/job/cpu.max", "400000 100000\n")
    write(tmp_path, "sys/fs/cgroup/slice/job/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 3\n")
    write(tmp_path, "proc/cpuinfo", "model name\t: Test CPU @ 1 GHz\nflags\t\t: fpu hypervisor sse\n")
    write(tmp_path, "proc/stat", "cpu  100 10 40 900 7 3 2 50 0 0\ncpu0 1 2 3\n")
    write(tmp_path, "proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n")
    return tmp_path


def test_what_the_files_say_is_in_the_record(tree: Path) -> None:
    found = machine.environment(tree)
    expected = {
        "processor": "Test CPU @ 1 GHz",
        "quota_cpus": 2.5,
        "threads_per_core": 2,
        "cores": 4,
        "sockets": 2,
        "numa_nodes": 2,
        "governor": "powersave",
        "turbo": False,
        "virtual": True,
    }
    assert {name: found[name] for name in expected} == expected


def test_counters_are_seconds(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 100)
    found = machine.counters(tree)
    assert found.busy_s == pytest.approx(1.55)  # user, nice, system, irq and softirq: not idle, not iowait
    assert (found.steal_s, found.throttled, found.pressure_s) == (0.5, 3, 2.5)


def test_what_others_used_is_what_is_busy_and_not_ours() -> None:
    before = machine.Counters(0, 10.0, 1.0, 3, 2.0)
    after = machine.Counters(4_000_000_000, 18.0, 1.2, 5, 3.0)
    found = machine.between(before, after, own_cpu_s=6.0)
    assert found == {"others_cpus": 0.5, "steal_cpus": 0.05, "pressure_share": 0.25, "throttled": 2}


def test_a_limit_of_the_first_version_of_control_groups_counts(tmp_path: Path) -> None:
    write(tmp_path, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n")
    write(tmp_path, "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
    assert machine.quota_cpus(tmp_path) == 1.5
    write(tmp_path, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
    assert machine.quota_cpus(tmp_path) is None


def test_where_nothing_is_told_there_is_none(tmp_path: Path) -> None:
    found = machine.environment(tmp_path)
    for name in ("quota_cpus", "threads_per_core", "cores", "sockets", "governor", "turbo", "virtual"):
        assert found[name] is None
    nothing = machine.counters(tmp_path)
    assert machine.between(nothing, nothing, own_cpu_s=1.0) == {
        "others_cpus": None,
        "steal_cpus": None,
        "pressure_share": None,
        "throttled": None,
    }


def test_this_machine_has_a_record_that_json_takes() -> None:
    found = machine.environment()
    assert json.loads(json.dumps(found)) == found
    assert 1 <= found["usable"] <= found["processors"]


def test_processors_are_written_as_the_kernel_writes_them() -> None:
    assert machine._spans([0, 1, 2, 3, 8, 10, 11]) == "0-3,8,10-11"
