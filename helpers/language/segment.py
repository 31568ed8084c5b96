"""Cut an English text into tokens, sentences and clauses, each with its place in the text.

What people say in any language is cut into sentences and words by `sentences` and `words`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from . import lexicon
from .openers import stated
from .sentences import WITHIN
from .token import SCANNER, TRAILING, Token, low_at, place_of
from .verbs import BE_PAST, BE_PRESENT, HAVE_FORMS, MODALS, forms
from .vocabulary import RESTARTS, SUBJECT_WORDS

#: The most characters of a memory that are read; an unread rest makes every contradiction partial.
MAX_CHARACTERS: Final = 8_000
#: The most tokens of a sentence; a longer one is data, and no statement.
MAX_SENTENCE_TOKENS: Final = 80
_QUOTED_WORDS: Final = 4

_SEPARATORS: Final = lexicon.WORDS["separators"] | frozenset(",:—–-")
#: Words and marks that always end a clause.
_HARD: Final = lexicon.WORDS["clause_openers"] | frozenset("—–")
#: Marks between two parts of a sentence; one of ASCII counts only before a blank.
_MARKS: Final = frozenset((",", ";", "-", "–", "—", "、", "，", "；"))
_CONDITIONS: Final = lexicon.CONDITIONS | {"whether"}
#: "And" before one of these begins a clause.
_NEW_SUBJECTS: Final = SUBJECT_WORDS | lexicon.THEIR | RESTARTS | {"plan", "hope"}
_ONLY: Final = frozenset(("only", "just", "merely"))
#: Words and marks that join two clauses and belong to neither.
JOINING: Final = _SEPARATORS | _HARD
_ENDING_PHRASE: Final = JOINING | _CONDITIONS | {"that", "to", "when"}
_JOINING_FINELY: Final = _MARKS | {"and"}
PLURAL_PRONOUNS: Final = lexicon.SUBJECT_PRONOUNS - {"he", "she"}
_OWN_VERBS: Final = BE_PRESENT | BE_PAST | HAVE_FORMS
_NOUNS_TOO: Final = lexicon.WORDS["nouns_too"]
PLURALS_TOO: Final = lexicon.WORDS["plurals_too"]
_MAX_SUBJECT: Final = 8
#: Verbs whose past looks like the base form.
PAST_TOO: Final = lexicon.WORDS["past_too"]


class Sentence(NamedTuple):
    """A sentence without what opens and closes it.

    `quoted`: at least four words of it stand in quotation marks. `asks`: it ends in a question mark. `corrects`: what
    opened it says that it corrects something.
    """

    tokens: tuple[Token, ...]
    asks: bool = False
    quoted: bool = False
    corrects: bool = False

    def with_tokens(self, tokens: tuple[Token, ...]) -> Sentence:
        """Return the same sentence with other tokens."""
        return self._replace(tokens=tokens)


class Clause(NamedTuple):
    """A stretch of a sentence with at most one main verb. `relative`: it describes a noun of the clause before."""

    tokens: tuple[Token, ...]
    relative: bool = False


def tokenise(text: str) -> list[Token]:
    """Return the tokens of the first `MAX_CHARACTERS`; contractions become their words."""
    tokens: list[Token] = []
    for match in SCANNER.finditer(text, 0, min(len(text), MAX_CHARACTERS)):
        word, (start, end) = match.group(), match.span()
        low = word.lower().replace("’", "'")
        stripped = word.rstrip(TRAILING)
        if stripped and stripped != word:
            tokens.append(Token(stripped, low[: len(stripped)], start, start + len(stripped)))
            tokens.append(Token(word[-1], word[-1], end - 1, end))
        elif low in lexicon.CONTRACTIONS:
            tokens.extend([Token(part, part, start, end) for part in lexicon.CONTRACTIONS[low]])
        else:
            tokens.append(Token(word, low, start, end))
    return tokens


@lru_cache(maxsize=1024)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text; cached, because a clause is compared with many others."""
    return tuple(tokenise(text))


