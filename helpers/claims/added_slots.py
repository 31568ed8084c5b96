"""Slots that a person adds in the configuration: checked, so that each is read as the built-in ones are (C-39, C-72).

No pattern comes from outside: a wording is a few plain words, looked up as a whole. Each wording is tried on a sentence
of its own before it is taken, so one that the grammar cannot read is refused and not ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from ..errors import requirement_of
from ..language.lexicon import AMERICAN
from ..language.segment import tokenise
from ..language.verbs import forms
from .clauses.endings import ENDS_SLOT, GIVES_SLOT, SAYS_SLOT
from .clauses.state_words import STATES
from .clauses.statements import STATES_SLOT
from .model import Modality
from .sentences.extract import extract_claims
from .slots.examples import AMOUNTS, say
from .slots.multi_valued import RELATIONS
from .slots.rows import CHOICES, DISTINGUISHING, SLOTS, Slot
from .slots.table import build_table, slot_table
from .values.choices import Choice
from .values.value_types import ADDABLE, VALUE_TYPES

MAX_SLOTS: Final = 50
_MAX_WORDINGS: Final = 12
_MAX_VALUES: Final = 50
_MAX_WORDS: Final = 4
_MAX_CHARACTERS: Final = 60
_TEXT: Final = "text"

#: Names that the grammar gives by itself.
_TAKEN_NAMES: Final = frozenset(
    (
        *(noun for row in SLOTS for noun in (row.nouns.split("|") if row.name == "*" else (row.name,))),
        *(relation.slot for relation in RELATIONS.values()),
        *(slot for states in STATES.values() for slot, _ in states),
        *AMOUNTS,
        *(STATES_SLOT, SAYS_SLOT, ENDS_SLOT, GIVES_SLOT, "is", "choice"),
    )
)
_OTHER_THINGS: Final = frozenset((*CHOICES, *DISTINGUISHING))


def _plain(text: str) -> str:
    """Return plain words in lower case, one space between them."""
    words = text.lower().split()
    is_plain = [token.low for token in tokenise(" ".join(words))] == words and all(word[0].isalnum() for word in words)
    if not is_plain or not 0 < len(words) <= _MAX_WORDS or len(text) > _MAX_CHARACTERS:
        raise ValueError(f"one to {_MAX_WORDS} plain words, at most {_MAX_CHARACTERS} characters")
    return " ".join(words)


def _name(text: str) -> str:
    name = _plain(text)
    if name in _TAKEN_NAMES or name.split()[0] in _OTHER_THINGS or " of " in name or " for " in name:
        raise ValueError("a name that no built-in slot has or makes")
    return name


def _noun(text: str) -> str:
    noun = " ".join(AMERICAN.get(word, word) for word in _plain(text).split())
    if noun in slot_table().nouns:
        raise ValueError(f"a noun that no slot has; this one {_meant(noun, slot_table().nouns)}")
    if noun.split()[0] in _OTHER_THINGS:
        raise ValueError(f"a noun without {noun.split()[0]!r}, which makes a slot of its own of any noun")
    return noun


def _verb(text: str) -> str:
    first, *rest = _plain(text).split()
    lemma, letters = forms().get(first, ("", ""))
    gerund = forms().get(rest[0], ("", "")) if lemma == "be" and rest else ("", "")
    if "g" in gerund[1]:
        lemma, rest = gerund[0], rest[1:]  # "be learning" is read as "learn"
    if not {"b", "s"} & set(letters):
        raise ValueError('a verb that the grammar knows, such as "drive" or "report to"; or "be" and a participle')
    verb = " ".join((lemma, *rest))
    if verb in slot_table().verbs:
        raise ValueError(f"a verb that no slot has; this one {_meant(verb, slot_table().verbs)}")
    if verb in RELATIONS:
        raise ValueError(f"a verb that takes one value; {verb!r} takes several")
    return verb


def _meant(wording: str, index: Mapping[str, tuple[Slot, ...]]) -> str:
    return f"means the built-in slot {index[wording][0].name.replace('*', wording)!r}"


Words = Annotated[str, Field(strict=True), AfterValidator(_plain)]
Name = Annotated[str, Field(strict=True), AfterValidator(_name)]
Noun = Annotated[str, Field(strict=True), AfterValidator(_noun)]
Verb = Annotated[str, Field(strict=True), AfterValidator(_verb)]
Switch = Annotated[bool, Field(strict=True)]


def _value(text: str) -> str:
    if text not in ADDABLE:
        raise ValueError(", ".join(ADDABLE))
    return text


class AddedSlot(BaseModel):
    """One slot of a person's own: what may be given, and what each field means, is in `docs/slots.md`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name = Field(description="the name of the slot; not that of a built-in one")
    nouns: tuple[Noun, ...] = Field(
        (),
        max_length=_MAX_WORDINGS,
        description=f'at most {_MAX_WORDINGS} nouns: "the NOUN of X is V", "X\'s NOUN is V", "X NOUN: V"',
    )
    verbs: tuple[Verb, ...] = Field(
        (),
        max_length=_MAX_WORDINGS,
        description=f'at most {_MAX_WORDINGS} verbs: "X VERB V"; a noun or a verb is needed',
    )
    value: Annotated[str, Field(strict=True), AfterValidator(_value)] = Field(
        _TEXT, description="the type of the value (default: `text`)"
    )
    values: tuple[Words, ...] = Field(
        (), max_length=_MAX_VALUES, description=f"instead of a type: all possible values, 2 to {_MAX_VALUES}"
    )
    person: Switch = Field(False, description='true: "my NOUN" is the user\'s own')
    bare: Switch = Field(False, description='true: "the NOUN is V" needs no owner')

    @model_validator(mode="after")
    def _can_be_read(self) -> AddedSlot:
        if not (self.nouns or self.verbs):
            raise ValueError("a noun or a verb at least")
        if self.values and self.value != _TEXT:
            raise ValueError("either a value or a list of values")
        if self.values and len(set(self.values)) < 2:
            raise ValueError("two different values at least")
        row = self.to_row()
        table = build_table((*SLOTS, row))
        wordings = *self.nouns, *self.verbs
        samples = self.values or (_sample(self.value),)
        for wording, value in [*((one, samples[0]) for one in wordings), *((wordings[0], one) for one in samples)]:
            text = say(row, wording, value)
            if not any(one.slot == row.name and one.modality is Modality.FACT for one in extract_claims(text, table)):
                raise ValueError(f"words that make a plain statement of it; {text!r} is none")
        return self

    def to_row(self) -> Slot:
        """Return the row of the table that this makes."""
        choice = Choice(f"values of {self.name}", tuple(tuple(value.split()) for value in self.values))
        return Slot(
            name=self.name,
            reads=(choice,) if self.values else ADDABLE[self.value],
            nouns="|".join(self.nouns),
            verbs="|".join(self.verbs),
            person=self.person,
            bare=self.bare,
        )


