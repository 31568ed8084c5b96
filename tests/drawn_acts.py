"""Drawn acts of a person or the agent on a small store: each is taken back byte for byte, and done again (T-70)."""

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from memory_ledger import inbox
from memory_ledger.quality.conflict_record import RANKING, RequestKind, Resolver
from memory_ledger.quality.relationships import RelationshipType

#: So many acts of one draw are done, taken back and done again one after the other.
EACH = 10
TEXTS = {
    "User lives in Hamburg.": {"source": "user_asserted"},
    "User lives in Lisbon.": {"source": "agent_inferred", "validity": "inferred"},
    "Billing uses Postgres 15.": {"source": "external_retrieved", "validity": "inferred", "utility": "archived"},
    "Billing uses Postgres 16.": {"source": "agent_inferred", "validity": "inferred"},
    "Always answer in German.": {"source": "user_asserted", "utility": "load_bearing"},
    "The printer stands on the second floor.": {"source": "user_asserted"},
    "The shop opens on Monday and on Friday.": {"source": "agent_inferred"},
    "The mill listens on port 8080.": {"source": "external_retrieved"},
}
#: What two become: two of these texts are at odds with others, or retire them.
MERGED = ["One text for both.", "User lives in Berlin.", "The mill listens on port 9090."]
IDS = [f"m{number:04d}" for number in range(1, len(TEXTS) + 1)]
one, some = st.sampled_from(IDS), st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True).map(tuple)
two = st.lists(one, min_size=2, max_size=2, unique=True).map(tuple)
by = st.sampled_from([Resolver.OPERATOR, Resolver.AGENT])


