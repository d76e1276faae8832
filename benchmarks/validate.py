"""Validate the ledger against programs whose serial fraction, imbalance and contention are known.

    python benchmarks/validate.py [--out docs/validation.md] [--campaigns 4]

Truth is an operation count: k turns of a loop on the caller, the rest on the workers. Statements about wall
time are made only where nothing else ran (the gate of a campaign); the table says so otherwise.
"""

import argparse
import itertools
import pathlib
import time

import numpy as np

from scalewall import conditions, machine
from scalewall.campaign import known_program, measure_reduction, run_campaign
from scalewall.measured import read_limit

UNIT = 20_000
PARALLEL = 120
FRACTIONS = (0.0, 0.01, 0.05, 0.1, 0.2)


def campaign(serial, seed, workers=(1, 2), rounds=3, **options):
    """Run one campaign of the known program with so many serial units."""
    program = known_program(round(serial * UNIT), PARALLEL * UNIT, **options)
    return run_campaign(program, workers, blocks=6, rounds=rounds, pause=0.02, seed=seed)


def v2(repetitions):
    """Compare the same configuration with itself."""
    inside = overlap = 0
    for seed in range(repetitions):
        first, second = campaign(6, 2 * seed), campaign(6, 2 * seed + 1)
        pairs = [
            np.mean([run.ledger.wall_ns for run in first.runs if run.block == block and run.workers == 2][:3])
            - np.mean(
                [run.ledger.wall_ns for run in second.runs if run.block == block and run.workers == 2][:3]
            )
            for block in range(6)
        ]
        half = 2.571 * np.std(pairs, ddof=1) / np.sqrt(len(pairs))
        inside += abs(np.mean(pairs)) <= half
        a, b = first.f_work(), second.f_work()
        overlap += a.low <= b.high and b.low <= a.high
    yield (
        "V2 A/A",
        "paired difference of T(2) holds 0",
        ">= 90 %",
        f"{inside / repetitions:.0%} of {repetitions}",
        inside >= 0.9 * repetitions,
    )
    yield (
        "V2 A/A",
        "intervals of f overlap",
        ">= 95 %",
        f"{overlap / repetitions:.0%} of {repetitions}",
        overlap >= 0.95 * repetitions,
    )


def v3(campaigns):
    """Find a serial fraction known by operation count."""
    covered = total = 0
    worst = 0.0
    for truth in FRACTIONS:
        errors = []
        for seed in range(campaigns):
            found = campaign(PARALLEL * truth / (1 - truth), seed).f_work()
            errors.append(found.value - truth)
            covered += found.low <= truth <= found.high
            total += 1
        worst = max(worst, *map(abs, errors))
        shown = f"{np.mean(errors) + truth:.4f} (error at most {max(map(abs, errors)):.4f})"
        yield f"V3 f = {truth}", "f_work", "within 0.01", shown, max(map(abs, errors)) <= 0.01
    yield (
        "V3 all",
        "interval holds the truth",
        ">= 90 %",
        f"{covered / total:.0%} of {total}",
        covered >= 0.9 * total,
    )
    yield "V3 all", "largest error", "<= 0.01", f"{worst:.4f}", worst <= 0.01


def v4():
    """Find a known imbalance."""
    for given in (0.1, 0.3):
        runs = campaign(0, 1, workers=(2,), rounds=6, shares=(1.0, 1.0 - 2 * given))
        share = np.mean([run.ledger.shares["imbalance"] for run in runs.runs])
        good = abs(share - given) <= 0.03 or (not runs.valid and share > given - 0.03)
        yield f"V4 imbalance {given}", "row imbalance", f"{given} +- 0.03 when quiet", f"{share:.3f}", good


