"""The words for where worker time went: names and letters of the kinds, and what a demonstration shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from scalewall.campaign import Campaign
    from scalewall.demonstration import Demonstration, Program
    from scalewall.parts import Parts
    from scalewall.results import SerialFraction

LETTERS = {
    "useful": "█",
    "slower": "+",
    "serial": "S",
    "serial_wait": "s",
    "imbalance": "w",
    "off_cpu": "x",
    "blocked": "b",
    "start": ".",
    "unaccounted": "?",
}

NAMES = {
    "useful": "useful work",
    "slower": "slower than alone",
    "serial": "serial: one works",
    "serial_wait": "serial: others wait",
    "imbalance": "waiting for slowest",
    "off_cpu": "pushed off the CPU",
    "blocked": "blocked: a lock",
    "start": "start and join",
    "unaccounted": "clocks disagree",
}

_PER_CENT = re.compile(r"(?<=\d)%")

GAIN = 1.1
"""A count that is less than this factor faster than another is no faster, as in every verdict."""

TITLES = {
    "sum": "The exact sum of an array",
    "serial": "A loop with 5 % of its steps on one worker",
    "parallel": "A loop with nothing serial",
    "locked": "The same with three quarters under one lock",
}


def workers(count: int) -> str:
    """Return "1 worker" or "2 workers"."""
    return say.plural(count, "worker")


def key(kind: str) -> str:
    """Return letter and name of a kind, with gaps that no line break may split."""
    return f"{LETTERS[kind]} {NAMES[kind]}".replace(" ", "\u00a0")


def bought(parts: Parts) -> str:
    """Return the headline of a ledger: how much of the bought time is no work."""
    return f"{say.share(1 - parts.shares['useful'])} of the bought time is no work"


def known(program: Program) -> str:
    """Return what the operation count says about the serial share."""
    return "not known" if program.serial is None else say.share(program.serial)


def share(found: SerialFraction) -> str:
    """Return a measured serial share as a range; a share below 0 cannot be."""
    return "too short" if found.value is None else say.shares(max(0.0, found.low), min(1.0, found.high))


def headline(shown: Demonstration) -> list[str]:
    """Return the verdict: how the sum scales, and how many cores this machine gives."""
    campaign = shown["sum"]
    few, *more = campaign.counts[1:]
    told = [_against_one(campaign, few), *(_against(campaign, few, many) for many in more[-1:])]
    if shown.reasons:
        told.append("By wall time, which is not valid here; see below.")
    return [" ".join(told), _cores(shown)]


def _against_one(campaign: Campaign, few: int) -> str:
    _, low, high = campaign.speedup(few)
    if low >= GAIN:
        return f"{few} workers sum the array {say.factors(low, high)} as fast as 1."
    if high < GAIN:
        return f"{few} workers sum the array no faster than 1."
    return f"Cannot tell whether {few} workers sum the array faster than 1: {say.factors(low, high)}."


def _against(campaign: Campaign, few: int, many: int) -> str:
    _, low, high = campaign.speedup(many, few)
    if low >= GAIN:
        return f"{many} workers: {say.factors(low, high)} as fast as {few}."
    if high < GAIN:
        return f"{many} workers: no faster than {few}."
    return f"{many} workers: cannot tell, {say.factors(low, high)} as fast as {few}."


def _cores(shown: Demonstration) -> str:
    cores, most = shown.environment["usable"], shown.counts[-1]
    if shown.reasons:
        whole = "it" if cores == 1 else "all of them"
        return f"This machine has {say.plural(cores, 'core')} and did not give {whole} to these runs."
    if most <= cores:
        return f"This machine gives each of {workers(most)} a core of its own; it has {cores}."
    waiting = most - cores
    verb = "workers only wait their turn" if waiting > 1 else "worker only waits its turn"
    return f"This machine gives {say.plural(cores, 'core')}; the other {say.word(waiting)} {verb}."


def seen(shown: Demonstration) -> list[str]:
    """Return in plain words what was seen, one paragraph an entry."""
    return [_injected(shown["serial"]), _price(shown), _lock(shown["locked"])]


def _injected(campaign: Campaign) -> str:
    found = campaign.f_work()
    if found.value is None:
        return "The runs were too short to find the 5 % serial part."
    right = found.low <= 0.05 <= found.high
    text = (
        f"The 5 % of the steps that only one worker does {'were' if right else 'should have been'} found"
        f"{' as' if right else '; what was found is'} {share(found)} of the CPU time."
    )
    others = [campaign.f_work(count) for count in campaign.counts[1:]]
    if all(other.low <= found.high and found.low <= other.high for other in others):
        text += " It is the same at every count: it belongs to the program, not to how busy the machine is."
    return text


def _price(shown: Demonstration) -> str:
    parts = shown["parallel"].parts(shown.counts[-1])
    return (
        f"With nothing serial, {workers(parts.workers)} still paid: {bought(parts)}, the largest part of it "
        f"{_WHY[parts.price]} ({say.share(parts.shares[parts.price])})."
    )


_WHY = {
    "slower": "the same work taking longer on a processor",
    "serial": "serial steps",
    "serial_wait": "waiting during serial steps",
    "imbalance": "waiting for the slowest worker",
    "off_cpu": "pushed off the CPU",
    "blocked": "blocked: a lock, a page or a device",
    "start": "until the workers began, or the caller went on",
    "unaccounted": "where two clocks disagree",
}


def _lock(campaign: Campaign) -> str:
    parts = campaign.parts(campaign.counts[-1])
    return (
        f"Under the lock, {say.share(parts.shares['blocked'])} of the time of {workers(parts.workers)} "
        f"was spent blocked, yet its serial share is {share(campaign.f_work())}: waiting for a lock is not "
        "serial code, though a curve through the times cannot tell the two apart."
    )


def gate(shown: Demonstration) -> list[str]:
    """Return why statements about wall time are not valid, and what still is; nothing where they are."""
    if not shown.reasons:
        return []
    reasons = say.sentence(_PER_CENT.sub(" %", "; ".join(shown.reasons)))
    text = (
        f"{reasons}. Statements about wall time, speedups and waiting among them, are not valid here; "
        "the serial shares, by CPU time, are."
    )
    return [text]


def foot(shown: Demonstration) -> str:
    """Return how it was measured."""
    campaign = shown["sum"]
    runs = len(campaign.ledgers(1))
    return (
        f"All numbers in milliseconds, mean of {runs} runs in mixed order, none left out; intervals "
        f"{say.share(campaign.level)}. scalewall measure times your own program."
    )
