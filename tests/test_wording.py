"""Words of an answer: verdict sentences, the wall, what to measure next, notes."""

from __future__ import annotations

import math
import re
from typing import Any

import fit_samples as samples
import numpy as np
import pytest

import scalewall as sw
from scalewall import examples_data, wording
from scalewall.results import Doubling, Interval, LawFit, Measurement, Refusal, SerialFraction, WeakGrowth
from scalewall.runs import Runs
from scalewall.wording import notes


def answered(answer: str, low: float, high: float, inner: Interval | None = None, **changes: Any) -> str:
    fit = samples.sample(doubling=samples.doubling(answer, low, high, 32, inner), **changes)
    return wording.answer(fit).sentence


INNER_YES, INNER_NO = Interval(0.66, 0.9), Interval(0.93, 1.2)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (answered("yes", 0.54, 0.551), "64 processors would cut the time of 32 by 45–46 %."),
        (answered("no", 1.11, 1.22), "64 processors would be 11–22 % slower than 32."),
        (answered("no", 3.2, 5.1), "64 processors would take 3.2–5.1 times as long as 32."),
        (
            answered("no", 0.96, 1.12),
            "64 processors would not be 10 % faster than 32: 4.0 % less to 12 % more time.",
        ),
        (answered("no", 0.92, 0.98), "64 processors would not be 10 % faster than 32: 2.0–8.0 % less time."),
        (answered("no", 1.0, 1.0), "64 processors would not be 10 % faster than 32: the same."),
        (
            answered("cannot tell", 0.752, 1.32),
            "whether 64 processors beat 32: 1.33× faster to 1.32× slower.",
        ),
        (answered("cannot tell", 0.7, 0.95), "whether 64 processors beat 32 by 10 %: 1.05× to 1.43× faster."),
        (answered("cannot tell", 0.7, 1.0), "whether 64 processors beat 32: 1.43× faster to the same."),
        (
            answered("cannot tell", 0.7, math.inf),
            "whether 64 processors beat 32: 1.43× faster to any factor slower.",
        ),
        (
            answered("leaning yes", 0.6, 0.95, INNER_YES),
            "64 processors would probably cut the time of 32 by 10–34 % (80 % range).",
        ),
        (
            answered("leaning no", 0.85, 1.3, INNER_NO),
            (
                "64 processors would probably not be 10 % faster than 32: 7.0 % less to 20 % more time "
                "(80 % range)."
            ),
        ),
    ],
)
def test_verdict_sentences(sentence: str, expected: str) -> None:
    assert sentence == expected


@pytest.mark.parametrize(
    ("answer", "low", "high", "expected"),
    [
        ("yes", 0.77, 0.9, "64 clients would raise the rate of 32 by 11–30 %."),
        ("no", 1.11, 1.22, "64 clients would lower the rate of 32 by 10–18 %."),
        ("no", 0.96, 1.04, "64 clients would not raise the rate of 32 by 10 %: 3.8 % lower to 4.2 % higher."),
        ("cannot tell", 0.752, 1.32, "whether 64 clients beat 32: rate 1.33× higher to 1.32× lower."),
    ],
)
def test_a_load_curve_speaks_of_rates(answer: str, low: float, high: float, expected: str) -> None:
    runs = samples.runs(unit="clients", unit_one="client", kind="throughput")
    assert answered(answer, low, high, kind="throughput", runs=runs) == expected


@pytest.mark.parametrize("answer", ["yes", "no", "leaning yes", "leaning no", "cannot tell"])
@pytest.mark.parametrize("kind", ["strong", "throughput"])
def test_a_sentence_has_both_counts_a_number_and_one_kind_of_number(answer: str, kind: str) -> None:
    low, high = (0.6, 0.8) if "yes" in answer else (0.97, 1.3)
    sentence = answered(answer, low, high, Interval(low, high), kind=kind)
    assert re.search(r"\b64\b.*\b32\b", sentence)
    assert not ("%" in sentence.replace("by 10 %:", "") and "×" in sentence)


