"""What two texts come to, also without the words of a class; imports the claims late, to change their tables first."""

from __future__ import annotations

from pathlib import Path

from memory_ledger.language import tables


def decide(texts: list[str]) -> list[tuple[str, bool]]:
    """How the first two texts relate, and whether it is in doubt; then the last two, or of three the first and last."""
    from memory_ledger.claims import compare_texts

    pairs = (texts[0], texts[1]), (texts[-2] if len(texts) > 3 else texts[0], texts[-1])
    return [(str(found.relation), found.is_open) for found in (compare_texts(*pair) for pair in pairs)]


def decide_without(compiled: Path, section: str, name: str, texts: list[str]) -> list[tuple[str, bool]]:
    """The same where a class has no words; for a process of its own, which has not read the tables yet."""
    table = tables._tables(compiled)["word_classes"][section]
    *outer, last = name.split(".")
    for key in outer:
        table = table[key]
    table[last] = "-"
    return decide(texts)
