"""Which column plays which role: by name or by the caller; what competes is listed, not guessed."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall._errors import ColumnError
from scalewall.kinds import quoted
from scalewall.readers.names import Name, as_rate, as_time, parse_name, sibling_of_minimum
from scalewall.readers.table import listed
from scalewall.results import Note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scalewall.readers.table import Table

ROLES = ("n", "time", "throughput", "work", "round", "serial", "one_worker")
_WHAT = {
    "n": "the worker count",
    "time": "the time",
    "throughput": "the rate",
    "work": "the work",
    "round": "the round",
    "serial": "the serial seconds",
    "one_worker": "the time on one worker",
}
_MOST_NEAR = 8
_FLAGS = {role: "--" + role.replace("_", "-") for role in ROLES}


@dataclass(frozen=True)
class Roles:
    """The column index of each role that a table has, names taken apart, and which the caller gave."""

    column: dict[str, int]
    names: dict[int, Name]
    given: frozenset[str]
    notes: tuple[Note, ...]


def find(table: Table, wanted: Mapping[str, str | int | None]) -> Roles:
    """Return the roles of the columns of a table.

    Parameters
    ----------
    table : Table
        The table as found.
    wanted : mapping
        For each role the column that the caller names: a name, a number counted from 1, or None.

    Raises
    ------
    ColumnError
        If a column is missing, or several compete; the message lists them and the flags that decide.
    """
    column = {role: _wanted(table, role, choice) for role, choice in wanted.items() if choice is not None}
    given = frozenset(column)
    if "time" in column and "throughput" in column:
        raise _error(
            table,
            f"a run has a time or a rate, and both are given ({_FLAGS['time']} and {_FLAGS['throughput']}). "
            "Leave one out",
        )
    for role, index in column.items():
        twice = [other for other, at in column.items() if at == index]
        if len(twice) > 1:
            flags = " and ".join(_FLAGS[other] for other in twice)
            raise _error(
                table, f'column "{table.name(index)}" is given for two roles ({flags}). Name one for {role}'
            )
    if table.names is None:
        return _without_header(table, column, given)
    return _by_name(table, column, given)


def _error(table: Table, text: str) -> ColumnError:
    return ColumnError(f"{table.source}: {text}" if table.source else text)


def _wanted(table: Table, role: str, choice: str | int) -> int:
    """Return the index of the column that the caller names for a role."""
    width = len(table.columns)
    text = str(choice).strip()
    number = int(text) if text.isascii() and text.isdigit() else None
    if table.names is not None and not isinstance(choice, int):
        exact = [i for i, name in enumerate(table.names) if name.strip() == text]
        loose = exact or [i for i, name in enumerate(table.names) if name.strip().lower() == text.lower()]
        if len(loose) == 1:
            return loose[0]
        if len(loose) > 1:
            raise _twice(table, role, loose)
    if number is not None and 1 <= number <= width:
        return number - 1
    flag = _FLAGS[role]
    if table.names is None:
        raise _error(
            table,
            f'there is no header, so no column "{text}". Expected a column number from 1 to {width}. '
            f"Say {flag} {width}, or write a header line",
        )
    if number is not None:
        raise _error(
            table, f"there is no column {number}, only {width}: {listed(table.names)}. Say {flag} COLUMN"
        )
    close = difflib.get_close_matches(text.lower(), [name.lower() for name in table.names], n=1)
    near = next((name for name in table.names if close and name.lower() == close[0]), None)
    advice = f"{flag} {quoted(near)}" if near else f"{flag} COLUMN"
    raise _error(table, f'there is no column "{text}". The columns are {listed(table.names)}. Say {advice}')


def _twice(table: Table, role: str, found: list[int]) -> ColumnError:
    numbers = " and ".join(str(i + 1) for i in found)
    return _error(
        table,
        f'the name "{table.name(found[0])}" stands over columns {numbers}. '
        f"Expected one column as {_WHAT[role]}. "
        f"Rename one, or say {_FLAGS[role]} {found[0] + 1} (the number of the column)",
    )


def _without_header(table: Table, column: dict[str, int], given: frozenset[str]) -> Roles:
    width = len(table.columns)
    if "time" not in column and "throughput" not in column:
        last = 2 if column.get("n", 0) != 1 else 1
        if width == 1:
            raise _error(
                table,
                "there is one column and no header. Expected a worker count and a time or rate in every row. "
                "Put a comma between them, and a header line like n,time above",
            )
        rest = " (column 1 is then the worker count)" if width == 2 and "n" not in column else ""
        n = "" if "n" in column or width == 2 else " --n 1"
        raise _error(
            table,
            f"there is no header, and {width} columns of numbers do not say which is a time or a rate. "
            f"Say{n} --time {last} or{n} --throughput {last}{rest}, or write a header line like n,time",
        )
    if "n" not in column:
        free = [index for index in range(width) if index not in column.values()]
        if len(free) != 1:
            raise _error(
                table,
                f"there is no header, and {len(free)} of {width} columns could be the worker count. "
                "Say --n and the number of the column, or write a header line",
            )
        column["n"] = free[0]
    names = {index: parse_name("") for index in column.values()}
    names |= {
        column[role]: _as_role(parse_name(""), role) for role in ("time", "throughput") if role in column
    }
    return Roles(column, names, given, ())


def _as_role(name: Name, role: str) -> Name:
    if role == "throughput":
        return as_rate(name)
    return as_time(name) if role in {"time", "serial", "one_worker"} else name


def _by_name(table: Table, column: dict[str, int], given: frozenset[str]) -> Roles:
    names = [parse_name(name) for name in table.names or ()]
    taken = set(column.values()) | set(table.index)
    found: dict[str, list[int]] = {
        role: [i for i, name in enumerate(names) if name.role == role and i not in taken]
        for role in ("n", "time", "throughput", "work", "round")
    }
    measured = "time" in column or "throughput" in column
    problems: list[str] = []
    for role in ("n", "work", "round"):
        if role not in column and len(found[role]) > 1:
            problems.append(_several(table, role, found[role]))
        elif role not in column and found[role]:
            column[role] = found[role][0]
        elif role == "n" and role not in column:
            problems.append(_missing(names, ("n",), taken))
    if not measured:
        if found["time"] and found["throughput"]:
            problems.append(_time_and_rate(table, found["time"], found["throughput"]))
        elif not found["time"] and not found["throughput"]:
            problems.append(_missing(names, ("time", "throughput"), taken | set(column.values())))
        else:
            role = "time" if found["time"] else "throughput"
            if len(found[role]) > 1:
                problems.append(_several(table, role, found[role]))
            else:
                column[role] = found[role][0]
    if problems:
        text = ". ".join(
            problem if i == 0 else problem[0].upper() + problem[1:] for i, problem in enumerate(problems)
        )
        raise _error(table, f"{text}. The columns are {listed(table.names or ())}")
    parsed = {index: _as_role(names[index], role) for role, index in column.items()}
    notes = _minimum_notes(table, parsed)
    return Roles(column, parsed, given, notes)


def _several(table: Table, role: str, found: list[int]) -> str:
    """Say which columns compete for a role, and the flag for each."""
    texts = [table.name(i) for i in found]
    if len(set(texts)) < len(texts):
        numbers = " and ".join(str(i + 1) for i in found)
        return (
            f'the name "{texts[0]}" stands over columns {numbers}, and one is needed as {_WHAT[role]}. '
            f"Rename one, or say {_FLAGS[role]} {found[0] + 1} (the number of the column)"
        )
    flags = " or ".join(f"{_FLAGS[role]} {quoted(text)}" for text in texts)
    count = {2: "two", 3: "three", 4: "four"}.get(len(texts), str(len(texts)))
    return f"{count} columns could be {_WHAT[role]}: {listed(texts)}. Say {flags}"


def _time_and_rate(table: Table, times: list[int], rates: list[int]) -> str:
    flags = [f"--time {quoted(table.name(i))}" for i in times]
    flags += [f"--throughput {quoted(table.name(i))}" for i in rates]
    timed, rated = listed([table.name(i) for i in times]), listed([table.name(i) for i in rates])
    return (
        f"a time ({timed}) and a rate ({rated}) stand side by side, and only one is what was measured. "
        f"Say {' or '.join(flags)}"
    )


def _missing(names: list[Name], roles: tuple[str, ...], taken: set[int]) -> str:
    """Say that no column has a name of this role, which there are, and which of them come near."""
    what = "the worker count" if roles == ("n",) else "a time or a rate"
    near = [
        f"{_FLAGS[name.hint]} {quoted(name.text)}"
        for i, name in enumerate(names)
        if name.hint in roles and i not in taken
    ]
    if len(near) > _MOST_NEAR:
        near = [*near[:_MOST_NEAR], "another column"]
    advice = " or ".join(near) if near else " or ".join(f"{_FLAGS[role]} COLUMN" for role in roles)
    return f"no column is named as {what}. Say {advice}"


def _minimum_notes(table: Table, parsed: dict[int, Name]) -> tuple[Note, ...]:
    """Settle whether `time_min` is minutes or the least of several times, and say which."""
    notes: list[Note] = []
    for index, name in parsed.items():
        if name.role != "time" or not name.statistic:
            continue
        sibling = sibling_of_minimum(name.text, list(table.names or ()))
        if sibling is None:
            notes.append(Note("minutes", f'Column "{name.text}" is read as minutes.'))
            continue
        parsed[index] = Name(name.text, "time", None, 1.0, None, None, True)
        text = (
            f'Column "{name.text}" is read as the least of several times, in seconds: '
            f'"{sibling}" stands beside it.'
        )
        notes.append(Note("minimum", text))
    return tuple(notes)
