"""Many fits: each row is what `sw.fit` says of its trace alone, whatever the table looks like."""

from __future__ import annotations

import math
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from worlds import DESIGNS, MISSPECIFIED, WELL, table

import scalewall as sw
from scalewall.cli import run

if TYPE_CHECKING:
    from pathlib import Path

Array = npt.NDArray[np.float64]
TRACES = [
    table(truth, design, np.random.default_rng(7 + i))
    for i, (truth, design) in enumerate((t, DESIGNS[(3 * k) % 16]) for k, t in enumerate(WELL + MISSPECIFIED))
]
LONG = {
    "job": np.repeat(np.arange(len(TRACES)) * 10, [n.size for n, _ in TRACES]),
    "n": np.concatenate([n for n, _ in TRACES]),
    "time": np.concatenate([time for _, time in TRACES]),
}
OFFSETS = np.append(0, np.cumsum([n.size for n, _ in TRACES]))


def same(found: float, expected: float | None) -> bool:
    return math.isnan(found) if expected is None else found == expected


def check(fits: sw.Fits, i: int, fit: sw.Fit) -> None:
    """Every column of a row says what the fit says."""

    def column(name: str) -> float:
        return float(fits.column(name)[i])

    assert (fits.kind[i], fits.law[i], fits.doubling[i]) == (fit.kind, fit.law, fit.doubling.answer)
    assert (fits.runs[i], fits.counts[i]) == (len(fit.runs), len(fit.counts))
    assert (fits.left_out[i], fits.flagged[i]) == (len(fit.rejected), len(fit.flagged))
    assert (fits.status[i] == "fitted") == (fit.refusal is None)
    assert same(column("n_max"), fit.counts[-1].n)
    assert same(column("scatter"), fit.scatter)
    assert same(column("misfit"), fit.misfit)
    for name, interval in (("ceiling", fit.ceiling), ("peak_n", fit.peak_n), ("knee", fit.knee())):
        assert same(column(f"{name}_low"), interval and interval.low)
        assert same(column(f"{name}_high"), interval and interval.high)
    serial = fit.serial_fraction
    expected = (None, None, None) if serial is None else (serial.value, serial.low, serial.high)
    assert all(map(same, fits.serial_fraction[i].tolist(), expected))
    assert all(map(same, fits.time_ratio[i].tolist(), (fit.doubling.mid, *fit.doubling.time_ratio)))
    for law in fit.laws:
        assert fits.kept(law.law)[i] == law.kept
        assert same(column(f"{law.law}_time_one"), law.time_one)
        for name, value in law.params.items():
            low, high = law.intervals.get(name, (None, None))
            assert all(map(same, fits.params(law.law)[name][i].tolist(), (value, low, high)))
    for k, point in enumerate(fit.forecasts):
        number = "" if k == 0 else f"_{k + 1}"
        for name in ("time", "speedup", "efficiency"):
            estimate = getattr(point, name)
            for end, value in zip(("", "_low", "_high"), estimate, strict=True):
                assert same(column(f"forecast{number}_{name}{end}"), value)
    following = fit.next
    assert same(column("next_n"), None if following is None else following.n)
    assert same(column("next_shrinks_to"), None if following is None else following.shrinks_to)
    if fit.weak is not None:
        assert column("weak_efficiency") == fit.weak.efficiency_at_max
        for name in ("log_growth", "linear_growth"):
            ends = [column(name + end) for end in ("", "_low", "_high")]
            assert all(map(same, ends, getattr(fit.weak, name)))
    told = {note.code for note in fit.notes} - {"refused", "reading"}
    assert set(fits.notes[i].split()) == told


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "strong"},
        {},
        {"kind": "weak"},
        {"kind": "strong", "law": "usl_log_schwartz"},
        {"kind": "strong", "interval": "wald", "residuals": "throughput", "bounds": False},
        {"kind": "strong", "level": 0.9, "gain": 0.3, "cap": 16.0, "at": (24.0, 100.0), "confirm": True},
    ],
    ids=["strong", "undecided", "weak", "insisted", "wald", "options"],
)
def test_a_row_is_the_fit_of_its_trace(options: dict[str, Any]) -> None:
    fits = sw.fit_many(LONG, by="job", **options)
    assert len(fits) == len(TRACES)
    for i, (n, time) in enumerate(TRACES):
        alone = {key: value for key, value in options.items() if key != "kind"}
        fit = sw.fit(sw.Runs(n=n, time=time, kind=options.get("kind")), **alone)
        assert fits.row(i).to_dict() == fit.to_dict()
        check(fits, i, fit)


