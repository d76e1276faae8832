"""Measuring programs and functions: interleaved rounds, an honest stop, every run kept."""

from scalewall.measurement.comparison import Comparison, compare
from scalewall.measurement.measuring import measure
from scalewall.measurement.recorder import phase

__all__ = ["Comparison", "compare", "measure", "phase"]