@pytest.mark.parametrize(("gain", "percent"), [(0.05, "5.0 %"), (0.25, "25 %")])
def test_the_threshold_is_the_one_asked_for(gain: float, percent: str) -> None:
    assert f"not be {percent} faster" in answered("no", 0.99, 1.2, gain=gain)


def test_cannot_tell_says_what_settles_it() -> None:
    assert wording.answer(samples.sample()).advice == "One run on 40 should settle it. Buy nothing before."


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"next": Measurement(40, 3, 0.45), "candidates": (Measurement(40, 3, 0.45),)},
            "Three runs on 40 cut the uncertainty to 45 %. Buy nothing before.",
        ),
        (
            {"next": Measurement(20, 3, 0.4), "candidates": ()},
            "Three more runs on 20 cut the uncertainty to 40 %. Buy nothing before.",
        ),
        (
            {"next": Measurement(20, 3, 0.94), "candidates": (Measurement(20, 3, 0.94),), "cap": 20.0},
            "More runs up to 20 processors will hardly change that.",
        ),
        ({"next": None, "candidates": ()}, "Nothing that can be measured here would change that."),
    ],
)
def test_cannot_tell_never_promises_too_much(changes: dict[str, Any], expected: str) -> None:
    assert wording.answer(samples.sample(**changes)).advice == expected


@pytest.mark.parametrize(("mid", "settled"), [(1.0, True), (0.80, True), (0.91, False)])
def test_a_middle_near_the_threshold_is_not_settled_by_a_narrower_range(mid: float, settled: bool) -> None:
    doubling = Doubling(20, 40, "cannot tell", Interval(0.75, 1.1), mid, None)
    advice = wording.answer(samples.sample(doubling=doubling, candidates=(Measurement(40, 1, 0.3),))).advice
    assert ("should settle it" in advice) is settled


def test_no_says_where_to_stop() -> None:
    assert wording.answer(samples.no()).advice == (
        "Stop at about 31: half the threads are already wasted from 23–25 on."
    )
    open_knee = samples.sample(
        doubling=samples.doubling("no", 1.11, 1.22, 32), knee_at=Interval(40.0, math.inf), peak_n=None
    )
    assert wording.answer(open_knee).advice == "Stop at 32: 64 processors bring little."


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"knee_at": Interval(50.0, 60.0)}, "But half the cores are wasted from 50–60 on."),
        ({"peak_n": Interval(200.0, 300.0)}, "It gets slower beyond 200–300 cores."),
        ({"ceiling": Interval(60.0, 70.0)}, "There is an end to it: ceiling 60–70×."),
        ({"peak_n": Interval(100.0, math.inf)}, "Where the gain ends cannot be told from these data."),
        ({}, "No end is in sight up to 4 times the data; beyond that we say nothing."),
    ],
)
def test_yes_names_the_end_that_comes_first(changes: dict[str, Any], expected: str) -> None:
    fit: Any = samples.yes()
    for name, value in changes.items():
        setattr(fit, name, value)
    assert wording.answer(fit).advice == expected


@pytest.mark.parametrize(
    ("ceiling", "text", "value", "remark"),
    [
        (Interval(12.4, 13.0), "best speedup ever", "12.4–13.0×", ""),
        (Interval(10.0, 25.0), "best speedup ever, roughly", "10–25×", ""),
        (Interval(4.0, 40.0), "unknown", "4.0–40×", ""),
        (Interval(120.0, math.inf), "none visible", "at least 120×", ""),
        (Interval(1.0, math.inf), "none visible", "at least 9.9×", "the best measured"),
    ],
)
def test_how_sure_decides_the_word_for_the_ceiling(
    ceiling: Interval, text: str, value: str, remark: str
) -> None:
    row = next(r for r in wording.wall(samples.sample(ceiling=ceiling)) if r.name == "ceiling")
    assert (row.text, row.value, row.remark) == (text, value, remark)


