"""The recent turns of a memory folder: what was said in its chats, by whom and when (T-01, T-03)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from ...clock import EPOCH, format_time, parse_time
from ...ledger.attribution import Speaker, Utterance, confirms
from ...ledger.classify import Circumstances
from .messages import is_human_chat, read_message, user_text

_KEPT_TURNS = 5
_KEPT_CHARACTERS = 4_000
# Of each only a digest and the moment.
_KEPT_MOMENTS = 1_000
# Messages that are seen in one look were said in their order; so far apart they count.
_STEP = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Turn:
    """One look at the messages that belong to one message of the person's, and at what was going on.

    `topic` is the host's own list of them, kept to recognise the turn; `messages` is a copy of it.
    """

    topic: Any
    messages: tuple[Any, ...]
    is_human: bool
    circumstances: Circumstances
    chat: str = ""


class Heard:
    """One message, in which chat, and when it was first seen; it is read when somebody asks what it says.

    With `since`, it is only known that it was said between the two moments.
    """

    __slots__ = ("_is_human", "_said", "at", "chat", "message", "since")

    def __init__(self, message: Any, at: datetime, *, is_human: bool, chat: str, since: datetime | None = None) -> None:
        self.message = message
        self.at = at
        self.since = since
        self.chat = chat
        self._is_human = is_human
        self._said: Utterance | bool | None = False

    @classmethod
    def earlier(cls, said: Utterance, at: datetime) -> Heard:
        """Return what an earlier run of the host has heard."""
        heard = cls(None, at, is_human=True, chat=said.chat)
        heard._said = said
        return heard

    def utterance(self) -> Utterance | None:
        """Return what was said; None of a message that says nothing."""
        if isinstance(self._said, bool):
            self._said = read_message(self.message, is_human=self._is_human)
        return None if self._said is None else replace(self._said, at=self.at, chat=self.chat, since=self.since)

    def silence(self) -> None:
        """Say nothing any more; the message stays, so that it is not taken for a new one."""
        self._said = None

    def name(self) -> str:
        """Return under which name the moment of a message of the person's is kept; empty for any other."""
        text = self.person_text()
        return (
            blake2b(f"{self.chat}\0{text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest() if text else ""
        )

    def person_text(self) -> str:
        """Return the person's words; nothing of what anybody else says."""
        if not self._is_human or self.message is None or self.message.ai:
            return ""
        return user_text(self.message)


@dataclass(frozen=True, slots=True, eq=False)
class KnownTurn:
    """What several looks at one turn have shown; `topic` is None for a turn of an earlier run of the host."""

    topic: Any
    chat: str
    heard: tuple[Heard, ...]
    circumstances: Circumstances

    def utterances(self) -> list[Utterance]:
        """Return what was said in it, oldest first."""
        return [one for heard in self.heard if (one := heard.utterance()) is not None]


class TurnRing:
    """The recent turns of one memory folder, over all its chats, and when the person's latest messages were seen.

    Some of it is kept on disk: the notes of a session's last turns arrive after its last hook and are adopted by the
    next run of the host, perhaps in another chat; and a memorizer of a reopened chat reads its old messages again.
    """

    def __init__(self, size: int) -> None:
        self._turns: deque[KnownTurn] = deque(maxlen=size)
        self._moments: dict[str, datetime] = {}
        self._latest_moment = EPOCH

    def note(self, turn: Turn, at: datetime) -> None:
        """Remember a look at a turn at the moment `at`; it is now the newest one.

        A message keeps the moment at which it was first seen, and stays when the host compresses its history. No two
        have the same moment, however coarse the clock.
        """
        known = next((one for one in reversed(self._turns) if turn.topic is not None and one.topic is turn.topic), None)
        before = known.heard if known is not None else ()
        seen = {id(one.message) for one in before}
        at = max(at, self._latest_moment + _STEP)
        new: list[Heard] = []
        for message in turn.messages:
            if id(message) not in seen:
                new.append(Heard(message, at + len(new) * _STEP, is_human=turn.is_human, chat=turn.chat))
        if known is not None:
            self._turns.remove(known)
        self._turns.append(KnownTurn(turn.topic, turn.chat, (*before, *new), turn.circumstances))
        self._remember_moments(new)

    def take_up(self, turns: Iterable[Turn], since: datetime, until: datetime) -> None:
        """Remember the turns that a chat, begun at `since`, had before this run of the host, oldest first.

        A message whose moment is known has that; of the others only the order is, and that they came before `until`.
        """
        found = [
            KnownTurn(
                turn.topic,
                turn.chat,
                tuple(Heard(message, until, is_human=turn.is_human, chat=turn.chat) for message in turn.messages),
                turn.circumstances,
            )
            for turn in turns
        ]
        _place_in_time([heard for turn in found for heard in turn.heard], self._moments, since, until)
        for turn in found:
            kept = next((one for one in self._turns if one.topic is None and _is_same(one, turn)), None)
            if kept is not None:
                self._turns.remove(kept)
            self._turns.append(turn if kept is None else replace(turn, circumstances=kept.circumstances))

    def spoken(self) -> tuple[list[Utterance], list[Circumstances]]:
        """Return everything said, oldest first, and the circumstances of each utterance."""
        said = [(one, turn.circumstances) for turn in list(self._turns) for one in turn.utterances()]
        said.sort(key=lambda pair: pair[0].at or EPOCH)
        return [one for one, _ in said], [circumstances for _, circumstances in said]

    def forget(self, is_about: Callable[[str], bool]) -> int:
        """Forget what was said about something; return how many messages that were."""
        said = [(heard, heard.utterance()) for turn in list(self._turns) for heard in turn.heard]
        found = [heard for heard, one in said if one is not None and is_about(one.text)]
        for heard in found:
            heard.silence()
        return len(found)

    def ends_in_agreement(self) -> bool:
        """Whether a message of the person's in the newest turn opens by agreeing with the agent (C-16)."""
        latest = self.latest()
        return latest is not None and any(confirms(one.person_text()) for one in latest.heard)

    def holds(self, topic: Any) -> bool:
        """Whether the turn of the host's list `topic` is one of the recent ones."""
        return any(one.topic is topic for one in list(self._turns))

    def latest(self) -> KnownTurn | None:
        """Return the turn that was noted last."""
        return self._turns[-1] if self._turns else None

    # --- on disk -----------------------------------------------------------------------------------------------

    def to_state(self) -> dict[str, Any]:
        """Return what is to be kept on disk, as plain JSON types; long utterances are cut."""
        rows = [
            {
                "chat": turn.chat,
                "role_id": turn.circumstances.role_id,
                "domain": turn.circumstances.domain,
                "said": [[one.speaker.value, _cut(one), format_time(one.at or EPOCH)] for one in turn.utterances()],
            }
            for turn in list(self._turns)[-_KEPT_TURNS:]
        ]
        return {"turns": rows, "moments": {name: format_time(at) for name, at in list(self._moments.items())}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what an earlier run kept; a part of it that cannot be read is left out."""
        rows, moments = state.get("turns"), state.get("moments")
        for turn in map(_read_row, rows if isinstance(rows, list) else ()):
            if turn is not None:
                self._turns.append(turn)
        for name, text in moments.items() if isinstance(moments, dict) else ():
            at = parse_time(text)
            if at is not None:
                self._moments[name] = at
        known = [*self._moments.values(), *(one.at for turn in self._turns for one in turn.heard)]
        self._latest_moment = max(known, default=EPOCH)

    def _remember_moments(self, heard: Sequence[Heard]) -> None:
        for one in heard:
            self._latest_moment = max(self._latest_moment, one.at)
            name = one.name()
            if name:
                self._moments[name] = one.at
        while len(self._moments) > _KEPT_MOMENTS:
            del self._moments[next(iter(self._moments))]


def _place_in_time(heard: Sequence[Heard], moments: Mapping[str, datetime], since: datetime, until: datetime) -> None:
    """Give each of the messages of one chat its moment, or the time between its neighbours; the order is kept."""
    for one in heard:
        known = moments.get(one.name())
        if known is None:
            one.since = since
        else:
            one.at = since = known
    for one in reversed(heard):
        if one.since is not None:
            one.at = max(until, one.since)
        until = one.at - _STEP


def _is_same(kept: KnownTurn, found: KnownTurn) -> bool:
    """Whether `kept` is what was seen of `found` before a restart: one chat, and the same words as far as known."""
    if kept.chat != found.chat:
        return False
    before, now = kept.utterances(), found.utterances()
    return bool(before and now) and all(
        (one.speaker, _cut(one)) == (other.speaker, _cut(other)) for one, other in zip(before, now, strict=False)
    )


def _cut(utterance: Utterance) -> str:
    return utterance.text[:_KEPT_CHARACTERS]


def _read_row(row: object) -> KnownTurn | None:
    try:
        chat, role_id, domain = (row[name] for name in ("chat", "role_id", "domain"))  # type: ignore[index]
        heard = tuple(
            Heard.earlier(Utterance(Speaker(speaker), str(text), chat=chat), parse_time(at) or EPOCH)
            for speaker, text, at in row["said"]  # type: ignore[index]
        )
    except (KeyError, TypeError, ValueError):
        return None
    if not (isinstance(chat, str) and isinstance(role_id, str | None) and isinstance(domain, str | None)):
        return None
    return KnownTurn(None, chat, heard, Circumstances(role_id=role_id, domain=domain))


def chat_of(agent: Any) -> str:
    """Return the name under which the conversation of `agent` is known, the same after a restart."""
    return f"{agent.context.id}/{agent.number}"


def current_turn(agent: Any, circumstances: Circumstances) -> Turn | None:
    """Return the turn that `agent` is in, or None before its first message."""
    topic = agent.history.current
    messages = tuple(topic.messages)
    return Turn(topic, messages, is_human_chat(agent), circumstances, chat_of(agent)) if messages else None


def earlier_turns(agent: Any, limit: int) -> tuple[list[Turn], datetime]:
    """Return the turns before the current one, oldest first, and when the chat began: what a restart left."""
    looks = [
        Turn(topic, tuple(topic.messages), is_human_chat(agent), Circumstances(), chat_of(agent))
        for topic in list(agent.history.topics)[-limit:]
    ]
    return [one for one in looks if one.messages], parse_time(getattr(agent.context, "created_at", None)) or EPOCH
