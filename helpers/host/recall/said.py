"""What the prompt says already, beside any recall: nothing of it is recalled a second time (T-21)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...ledger.seal import fingerprint
from ..docstore.store import Store
from ..host_agent import HostAgent

_KEY = "_memory_ledger_said"


@dataclass(frozen=True, slots=True)
class PromptContents:
    """The memories that stand in a prompt, and the fingerprints of their texts."""

    ids: frozenset[str] = frozenset()
    fingerprints: frozenset[str] = frozenset()

    def says(self, text: str) -> bool:
        """Whether the prompt holds this very text."""
        return bool(self.fingerprints) and fingerprint(text) in self.fingerprints


NOTHING_SAID = PromptContents()


def make_said(texts: Iterable[tuple[str, str]], known: PromptContents = NOTHING_SAID) -> PromptContents:
    """Return what is said by memories, each with its id and its text, beside what is `known` to be said."""
    ids, said = zip(*found, strict=True) if (found := list(texts)) else ((), ())
    return PromptContents(known.ids.union(ids), known.fingerprints.union(map(fingerprint, said)))


def remember_said(agent: HostAgent, store: Store, said: PromptContents) -> None:
    """Keep what the prompt that is being built says, of which store."""
    agent.data[_KEY] = (store, said)


def said_in_prompt(agent: HostAgent, store: Store) -> PromptContents:
    """Return what the prompt that is being built says of a store."""
    found = agent.data.get(_KEY)
    return (
        found[1]
        if isinstance(found, tuple) and found[0] is store and type(found[1]) is PromptContents
        else NOTHING_SAID
    )
