"""The answer of a fit in words: what a doubling buys, what stands in the way, what to measure next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall.wording import answer, care, measure_next, wall

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Measurement


@dataclass(frozen=True)
class Verdict:
    """The answer of a fit.

    Attributes
    ----------
    word : str
        YES, NO, LEANING YES, LEANING NO, CANNOT TELL, WEAK SCALING or REFUSED.
    answer : str
        Whether a doubling saves the share of the time asked for, as in `Fit.doubling.answer`.
    regime : str
        "strong", "weak", "throughput" or "unknown".
    sentence, advice : str
        One sentence with a number and both counts; what to do.
    wall : tuple of str
        What stands in the way, one line each: peak, ceiling, half wasted, serial share.
    measure_next : str
        What to measure next, in words; `next` is the same as numbers, None where nothing is needed.
    care : tuple of str
        What to read with care.
    """

    word: str
    answer: str
    regime: str
    sentence: str
    advice: str
    wall: tuple[str, ...]
    measure_next: str
    next: Measurement | None
    care: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.word}: {self.sentence}"


def verdict(fit: Fit) -> Verdict:
    """Word the answer of a fit; the same words stand on the terminal and on the page."""
    head = answer(fit)
    following = measure_next(fit)
    best = next((step.text for step in following.steps if step.best), "")
    rows = () if fit.refusal is not None else wall(fit)
    return Verdict(
        word=head.word,
        answer=fit.doubling.answer,
        regime=fit.kind,
        sentence=head.sentence,
        advice=head.advice,
        wall=tuple(f"{row.name}: {row.text} {row.value} {row.remark}".strip() for row in rows),
        measure_next=following.sentence or best,
        next=fit.next,
        care=care(fit),
    )
