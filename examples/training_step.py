"""A data-parallel training step in miniature: its plateau is predicted, then measured.

`n` workers (threads) each compute the gradient of their share of a batch and then sum the gradients of all in
a ring: n - 1 steps to reduce, n - 1 to gather, each passing one n-th of the gradient to the neighbour. The
sums are real and are checked; the time of the device and of the link is slept, so that a laptop shows what a
cluster would.

With c seconds of computing for the whole batch, g seconds to pass a whole gradient over a link, and a seconds
of latency a message:

    T(n) = c / n + 2 (n - 1) (a + g / n)

Computing shrinks with n, the ring tends to 2 g and grows by 2 a with every worker: throughput bends to a
plateau.

Run it with: python examples/training_step.py
"""

from __future__ import annotations

import threading
import time

import numpy as np

import scalewall as sw

BATCH = 512
SECONDS_A_SAMPLE = 1.6e-3
LATENCY_S = 4e-3
LINK_S = 0.024
GRADIENT = 3_840


def pass_on(share: float) -> None:
    """Spend the time of passing a share of the gradient to the neighbour."""
    time.sleep(LATENCY_S + LINK_S * share)


def ring(rank: int, n: int, parts: list[np.ndarray], barrier: threading.Barrier) -> None:
    """Sum the gradients of all workers in place: reduce in a ring, then gather in a ring."""
    chunks = [np.array_split(part, n) for part in parts]
    for step in range(n - 1):
        at = (rank - step - 1) % n
        pass_on(1 / n)
        incoming = chunks[(rank - 1) % n][at].copy()
        barrier.wait()
        chunks[rank][at] += incoming
        barrier.wait()
    for step in range(n - 1):
        at = (rank - step) % n
        pass_on(1 / n)
        incoming = chunks[(rank - 1) % n][at].copy()
        barrier.wait()
        chunks[rank][at][:] = incoming
        barrier.wait()


def step(n: int) -> None:
    """Do one step of training with `n` workers."""
    parts = [np.full(GRADIENT, rank + 1.0) for rank in range(n)]
    barrier = threading.Barrier(n)

    def worker(rank: int) -> None:
        with sw.phase("compute"):
            time.sleep(SECONDS_A_SAMPLE * BATCH / n)
        with sw.phase("all-reduce"):
            ring(rank, n, parts, barrier)

    threads = [threading.Thread(target=worker, args=(rank,)) for rank in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(bool(np.all(part == n * (n + 1) / 2)) for part in parts), "the ring did not sum"


def predicted(n: float, compute_s: float, message_s: float, link_s: float) -> float:
    """Return the seconds of a step with `n` workers."""
    return compute_s / n + 2 * (n - 1) * (message_s + link_s / n)


def calibrated() -> tuple[float, float, float]:
    """Return c, a and g, each measured alone on one worker: nothing larger is looked at."""
    compute = sw.measure(step, workers=[1], rounds=5).time
    short = sw.measure(lambda _: pass_on(0.0), workers=[1], rounds=20).time
    whole = sw.measure(lambda _: pass_on(1.0), workers=[1], rounds=10).time
    message = float(np.median(short))
    return float(np.median(compute)), message, float(np.median(whole)) - message


def main() -> None:
    """Predict, measure, and set both side by side."""
    c, a, g = calibrated()
    ms = [1e3 * seconds for seconds in (c, a, g)]
    print(f"Measured alone: computing {ms[0]:.0f} ms, a message {ms[1]:.2f} ms, a gradient {ms[2]:.1f} ms")
    counts = [1, 2, 4, 8, 16]
    best = (c / (2 * a) - g / a) ** 0.5 if c > 2 * g else 1.0
    gain = c / predicted(best, c, a, g)
    print(f"Predicted: fastest at about {best:.0f} workers, {gain:.1f} times as fast as one\n")

    runs = sw.measure(step, workers=counts, rounds=4)
    print("workers   predicted    measured   samples a second")
    for n in counts:
        measured = float(np.median(runs.time[runs.n == n]))
        print(
            f"{n:7d} {predicted(n, c, a, g) * 1e3:8.1f} ms {measured * 1e3:8.1f} ms {BATCH / measured:12.0f}"
        )
    print()
    print(sw.fit(runs).summary())


if __name__ == "__main__":
    main()
