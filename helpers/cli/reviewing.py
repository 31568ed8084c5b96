"""`review` and `settle`: what needs a person, one after the other, decided by a key.

`settle` asks about memories that are at odds alone. What is answered goes the way of the page's requests.
"""

from __future__ import annotations

from functools import partial

from ..clock import system_clock
from ..errors import StoreError
from ..host.knowledge.service import Curator
from ..inbox import Adopt, Arguments, ConflictDecision
from ..knowledge.shelving import CurationVerb
from ..privacy import mask
from ..quality.requests import describe
from ..service.inbox import AT_ODDS, FINAL, TITLES, InboxItem, ItemKind, find_items
from ..store.docstore_file import is_of_host
from ..store.files import CHAIN_FILE, file_stamp
from ..store.requests import Inbox
from ..texts import counted
from .declaring import DONE, Options, declare, flag
from .options import WRITING, checked
from .orders import order, put, settle
from .output import command_on, memory_in_words, say
from .questions import KeyQuestion, run_interview, say_end, show_question
from .resolving import plan_decision, put_decision
from .saved import SavedPlace, open_place

#: A chain of so many bytes, of some two thousand memories, is verified in less than half a second.
_SHORT_CHAIN = 1_000_000


def _run(options: Options, *, only_at_odds: bool, word: str, nouns: tuple[str, str]) -> int:
    checked(options.folder)
    place = open_place(options)
    stamp = None if only_at_odds else file_stamp(options.folder / CHAIN_FILE)
    thorough = stamp is not None and (stamp[1] <= _SHORT_CHAIN or bool(options.thorough))
    found = [item for item in find_items(place, only_at_odds=only_at_odds, thorough=thorough) if item.choices]
    if stamp is not None and not thorough:
        command = command_on(options.folder, "review --thorough")
        say(f"the chain is long, and not verified; {command} does that", "dim")
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
    memories = [place.read(memory) for memory in item.memories]
    names = item.names(memories) if memories else ()
    lines = {
        name: memory_in_words(one) if one is not None or not item.text else f"{item.text} (not there any more)"
        for name, one in zip(names, memories, strict=True)
    }
    kept = "" if item.keep is None else dict(zip(item.memories, names, strict=True)).get(item.keep, "both")
    if item.kind is ItemKind.SECRET:
        lines = {name: mask(text) for name, text in lines.items()}
    lines |= {"learned": item.text} if item.text and not memories else {}
    lines |= {"agent": f"keep {kept if kept == 'both' else f'the {kept} one'}"} if kept else {}
    answers = item.answers(names)
    retired = {"that": 0, "this": 1} if item.kind in AT_ODDS else {"that": 0, "retire": 0, "erase": 0}
    is_proposal = any(isinstance(choice, Adopt) for choice in item.choices.values())
    return KeyQuestion(
        title=f"{number} of {total}: {item.id}, {TITLES[item.kind][0]}",
        lines={**lines, "why": "; ".join(item.why)},
        answers=dict(answers.values()),
        memories=item.memories[: 1 if is_proposal else 2],
        retires={answers[name][0]: item.memories[place] for name, place in retired.items() if name in answers},
        final=next((answers[name][0] for name in FINAL if name in answers), ""),
    )


class _Desk:
    """Puts what a person answers where the page puts it, and takes it back from there."""

    def __init__(self, options: Options, items: list[InboxItem]) -> None:
        self._options, self._folder, self._items = options, options.folder, items
        self._put: list[Arguments] = []

    def _choice(self, number: int, key: str) -> tuple[str, Arguments | CurationVerb]:
        """Return an answer by its key, as it is asked for now: what is proposed depends on the answers before it."""
        item = self._items[number]
        name = next(name for name, (one, _) in item.answers(()).items() if one == key)
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
            say(f"{item.id}: {item.answers(())[name][1]}")
            return
        self._put.append(asked)
        if isinstance(asked, ConflictDecision) and item.kind in AT_ODDS:
            at = system_clock()
            put_decision(self._options, asked, at, plan_decision(open_place(self._options), asked, at))
        elif name in ("this", "both", "plain"):
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
        for name, (key, _) in item.answers(()).items():
            asked = item.choices[name]
            changes = "no memory changes" if name in ("this", "both", "plain") else ""
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
        flag("--thorough", "verify every line of the chain, however long that takes"),
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