@pytest.mark.parametrize(
    ("kept", "peak", "text", "value"),
    [
        (("usl", "usl_log"), Interval(31.2, 35.4), "slower beyond", "31–36 processors"),
        (("usl", "saturation"), Interval(31.2, 35.4), "no gain beyond", "31–36 processors"),
        (
            ("usl", "saturation"),
            Interval(10.4, math.inf),
            "no gain beyond, if ever",
            "not before 10 processors",
        ),
        (("usl",), Interval(10.4, math.inf), "slower beyond, if ever", "not before 10 processors"),
        (("power",), Interval(math.inf, math.inf), "none visible", "no slowdown in sight"),
        (("usl",), Interval(1.0, math.inf), "slower beyond, if ever", "anywhere, or never"),
    ],
)
def test_what_is_kept_decides_the_word_for_the_peak(
    kept: tuple[str, ...], peak: Interval, text: str, value: str
) -> None:
    row = wording.wall(samples.sample(laws=samples.laws(*kept), peak_n=peak))[0]
    assert (row.name, row.text, row.value) == ("peak", text, value)


@pytest.mark.parametrize(
    ("share", "value"),
    [
        (None, "cannot tell, no bend visible"),
        (SerialFraction(0.02, 0.0, 0.063, "T(1)"), "at most 6.3 %"),
        (SerialFraction(0.02, 0.016, 0.025, "T(1)"), "1.6–2.5 %"),
        (SerialFraction(0.0, 0.0, 0.0, "T(1)"), "none visible"),
        (SerialFraction(0.5, 0.0, 1.0, "T(1)"), "cannot tell"),
    ],
)
def test_serial_share_says_of_what_and_carries_its_star(share: SerialFraction | None, value: str) -> None:
    row = wording.wall(samples.sample(serial_fraction=share))[-1]
    assert (row.text, row.value, row.star) == ("of the 1-processor time", value, True)


@pytest.mark.parametrize(
    ("knee", "value"),
    [
        (Interval(23.4, 24.6), "23–25 processors"),
        (Interval(152.9, math.inf), "not before 152 processors"),
        (Interval(math.inf, math.inf), "not in sight"),
    ],
)
def test_wasted_workers(knee: Interval, value: str) -> None:
    row = wording.wasted(samples.sample(knee_at=knee), 0.75)
    assert row is not None
    assert (row.name, row.text, row.value) == ("25 % wasted", "efficiency below 75 % beyond", value)


def test_weak_scaling_speaks_of_efficiency() -> None:
    answer = wording.answer(samples.weak())
    assert answer.word == "WEAK SCALING"
    assert answer.sentence == "79 % efficient on 2048 nodes, 75–79 % on 4096."
    assert answer.advice == "Each doubling makes a step 2.1–2.6 % longer."
    assert [row.name for row in wording.wall(samples.weak())] == ["efficiency", "", "serial share"]


@pytest.mark.parametrize(
    ("growth", "expected"),
    [
        (Interval(-0.002, 0.01), "A doubling changes a step by little or nothing: at most 1.0 % longer."),
        (
            Interval(-0.02, -0.01),
            "Each doubling makes a step 1.0–2.0 % shorter: look at the work of each row.",
        ),
    ],
)
def test_weak_scaling_that_does_not_grow(growth: Interval, expected: str) -> None:
    fit: Any = samples.weak()
    old: WeakGrowth = fit.weak
    fit.weak = WeakGrowth(old.efficiency_at_max, old.log_growth, old.linear_growth, growth, old.efficiency)
    assert wording.answer(fit).advice == expected


def test_a_refusal_says_what_is_wrong() -> None:
    answer = wording.answer(samples.sample(refusal=Refusal("A rate. Three readings fit", ())))
    assert (answer.word, answer.sentence, answer.advice) == ("REFUSED", "A rate.", "Three readings fit.")


