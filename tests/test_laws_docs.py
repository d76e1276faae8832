"""The examples in the documentation of the laws run and print what they say."""

import doctest

import pytest

from scalewall import laws


@pytest.mark.parametrize("name", [name for name in laws.__all__ if name != "UslOverhead"])
def test_examples(name: str) -> None:
    text = getattr(laws, name).__doc__
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert test.examples
    failures: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert result.failed == 0, "".join(failures)
