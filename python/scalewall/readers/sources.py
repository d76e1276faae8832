"""From a path, an open file, bytes or text to text; what is no text is named."""

from __future__ import annotations

import codecs
import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scalewall._errors import ReadError
from scalewall.readers.table import unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

_EXPORT = "export the sheet as CSV and read that"
_FRAME = "load it with pandas, polars or pyarrow and pass the table to scalewall.read"
_UNPACK = "unpack it first"
# First bytes of files that people have lying beside their tables, what they are, and what to do.
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "an Excel workbook (xlsx) or another zip archive", _EXPORT),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (xls)", _EXPORT),
    (b"PAR1", "a Parquet file", _FRAME),
    (b"ARROW1", "an Arrow (Feather) file", _FRAME),
    (b"FEA1", "a Feather file", _FRAME),
    (b"\x89HDF", "an HDF5 file", _FRAME),
    (b"\x93NUMPY", "a NumPy file", "load it with numpy.load and pass the array to scalewall.read"),
    (b"SQLite format 3", "an SQLite database", _FRAME),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\x80\x04", "a Python pickle", _FRAME),
    (b"\x80\x05", "a Python pickle", _FRAME),
    (b"%PDF", "a PDF document", "copy the table out of it into a CSV file"),
    (b"\x89PNG", "a picture", "write the numbers into a CSV file"),
    (b"\xff\xd8\xff", "a picture", "write the numbers into a CSV file"),
    (b"\x7fELF", "a program", "give the file of its timings"),
)
_TABLE = "Expected a table of runs: CSV, TSV, JSON or JSON Lines"


@dataclass(frozen=True)
class Text:
    """The text of a source, its name for messages and the ending of its file name."""

    text: str
    name: str
    suffix: str = ""


def is_path(source: object) -> bool:
    """Say whether a source names a file: any text does that is neither several lines nor JSON."""
    if isinstance(source, os.PathLike):
        return True
    if not isinstance(source, str) or "\n" in source or "\r" in source:
        return False
    ends = (source.strip()[:1], source.strip()[-1:])
    return ends not in {("{", "}"), ("[", "]")}


def text_of(source: object) -> Text | None:
    """Return the text of a path, open file, bytes or text; None for anything else."""
    if is_path(source):
        return _file(Path(os.fspath(source)))  # type: ignore[call-overload]
    if isinstance(source, str):
        return Text(_checked(source, "text"), "text")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Text(decoded(bytes(source), "bytes"), "bytes")
    reader: Callable[[], object] | None = getattr(source, "read", None)
    if reader is None or not callable(reader):
        return None
    name = _stream_name(source)
    try:
        content = reader()
    except UnicodeDecodeError as error:
        raise unreadable(
            name, f"this is no UTF-8 text ({error.reason}). {_TABLE}. Save it as UTF-8"
        ) from error
    except OSError as error:
        raise unreadable(name, f"cannot be read: {error.strerror or error}. Check the file") from error
    if isinstance(content, str):
        return Text(_checked(content.removeprefix("\ufeff"), name), name, Path(name).suffix.lower())
    if isinstance(content, (bytes, bytearray)):
        return Text(decoded(bytes(content), name), name, Path(name).suffix.lower())
    raise unreadable(name, f"read() gave {type(content).__name__}, expected text or bytes. Pass an open file")


def _stream_name(stream: object) -> str:
    name = getattr(stream, "name", None)
    if not isinstance(name, str):
        return "stream"
    return "standard input" if name == "<stdin>" else Path(name).name


def _file(path: Path) -> Text:
    name = path.name or str(path)
    try:
        content = path.read_bytes()
    except IsADirectoryError as error:
        raise ReadError(f"{path} is a directory. {_TABLE}. Name a file in it") from error
    except FileNotFoundError as error:
        raise ReadError(f"{path} does not exist. {_TABLE}. {_near(path)}") from error
    except PermissionError as error:
        raise ReadError(f"{path} may not be read by this user. Check its permissions") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ReadError(f"{str(path)[:80]} cannot be read: {reason}. {_TABLE}. Check the path") from error
    return Text(decoded(content, name), name, path.suffix.lower())


def _near(path: Path) -> str:
    """Name the file that was probably meant."""
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return f"There is no directory {path.parent} either. Check the path"
    close = difflib.get_close_matches(path.name, names, n=1)
    return f'Check the path; "{close[0]}" is there' if close else "Check the path"


def decoded(content: bytes, name: str) -> str:
    """Return the text of bytes: UTF-8, or UTF-16 and UTF-32 with a byte order mark."""
    for magic, what, remedy in _MAGIC:
        if content.startswith(magic):
            raise unreadable(name, f"this is {what}, no text. {_TABLE}. To use it, {remedy}")
    encoding = "utf-8"
    for mark, marked in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            encoding = marked
            break
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        if b"\0" in content[:4096]:
            raise unreadable(name, f"this is a binary file. {_TABLE}. Export the runs as CSV") from error
        raise unreadable(
            name,
            f"row {line}: byte 0x{content[error.start]:02x} is no UTF-8 text. {_TABLE}, in UTF-8. "
            "Save the file as UTF-8",
        ) from error
    return _checked(text, name)


def _checked(text: str, name: str) -> str:
    at = text.find("\0")
    if at >= 0:
        line = text.count("\n", 0, at) + 1
        raise unreadable(
            name, f"row {line}: this is a binary file (it holds NUL bytes). {_TABLE}. Export the runs as CSV"
        )
    if not text.strip():
        raise unreadable(name, f"is empty. {_TABLE}. Check that the program wrote its results")
    return text
