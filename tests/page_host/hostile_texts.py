"""Forty texts that want to be more than text: a line of `hostile_texts.txt` each, and three that no line can hold.

What one of them plants is called `planted`.
"""

from pathlib import Path

HOSTILE_TEXTS = (
    *Path(__file__).with_suffix(".txt").read_text("utf-8").removesuffix("\n").split("\n"),
    "constructor\u202e]drawkcab\u202c \u2066right\u2069 \u200f\u061c to left",
    "nul \0 bell \a escape \x1b[2J \x85 \u2028 \u2029 \ufeff \ufffe half \ud83d",
    "<img src=/planted.png> " + "w" * 1_000_000,
)
