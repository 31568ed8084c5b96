"""Lines as an attacker, a broken tool or a torn disk may leave them in an archive, a file to ingest, or a backup."""

from __future__ import annotations

import json
from typing import NamedTuple

IMPORT, INGEST, RESTORE = "import", "ingest", "restore"
_ALL = frozenset((IMPORT, INGEST, RESTORE))
#: What a host stores and its backup keeps all the same.
_BY_OTHERS = _ALL - {RESTORE}
TAKEN = "good-1"


class Hostile(NamedTuple):
    """A line, words of the sentence that refuses it, and the doors that do; the others let it in as it is."""

    line: bytes
    said: str
    doors: frozenset[str] = _ALL


def row(name: str, rest: str = "", *, text: str | None = None, end: str = "}") -> bytes:
    """Return a line of JSON: a memory of its own, and what is written behind that as it is."""
    said = json.dumps(f"The {name} is blue" if text is None else text)
    rest += "" if '"metadata"' in rest else ', "metadata": {}'
    return f'{{"id": "{name.replace(" ", "-")}", "text": {said}{rest}{end}'.encode("utf-8", "surrogateescape")


def _meta(name: str, value: str) -> bytes:
    return row(name, f', "metadata": {{"note": {value}}}')


def _nested(levels: int, begin: str = "[", end: str = "]") -> str:
    return begin * levels + "0" + end * levels


_DEEP, _JSON, _MANY = "nested too deeply", "not JSON", "of more than 100,000 parts"
_OBJECT = ('{"a":', "}")

