"""The words of an answer: the same on the screen, on the page, in the notebook and in the notes.

Text here writes × after a factor, – between the ends of a range and plain spaces inside numbers; `glue` makes
those spaces unbreakable, and the terminal replaces what it cannot show.
"""

from scalewall.wording.care import care, left_out, remarks
from scalewall.wording.laws import shape
from scalewall.wording.measure import LEFT, Next, Step, measure_next
from scalewall.wording.notes import note_text
from scalewall.wording.numbers import glue
from scalewall.wording.verdict import Answer, against, answer, ceiling_phrase, factors
from scalewall.wording.wall import STAR, WallRow, wall, wasted

__all__ = [
    "LEFT",
    "STAR",
    "Answer",
    "Next",
    "Step",
    "WallRow",
    "against",
    "answer",
    "care",
    "ceiling_phrase",
    "factors",
    "glue",
    "left_out",
    "measure_next",
    "note_text",
    "remarks",
    "shape",
    "wall",
    "wasted",
]
