"""Time a function at several worker counts, by phases, and ask what twice as many workers would buy.

Run it with: python examples/measure_function.py
"""

import time
from concurrent.futures import ThreadPoolExecutor

import scalewall as sw

WORK_S = 0.16
SERIAL_S = 0.01


def job(n: int) -> None:
    """Do the whole job with `n` workers; sleeping stands for work, so that any machine shows the same."""
    with sw.phase("serial"):
        time.sleep(SERIAL_S)
    with sw.phase("parallel"), ThreadPoolExecutor(n) as pool:
        list(pool.map(time.sleep, [WORK_S / n] * n))


if __name__ == "__main__":
    runs = sw.measure(job, workers="1:16:x2", budget="30 s")
    print(f"{len(runs)} runs. Stopped: {runs.environment['stopped']}\n")
    print(sw.fit(runs).summary())
    print("\nWorker-seconds by phase")
    print(runs.ledger.summary() if runs.ledger else "")
