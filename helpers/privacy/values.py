"""Whether the value beside a keyword is a secret, or only speaks of one.

Most values there are none: a rule about passwords, the place of one, a name in a program, a gap to fill.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ..language.lexicon import DETERMINERS, ENGLISH, INDEFINITE, NEUTRAL, PREPOSITIONS, PRONOUNS, QUANTIFIERS
from ..language.numerals import NUMBER_WORDS
from ..language.numerals import UNITS as _MEASURES
from ..language.tables import read_table, word_sets
from ..language.vocabulary import AUXILIARY_FORMS, DENIERS, read_patterns
from ..language.vocabulary import WORDS as _SPOKEN
from ..texts import regex
from .page import Page

_TABLE: Final = read_table(__file__, "words")["words"]
WORDS: Final = word_sets(_TABLE)

#: Words of sentences about passwords.
PROSE: Final = WORDS["prose"].union(
    *(_SPOKEN["stopwords"], _SPOKEN["little"], ENGLISH, NEUTRAL, AUXILIARY_FORMS, DENIERS, NUMBER_WORDS),
    *(DETERMINERS, INDEFINITE, PREPOSITIONS, PRONOUNS, QUANTIFIERS),
)
#: Endings of participles and adjectives that describe a password.
PROSE_ENDINGS: Final = tuple(_TABLE["prose_endings"].split())
#: The units of a number in a rule about passwords.
UNITS: Final = WORDS["units"].union(_MEASURES)

LONGEST_VALUE = 256

_OPENING = regex(r"[^\S\n]{0,8}(?:\|[^\S\n]{0,4})?[*_]{0,3}\\?")
_QUOTED = regex(r"([\"'`])(?!\1)((?:(?!\1)[^\n]){1,200})\1|([“„”«‘’])([^\n“”«»‘’]{1,200})[”“»’‘]|``([^`\n]{1,200})``")
_BARE = regex(r"[^\s<>\"`“”«»\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,256}")
_TRAILING = ".,;:)]}*_|'\\"

_GAP = regex(
    r"(?i)[*•.●xX_#?·…\-–—=/~\\]{1,256}$|(.)\1{3,255}$|<|\[[^\]\n]{0,80}\]?$|\{|\$\{|\$\("
    r"|\$[A-Z_][A-Z0-9_]{0,60}$|\$[a-z_]{1,60}$|"
    r"%[A-Z_a-z]{1,60}%|%\([a-z]|%[sd]$|#\{|@\{|!(?:vault|ref|sub|env|secret)|&[a-z]{1,10};|\("
    r"|:[a-z_]{1,60}$|--?[a-z]{1,16}(?:[ =-]|$)|\.\.\.|enc\[|…|"
    r"(?:https?|file|s3|gs)://|(?:op|vault|ssm|secret|keyring|env|aws-sm)://?|vault:|ssm:|env:|arn:|file:|~/|\./|\.\./"
)
_WORDINGS = read_patterns("prose", __file__)
_REFERENCE = regex(
    r"[A-Za-z][\w-]{0,40}=$|[A-Za-z_][\w]{0,60}(?:\.[A-Za-z_]\w{0,60}){1,8}[,;)]?$"
    r"|[A-Za-z_][\w.]{0,60}(?:\(|\[|\{\{|::|->"
    r"|\?\.)|[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}$|"
    r"[a-z]{1,40}(?:_[a-z]{1,40}){1,8}[,;)]?$|(?:/[\w.@-]{1,80}){2,10}/?$|[\w.-]{1,60}\.(?:kdbx|txt"
    r"|json|ya?ml|md|pem|env|gpg|py|js|ts|sh|html?|csv|pdf)$"
)
# Two names with a number behind them: people choose these, programs hardly ever do.
_NAMES_WITH_NUMBER = regex(
    r"(?!(?i:.{0,60}?(?:pass|pwd|secret|token|key|config|setting|option|param|prop|env|auth|user|field|value|cred)))"
    r"(?:(?:[A-Z][a-z]{2,15}\.){1,3}[A-Z][a-z]{2,15}\d{1,4}|(?!(?:self|this|cls|args|request|req|res|ctx|data|row|form|obj|app|sys|event|params)\.)"
    r"[a-z]{3,15}\.[a-z]{3,15}\d{2,4})$"
)
_PADDED = regex(r"(?=.{0,40}\d)(?=.{0,40}[A-Z])(?=.{0,40}[a-z])(?:[A-Za-z0-9+/]{4}){2,12}[A-Za-z0-9+/]{2,3}={1,2}$")
_PATH_LIKE = regex(r"(?:[A-Za-z]:)?[\\/]?(?:[\w.@-]{1,60}[\\/]){1,10}[\w.@-]{0,60}$")
_TECHNICAL_NUMBER = regex(
    r"(?i)(?:sha|md|aes|rsa|utf|base|bcrypt|argon|scrypt|oauth|http|ipv|rev|pbkdf|ntlm|tls|ssl|fips"
    r"|iso|pkcs|cve|rfc|wpa)[-_.]?\d[\w.-]{0,6}$|v\d[\d.]{0,8}$|(?:s3|ec2|h2|x509)$"
    r"|\d{1,4}(?:st|nd|rd|th|x|k|kb|mb|gb|ms|s|m|h|d|min|fa|px|%|€|\$|\+)$|\d{1,3}[-–](?:\w{2,12})$"
    r"|\d{1,4}(?:[./:-]\d{1,4}){1,3}$|(?:(?-i:[A-Z]{2,10})-\d{1,6})$"
)
_EMAIL = regex(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[A-Za-z]{2,24}){1,4}$")
_ASSIGNMENT = regex(r"[A-Za-z_]\w{0,40}=\w")
_LABELLED = regex(r"[a-z_]{2,20}=\w")
# Times, fingerprints, and public keys.
_OPEN = regex(r"\d{4}-\d\d-\d\d|(?i:sha\d{1,3}|md5)[:-]|pk[_-](?:test|live)|pk\.eyJ")
_UUID = regex(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$")
_HEX = regex(r"(?i)[0-9a-f]{32,256}$")
_OPAQUE = regex(r"[A-Za-z0-9+/=_~.%:$!@^&*-]{8,256}$")
_PARTS = regex(r"[-_./:]")
_HARD_SYMBOLS = frozenset("!@#$%^&*?")
_NUMBERED = regex(r"[a-z]{1,4}\d{1,3}")
_SYMBOLS = frozenset("!@#$%^&*+=~?§€£")


@dataclass(frozen=True, slots=True)
class KeywordValue:
    """The value beside a keyword, without its quotes."""

    text: str
    start: int
    end: int
    is_quoted: bool


def parse_value(page: Page, position: int) -> KeywordValue | None:
    """Return the quoted text or the run of characters at a position; None without one."""
    opening = page.match(_OPENING, position, 24)
    position = opening.end() if opening is not None else position
    quoted = page.match(_QUOTED, position, 210)
    if quoted is not None:
        group = quoted.lastindex or 2
        start, end = quoted.span(group)
        raw = page.text[start:end]
        stripped = raw.strip().rstrip("\\")
        start += len(raw) - len(raw.lstrip())
        return KeywordValue(stripped, start, start + len(stripped), True) if stripped else None
    bare = page.match(_BARE, position, LONGEST_VALUE)
    if bare is None:
        return None
    text = bare[0].lstrip("'*")
    start = bare.end() - len(text)
    text = _cut(text)
    return KeywordValue(text, start, start + len(text), False) if text else None


def _cut(text: str) -> str:
    """Return a value without the sentence, the markup or the URL around it."""
    for mark in ("&", ";", "\\n"):
        head, separator, tail = text.partition(mark)
        if separator and (mark == "\\n" or "=" in tail):
            text = head
    if "," in text and not text.endswith(","):
        head, _, tail = text.partition(",")
        text = head if tail[:1].isalpha() and ("=" in tail or ":" in tail) else text
    cut = text.rstrip(_TRAILING)
    if cut.count("(") > cut.count(")") and text[len(cut) :].startswith(")"):
        cut += ")"
    return cut


def is_placeholder(text: str) -> bool:
    """Whether a text only marks the place of a secret: a gap, a variable, an example."""
    return (
        _GAP.match(text) is not None
        or _WORDINGS["gap_words"].search(text) is not None
        or text.lower().split("|", 1)[0] in WORDS["gaps"]
    )


def is_gap(text: str) -> bool:
    """Whether a text is a variable or a bracket that waits to be filled."""
    return _GAP.match(text) is not None


def is_reference(text: str) -> bool:
    """Whether a text names the source of a secret: an expression, a name in a program, a file."""
    if _REFERENCE.match(text) is None:
        return False
    return _NAMES_WITH_NUMBER.match(text) is None and not (_PADDED.match(text) and len(text) % 4 == 0)


def is_prose(word: str) -> bool:
    """Whether a word goes on with the sentence, so that it is hardly a password."""
    folded = word.lower().strip("'’\"")
    last = folded.rpartition("-")[2]
    return folded in PROSE or last in PROSE or (len(last) > 4 and last.isalpha() and last.endswith(PROSE_ENDINGS))


def _is_technical(text: str) -> bool:
    folded = text.lower().strip("'’")
    return folded in WORDS["technical"] or _TECHNICAL_NUMBER.match(text) is not None


def is_mixed(text: str) -> bool:
    """Whether a text looks like a password: letters with digits or symbols among them."""
    if len(text) < 5 or _is_technical(text) or is_placeholder(text) or is_reference(text) or _PATH_LIKE.match(text):
        return False
    letters, digits = any(map(str.isalpha, text)), any(map(str.isdigit, text))
    symbols = any(character in _SYMBOLS for character in text.rstrip("?!"))
    if _EMAIL.match(text) or _ASSIGNMENT.match(text):
        return False
    if letters and (digits or _is_scrambled(text)):
        return True
    symbols = symbols or (digits and text[-1] in _SYMBOLS)
    return (letters or digits) and symbols and not text.startswith(("#", "@", "&"))


def _is_scrambled(text: str) -> bool:
    """Whether letters change their case again and again, as in no name."""
    rises = sum(character.islower() and following.isupper() for character, following in pairwise(text))
    return rises >= 3 and len(text) >= 8


def is_strong(text: str) -> bool:
    """Whether a text is mixed enough to be a password without a keyword."""
    if not is_mixed(text):
        return False
    if any(map(str.isalpha, text)) and any(character in _HARD_SYMBOLS for character in text.rstrip("!?*")):
        return True
    cases = any(map(str.isupper, text[1:])) and any(map(str.islower, text)) and any(map(str.isdigit, text))
    return cases and len(text) >= 8


def is_opaque(text: str, least: int = 16) -> bool:
    """Whether a text looks like a key: long, without words, with nearly the maximum entropy of its length."""
    if len(text) < least or len(set(text)) < 6 or not _OPAQUE.match(text) or _OPEN.match(text):
        return False
    if is_placeholder(text) or is_reference(text):
        return False
    if _UUID.match(text) or _HEX.match(text):
        return True
    if "://" in text or (text.count("/") > 1 and _PATH_LIKE.match(text) and not _looks_like_base64(text)):
        return False
    parts = [part for part in _PARTS.split(text) if part]
    if len(parts) > 1 and all(
        part.isalpha() or (part.isdigit() and len(part) < 6) or _NUMBERED.fullmatch(part) for part in parts
    ):
        return False
    if not any(map(str.isdigit, text)) and (len(text) < 20 or text.islower() or text.isupper() or entropy(text) < 3.6):
        return False
    if text.isdigit():
        return False
    return entropy(text) >= min(3.0, 0.72 * math.log2(len(text)))


_GENERATED = regex(r"(?=[^\d]{0,60}\d)(?=[\w-]{0,60}[!@#$%^&*()=+])[A-Za-z0-9!@#$%^&*()_=+-]{24,100}$")


def is_generated(text: str) -> bool:
    """Whether a text looks like a key that a framework has generated, with symbols in it."""
    return _GENERATED.match(text) is not None and not is_placeholder(text) and entropy(text) >= 3.8


def _looks_like_base64(text: str) -> bool:
    return len(text) >= 32 and any(map(str.isdigit, text)) and any(map(str.isupper, text)) and "." not in text


def entropy(text: str) -> float:
    """Return the entropy of a text in bits per character."""
    counts = [text.count(character) for character in set(text)]
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def is_password_after_is(value: KeywordValue, rest: str) -> bool:
    """Whether a password follows "the password is ..."; `rest` is the text after the value on its line."""
    text = value.text.rstrip("?!") if value.text[:-1].isalpha() else value.text
    if is_placeholder(text) or len(text) < 3:
        return False
    if value.is_quoted:
        return not is_reference(text)
    if text.isdigit():
        return len(text) >= 4 and not starts_with_unit(rest)
    if is_mixed(text):
        return not (text[0].isdigit() and starts_with_unit(rest) and text.rstrip("+").isdigit())
    if _is_technical(text) or is_reference(text) or "/" in text or not text.replace("-", "").replace("'", "").isalpha():
        return False
    if is_passphrase(text, rest):
        return True
    return len(text) >= 4 and not is_prose(text) and ends_clause(rest)


def is_password_after_mark(value: KeywordValue, rest: str, *, is_code: bool) -> bool:
    """Whether a password follows "password: ..." or "password = ..."; `is_code` where it stands in a program."""
    text = value.text
    if is_placeholder(text) or len(text) < 3:
        return False
    if value.is_quoted:
        return not is_prose(text) and not (is_code and text.istitle() and " " in text)
    if is_reference(text) or text.endswith(("(", "[", "{")) or re.match(r":(?:\s|$)", rest):
        return False
    if text.isdigit():
        return len(text) >= 4 and not starts_with_unit(rest)
    if is_mixed(text):
        return True
    if (
        _is_technical(text)
        or _PATH_LIKE.match(text)
        or _LABELLED.match(text)
        or text.replace(".", "").replace("-", "").isdigit()
    ):
        return False
    if is_prose(text):
        return is_passphrase(text, rest)
    if is_passphrase(text, rest) and not is_code:
        return True
    if is_code:
        return len(text) >= 4 and not rest.strip()
    return len(text) >= 4 and ends_clause(rest)


def starts_with_unit(rest: str) -> bool:
    """Whether a unit follows the number."""
    word = re.match(r"[\s-]{0,2}([^\W\d_]{1,20}|%)", rest)
    return word is not None and word[1].lower() in UNITS


def ends_clause(rest: str) -> bool:
    """Whether the sentence, or a clause of it, ends here."""
    return _WORDINGS["clause_end"].match(rest) is not None


_PHRASE = regex(r"(?:[ -][a-z]{2,12}){2,7}(?P<number>[ -]\d{1,4})?(?=\s{0,2}(?:$|[\n.!?,;)\"'`|]))")


def is_passphrase(first: str, rest: str) -> bool:
    """Whether four words and more, or three and a number, stand side by side that make no sentence."""
    return passphrase_tail(first, rest) > 0


def passphrase_tail(first: str, rest: str) -> int:
    """Return the length of a phrase of four words and more after its first word; 0 for any other text."""
    phrase = _PHRASE.match(rest)
    if phrase is None or not first.isalpha():
        return 0
    words = phrase[0].replace("-", " ").split()
    is_plain = any(word in PROSE for word in words) or (phrase["number"] and not UNITS.isdisjoint([first, *words]))
    return phrase.end() if len(words) >= 3 and not is_plain else 0
