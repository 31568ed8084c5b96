"""The recent turns of a memory folder: what was said in its chats, by whom and when; kept over a restart."""

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
from .host_agent import HostAgent
from .messages import is_human_chat, read_message, user_text

_KEPT_TURNS = 5
_KEPT_CHARACTERS = 4_000
# Of each only a digest and the moment.
_KEPT_MOMENTS = 1_000
_KEPT_ERASURES = 100

#: Whether a text is about something that nobody may keep any more.
IsAbout = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Turn:
    """One look at the messages that belong to one message of the person's, and at what was going on.

    `topic` is the host's own object for them, which the turn is recognised by; `messages` is a copy of its list.
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
        """Return what an earlier run of the host has heard."""
        heard = cls(None, moment, is_human=True, chat=utterance.chat)
        heard._utterance = utterance
        return heard

    def utterance(self) -> Utterance | None:
        """Return what was said; None of a message that says nothing, or nothing that may be kept."""
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
        """Say nothing any more; the message stays, so that it is not taken for a new one."""
        self._is_silent = True

    def name(self) -> str:
        """Return under which name the moment of a message of the person's is kept; empty for any other."""
        text = self.person_text()
        return _digest(self.chat, text) if text else ""

    def person_text(self) -> str:
        """Return the person's words; nothing of what anybody else says."""
        if not self._is_human or self.message is None or self.message.ai:
            return ""
        return user_text(self.message)


@dataclass(frozen=True, slots=True, eq=False)
class KnownTurn:
    """What several looks at one turn have shown; `topic` is None for a turn of an earlier run of the host.

    `unspeakable` is what was erased while the turn went on: a prompt of it may hold it, and its answers repeat that.
    """

    topic: Any
    chat: str
    heard: tuple[Heard, ...]
    circumstances: Circumstances
    unspeakable: tuple[IsAbout, ...] = ()

    def utterances(self) -> list[Utterance]:
        """Return what was said in it, oldest first."""
        return [utterance for heard in self.heard if (utterance := heard.utterance()) is not None]


