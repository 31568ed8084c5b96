"""What the texts of an example come to, also without the words of a class; imports late, to change the tables first."""

from __future__ import annotations

from pathlib import Path

from memory_ledger.language import tables


def decide(texts: list[str], table: str = "") -> list[str]:
    """What the first two texts are to each other, and the last two, or of three the first and the last.

    Of six, what becomes of the memory that is second when the third is said and the fourth written, or the last two. Of
    the words of modality how each of the texts is read: in a memory, and in what is said.
    """
    if table == "modality":
        return [reading for text in texts for reading in _read_modality(text)]
    if len(texts) == 6:
        return [_settle(texts[:2], now) for now in (texts[2:4], texts[4:])]
    pairs = (texts[0], texts[1]), (texts[-2] if len(texts) > 3 else texts[0], texts[-1])
    return [_decide(one, other, table) for one, other in pairs]


def _decide(one: str, other: str, table: str) -> str:
    """`table` is the one of which a class shows: a saying and a memory of it, or two memories."""
    if table == "vocabulary":
        from spoken_tools import is_users

        *asked, said = [{"role": "agent", "text": text} for text in one.split(" // ")]
        return "holds" if is_users({"turns": [*asked, said | {"role": "user"}], "memory": other}) else "not"
    from memory_ledger.claims import Relation, compare_texts

    found = compare_texts(one, other)
    return ("in doubt" if found.is_open else "holds") if found.relation is Relation.CONTRADICTS else "not"


def _read_modality(text: str) -> tuple[str, str]:
    """How far a sentence stands behind what it says, in a memory and where it is said."""
    from memory_ledger.language import modality, segment

    (sentence,) = segment.parse_sentences(text)
    of_all = modality.sentence_modality(sentence)
    of_memory = modality.word_modality(sentence.tokens) if of_all is modality.Modality.FACT else of_all
    return of_memory, modality.parse_modalities(text, modality.split_clauses(text))[0]


def _settle(before: list[str], now: list[str]) -> str:
    from spoken_tools import play

    turns = [{"user": said, "reply": "", "memories": [memory]} for said, memory in (before, now)]
    return "holds" if play({"turns": turns, "stale": before[1], "current": now[1]}) == "right" else "not"


def decide_without(compiled: Path, names: tuple[str, ...], texts: list[str]) -> list[str]:
    """The same where a class has no words; for a process of its own, which has not read the tables yet.

    Nothing where no text can be read without it.
    """
    table = tables._tables(compiled)
    *outer, last = names
    for key in outer:
        table = table[key]
    table[last] = "-" if isinstance(table[last], str) else []
    try:
        return decide(texts, names[0])
    except (KeyError, ValueError):
        return []
