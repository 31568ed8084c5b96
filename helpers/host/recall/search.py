"""One recall over one store: who may take part, what the searches find, what is chosen."""

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
from .injection import NO_CONTENTS, PromptContents

#: What stands beside so many of the best finds is looked at as well.
_MOST_LENDERS = 8
#: With less than this share of the memories entered, the search by words would be about some of them only.
_LEAST_WORDED = 0.9
#: What a candidate is told of its columns.
_FIGURES = ("similarity", "likely", "coverage", "lexical", "kinship", "quality", "relevance", "share")
#: Why what was found is left out after the search.
REFUSED = "left out by Agent Zero's own recall"
IN_PROMPT = "the prompt says it already"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who asks: the domains that may be seen (None: all), those of a role, and what the host's own recall admits.

    `narrow` says, one flag per position, who may take part at all, before anything is searched. Of the vault's
    records those of `scopes` may be seen (None: all), and nothing is found that is among the `contents` of the prompt.
    """

    allowed: frozenset[str] | None = None
    role_domains: RoleDomains = lambda role_id: frozenset()
    is_admitted: Callable[[Memory], bool] = lambda memory: True
    narrow: Callable[[Store], Mask] | None = None
    scopes: Collection[str] | None = None
    contents: PromptContents = NO_CONTENTS

    def objection(self, memory: Memory) -> str | None:
        """Return why what was found may not be shown; None where nothing is against it."""
        if self.contents.holds(memory.text):
            return IN_PROMPT
        return None if self.is_admitted(memory) else REFUSED


EVERYBODY = Audience()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finds:
    """What the searches found and may be shown, what may not, and how `likely` any of it bears on the message.

    All of it stands at `places` of the store.
    """

    places: Sequence[int]
    candidates: Sequence[Candidate]
    refused: Sequence[LeftOut]
    likely: float = 1.0


def recall(store: Store, vectors: Matrix, plan: RecallPlan, audience: Audience = EVERYBODY) -> Selection:
    """Return what of `store` enters the prompt; `vectors`, shape (m, d), are those of the plan's variants.

    Where there are none, shape (0, d), the words decide alone. While much of a store that was just opened is not
    entered into the search by words yet, the meaning does. Changes nothing. What the host's recall does not admit is
    left out after the search, and named as such.

    What a message asks for of the past stands, marked, before what holds now; it changes nothing else.
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
    """Return the ids of what a recall brings, the best first."""
    return [candidate.memory.id for candidate in recall(store, vectors, replace(plan, past=()), audience).by_score]


