"""Read names, places, hosts, paths, addresses and time zones from tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
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
_HOST_PORT: Final = regex(r"([\w.-]{1,200}):(\d{2,5})")
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


def without_accents(text: str) -> str:
    """Turn "Zürich" into "zurich": writing the accents or not makes no other name."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).replace("ß", "ss")


@cache
def zones() -> dict[str, Norm]:
    """Return each spelling of a time zone with its group, and its offsets in standard and in daylight time."""
    rows = ((group, *row.split()) for group, row in _TABLE["zones"].items())
    return {
        form: (group, float(standard), float(daylight))
        for group, standard, daylight, *words in rows
        for word in words
        for form in (word, word.rpartition("/")[2])
    }


@cache
def nickname_groups() -> dict[str, frozenset[int]]:
    """Return for each first name the numbers of the groups of its forms that it belongs to."""
    groups: dict[str, frozenset[int]] = {}
    for number, group in enumerate(_TABLE["words"]["nicknames"].split("|")):
        for name in group.split():
            groups[name] = groups.get(name, frozenset()) | {number}
    return groups


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
        return Parsed(Value(ValueKind.NAME, tokens[index].text, (tokens[index].low,)), index + 1)
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
    return Parsed(replace(parsed.value, kind=ValueKind.PERSON), end)