@lru_cache(maxsize=64)
def parse_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text without quotation marks; an empty, too long or cut one is left out."""
    sentences: list[Sentence] = []
    current: list[Token] = []
    is_open, quoted_words = False, 0
    tokens = tokenise(text)
    for index, token in enumerate(tokens):
        mark = token.low
        if mark in ('"', "“", "”", "«", "»", "„") or (mark == "'" and (is_open or _opens_quote(tokens, index))):
            is_open = not is_open
        elif mark == "." and WITHIN.match(text, token.end):
            continue
        elif mark in (".", "!", "?", ";", "\n"):
            if current:
                sentences.append(_sentence(current, asks=mark == "?", quoted=quoted_words >= _QUOTED_WORDS))
            current, quoted_words = [], 0
            is_open = is_open and mark != "\n"
        elif mark not in ("`", "*", "_", "'", "‘", "’", "•", "#"):
            quoted_words += is_open and mark[0].isalnum()
            current.append(token)
    if current and len(text) <= MAX_CHARACTERS:
        sentences.append(_sentence(current, asks=False, quoted=quoted_words >= _QUOTED_WORDS))
    return tuple(sentence for sentence in sentences if len(sentence.tokens) <= MAX_SENTENCE_TOKENS)


def _sentence(tokens: list[Token], *, asks: bool, quoted: bool) -> Sentence:
    stating = stated(tokens)
    readable = _with_names(_without_not_only(_without_now_that(list(stating.tokens))))
    return Sentence(tuple(readable), asks, quoted, stating.corrects)


def _opens_quote(tokens: Sequence[Token], index: int) -> bool:
    """Whether an apostrophe stands in front of a word and behind none: "wrote 'too long'", not "the users' rooms"."""
    mark = tokens[index]
    is_apart = not index or tokens[index - 1].end < mark.start
    return is_apart and index + 1 < len(tokens) and tokens[index + 1].start == mark.end


def _without_now_that(tokens: list[Token]) -> list[Token]:
    """Read "now that A" as "because A"."""
    marks = {index for index, (a, b) in enumerate(pairwise(tokens)) if index and (a.low, b.low) == ("now", "that")}
    kept = ((index, token) for index, token in enumerate(tokens) if index - 1 not in marks)
    return [token._replace(low="because") if index in marks else token for index, token in kept]


def _with_names(tokens: list[Token]) -> list[Token]:
    """Leave small words their capital inside a name, so that no table takes them for what they mean elsewhere."""
    if not any(token.low in lexicon.IN_NAMES and token.text[0].isupper() for token in tokens[1:]) or _is_loud(tokens):
        return tokens
    return [
        token._replace(low=token.text)
        if index and token.low in lexicon.IN_NAMES and _is_in_name(tokens, index)
        else token
        for index, token in enumerate(tokens)
    ]


def _is_in_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word has a capital that no beginning explains, beside another word that has one."""
    before, after = tokens[index - 1].text, tokens[index + 1].text if index + 1 < len(tokens) else ""
    is_begun = before[0].isalnum() and tokens[index].text[0].isupper()
    return is_begun and (after[:1].isupper() or (before[0].isupper() and index > 1))


def _without_not_only(tokens: list[Token]) -> list[Token]:
    """Read "not only A but also B" as A and B: the words that look like a negation are taken out."""
    pairs = [(a.low, b.low) for a, b in pairwise(tokens)]
    negations = {index for index, (a, b) in enumerate(pairs) if a == "not" and b in _ONLY}
    if not negations:
        return tokens
    seconds = {index + 1 for index, pair in enumerate(pairs) if index in negations or pair == ("but", "also")}
    kept = [token for index, token in enumerate(tokens) if index not in negations | seconds]
    return [token._replace(low="and") if token.low == "but" else token for token in kept]


