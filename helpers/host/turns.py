"""The recent turns of a memory folder: the messages of its chats with speaker and time, kept over a restart."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Any

from ..clock import EPOCH, format_time, parse_time
from ..ledger.attribution import Speaker, Utterance, confirms
from ..ledger.classify import Circumstances
from ..store import db as sqlite
from ..store.database import Database
from ..store.db import StateName
from ..store.order import STEP, TimeOrder
from .host_agent import HostAgent, is_human_chat, read_message, user_text

_KEPT_TURNS = 5
_KEPT_CHARACTERS = 4_000
# Each of these is a digest and a moment.
_KEPT_MOMENTS = 1_000
_KEPT_ERASURES = 100

#: Whether a text is about an erased memory.
IsAbout = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Turn:
    """A snapshot of the messages after one message of the person, with the circumstances.

    `topic` is the host's own object, which identifies the turn; `messages` is a copy of its list.
    """

    topic: Any
    messages: tuple[Any, ...]
    is_human: bool
    circumstances: Circumstances
    chat: str = ""


class Heard:
    """One message with its chat and the time when it was first seen; it is parsed on demand.

    With `since`, it is only known that it was said between `since` and `at`.
    """

    __slots__ = ("_bars", "_is_human", "_is_silent", "_utterance", "at", "chat", "message", "since")

    def __init__(
        self,
        message: Any,
        at: datetime,
        *,
        is_human: bool,
        chat: str,
        since: datetime | None = None,
        bars: Callable[[Utterance], bool] | None = None,
    ) -> None:
        self.message = message
        self.at = at
        self.since = since
        self.chat = chat
        self._bars = bars
        self._is_human = is_human
        self._is_silent = False
        self._utterance: Utterance | bool | None = False

    @classmethod
    def earlier(cls, utterance: Utterance, moment: datetime) -> Heard:
        """Return a message of an earlier run of the host."""
        heard = cls(None, moment, is_human=True, chat=utterance.chat)
        heard._utterance = utterance
        return heard

    def utterance(self) -> Utterance | None:
        """Return the message as an utterance; None if it has no words, or may not be kept."""
        if isinstance(self._utterance, bool):
            message = read_message(self.message, is_human=self._is_human)
            if message is not None and self._bars is not None and self._bars(replace(message, chat=self.chat)):
                self.silence()
            self._utterance = message
        utterance = self._utterance
        if utterance is None or self._is_silent:  # asked last: somebody else may have silenced it while it was read
            return None
        if (utterance.at, utterance.chat, utterance.since) != (self.at, self.chat, self.since):
            utterance = self._utterance = replace(utterance, at=self.at, chat=self.chat, since=self.since)
        return utterance

    def silence(self) -> None:
        """Drop the words; the message stays, so that it is not taken for a new one."""
        self._is_silent = True

    def name(self) -> str:
        """Return the digest under which the moment of a person's message is kept; empty for any other message."""
        text = self.person_text()
        return _digest(self.chat, text) if text else ""

    def person_text(self) -> str:
        """Return the person's words; empty for any other message."""
        if not self._is_human or self.message is None or self.message.ai:
            return ""
        return user_text(self.message)


@dataclass(frozen=True, slots=True, eq=False)
class KnownTurn:
    """A turn as several snapshots have shown it; `topic` is None for a turn of an earlier run of the host.

    `unspeakable` are the erasures during the turn: its prompt may hold the erased memory, and its answers repeat it.
    """

    topic: Any
    chat: str
    heard: tuple[Heard, ...]
    circumstances: Circumstances
    unspeakable: tuple[IsAbout, ...] = ()

    def utterances(self) -> list[Utterance]:
        """Return the utterances of the turn, oldest first."""
        return [utterance for heard in self.heard if (utterance := heard.utterance()) is not None]