class TurnRing:
    """The recent turns of one memory folder, over all its chats, and when the person's latest messages were seen.

    Some of it is kept on disk: the notes of a session's last turns arrive after its last hook and are adopted by the
    next run of the host, perhaps in another chat; and a memorizer of a reopened chat reads its old messages again.
    Of what was erased a digest is kept, so that a reopened chat does not bring it back. Any thread may call. `order` is
    that of the folder, in which its memories stand as well.
    """

    def __init__(self, size: int, order: TimeOrder | None = None) -> None:
        self._order = order or TimeOrder()
        self._turns: deque[KnownTurn] = deque(maxlen=size)
        # The last turn of a chat that other chats have pushed out: it may go on. It lives no longer than its topic, and
        # is kept without it, for what is kept under a topic must not hold that.
        self._left: weakref.WeakKeyDictionary[Any, KnownTurn] = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()
        self._silenced: dict[str, None] = {}
        self._unspeakable: tuple[IsAbout, ...] = ()
        self._moments: dict[str, datetime] = {}

    def note(self, turn: Turn, moment: datetime) -> None:
        """Remember a look at a turn at the moment `at`; it is now the newest one.

        A message keeps the moment at which it was first seen, and stays when the host compresses its history. No two
        have the same moment, however coarse the clock.
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
        """Make a turn the newest one, of its chat too; the one that it pushes out may go on, unless its chat has."""
        for topic in [topic for topic, turn_left in self._left.items() if turn_left.chat == turn.chat]:
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
        """Return what is known of a turn: from this run of the host, or from an earlier one in which it had begun."""
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
        """Take up a turn that goes on after a restart: all that is kept of it stands in it, an answer at least."""
        heard = [Heard(message, EPOCH, is_human=turn.is_human, chat=turn.chat) for message in turn.messages]
        audible = [heard_message for heard_message in heard if heard_message.utterance() is not None]
        resumed = KnownTurn(
            turn.topic, turn.chat, tuple(audible[: len(kept.heard)]), kept.circumstances, kept.unspeakable
        )
        if not 1 < len(kept.heard) <= len(audible) or not _is_same(kept, resumed):
            return None
        for heard_message, before in zip(audible, kept.heard, strict=False):
            heard_message.at = before.at
        self._turns[self._turns.index(kept)] = resumed
        return resumed

    def take_up(self, turns: Iterable[Turn], since: datetime, until: datetime) -> None:
        """Remember the turns that a chat, begun at `since`, had before this run of the host, oldest first.

        A message whose moment is known has that; of the others only the order is, and that they came before `until`.
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
        """Return everything said, oldest first, and the circumstances of each utterance."""
        spoken = [(utterance, turn.circumstances) for turn in self._now() for utterance in turn.utterances()]
        spoken.sort(key=lambda pair: pair[0].at or EPOCH)
        return [utterance for utterance, _ in spoken], [circumstances for _, circumstances in spoken]

    def forget(self, is_about: IsAbout) -> int:
        """Forget what was said about something; return how many messages that were.

        It is not heard again: neither in what is still said in a turn that has begun, nor in a chat that is reopened.
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
        """Whether a message that is read only now may not be kept, for what it is about was erased."""
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
        """Whether a message of the person's in the newest turn opens by agreeing with the agent."""
        latest = self.latest()
        return latest is not None and any(confirms(heard.person_text()) for heard in latest.heard)

    def holds(self, topic: Any) -> bool:
        """Whether the turn of the host's list `topic` is one of the recent ones."""
        return any(turn.topic is topic for turn in self._now())

    def latest(self) -> KnownTurn | None:
        """Return the turn that was noted last."""
        turns = self._now()
        return turns[-1] if turns else None

    # --- on disk -----------------------------------------------------------------------------------------------

    def to_state(self) -> dict[str, Any]:
        """Return what is to be kept on disk, as plain JSON types; long utterances are cut."""
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
        """Take up what an earlier run kept; a part of it that cannot be read is left out."""
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
    """Give each of the messages of one chat its moment, or the time between its neighbours; the order is kept.

    Of words that were said several times the moment of the last time is known.
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
    """Whether `kept` is what was seen of `found` before a restart: one chat, and the same words as far as known."""
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
    """Return the name under which the conversation of `agent` is known, the same after a restart."""
    return f"{agent.context.id}/{agent.number}"


def current_turn(agent: HostAgent, circumstances: Circumstances) -> Turn | None:
    """Return the turn that `agent` is in, or None before its first message."""
    topic = agent.history.current
    messages = tuple(topic.messages)
    return Turn(topic, messages, is_human_chat(agent), circumstances, chat_of(agent)) if messages else None


def earlier_turns(agent: HostAgent, limit: int) -> tuple[list[Turn], datetime]:
    """Return the turns before the current one, oldest first, and when the chat began: what a restart left."""
    looks = [
        Turn(topic, tuple(topic.messages), is_human_chat(agent), Circumstances(), chat_of(agent))
        for topic in list(agent.history.topics)[-limit:]
    ]
    return [look for look in looks if look.messages], parse_time(getattr(agent.context, "created_at", None)) or EPOCH


class KeptTurns:
    """The ring of turns of a memory folder as its database holds it."""

    def __init__(self, database: Database, turns: TurnRing) -> None:
        self._database = database
        self._turns = turns
        self._kept: dict[str, Any] = {}

    def load(self, earlier: TurnRing | None = None) -> None:
        """Take up the turns of `earlier`, a ring of this process, or else those that an earlier run has kept."""
        kept = self._database.read(lambda db: sqlite.read_state(db, StateName.TURNS))
        state = kept if earlier is None else earlier.to_state()
        self._turns.restore(state if isinstance(state, dict) else {})

    def save(self) -> None:
        """Keep the ring as it is now, if it has changed."""
        state = self._turns.to_state()
        if state != self._kept:
            self._kept = state
            self._database.change_later(lambda db: sqlite.write_state(db, StateName.TURNS, state), StateName.TURNS)