def is_finite(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token is a verb in a form that can head a clause where it stands."""
    low = tokens[index].low
    known = forms().get(low)
    if known is None and low not in MODALS:
        return low.endswith("ed") and len(low) > 4 and index > 0 and tokens[index - 1].low in lexicon.SUBJECT_PRONOUNS
    if index and tokens[index].text[0].isupper() and tokens[index - 1].text[0].isupper() and not _is_loud(tokens):
        return False  # a word of a title: "Thus Spoke Zarathustra"
    before = index - 1
    while before >= 0 and (tokens[before].low in lexicon.NEUTRAL or tokens[before].low in lexicon.WORDS["adverbs"]):
        before -= 2 if tokens[before].low == "longer" else 1
    previous = tokens[before].low if before >= 0 else ""
    if low in lexicon.AUXILIARIES:
        return previous not in ("to", "not") and not _is_morning(tokens, index) and not _is_month(tokens, index)
    if known is None or previous in lexicon.DETERMINERS or previous in ("to", "not", "no") or previous.endswith("'s"):
        return False
    letters, following = known[1], low_at(tokens, index + 1)
    if "s" in letters:
        if known[0] in _NOUNS_TOO and (not following or "b" in forms().get(following, ("", ""))[1]):
            return False  # "builds run", "integration tests cover"
        is_noun = known[0] in _NOUNS_TOO or not index
        if is_noun and following in lexicon.PREPOSITIONS and _has_own_verb(tokens, index + 2):
            return False  # "deploys to production are manual"
        if not index and following in lexicon.PREPOSITIONS and low in PLURALS_TOO:
            return not any(is_finite(tokens, place) for place in range(3, len(tokens)))  # "calls to the bank time out"
        return previous not in lexicon.PREPOSITIONS and following not in lexicon.AUXILIARIES
    if "d" in letters and low != known[0]:
        if not index and _describes_subject(tokens):
            return False
        return previous not in lexicon.AUXILIARIES and previous not in lexicon.PREPOSITIONS and previous != "been"
    if low in PAST_TOO and previous and previous not in lexicon.PREPOSITIONS:
        # The past of one person: "Ann quit smoking", "the user set it to 5", "Finance cut the budget".
        return (
            low == "quit"
            or previous == "user"
            or (following in lexicon.DETERMINERS and tokens[index - 1].text[0].isupper())
        )
    if "b" in letters:
        return previous in PLURAL_PRONOUNS or _is_plural_noun(previous) or _is_of_several(tokens, before, known[0])
    return False


def _is_of_several(tokens: Sequence[Token], last: int, lemma: str) -> bool:
    """Whether a base form follows two names ("Ann and Bob share") or a plural ("bikes in Ghent need"); not a noun."""
    if not 2 <= last <= _MAX_SUBJECT or lemma in _NOUNS_TOO:
        return False
    first, link, before = tokens[last - 2], tokens[last - 1], tokens[last]
    if link.low == "and":
        return before.text[0].isupper() and (first.text[0].isupper() or first.low == "user")
    words = [token.low for token in tokens[: last + 1]]
    of = place_of(tokens[:last], lexicon.PREPOSITIONS, 1)
    head = words[of - 1 - int(of > 1 and words[of - 1].endswith(("ed", "en")))]
    is_head = of < last and (_is_plural_noun(head) or head in lexicon.WORDS["plural_nouns"])
    is_phrase = all(word[0].isalnum() and word not in lexicon.AUXILIARIES and word not in _HARD for word in words)
    is_object = words[-1][0].isalpha() and words[-1] not in lexicon.PREPOSITIONS | lexicon.DETERMINERS
    return is_head and is_phrase and is_object and words[0] not in lexicon.PREPOSITIONS


def _describes_subject(tokens: Sequence[Token]) -> bool:
    """Whether the past form that begins a sentence goes with a noun that has a verb: "deleted files stay"."""
    if len(tokens) < 3 or (not _is_plural_noun(tokens[1].low) and not _is_plural_noun(tokens[2].low)):
        return False
    return any(is_finite(tokens, index) for index in range(2, min(5, len(tokens))))


def _has_own_verb(tokens: Sequence[Token], index: int) -> bool:
    """Whether an auxiliary follows before anything ends the phrase."""
    end = place_of(tokens, _ENDING_PHRASE, index)
    return any(tokens[place].low in _OWN_VERBS and not _is_morning(tokens, place) for place in range(index, end))


def _is_morning(tokens: Sequence[Token], index: int) -> bool:
    """Whether "am" belongs to a time of day ("2 am"), and is no verb."""
    return tokens[index].low == "am" and index > 0 and tokens[index - 1].low[0].isdigit()


def _is_loud(tokens: Sequence[Token]) -> bool:
    """Whether every word has a capital, so that capitals tell nothing."""
    return all(token.text[0].isupper() for token in tokens if token.text[0].isalpha())


def _is_month(tokens: Sequence[Token], index: int) -> bool:
    """Whether the word is the month ("May 5", "5 May", "in May"), not the modal verb."""
    if tokens[index].text != "May":
        return False
    around = [tokens[i].low for i in (index - 1, index + 1) if 0 <= i < len(tokens)]
    return any(low[0].isdigit() or low == "is" or low in lexicon.PREPOSITIONS for low in around)


def _is_plural_noun(word: str) -> bool:
    return len(word) > 3 and lexicon.singular(word) != word and not word.endswith("'s") and word not in lexicon.NEUTRAL


@lru_cache(maxsize=8)
def split_clauses(tokens: tuple[Token, ...], *, finely: bool = False) -> tuple[Clause, ...]:
    """Cut a sentence where a new clause begins: at a hard conjunction, or at a separator between two verbs.

    `finely` cuts at every mark instead, before a condition and before a new subject: what follows may be meant
    otherwise, and needs no verb for that. Of what joins two clauses it leaves out no word that tells how.
    """
    cuts = {i: token.low in ("which", "who") for i, token in enumerate(tokens) if token.low in _HARD}
    if finely:
        cuts = dict.fromkeys((i for i in range(len(tokens)) if _parts_finely(tokens, i, cuts)), False)
    else:
        _cut_between_verbs(tokens, cuts)
    joining = _JOINING_FINELY if finely else JOINING
    clauses: list[Clause] = []
    begin, relative = 0, False
    for cut in (*sorted(cuts), len(tokens)):
        end = cut
        while begin < end and tokens[begin].low in joining:
            begin += 1
        while begin < end and tokens[end - 1].low in (",", "and", ":"):
            end -= 1
        if begin < end:
            clauses.append(Clause(tokens[begin:end], relative))
        begin, relative = cut, cuts.get(cut, False)
    return tuple(clauses)


def _cut_between_verbs(tokens: Sequence[Token], cuts: dict[int, bool]) -> None:
    """Add a cut at the last separator between two verbs, if there is none between them."""
    separators = [index for index, token in enumerate(tokens) if token.low in _SEPARATORS]
    verbs = [index for index in range(len(tokens) if separators else 0) if is_finite(tokens, index)]
    for verb, following in pairwise(verbs):
        between = [index for index in separators if verb < index < following]
        if between and not any(verb < cut < following for cut in cuts):
            cuts[between[-1]] = False


def _parts_finely(tokens: Sequence[Token], index: int, hard: Mapping[int, bool]) -> bool:
    low = tokens[index].low
    if low in _MARKS:
        is_apart = index + 1 < len(tokens) and tokens[index + 1].start > tokens[index].end
        return is_apart or not low.isascii()
    is_new = low == "and" and low_at(tokens, index + 1) in _NEW_SUBJECTS
    return is_new or low in _CONDITIONS or hard.get(index) is False
