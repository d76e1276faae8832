"""Published measurements that come with the package: plain numbers, each with its source and its kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall._errors import ChoiceError
from scalewall.runs import Runs

if TYPE_CHECKING:
    from scalewall.kinds import Kind


@dataclass(frozen=True)
class Example:
    """A published table of runs. `title` says what was measured, `origin` where the numbers stand."""

    title: str
    origin: str
    kind: Kind
    unit: str
    n: tuple[float, ...]
    time: tuple[float, ...] | None = None
    throughput: tuple[float, ...] | None = None
    round: tuple[int, ...] | None = None
    serial_percent: tuple[float, ...] | None = None


EXAMPLES: dict[str, Example] = {
    "raytracer": Example(
        title="BRL-CAD ray tracer on an SGI Origin 2000, rays per second",
        origin="N. J. Gunther, Guerrilla Capacity Planning (2007); data set raytracer of the R package usl",
        kind="strong",
        unit="processors",
        n=(1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64),
        throughput=(20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310),
    ),
    "specsdm91": Example(
        title="SPEC SDM91 on a SPARCcenter 2000, scripts per hour",
        origin="spec.org; data set specsdm91 of the R package usl",
        kind="throughput",
        unit="users",
        n=(1, 18, 36, 72, 108, 144, 216),
        throughput=(64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2),
    ),
    "cisco": Example(
        title="MySQL (Percona) on a Cisco UCS server, queries per second",
        origin="B. Schwartz, Practical Scalability Analysis (2015); tests of usl4j and codahale/usl",
        kind="throughput",
        unit="threads",
        n=tuple(range(1, 33)),
        throughput=(
            *(955.16, 1878.91, 2688.01, 3548.68, 4315.54, 5130.43, 5931.37, 6531.08),
            *(7219.8, 7867.61, 8278.71, 8646.7, 9047.84, 9426.55, 9645.37, 9897.24),
            *(10097.6, 10240.5, 10532.39, 10798.52, 11151.43, 11518.63, 11806, 12089.37),
            *(12075.41, 12177.29, 12211.41, 12158.93, 12155.27, 12118.04, 12140.4, 12074.39),
        ),
    ),
    "amg": Example(
        title="AMG solver, problem 1, 120 cells a side, on one node, figure of merit",
        origin="Los Alamos National Laboratory, github.com/lanl/benchmarks (BSD-3)",
        kind="strong",
        unit="cores",
        n=(1, 2, 4, 8, 16, 32, 64),
        throughput=(12053000, 23748000, 44537000, 81841000, 150180000, 261690000, 409900000),
    ),
    "gromacs": Example(
        title="GROMACS, 1.4 million atoms, on ARCHER with two threads a core, median ns per day",
        origin="EPCC, github.com/hpc-uk/archer-benchmarks",
        kind="strong",
        unit="nodes",
        n=(1, 2, 4, 8, 16, 32, 64, 128),
        throughput=(1.199, 2.432, 4.256, 7.447, 14.195, 21.753, 25.542, 20.994),
    ),
    "lu": Example(
        title="LU factorisation of a 6000 x 6000 matrix, five runs at each count",
        origin="P. Junglas, lecture notes, peter-junglas.de/pers/edv-intro/node42.html",
        kind="strong",
        unit="cpus",
        n=tuple(n for n in (1, 2, 4, 6, 8, 12, 16) for _ in range(5)),
        time=(
            *(93.97, 96.03, 96.75, 121.22, 94.73),
            *(51.58, 59.31, 49.78, 55.24, 60.39),
            *(31.31, 38.1, 36.56, 31.61, 31.74),
            *(29.01, 34.81, 32.92, 27.59, 28.43),
            *(23.53, 21.44, 26.36, 27.67, 20.1),
            *(21.06, 18.91, 25.47, 18.73, 19.93),
            *(18.44, 21.22, 20.12, 20.39, 20.04),
        ),
    ),
    "wirelog": Example(
        title="Datalog engine, CSPA analysis, with the serial share that its own timers claim",
        origin="github.com/semantic-reasoning/wirelog, pull request 419",
        kind="strong",
        unit="workers",
        n=(1, 2, 4, 8),
        time=(1.6901, 1.1286, 0.7869, 0.7238),
        serial_percent=(float("nan"), 2.09, 3.55, 3.39),
    ),
    "sparta": Example(
        title="SPARTA Monte Carlo, the same number of particles on every node, rate of all nodes together",
        origin="Los Alamos National Laboratory, github.com/lanl/benchmarks (BSD-3)",
        kind="weak",
        unit="nodes",
        n=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048),
        throughput=tuple(
            nodes * rate
            for nodes, rate in (
                *((1, 2652.11), (2, 2643.31), (4, 2565.86), (8, 2575.35), (16, 2475.57), (32, 2386.72)),
                *((64, 2284.68), (128, 2229.74), (256, 2194.72), (512, 2159.56), (1024, 2136.92)),
                (2048, 2098.58),
            )
        ),
    ),
}


def names() -> tuple[str, ...]:
    """Return the names of the built-in examples."""
    return tuple(EXAMPLES)


def example(name: str) -> Runs:
    """Return the runs of a built-in example.

    Parameters
    ----------
    name : str
        One of `names()`; case is ignored.

    Returns
    -------
    Runs
        With their kind.

    Raises
    ------
    ChoiceError
        If there is no such example.

    Examples
    --------
    >>> example("raytracer")
    Runs(11 runs at 11 counts, 1 to 64 processors, rate, strong, raytracer)
    """
    found = EXAMPLES.get(name.strip().lower())
    if found is None:
        known = ", ".join(names())
        raise ChoiceError(
            f'example - there is none called "{name}" - expected one of {known} - give one of these'
        )
    serial = found.serial_percent
    return Runs(
        found.n,
        time=found.time,
        throughput=found.throughput,
        round=found.round,
        kind=found.kind,
        unit=found.unit,
        extra=None if serial is None else {"instrumented_serial_pct": serial},
        source=name.strip().lower(),
        columns={"n": found.unit},
    )
