"""Whether a new memory only restates one that was in the prompt: recalled text that came back (T-67, T-68).

A memory that is retired by mistake is lost to recall, an echo that stays is clutter. So a rewording counts only where
it is one of the closed list below and nothing else differs: no number, unit, name, path, denial, order of roles,
question or qualifier. Whatever the rules do not know is no echo. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from ..claims import Relation, SlotTable, compare_texts
from ..language.lexicon import CONTRACTIONS
from ..language.restatements import ACTIVE, FIXES_ORDER, LIGHT, PHRASES, SPELLING
from ..language.sentences import split_sentences
from ..language.stems import normalize_token
from ..language.units import UNITS
from ..language.vocabulary import DENIERS
from ..language.wordings import read_patterns
from ..language.words import STOPWORDS
from ..patterns import regex
from ..records import Memory, Source, Utility, Validity
from ..texts import normalize_text

_SAID = read_patterns("utterances")

#: The rule under which an echo goes out of use.
ECHO_RULE = "T-68"

# Longer texts, and texts of several lines (solutions, code), are echoes only if they are the same.
_LONGEST_REWORDED = 2_000

_ZERO_WIDTH_SPACE = "\u200b"
_BULLET = regex(r"[-*•–]\s+")
_QUOTES = regex(r"(?<!\d)[\"“”«»]")
_EDGES = regex(r"([(\[]*)(.*?)([)\].,;:!?…。！？؟]*)", re.DOTALL)
_SEPARATORS = {";": ",", ".": "", "!": "", "…": "", "。": "", "！": "", "？": "?", "؟": "?"}
_NUMBER_AND_UNIT = regex(r"(\d[\d.,]*)(%|[A-Za-z]+)?")
# Pounds of weight and pounds of money are one unit in the search for an author.
_AMBIGUOUS_UNITS = frozenset(("lb",))
_SAYING_NOTHING = frozenset(("the", "currently", "presently"))

_PHRASES = tuple((regex(rf"(?<!\S)(?:{found})(?!\S)"), meant) for found, meant in PHRASES.items())
_PREFERENCE = regex(r"(?<!\S)((?:prefers|prefer) .+?) (?:rather than|instead of) ")
_OF_USER = regex(r"^(?:the )?((?:[\w-]+ ){1,3})of user(?= )")
_PASSIVE = regex(rf"(?P<thing>[^,]+?) is (?P<verb>{'|'.join(ACTIVE)}) by (?P<doer>[^,]+)")
_ROLE_LAST = regex(r"(?P<name>(?!the |user's )[^,]+?) is (?P<role>(?:the |user's )[^,]+)")
# What may follow a sentence without changing what it says.
_AFTERTHOUGHTS = (("because",), (",", "because"), (",", "which"), (",", "who"))
_Sentence = tuple[str, ...]


def find_echo(new: Memory, original: Memory, slots: SlotTable | None = None) -> str | None:
    """Return in words why `new`, of which both memories are classified, is an echo of `original`; None if it is not.

    Only what the agent inferred can be one, and what is traced to the user, of a memory that the user has confirmed to
    be theirs. It must have no status that the original lacks: neither weight, nor area, nor structured content, nor a
    role or domain in which only it is visible. All of the original must hold, and it must have been there first.
    """
    if not (_may_be_echo(new) and _stands_for(original, new)):
        return None
    return find_restatement(new.text, original.text, slots)


def is_users_word(memory: Memory) -> bool:
    """Whether the user said what a memory says."""
    return memory.classification is not None and memory.classification.source is Source.USER_ASSERTED


def _may_be_echo(new: Memory) -> bool:
    axes, lineage = new.classification, new.lineage
    if axes is None or lineage is None or new.is_deprecated or new.is_knowledge:
        return False
    return axes.source in (Source.AGENT_INFERRED, Source.USER_ASSERTED) and not lineage.is_correction


def _stands_for(original: Memory, new: Memory) -> bool:
    """Whether `original` is in use wherever `new` would be, and with no less weight."""
    before, after = original.classification, new.classification
    past, now = original.lineage, new.lineage
    if before is None or after is None or past is None or now is None or original.id == new.id:
        return False
    if original.is_deprecated or past.outdated_parts or past.created_at > now.created_at:
        return False
    if original.is_solution is not new.is_solution:
        return False
    if is_users_word(new) and not (is_users_word(original) and before.validity is Validity.CONFIRMED):
        return False
    if after.utility is Utility.LOAD_BEARING and before.utility is not Utility.LOAD_BEARING:
        return False
    place = (past.bst_domain, past.created_by_role)
    is_visible = place == (None, None) or place == (now.bst_domain, now.created_by_role)
    return is_visible and new.content in (None, original.content)


def find_restatement(text: str, original: str, slots: SlotTable | None = None) -> str | None:
    """Return in words how `text` only restates `original`; None where it says anything else, or may.

    `slots` is the table that claims are read with, where it is not the built-in one.
    """
    text, original = _plain(text), _plain(original)
    if not text or not original:
        return None
    if text == original:
        return "it is the same text"
    after, before = _read(text), _read(original)
    if not after or len(after) != len(before):
        return None
    if after == before:
        return "it says the same in the same words"
    if all(one == other or _is_shortened(one, other) for one, other in zip(after, before, strict=True)):
        return "it says the same and leaves out what was added to it"
    if len(after) == 1 and _differ_lightly(after[0], before[0]):
        found = compare_texts(original, text, slots)
        if found.relation is Relation.DUPLICATES:
            return f"it claims the same in the same words: {found.reasons[0]}"
    return None


def _plain(text: str) -> str:
    """Return `text` with white space folded, as far as that is on one line, and without the marks of an injection."""
    lines = text.replace(_ZERO_WIDTH_SPACE, "").strip().splitlines()
    return "\n".join(normalize_text(one) for one in lines)


@lru_cache(maxsize=2_048)
def _read(text: str) -> tuple[_Sentence, ...]:
    """Return the words of each sentence in a form in which two wordings are equal; nothing of a text to leave alone."""
    if len(text) > _LONGEST_REWORDED or "\n" in text:
        return ()
    return tuple(_parse_sentence(one) for one in split_sentences(text))


def _parse_sentence(sentence: str) -> _Sentence:
    text = " ".join(_name_colon(_parse_words(sentence)))
    frame = _SAID["frame"].match(text)
    text = text[frame.end() :] if frame else text
    for found, meant in _PHRASES:
        text = found.sub(meant, text)
    text = _PREFERENCE.sub(r"\1 over ", text)
    text = _OF_USER.sub(r"user's \1", text)
    words = _turn_round(" ".join(text.split())).split()
    return tuple(one for one in words if one not in _SAYING_NOTHING)


def _parse_words(sentence: str) -> list[str]:
    """Return the words and the marks that separate them; nothing that could tell two texts apart gets lost."""
    # Inside a code span quotation marks count.
    sentence = sentence.replace("`", "") if "`" in sentence else _QUOTES.sub("", sentence)
    sentence = sentence[bullet.end() :] if (bullet := _BULLET.match(sentence)) else sentence
    words: list[str] = []
    for chunk in sentence.split():
        edges = _EDGES.fullmatch(chunk)
        before, core, after = edges.groups() if edges is not None else ("", chunk, "")
        words.extend(before)
        if core:
            words.extend(_parse_word(core, words))
        words.extend(mark for one in after if (mark := _SEPARATORS.get(one, one)))
    while words and words[-1] == ",":
        words.pop()
    return words


def _parse_word(core: str, before: Sequence[str]) -> list[str]:
    """Return one word in the form in which it is compared, a number and its unit apart."""
    amount = _NUMBER_AND_UNIT.fullmatch(core)
    if amount is not None:
        unit = _unit(amount[2] or "")
        return [amount[1], unit] if unit else [core]
    if before and before[-1][0].isdecimal() and core.lower() in UNITS:
        return [_unit(core) or core]
    folded = _fold(core, is_first=not before or before[-1] == ":")
    number = normalize_token(folded) if folded.isalpha() else ""
    if number.isdecimal() and folded != "one":
        return [number]
    spread = CONTRACTIONS.get(folded, ())
    return list(spread) if spread[1:] == ("not",) else [SPELLING.get(folded, folded)]


def _unit(word: str) -> str:
    """Return the one name of a unit; none where the case of its letters counts ("Mb" and "MB")."""
    if word == "%":
        return "percent"
    if not (word.islower() or (word.isupper() and len(word) > 1)):
        return ""
    unit = UNITS.get(word.lower(), "")
    return "" if unit in _AMBIGUOUS_UNITS else unit


def _fold(core: str, *, is_first: bool) -> str:
    """Return a plain word in lower case; the case of an identifier, or of "US" and "May", counts."""
    is_title = core[:1].isupper() and core[1:] == core[1:].lower()
    if not is_title or not core.replace("'", "").replace("-", "").isalpha():
        return core
    low = core.casefold()
    return core if low in STOPWORDS and not is_first else low


def _name_colon(words: list[str]) -> list[str]:
    """Return "port : 8080" as "port is 8080"; what a heading heads stays as it is."""
    if words.count(":") == 1 and 1 < words.index(":") < len(words) - 1 and "is" not in words:
        return ["is" if one == ":" else one for one in words]
    return words


def _turn_round(text: str) -> str:
    """Return a passive as its active, and "X is the Y" as "the Y is X": who does what stays as it is."""
    words = text.split()
    if not FIXES_ORDER.isdisjoint(words) or words.count("is") != 1:
        return text
    passive = _PASSIVE.fullmatch(text)
    if passive is not None:
        return f"{passive['doer']} {ACTIVE[passive['verb']]} {passive['thing']}"
    role = _ROLE_LAST.fullmatch(text)
    return f"{role['role']} is {role['name']}" if role is not None else text


def _is_shortened(after: _Sentence, before: _Sentence) -> bool:
    """Whether a sentence ends where the original goes on with a reason or an aside; a denial may hang on those."""
    rest = before[len(after) :]
    if not after or before[: len(after)] != after or not DENIERS.isdisjoint(after):
        return False
    return any(len(rest) > len(one) and rest[: len(one)] == one for one in _AFTERTHOUGHTS)


def _differ_lightly(after: _Sentence, before: _Sentence) -> bool:
    new, old = Counter(_split_possessives(after)), Counter(_split_possessives(before))
    return set((new - old) | (old - new)) <= LIGHT


def _split_possessives(words: _Sentence) -> list[str]:
    return " ".join(words).replace("'s ", " 's ").split()
