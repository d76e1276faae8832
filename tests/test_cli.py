"""The command line: exit codes, errors in one line, JSON, groups, files, and what meets the terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scalewall import __version__
from scalewall.cli import main, run

STRONG = "threads,time_s\n" + "".join(
    f"{n},{100 * (1 / n + 0.02 * (1 - 1 / n)):.4f}\n" for n in (1, 2, 4, 8, 16)
)
RATES = "threads,throughput\n1,955\n2,1879\n4,3549\n8,6531\n16,9897\n32,12074\n"
FLAT = "nodes,time_s\n1,1.00\n2,1.02\n4,1.04\n8,1.05\n16,1.08\n32,1.10\n"
GROUPS = "job,threads,time_s\n" + "".join(
    f"{job},{n},{100 * (1 / n + f * (1 - 1 / n)):.4f}\n"
    for job, f in (("lu", 0.02), ("fft", 0.2))
    for n in (1, 2, 4, 8)
)


@pytest.fixture
def table(tmp_path: Path) -> Any:
    def write(text: str, name: str = "runs.csv") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def command(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "PYTHONIOENCODING"}} | environment
    return subprocess.run(
        [sys.executable, "-m", "scalewall", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env=env,
    )


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text.rstrip("\n")


def test_an_answer_exits_with_0(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fit", table(STRONG)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("YES  32 threads would cut the time of 16 by ")
    assert shown.err == ""
    assert "\x1b" not in shown.out


def test_cannot_tell_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fit", "--example", "wirelog"]) == 0
    assert capsys.readouterr().out.startswith("CANNOT TELL  whether 16 workers beat 8")


def test_main_exits_with_the_code(table: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fit", table(STRONG)])
    assert ended.value.code == 0


@pytest.mark.parametrize("form", [[], ["--json"], ["--no-color"]])
def test_an_unknown_kind_is_refused_with_2_in_every_form(
    form: list[str], table: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fit", table(RATES), *form]) == 2
    out = capsys.readouterr().out
    if form == ["--json"]:
        found = json.loads(out)
        assert (found["kind"], found["doubling"]["answer"]) == ("unknown", "not answered")
        assert found["notes"]
    else:
        assert out.startswith("REFUSED  A rate and no work column")
        for flag in ("--scaling strong", "--scaling weak", "--scaling throughput"):
            assert flag in out


def test_the_flag_that_the_refusal_names_gives_an_answer(
    table: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fit", table(RATES), "--scaling", "throughput"]) == 0
    assert "whether 64 threads beat 32: rate" in capsys.readouterr().out


def test_a_time_that_does_not_fall_is_refused_until_confirmed(
    table: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(FLAT)
    assert run(["fit", path, "--scaling", "strong"]) == 2
    assert "--scaling strong --confirm" in capsys.readouterr().out
    assert run(["fit", path, "--scaling", "strong", "--confirm"]) == 0
    assert capsys.readouterr().out.startswith("NO  ")
    assert run(["fit", path, "--scaling", "weak"]) == 0
    assert capsys.readouterr().out.startswith("WEAK SCALING  91 % efficient on 32 nodes")


def test_with_a_law_the_fit_is_always_made(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    # Of Percona on Cisco, published: sigma .0267159, kappa 7.69094e-4 for all 32 rows.
    assert run(["fit", table(RATES), "--law", "usl", "--residuals", "throughput"]) == 0
    out = capsys.readouterr().out
    assert "what stays the same from row to row is not said" in " ".join(out.split())
    assert "If it holds: contention (sigma)" in out or "If it holds: coherency (kappa)" in out


def test_too_few_counts_are_refused_and_say_what_is_known(
    table: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table("processes,time_s\n1,359.3\n8,129.0\n")
    assert run(["fit", path]) == 2
    out = capsys.readouterr().out
    assert out.startswith("REFUSED  2 worker counts")
    assert "0.267 at 8" in out
    assert run(["fit", path, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["ceiling"] is None


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["fit"], ["FILE is missing", "--example", "raytracer"]),
        (["fit", "no_such_file.csv"], ["no_such_file.csv"]),
        (["fit", "x.csv", "--example", "raytracer"], ["FILE and --example are both given"]),
        (["fit", "--example", "nope"], ['--example is "nope"', "raytracer, specsdm91, cisco"]),
        (["fit", "--example", "cisco", "--n", "x"], ["--n does not go with --example"]),
        (["fit", "--example", "sparta", "--keep-row", "2"], ["--keep-row does not go with --example"]),
        (["fit", "--example", "cisco", "--min-n", "0"], ["--min-n does not go with --example"]),
        (["fit", "--example", "cisco", "--law", "ampdahl"], ['--law is "ampdahl"', "amdahl", "usl"]),
        (["fit", "--example", "cisco", "--scaling", "both"], ["--scaling", "strong", "weak", "throughput"]),
        (["fit", "--example", "cisco", "--residuals", "abs"], ["--residuals", "log", "time"]),
        (["fit", "--example", "cisco", "--interval", "ci"], ["--interval", "region or wald"]),
        (["fit", "--example", "cisco", "--gain", "much"], ['--gain is "much"', "0.1 or 10%"]),
        (["fit", "--example", "cisco", "--gain", "nan"], ["--gain"]),
        (["fit", "--example", "cisco", "--gain", "-1"], ["--gain"]),
        (["fit", "--example", "cisco", "--level", "95"], ['--level is "95"', "0.95 or 95%"]),
        (["fit", "--example", "cisco", "--efficiency", "0"], ["--efficiency"]),
        (["fit", "--example", "cisco", "--cap", "0"], ["--cap"]),
        (["fit", "--example", "cisco", "--cap", "x"], ["--cap"]),
        (["fit", "--example", "cisco", "--at", "64,,128"], ["--at"]),
        (["fit", "--example", "cisco", "--at", "0.5"], ["--at", '"0.5" is not a worker count']),
        (["fit", "--example", "cisco", "--at", "inf"], ["--at"]),
        (["fit", "--example", "cisco", "--min-n", "x"], ["--min-n"]),
        (["fit", "--example", "cisco", "--keep-row", "x"], ["--keep-row"]),
        (["fit", "--example", "cisco", "--by", "host"], ['no column "host"']),
        (["fit", "--example", "cisco", "--nonsense"], ["--nonsense"]),
        (["fit", "a.csv", "b.csv"], ["b.csv"]),
        (["fitt"], ["fitt"]),
    ],
)
def test_wrong_use_is_one_line_on_standard_error_and_exit_2(
    arguments: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    line = one_line(shown.err)
    assert line.startswith("scalewall: ")
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("blank.csv", b"\n\n  \n"),
        ("header.csv", b"threads,time\n"),
        ("words.csv", b"threads,time\na,b\nc,d\n"),
        ("binary.csv", bytes(range(256)) * 8),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(200)),
        ("broken.json", b'{"n": [1, 2'),
        ("odd.xyz", b"\xff\xfe\x00"),
        ("missing.csv", b"a,b\n1,2\n2,3\n"),
        ("two.csv", b"nodes,ranks,time\n1,2,3\n2,4,2\n4,8,1\n"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_bad_files_are_one_line_and_no_object(
    name: str, content: bytes, form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert run(["fit", str(path), *form]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert name in one_line(shown.err)


def test_a_directory_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fit", str(tmp_path)]) == 2
    assert "directory" in one_line(capsys.readouterr().err)


def test_json_is_exactly_the_object_of_the_fit(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    import scalewall as sw

    path = table(STRONG)
    assert run(["fit", path, "--json", "--at", "32,64", "--gain", "20%", "--cap", "64"]) == 0
    wanted = sw.fit(sw.read(path), at=[32, 64], gain=0.2, cap=64).to_dict()
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(wanted))


def test_groups_give_one_screen_or_one_object_each(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(GROUPS)
    assert run(["fit", path, "--by", "job"]) == 0
    out = capsys.readouterr().out
    assert out.index("job = lu\n") < out.index("job = fft\n")
    assert out.count("What stands in the way") == 2
    assert run(["fit", path, "--by", "job", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["schema"] for entry in found] == ["scalewall.fit/1"] * 2


def test_standard_input_is_a_file_called_minus() -> None:
    done = command("fit", "-", stdin=STRONG.encode(), PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    assert done.stdout.decode().startswith("YES  32 threads")
    empty = command("fit", "-")
    assert empty.returncode == 2
    assert b"standard input" in empty.stderr


def test_columns_can_be_named(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(STRONG.replace("threads,time_s", "k,what"))
    assert run(["fit", path]) == 2
    capsys.readouterr()
    assert run(["fit", path, "--n", "k", "--time", "what", "--scaling", "strong"]) == 0
    assert capsys.readouterr().out.startswith("YES  32 workers")


def test_a_row_left_out_can_be_put_back(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(1, 10.0, 100), (2, 10.1, 200), (4, 10.3, 400), (8, 10.4, 800), (16, 9.0, 3), (16, 10.6, 1600)]
    path = table("nodes,time_s,work\n" + "".join(f"{n},{t},{w}\n" for n, t, w in rows))
    assert run(["fit", path]) == 0
    assert "1 row left out: row 6, 16 nodes" in capsys.readouterr().out
    assert run(["fit", path, "--keep-row", "6"]) == 0
    assert "left out" not in capsys.readouterr().out


def test_figures_and_pages_are_written_and_said_on_standard_error(
    table: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    png, page = tmp_path / "fit.png", tmp_path / "fit.html"
    assert run(["fit", table(STRONG), "--json", "--plot", str(png), "--html", str(page)]) == 0
    shown = capsys.readouterr()
    json.loads(shown.out)
    assert shown.err == f"Saved {png}\nSaved {page}\n"
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "YES" in page.read_text(encoding="utf-8")


def test_groups_write_a_file_each(table: Any, tmp_path: Path) -> None:
    assert run(["fit", table(GROUPS), "--by", "job", "--html", str(tmp_path / "fit.html")]) == 0
    assert sorted(p.name for p in tmp_path.glob("*.html")) == ["fit-fft.html", "fit-lu.html"]


@pytest.mark.parametrize(
    ("option", "name"), [("--plot", "none/x.png"), ("--html", "none/x.html"), ("--plot", "x.what")]
)
def test_files_that_cannot_be_written_are_one_line(
    option: str, name: str, table: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fit", table(STRONG), option, str(tmp_path / name)]) == 2
    assert Path(name).name in one_line(capsys.readouterr().err)


def test_ascii_terminals_get_ascii(table: Any) -> None:
    path = table(STRONG)
    for form in ([], ["--json"]):
        done = command("fit", path, *form, PYTHONIOENCODING="ascii")
        assert done.returncode == 0, done.stderr
        assert max(done.stdout) < 128
    refused = command("fit", table("tĥreads,tïme\n1,2\n", "ä.csv"), PYTHONIOENCODING="ascii")
    assert refused.returncode == 2
    assert max(refused.stderr) < 128


def test_a_closed_pipe_ends_quietly(table: Any) -> None:
    read, write = os.pipe()
    os.close(read)
    arguments = [sys.executable, "-m", "scalewall", "fit", table(STRONG)]
    process = subprocess.Popen(arguments, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (141, b"")


def test_ctrl_c_ends_quietly(
    table: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scalewall.readers.read", interrupted)
    assert run(["fit", table(STRONG)]) == 130
    shown = capsys.readouterr()
    assert (shown.out, shown.err.strip()) == ("", "")


def on_terminal(*arguments: str, **environment: str) -> str:
    """Run the command line with a pseudo terminal as standard output and return what it shows."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    env |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | environment
    process = subprocess.Popen([sys.executable, "-m", "scalewall", *arguments], stdout=theirs, env=env)
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other end is closed: that is how a pseudo terminal ends
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    assert process.wait() == 0
    return b"".join(chunks).decode().replace("\r\n", "\n")


