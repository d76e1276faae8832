"""One run inside a batch job: `python -m scalewall.measurement.job DIR NUMBER`, as job scripts call it."""

from __future__ import annotations

import sys
from pathlib import Path

from scalewall._errors import ScalewallError
from scalewall.measurement import jobs


def main(words: list[str]) -> int:
    """Run the job, say what became of it, and return the exit code: 0 where the run counts."""
    try:
        directory, number = words
        record = jobs.run_job(Path(directory), int(number))
    except (ScalewallError, ValueError, IndexError) as error:
        sys.stderr.write(f"scalewall: {error}\n")
        return 2
    if record["record"] == "failed":
        sys.stderr.write(
            f"scalewall: the run on {record['n']} failed: {record['reason']}\n{record['output']}\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
