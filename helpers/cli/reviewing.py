"""`review` and `settle`: what needs a person, one after the other, decided by a key.

`settle` asks about memories that are at odds alone. What is answered goes the way of the page's requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from ..clock import system_clock
from ..errors import StoreError
from ..host.docstore.docstore_file import is_of_host
from ..host.knowledge.curating import Curator
from ..host.storage.inbox import Inbox
from ..inbox import Adopt, Arguments, ConflictDecision
from ..knowledge.curation import CurationVerb
from ..privacy import mask
from ..quality.requests import describe
from ..records import Memory, said_at
from ..service.inbox import InboxItem, ItemKind, find_items
from ..texts import counted
from .declaring import DONE, Options, declare
from .options import WRITING, checked
from .orders import order, put, settle
from .output import command_on, memory_in_words, say
from .questions import KeyQuestion, run_interview, say_end, show_question
from .resolving import plan_decision, put_decision
from .saved import SavedPlace, open_place

_AT_ODDS: Final = (ItemKind.PROPOSED, ItemKind.CONFLICT, ItemKind.POSSIBLE)
#: What each is, in words.
_TITLES: Final = {
    ItemKind.PROPOSED: "the agent proposes which of two memories holds",
    ItemKind.CONFLICT: "two memories that contradict each other",
    ItemKind.POSSIBLE: "two memories that may be at odds",
    ItemKind.PROPOSAL: "contradicted",
    ItemKind.DUPLICATE: "a duplicate",
    ItemKind.EMPTY: "without content",
    ItemKind.SECRET: "a secret",
    ItemKind.KNOWLEDGE: "learned by agents",
    ItemKind.CHAIN: "the signatures do not hold",
}
#: The key of each answer, and what it does in words; `{}` is what the text is called that it keeps.
_KEPT: Final = {
    "this": ("o", "keep the {} one"),
    "that": ("n", "keep the {} one"),
    "both": ("b", "both hold: it is no contradiction"),
    "merge": ("m", "merge: one memory says what both say"),
}
_PROPOSED: Final = {
    "that": ("r", "retire it as proposed"),
    "both": ("k", "keep both permanently"),
    "retire": ("r", "retire it as proposed"),
    "this": ("k", "keep it in use"),
    "erase": ("e", "erase it from every file, for good"),
    "sign": ("s", "sign all memories anew; the break stays on record"),
    "approve": ("a", "let every agent go by it"),
    "archive": ("k", "keep it, but out of every prompt"),
    "reject": ("x", "remove it for good"),
}


def _run(options: Options, *, only_at_odds: bool, word: str, nouns: tuple[str, str]) -> int:
    checked(options.folder)
    place = open_place(options)
    found = [one for one in find_items(place, only_at_odds=only_at_odds, thorough=not only_at_odds) if one.choices]
    if not found:
        say(f"nothing to {word}")
        return DONE
    desk = _Desk(options, found)
    questions = [_ask_about(place, number, len(found), one) for number, one in enumerate(found, 1)]
    if options.dry_run:
        for number, one in enumerate(questions):
            show_question(one)
            desk.show_changes(number, one)
        say(f"{counted(len(found), *nouns)} to {word}; nothing was changed")
        return DONE
    ending = run_interview(questions, decide=desk.decide, take_back=desk.take_back)
    return say_end(ending, command_on(options.folder, word))


def _ask_about(place: SavedPlace, number: int, total: int, item: InboxItem) -> KeyQuestion:
    memories = [place.read(one) for one in item.memories]
    names = _names(item, memories)
    lines = {
        name: memory_in_words(one) if one is not None or not item.text else f"{item.text} (not there any more)"
        for name, one in zip(names, memories, strict=True)
    }
    kept = "" if item.keep is None else dict(zip(item.memories, names, strict=True)).get(item.keep, "both")
    if item.kind is ItemKind.SECRET:
        lines = {name: mask(text) for name, text in lines.items()}
    lines |= {"learned": item.text} if item.text and not memories else {}
    lines |= {"agent": f"keep {kept if kept == 'both' else f'the {kept} one'}"} if kept else {}
    words, sides = _answers(item), dict(zip(("this", "that"), names, strict=False))
    retired = {"that": 0, "this": 1} if item.kind in _AT_ODDS else {"that": 0, "retire": 0, "erase": 0}
    is_proposal = any(isinstance(one, Adopt) for one in item.choices.values())
    return KeyQuestion(
        title=f"{number} of {total}: {item.id}, {_TITLES[item.kind]}",
        lines={**lines, "why": "; ".join(item.why)},
        answers={key: told.format(sides.get(name, "")) for name, (key, told) in words.items()},
        memories=item.memories[: 1 if is_proposal else 2],
        retires={words[name][0]: item.memories[place] for name, place in retired.items() if name in words},
    )


def _names(item: InboxItem, memories: list[Memory | None]) -> tuple[str, ...]:
    """Return what each text is called; two that were said at one time are neither older nor newer."""
    if item.kind not in _AT_ODDS:
        return ("memory",) if item.kind is ItemKind.SECRET else ("retire", "keep")[: len(memories)]
    one, other = (each and said_at(each) for each in memories)
    return ("older", "newer") if one != other else ("first", "second")


def _answers(item: InboxItem) -> Mapping[str, tuple[str, str]]:
    words = _KEPT if item.kind in _AT_ODDS else _PROPOSED
    return {name: words[name] for name in item.choices if name in words}


class _Desk:
    """Puts what a person answers where the page puts it, and takes it back from there."""

    def __init__(self, options: Options, items: list[InboxItem]) -> None:
        self._options, self._folder, self._items = options, options.folder, items
        self._put: list[Arguments] = []

    def _choice(self, number: int, key: str) -> tuple[str, Arguments | CurationVerb]:
        """Return an answer by its key, as it is asked for now: what is proposed depends on the answers before it."""
        item = self._items[number]
        name = next(name for name, (one, _) in _answers(item).items() if one == key)
        if isinstance(item.choices[name], Adopt):
            item = next((one for one in find_items(open_place(self._options)) if one.id == item.id), item)
        return name, item.choices[name]

    def _curator(self) -> Curator:
        place = open_place(self._options)
        threshold = place.settings.distillation.confidence_threshold
        return Curator(place.knowledge(), now=system_clock(), threshold=threshold)

    def decide(self, number: int, key: str) -> None:
        item, (name, asked) = self._items[number], self._choice(number, key)
        if isinstance(asked, CurationVerb):
            self._curator().decide(item.id, asked)
            say(f"{item.id}: {_PROPOSED[name][1]}")
            return
        self._put.append(asked)
        if isinstance(asked, ConflictDecision) and item.kind in _AT_ODDS:
            at = system_clock()
            put_decision(self._options, asked, at, plan_decision(open_place(self._options), asked, at))
        elif name in ("this", "both"):
            put(self._folder, asked, at=system_clock())
            if not is_of_host(self._folder):
                settle(self._options, self._folder)
            say(f"{item.memories[0]} stays in use")
        else:
            what = {"erase": "be erased", "sign": "be signed anew"}.get(name, "be retired")
            order(self._options, asked, f"{(item.memories or ('every memory',))[0]} {{}} {what}", say=say)

    def take_back(self, number: int, key: str) -> None:
        item = self._items[number]
        if item.kind is ItemKind.KNOWLEDGE:
            self._curator().undo(item.id)
        elif not Inbox(self._folder).withdraw(self._put.pop()):
            reverse = command_on(self._folder, f"undo {item.id}")
            raise StoreError(f"{item.id} is carried out already; allowed: {reverse}, which reverses it")
        say(f"{item.id} is open again")

    def show_changes(self, number: int, question: KeyQuestion) -> None:
        item = self._items[number]
        for name, (key, _) in _answers(item).items():
            asked = item.choices[name]
            changes = "no memory changes" if name in ("this", "both") else ""
            if isinstance(asked, ConflictDecision):
                try:
                    changes = describe(plan_decision(open_place(self._options), asked, system_clock()))
                except StoreError as exc:
                    changes = f"not possible: {exc}"
            elif item.memories and not changes:
                changes = " is replaced by ".join(item.memories) if name == "that" else f"{item.memories[0]} is gone"
            say(f"  {key} {question.answers[key]}{changes and f': {changes}'}")


_KEYS = "l later, u undo, q quit, ? help. In a pipe, each line of the input is a key."

COMMANDS = (
    declare(
        "review",
        partial(_run, only_at_odds=False, word="review", nouns=("thing", "things")),
        *WRITING,
        examples=("memory-ledger review", "memory-ledger review --dry-run"),
        note=f"Keys: those that each question names, {_KEYS}",
    ),
    declare(
        "settle",
        partial(_run, only_at_odds=True, word="settle", nouns=("conflict", "conflicts")),
        *WRITING,
        examples=("memory-ledger settle", "memory-ledger settle --dry-run"),
        note=f"Keys: o keep the older or first, n the newer or second, b both hold, m merge, {_KEYS}",
    ),
)
