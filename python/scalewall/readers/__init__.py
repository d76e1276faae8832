"""From files, text and tables of any kind to `Runs`; `read` is the one door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scalewall._errors import ColumnError
from scalewall.readers import build, campaign, frames, objects, roles, sources, text
from scalewall.readers.table import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scalewall.readers.table import Table
    from scalewall.runs import Runs


def read(
    source: object,
    *,
    n: str | int | None = None,
    time: str | int | None = None,
    throughput: str | int | None = None,
    work: str | int | None = None,
    round: str | int | None = None,  # noqa: A002 - the word of the field, as in the column name
    serial: str | int | None = None,
    one_worker: str | int | None = None,
    kind: str | None = None,
    unit: str | tuple[str, str] | None = None,
    min_n: float = 1.0,
    keep_rows: Iterable[int] = (),
    delimiter: str | None = None,
    header: bool | None = None,
    name: str | None = None,
) -> Runs:
    r"""Read measured runs from a file or a table.

    Columns are found by name, case and plural ignored: workers (`n`, `threads`, `ranks`, `gpus`, ...), time
    (`time`, `wall_ms`, `elapsed`, ...), rate (`throughput`, `fom`, `qps`, ...), `work` and `round`. A unit in
    the name (`time_ms`, `wall [us]`) or in every cell ("310 ms") is used, and none is guessed. A rate per
    worker (`fom_per_node`) is multiplied by the count. All other columns are kept as `extra`.

    Parameters
    ----------
    source : path, open file, bytes, str, dict, list, ndarray or data frame
        CSV, TSV or other delimited text with or without a header, JSON or JSON Lines; a str with a line
        break is the table itself. A dict of columns, a list of dicts, or a table of pandas, polars or
        pyarrow.
    n, time, throughput, work, round : str or int, optional
        Column that plays this role: its name, or its number counted from 1.
    serial, one_worker : str or int, optional
        Columns with the seconds of the serial phase, and of the same problem on one worker.
    kind : {"strong", "weak", "throughput"}, optional
        Kind of scaling, where the table does not say.
    unit : str or (str, str), optional
        What is counted, where the column name does not say.
    min_n : float, default 1
        Smallest count that is let in.
    keep_rows : iterable of int
        Rows (by line) to put back that the work column would leave out.
    delimiter : str, optional
        Sign between two cells, or "whitespace"; found from the text otherwise.
    header : bool, optional
        Whether the first row names the columns; a first row without any number does.
    name : str, optional
        Name of the source in messages; the file name otherwise.

    Returns
    -------
    Runs
        With every row that could not be used in `rejected`.

    Raises
    ------
    ReadError
        If the source is no table of runs: missing, empty, binary, a directory, no number in a column.
    ColumnError
        If a column is missing, or several compete for one role; the message has the flag that decides.

    Examples
    --------
    >>> import scalewall as sw
    >>> runs = sw.read("threads,time_ms\n1,1000\n2,520\n4,290\n")
    >>> runs.time.tolist(), runs.unit, runs.kind
    ([1.0, 0.52, 0.29], 'threads', 'strong')
    """
    found = sources.text_of(source)
    if found is not None and campaign.is_campaign(found.text):
        label = name or found.name
        roles_given = {"n": n, "time": time, "throughput": throughput, "work": work, "round": round}
        wrong = [role for role, column in roles_given.items() if column is not None]
        if wrong:
            raise ColumnError(
                f"{label} was written by scalewall measure: what its columns mean is known. "
                f"Leave out --{wrong[0]}"
            )
        return campaign.runs_of(
            campaign.parse(found.text, label), label, kind=kind, unit=unit, min_n=min_n, keep_rows=keep_rows
        )
    table = read_table(source if found is None else found, delimiter=delimiter, header=header, name=name)
    wanted = {
        "n": n,
        "time": time,
        "throughput": throughput,
        "work": work,
        "round": round,
        "serial": serial,
        "one_worker": one_worker,
    }
    return build.runs_of(
        table, roles.find(table, wanted), kind=kind, unit=unit, min_n=min_n, keep_rows=keep_rows
    )


def read_table(
    source: object, *, delimiter: str | None = None, header: bool | None = None, name: str | None = None
) -> Table:
    """Return the cells of a source, before any column has a role."""
    found = source if isinstance(source, sources.Text) else sources.text_of(source)
    if found is not None:
        label = name or found.name
        if objects.looks_like_json(found.text, found.suffix) and delimiter is None:
            return objects.parse(found.text, label, found.suffix)
        return text.parse(found.text, label, delimiter=delimiter, header=header)
    label = name or ""
    if objects.is_plain(source):
        return objects.from_object(source, label)
    table = frames.parse(source, label)
    if table is None:
        raise unreadable(
            label,
            f"source - is of type {type(source).__name__} - expected a path, an open file, text, a dict, "
            "a list or a table of pandas, polars or pyarrow - pass one of these",
        )
    return table


__all__ = ["read", "read_table"]