class TurnRing:
    """The recent turns of one memory folder, over all its chats, and the times of the person's latest messages.

    Some of it is kept on disk: the memories of a session's last turns arrive after its last hook and are adopted by the
    next run of the host, perhaps in another chat; and a memorizer of a reopened chat reads its old messages again.
    Digests of erased messages are kept, so that a reopened chat does not bring them back. Thread-safe. `order` is the
    time order of the folder's memories.
    """

    def __init__(self, size: int, order: TimeOrder | None = None) -> None:
        self._order = order or TimeOrder()
        self._turns: deque[KnownTurn] = deque(maxlen=size)
        # The last turns of chats, pushed out by other chats, which may go on. A turn lives as long as its topic, and is
        # kept without it: a value of a weak dictionary must not refer to its key.
        self._left: weakref.WeakKeyDictionary[Any, KnownTurn] = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()
        self._silenced: dict[str, None] = {}
        self._unspeakable: tuple[IsAbout, ...] = ()
        self._moments: dict[str, datetime] = {}

    def note(self, turn: Turn, moment: datetime) -> None:
        """Remember a snapshot of a turn, taken at `moment`; it becomes the newest turn.

        A message keeps the moment when it was first seen, and stays when the host compresses its history. No two
        messages have the same moment, however coarse the clock.
        """
        with self._lock:
            self._note(turn, moment)

    def _note(self, turn: Turn, moment: datetime) -> None:
        known = self._known(turn)
        before = known.heard if known is not None else ()
        unspeakable = known.unspeakable if known is not None else ()
        bars = partial(self._bars, unspeakable) if unspeakable else None
        seen = {id(heard.message) for heard in before}
        moment = self._order.next(moment)
        new: list[Heard] = []
        for message in turn.messages:
            if id(message) not in seen:
                said_at = moment + len(new) * STEP
                new.append(Heard(message, said_at, is_human=turn.is_human, chat=turn.chat, bars=bars))
        if known is not None and known in self._turns:
            self._turns.remove(known)
        self._append(KnownTurn(turn.topic, turn.chat, (*before, *new), turn.circumstances, unspeakable))
        self._remember_moments(new)

    def _append(self, turn: KnownTurn) -> None:
        """Make a turn the newest one; the turn that it pushes out is kept if it is the last one of its chat."""
        for topic in [topic for topic, old in self._left.items() if old.chat == turn.chat]:
            del self._left[topic]
        pushed_out = self._turns[0] if len(self._turns) == self._turns.maxlen else None
        self._turns.append(turn)
        if (
            pushed_out is None
            or pushed_out.topic is None
            or any(noted.chat == pushed_out.chat for noted in self._turns)
        ):
            return
        self._left[pushed_out.topic] = replace(pushed_out, topic=None)

    def _known(self, turn: Turn) -> KnownTurn | None:
        """Return the known part of a turn, which may have begun in an earlier run of the host; None if it is new."""
        if turn.topic is None:
            return None
        known = next((noted for noted in reversed(self._turns) if noted.topic is turn.topic), None)
        if known is not None or turn.topic in self._left:
            return known or self._left[turn.topic]
        earlier = next(
            (noted for noted in reversed(self._turns) if noted.topic is None and noted.chat == turn.chat), None
        )
        return self._resumed(earlier, turn) if earlier is not None else None

    def _resumed(self, kept: KnownTurn, turn: Turn) -> KnownTurn | None:
        """Resume a turn that goes on after a restart, if it holds all that is kept of it, an answer at least."""
        heard = [Heard(message, EPOCH, is_human=turn.is_human, chat=turn.chat) for message in turn.messages]
        audible = [message for message in heard if message.utterance() is not None]
        resumed = KnownTurn(
            turn.topic, turn.chat, tuple(audible[: len(kept.heard)]), kept.circumstances, kept.unspeakable
        )
        if not 1 < len(kept.heard) <= len(audible) or not _is_same(kept, resumed):
            return None
        for message, before in zip(audible, kept.heard, strict=False):
            message.at = before.at
        self._turns[self._turns.index(kept)] = resumed
        return resumed

    def take_up(self, turns: Iterable[Turn], since: datetime, until: datetime) -> None:
        """Remember the turns of a chat, begun at `since`, before this run of the host, oldest first.

        Messages with a kept moment have that; the others are placed in their order before `until`.
        """
        with self._lock:
            until = self._order.next(until)
            bars = partial(self._bars, self._unspeakable) if self._unspeakable or self._silenced else None
            taken_up = [
                KnownTurn(
                    turn.topic,
                    turn.chat,
                    tuple(
                        Heard(message, until, is_human=turn.is_human, chat=turn.chat, bars=bars)
                        for message in turn.messages
                    ),
                    turn.circumstances,
                )
                for turn in turns
            ]
            _place_in_time([heard for turn in taken_up for heard in turn.heard], self._moments, since, until)
            for turn in taken_up:
                earlier = next((noted for noted in self._turns if noted.topic is None and _is_same(noted, turn)), None)
                if earlier is not None:
                    self._turns.remove(earlier)
                self._append(turn if earlier is None else replace(turn, circumstances=earlier.circumstances))

    def spoken(self) -> tuple[list[Utterance], list[Circumstances]]:
        """Return all utterances, oldest first, and the circumstances of each."""
        spoken = [(utterance, turn.circumstances) for turn in self._now() for utterance in turn.utterances()]
        spoken.sort(key=lambda pair: pair[0].at or EPOCH)
        return [utterance for utterance, _ in spoken], [circumstances for _, circumstances in spoken]

    def forget(self, is_about: IsAbout) -> int:
        """Forget all messages about an erased memory; return how many.

        They are not heard again: neither in the rest of a turn that has begun, nor in a reopened chat.
        """
        with self._lock:
            self._unspeakable = _with(self._unspeakable, is_about)
            known = [replace(turn, unspeakable=_with(turn.unspeakable, is_about)) for turn in self._turns]
            left = {
                topic: replace(turn, unspeakable=_with(turn.unspeakable, is_about))
                for topic, turn in self._left.items()
            }
            self._turns.clear()
            self._turns.extend(known)
            self._left.update(left)
        heard = [(message, message.utterance()) for turn in (*known, *left.values()) for message in turn.heard]
        about = [
            (message, utterance) for message, utterance in heard if utterance is not None and is_about(utterance.text)
        ]
        for message, utterance in about:
            message.silence()
            self._remember_silenced(utterance)
        return len(about)

    def _bars(self, unspeakable: Sequence[IsAbout], utterance: Utterance) -> bool:
        """Whether a message that is parsed only now may not be kept, because it is about an erased memory."""
        if any(is_about(utterance.text) for is_about in unspeakable):
            self._remember_silenced(utterance)
            return True
        return _digest(utterance.chat, _cut(utterance)) in self._silenced

    def _remember_silenced(self, utterance: Utterance) -> None:
        with self._lock:
            self._silenced[_digest(utterance.chat, _cut(utterance))] = None
            while len(self._silenced) > _KEPT_MOMENTS:
                del self._silenced[next(iter(self._silenced))]

    def _now(self) -> list[KnownTurn]:
        with self._lock:
            return list(self._turns)

    def ends_in_agreement(self) -> bool:
        """Whether a message of the person in the newest turn begins by agreeing with the agent."""
        latest = self.latest()
        return latest is not None and any(confirms(heard.person_text()) for heard in latest.heard)

    def holds(self, topic: Any) -> bool:
        """Whether the turn of the host's list `topic` is one of the recent ones."""
        return any(turn.topic is topic for turn in self._now())

    def latest(self) -> KnownTurn | None:
        """Return the turn that was noted last."""
        turns = self._now()
        return turns[-1] if turns else None

    def to_state(self) -> dict[str, Any]:
        """Return the state for the disk in plain JSON types; long utterances are cut."""
        rows = [
            {
                "chat": turn.chat,
                "role_id": turn.circumstances.role_id,
                "domain": turn.circumstances.domain,
                "said": [
                    [utterance.speaker.value, _cut(utterance), format_time(utterance.at or EPOCH)]
                    for utterance in turn.utterances()
                ],
            }
            for turn in self._now()[-_KEPT_TURNS:]
        ]
        moments = {name: format_time(moment) for name, moment in list(self._moments.items())}
        return {"turns": rows, "moments": moments, "silenced": list(self._silenced)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the state of an earlier run without its unreadable parts."""
        rows, moments, silenced = state.get("turns"), state.get("moments"), state.get("silenced")
        for turn in map(_read_row, rows if isinstance(rows, list) else ()):
            if turn is not None:
                self._turns.append(turn)
        for name, text in moments.items() if isinstance(moments, dict) else ():
            moment = parse_time(text)
            if moment is not None:
                self._moments[name] = moment
        for name in silenced if isinstance(silenced, list) else ():
            if isinstance(name, str):
                self._silenced[name] = None
        known = [*self._moments.values(), *(heard.at for turn in self._turns for heard in turn.heard)]
        self._order.note(max(known, default=EPOCH))

    def _remember_moments(self, heard: Sequence[Heard]) -> None:
        for message in heard:
            self._order.note(message.at)
            name = message.name()
            if name:
                self._moments[name] = message.at
        while len(self._moments) > _KEPT_MOMENTS:
            del self._moments[next(iter(self._moments))]


def _place_in_time(heard: Sequence[Heard], moments: Mapping[str, datetime], since: datetime, until: datetime) -> None:
    """Give each message of one chat its kept moment, or the time between its neighbours; the order is kept.

    For words that were said several times, the last moment is known.
    """
    last = {message.name(): message for message in heard}
    known_at = {id(message): moments[name] for name, message in last.items() if name in moments}
    for message in heard:
        known = known_at.get(id(message))
        if known is None:
            message.since = since
        else:
            message.at = since = known
    for message in reversed(heard):
        if message.since is not None:
            message.at = max(until, message.since)
        until = message.at - STEP


def _is_same(kept: KnownTurn, seen: KnownTurn) -> bool:
    """Whether `kept` is the beginning of the turn `seen`: the same chat, and the same words as far as known."""
    if kept.chat != seen.chat:
        return False
    before, now = kept.utterances(), seen.utterances()
    return bool(before and now) and all(
        (utterance.speaker, _cut(utterance)) == (later.speaker, _cut(later))
        for utterance, later in zip(before, now, strict=False)
    )


def _with(unspeakable: tuple[IsAbout, ...], is_about: IsAbout) -> tuple[IsAbout, ...]:
    return tuple(dict.fromkeys((*unspeakable, is_about)))[-_KEPT_ERASURES:]


def _digest(chat: str, text: str) -> str:
    return blake2b(f"{chat}\0{text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _cut(utterance: Utterance) -> str:
    return utterance.text[:_KEPT_CHARACTERS]


def _read_row(row: object) -> KnownTurn | None:
    try:
        chat, role_id, domain = (row[name] for name in ("chat", "role_id", "domain"))  # type: ignore[index]
        heard = tuple(
            Heard.earlier(Utterance(Speaker(speaker), str(text), chat=chat), parse_time(moment) or EPOCH)
            for speaker, text, moment in row["said"]  # type: ignore[index]
        )
    except (KeyError, TypeError, ValueError):
        return None
    if not (isinstance(chat, str) and isinstance(role_id, str | None) and isinstance(domain, str | None)):
        return None
    return KnownTurn(None, chat, heard, Circumstances(role_id=role_id, domain=domain))


def chat_of(agent: HostAgent) -> str:
    """Return the name of the conversation of `agent`, which is the same after a restart."""
    return f"{agent.context.id}/{agent.number}"


def current_turn(agent: HostAgent, circumstances: Circumstances) -> Turn | None:
    """Return the present turn of `agent`; None before its first message."""
    topic = agent.history.current
    messages = tuple(topic.messages)
    return Turn(topic, messages, is_human_chat(agent), circumstances, chat_of(agent)) if messages else None


def earlier_turns(agent: HostAgent, limit: int) -> tuple[list[Turn], datetime]:
    """Return the turns before the current one, oldest first, and the time when the chat began."""
    looks = [
        Turn(topic, tuple(topic.messages), is_human_chat(agent), Circumstances(), chat_of(agent))
        for topic in list(agent.history.topics)[-limit:]
    ]
    return [look for look in looks if look.messages], parse_time(getattr(agent.context, "created_at", None)) or EPOCH


class KeptTurns:
    """The stored turns of a memory folder in its database."""

    def __init__(self, database: Database, turns: TurnRing) -> None:
        self._database = database
        self._turns = turns
        self._kept: dict[str, Any] = {}

    def load(self, state: dict[str, Any] | None = None) -> None:
        """Restore the turns in `state`, or else those that an earlier run has kept."""
        kept = self._database.read(lambda db: sqlite.read_state(db, StateName.TURNS)) if state is None else state
        self._turns.restore(kept if isinstance(kept, dict) else {})

    def save(self) -> dict[str, Any]:
        """Store the turns, if they have changed; return them as they are stored."""
        state = self._turns.to_state()
        if state != self._kept:
            self._kept = state
            self._database.change_later(lambda db: sqlite.write_state(db, StateName.TURNS, state), StateName.TURNS)
        return state
