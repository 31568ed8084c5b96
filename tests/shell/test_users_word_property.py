"""No sequence of calls of the agent's tool takes the user's word, or a person's record, out of the prompt (C-44)."""

import asyncio
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Box
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_ledger.host.profiles import RoleBook
from memory_ledger.host.session import Session
from memory_ledger.host.tools import verbs
from memory_ledger.host.vault.folder_vault import FAISSMemory
from memory_ledger.inbox import Adopt, Arguments, Erase, Retire, SwitchRule, new_request, rules_left_out
from memory_ledger.ledger.classify import Circumstances
from memory_ledger.ledger.history import NameBook
from memory_ledger.recall.eligibility import suppression
from memory_ledger.setting_groups import Backup
from memory_ledger.settings import Settings
from memory_ledger.store.backup import BackupWriter
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.proposals import Proposal, read_marks, write_proposals
from memory_ledger.store.restore import OrderHandler
from memory_ledger.store.vault_file import VaultFile

COUNTS = [pytest.param(800, id="800"), pytest.param(100_000, id="100,000", marks=pytest.mark.long)]

#: So many sequences are played in one folder, one after the other: what one leaves the next one finds.
_AT_ONCE = 10
#: What the user has said, and what only others have.
SAID = (
    *("User is allergic to penicillin.", "User's favourite colour is green.", "User studies at Aalto University."),
    *("User's API runs on port 8080.", "User's gym membership costs 40 euros a month."),
)
TOLD = (
    *("User studies at Delft University.", "User's API runs on port 9090.", "User trains at McFit."),
    *("The gym put its monthly price up to 55 euros.", "User is no longer allergic to penicillin."),
)
RULE, PUMP, BACKUP = "Never delete anything under /srv/prod without asking.", "The pump is off", "Backups run at noon"
SCOPES = ("shared", "agent0")
IDS = [f"m{number:04}" for number in range(1, len(SAID) + len(TOLD) + 1)]
RECORDS = {"rule": "0000000000a1", "pump": "0000000000a2", "backup": "0000000000a3"}
TEXTS = (*SAID, *TOLD, RULE, "Always delete what is under /srv/prod.", "The pump is on", "Backups run at midnight", "")
JUNK = st.sampled_from([None, 7, "", "both", "nobody", ["m0001"], {"id": "m0001"}, "m0001,m0002", "{{ x }}", True])


def own(*values: Any) -> st.SearchStrategy[Any]:
    """Draw what makes sense there most of the time."""
    fitting = st.sampled_from(values)
    return st.one_of(fitting, fitting, fitting, fitting, JUNK)


