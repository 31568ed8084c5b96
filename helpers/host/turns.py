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

    __slots__ = ("_bars", "_is_human", "_is_silent", "_said", "at", "chat", "message", "since")

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
        self._said: Utterance | bool | None = False

    @classmethod
    def earlier(cls, said: Utterance, at: datetime) -> Heard:
        """Return what an earlier run of the host has heard."""
        heard = cls(None, at, is_human=True, chat=said.chat)
        heard._said = said
        return heard

    def utterance(self) -> Utterance | None:
        """Return what was said; None of a message that says nothing, or nothing that may be kept."""
        if isinstance(self._said, bool):
            said = read_message(self.message, is_human=self._is_human)
            if said is not None and self._bars is not None and self._bars(replace(said, chat=self.chat)):
                self.silence()
            self._said = said
        said = self._said
        if said is None or self._is_silent:  # asked last: somebody else may have silenced it while it was read
            return None
        if (said.at, said.chat, said.since) != (self.at, self.chat, self.since):
            said = self._said = replace(said, at=self.at, chat=self.chat, since=self.since)
        return said

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
        return [one for heard in self.heard if (one := heard.utterance()) is not None]


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

    def note(self, turn: Turn, at: datetime) -> None:
        """Remember a look at a turn at the moment `at`; it is now the newest one.

        A message keeps the moment at which it was first seen, and stays when the host compresses its history. No two
        have the same moment, however coarse the clock.
        """
        with self._lock:
            self._note(turn, at)

    def _note(self, turn: Turn, at: datetime) -> None:
        known = self._known(turn)
        before = known.heard if known is not None else ()
        unspeakable = known.unspeakable if known is not None else ()
        bars = partial(self._bars, unspeakable) if unspeakable else None
        seen = {id(one.message) for one in before}
        at = self._order.next(at)
        new: list[Heard] = []
        for message in turn.messages:
            if id(message) not in seen:
                said_at = at + len(new) * STEP
                new.append(Heard(message, said_at, is_human=turn.is_human, chat=turn.chat, bars=bars))
        if known is not None and known in self._turns:
            self._turns.remove(known)
        self._append(KnownTurn(turn.topic, turn.chat, (*before, *new), turn.circumstances, unspeakable))
        self._remember_moments(new)

    def _append(self, turn: KnownTurn) -> None:
        """Make a turn the newest one, of its chat too; the one that it pushes out may go on, unless its chat has."""
        for topic in [topic for topic, one in self._left.items() if one.chat == turn.chat]:
            del self._left[topic]
        pushed_out = self._turns[0] if len(self._turns) == self._turns.maxlen else None
        self._turns.append(turn)
        if pushed_out is None or pushed_out.topic is None or any(one.chat == pushed_out.chat for one in self._turns):
            return
        self._left[pushed_out.topic] = replace(pushed_out, topic=None)

    def _known(self, turn: Turn) -> KnownTurn | None:
        """Return what is known of a turn: from this run of the host, or from an earlier one in which it had begun."""
        if turn.topic is None:
            return None
        known = next((one for one in reversed(self._turns) if one.topic is turn.topic), None)
        if known is not None or turn.topic in self._left:
            return known or self._left[turn.topic]
        kept = next((one for one in reversed(self._turns) if one.topic is None and one.chat == turn.chat), None)
        return self._resumed(kept, turn) if kept is not None else None

    def _resumed(self, kept: KnownTurn, turn: Turn) -> KnownTurn | None:
        """Take up a turn that goes on after a restart: all that is kept of it stands in it, an answer at least."""
        heard = [Heard(message, EPOCH, is_human=turn.is_human, chat=turn.chat) for message in turn.messages]
        said = [one for one in heard if one.utterance() is not None]
        found = KnownTurn(turn.topic, turn.chat, tuple(said[: len(kept.heard)]), kept.circumstances, kept.unspeakable)
        if not 1 < len(kept.heard) <= len(said) or not _is_same(kept, found):
            return None
        for one, before in zip(said, kept.heard, strict=False):
            one.at = before.at
        self._turns[self._turns.index(kept)] = found
        return found

    def take_up(self, turns: Iterable[Turn], since: datetime, until: datetime) -> None:
        """Remember the turns that a chat, begun at `since`, had before this run of the host, oldest first.

        A message whose moment is known has that; of the others only the order is, and that they came before `until`.
        """
        with self._lock:
            until = self._order.next(until)
            bars = partial(self._bars, self._unspeakable) if self._unspeakable or self._silenced else None
            found = [
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
            _place_in_time([heard for turn in found for heard in turn.heard], self._moments, since, until)
            for turn in found:
                kept = next((one for one in self._turns if one.topic is None and _is_same(one, turn)), None)
                if kept is not None:
                    self._turns.remove(kept)
                self._append(turn if kept is None else replace(turn, circumstances=kept.circumstances))

    def spoken(self) -> tuple[list[Utterance], list[Circumstances]]:
        """Return everything said, oldest first, and the circumstances of each utterance."""
        said = [(utterance, turn.circumstances) for turn in self._now() for utterance in turn.utterances()]
        said.sort(key=lambda pair: pair[0].at or EPOCH)
        return [one for one, _ in said], [circumstances for _, circumstances in said]

    def forget(self, is_about: IsAbout) -> int:
        """Forget what was said about something; return how many messages that were.

        It is not heard again: neither in what is still said in a turn that has begun, nor in a chat that is reopened.
        """
        with self._lock:
            self._unspeakable = _with(self._unspeakable, is_about)
            known = [replace(one, unspeakable=_with(one.unspeakable, is_about)) for one in self._turns]
            left = {
                topic: replace(one, unspeakable=_with(one.unspeakable, is_about)) for topic, one in self._left.items()
            }
            self._turns.clear()
            self._turns.extend(known)
            self._left.update(left)
        heard = [(one, one.utterance()) for turn in (*known, *left.values()) for one in turn.heard]
        found = [(one, said) for one, said in heard if said is not None and is_about(said.text)]
        for one, said in found:
            one.silence()
            self._remember_silenced(said)
        return len(found)

    def _bars(self, unspeakable: Sequence[IsAbout], said: Utterance) -> bool:
        """Whether a message that is read only now may not be kept, for what it is about was erased."""
        if any(is_about(said.text) for is_about in unspeakable):
            self._remember_silenced(said)
            return True
        return _digest(said.chat, _cut(said)) in self._silenced

    def _remember_silenced(self, said: Utterance) -> None:
        with self._lock:
            self._silenced[_digest(said.chat, _cut(said))] = None
            while len(self._silenced) > _KEPT_MOMENTS:
                del self._silenced[next(iter(self._silenced))]

    def _now(self) -> list[KnownTurn]:
        with self._lock:
            return list(self._turns)

    def ends_in_agreement(self) -> bool:
        """Whether a message of the person's in the newest turn opens by agreeing with the agent."""
        latest = self.latest()
        return latest is not None and any(confirms(one.person_text()) for one in latest.heard)

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
                "said": [[one.speaker.value, _cut(one), format_time(one.at or EPOCH)] for one in turn.utterances()],
            }
            for turn in self._now()[-_KEPT_TURNS:]
        ]
        moments = {name: format_time(at) for name, at in list(self._moments.items())}
        return {"turns": rows, "moments": moments, "silenced": list(self._silenced)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what an earlier run kept; a part of it that cannot be read is left out."""
        rows, moments, silenced = state.get("turns"), state.get("moments"), state.get("silenced")
        for turn in map(_read_row, rows if isinstance(rows, list) else ()):
            if turn is not None:
                self._turns.append(turn)
        for name, text in moments.items() if isinstance(moments, dict) else ():
            at = parse_time(text)
            if at is not None:
                self._moments[name] = at
        for name in silenced if isinstance(silenced, list) else ():
            if isinstance(name, str):
                self._silenced[name] = None
        known = [*self._moments.values(), *(one.at for turn in self._turns for one in turn.heard)]
        self._order.note(max(known, default=EPOCH))

    def _remember_moments(self, heard: Sequence[Heard]) -> None:
        for one in heard:
            self._order.note(one.at)
            name = one.name()
            if name:
                self._moments[name] = one.at
        while len(self._moments) > _KEPT_MOMENTS:
            del self._moments[next(iter(self._moments))]


def _place_in_time(heard: Sequence[Heard], moments: Mapping[str, datetime], since: datetime, until: datetime) -> None:
    """Give each of the messages of one chat its moment, or the time between its neighbours; the order is kept.

    Of words that were said several times the moment of the last time is known.
    """
    last = {one.name(): one for one in heard}
    known_at = {id(one): moments[name] for name, one in last.items() if name in moments}
    for one in heard:
        known = known_at.get(id(one))
        if known is None:
            one.since = since
        else:
            one.at = since = known
    for one in reversed(heard):
        if one.since is not None:
            one.at = max(until, one.since)
        until = one.at - STEP


def _is_same(kept: KnownTurn, found: KnownTurn) -> bool:
    """Whether `kept` is what was seen of `found` before a restart: one chat, and the same words as far as known."""
    if kept.chat != found.chat:
        return False
    before, now = kept.utterances(), found.utterances()
    return bool(before and now) and all(
        (one.speaker, _cut(one)) == (other.speaker, _cut(other)) for one, other in zip(before, now, strict=False)
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
            Heard.earlier(Utterance(Speaker(speaker), str(text), chat=chat), parse_time(at) or EPOCH)
            for speaker, text, at in row["said"]  # type: ignore[index]
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
