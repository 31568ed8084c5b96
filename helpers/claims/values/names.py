"""Read names, places, hosts, paths, addresses and time zones from tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from ...language import lexicon
from ...language.tables import read_table, split_members, word_sets
from ...language.token import Token, low_at, spelled
from ...language.vocabulary import one_of
from ...texts import regex
from ..model import Norm, Value, ValueKind
from .numbers import Parsed

_EMAIL: Final = regex(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_TICKET: Final = regex(r"[A-Z]{2,10}-\d{1,6}")
_HOST: Final = regex(r"(?:[a-z0-9-]{1,63}\.){1,6}[a-z][a-z0-9-]{0,62}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost")
_PORT: Final = regex(r"(?<=[\w.-]):\d{2,5}$")
#: Digits in groups.
_PHONE: Final = regex(r"(?:[\d+().\/-]{1,40} ){1,12}")
_LONGEST_PHONE: Final = 12
_ZONE_NAME: Final = regex(r"[a-z]{2,20}/[a-z_]{2,30}(?:/[a-z_]{2,30})?")
_TABLE: Final = read_table(__file__, "names")
WORDS: Final = word_sets(_TABLE["words"])
PARTICLES: Final = WORDS["particles"]
GENERIC: Final = PARTICLES | WORDS["generic"]
_FILE_ENDINGS: Final = WORDS["file_endings"]
NOT_NAMES: Final = (
    (lexicon.DETERMINERS | lexicon.PREPOSITIONS | lexicon.PRONOUNS | lexicon.NEUTRAL | lexicon.CONJUNCTIONS)
    | WORDS["no_names"]
) - {"may"}
_YEAR_DIGITS: Final = 4
_BEFORE_ZONE: Final = WORDS["zone"] | {"the"}
_LONGEST_ZONE: Final = 9
_ZONE: Final = regex(
    rf"(?P<before>(?:(?:{one_of(_BEFORE_ZONE)}) )*)"
    r"(?:(?:utc|gmt) ?(?P<sign>[+-]) ?(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?|\S+) "
    rf"(?P<after>(?:(?:{one_of(WORDS['zone'])}) )*)"
)
#: Words in lower case inside a name, if a capitalised one follows: "Ludwig van Halen", "Charles the Bold".
_INNER: Final = (PARTICLES - {"and"}) | {"the"}
_ADDRESS: Final = regex(
    rf"(?:[a-z0-9-]{{1,63}}\.){{1,5}}(?:{one_of(WORDS['address_endings'])})(?:/[\w./%#?=&+-]{{0,200}})?"
)
_LONGEST_TERM: Final = 3
_LONGEST_JOB: Final = 5


def without_accents(text: str) -> str:
    """Turn "Zürich" into "zurich": writing the accents or not makes no other name."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).replace("ß", "ss")


#: Spelling of a time zone -> its group, and its offsets in standard and in daylight time.
_ZONES: Final[dict[str, Norm]] = {
    form: (group, float(standard), float(daylight))
    for group, row in _TABLE["zones"].items()
    for standard, daylight, *words in [row.split()]
    for word in words
    for form in (word, word.rpartition("/")[2])
}
#: The forms of one first name.
_NICKNAMES: Final = [frozenset(group.split()) for group in _TABLE["words"]["nicknames"].split("|")]


def may_be_short(name: str, other: str) -> bool:
    """Whether one of two names may be a short form of the other."""
    return name.startswith(other) or other.startswith(name) or any({name, other} <= forms for forms in _NICKNAMES)


def _text_at(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].text if index < len(tokens) else ""


def _is_capital(token: Token) -> bool:
    return token.text[0].isupper() or (token.text[0].isdigit() and token.text[-1].isalpha())


def _is_identifier(token: Token) -> bool:
    """Return a lower-case word that can only be a name: "release/2.1", "db-01", "my_table", "gpt-4"."""
    low = token.low
    return low[0].isalpha() and any(not c.isalpha() for c in low) and not low.endswith("'s") and "@" not in low


