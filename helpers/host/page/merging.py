"""One text in the place of two memories that are at odds, as a person has written it (C-96, T-70).

It comes as what a person brings from elsewhere comes, and the two go as in any decision of a person: so each of them is
brought back in the way that is known.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ...inbox import Arrive, ConflictDecision
from ...ledger.lifecycle import status_of
from ...ledger.tags import make_tags
from ...ledger.transfer import Archived, Header, is_same_text
from ...quality.conflict_record import RequestKind, Resolver
from ...quality.merging import to_archived
from ...records import Lineage, Memory, Relevance, Source, Utility, Validity
from ..session import Folder
from ..storage.transfers import put_archive, to_lines
from .acting import CHANGED, ONE_AT_A_TIME, adopt, find_pair, stamps_now, waits
from .questions import MergeConflict

_RECORD = "one of them is a vault record, which is changed under Vault"
_NOT_MERGED = "the text could not replace both"
_SAME = "the text is the same as one of the two: keep that one"

Row = dict[str, Any]


def merge_conflict(folder: Folder, asked: MergeConflict) -> Row:
    """Let a text replace both memories of a conflict, if they stand as they were shown; blocking.

    `merged` is what has taken their place, as it stands now.
    """
    store = folder.store
    outcome: Row = {"done": [], "refused": [], "waiting": [], "now": [], "merged": []}
    with ONE_AT_A_TIME:
        pair = find_pair(store, asked.conflict, asked.stamps)
        why = CHANGED if pair is None else _why_not(folder, pair, asked.text)
        if pair is None or why:
            outcome["refused"] = [{"id": asked.conflict, "why": why}]
            return outcome
        at, by = store.clock(), Resolver.OPERATOR.value
        merged = to_merged(*pair, asked.text, at=at)
        names = " and ".join(one.id for one in pair)
        header = Header(folder=f"a merge of {names}", exported_at=at, memories=1, recall_cycle=store.state.recall_cycle)
        store.requests.inbox.append(Arrive(archive=put_archive(store.folder, to_lines(header, [merged]))), at=at, by=by)
        for one in pair:
            memories = (one.id, merged.id)
            decision = ConflictDecision(action=RequestKind.KEEP, memories=memories, keep=merged.id)
            store.requests.inbox.append(decision, at=at, by=by)
        adopt(folder)
        lost = [one.id for one in pair if (now := store.read(one.id)) is not None and now.is_deprecated]
        if len(lost) == len(pair):
            outcome["done"] = [asked.conflict]
        elif waits(folder, Arrive, ConflictDecision):
            outcome["waiting"] = [asked.conflict]
        else:
            outcome["refused"] = [{"id": asked.conflict, "why": _NOT_MERGED}]
        return outcome | {"now": stamps_now(folder, lost), "merged": stamps_now(folder, [merged.id])}


def _why_not(folder: Folder, pair: tuple[Memory, Memory], text: str) -> str:
    if any(one.id in folder.store.mirrored for one in pair):
        return _RECORD
    return _SAME if any(is_same_text(one.text, text) for one in pair) else ""


def to_merged(older: Memory, newer: Memory, text: str, *, at: datetime) -> Archived:
    """Return the memory that takes the place of two: a person's word of now, and as important as either was."""
    axes, lineage = status_of(newer)
    utility = min((status_of(one)[0].utility for one in (older, newer)), key=[*Utility].index)
    domain, role = lineage.bst_domain, lineage.created_by_role
    status = axes.model_copy(
        update={
            "validity": Validity.CONFIRMED,
            "relevance": Relevance.ACTIVE,
            "source": Source.USER_ASSERTED,
            "utility": utility,
            "tags": make_tags(text, utility=utility, area=newer.area, domain=domain, role_id=role),
        }
    )
    origin = Lineage(created_at=at, stated_at=at, created_by_role=role, bst_domain=domain)
    return to_archived((older, newer), text, status, origin, at=at)
