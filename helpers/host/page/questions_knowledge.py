"""What a page may ask about the entries that agents have learned, as data. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StrictBool, StrictStr

from ...knowledge.documents import Place, number_of
from ...service.arguments import Paged, Question, Word

_LONGEST_STAMP = 200
_LONGEST_TITLE = 200


def _to_entry_id(value: str) -> str:
    if number_of(value) is None or value != value.strip():
        raise ValueError("the id of an entry, such as MEM-007")
    return value


EntryId = Annotated[StrictStr, Field(max_length=_LONGEST_STAMP), AfterValidator(_to_entry_id)]
Stamp = Annotated[StrictStr, Field(max_length=_LONGEST_STAMP)]


class ListEntries(Paged):
    """The entries that stand so."""

    place: Place = Place.STAGING


class ShowEntry(Question):
    """One entry with all that is known of it."""

    id: EntryId


class DecideEntry(Question):
    """An entry as a person saw it; to reject it needs to be `sure`."""

    id: EntryId
    stamp: Stamp
    sure: StrictBool = False


class EditEntry(Question):
    """An entry as a person saw it, and the words that it shall have."""

    id: EntryId
    stamp: Stamp
    title: Annotated[StrictStr, Field(min_length=1, max_length=_LONGEST_TITLE)]
    insight: Word
    recommended: Word
    applicability: Word


class UndoDecision(Question):
    """A decision that a page has shown."""

    decision: Stamp
