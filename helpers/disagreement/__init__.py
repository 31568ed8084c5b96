"""Pairs of memories that look as if they contradicted each other where no rule settles it: marked, never retired.

Pure. `judge` maps two texts to a probability and a verdict at a fixed threshold, from their alignment alone, and so for
every embedding model alike. Rules dispose: nothing here retires.
"""

from .model import Verdict, judge

__all__ = ["Verdict", "judge"]
