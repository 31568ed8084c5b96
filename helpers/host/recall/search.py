"""One recall over one store: eligibility, the searches, and the selection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from ...ledger.authority import is_users_word
from ...ledger.lifecycle import has_outdated
from ...quality.relationships import CITING
from ...recall import relevance
from ...recall.eligibility import RoleDomains, held_when
from ...recall.lexical import Matches, parse_query
from ...recall.plan import RecallPlan
from ...recall.rank import Past, Rival, find_origins, keep_meant, order_by_standing, put_beside, put_past_beside, rank
from ...recall.selection import Candidate, LeftOut, Selection, score_order
from ...records import Memory
from ...store.columns import MEMORY_AREA, SOLUTION_AREA
from ...store.docstore import Store
from ...store.index import Mask, Matrix
from ...store.quality_columns import measure, unfit
from .injection import NO_CONTENTS, PromptContents

#: The neighbours of this many best finds are considered too.
_MOST_LENDERS = 8
#: The least share of entered memories for a search by words.
_LEAST_WORDED = 0.9
#: The columns that become fields of a candidate.
_FIGURES = ("similarity", "likely", "coverage", "lexical", "kinship", "quality", "relevance", "share")
#: The reasons for leaving out finds after the search.
REFUSED = "left out by Agent Zero's own recall"
IN_PROMPT = "the prompt says it already"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """The reader of a recall: its `allowed` domains (None: all), the domains of a role, the host's own verdict.

    `narrow` returns one flag per position: whether a memory takes part in the search. Of the vault's records those of
    `scopes` may be seen (None: all), and nothing is found that is among the `contents` of the prompt.
    """

    allowed: frozenset[str] | None = None
    role_domains: RoleDomains = lambda role_id: frozenset()
    is_admitted: Callable[[Memory], bool] = lambda memory: True
    narrow: Callable[[Store], Mask] | None = None
    scopes: Collection[str] | None = None
    contents: PromptContents = NO_CONTENTS

    def objection(self, memory: Memory) -> str | None:
        """Return why a memory may not be shown; None if it may."""
        if self.contents.holds(memory.text):
            return IN_PROMPT
        return None if self.is_admitted(memory) else REFUSED


EVERYBODY = Audience()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finds:
    """The finds of the searches at `places`: candidates, refused ones, and how `likely` any bears on the message."""

    places: Sequence[int]
    candidates: Sequence[Candidate]
    refused: Sequence[LeftOut]
    likely: float = 1.0


def recall(store: Store, vectors: Matrix, plan: RecallPlan, audience: Audience = EVERYBODY) -> Selection:
    """Return the memories of `store` for the prompt; `vectors`, shape (m, d), are those of the plan's variants.

    Without vectors, shape (0, d), words decide alone; until most memories of a newly opened store are entered into the
    search by words, vectors do. Changes nothing. Memories that the host's recall does not admit are left out after the
    search, with that reason.

    Memories of the past that the message asks for come, marked, before the present ones.
    """
    search = _Search(store, vectors, plan, audience)
    selection = search.choose()
    dropped = [
        candidate
        for candidate, reason in selection.left_out
        if candidate.is_found and reason not in (REFUSED, IN_PROMPT)
    ]
    rivals = find_origins(selection.memories, dropped) | search.find_rivals(selection)
    if rivals:
        selection = put_beside(selection, rivals, limit=plan.limits.injected)
    selection = replace(order_by_standing(selection), doubted=_find_doubted(store, selection))
    return search.put_past_beside(selection) if plan.past else selection


def search_ids(store: Store, vectors: Matrix, plan: RecallPlan, audience: Audience) -> list[str]:
    """Return the ids of the memories in a recall, the best first."""
    return [candidate.memory.id for candidate in recall(store, vectors, replace(plan, past=()), audience).by_score]


class _Search:
    """One search of a store with the vectors and the plan of a message, for an audience."""

    def __init__(self, store: Store, vectors: Matrix, plan: RecallPlan, audience: Audience) -> None:
        self._store, self._vectors, self._plan, self._audience = store, vectors, plan, audience

    def choose(self) -> Selection:
        """Return the selection from the finds of the searches; for a plan of the past, only replaced memories."""
        store = self._store
        with store.lock:
            store.refresh_positions()
            if not len(self._vectors):
                self._plan = replace(self._plan, uses_meaning=False)
            elif len(store.lexical) < _LEAST_WORDED * len(store.index):
                self._plan = replace(self._plan, uses_words=False)
            finds = self._find()
            while store.rows.read(finds.places):  # read rows may turn out ineligible
                finds = self._find()
        candidates = [candidate for candidate in finds.candidates if self._is_wanted(candidate.memory)]
        refused = [(candidate, reason) for candidate, reason in finds.refused if self._is_wanted(candidate.memory)]
        selection = rank(candidates, self._plan, finds.likely)
        return replace(selection, left_out=(*selection.left_out, *refused))

    def _is_wanted(self, memory: Memory) -> bool:
        """Whether a memory may be selected: for a plan of the past, only if a newer one has replaced it."""
        return not self._plan.is_past or _held_when(self._store, memory) is not None

    def put_past_beside(self, selection: Selection) -> Selection:
        """Return `selection` with memories of the past: those that are meant, and others of their chains."""
        store, plan = self._store, self._plan
        vectors = self._vectors[list(plan.past)] if len(self._vectors) else self._vectors
        past = keep_meant(_Search(store, vectors, plan.of_past(), self._audience).choose(), plan.settings.noise_gate)
        head_ids = {candidate.memory.id: store.find_head(candidate.memory.id) for candidate in past.considered}
        candidates = sorted(past.memories, key=score_order)
        meant = {head_ids[candidate.memory.id] for candidate in candidates}
        candidates += [
            candidate
            for candidate, reason in past.left_out
            if reason not in (REFUSED, IN_PROMPT) and head_ids[candidate.memory.id] in meant
        ]
        heads = (store.read(head_ids[candidate.memory.id]) for candidate in candidates)
        pairs = [(candidate, head) for candidate, head in zip(candidates, heads, strict=True) if head is not None]
        brought = self._bring(pairs, selection)
        presents = {candidate.memory.id: head for (candidate, _), head in zip(pairs, brought, strict=True)}
        pasts = [
            Past(candidate, _held_when(store, candidate.memory) or "", presents.get(candidate.memory.id))
            for candidate in candidates
        ]
        selection = replace(selection, left_out=(*selection.left_out, *past.left_out))
        return put_past_beside(selection, pasts, limit=plan.limits.injected)

    def find_rivals(self, selection: Selection) -> dict[str, list[Rival]]:
        """Return, by memory id, the open contradictions of the selected memories that may be shown."""
        store, open_pairs = self._store, list[tuple[Candidate, Memory, bool]]()
        for candidate in selection.memories:
            open_pairs += [(candidate, *rival) for rival in _open_rivals(store, candidate.memory)]
        if not open_pairs:
            return {}
        rivals_by_id: dict[str, list[Rival]] = {}
        rivals = self._bring([(candidate, other) for candidate, other, _ in open_pairs], selection)
        for (candidate, _, is_possible), rival in zip(open_pairs, rivals, strict=True):
            if rival is not None:
                rivals_by_id.setdefault(candidate.memory.id, []).append(Rival(rival, is_possible))
        return rivals_by_id

    def _bring(self, pairs: Sequence[tuple[Candidate, Memory]], selection: Selection) -> list[Candidate | None]:
        """Return a candidate for each memory that is paired with a find, its own if it was found; None if not shown."""
        with self._store.lock:
            places = [self._store.index.position(memory.id) for _, memory in pairs]
            self._store.rows.read(place for place in places if place is not None)
            eligible = self._eligible(None)
        known = {candidate.memory.text: candidate for candidate in reversed(selection.considered)}
        brought: list[Candidate | None] = []
        for (origin, memory), place in zip(pairs, places, strict=True):
            is_seen = place is not None and eligible[place] and not memory.is_solution
            may_come = is_seen and self._audience.objection(memory) is None
            beside = replace(origin, memory=memory, is_found=False)
            brought.append(known.get(memory.text, beside) if may_come else None)
        return brought

    def _find(self) -> _Finds:
        """Return the finds of the searches among the eligible memories, and the neighbours of the best ones."""
        plan, index = self._plan, self._store.index
        if plan.is_enhanced:
            eligible = self._without_copies(None)
            similar = _merge(index.search_all(self._vectors, plan.per_variant, eligible))
            if plan.uses_words:
                return self._find_by_both(eligible, similar)
        else:
            counts = {MEMORY_AREA: plan.limits.searched_memories, SOLUTION_AREA: plan.limits.searched_solutions}
            similar = _merge(
                index.search_all(self._vectors[:1], count, self._without_copies(area))[0]
                for area, count in counts.items()
            )
        shown, refused = self._read(similar)
        quality = self._measure_quality(shown).tolist()
        return _Finds(
            places=[*shown, *refused],
            candidates=[
                Candidate(memory=memory, similarity=similar[place], quality=score)
                for (place, memory), score in zip(shown.items(), quality, strict=True)
            ],
            refused=[
                (replace(candidate, similarity=similar[place]), reason)
                for place, (candidate, reason) in refused.items()
            ],
        )

    def _find_by_both(self, eligible: Mask, similar: Mapping[int, float]) -> _Finds:
        """Return the finds of both searches and the neighbours of the best ones, with all their figures."""
        plan, store = self._plan, self._store
        queries = [parse_query(sentence.text) for sentence in plan.sentences.values()]
        words = store.lexical.match(queries, eligible, store.index.positions)
        worded = words.best(plan.worded if len(queries) == 1 else plan.per_variant, store.index.ids)
        found_places = frozenset(similar).union(*worded)
        each = max(1, _MOST_LENDERS // max(1, len(worded)))
        nearest = sorted(similar, key=lambda place: -similar[place])[:_MOST_LENDERS]
        best = chain(nearest, *(places[:each] for places in worded))
        shown, refused = self._read(sorted(found_places | self._beside(best, eligible)))
        refused = {place: entry for place, entry in refused.items() if place in found_places}
        wide = sorted(self._beside(shown, eligible))
        likely, columns, lenders = self._weigh(list(shown), wide, words, [len(query) for query in queries])
        # All memories are weighed together; only the wanted ones are ordered.
        wanted = [number for number, memory in enumerate(shown.values()) if self._is_wanted(memory)]
        places, memories = [*shown], [*shown.values()]
        columns = {name: column[wanted] for name, column in columns.items()}
        texts, order = [memories[number].text for number in wanted], relevance.read_models().order
        columns["relevance"], columns["share"] = relevance.measure_relevance(columns, texts, plan.query, order)
        ids: dict[int | None, str] = {places[number]: memories[number].id for number in wanted}
        rows = np.stack([columns[name] for name in _FIGURES], axis=1).tolist()
        return _Finds(
            places=[*shown, *refused],
            candidates=[
                Candidate(
                    memory=memories[number],
                    is_found=places[number] in found_places,
                    lender=ids.get(lenders[number]),
                    **dict(zip(_FIGURES, row, strict=True)),
                )
                for number, row in zip(wanted, rows, strict=True)
            ],
            refused=[*refused.values()],
            likely=likely,
        )

    def _weigh(
        self, places: Sequence[int], wide: Sequence[int], words: Matches, sizes: Sequence[int]
    ) -> tuple[float, relevance.Columns, list[int | None]]:
        """Return how likely any of `places` bears on the message, the columns of their figures, and their lenders.

        `wide` are these places and their neighbours; `sizes` are the word counts of the sentences.
        """
        index, sentences, sample = self._store.index, self._plan.sentences, self._store.index.sample()
        rows = index.rows(wide)
        similarities = index.similarities(self._vectors, rows)
        around, lenders = self._look_around(places, wide, similarities, words)
        own = np.searchsorted(wide, places)
        rows, similarities = rows[own], similarities[:, own]
        numbers = list(sentences) if len(self._vectors) else []
        common = index.similarities(self._vectors[numbers], sample)
        centred, hubs = index.centre(self._vectors[numbers], rows, sample, relevance.trust(len(sample)))
        features = relevance.Found(
            sentences=list(sentences.values()),
            similarities=similarities[numbers],
            floors=np.stack([common.mean(axis=1), common.std(axis=1)], axis=1) if common.size else np.zeros((0, 2)),
            centred=centred.astype(np.float64),
            hubs=hubs.astype(np.float64),
            count=len(sample),
            words=words.take(places),
            sizes=sizes,
        )
        likely, columns = relevance.weigh(features, relevance.read_models(), self._plan.limits.threshold)
        evidence = relevance.add_up(columns["centred"], columns["coverage"])
        columns |= around
        columns["similarity"] = similarities.max(axis=0, initial=0.0)
        columns["kinship"] = np.asarray(rows @ rows[evidence.argmax()] if places else evidence, dtype=np.float64)
        columns["quality"] = self._measure_quality(places)
        return likely, columns, lenders

    def _look_around(
        self, places: Sequence[int], wide: Sequence[int], similarities: relevance.Array, words: Matches
    ) -> tuple[relevance.Columns, list[int | None]]:
        """Return the columns about the neighbours of some places, and lenders; `similarities` are those of `wide`."""
        highest = np.maximum(words.scores.max(axis=1, initial=0.0, keepdims=True), 1e-9)
        shares = (words.scores / highest).max(axis=0, initial=0.0)
        created = self._store.rows.so_far.inserted[: len(shares)]
        occasions = np.cumsum(np.abs(np.diff(created, prepend=created[:1])) > relevance.OCCASION, dtype=np.int64)
        fused = np.zeros(len(shares))
        fused[wide] = relevance.fuse(similarities.max(axis=0, initial=0.0), shares[wide])
        documents, ids = self._store.db.get_all_docs(), self._store.index.ids

        def asks_at(place: int) -> bool:
            document = documents.get(ids[place])  # its status takes longer to read than its text
            return document is not None and relevance.asks(document.page_content)

        return relevance.look_around(places, occasions, fused, shares, asks_at)

    def _read(self, places: Iterable[int]) -> tuple[dict[int, Memory], dict[int, LeftOut]]:
        """Return by place the memories that may be shown, and the others with the reason, without deleted ones."""
        shown, refused = dict[int, Memory](), dict[int, LeftOut]()
        for place in places:
            memory = self._store.read(self._store.index.ids[place])
            if memory is None:
                continue
            if reason := self._audience.objection(memory):
                refused[place] = Candidate(memory=memory), reason
            else:
                shown[place] = memory
        return shown, refused

    def _without_copies(self, area: int | None) -> Mask:
        """Return the eligible positions without copies, one flag per position."""
        return self._store.rows.so_far.without_copies(self._eligible(area, is_past=self._plan.is_past))

    def _eligible(self, area: int | None, *, is_past: bool = False) -> Mask:
        """Return the eligible positions, one flag per position."""
        store, audience, rows = self._store, self._audience, self._store.rows.so_far
        eligible = rows.eligible(area, audience.allowed, audience.role_domains, is_past=is_past)
        if not is_past:
            eligible &= ~unfit(rows, store.clock())
        for memory_id in store.hidden_from(audience.scopes) | (audience.contents.ids & store.mirrored.keys()):
            place = store.index.position(memory_id)
            if place is not None:
                eligible[place] = False
        return eligible if audience.narrow is None else eligible & audience.narrow(store)

    def _beside(self, places: Iterable[int], eligible: Mask) -> frozenset[int]:
        """Return `places` with their neighbours that were written on the same occasion."""
        created, reach = self._store.rows.so_far.inserted, relevance.REACH
        return frozenset(
            beside
            for place in places
            for beside in range(max(0, place - reach), min(len(eligible), place + reach + 1))
            if eligible[beside] and abs(created[beside] - created[place]) <= relevance.OCCASION
        )

    def _measure_quality(self, places: Collection[int]) -> relevance.Array:
        """Return the quality scores at some places, from the rows read so far."""
        columns = self._store.rows.so_far.rearranged(np.fromiter(places, np.int64, len(places)))
        return measure(columns, self._plan.now, self._plan.settings.staleness_config).score


def _find_doubted(store: Store, selection: Selection) -> dict[str, str]:
    """Return, by memory id, the stated link to a replaced memory, without memories that are the user's word."""
    doubts = dict[str, str]()
    for memory in (candidate.memory for candidate in selection.chosen if not is_users_word(candidate.memory)):
        for link in memory.quality.relationships if memory.quality is not None else ():
            if link.type in CITING and (ground := store.read(link.target)) is not None and ground.is_deprecated:
                doubts[memory.id] = f"{link.type.replace('-', ' ')} what was replaced"
    return doubts


def _held_when(store: Store, memory: Memory) -> str | None:
    winner = memory.lineage.superseded_by if memory.lineage is not None else None
    return held_when(memory, store.read(winner or ""))


def _open_rivals(store: Store, memory: Memory) -> Iterator[tuple[Memory, bool]]:
    """Yield the memories in use that contradict a memory, and whether that is only possible.

    Pairs with a value marked as outdated are settled.
    """
    for conflict in store.conflicts.of_memory(memory.id):
        other = store.read(conflict.other(memory.id)) if conflict.resolution is None else None
        if other is None or other.is_deprecated:
            continue
        if not has_outdated(other, memory.id) and not has_outdated(memory, other.id):
            yield other, conflict.is_possible


def _merge(nearest: Iterable[Iterable[tuple[int, float]]]) -> dict[int, float]:
    """Return the highest similarity of each position."""
    highest: dict[int, float] = {}
    for place, similarity in chain(*nearest):
        highest[place] = max(similarity, highest.get(place, 0.0))
    return highest