def test_measurements_that_hardly_help_are_said_so() -> None:
    steps = wording.measure_next(samples.sample()).steps
    assert [step.text for step in steps] == [
        "40 processors, 1 run",
        "40 processors, 3 runs",
        "80 processors, 3 runs",
        "3 more runs at 20",
    ]
    assert [step.words for step in steps] == ["23 %", "17 %", "12 %", "94 %"]
    assert [step.remark for step in steps] == ["", "", "", "hardly helps"]
    assert [step.best for step in steps] == [True, False, False, False]


def test_one_law_asked_for_is_named_with_its_parameters() -> None:
    fit: Any = samples.no()
    fit.insisted = "usl"
    params = {"sigma": 0.0267159, "kappa": 7.69094e-4}
    ranges = {"sigma": Interval(0.018, 0.0361)}
    fit.laws = (LawFit("usl", params, ranges, 1.0, 0.1, 0.02, 29.0, kept=True),)
    text = " ".join(wording.care(fit))
    assert "Only usl (contention + coherency) stands, as asked" in text
    assert "contention (sigma) 0.0267 (0.018–0.036), coherency (kappa) 0.000769." in text


def core_note(code: str, **values: Any) -> str:
    runs = Runs([1, 2, 4], time=[8.0, 5.0, 4.0], kind="strong", unit=("nodes", "node"))
    return wording.note_text(code, values, runs)


@pytest.mark.parametrize(
    ("code", "values", "part"),
    [
        ("one_law_kept", {"laws": ["power"], "dropped": ["usl", "usl_log", "saturation"]},
         "One shape of curve (power law) fits; three others are ruled out."),
        ("one_law_kept", {"laws": ["amdahl", "usl"], "dropped": ["power"]},
         "One shape of curve (contention + coherency) fits; one other is ruled out."),
        ("laws_kept", {"laws": ["usl", "usl_log", "saturation"], "dropped": []},
         "Three shapes of curve fit (contention + coherency, tree, saturation)."),
        ("at_bound", {"law": "usl", "param": "kappa", "value": 0.0},
         "Coherency (kappa of usl) is at its bound 0: no cost of talk between nodes is visible."),
        ("scatter_from_misfit", {"misfit": 0.018}, "scatter is judged from the misfit, 1.8 %."),
        ("runs_flagged", {"runs": 1.0, "clean_tables": [0.08, 0.13]}, "in 8–13 % of clean tables"),
        ("first_run_slow", {"n": [1.0, 4.0]}, "The first run on 1 node and 4 nodes is the slow one"),
        ("extrapolated_t1", {"n_min": 4.0, "time_one": 9.0}, "T(1) is extrapolated, from 4 nodes down"),
        ("units_suspect", {"ratio": 155.0}, "160-fold"),
        ("time_does_not_fall", {"ratio": 1.2665, "n_min": 1.0, "n_max": 2048.0, "confirmed": "no"},
         "2048 nodes take 1.27 times as long as 1"),
        ("estimators_differ", {"log": 0.1446, "time": 0.139, "medians": 0.1427}, "0.139–0.145"),
        ("horizon_crossed", {"horizon": 80.0, "targets": [128.0], "held": []},
         "128 lies beyond 80 nodes (4 times the largest count)"),
        ("karp_flatt", {"n": [2.0, 4.0], "value": [0.2, 0.3], "reading": "too few points"},
         "0.250 at 2 and 0.333 at 4; too few points for a trend."),
        ("rounds_blocked", {"reason": "blocked"}, "Mix the order in rounds."),
        ("lack_of_fit", {"f": 12.3, "p": 0.001}, "look for a step"),
        ("something_new", {"x": 3}, "Something new: x 3."),
    ],
)  # fmt: skip
def test_notes_read_as_sentences(code: str, values: dict[str, Any], part: str) -> None:
    assert part in core_note(code, **values)


KNOWN = sorted({*notes._PLAIN, *notes._TEXTS, *notes._NAMING})


