"""Two kernels on this machine: one whose workers need nothing of each other, one under a lock.

Hashing releases the interpreter lock, so that threads do compute side by side.

Run it with: python examples/two_kernels.py
"""

import hashlib
import threading
from collections.abc import Callable

import scalewall as sw

BLOCK = bytes(1 << 20)
BLOCKS = 96


def run(n: int, work: Callable[[int], None]) -> None:
    """Let `n` threads do an equal share of the blocks each."""
    shares = [BLOCKS // n + (rank < BLOCKS % n) for rank in range(n)]
    threads = [threading.Thread(target=work, args=(share,)) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def apart(n: int) -> None:
    """Hash all blocks, every thread its own."""

    def work(share: int) -> None:
        for _ in range(share):
            hashlib.sha256(BLOCK).digest()

    run(n, work)


def locked(n: int) -> None:
    """Hash all blocks, one thread at a time: three quarters of the work need the lock."""
    lock = threading.Lock()

    def work(share: int) -> None:
        for block in range(share):
            if block % 4:
                with lock:
                    hashlib.sha256(BLOCK).digest()
            else:
                hashlib.sha256(BLOCK).digest()

    run(n, work)


if __name__ == "__main__":
    for name, kernel in (("embarrassingly parallel", apart), ("three quarters under a lock", locked)):
        runs = sw.measure(kernel, workers=[1, 2, 3, 4, 6, 8], budget="4 s")
        print(f"== {name}: {len(runs)} runs. Stopped: {runs.environment['stopped']}\n")
        print(sw.fit(runs).summary(), "\n")
