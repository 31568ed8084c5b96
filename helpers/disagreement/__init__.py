"""Pairs of memories that look as if they contradicted each other where no rule settles it: marked, never retired.

Pure. `is_at_odds` judges two texts by their alignment alone, and so for every embedding model alike. Rules dispose:
nothing here retires.
"""

from .model import is_at_odds

__all__ = ["is_at_odds"]
