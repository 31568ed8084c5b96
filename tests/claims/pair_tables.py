"""The tables of pairs of texts, older first: those that the rules were written against, and that hold them.

`CONTRADICTIONS` are (group, rule, older, newer), where `rule` is the id that `Comparison.rule` must show. `HARMLESS`
(group, older, newer) must never be a contradiction, in either order; `REFINED` and `DUPLICATES` of the same shape must
be what their name says. `MISSED` contradict each other and are left alone, since the newer text does not speak of all;
who finds one moves it to the contradictions. `HELD_OUT_...` (older, newer) were put aside before the first rule was
written: what is found of them is a figure to report, and no goal to reach.
"""

from pathlib import Path

from rows import read_rows

_PAIRS = Path(__file__).with_name("pairs")

CONTRADICTIONS = read_rows(*sorted((_PAIRS / "contradictions").glob("*.jsonl")))
HARMLESS = read_rows(*sorted((_PAIRS / "harmless").glob("*.jsonl")))
REFINED = read_rows(_PAIRS / "refined.jsonl")
DUPLICATES = read_rows(_PAIRS / "duplicates.jsonl")
MISSED = read_rows(_PAIRS / "missed.jsonl")
HELD_OUT_CONTRADICTIONS = read_rows(_PAIRS / "held_out_contradictions.jsonl")
HELD_OUT_HARMLESS = read_rows(_PAIRS / "held_out_harmless.jsonl")