def v5():
    """Find a known contention: three quarters of the work under one lock."""
    program = known_program(0, 8 * PARALLEL * UNIT, locked=0.75)
    runs = run_campaign(program, (1, 2), blocks=6, rounds=4, pause=0.02)
    e, parts = runs.karp_flatt(2).value, runs.reconcile(2).shares
    waiting = parts["blocked"] + parts["imbalance"] + parts["preempted"] + parts["wake"]
    f = runs.f_work().value
    yield "V5 lock 0.75", "Karp-Flatt e", ">= 0.50", f"{e:.3f}", e >= 0.5 - 0.05
    yield "V5 lock 0.75", "off the processor, of e", "most of it", f"{waiting:.3f}", waiting >= 0.5 * e
    yield "V5 lock 0.75", "of that blocked", "shown", f"{parts['blocked']:.3f}", parts["blocked"] > 0
    yield "V5 lock 0.75", "f_work", "unchanged, 0 +- 0.005", f"{f:.4f}", f <= 0.005


def v6():
    """See a bandwidth limit: from the cache of a core to four times the last one."""
    inflations = []
    for megabytes in (1, 4, 16, 64, 128):
        x = np.ones(megabytes * 131_072)
        runs = measure_reduction(x, method="pairwise", blocks=4, rounds=6)
        one = np.median([ledger.compute_ns for ledger in runs.ledgers(1)])
        two = np.median([ledger.compute_ns for ledger in runs.ledgers(2)])
        speed = x.nbytes / min(ledger.wall_ns for ledger in runs.ledgers(2))
        spots = machine.usable_cpus()[:2]
        limit = max(read_limit(x.nbytes, threads=2, cpus=spots[::step]) for step in (1, -1) * 8)
        inflations.append(two / one - 1)
        shown = f"{speed:.1f} of {limit:.1f} GB/s, inflation {two / one - 1:+.2f}"
        yield f"V6 {megabytes} MB", "achieved <= read limit", "yes (5 % play)", shown, speed <= 1.05 * limit
    yield (
        "V6",
        "inflation grows towards memory",
        "yes",
        " ".join(f"{inflation:+.2f}" for inflation in inflations),
        all(after >= before - 0.05 for before, after in itertools.pairwise(inflations)),
    )


def verdict(row, reasons):
    """Say whether a row holds; what other programs spoil is not held against the ledger."""
    if row[4]:
        return "yes"
    by_cpu_time = "f_work" in row[1] or row[0].startswith("V3")
    return "NO" if by_cpu_time or not reasons else "not judged: other programs ran"


def main():
    """Print and write the table; the exit code counts the rows that do not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--campaigns", type=int, default=4, help="campaigns for each serial fraction")
    parser.add_argument("--repetitions", type=int, default=40, help="repetitions of the A/A comparison")
    arguments = parser.parse_args()
    before, start = machine.counters(), time.monotonic()
    rows = [*v3(arguments.campaigns), *v4(), *v5(), *v6(), *v2(arguments.repetitions)]
    spots = machine.usable_cpus()[:2]
    around = conditions.Conditions.between(before, machine.counters(), conditions.capacity(spots))
    facts = machine.environment()
    lines = ["| check | what | expected | found | holds |", "|---|---|---|---|---|"]
    reasons = around.reasons()
    verdicts = [verdict(row, reasons) for row in rows]
    lines += [f"| {' | '.join(row[:4])} | {word} |" for row, word in zip(rows, verdicts, strict=True)]
    gate = "valid for wall time" if not reasons else "not valid for wall time: " + "; ".join(reasons)
    text = (
        "# Validation\n\n"
        "Programs whose serial share, imbalance and contention are known by operation count, and what the\n"
        "ledger says about them. `make validate` writes this page.\n\n"
        + "\n".join(lines)
        + f"\n\n{facts['processor']}, processors {facts['affinity']}, {facts['system']}, "
        f"kernels {facts['kernels']}, scalewall {facts['scalewall']}; {time.monotonic() - start:.0f} s.\n"
        f"Gate: {gate}.\n"
    )
    print(text)
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(text, encoding="utf-8")
    return verdicts.count("NO")


if __name__ == "__main__":
    raise SystemExit(main())
