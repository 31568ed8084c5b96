"""Whether a new memory only restates one that was in the prompt: recalled text that came back (T-67, T-68).

A memory that is retired by mistake is lost to recall, an echo that stays is clutter. So a restatement is what the
original says as well, by the judgement that maintenance rests on. Pure.
"""

from __future__ import annotations

from ..records import Memory, Source, Utility, Validity, order_of
from ..similar.copies import adds_nothing, covers

#: The rule under which an echo is retired.
ECHO_RULE = "T-68"


def find_echo(new: Memory, original: Memory) -> str | None:
    """Return in words why `new`, of which both memories are classified, is an echo of `original`; None if it is not.

    Only what the agent inferred can be one, and what is traced to the user, of a memory that the user has confirmed to
    be theirs. It must have no status that the original lacks: neither weight, nor area, nor structured content, nor a
    role or domain in which only it is visible. All of the original must hold, and it must have been there first.
    """
    if not (_may_be_echo(new) and _stands_for(original, new)):
        return None
    judged = covers(original.text, new.text)
    is_echo = judged.is_covered and adds_nothing(new.text, original.text)
    return f"it is {judged.why}" if is_echo and new.text.strip() else None


def is_users_word(memory: Memory) -> bool:
    """Whether the user said what a memory says."""
    return memory.classification is not None and memory.classification.source is Source.USER_ASSERTED


def _may_be_echo(new: Memory) -> bool:
    axes, lineage = new.classification, new.lineage
    if axes is None or lineage is None or new.is_deprecated or new.is_knowledge:
        return False
    return axes.source in (Source.AGENT_INFERRED, Source.USER_ASSERTED) and not lineage.is_correction


def _stands_for(original: Memory, new: Memory) -> bool:
    """Whether `original` is in use wherever `new` would be, and with no less weight."""
    before, after = original.classification, new.classification
    past, now = original.lineage, new.lineage
    if before is None or after is None or past is None or now is None or original.id == new.id:
        return False
    came_later = past.created_at > now.created_at and order_of(original) > order_of(new)
    if original.is_deprecated or past.outdated_parts or came_later:
        return False
    if original.is_solution is not new.is_solution:
        return False
    if is_users_word(new) and not (is_users_word(original) and before.validity is Validity.CONFIRMED):
        return False
    if after.utility is Utility.LOAD_BEARING and before.utility is not Utility.LOAD_BEARING:
        return False
    place = (past.bst_domain, past.created_by_role)
    is_visible = place == (None, None) or place == (now.bst_domain, now.created_by_role)
    return is_visible and new.content in (None, original.content)
