"""Gustafson's side: the serial fraction of weak scaling, where something beside the times is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import scalewall as sw

N = np.repeat([1.0, 4.0, 16.0, 64.0], 3)
SERIAL = 0.05  # Gustafson's s at every n: the serial phase takes 5 s of 100 s


def weak_runs(**columns: object) -> sw.Runs:
    rng = np.random.default_rng(7)
    time = 100.0 * np.exp(0.01 * rng.standard_normal(N.size))
    return sw.Runs(N, time=time, kind="weak", **columns)  # type: ignore[arg-type]


def test_times_alone_do_not_identify_the_serial_fraction() -> None:
    fit = sw.fit(weak_runs())
    assert fit.serial_fraction is None
    assert "cannot be read from weak-scaling times alone" in " ".join(fit.to_dict()["notes"])


def test_phase_times_give_the_share_of_t_of_n_with_the_t_interval_of_the_repeats() -> None:
    plain = weak_runs()
    serial = SERIAL * 100.0 * np.array([1.0, 1.01, 0.99] * 4)
    fit = sw.fit(weak_runs(serial=serial))
    shares = serial[-3:] / plain.time[-3:]
    half = stats.t.ppf(0.975, 2) * shares.std(ddof=1) / np.sqrt(3)
    assert fit.serial_fraction is not None
    assert fit.serial_fraction.value == pytest.approx(shares.mean(), rel=1e-12)
    assert fit.serial_fraction.low == pytest.approx(shares.mean() - half, rel=1e-9)
    assert fit.serial_fraction.high == pytest.approx(shares.mean() + half, rel=1e-9)
    assert "Gustafson" in fit.serial_fraction.of
    # f = s/(s + (1-s) n), Gustafson 1988: the same run as a share of its one-worker time.
    s = shares.mean()
    assert f"{s / (s + (1 - s) * 64):.3g} (Amdahl)" in " ".join(fit.to_dict()["notes"])


def test_the_time_of_the_big_problem_on_one_worker_gives_it_too() -> None:
    # Gustafson's S = s + (1 - s) n, so T(1) of the grown problem is S · T(n).
    plain = weak_runs()
    grown = (SERIAL + (1 - SERIAL) * N) * plain.time
    fit = sw.fit(weak_runs(one_worker=grown))
    assert fit.serial_fraction is not None
    assert fit.serial_fraction.value == pytest.approx(SERIAL, rel=1e-12)


def test_one_run_at_the_largest_count_has_no_interval_and_says_so() -> None:
    fit = sw.fit(sw.Runs([1, 2, 4, 8], time=[10, 10.1, 10.2, 10.3], serial=[0.5, 0.5, 0.5, 0.5], kind="weak"))
    assert fit.serial_fraction is not None
    assert (fit.serial_fraction.low, fit.serial_fraction.high) == (0.0, 1.0)
    assert "has no interval" in " ".join(fit.to_dict()["notes"])


def test_runs_without_a_measured_phase_are_left_out_of_the_mean() -> None:
    serial = np.full(N.size, 5.0)
    serial[-1] = np.nan
    fit = sw.fit(weak_runs(serial=serial))
    expected = 5.0 / weak_runs().time[-3:-1]
    assert fit.serial_fraction is not None
    assert fit.serial_fraction.value == pytest.approx(expected.mean(), rel=1e-12)