def test_order_of_rows_and_number_of_threads_change_nothing() -> None:
    fits = sw.fit_many(LONG, by="job", kind="strong", threads=1)
    # Rows of different traces are interleaved; within a trace the order stays.
    place = np.concatenate([np.arange(n.size) + i / 100 for i, (n, _) in enumerate(TRACES)])
    order = np.argsort(place, kind="stable")
    mixed = sw.fit_many({k: v[order] for k, v in LONG.items()}, by="job", kind="strong", threads=3)
    for name in fits.names:
        assert np.array_equal(fits.column(name), mixed.column(name), equal_nan=True)
    assert np.array_equal(fits.notes, mixed.notes)
    assert mixed.keys["job"].tolist() == fits.keys["job"].tolist()
    assert np.array_equal(np.sort(mixed.rows_of(3)), np.flatnonzero(LONG["job"][order] == 30))
    for i in (0, 4, 12):
        assert mixed.row(i).to_dict() == fits.row(i).to_dict()


def test_every_kind_of_table_gives_the_same_columns(tmp_path: Path) -> None:
    fits = sw.fit_many({"n": LONG["n"], "time": LONG["time"]}, offsets=OFFSETS, kind="strong")
    names = np.array([f"job {k}" for k in LONG["job"]])
    frame = pd.DataFrame(LONG | {"job": names})
    frame.to_csv(tmp_path / "runs.csv", index=False)
    frame.to_parquet(tmp_path / "runs.parquet")
    tables = [
        frame,
        pl.from_pandas(frame),
        pl.from_pandas(frame).lazy(),
        pa.Table.from_pandas(frame),
        tmp_path / "runs.csv",
        str(tmp_path / "runs.parquet"),
    ]
    for source in tables:
        found = sw.fit_many(source, by="job", kind="strong")
        assert found.keys["job"].tolist() == [f"job {10 * i}" for i in range(len(TRACES))]
        for name in fits.names:
            assert np.array_equal(found.column(name), fits.column(name), equal_nan=True)
        assert found.index("job 30") == 3


def test_rates_work_and_rounds_are_read_as_one_table_is() -> None:
    rng = np.random.default_rng(3)
    n = np.repeat([1.0, 2, 4, 8, 16], 3)
    traces: list[dict[str, Any]] = []
    for k in range(9):
        work = n * 1e6 if k % 3 == 0 else np.full(n.size, 1e6)
        if k % 3 == 2:
            work = work * rng.uniform(1, 3, n.size)
        if k == 4:
            work[3] *= 2
        if k == 1:
            work = work * rng.uniform(0.99, 1.01, n.size)
        time = work / n * (0.05 + 0.95 / n if k % 3 else 1e-6) * np.exp(0.02 * rng.standard_normal(n.size))
        turn = np.tile([0.0, 1, 2], 5)
        traces.append({"n": n, "throughput": work / time, "work": work, "round": turn})
    long = {name: np.concatenate([t[name] for t in traces]) for name in traces[0]}
    long["job"] = np.repeat(np.arange(9), n.size)
    for kind in (None, "strong", "weak", "throughput"):
        fits = sw.fit_many(long, by="job", kind=kind)
        for i, trace in enumerate(traces):
            fit = sw.fit(sw.Runs(**trace, kind=kind))
            assert fits.row(i).to_dict() == fit.to_dict()
            check(fits, i, fit)
    rates = {name: long[name] for name in ("job", "n", "throughput")}
    assert set(sw.fit_many(rates, by="job").status) == {"kind unknown"}


BAD: dict[str, tuple[list[float], list[float]]] = {
    "fitted": ([1, 2, 4, 8], [8, 4.2, 2.3, 1.3]),
    "no usable rows": ([0, 2, -4], [1, float("nan"), 2]),
    "one count": ([4, 4, 4], [1, 1.1, 0.9]),
    "two counts": ([1, 2, 2], [4, 2.1, 2.2]),
    "too few repeats": ([1, 2, 4], [4, 2.1, 1.2]),
    "kind unknown": ([1, 2, 4, 8], [8, 8, 8, 8]),
}


