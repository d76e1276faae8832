"""Every published case of the laws, to 1e-12 relative: 40-digit values, checked by simulation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scalewall import laws

MODELS = json.loads((Path(__file__).parent / "golden" / "formulas.json").read_text())["models"]
CASES = [
    pytest.param(model["id"], case, id=f"{model['id']}-{i}")
    for model in MODELS
    if model["room"] == "laws"
    for i, case in enumerate(model["cases"])
]
Outputs = dict[str, npt.ArrayLike]


def amdahl(f: float, p: float) -> Outputs:
    answers: Outputs = {
        "S": laws.amdahl_speedup(p, serial=f),
        "E": laws.amdahl_efficiency(p, serial=f),
        "S_inf": laws.amdahl_ceiling(serial=f),
        "dS_dp": laws.amdahl_slope(p, serial=f),
        "p_at_E_half": laws.amdahl_knee(serial=f),
    }
    if 0 < f < 0.1:
        answers["p_for_S_10"] = laws.amdahl_workers(speedup=10, serial=f)
    return answers


def amdahl_knee(f: float) -> Outputs:
    p_star = laws.amdahl_kleinrock(serial=f)
    return {
        "p_star": p_star,
        "S_star": laws.amdahl_speedup(p_star, serial=f),
        "E_star": laws.amdahl_efficiency(p_star, serial=f),
    }


def gustafson(s: float, p: float) -> Outputs:
    f = laws.serial_fraction(p, gustafson=s, to="amdahl")
    return {
        "S": laws.gustafson_speedup(p, serial=s),
        "f_equivalent": f,
        "amdahl_check": laws.amdahl_speedup(p, serial=f),
    }


def sun_ni(f: float, p: float, G: float | str) -> Outputs:
    exponent = {"p^1.5": 1.5, 1: 0.0, "p": 1.0}[G]
    return {
        "S": np.array(
            [
                laws.sun_ni_speedup(p, serial=f, growth=p**exponent),
                laws.sun_ni_speedup(p, serial=f, exponent=exponent),
            ]
        )
    }


def karp_flatt(S: list[float], p: list[float]) -> Outputs:
    return {"e": laws.karp_flatt(p, speedup=S)}


def karp_flatt_trend(f: float, c: float, p: list[float]) -> Outputs:
    overhead = c * np.log2(p)
    speedup = laws.karp_flatt_speedup(p, serial=f, overhead=overhead)
    e = laws.karp_flatt_trend(p, serial=f, overhead=overhead)
    np.testing.assert_allclose(laws.karp_flatt(p, speedup=speedup), e, rtol=1e-12)
    np.testing.assert_allclose(laws.karp_flatt_overhead(p, speedup=speedup, serial=f), overhead, rtol=1e-12)
    return {"S": np.array([speedup, laws.usl_log_speedup(p, sigma=f, kappa=c)]), "e": e}


def usl(sigma: float, kappa: float, N: float) -> Outputs:
    return {
        "C": laws.usl_speedup(N, sigma=sigma, kappa=kappa),
        "N_star": laws.usl_peak(sigma=sigma, kappa=kappa),
        "C_max": laws.usl_ceiling(sigma=sigma, kappa=kappa),
    }


def usl_queueing(D: float, Z: float, N: float) -> Outputs:
    sigma = laws.queue_sigma(demand=D, think=Z)
    return {
        "sigma": sigma,
        "X": laws.queue_throughput(N, demand=D, think=Z),
        "C": laws.usl_speedup(N, sigma=sigma, kappa=0),
    }


def hill_marty(s: float, n: float, r: float | None = None) -> Outputs:
    if r is not None:
        return {
            "sym": laws.hill_marty_speedup(n, r=r, serial=s),
            "asym": laws.hill_marty_speedup(n, r=r, serial=s, design="asymmetric"),
            "dyn": laws.hill_marty_speedup(n, r=r, serial=s, design="dynamic"),
        }
    sym = laws.hill_marty_best_r(n, serial=s)
    asym = laws.hill_marty_best_r(n, serial=s, design="asymmetric")
    dyn = laws.hill_marty_best_r(n, serial=s, design="dynamic")
    return {
        "sym_r": sym,
        "sym_S": laws.hill_marty_speedup(n, r=sym, serial=s),
        "asym_r": asym,
        "asym_S": laws.hill_marty_speedup(n, r=asym, serial=s, design="asymmetric"),
        "dyn_S_r_n": laws.hill_marty_speedup(n, r=dyn, serial=s, design="dynamic"),
    }


def isoefficiency(p: list[float], n: list[float] | None = None, E: float = 0.8) -> Outputs:
    overhead = laws.isoefficiency_tree_overhead(p, step=2)
    if n is not None:
        return {"E": laws.isoefficiency_efficiency(work=n, overhead=overhead)}
    work = laws.isoefficiency_work(overhead=overhead, efficiency=E)
    np.testing.assert_allclose(
        laws.isoefficiency_tree_workers(work=work, efficiency=E, step=2), p, rtol=1e-12
    )
    return {"n": work}


def work_span(T1: float, Tinf: float, p: float) -> Outputs:
    return {
        "lower": laws.work_span_lower(p, work=T1, span=Tinf),
        "upper": laws.work_span_upper(p, work=T1, span=Tinf),
    }


ANSWERS: dict[str, Callable[..., Outputs]] = {
    function.__name__: function
    for function in (
        amdahl, amdahl_knee, gustafson, sun_ni, karp_flatt, karp_flatt_trend,
        usl, usl_queueing, hill_marty, isoefficiency, work_span,
    )
}  # fmt: skip


@pytest.mark.parametrize(("model", "case"), CASES)
def test_golden_case(model: str, case: dict[str, Any]) -> None:
    answers = ANSWERS[model](**case["inputs"])
    for name, expected in case["outputs"].items():
        np.testing.assert_allclose(
            np.asarray(answers[name]) - np.zeros(np.shape(expected)),
            np.broadcast_to(expected, np.shape(answers[name])),
            rtol=1e-12,
            atol=0,
        )


def test_every_model_of_this_room_has_cases() -> None:
    assert {case.values[0] for case in CASES} == set(ANSWERS)