class _Search:
    """One search of a store: with which vectors, by which plan, and for whom."""

    def __init__(self, store: Store, vectors: Matrix, plan: RecallPlan, audience: Audience) -> None:
        self._store, self._vectors, self._plan, self._audience = store, vectors, plan, audience

    def choose(self) -> Selection:
        """Return what is chosen of what the searches find, each by itself; of the past what was replaced."""
        store = self._store
        with store.lock:
            store.refresh_positions()
            if not len(self._vectors):
                self._plan = replace(self._plan, uses_meaning=False)
            elif len(store.lexical) < _LEAST_WORDED * len(store.index):
                self._plan = replace(self._plan, uses_words=False)
            finds = self._find()
            while store.rows.read(finds.places):  # some may not take part after all
                finds = self._find()
        candidates = [candidate for candidate in finds.candidates if self._is_wanted(candidate.memory)]
        refused = [(candidate, reason) for candidate, reason in finds.refused if self._is_wanted(candidate.memory)]
        selection = rank(candidates, self._plan, finds.likely)
        return replace(selection, left_out=(*selection.left_out, *refused))

    def _is_wanted(self, memory: Memory) -> bool:
        """Whether a memory may be what is asked for: of the past, only what something newer has replaced."""
        return not self._plan.is_past or _held_when(self._store, memory) is not None

    def put_past_beside(self, selection: Selection) -> Selection:
        """Return `selection` with what was so before: what is meant, and what else is found of the same chain."""
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
        """Return by memory what it is at odds with and nobody has settled, as far as it may be shown."""
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
        """Return each memory as it comes for the sake of what was found, or as it was found; None if it may not."""
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
        """Return what the searches find among those who may take part, and what was written beside the best of it."""
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
        """Return what both searches find and what stands beside the best of it, with all that is known of each."""
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
        # What is wanted is ordered among itself, after it was weighed among all.
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
        """Return how likely any of `places` bears on the message, the columns of what is known of each, and who lends.

        `wide` are these and what stands beside them; `sizes` are the words of each sentence.
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
        """Return what stands around some places; `similarities` are those of `wide`."""
        highest = np.maximum(words.scores.max(axis=1, initial=0.0, keepdims=True), 1e-9)
        shares = (words.scores / highest).max(axis=0, initial=0.0)
        created = self._store.rows.so_far.created[: len(shares)]
        occasions = np.cumsum(np.abs(np.diff(created, prepend=created[:1])) > relevance.OCCASION, dtype=np.int64)
        fused = np.zeros(len(shares))
        fused[wide] = relevance.fuse(similarities.max(axis=0, initial=0.0), shares[wide])
        documents, ids = self._store.db.get_all_docs(), self._store.index.ids

        def asks_at(place: int) -> bool:
            document = documents.get(ids[place])  # its status takes longer to read than its text
            return document is not None and relevance.asks(document.page_content)

        return relevance.look_around(places, occasions, fused, shares, asks_at)

    def _read(self, places: Iterable[int]) -> tuple[dict[int, Memory], dict[int, LeftOut]]:
        """Return by place the memories that may be shown, and those that may not, with the reason.

        One that the host has just deleted is left out.
        """
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
        """Return who may be searched for; of copies of one text one, so that others find a place."""
        return self._store.rows.so_far.without_copies(self._eligible(area, is_past=self._plan.is_past))

    def _eligible(self, area: int | None, *, is_past: bool = False) -> Mask:
        """Return who may take part, one flag per position."""
        store, audience, rows = self._store, self._audience, self._store.rows.so_far
        eligible = rows.eligible(area, audience.allowed, audience.role_domains, is_past=is_past)
        if not is_past:
            eligible &= ~rows.quality.unfit(len(rows), store.clock())
        for memory_id in store.hidden_from(audience.scopes) | (audience.contents.ids & store.mirrored.keys()):
            place = store.index.position(memory_id)
            if place is not None:
                eligible[place] = False
        return eligible if audience.narrow is None else eligible & audience.narrow(store)

    def _beside(self, places: Iterable[int], eligible: Mask) -> frozenset[int]:
        """Return the places beside `places` that were written on the same occasion, `places` among them."""
        created, reach = self._store.rows.so_far.created, relevance.REACH
        return frozenset(
            beside
            for place in places
            for beside in range(max(0, place - reach), min(len(eligible), place + reach + 1))
            if eligible[beside] and abs(created[beside] - created[place]) <= relevance.OCCASION
        )

    def _measure_quality(self, places: Collection[int]) -> relevance.Array:
        """Return the quality scores at some places, from what is at hand of them."""
        columns = self._store.rows.so_far.quality.rearranged(np.fromiter(places, np.int64, len(places)))
        return columns.measure(len(places), self._plan.now, self._plan.settings.staleness_config).score


def _find_doubted(store: Store, selection: Selection) -> dict[str, str]:
    """Return by memory, but for the user's word, how it is linked to one that was replaced, as somebody stated."""
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
    """Yield what is in use and at odds with the whole of a memory, and whether that is only possible.

    A value that is marked as outdated is settled.
    """
    for conflict in store.conflicts.of_memory(memory.id):
        other = store.read(conflict.other(memory.id)) if conflict.resolution is None else None
        if other is None or other.is_deprecated:
            continue
        if not has_outdated(other, memory.id) and not has_outdated(memory, other.id):
            yield other, conflict.is_possible


def _merge(nearest: Iterable[Iterable[tuple[int, float]]]) -> dict[int, float]:
    """Return each position that was found, with the highest similarity."""
    highest: dict[int, float] = {}
    for place, similarity in chain(*nearest):
        highest[place] = max(similarity, highest.get(place, 0.0))
    return highest
