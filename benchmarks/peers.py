"""sw.surface and sw.scan against NumPy, numba, numexpr and jax, interleaved in one run.

    python benchmarks/peers.py install     its own environment in .peers, with the peers and this tree
    python benchmarks/peers.py             the table, printed as Markdown
    python benchmarks/peers.py --quick     fewer rounds, and nothing above 80 MB

Every round times all contenders of a case once, in an order that turns from round to round; a
ratio is the median over rounds of the ratio within a round. Run it on a quiet machine; it says how
busy the machine was.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".peers"
PEERS = ("numba", "numexpr", "jax")


def install() -> None:
    """Make the environment: the peers from the registry, this tree from its sources."""
    venv.EnvBuilder(with_pip=True, clear=True).create(HOME)
    subprocess.run([HOME / "bin/python", "-m", "pip", "install", "--quiet", *PEERS, str(ROOT)], check=True)


def rounds(contenders: dict[str, Callable[[], Any]], count: int) -> dict[str, list[float]]:
    """Time every contender once a round."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    for call in contenders.values():
        call()
    for number in range(count):
        turn = number % len(names)
        order = names[turn:] + names[:turn]
        for name in order if number % 2 else reversed(order):
            start = time.perf_counter()
            contenders[name]()
            times[name].append(time.perf_counter() - start)
    return times


def ratio(times: dict[str, list[float]], slow: str, fast: str) -> float:
    """Return how many times `fast` is faster than `slow`, as the median over rounds."""
    return statistics.median(a / b for a, b in zip(times[slow], times[fast], strict=True))


def best_limit(times: dict[str, list[float]], name: str) -> float:
    """Return the share of the store limit: the better of both widths within a round."""
    limits = [key for key in times if key.startswith("limit")]
    return statistics.median(
        min(times[key][k] for key in limits) / times[name][k] for k in range(len(times[name]))
    )


def main() -> None:
    if "install" in sys.argv:
        install()
        return
    if HOME.exists() and Path(sys.prefix) != HOME:
        os.execv(HOME / "bin/python", [str(HOME / "bin/python"), *sys.argv])
    # A session of its own: the scheduler shares by session, and a neighbour in this one would count double.
    with contextlib.suppress(OSError):
        os.setsid()
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("-10", encoding="ascii")
    import cases  # noqa: PLC0415 - only the environment of the peers can

    cases.run("--quick" in sys.argv)


if __name__ == "__main__":
    main()