def parse_tool(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a product, by its canonical name if the families know one ("VS Code"); norm: its words."""
    known = parse_term(tokens, index)
    if known and str(known.value.norm[0]).replace(" ", "_") in WORDS["qualities"]:
        return None
    if known:
        words = str(known.value.norm[1]).split()
        return known._replace(value=Value(ValueKind.NAME, known.value.text, tuple(words)))
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
    token = tokens[index]
    if not token.low.isalpha() or token.low in NOT_NAMES:
        return None
    return Parsed(Value(ValueKind.NAME, token.text, (token.low,)), index + 1)


def parse_full_name(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a name as `parse_first_name` does, but as a person: another last name is another name."""
    parsed = parse_first_name(tokens, index)
    return parsed._replace(value=replace(parsed.value, kind=ValueKind.PERSON)) if parsed else None


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
    if not _EMAIL.fullmatch(low):
        return None
    return Parsed(Value(ValueKind.EMAIL, tokens[index].text, (low,)), index + 1)


def parse_phone(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return at least seven digits in groups; norm: the digits."""
    digits, end = "", index
    while end < len(tokens) and end - index < 12:
        low = tokens[end].low
        if not all(c.isdecimal() or c in "+-()./" for c in low):
            break
        digits += "".join(c for c in low if c.isdecimal())
        end += 1
    if not 7 <= len(digits) <= 15:
        return None
    return Parsed.of(ValueKind.PHONE, tokens, index, end, (digits,))


def parse_url(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return an address with its scheme; the last slash and the letter case of the host do not count."""
    if index >= len(tokens):
        return None
    text = tokens[index].text
    scheme, is_url, rest = text.partition("://")
    if not is_url:
        return None
    host, _, path = rest.partition("/")
    norm = f"{scheme.lower()}://{host.lower()}/{path}".rstrip("/")
    return Parsed(Value(ValueKind.URL, text, (norm,)), index + 1)


def parse_address(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a web address without its scheme: "docs.example.org/start"."""
    if index >= len(tokens):
        return None
    token = tokens[index]
    is_file = "/" not in token.low and token.low.count(".") < 2 and token.low.rsplit(".", 1)[-1] in _FILE_ENDINGS
    if is_file or not _ADDRESS.fullmatch(token.low):
        return None
    if index and token.text[0].isupper() and not token.text.isupper() and "/" not in token.low:
        return None  # "Fly.io" is a company
    return Parsed(Value(ValueKind.URL, token.text, (f"https://{token.low}".rstrip("/"),)), index + 1)


def parse_host(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a domain, an address or a machine name with digits ("db-01"); a port after a colon is left out."""
    low = low_at(tokens, index)
    match = _HOST_PORT.fullmatch(low)
    if match:
        low = match.group(1)
    is_machine = low[:1].isalpha() and "-" in low and any(c.isdigit() for c in low) and "/" not in low
    is_machine = is_machine and not _TICKET.fullmatch(tokens[index].text)
    if not (_HOST.fullmatch(low) or is_machine) or low.rsplit(".", 1)[-1] in _FILE_ENDINGS:
        return None
    norm = "localhost" if low == "127.0.0.1" else low
    return Parsed(Value(ValueKind.HOST, tokens[index].text, (norm,)), index + 1)


def parse_path(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a file or folder path, or a file name with a known ending."""
    if index >= len(tokens):
        return None
    text = tokens[index].text
    is_path = text.startswith(("/", "~/", "./", "../")) or text[1:3] == ":\\"
    is_file = "." in text[1:] and text.rsplit(".", 1)[-1].lower() in _FILE_ENDINGS and "@" not in text
    if not (is_path or is_file) or len(text) < 3:
        return None
    return Parsed(Value(ValueKind.PATH, text, (text.rstrip("/"),)), index + 1)


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
    if token.low in zones() and (token.text.isupper() or "/" in token.low or match["after"]):
        return zones()[token.low]
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
    if low_at(tokens, index) in ("a", "an", "the"):
        index += 1
    words: list[str] = []
    end = index
    while end < len(tokens) and len(words) < 5 and tokens[end].low.replace("-", "").isalpha():
        if tokens[end].low in NOT_NAMES:
            break
        words.append(tokens[end].low)
        end += 1
    if not words or words[-1] not in lexicon.jobs():
        return None
    return Parsed.of(ValueKind.TERM, tokens, index, end, ("job", lexicon.jobs()[words[-1]], *sorted(words[:-1])))


_PLACES: Final = read_table(__file__, "places")
#: "the city of Denver": the noun in front says on which level the name stands.
_TYPED_PLACES: Final = {level: level for level in _PLACES["levels"] if level != "part"} | dict.fromkeys(
    _PLACES["places"]["like_city"].split(), "city"
)
PLACE_NOUNS: Final = frozenset(_TYPED_PLACES)


@cache
def _known_cities() -> frozenset[str]:
    return frozenset(city for (city,) in split_members(_PLACES["places"]["cities"]))


@cache
def _one_name() -> dict[str, str]:
    """Return for each other name of a place the one that is compared."""
    return {other: name for name, *others in split_members(_PLACES["places"]["same"]) for other in others}


def is_known_place(level: str, name: str) -> bool:
    """Whether a place is one that the tables know."""
    return place_levels().get(name) == level or (level == "city" and name in _known_cities())


@cache
def place_levels() -> dict[str, str]:
    """Return for each known place its level; an unknown name is taken for a city."""
    return {name: level for level, names in _PLACES["levels"].items() for (name,) in split_members(names)}


def parse_place(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "Denver", "Denver, Colorado", "the city of Denver"; norm: level and name of each part, as written."""
    norm: list[str | float] = []
    begin = index
    if low_at(tokens, index) == "the":
        index += 1
    typed = _TYPED_PLACES.get(low_at(tokens, index), "") if low_at(tokens, index + 1) == "of" else ""
    index += 2 if typed else 0
    end = index
    while len(norm) < 6:
        after = end_of_name(tokens, index)
        if after == index:
            break
        name = without_accents(" ".join(token.low for token in tokens[index:after]))
        level = typed or place_levels().get(name, "city")
        if not (typed or norm or name in place_levels() or name in _known_cities()) and (name,) in lexicon.terms():
            return None  # "the docs are in Markdown"
        typed = ""
        if level == "city" and "city" in norm[::2]:
            norm[norm.index("city")] = "part"
        norm += [level, _one_name().get(name, name)]
        end = after
        if low_at(tokens, after) != ",":
            break
        index = after + 1
    if not norm:
        return None
    if len(norm) == 2 and tokens[end - 1].low in zones() and tokens[end - 1].text.isupper():
        return None
    return Parsed.of(ValueKind.PLACE, tokens, begin, end, tuple(norm))


def parse_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a country: one that the tables know, or a name that says so ("the country of Wales")."""
    parsed = parse_place(tokens, index)
    if parsed is None or (parsed.value.norm[0] == "country" and len(parsed.value.norm) == 2):
        return parsed
    return None


def parse_home_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return what a person is a citizen of: a country, whether the tables know it or not."""
    parsed = parse_place(tokens, index)
    if parsed is None or len(parsed.value.norm) != 2:
        return None
    norm = ("country", parsed.value.norm[1])
    return parsed._replace(value=Value(ValueKind.PLACE, parsed.value.text, norm))