def deciding(action: RequestKind, **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(inbox.ConflictDecision, action=st.just(action), memories=two, by=by, **more)


ACTS = st.one_of(
    st.builds(inbox.Retire, memories=some),
    st.builds(inbox.Readmit, memories=some),
    st.builds(inbox.ProtectMemories, memories=some),
    st.builds(inbox.ArchiveStale, memories=some),
    st.builds(inbox.Refresh, memories=some, verified=st.booleans(), confidence=st.sampled_from([None, 0.25])),
    st.builds(inbox.CorrectSource, memories=some, source=st.sampled_from(["user_asserted", "external_retrieved"])),
    st.builds(inbox.SwitchRule, memories=one.map(lambda id_: (id_,)), is_on=st.booleans()),
    st.builds(inbox.Adopt, memories=some, excluded=st.just(())),
    st.builds(inbox.Adopt, memories=st.just(()), excluded=some),
    two.map(lambda pair: inbox.ConflictDecision(action=RequestKind.KEEP, memories=pair, keep=pair[0])),
    deciding(RequestKind.DECIDE, strategy=st.sampled_from(RANKING)),
    deciding(RequestKind.MERGE, text=st.sampled_from(MERGED)),
    st.sampled_from(
        [{"memories": (IDS[4], IDS[5])}, {"memories": (IDS[3], IDS[6]), "text": MERGED[2], "by": "agent"}]
    ).map(lambda given: inbox.ConflictDecision(action=RequestKind.MERGE, **given)),
    deciding(RequestKind.DISMISS),
    deciding(RequestKind.UNDO),
    deciding(RequestKind.READMIT),
    st.builds(inbox.LinkMemories, memories=two, type=st.sampled_from(RelationshipType), by=by),
    st.builds(inbox.UnlinkMemories, memories=two, type=st.sampled_from(RelationshipType)),
)


@dataclass
class Desk:
    """A store in which acts are done: `pack` is the package that it is of, `ids` the memories of `TEXTS`, in order."""

    store: Any
    pack: str
    ids: list[str]
    run: Callable[[], object]
    tick: Callable[[], object] = bool

    def module(self, name: str) -> Any:
        """Return a module of the pack."""
        return importlib.import_module(f"{self.pack}.{name}")

    def build(self) -> None:
        """Let one memory be retired by a rule, one outdated in part, two be at odds, two be proposed."""
        records, changes = self.module("records"), self.module("ledger.changes")
        proposals, at, ids = self.module("store.proposals"), self.store.clock(), self.ids
        for memory_id, axes in zip(ids, TEXTS.values(), strict=True):
            status = {"validity": "confirmed", "relevance": "active", "utility": "tactical"} | axes
            classification = records.Classification.model_validate(status)
            lineage = records.Lineage(created_at=self.store.read(memory_id).created_at)
            self.store.apply([changes.Classify(memory_id=memory_id, classification=classification, lineage=lineage)])
        ruled = {"at": at, "rule": "C-47", "reasons": ("newer",)}
        self.store.apply(
            [
                changes.Supersede(winner_id=ids[3], loser_id=ids[2], cycle=0, **ruled),
                changes.Outdate(memory_id=ids[6], winner_id=ids[5], parts=("on Friday",), **ruled),
                changes.Contest(older_id=ids[0], newer_id=ids[1], **(ruled | {"rule": "C-96"})),
            ]
        )
        pairs, said = [(ids[1], ids[0]), (ids[5], ids[4])], {"loser_text": "", "winner_text": "", "rule": "E-41"}
        found = [proposals.Proposal(loser=one, winner=other, reasons=(), **said) for one, other in pairs]
        proposals.write_proposals(self.store.database, found, at=at)

    def do(self, asked: inbox.Arguments) -> tuple[str, Any]:
        """Have something done as the page and the terminal do; return the act, and what became of it."""
        self.tick()
        own, words = self.module("inbox"), asked.model_dump_json()
        for drawn, memory_id in zip(IDS, self.ids, strict=True):
            words = words.replace(drawn, memory_id)
        wanted = own.KINDS[asked.kind].model_validate_json(words)
        at = self.store.clock()
        self.store.requests.inbox.append(wanted, at=at, by="operator")
        self.run()
        act = own.new_request(wanted, at=at, by="operator").id
        (answer,) = (row.answer for row in self.store.requests.look() if row.id == act)
        return act, answer

    def state(self, known: set[str]) -> tuple[str, str, str, Any]:
        """Return all that an act may change, as it is stored: only what came with one is left out."""
        write, folder = self.module("quality.conflict_record").write_conflict, self.store.folder
        held = {row.id: write(row) for row in self.store.conflicts.get_conflicts()}
        on_disk = self.module("store.conflicts").ConflictFile(folder)
        assert held == {row.id: write(row) for row in on_disk.get_conflicts()}
        documents = self.store.db.get_all_docs()
        return (
            json.dumps({name: doc.metadata for name, doc in documents.items() if name in known}, default=str),
            json.dumps({name: row for name, row in sorted(held.items()) if known.issuperset(row["memories"])}),
            json.dumps(self.module("store.proposals").read_marks(self.store.database)),
            {row.asked.about: row.id for row in self.store.requests.look() if row.asked and row.asked.about},
        )

    def stands(self, names: set[str]) -> dict[str, str]:
        """Return how far some memories hold."""
        return {name: str(self.store.read(name).classification.validity) for name in names}

    def check(self, asked: inbox.Arguments) -> None:
        """Do something, take it back, and do it again."""
        documents = self.store.db.get_all_docs()
        known = set(documents)
        before = self.state(known)
        act, answer = self.do(asked)
        self.run()  # the rules have their say about a text that came with it
        after, came = self.state(known), self.stands(set(self.store.db.get_all_docs()) - known)
        journal = self.module("store.files").read_lines(self.store.folder / "ledger.jsonl")
        if not self.module("ledger.undoing").Steps(journal).of_act(act):
            assert after[:3] == before[:3], (asked, answer)
            return
        for expected in (before, after):
            act, answer = self.do(inbox.TakeBack(act=act))
            assert (str(answer.outcome), answer.problems) == ("done", ())
            assert self.state(known) == expected, asked
            assert self.stands({*came}) == (dict.fromkeys(came, "deprecated") if expected is before else came), asked


def play(count: int, open_desk: Callable[[], Desk]) -> None:
    """Draw so many acts, and check each on a store that others have been done on before."""

    @settings(
        max_examples=count // EACH, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
    )
    @given(st.lists(ACTS, min_size=EACH, max_size=EACH))
    def draw(acts: list[inbox.Arguments]) -> None:
        desk = open_desk()
        for asked in acts:
            desk.check(asked)

    draw()