MEMORY, RECORD = own(*IDS), own(*RECORDS.values(), "newest", "m0001")
CALLS = st.one_of(
    st.fixed_dictionaries({"verb": st.just("settle"), "conflict": st.integers(0, 5) | JUNK, "keep": own(*IDS, "both")}),
    st.fixed_dictionaries(
        {"verb": st.just("vault"), "action": own("add", "update", "delete", "promote", "propose"), "id": RECORD},
        optional={
            **{"text": own(*TEXTS), "tier": own("canon", "register"), "topic_id": own("pump", "backup", "bees")},
            **{"scope": own("shared", "agent0", "other"), "category": own("other"), "source": own("operator", "chat")},
            "tags": own(["operator"]),
        },
    ),
    st.fixed_dictionaries({"verb": own("history", "conflicts", "forget"), "memory_id": MEMORY}),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory folder with what the user has said, what others have, and three records that are the user's."""
    root: Path = tmp_path_factory.mktemp("template")
    box = Box(root)
    for text in (*SAID, *TOLD):
        box.insert(text)
    box.adopt()
    box.classify(*IDS[: len(SAID)])
    box.classify(*IDS[len(SAID) :], source="agent_inferred", validity="inferred")
    ids = iter(RECORDS.values())
    vault = FAISSMemory(box.store, VaultFile(box.folder), EmbeddedMemory).open_for(Settings().vault, SCOPES)
    vault._make_id = ids.__next__
    vault.add_memory(RULE, "shared", "constraint", source="operator")
    vault.update_by_topic("pump", "shared", PUMP, source="manual")
    vault.update_by_topic("backup", "shared", BACKUP, source="chat")
    FAISSMemory(box.store, VaultFile(box.folder), EmbeddedMemory).keep_mirror(1.0)
    box.memory.save()
    box.store.save_state()
    box.memory.close()
    return root


class Room:
    """The folder as one agent has it, and what must stay as it is."""

    def __init__(self, root: Path) -> None:
        self.box = Box(root)
        store = self.box.store
        self.vault = FAISSMemory(store, VaultFile(self.box.folder), EmbeddedMemory)
        found = {"store": store, "adopter": self.box.adopter, "turns": self.box.turns, "vault": self.vault}
        roles = RoleBook(root / "roles")
        found["orders"] = OrderHandler(BackupWriter(store, Backup(), memory_class=EmbeddedMemory), lambda trace: {})
        folder = SimpleNamespace(**found, names=NameBook(), roles=roles, background=None, carrying_out=None)
        self.session = Session(
            agent=SimpleNamespace(data={}),
            settings=Settings(),
            memory_settings={},
            folder=folder,
            circumstances=Circumstances(),
            allowed_domains=None,
            profile=SimpleNamespace(),
            vault_scopes=SCOPES,
        )

    def what_the_user_said(self) -> list[Any]:
        """Return what a prompt has of the user's word: what takes part in recall, and what always stands there."""
        found: list[Any] = []
        for memory_id in (*IDS[: len(SAID)], *RECORDS.values()):
            memory = self.box.read(memory_id)
            assert memory.classification is not None and memory.lineage is not None
            axes, lineage = memory.classification, memory.lineage
            held = (axes.validity, axes.utility, axes.source, lineage.superseded_by, lineage.outdated_parts)
            hidden = suppression(memory, None, self.session.folder.roles.domains_of)
            found.append((memory.text, *held, hidden, memory.is_forgotten))
        prompt = self.vault.open_for(Settings().vault, SCOPES).build_snapshot(SCOPES)
        return [*found, *(one in prompt for one in (RULE, PUMP, BACKUP))]

    async def play(self, calls: list[dict[str, Any]]) -> None:
        """Call the tool with what was drawn; numbers stand for the conflicts that are open then."""
        for call in calls:
            given = {name: one for name, one in call.items() if name != "verb"}
            conflicts = [one.id for one in self.box.store.conflicts.get_conflicts(unresolved=True)]
            if conflicts and type(given.get("conflict")) is int:
                given["conflict"] = conflicts[given["conflict"] % len(conflicts)]
            if given.get("id") == "newest":
                given["id"] = self.vault.records()[-1].id
            assert isinstance(await verbs.answer(self.session.agent, call["verb"], given), str)


@pytest.mark.parametrize("count", COUNTS)
def test_no_sequence_of_calls_takes_the_users_word(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """C-44, V-26, T-69: whatever is called with whatever arguments, and in whatever order."""
    rooms: list[Room] = []

    async def opened(*_: Any, **__: Any) -> Session:
        return rooms[-1].session

    monkeypatch.setattr(verbs, "open_session", opened)

    @settings(max_examples=count // _AT_ONCE)
    @given(sequences=st.lists(st.lists(CALLS, min_size=1, max_size=5), min_size=_AT_ONCE, max_size=_AT_ONCE))
    def check(sequences: list[list[dict[str, Any]]]) -> None:
        root = tmp_path / "root"
        shutil.copytree(template, root)
        try:
            rooms.append(Room(root))
            before = rooms[-1].what_the_user_said()
            for calls in sequences:
                runner.run(rooms[-1].play(calls))
                rooms[-1].box.adopt()
                assert rooms[-1].what_the_user_said() == before
        finally:
            rooms.pop().box.memory.close()
            shutil.rmtree(root)

    with asyncio.Runner() as runner:
        check()


@pytest.mark.parametrize(("source", "held"), [("user_asserted", "confirmed"), ("agent_inferred", "deprecated")])
def test_what_an_agent_puts_into_the_inbox_is_judged(known: Box, source: str, held: str) -> None:
    """C-44: whatever is asked for, who asks may do no more than the table lets him; the line names him."""
    one = known.learn("User owns a boat.")
    known.classify(one, source=source)
    known.store.requests.inbox.append(Retire(memories=(one,)), at=known.clock(), by="agent")
    known.adopt()
    assert known.validity(one) == held
    assert [(row["action"], row["by"]) for row in known.journal()] == [("withdraw", "agent")] * (held == "deprecated")


@pytest.mark.parametrize(
    "asked",
    [
        *(Adopt(memories=("m0001",), excluded=()), Adopt(memories=(), excluded=("m0001",))),
        *(Erase(memories=("m0001",)), SwitchRule(memories=("m0001",), is_on=False)),
    ],
    ids=["accept", "keep in use", "erase", "leave out of the rules"],
)
def test_what_only_a_person_asks_for_is_nothing_in_an_agents_name(known: Box, asked: Arguments) -> None:
    """C-44: whoever wrote the line into the file: the proposal is still open, and the rule is still one."""
    rule, other = known.insert("Always answer in German."), known.learn("Always answer in French.")
    known.classify(rule)
    said = {"loser_text": "", "winner_text": "", "rule": "C-47", "reasons": ()}
    write_proposals(known.store.database, [Proposal(loser=rule, winner=other, **said)], at=known.clock())
    report, row = read_marks(known.store.database), new_request(asked, at=known.clock(), by=None).to_row()
    inbox = known.store.requests.inbox
    inbox.path.write_text(json.dumps({**row, "by": "agent"}) + "\n", "utf-8")
    known.adopt()
    assert known.validity(rule) == "confirmed" and read_marks(known.store.database) == report
    assert inbox.read() == [] and rules_left_out(known.store.requests.look()) == frozenset()
