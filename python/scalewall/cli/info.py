"""`scalewall info`: what this installation runs on."""

from __future__ import annotations

import json
import os
import platform
from typing import Annotated

import typer

from scalewall import __version__, _core, machine
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
        "processor": machine.processor(),
        "processors": os.cpu_count() or 1,
        "threads": len(machine.usable_cpus()),
        "kernels": level,
        "streaming_from_mb": streaming // 2**20,
    }