@pytest.mark.parametrize("code", KNOWN)
def test_a_note_without_its_values_is_still_a_sentence(code: str) -> None:
    text = core_note(code)
    assert text[0].isupper() or text.startswith("e(n)")
    assert text.endswith(".")
    assert not re.search(r"\b(None|nan|inf)\b|\{|\}", text)


@pytest.mark.parametrize("code", KNOWN)
def test_notes_keep_to_plain_words(code: str) -> None:
    banned = r"please|successful|optimal|significant|!|\bwill be\b|sorry"
    assert not re.search(banned, core_note(code), re.IGNORECASE)


def test_instrumented_serial_share_is_held_against_e() -> None:
    # The published table: 1.5, 2.15 and 2.33 times on 2, 4 and 8 workers; 2.09, 3.55 and 3.39 % instrumented.
    runs = Runs(
        [1, 2, 4, 8],
        time=[1690.1, 1128.6, 786.9, 723.8],
        kind="strong",
        extra={"instrumented_serial_pct": [math.nan, 2.09, 3.55, 3.39]},
    )
    text = wording.note_text("karp_flatt", {"n": [2.0, 4.0, 8.0], "value": [0.3, 0.3, 0.3]}, runs)
    assert "0.336 at 2, 0.287 at 4 and 0.347 at 8" in text
    assert "2.1–3.6 %: it explains only a small part of e(n)" in text


def test_estimators_of_the_serial_share_span_what_scripts_get() -> None:
    # Peter Junglas, LU 6000 on 1 to 16 CPUs, five runs each: ordinary least squares gives f = .139, weights
    # of one over the scatter .152 (both by scipy.optimize.curve_fit here); the runs scatter by a tenth.
    from scipy.optimize import curve_fit

    table = examples_data.example("lu")
    n = np.unique(table.n)
    mean = np.array([table.time[table.n == k].mean() for k in n])
    spread = np.array([table.time[table.n == k].std(ddof=1) for k in n])
    (stays, divides), _ = curve_fit(lambda k, a, b: a + b / k, n, mean, sigma=spread)
    text = wording.note_text("estimators_differ", {"time": 0.139, "log": 0.145}, table)
    assert f"0.139–{stays / (stays + divides):.3f}" in text
    assert "0.139–0.152" in text
    assert "scatter by 10 %. That is much" in text


def test_weak_efficiencies_stand_against_the_smallest_count() -> None:
    # AMG of LANL, problem 1, published as 1, .762, .538, .388, .337, .319 and .292 on 32 to 2048 nodes.
    fom = [3.9e9, 5.94e9, 8.39e9, 1.21e10, 2.1e10, 3.98e10, 7.29e10]
    runs = Runs([32, 64, 128, 256, 512, 1024, 2048], throughput=fom, kind="weak", unit=("nodes", "node"))
    fit = sw.fit(runs)
    assert wording.answer(fit).sentence.startswith("29 % as efficient on 2048 nodes as on 32, ")
    assert (
        "Efficiency against 32 nodes, as measured: 76 % at 64, 54 % at 128, 39 % at 256, 34 % at 512, "
        "32 % at 1024 and 29 % at 2048."
    ) in wording.care(fit)


def test_runs_at_one_count_say_how_they_scatter() -> None:
    # Standard deviation of log(1, 1.02, .99): 0.0152.
    runs = Runs([8, 8, 8], time=[1.0, 1.02, 0.99], kind="strong")
    text = wording.note_text("one_count", {}, runs)
    assert text == "All runs are on 8 workers and scatter by 1.5 %. Nothing about scaling can be said."


def test_a_flat_share_is_called_serial_only_where_something_is_lost() -> None:
    lost = Runs([1, 2, 4], time=[10.0, 5.5, 3.2], kind="strong")
    none = Runs([1, 2, 4], time=[10.0, 4.9, 2.4], kind="strong")
    assert wording.note_text("karp_flatt_flat", {}, lost).endswith("it looks like serial work.")
    assert "serial" not in wording.note_text("karp_flatt_flat", {}, none)
