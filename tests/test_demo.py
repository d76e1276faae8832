"""`scalewall demo`: the parts add up, the screen says so, and the injected serial share is found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scalewall as sw
from scalewall import machine
from scalewall.campaign import Campaign, Run
from scalewall.cli import run
from scalewall.conditions import Conditions
from scalewall.demonstration import PROGRAMS, Demonstration, Shown, default_counts, demonstrate
from scalewall.parts import KINDS, Parts, parts
from scalewall.report import ledger_text
from scalewall.report.text import to_text

if TYPE_CHECKING:
    from pathlib import Path

MS = 1_000_000
QUIET = Conditions(capacity=1.0, external=0.0, steal=0.0, throttled=False)


def ledger(workers: int, **rows: int) -> sw.Ledger:
    names = ("setup", "wake", "on_cpu", "preempted", "blocked", "imbalance", "join", "combine", "unaccounted")
    filled = {name: rows.get(name, 0) * MS for name in names}
    wall = sum(filled.values()) // workers
    serial, parallel = (filled["setup"] + filled["combine"]) // workers, filled["on_cpu"]
    return sw.Ledger(workers, wall, filled, serial, parallel, cpu_time=True)


ONE = ledger(1, setup=5, on_cpu=95)
TWO = ledger(2, setup=10, on_cpu=99, imbalance=11)
FOUR = ledger(4, setup=20, on_cpu=95, preempted=80, blocked=4, imbalance=20, wake=9, join=2, unaccounted=-2)


def campaign(*ledgers: sw.Ledger) -> Campaign:
    runs = tuple(Run(block, 0, (0, 1), one) for block in range(3) for one in ledgers)
    return Campaign(runs, machine.environment() | {"usable": 2}, QUIET)


def sample(conditions: Conditions = QUIET) -> Demonstration:
    return Demonstration(
        tuple(Shown(program, campaign(ONE, TWO, FOUR)) for program in PROGRAMS), conditions, 1.0
    )


def screen(shown: Demonstration, *, ascii_only: bool = False) -> str:
    return to_text(ledger_text.screen(shown, ascii_only=ascii_only))


def test_a_ledger_over_ranks_has_its_parts_too() -> None:
    rows = {"arrival": 4, "setup": 2, "wake": 1, "compute": 80, "join": 1, "combine": 2, "exchange": 10}
    ranks = sw.Ledger(2, 50 * MS, {name: ms * MS for name, ms in rows.items()}, MS, 80 * MS, ranks=2)
    kinds = {kind: ns // MS for kind, ns in parts([ranks]).kinds.items() if ns}
    assert kinds == {"useful": 80, "serial": 2, "serial_wait": 12, "start": 6}


def test_parts_are_named_after_what_the_time_was_bought_for() -> None:
    found = {kind: ns // MS for kind, ns in parts([FOUR, FOUR], [ONE]).kinds.items()}
    assert found == {
        "useful": 190, "slower": 0, "serial": 10, "serial_wait": 30, "imbalance": 40, "off_cpu": 160,
        "blocked": 8, "start": 22, "unaccounted": -4,
    }  # fmt: skip
    grown = parts([TWO], [ONE]).kinds
    assert (grown["useful"] // MS, grown["slower"] // MS) == (95, 4)
    assert parts([TWO]).kinds["slower"] == 0
    assert parts([FOUR], [ONE]).price == "off_cpu"


def test_parts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(AssertionError, match="add up to 7 ns: expected 6 ns"):
        Parts(2, 1, 3, {"useful": 7})


@given(st.lists(st.floats(0, 1e4), min_size=1, max_size=9), st.floats(0.01, 10))
def test_written_digits_add_up_to_the_written_total(values: list[float], unit: float) -> None:
    named = {str(i): value for i, value in enumerate(values)}
    found = ledger_text.apportioned(named, unit)
    assert abs(sum(found.values()) - sum(values) / unit) <= 0.5 + 1e-6
    assert all(abs(found[name] - value / unit) < 1 for name, value in named.items())


@pytest.mark.parametrize("most", [0.003, 0.9, 56.0, 57.0, 226.0, 1e5])
def test_the_longest_bar_fits(most: float) -> None:
    sign = ledger_text.sign_of(most)
    assert 0.39 * ledger_text.BAR <= most / sign <= ledger_text.BAR + 1e-9


def test_the_screen_of_a_quiet_machine() -> None:
    text = screen(sample())
    assert text.startswith("2 workers sum the array 1.67x as fast as 1. 4 workers: no faster than 2.\n")
    assert "This machine gives 2 cores; the other two workers only wait their turn." in text
    assert "exactly n x T" in text
    assert "not valid" not in text
    for letter in ("█", "S", "s", "w", "x", "b"):
        assert letter in next(line for line in text.splitlines() if line.startswith("   4 workers"))
    table = text[text.index("share of 4") : text.index("exactly n x T")].splitlines()[1:]
    columns = [[float(word) for word in line[26:59].split()] for line in table]
    assert [sum(column) for column in zip(*columns[:-1], strict=True)] == pytest.approx(columns[-1])
    assert columns[-1] == [100.0, 120.0, 228.0]


@pytest.mark.parametrize("conditions", [QUIET, Conditions(0.5, 0.6, 0.02, True)])
def test_no_line_is_longer_than_80_columns_and_ascii_is_ascii(conditions: Conditions) -> None:
    text = screen(sample(conditions))
    assert max(map(len, text.splitlines())) <= 80
    plain = screen(sample(conditions), ascii_only=True)
    assert plain.isascii()
    assert "###" in plain
    assert plain.count("?") == text.count("?")


def test_a_busy_machine_is_said() -> None:
    text = " ".join(screen(sample(Conditions(0.5, 0.6, 0.0, False))).split())
    assert "This machine has 2 cores and did not give all of them to these runs." in text
    assert (
        "at least 95 % is needed; other programs took 60 % of the processors: less than 5 % is needed" in text
    )
    assert "not valid here; the serial shares, by CPU time, are." in text


@pytest.mark.parametrize(
    ("cpus", "counts"),
    [(1, (1, 2)), (2, (1, 2, 4)), (6, (1, 2, 4)), (8, (1, 2, 4, 8)), (96, (1, 2, 4, 8, 16))],
)
def test_default_counts(cpus: int, counts: tuple[int, ...]) -> None:
    assert default_counts(cpus) == counts


def test_the_injected_serial_share_is_found() -> None:
    shown = demonstrate((1, 2), seconds=3.0, blocks=3, rounds=2)
    found = shown["serial"].f_work()
    assert found.value == pytest.approx(0.05, abs=0.01)
    for name in ("parallel", "locked"):
        assert shown[name].f_work().value == pytest.approx(0.0, abs=0.01)
    assert max(map(len, screen(shown).splitlines())) <= 80


@pytest.mark.slow
def test_the_whole_demonstration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = tmp_path / "ledger.png"
    assert run(["demo", "--json", "--plot", str(figure)]) == 0
    facts: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert facts["schema"] == "scalewall.demo/1"
    assert facts["seconds"] < 120
    assert facts["valid"] == (not facts["reasons"])
    programs = {program["name"]: program for program in facts["programs"]}
    assert programs["serial"]["serial_share"][0]["value"] == pytest.approx(0.05, abs=0.01)
    for program in programs.values():
        for one in program["ledgers"]:
            assert tuple(one["kinds_ns"]) == KINDS
            assert sum(one["kinds_ns"].values()) == one["workers"] * one["wall_ns"]
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_the_figure_has_the_height_of_the_time_bought(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from scalewall.plotting import ledger as drawn

    axes = drawn.build(campaign(ONE, TWO, FOUR), about="A sample").axes[0]
    tops = [0.0, 0.0, 0.0]
    for patch in axes.patches:
        place = round(patch.get_x() + patch.get_width() / 2)  # type: ignore[attr-defined]
        tops[place] = max(tops[place], patch.get_y() + patch.get_height())  # type: ignore[attr-defined]
    # Two milliseconds that no clock explains are negative and cannot be drawn.
    assert tops == pytest.approx([100.0, 120.0, 230.0])
    drawn.save(campaign(ONE, TWO, FOUR), tmp_path / "a.svg", warning="busy")
    assert "busy" in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seconds", "0"], "--seconds is 0: expected more than 0"),
        (["--workers", "1.5,2"], "expected whole counts"),
        (["--workers", "2,4"], "expected 1 and at least one larger count"),
        (["--plot", "a.doc"], "a figure is written as .png, .svg, .pdf"),
    ],
)
def test_wrong_options_are_said_before_measuring(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", *words]) == 2
    assert said in capsys.readouterr().err