COLOUR = re.compile(r"\x1b\[[\d;]*m")


def test_a_terminal_gets_named_colours_and_the_same_text(table: Any) -> None:
    path = table(STRONG)
    shown = on_terminal("fit", path)
    assert "\x1b[1;32mYES\x1b[0m" in shown
    codes = {int(code) for found in COLOUR.findall(shown) for code in found[2:-1].split(";")}
    # Bold, dim and the eight named colours, so that the user's theme decides what they look like.
    assert codes <= {0, 1, 2, *range(30, 38)}
    plain = command("fit", path, PYTHONIOENCODING="utf-8").stdout.decode()
    assert [line.rstrip() for line in COLOUR.sub("", shown).split("\n")] == plain.split("\n")


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--no-color"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), (["--json"], {})],
)
def test_colour_can_be_refused(arguments: list[str], environment: dict[str, str], table: Any) -> None:
    assert "\x1b" not in on_terminal("fit", table(STRONG), *arguments, **environment)


def test_version_and_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"scalewall {__version__}\n"
    assert run(["info"]) == 0
    out = capsys.readouterr().out
    for part in (__version__, "Python", "NumPy", "threads"):
        assert part in out
    assert run(["info", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["scalewall"] == __version__
    assert 1 <= facts["threads"] <= facts["processors"]


@pytest.mark.parametrize("debug", [True, False])
def test_info_warns_of_a_debug_build(
    *, debug: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scalewall._core.DEBUG_BUILD", debug)
    assert run(["info"]) == 0
    assert ("Do not time it" in capsys.readouterr().out) is debug


@pytest.mark.parametrize("arguments", [[], ["--help"], ["fit", "--help"], ["fit", "-h"], ["info", "--help"]])
def test_help_fits_the_screen(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("Usage: scalewall")
    assert max(map(len, out.split("\n"))) <= 80


def test_no_figure_library_is_loaded_without_a_figure(table: Any) -> None:
    code = (
        "import sys; from scalewall.cli import run; "
        f"code = run(['fit', {table(STRONG)!r}, '--json']); "
        "slow = {'matplotlib', 'jinja2', 'rich', 'narwhals', 'scipy', 'pandas'} & set(sys.modules); "
        "sys.exit(3 if slow else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["raytracer", "specsdm91", "cisco"])
def test_examples_give_an_answer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fit", "--example", name]) == 0
    assert capsys.readouterr().out.split("  ")[0] in {"YES", "NO", "CANNOT TELL", "LEANING YES", "LEANING NO"}


def test_a_group_without_a_usable_row_leaves_the_others_their_answer(
    table: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(GROUPS + "sort,1,broken\nsort,2,-1\n")
    assert run(["fit", path, "--by", "job", "--json"]) == 0
    shown = capsys.readouterr()
    assert [found["notes"][0] for found in json.loads(shown.out)] == ["job = lu", "job = fft"]
    said = one_line(shown.err)
    assert 'job = sort: runs.csv: no usable row: runs.csv row 10, column "time_s": "broken"' in said


def test_a_table_without_a_usable_row_says_why(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{n},{100 / n:g}e200\n" for n in (1, 2, 4, 8, 16, 32, 64))
    assert run(["fit", table("threads,time_s\n" + rows)]) == 2
    said = one_line(capsys.readouterr().err)
    assert "runs.csv: no usable row: runs.csv row 2" in said
    assert "Times must lie between 1e-100 and 1e+100" in said
    assert said.endswith("and 2 more")


def test_one_file_that_cannot_be_written_keeps_no_other_from_being_written(
    table: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert run(["fit", table(STRONG), "--plot", str(tmp_path / "none" / "fit.svg"), "--html", str(page)]) == 2
    assert page.exists()
    assert "fit.svg cannot be written" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="shells there cannot close a stream")
@pytest.mark.parametrize(
    ("closing", "arguments", "code", "said"),
    [
        (">&-", "runs.csv", 0, ""),
        (">&- 2>&-", "runs.csv", 0, ""),
        (">&- 2>&-", "nothing.csv", 2, ""),
        ("<&-", "-", 2, "scalewall: standard input is closed."),
    ],
)
def test_closed_streams_are_no_error_of_the_program(
    closing: str, arguments: str, code: int, said: str, table: Any
) -> None:
    folder = Path(table(STRONG)).parent
    line = f"'{sys.executable}' -m scalewall fit {arguments} {closing}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False, cwd=folder)
    assert (done.returncode, done.stderr[: len(said) or None]) == (code, said)


def test_no_line_of_a_far_forecast_is_wider_than_the_screen(
    table: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fit", table(STRONG), "--at", "1000000000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line.startswith("  1 000 000 000") and line.endswith("forecast")]
