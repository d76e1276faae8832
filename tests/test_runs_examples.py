"""The built-in examples carry their kind, their unit and their source."""

from __future__ import annotations

import pytest

from scalewall._errors import ChoiceError
from scalewall.examples_data import EXAMPLES, example, names


@pytest.mark.parametrize("name", names())
def test_every_example_is_complete(name: str) -> None:
    runs = example(name)
    assert runs.kind == EXAMPLES[name].kind
    assert runs.source == name
    assert len(runs) == len(EXAMPLES[name].n)
    assert not runs.rejected
    assert not runs.readings
    assert EXAMPLES[name].title
    assert EXAMPLES[name].origin


def test_the_three_that_are_promised_are_there() -> None:
    assert {"raytracer", "specsdm91", "cisco"} <= set(names())
    assert (
        repr(example("Raytracer"))
        == "Runs(11 runs at 11 counts, 1 to 64 processors, rate, strong, raytracer)"
    )
    assert example("raytracer").value.tolist() == [20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310]


def test_an_example_that_is_not_there_lists_those_that_are() -> None:
    with pytest.raises(ChoiceError, match="expected one of raytracer, specsdm91, cisco"):
        example("rays")