def test_bad_traces_say_why_in_their_row_and_stop_nothing() -> None:
    long: dict[str, Any] = {
        "job": np.repeat(list(BAD), [len(n) for n, _ in BAD.values()]),
        "n": np.concatenate([n for n, _ in BAD.values()]),
        "time": np.concatenate([time for _, time in BAD.values()]),
    }
    fits = sw.fit_many(long, by="job")
    assert fits.status.tolist() == list(BAD)
    assert [bool(reason) for reason in fits.reason] == [name != "fitted" for name in BAD]
    assert fits.left_out.tolist() == [0, 3, 0, 0, 0, 0]
    with pytest.raises(sw.InsufficientDataError):
        fits.row(1)
    for i in (0, 2, 3, 4, 5):
        n, time = list(BAD.values())[i]
        fit = sw.fit(sw.Runs(n=n, time=time))
        assert fits.row(i).to_dict() == fit.to_dict()
        check(fits, i, fit)
    flat = sw.fit_many(long, by="job", kind="strong")
    assert flat.status[5] == "time does not fall"
    assert sw.fit_many(long, by="job", kind="strong", confirm=True).status[5] == "fitted"


def test_missing_cells_are_left_out_as_of_one_table() -> None:
    frame = pd.DataFrame({"job": LONG["job"], "threads": LONG["n"], "wall_ms": 1e3 * LONG["time"]})
    frame.loc[[2, 17, 40], "wall_ms"] = np.nan
    fits = sw.fit_many(frame, by="job", kind="strong")
    assert int(fits.left_out.sum()) == 3
    for i in range(len(fits)):
        part = frame[frame["job"] == 10 * i].reset_index(drop=True)
        assert fits.row(i).to_dict() == sw.fit(part, kind="strong").to_dict()


def test_keys_may_be_several_and_missing() -> None:
    n, time = TRACES[3]
    frame = pl.DataFrame(
        {"host": ["a", None, "a"] * n.size, "gpus": np.tile([1.0, 1.0, np.nan], n.size)}
        | {"n": np.repeat(n, 3), "time": np.repeat(time, 3)}
    )
    # "gpus" would be a worker count too: a key has no other role.
    fits = sw.fit_many(frame, by=["host", "gpus"], kind="strong")
    assert fits.keys["host"].tolist() == ["a", None, "a"]
    assert fits.runs.tolist() == [n.size] * 3
    assert fits.row(2).to_dict() == sw.fit(sw.Runs(n=n, time=time, kind="strong")).to_dict()


def test_ctrl_c_keeps_what_is_done() -> None:
    n = np.tile([1.0, 2, 4, 8, 16], 4000)
    runs = {"n": n, "time": 0.1 + 1 / n}

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(sw.FitsInterrupted, match="of 4000 traces") as ended:
        sw.fit_many(runs, offsets=np.arange(0, n.size + 1, 5), kind="strong", progress=stop)
    fits = ended.value.result
    done = fits.status == "fitted"
    assert 0 < done.sum() < 4000
    assert set(fits.status) == {"fitted", "not reached"}
    assert np.isnan(fits.column("ceiling_low")[~done]).all()
    check(fits, int(np.flatnonzero(done)[-1]), sw.fit(sw.Runs(n=n[:5], time=runs["time"][:5], kind="strong")))


def test_files_hold_every_column(tmp_path: Path) -> None:
    fits = sw.fit_many(LONG, by="job", kind="strong")
    fits.save(tmp_path / "fits.parquet")
    fits.save(tmp_path / "fits.csv")
    expected = fits.to_dataframe()
    for found in (pd.read_parquet(tmp_path / "fits.parquet"), pd.read_csv(tmp_path / "fits.csv")):
        assert list(found.columns) == list(expected.columns)
        assert found["doubling"].tolist() == expected["doubling"].tolist()
        for name in fits.names:
            assert np.array_equal(found[name].to_numpy(float), fits.column(name), equal_nan=True)
    with pytest.raises(sw.ChoiceError, match=r"ends in \.parquet or \.csv"):
        fits.save(tmp_path / "fits.xlsx")
    with pytest.raises(sw.ReadError, match="there is no directory"):
        fits.save(tmp_path / "nowhere" / "fits.csv")