HOSTILE: dict[str, Hostile] = {
    "800 lists": Hostile(_meta("800 lists", _nested(800)), _DEEP),
    "800 objects": Hostile(_meta("800 objects", _nested(800, *_OBJECT)), _DEEP),
    "lists and objects": Hostile(_meta("lists and objects", _nested(300, '[{"a":', "}]")), _DEEP),
    "one level too many": Hostile(_meta("one level too many", _nested(40)), _DEEP),
    "90,000 lists": Hostile(_meta("90,000 lists", _nested(90_000)), _DEEP),
    "90,000 objects": Hostile(_meta("90,000 objects", _nested(90_000, *_OBJECT)), _DEEP),
    "90,000 lists begun": Hostile(_meta("90,000 lists begun", "[" * 90_000), _DEEP),
    "only lists": Hostile(b"[" * 5_000 + b"]" * 5_000, _DEEP),
    "deep history": Hostile(row("deep history", f', "history": [{{"a": {_nested(800)}}}]'), _DEEP),
    "deep conflicts": Hostile(row("deep conflicts", f', "conflicts": [{{"a": {_nested(800)}}}]'), _DEEP),
    "deep beside": Hostile(row("deep beside", f', "other": {_nested(800)}'), _DEEP),
    "deep status": Hostile(row("deep status", f', "metadata": {{"classification": {_nested(800)}}}'), _DEEP),
    "deep lineage": Hostile(row("deep lineage", f', "metadata": {{"lineage": {{"voucher": {_nested(90)}}}}}'), _DEEP),
    "deep area": Hostile(row("deep area", f', "area": {_nested(90)}'), _DEEP),
    "many members": Hostile(_meta("many members", f"[{'0,' * 100_000}0]"), _MANY),
    "many keys": Hostile(_meta("many keys", json.dumps(dict.fromkeys(map(str, range(100_001)), 0))), _MANY),
    "many lists": Hostile(_meta("many lists", f"[{'[],' * 100_000}0]"), _MANY),
    "lists of lists": Hostile(_meta("lists of lists", json.dumps([[0] * 400] * 400)), _MANY),
    "much history": Hostile(row("much history", f', "history": {json.dumps([{}] * 100_001)}'), _MANY),
    "huge text": Hostile(row("huge text", text="a" * 2_000_001), "2,000,001 characters", _BY_OTHERS),
    "huge note": Hostile(_meta("huge note", f'"{"a" * 2_000_001}"'), "2,000,001 characters", _BY_OTHERS),
    "huge key": Hostile(row("huge key", f', "metadata": {{"{"k" * 2_000_001}": 1}}'), "characters", _BY_OTHERS),
    "huge line": Hostile(row("huge line", text=" a" * 8_000_001), "too long", _BY_OTHERS),
    "huge white space": Hostile(row("huge white space", " " * 16_000_001), "too long", _BY_OTHERS),
    "5,000 digits": Hostile(_meta("5,000 digits", "9" * 5_000), _JSON),
    "1,300 digits": Hostile(_meta("1,300 digits", "9" * 1_300), "bits", _BY_OTHERS),
    "1e999": Hostile(_meta("1e999", "1e999"), "no number"),
    "minus 1e999": Hostile(_meta("minus 1e999", "-1e999"), "no number"),
    "NaN": Hostile(_meta("NaN", "NaN"), "NaN is no number"),
    "Infinity": Hostile(_meta("Infinity", "[Infinity]"), "Infinity is no number"),
    "minus Infinity": Hostile(_meta("minus Infinity", "-Infinity"), "-Infinity is no number"),
    "hexadecimal": Hostile(_meta("hexadecimal", "0x10"), _JSON),
    "octal": Hostile(_meta("octal", "010"), _JSON),
    "underscores": Hostile(_meta("underscores", "1_000"), _JSON),
    "half a text": Hostile(row("half a text", text="half \ud800"), "not Unicode text", _BY_OTHERS),
    "half a note": Hostile(_meta("half a note", '"\\udc00"'), "not Unicode text", _BY_OTHERS),
    "half a key": Hostile(row("half a key", ', "metadata": {"\\ud800": 1}'), "not Unicode text", _BY_OTHERS),
    "latin-1": Hostile(_meta("latin-1", '"caf\udce9"'), "not UTF-8"),
    "overlong": Hostile(_meta("overlong", '"\udcc0\udcaf"'), "not UTF-8"),
    "UTF-16": Hostile(row("UTF-16").decode().encode("utf-16-be"), "not "),
    "bare NUL": Hostile(_meta("bare NUL", '"a\0b"'), _JSON),
    "NULs": Hostile(b"\0" * 50, _JSON),
    "bare escape": Hostile(_meta("bare escape", '"\x1b[2J"'), _JSON),
    "cut in a text": Hostile(row("cut in a text", ', "metadata": {"note": "cu', end=""), _JSON),
    "cut in an object": Hostile(row("cut in an object", end=""), _JSON),
    "cut after the id": Hostile(b'{"id": "cut", ', _JSON),
    "two in a line": Hostile(row("one") + row("other"), _JSON),
    "rubbish behind": Hostile(row("rubbish behind") + b"x", _JSON),
    "single quotes": Hostile(b"{'id': 'q', 'text': 'The quote is blue'}", _JSON),
    "a comment": Hostile(row("a comment", "/* no */"), _JSON),
    "a comma too many": Hostile(row("a comma too many", ","), _JSON),
    "python": Hostile(b"__import__('os').system('true')", _JSON),
    "a list": Hostile(b'["id", "text"]', "list"),
    "a text": Hostile(b'"text"', "str"),
    "a number": Hostile(b"7", "int"),
    "null": Hostile(b"null", "NoneType"),
    "true": Hostile(b"true", "bool"),
    "empty object": Hostile(b"{}", "allowed"),
    "id twice": Hostile(row("id twice", ', "id": "other"'), "the key 'id' twice", _BY_OTHERS),
    "text twice": Hostile(row("text twice", ', "text": "The other text"'), "the key 'text' twice", _BY_OTHERS),
    "key twice inside": Hostile(_meta("key twice inside", '{"a": 1, "a": 2}'), "the key 'a' twice", _BY_OTHERS),
    "key twice of many": Hostile(
        _meta("key twice of many", f'{{{"".join(f"{chr(34)}{at}{chr(34)}: 0, " for at in range(50_000))}"7": 1}}'),
        "the key '7' twice",
        _BY_OTHERS,
    ),
    "text of a number": Hostile(b'{"id": "n", "text": 7}', "allowed"),
    "text of null": Hostile(b'{"id": "n", "text": null}', "allowed"),
    "text of a list": Hostile(b'{"id": "n", "text": ["The list is blue"]}', "allowed"),
    "blank text": Hostile(
        b'{"id": "blank", "text": " \\n\\t", "metadata": {}}', "allowed: a text that says something", _BY_OTHERS
    ),
    "metadata of a list": Hostile(row("metadata of a list", ', "metadata": [1]'), "allowed"),
    "metadata of a text": Hostile(row("metadata of a text", ', "metadata": "{}"'), "allowed"),
    "id of a number": Hostile(b'{"id": 7, "text": "The seven is blue", "metadata": {}}', "id is 7", _ALL - {INGEST}),
    "id of null": Hostile(b'{"id": null, "text": "The null is blue", "metadata": {}}', "allowed", _ALL - {INGEST}),
    "no id": Hostile(b'{"text": "The nobody is blue", "metadata": {}}', "allowed", _ALL - {INGEST}),
    "blank id": Hostile(
        b'{"id": " ", "text": "The blank id is blue", "metadata": {}}', "id is ' '", frozenset((IMPORT,))
    ),
    "id of 201": Hostile(row("x" * 201), "at most 200 characters", frozenset((IMPORT,))),
    "id taken": Hostile(row(TAKEN, text="The thief is blue"), "taken by", frozenset((IMPORT,))),
}

#: What looks hostile and is not.
GOOD: tuple[bytes, ...] = (
    b"\xef\xbb\xbf" + row("byte order mark"),
    row("carriage return") + b"\r",
    row("../../../etc/passwd", text="The traversal is blue"),
    b'{"id": "a\\n\\u001b[2J", "text": "The id that obeys is blue", "metadata": {}}',
    _meta("reference", '{"$ref": "#", "id": "reference"}'),
    _meta("escaped NUL", '"\\u0000"'),
    _meta("deepest", _nested(38)),
    _meta("most digits", "9" * 1_200),
    _meta("brackets", json.dumps("[" * 50_000)),
    _meta("prototype", '{"__proto__": {"a": 1}, "__reduce__": "os.system"}'),
)