def _is_inner(token: Token, following: Token | None) -> bool:
    """Whether a word in lower case goes on with a name: "van Gogh", "the Bold", "al-Amin"."""
    if token.low.partition("-")[0] in PARTICLES and token.text.partition("-")[2][:1].isupper():
        return True
    return token.low in _INNER and following is not None and _is_capital(following)


def end_of_name(tokens: Sequence[Token], index: int) -> int:
    """Return the index after the capitalised words that start at `index`; `index` if there are none."""
    end = index
    while end < len(tokens) and end - index < 6:
        token = tokens[end]
        if not token.text[0].isalnum():
            break
        is_initial = len(token.text) == 1 and end + 1 < len(tokens) and _is_capital(tokens[end + 1])
        is_inner = end > index and _is_inner(token, tokens[end + 1] if end + 1 < len(tokens) else None)
        if (_is_capital(token) and (token.low not in NOT_NAMES or end > index or is_initial)) or is_inner:
            end += 1
        else:
            break
    return end


def parse_name(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return capitalised words, or one identifier; norm: the words in lower case."""
    begin = index
    if low_at(tokens, index) == "the":
        index += 1
    if low_at(tokens, index)[:1] == "@" and len(tokens[index].low) > 2:
        return Parsed.word(ValueKind.NAME, tokens, index, tokens[index].low)
    end = end_of_name(tokens, index)
    if end == index and begin == index and index < len(tokens) and _is_identifier(tokens[index]):
        end = index + 1
    if end > index and low_at(tokens, end) == "," and low_at(tokens, end + 1) in WORDS["titles"]:
        end = max(end_of_name(tokens, end + 1), end + 2)
    if end == index or tokens[end - 1].low.endswith("'s"):
        return None
    words = tuple(without_accents(token.low) for token in tokens[index:end] if token.low != ",")
    if words[0] in WORDS["demonyms"] and len(words) == 1:
        return None
    return Parsed.of(ValueKind.NAME, tokens, index, end, words)


def parse_person(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a name where only one person or team can stand: two that share the first word are two."""
    parsed = parse_name(tokens, index)
    if parsed is None:
        return None
    end = parsed.end + (low_at(tokens, parsed.end) in WORDS["teams"])
    return _as_person(parsed)._replace(end=end)


def _as_person(parsed: Parsed) -> Parsed:
    return parsed._replace(value=replace(parsed.value, kind=ValueKind.PERSON))


def parse_tool(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a product, by its canonical name if the families know one ("VS Code"); norm: its words."""
    known = parse_term(tokens, index)
    if known:
        family, name, *_ = map(str, known.value.norm)
        value = Value(ValueKind.NAME, known.value.text, tuple(name.split()))
        return None if family.replace(" ", "_") in WORDS["qualities"] else known._replace(value=value)
    if low_at(tokens, index) in ("a", "an"):
        return _parse_model(tokens, index + 1)
    return parse_name(tokens, index)


def _parse_model(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a make with its model, of which somebody has one: "a Mazda 3", "an iPhone 12"."""
    if low_at(tokens, index)[:1].isdigit() and len(tokens[index].low) == _YEAR_DIGITS:
        index += 1  # "a 2014 Octavia"
    end = end_of_name(tokens, index)
    if end == index and index < len(tokens) and any(letter.isupper() for letter in tokens[index].text[1:]):
        end = max(end_of_name(tokens, index + 1), index + 1)
    while end > index and low_at(tokens, end)[:1].isdigit():
        end += 1
    following = low_at(tokens, end)
    if end < index + 2 or (
        following[:1].isalnum() and following not in lexicon.PREPOSITIONS and following not in lexicon.NEUTRAL
    ):
        return None
    words = tuple(without_accents(token.low) for token in tokens[index:end])
    return Parsed.of(ValueKind.NAME, tokens, index, end, words)


def parse_first_name(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a name, or one last word in lower case ("my name is alice")."""
    parsed = parse_name(tokens, index)
    if parsed or index + 1 != len(tokens):
        return parsed
    low = tokens[index].low
    return Parsed.word(ValueKind.NAME, tokens, index, low) if low.isalpha() and low not in NOT_NAMES else None


def parse_full_name(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a name as `parse_first_name` does, but as a person: another last name is another name."""
    parsed = parse_first_name(tokens, index)
    return _as_person(parsed) if parsed else None


def parse_language_name(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "German", "the language of German": a human language, known or capitalised."""
    if (low_at(tokens, index), low_at(tokens, index + 1), low_at(tokens, index + 2)) == ("the", "language", "of"):
        index += 3
    known = parse_term(tokens, index, frozenset(("human language",)))
    end = known.end if known else end_of_name(tokens, index)
    if known or end == index:
        return known
    *details, name = (without_accents(token.low) for token in tokens[index:end])
    return Parsed.of(ValueKind.TERM, tokens, index, end, ("human language", name, *details))


def parse_email(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return an e-mail address."""
    low = low_at(tokens, index)
    return Parsed.word(ValueKind.EMAIL, tokens, index, low) if _EMAIL.fullmatch(low) else None


def parse_phone(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return at least seven digits in groups; norm: the digits."""
    match = _PHONE.match(spelled(tokens[index : index + _LONGEST_PHONE]))
    words = match[0] if match else ""
    digits = "".join(filter(str.isdecimal, words))
    end = index + words.count(" ")
    return Parsed.of(ValueKind.PHONE, tokens, index, end, (digits,)) if 7 <= len(digits) <= 15 else None


def parse_url(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return an address with its scheme; the last slash and the letter case of the host do not count."""
    scheme, is_url, rest = _text_at(tokens, index).partition("://")
    host, _, path = rest.partition("/")
    norm = f"{scheme.lower()}://{host.lower()}/{path}".rstrip("/")
    return Parsed.word(ValueKind.URL, tokens, index, norm) if is_url else None


def parse_address(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a web address without its scheme: "docs.example.org/start"."""
    low, text = low_at(tokens, index), _text_at(tokens, index)
    is_file = low.count(".") < 2 and low.rsplit(".", 1)[-1] in _FILE_ENDINGS
    is_company = index and text[:1].isupper() and not text.isupper()  # "Fly.io"
    if not _ADDRESS.fullmatch(low) or ("/" not in low and (is_file or is_company)):
        return None
    return Parsed.word(ValueKind.URL, tokens, index, f"https://{low}".rstrip("/"))


def parse_host(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a domain, an address or a machine name with digits ("db-01"); a port after a colon is left out."""
    low = _PORT.sub("", low_at(tokens, index))
    is_machine = low[:1].isalpha() and "-" in low and any(c.isdigit() for c in low) and "/" not in low
    is_machine = is_machine and not _TICKET.fullmatch(tokens[index].text)
    if not (_HOST.fullmatch(low) or is_machine) or low.rsplit(".", 1)[-1] in _FILE_ENDINGS:
        return None
    return Parsed.word(ValueKind.HOST, tokens, index, "localhost" if low == "127.0.0.1" else low)


def parse_path(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a file or folder path, or a file name with a known ending."""
    text = _text_at(tokens, index)
    is_path = text.startswith(("/", "~/", "./", "../")) or text[1:3] == ":\\"
    is_file = "." in text[1:] and text.rsplit(".", 1)[-1].lower() in _FILE_ENDINGS and "@" not in text
    is_long = len(text) > 2
    return Parsed.word(ValueKind.PATH, tokens, index, text.rstrip("/")) if is_long and (is_path or is_file) else None


def parse_timezone(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "MST", "UTC-7", "America/Denver", "Mountain Time"; norm: (group, standard offset, daylight offset)."""
    match = _ZONE.match(spelled(tokens[index : index + _LONGEST_ZONE]))
    if match is None:
        return None
    begin, end = index + match["before"].count(" "), index + match[0].count(" ")
    norm = _zone_norm(match, tokens[begin])
    return Parsed.of(ValueKind.TIMEZONE, tokens, begin, end, norm) if norm else None


def _zone_norm(match: re.Match[str], token: Token) -> Norm | None:
    if match["sign"]:
        minutes = float(f"{match['sign']}1") * (int(match["hours"]) * 60 + int(match["minutes"] or 0))
        return ("", minutes, minutes)
    if token.low in _ZONES and (token.text.isupper() or "/" in token.low or match["after"]):
        return _ZONES[token.low]
    return (token.low,) if _ZONE_NAME.fullmatch(token.low) and token.text[0].isupper() else None


def parse_term(tokens: Sequence[Token], index: int, families: frozenset[str] = frozenset()) -> Parsed | None:
    """Return the longest member of a family at `index`; norm: (family, canonical name). No families: any."""
    lows = tuple([token.low for token in tokens[index : index + _LONGEST_TERM]])
    for length in range(len(lows), 0, -1):
        term = lexicon.terms().get(lows[:length])
        if term and families and term[0] not in families:
            further = next((family for family in lexicon.further_families(term) if family in families), "")
            term = (further, term[1]) if further else None
        if term:
            return Parsed.of(ValueKind.TERM, tokens, index, index + length, term)
    return None


def parse_job(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "a backend developer"; norm: ("job", class of the head noun, the other words ...)."""
    index += low_at(tokens, index) in lexicon.ARTICLES
    lows = [token.low for token in tokens[index : index + _LONGEST_JOB]]
    *details, head = [*takewhile(lambda low: low.replace("-", "").isalpha() and low not in NOT_NAMES, lows)] or [""]
    if head not in lexicon.jobs():
        return None
    end = index + len(details) + 1
    return Parsed.of(ValueKind.TERM, tokens, index, end, ("job", lexicon.jobs()[head], *sorted(details)))


_PLACES: Final = read_table(__file__, "places")
#: "the city of Denver": the noun in front says on which level the name stands.
_TYPED_PLACES: Final = {level: level for level in _PLACES["levels"] if level != "part"} | dict.fromkeys(
    _PLACES["places"]["like_city"].split(), "city"
)
PLACE_NOUNS: Final = frozenset(_TYPED_PLACES)
#: Another name of a place -> the one that is compared.
_ONE_NAME: Final = {other: name for name, *others in split_members(_PLACES["places"]["same"]) for other in others}
#: Known place -> its level; an unknown name is taken for a city.
_LEVELS: Final = {
    name: level
    for level, names in [("city", _PLACES["places"]["cities"]), *_PLACES["levels"].items()]
    for (name,) in split_members(names)
}


def is_known_place(level: str, name: str) -> bool:
    """Whether a place is one that the tables know."""
    return _LEVELS.get(name) == level


def parse_place(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "Denver", "Denver, Colorado", "the city of Denver"; norm: level and name of each part, as written."""
    norm: list[str | float] = []
    begin = index
    index += low_at(tokens, index) == "the"
    typed = _TYPED_PLACES.get(low_at(tokens, index), "") if low_at(tokens, index + 1) == "of" else ""
    index += 2 if typed else 0
    end = index
    while len(norm) < 6:
        after = end_of_name(tokens, index)
        if after == index:
            break
        name = without_accents(" ".join(token.low for token in tokens[index:after]))
        level = typed or _LEVELS.get(name, "city")
        if not (typed or norm or name in _LEVELS) and (name,) in lexicon.terms():
            return None  # "the docs are in Markdown"
        typed = ""
        if level == "city" and "city" in norm[::2]:
            norm[norm.index("city")] = "part"
        norm += [level, _ONE_NAME.get(name, name)]
        end = after
        if low_at(tokens, after) != ",":
            break
        index = after + 1
    is_zone = len(norm) == 2 and tokens[end - 1].low in _ZONES and tokens[end - 1].text.isupper()
    return Parsed.of(ValueKind.PLACE, tokens, begin, end, tuple(norm)) if norm and not is_zone else None


def parse_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a country: one that the tables know, or a name that says so ("the country of Wales")."""
    parsed = parse_place(tokens, index)
    return parsed if parsed and parsed.value.norm[0] == "country" and len(parsed.value.norm) == 2 else None


def parse_home_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return what a person is a citizen of: a country, whether the tables know it or not."""
    parsed = parse_place(tokens, index)
    if parsed is None or len(parsed.value.norm) != 2:
        return None
    return parsed._replace(value=replace(parsed.value, norm=("country", parsed.value.norm[1])))
