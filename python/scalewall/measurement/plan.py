"""What is run when: rounds of every count once, each in a random order of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scalewall._errors import ChoiceError, DomainError


@dataclass(frozen=True)
class Plan:
    """Interleaved rounds: a slow minute hits all counts alike, and round effects can be taken out.

    Attributes
    ----------
    counts : tuple of int
        Worker counts, each once.
    warmup : int
        Rounds before the first whose times do not count.
    seed : int
        Decides every order, so that a campaign that was cut off goes on as it would have gone.
    """

    counts: tuple[int, ...]
    warmup: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.counts:
            raise ChoiceError("no worker count is given: expected at least one, such as 1,2,4,8")
        for i, n in enumerate(self.counts):
            if n < 1:
                raise DomainError(f"workers[{i}] is {n}: expected a whole worker count of at least 1")
        if len(set(self.counts)) < len(self.counts):
            raise DomainError(
                f"workers is {list(self.counts)}: expected every count once; repeats are rounds"
            )
        if self.warmup < 0:
            raise DomainError(f"warmup is {self.warmup}: expected 0 or more rounds")

    def order(self, round_: int) -> tuple[int, ...]:
        """Return the counts of a round in the order in which they are run; warm-up rounds are 0, -1, ..."""
        mixed = np.random.default_rng([self.seed, abs(round_), int(round_ < 1)])
        return tuple(int(n) for n in mixed.permutation(np.array(self.counts)))