def test_the_command_line_writes_one_row_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pd.DataFrame(LONG).to_parquet(tmp_path / "runs.parquet")
    call = ["fit", str(tmp_path / "runs.parquet"), "--by", "job", "--scaling", "strong", "--level", "0.9"]
    out = tmp_path / "fits.parquet"
    assert run([*call, "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{len(TRACES)} traces, {len(TRACES)} with an answer\n")
    fits = sw.fit_many(LONG, by="job", kind="strong", level=0.9)
    assert np.array_equal(pd.read_parquet(out)["ceiling_low"].to_numpy(), fits.ceiling[:, 0])
    for wrong, said in (
        (["--json"], "--json does not go with --out"),
        (["--by", ""], "--out needs --by COLUMN"),
        (["--by", "node"], '--by is "node"'),
        (["--out", "fits.txt"], "neither Parquet nor CSV"),
    ):
        assert run([*call, "--out", str(out), *wrong]) == 2
        assert said in capsys.readouterr().err


def test_the_command_line_keeps_what_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    n = np.tile([1.0, 2, 4, 8, 16], 2000)
    runs = {"job": np.repeat(np.arange(2000), 5), "n": n, "time": 0.1 + 1 / n}
    pd.DataFrame(runs).to_parquet(tmp_path / "runs.parquet")

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scalewall._progress.reporter", lambda progress: stop)
    out = tmp_path / "fits.csv"
    call = ["fit", str(tmp_path / "runs.parquet"), "--by", "job", "--scaling", "strong", "--out", str(out)]
    assert run(call) == 130
    assert "Interrupted. Saved" in capsys.readouterr().err
    status = pd.read_csv(out)["status"]
    assert len(status) == 2000
    assert set(status) == {"fitted", "not reached"}


def test_progress_rises_to_one() -> None:
    seen: list[float] = []
    sw.fit_many(LONG, by="job", kind="strong", progress=seen.append)
    assert seen[-1] == 1.0
    assert seen == sorted(seen)


def test_a_data_frame_has_a_column_for_everything() -> None:
    fits = sw.fit_many(LONG, by="job", kind="strong")
    frame = fits.to_dataframe()
    assert len(frame) == len(fits)
    assert frame["job"].tolist() == fits.keys["job"].tolist()
    assert {"status", "reason", "notes", "usl_kept", *fits.names} <= set(frame.columns)
    assert frame["ceiling_low"].tolist() == pytest.approx(fits.ceiling[:, 0].tolist(), rel=0, abs=0)
    assert repr(fits) == f"<Fits of {len(TRACES)} traces: {len(TRACES)} fitted>"


def test_a_trace_may_have_no_row() -> None:
    n, time = TRACES[0]
    fits = sw.fit_many({"n": n, "time": time}, offsets=[0, 0, n.size], kind="strong")
    assert fits.status.tolist() == ["no usable rows", "fitted"]
    assert fits.row(1).to_dict() == sw.fit(sw.Runs(n=n, time=time, kind="strong")).to_dict()
    with pytest.raises(sw.InsufficientDataError, match="trace 0 has no row"):
        fits.row(0)


def test_results_travel_between_processes() -> None:
    fits = sw.fit_many(LONG, by="job", kind="strong", gain=0.2)
    copy = pickle.loads(pickle.dumps(fits))
    assert copy.row(4).to_dict() == fits.row(4).to_dict()
    assert np.array_equal(copy.ceiling, fits.ceiling)


def test_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(sw.ReadError, match="does not exist"):
        sw.fit_many("nowhere.parquet", by="job")
    with pytest.raises(sw.ChoiceError, match="by, offsets - neither"):
        sw.fit_many(LONG)
    with pytest.raises(sw.ColumnError, match='by is "node"'):
        sw.fit_many(LONG, by="node")
    with pytest.raises(sw.DomainError, match=r"offsets\[1\] is 3"):
        sw.fit_many({"n": LONG["n"], "time": LONG["time"]}, offsets=[0, 3])
    with pytest.raises(sw.ChoiceError, match="load curve needs a rate"):
        sw.fit_many(LONG, by="job", kind="throughput")
    with pytest.raises(sw.DomainError, match="level"):
        sw.fit_many(LONG, by="job", level=1.5)
    fits = sw.fit_many(LONG, by="job", kind="strong")
    with pytest.raises(sw.ChoiceError, match="law is 'usl_log_schwartz'"):
        fits.params("usl_log_schwartz")
    with pytest.raises(IndexError, match="there are 13 traces"):
        fits.row(13)
    with pytest.raises(KeyError):
        fits.index(5)
