"""`scalewall info`: what this installation runs on."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Annotated

import typer

from scalewall import __version__, _core
from scalewall.cli.console import write

DEBUG_WARNING = "The compiled core is a debug build: right answers, but slow. Do not time it."


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print version, processor, Python and threads."""
    facts = environment()
    if as_json:
        write(json.dumps(facts, indent=2) + "\n")
        return
    rows = [
        ("scalewall", facts["scalewall"]),
        ("core", "debug build" if facts["debug_build"] else "release build"),
        ("Python", f"{facts['python']}, NumPy {facts['numpy']}"),
        ("system", facts["system"]),
        ("processor", facts["processor"]),
        ("threads", f"{facts['threads']} usable of {facts['processors']} processors"),
        ("kernels", f"{facts['kernels']}, streaming stores from {facts['streaming_from_mb']} MB on"),
    ]
    write("".join(f"{name:<12}{value}\n" for name, value in rows))
    if facts["debug_build"]:
        write(f"\n{DEBUG_WARNING}\n")


def environment() -> dict[str, str | int | bool]:
    """Return the facts that a bug report needs."""
    from importlib.metadata import version  # noqa: PLC0415 - slow to import, only needed here

    level, _, streaming = _core.surfaces_machine()

    return {
        "scalewall": __version__,
        "debug_build": bool(_core.DEBUG_BUILD),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": version("numpy"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "processors": os.cpu_count() or 1,
        "threads": _usable(),
        "kernels": level,
        "streaming_from_mb": streaming // 2**20,
    }


def _usable() -> int:
    # The affinity mask is what a batch system or container leaves to this process.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in {"model name", "Model", "cpu model"}:
                return value.strip()
    return platform.processor() or platform.machine() or "unknown"
