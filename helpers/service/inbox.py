"""Everything that needs a person, in one list: the texts, the reasons, and the request behind each answer.

The answers are named this, that, both or merge where two texts are compared; everything can be left for later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from ..errors import StoreError
from ..inbox import Adopt, Arguments, ConflictDecision, Erase, NotSecret, SignAnew
from ..knowledge.documents import FILES, Place
from ..knowledge.shelving import CurationVerb
from ..language.tables import read_table
from ..ledger.copies import DUPLICATE_RULES
from ..ledger.lifecycle import is_classified
from ..maintenance.duplicates import PairOutcome, precedence
from ..privacy import mask
from ..quality.conflict_record import conflict_id
from ..quality.requests import answers_about, reasons_of
from ..recall.eligibility import suppression
from ..records import Memory, said_at
from ..store.proposals import count_proposals, read_excluded, read_proposals
from ..store.tables import read_pairs
from .arguments import ListInbox
from .place import MemoryPlace
from .rows import MOST_OF_A_LINE, Result, Spans, differing_spans, memory_row

_MOST_BREAKS = 20
SIGNED: Final = "agreed by a person who looked at the breaks"  # the reason of signing anew


class ItemKind(StrEnum):
    """The kinds of items, in the order of the list."""

    PROPOSED = "agent_proposed"
    CONFLICT = "conflict"
    PROPOSAL = "proposal"
    DUPLICATE = "duplicate"
    EMPTY = "empty"
    SECRET = "secret"
    KNOWLEDGE = "knowledge"
    CHAIN = "chain_break"
    POSSIBLE = "possible"


#: The id of the item about breaks of the chain.
CHAIN_ID: Final = "chain"
AT_ODDS: Final = (ItemKind.PROPOSED, ItemKind.CONFLICT, ItemKind.POSSIBLE)
_TABLE: Final = read_table(__file__, "inbox")
#: The name of each kind: of an item, and its plural.
TITLES: Final = {kind: _TABLE["kinds"][kind] for kind in ItemKind}
#: The answers that are confirmed twice, on the page and at a terminal.
FINAL: Final = ("erase", "reject", "sign")


class InboxItem(NamedTuple):
    """An item that needs a person; `choices` maps an answer to its request, or to a verb of curation for knowledge.

    `text`, with its `stamp`, belongs to no stored memory; `keep` is the agent's choice, empty for both.
    """

    kind: ItemKind
    id: str
    choices: Mapping[str, Arguments | CurationVerb]
    memories: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    text: str = ""
    stamp: str = ""
    keep: str | None = None

    def names(self, memories: Sequence[Memory | None]) -> tuple[str, ...]:
        """Return the name of each text."""
        if self.kind in AT_ODDS:
            return names_of_pair(memories)
        if self.kind in (ItemKind.SECRET, ItemKind.CHAIN):
            return ("memory",) * len(memories)
        return ("retire", "keep")[: len(memories)]

    def answers(self, names: Sequence[str]) -> dict[str, str]:
        """Return the effect of each answer in words, where the texts have these `names`."""
        words, sides = (
            _TABLE["kept" if self.kind in AT_ODDS else "others"],
            dict(zip(("this", "that"), names, strict=False)),
        )
        return {choice: words[choice].format(sides.get(choice, "")) for choice in self.choices}


def names_of_pair(memories: Sequence[Memory | None]) -> tuple[str, str]:
    """Return the names of two texts; those of the same moment are neither older nor newer."""
    moment, other_moment = (memory and said_at(memory) for memory in memories)
    return ("older", "newer") if moment != other_moment else ("first", "second")


def list_inbox(place: MemoryPlace, asked: ListInbox) -> Result:
    """Return a page of the inbox, and the number of items of each kind; blocking."""
    every = find_items(place, thorough=asked.thorough)
    listed = [item for item in every if not asked.kinds or item.kind in asked.kinds]
    rows = [item_row(place, item) for item in asked.cut(listed)]
    counts, proposed = (Counter(item.kind.value for item in items) for items in (every, filter(losers_of, every)))
    return {**asked.paging(len(listed)), "counts": counts, "proposed": proposed, "rows": rows}


def losers_of(item: InboxItem) -> tuple[str, ...]:
    """Return the memories that the proposal of an item would retire; empty without a proposal."""
    adopted = (request.memories for request in item.choices.values() if isinstance(request, Adopt))
    return next(filter(None, adopted), ())


def item_row(place: MemoryPlace, item: InboxItem) -> Result:
    """Return the row of an item, with each choice in words; the text of a secret is masked."""
    ids = item.memories or (item.id,)[: bool(item.text)]
    memories = [place.read(memory_id) for memory_id in ids]
    names = item.names(memories) if item.memories else ("learned",)
    texts = text_rows(ids, names, memories, gone={"text": item.text, "stamp": item.stamp})
    if item.kind is ItemKind.SECRET:
        texts = [{**text, "text": mask(str(text["text"])), "tags": []} for text in texts]
    return {
        "kind": item.kind.value,
        "id": item.id,
        "title": TITLES[item.kind][0],
        "texts": texts,
        "differs": ([], []) if item.kind is ItemKind.CHAIN else spans_of(texts),
        "why": [*item.why],
        "proposed": None if item.keep is None else item.keep or "both",
        "choices": item.answers(names),
        "final": [name for name in item.choices if name in FINAL],
    }


def text_rows(
    ids: Sequence[str], names: Sequence[str], memories: Sequence[Memory | None], gone: Mapping[str, str]
) -> list[Result]:
    """Return the row of each text with its name; `gone` stands for a memory that is not stored."""
    rows = [{**gone} if memory is None else memory_row(memory, MOST_OF_A_LINE) for memory in memories]
    return [{"id": key, "name": name, **row} for name, key, row in zip(names, ids, rows, strict=False)]


def spans_of(texts: Sequence[Result]) -> tuple[Spans, Spans]:
    """Return where two texts differ; nothing where there are not two."""
    pair = [str(text["text"]) for text in texts]
    return differing_spans(*pair) if len(pair) == 2 and all(pair) else ([], [])


def find_items(place: MemoryPlace, *, thorough: bool = False) -> list[InboxItem]:
    """Return the items that are undecided and do not wait to be carried out; `thorough` verifies the chain too."""
    waiting = [request.asked for request in place.requests() if request.answer is None and request.asked is not None]
    items = [item for look in (_at_odds, _proposed, _doubled, _secret, _learned) for item in look(place, waiting)]
    if thorough and (breaks := place.breaks()):
        why = tuple(map(str, breaks[:_MOST_BREAKS]))
        named = dict.fromkeys(found.memory_id for found in breaks[:_MOST_BREAKS] if found.memory_id is not None)
        memories = tuple(memory_id for memory_id in named if place.read(memory_id) is not None)
        items.append(InboxItem(ItemKind.CHAIN, CHAIN_ID, {"sign": SignAnew(reason=SIGNED)}, memories, why))
    first = {(item.kind, item.id): item for item in reversed(items)}
    return sorted(reversed(first.values()), key=lambda item: [*ItemKind].index(item.kind))


def _at_odds(place: MemoryPlace, waiting: Sequence[Arguments]) -> Iterator[InboxItem]:
    decisions = [arguments for arguments in waiting if isinstance(arguments, ConflictDecision)]
    decided = {decision.about for decision in decisions}
    kept = [decision for decision in decisions if decision.keep is not None]
    lost = {memory_id for decision in kept for memory_id in decision.memories if memory_id != decision.keep}
    for conflict in place.conflicts.get_conflicts(unresolved=True):
        if conflict.id in decided or lost.intersection(conflict.memories):
            continue
        pair = [memory for memory in place.read_known(conflict.memories) if memory is not None]
        if len(pair) != 2 or any(suppression(memory, None, lambda _: frozenset()) for memory in pair):
            continue
        kind, keep = ItemKind.POSSIBLE if conflict.is_possible else ItemKind.CONFLICT, None
        why = reasons_of(conflict, *pair)
        if conflict.proposal is not None:
            kind, keep = ItemKind.PROPOSED, conflict.proposal.keep or ""
            why = [*why, *filter(None, [conflict.proposal.reason])]
        yield InboxItem(kind, conflict.id, answers_about(*conflict.memories), conflict.memories, tuple(why), keep=keep)


def _proposed(place: MemoryPlace, waiting: Sequence[Arguments]) -> Iterator[InboxItem]:
    """Yield the proposals, the memory that would be retired first; of several about one memory, the first."""
    if not count_proposals(place.database):
        return
    kept = kept_in_use(place)
    adopted = (arguments.memories for arguments in waiting if isinstance(arguments, Adopt))
    left = kept.union(*adopted)
    for proposal in read_proposals(place.database):
        memory = None if proposal.loser in left else place.read(proposal.loser)
        if not is_classified(memory) or memory.is_deprecated:
            continue
        pair: tuple[str, ...] = (proposal.loser, proposal.winner) if proposal.winner else (proposal.loser,)
        left |= {proposal.loser}
        accept = Adopt(memories=(proposal.loser,), excluded=tuple(sorted(kept - {proposal.loser})))
        refuse = Adopt(memories=(), excluded=tuple(sorted(kept | {proposal.loser})))
        if proposal.winner:
            kind = ItemKind.DUPLICATE if proposal.rule in DUPLICATE_RULES else ItemKind.PROPOSAL
            choices = {"that": accept, "both": refuse}
        else:
            kind, choices = ItemKind.EMPTY, {"retire": accept, "this": refuse}
        yield InboxItem(kind, proposal.loser, choices, pair, proposal.reasons, proposal.winner_text)


def kept_in_use(place: MemoryPlace) -> frozenset[str]:
    """Return the memories that a person keeps in use against a proposal, also where that request still waits."""
    waiting = (request.asked for request in place.requests() if request.answer is None)
    asked = [arguments for arguments in waiting if isinstance(arguments, Adopt)]
    return frozenset(asked[-1].excluded) if asked else read_excluded(place.database)


def _doubled(place: MemoryPlace, waiting: Sequence[Arguments]) -> Iterator[InboxItem]:
    """Yield the pairs that maintenance has left to a person; the memory that the rules would retire stands first."""
    decided = {arguments.about for arguments in waiting}
    for row in read_pairs(place.database):
        pair = (row["a"], row["b"])
        name, is_open = conflict_id(*pair), row["outcome"] == PairOutcome.REVIEW
        if not is_open or name in decided or place.conflicts.is_decided_by_person(*pair):
            continue
        memory, other = place.read_known(pair)
        if memory is not None and other is not None and not memory.is_deprecated and not other.is_deprecated:
            ids = tuple(side.id for side in sorted((memory, other), key=precedence))
            choices = {name: asked for name, asked in answers_about(*ids).items() if name in ("that", "both")}
            yield InboxItem(ItemKind.DUPLICATE, ids[0], choices, ids, ("they say the same, and you said both",))


def _secret(place: MemoryPlace, waiting: Sequence[Arguments]) -> Iterator[InboxItem]:
    erased = {memory_id for arguments in waiting if isinstance(arguments, Erase) for memory_id in arguments.memories}
    for memory_id, kinds in place.open_secrets().items():
        if memory_id not in erased:
            choices = {"plain": NotSecret(memories=(memory_id,)), "erase": Erase(memories=(memory_id,))}
            yield InboxItem(ItemKind.SECRET, memory_id, choices, (memory_id,), (f"it may hold: {', '.join(kinds)}",))


def _learned(place: MemoryPlace, _: Sequence[Arguments]) -> Iterator[InboxItem]:
    """Yield the learned entries that no person has approved; an item with the reason if the files cannot be read."""
    if not place.settings.knowledge.enabled:
        return
    from ..host.page.knowledge import standing_in

    try:
        files = place.knowledge()
        texts = {name: text for name in FILES if FILES[name][1] is Place.STAGING and (text := files.read(name))}
    except StoreError as exc:
        yield InboxItem(ItemKind.KNOWLEDGE, "", {}, why=(str(exc),))
        return
    for standing in standing_in(texts)[0]:
        entry = standing.entry
        why = f"confidence {entry.confidence:.2f}, {entry.transactions} times, last on {entry.last_confirmed}"
        choices = {verb.value: verb for verb in CurationVerb}
        text = f"{entry.title}: {entry.insight}"
        yield InboxItem(ItemKind.KNOWLEDGE, entry.id, choices, why=(why,), text=text, stamp=standing.stamp)
