"""Which of the new memories of a folder are echoes of what its latest prompts held (T-68)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...ledger.authority import is_users_word
from ...ledger.changes import Supersede
from ...ledger.copies import ECHO_RULE, find_echo
from ...records import Memory
from ..docstore.store import Store

_RECALLED = "the older one had just been recalled into a prompt, and this restates it"


def retire_echoes(
    store: Store, fresh: Iterable[str], injected: Iterable[str], is_settled: Callable[[str, str], bool]
) -> Iterator[Supersede]:
    """Yield a change for each of the memories `fresh` that restates one of those `injected`.

    Carry out each before the next is asked for. What a person has decided about two memories stays (T-70).
    """
    originals = list(injected)
    for new_id in fresh if originals else ():
        new = store.read(new_id)
        if new is not None and (found := _find_original(store, new, originals, is_settled)) is not None:
            yield found


def _find_original(
    store: Store, new: Memory, originals: Iterable[str], is_settled: Callable[[str, str], bool]
) -> Supersede | None:
    for original in (store.read(one) for one in originals):
        reason = find_echo(new, original) if original is not None else None
        if original is None or reason is None or is_settled(original.id, new.id):
            continue
        is_users = is_users_word(new)
        if is_users and any(one.is_open for one in store.conflicts.of_memory(original.id)):
            continue  # saying it again may settle that
        return Supersede(
            winner_id=original.id,
            loser_id=new.id,
            at=store.clock(),
            cycle=store.state.recall_cycle,
            rule=ECHO_RULE,
            reasons=(_RECALLED, reason),
            says_again=is_users,
        )
    return None