def _sample(value: str) -> str:
    return VALUE_TYPES[str(ADDABLE[value][0])].first


_SLOTS: Final = TypeAdapter(Annotated[tuple[AddedSlot, ...], Field(max_length=MAX_SLOTS)])


def check_added_slots(items: Sequence[object]) -> tuple[AddedSlot, ...]:
    """Return the slots of a list; `ValueError` where one of them cannot be used, or there are too many."""
    return _SLOTS.validate_python(tuple(items))


class Refusal(NamedTuple):
    """Why one slot of a list is left out; `where` says which, and which field of it."""

    where: str
    found: object
    allowed: str


def parse_added_slots(items: Sequence[object]) -> tuple[tuple[AddedSlot, ...], list[Refusal]]:
    """Return the slots of a list that can be used, and of each other one why not; the first of two alike is used."""
    slots: list[AddedSlot] = []
    refused: list[Refusal] = []
    for number, item in enumerate(items, 1):
        if len(slots) == MAX_SLOTS:
            refused.append(Refusal(f"slot {number}", item, f"at most {MAX_SLOTS} slots"))
            break
        if not isinstance(item, AddedSlot | Mapping):
            refused.append(Refusal(f"slot {number}", item, "an object with a name, and with nouns or verbs"))
            continue
        try:
            slot = item if isinstance(item, AddedSlot) else AddedSlot.model_validate(item)
        except ValidationError as exc:
            refused.append(_refusal(number, item, exc))
            continue
        twice = _said_before(slot, slots)
        if twice:
            refused.append(Refusal(f"slot {number}", twice, "names and wordings that no slot before it has"))
        else:
            slots.append(slot)
    return tuple(slots), refused


def _said_before(slot: AddedSlot, known: Iterable[AddedSlot]) -> str:
    for one in known:
        for mine, theirs in (((slot.name,), (one.name,)), (slot.nouns, one.nouns), (slot.verbs, one.verbs)):
            shared = sorted(set(mine) & set(theirs))
            if shared:
                return shared[0]
    return ""


def _refusal(number: int, item: object, exc: ValidationError) -> Refusal:
    fault = exc.errors(include_url=False)[0]
    path = ", ".join(str(part + 1) if isinstance(part, int) else part for part in fault["loc"])
    where = f"slot {number}" + (f", {path}" if path else "")
    if fault["type"] == "extra_forbidden":
        return Refusal(where, "unknown", ", ".join(AddedSlot.model_fields))
    return Refusal(where, fault["input"] if path else item, requirement_of(fault))
