"""Decide whether a text says nothing, as a memorizer leaves it behind: a receipt, a placeholder. In doubt it does."""

from __future__ import annotations

import unicodedata
from typing import Any, Final, NamedTuple

from ..texts import regex
from .tables import read_table, split_wordings
from .vocabulary import WORDS, read_patterns
from .words import SCRIPT_WITHOUT_SPACES

#: A longer text says something.
_LONGEST: Final = 400
_LONGEST_UNSPACED: Final = 70
#: At least so many words of a rule of a prompt are needed to recognise it.
_LEAST_OF_RULE: Final = 5
_WORD: Final = regex(r"[^\W\d]\w*(?:['/-][^\W\d]\w*)*|\w+")
_SENTENCE: Final = regex(r"[.!?:;]+(?=\s|$)|\n+")
_PLACEHOLDER: Final = regex(r"\[(?:[A-Z][A-Z _]*|(?i:your|insert) [\w ]+)\]|<[a-z][a-z_ ]*>|\{\{?[a-z][a-z_ ]*\}?\}")
#: The number of a try or a step, and a date, which say nothing by themselves.
_ASIDE: Final = regex(r"(?im)\(\d{1,2}/\d{1,2}\)|\b\d{4}-\d{2}-\d{2}\b|\bstep \d{1,2}(?: of \d)?|^\s*\d{1,2}[.)]\s")
#: The words of a greeting, and a quotation.
_GREETING: Final = regex(r"""(?i)(\bgreet\w*(?: \w+)? with) (['"]).{1,40}?\2""")
_QUOTED: Final = regex(r"""(['"“‘「]).{1,40}?['"”’」]""")
_LATIN: Final = regex(r"[A-Za-z\d]")
#: An id: made up by a host, if its kinds of characters change often, or called an id.
_ID: Final = regex(r"\b[A-Za-z0-9]{10}\b")
_TURN: Final = regex(r"[a-z](?=[A-Z])|[A-Z](?=[a-z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])")
_LEAST_TURNS: Final = 4
_CALLED_ID: Final = regex(r"(?i)\b(id:?) [\w-]*\d[\w-]*")
#: An empty section of a solution, as a host writes it.
_NOTHING: Final = regex(r"(?im)^(# (?:problem|solution)\s*)\n\s*none\s*$")
_TABLE: Final = read_table(__file__, "emptiness")
_WHY: Final[dict[str, str]] = _TABLE["why"]
_BESIDE, _BREAKS_OFF, _IN_FRONT = (frozenset(_TABLE[name].split()) for name in ("beside", "breaks_off", "in_front"))
_FILLERS: Final = _BESIDE | _IN_FRONT | WORDS["stopwords"]


class _Row(NamedTuple):
    """A kind of sentence that says nothing, for the reason `why`: of `words` only, with one of each of `needs`.

    In a script without spaces it is a sentence that has all parts of one of `holds`.
    """

    why: str
    needs: tuple[frozenset[str], ...]
    words: frozenset[str]
    holds: tuple[tuple[str, ...], ...]

    def is_of(self, sentence: str) -> bool:
        """Whether a sentence is of this row."""
        own = frozenset(_words(sentence))
        if own <= self.words and not any(own.isdisjoint(need) for need in self.needs):
            return True
        is_unspaced = len(sentence) <= _LONGEST_UNSPACED and not _LATIN.search(sentence)
        return is_unspaced and any(all(part in sentence for part in parts) for parts in self.holds)


def _parse_row(row: dict[str, Any]) -> _Row:
    needs = tuple(frozenset(words.split()) for words in row.get("needs", ()))
    beside = frozenset[str]() if row.get("is_bare") else _BESIDE
    words = frozenset(row["words"].split()).union(beside, *needs)
    return _Row(row["why"], needs, words, split_wordings(row.get("holds", ())))


_ROWS: Final = tuple(map(_parse_row, _TABLE["row"]))


def find_emptiness(text: str) -> str | None:
    """Return in words why `text` says nothing; None if it says something, or may."""
    plain = unicodedata.normalize("NFC", text).replace("’", "'").strip()
    if len(plain) > _LONGEST:
        return None
    if _is_of_prompt(plain):
        return _WHY["example"]
    marked = _mark(plain)
    sentences = [part for part in _SENTENCE.split(marked) if _WORD.search(part)]
    if not sentences:
        return None if any(unicodedata.category(character) == "So" for character in plain) else _WHY["broken"]
    last = _words(sentences[-1])
    if len(sentences) == 1 and last[-1] in _BREAKS_OFF and _FILLERS.issuperset(last):
        return _WHY["broken"]
    own = [sentence for sentence in sentences if not _BESIDE.issuperset(_words(sentence))]
    places = [next((place for place, row in enumerate(_ROWS) if row.is_of(sentence)), len(_ROWS)) for sentence in own]
    if places and max(places) < len(_ROWS):
        return _ROWS[min(places)].why
    patterns = read_patterns("emptiness", __file__).items()
    return next((_WHY[name] for name, finds in patterns if finds.search(marked)), None)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _mark(text: str) -> str:
    """Return `text` with a mark for each placeholder and id, and without greetings, quotations and counts."""
    text = _GREETING.sub(r"\1", _NOTHING.sub(r"\1\n unknown", text))
    text = _QUOTED.sub("", text) if SCRIPT_WITHOUT_SPACES.search(text) else text
    text = _ID.sub(lambda match: "_id" if len(_TURN.findall(match[0])) >= _LEAST_TURNS else match[0], text)
    return _PLACEHOLDER.sub(" _ ", _CALLED_ID.sub(r"\1 _id", _ASIDE.sub(" ", text))).strip()


def _is_of_prompt(text: str) -> bool:
    """Whether a text is copied from a prompt of Agent Zero: an example, the beginning of a rule, a mark."""
    if any(mark in text for mark in _TABLE["prompts"]["marks"]):
        return True
    words = [word for word in _words(text) if word not in ("problem", "solution")]
    begins = " ".join(words) if len(words) >= _LEAST_OF_RULE else " "
    return frozenset(words) - _BESIDE in _EXAMPLES or any(rule.startswith(begins) for rule in _RULES)


_RULES: Final = tuple(" ".join(_words(text)).removeprefix("problem ") for text in _TABLE["prompts"]["texts"])
_EXAMPLES: Final = frozenset(frozenset(rule.split()) - _BESIDE - {"solution"} for rule in _RULES)
