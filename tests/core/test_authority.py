"""Who may do what to whose word: the one table, and what passes it (C-44, V-26)."""

import pytest
from core_tools import memory
from documents import table_rows
from memory_ledger.ledger.authority import TABLE, Act, Actor, Verdict, Whose, act_of, judge, word_of
from memory_ledger.ledger.changes import KINDS
from memory_ledger.records import Source

HEADER = "| What is done | To whose word | By a rule | By the agent | By your message | By a person |"


def test_the_page_shows_the_table() -> None:
    assert table_rows("docs/tools.md", HEADER) == [list(row) for row in TABLE]


@pytest.mark.parametrize("act", [one for one in Act if one is not Act.NOTE])
def test_an_agent_decides_nothing_about_the_users_word(act: Act) -> None:
    """C-44, V-26: neither about a memory nor about a record; a person may do all that the vault is not asked for."""
    users = {Whose.USERS, Whose.PERSONS_RECORD, Whose.USERS_RECORD}
    found = {one: judge(Actor.AGENT, act, one) for one in users if (act.value, one.value) in PAIRS}
    assert found and Verdict.ALLOWED not in found.values()
    assert {judge(Actor.PERSON, act, one) for one in found} == {Verdict.ALLOWED}


@pytest.mark.parametrize("kind", KINDS.values(), ids=[*KINDS])
def test_what_moves_an_axis_is_judged(kind: type) -> None:
    assert not kind.axis or act_of(kind.action) is not Act.NOTE


@pytest.mark.parametrize("source", [*Source])
def test_whose_word_a_memory_is(source: Source) -> None:
    """C-44, T-18: a document is the user's who gave it; a record of the vault is the vault's, whoever wrote it."""
    one = memory("a", "User owns a boat.", source=source)
    is_users = source in (Source.USER_ASSERTED, Source.BOOKSHELF_DOCUMENT)
    assert word_of(one, is_record=False) is (Whose.USERS if is_users else Whose.OTHERS)
    assert word_of(one, is_record=True) is Whose.RECORD


PAIRS = {row[:2] for row in TABLE}
