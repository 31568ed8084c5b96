"""The memories that something needs a person for, other than a conflict: what a list can be narrowed to."""

from __future__ import annotations

from ...duplicates.policy import DUPLICATE_RULES
from ...errors import StoreError
from ..session import Folder
from ..storage.proposals import read_proposals
from .questions import About


def ids_about(folder: Folder, about: About) -> frozenset[str]:
    """Return the memories that hold secrets, or that are proposed to go out of use and not decided; blocking."""
    if about is About.SECRETS:
        return frozenset(one for one in list(folder.adopter.secrets.found) if one in folder.store)
    try:
        found = read_proposals(folder.store.folder)
    except StoreError:  # no first look yet, or a report that a person has damaged, of which the terminal tells
        return frozenset()
    is_wanted = about is About.DUPLICATES
    return frozenset(
        one.loser for one in found if (one.rule in DUPLICATE_RULES) is is_wanted and one.loser in folder.store
    )
