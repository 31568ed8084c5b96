"""Real conversations: what would be retired of them, without and with planted corrections (C-37, C-43)."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
from contradictions_data import Utterance, read_conversations
from corpus import START, Vectors
from measuring import Goal, Report, Table
from memory_ledger.claims import extract_claims
from memory_ledger.ledger.claim_index import ClaimIndex
from memory_ledger.ledger.resolve import Decision, Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity
from memory_ledger.store.embedding import load_minilm

_NEAREST = 5
_SEED = 11
_BATCH = 256
_CHANGES_EACH = 30
_CHANGES = (
    "{S} moved from {A} to Kiel.",
    "{S} no longer lives in {A}.",
    "{S} switched from {A} to Zephyr.",
    "{S} quit {A}.",
    "{S} dropped {A}.",
    "{S} sold the {A}.",
    "{S} stopped going to {A}.",
    "{S} replaced {A} with Zephyr.",
    "{S} cancelled the trip to {A}.",
    "{S} no longer uses {A}.",
)
_PARTIES = tuple(
    Party(Source.USER_ASSERTED, Validity.CONFIRMED, Utility.TACTICAL, START + timedelta(days=day)) for day in (0, 1)
)


class Verdict(NamedTuple):
    """What becomes of an older and a newer memory of one speaker."""

    older: Utterance
    newer: Utterance
    decision: Decision


#: What a summary says of a person, how the correction says it, and values; each of it once for each speaker.
_PLANTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("{S} lives in {A}.", "Actually, {S} lives in {B}.", ("Denver", "Lisbon", "Oslo", "Osaka", "Toronto")),
    ("{S} works at {A}.", "{S} now works at {B}.", ("Siemens", "Contoso", "Globex", "Initech", "Umbrella")),
    ("{S} works as a {A}.", "Correction: {S} works as a {B}.", ("nurse", "lawyer", "chef", "plumber", "journalist")),
    ("{S}'s birthday is {A}.", "No, {S}'s birthday is {B}.", ("March 3", "May 17", "June 9", "August 21", "July 30")),
    ("{S} was born in {A}.", "{S} was born in {B}, not in {A}.", ("Dublin", "Turin", "Leeds", "Porto", "Graz")),
    ("{S} is {A} years old.", "Actually, {S} is {B} years old.", ("28", "31", "36", "43", "52")),
    ("{S}'s phone number is {A}.", "{S}'s new phone number is {B}.", ("555 010 2000", "555 010 3111", "555 010 4222")),
    ("{S}'s email is {A}.", "{S}'s e-mail address is {B} now.", ("a@example.org", "b@example.org", "c@example.org")),
    ("{S}'s timezone is {A}.", "Correction: {S} is in the {B} timezone.", ("PST", "CET", "JST", "EST")),
    ("{S} prefers {A}.", "{S} prefers {B} now.", ("dark mode", "light mode")),
    ("{S}'s favorite color is {A}.", "{S}'s favourite colour is {B}.", ("blue", "green", "red", "purple")),
    ("{S}'s manager is {A}.", "{S} now reports to {B}.", ("Ingrid", "Tomasz", "Priya", "Mateo")),
    ("{S} is married.", "{S} is divorced.", ("", "-")),
    ("{S} drinks {A}.", "{S} stopped drinking {A}.", ("coffee", "oat milk", "cola")),
    ("{S} uses {A}.", "{S} switched from {A} to {B}.", ("vim", "Emacs", "PyCharm")),
    ("{S} is allergic to {A}.", "{S} is not allergic to {A}.", ("peanuts", "pollen", "shellfish")),
    ("{S}'s username is {A}.", "{S}'s username is {B}.", ("redfox17", "bluejay42", "nightowl9")),
    ("{S}'s rent is {A}.", "{S}'s rent is {B} now.", ("$1,200", "$1,450", "$1,700")),
    ("{S} has {A} cousins.", "Actually, {S} has {B} cousins.", ("two", "four", "seven")),
    ("{S} supports {A}.", "{S} no longer supports {A}.", ("Arsenal", "Ajax", "Celtic")),
)


def run(folder: Path) -> Report:
    """Compare every memory with its nearest of the same speaker, then again with corrections among them."""
    utterances = read_conversations(folder)
    planted = _plant(utterances)
    vectors = _embed([one.text for one in (*utterances, *planted)])
    plain = list(_judge(utterances, vectors[: len(utterances)]))
    retired = [one for one in plain if one.decision.outcome is Outcome.SUPERSEDE]
    both = [*utterances, *planted]
    among = [one for one in _judge(both, vectors) if "plant" in one.newer.kind + one.older.kind]
    found = [one for one in among if one.older.key == f"{one.newer.key}-original" and _retires_older(one)]
    bystanders = [one for one in among if one not in found and one.decision.outcome is Outcome.SUPERSEDE]
    corrections = len(planted) // 2
    pairs = len(plain)
    table = Table(
        "Conversations",
        f"LoCoMo open, {len(utterances):,} memories (turns and observations apart), each against its {_NEAREST} "
        f"nearest of the same speaker (all-MiniLM-L6-v2) and against what the claim index names; then {corrections} "
        f"facts and their corrections planted among them by a generator (seed {_SEED}).",
        ("pairs", "contradictions", "retired", "corrections", "found", "recall", "bystanders retired"),
        [
            (
                f"{pairs:,}",
                str(sum(one.decision.is_contradiction for one in plain)),
                str(len(retired)),
                str(corrections),
                str(len(found)),
                f"{len(found) / corrections:.3f}",
                str(len(bystanders)),
            )
        ],
    )
    goals = [
        Goal("LoCoMo: retirements", "0", str(len(retired)), not retired),
        Goal(
            "LoCoMo: planted corrections found",
            "0.90",
            f"{len(found) / corrections:.3f}",
            len(found) >= 0.9 * corrections,
        ),
        Goal("LoCoMo: bystanders retired", "0", str(len(bystanders)), not bystanders),
    ]
    planted_changes, goal = _judge_changes(utterances)
    return Report([table, planted_changes, _list_of(plain, bystanders)], [*goals, goal])


def _judge_changes(utterances: Sequence[Utterance]) -> tuple[Table, Goal]:
    """Plant changes of words that each speaker uses, and count what of the conversation one of them would retire."""
    choose, changes, compared, retired, marked = random.Random(_SEED), 0, 0, 0, 0
    for speaker in sorted({(one.conversation, one.speaker) for one in utterances}):
        texts = [one.text for one in utterances if (one.conversation, one.speaker) == speaker]
        claims = {text: extract_claims(text) for text in texts}
        words = sorted({word for text in texts for word in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}|\b[a-z]{5,}", text)})
        for number, word in enumerate(choose.sample(words, _CHANGES_EACH)):
            change = _CHANGES[number % len(_CHANGES)].format(S=speaker[1], A=word)
            after, changes = extract_claims(change), changes + 1
            for text in (one for one in claims if word in one):
                found = decide(*_PARTIES, claims[text], after, older_text=text, newer_text=change)
                compared += 1
                retired += found.outcome is Outcome.SUPERSEDE
                marked += found.outcome is Outcome.PARTIAL
    table = Table(
        "Planted changes",
        "Changes of words that a speaker of LoCoMo open uses, against all that this speaker says with the word; "
        "none of what is said there is about such a change.",
        ("changes", "memories compared", "retired", "a part marked as outdated"),
        [(str(changes), f"{compared:,}", str(retired), str(marked))],
    )
    return table, Goal("LoCoMo: retired by planted changes", "0", str(retired), not retired)


def _retires_older(one: Verdict) -> bool:
    return one.decision.outcome is Outcome.SUPERSEDE and one.decision.winner == "newer"


def _list_of(plain: Iterable[Verdict], bystanders: Iterable[Verdict]) -> Table:
    """List every contradiction by its ids: the texts are CC BY-NC and stay out."""
    rows = [
        (one.older.key, one.newer.key, one.decision.outcome.value, one.decision.basis, kind)
        for kind, verdicts in (("conversation", plain), ("bystander", bystanders))
        for one in verdicts
        if one.decision.is_contradiction
    ]
    headings = ("older", "newer", "outcome", "rule", "among")
    note = "Every pair of the conversations that is taken for one, by conversation and id; only `supersede` retires."
    return Table("Contradictions in the conversations", note, headings, rows or [tuple("-" for _ in headings)])


def _plant(utterances: Sequence[Utterance]) -> list[Utterance]:
    """Return facts and, after all of them, their corrections: one of each kind for each speaker."""
    choose = random.Random(_SEED)
    speakers = sorted({(one.conversation, one.speaker) for one in utterances})
    originals: list[Utterance] = []
    corrections: list[Utterance] = []
    for conversation, speaker in speakers:
        for number, (original, correction, values) in enumerate(_PLANTS):
            first, second = choose.sample(values, 2)
            key = f"{conversation}/{speaker}-{number}"
            for key_of, wording, sink in (
                (f"{key}-original", original, originals),
                (key, correction, corrections),
            ):
                text = wording.format(S=speaker, A=first, B=second)
                sink.append(Utterance(key_of, conversation, "plant", speaker, text, 0))
    first_order = len(utterances)
    return [one._replace(order=first_order + n) for n, one in enumerate((*originals, *corrections))]


def _embed(texts: Sequence[str]) -> Vectors:
    model = load_minilm(threads=2)
    vectors: list[list[float]] = []
    for begin in range(0, len(texts), _BATCH):
        vectors += model.embed_documents(list(texts[begin : begin + _BATCH]))
        print(f"LoCoMo: {len(vectors):,} of {len(texts):,} texts embedded", file=sys.stderr, flush=True)
    return np.asarray(vectors, dtype=np.float32)


def _judge(utterances: Sequence[Utterance], vectors: Vectors) -> Iterator[Verdict]:
    """Decide about every pair of near memories, each pair once; planted memories are near to those of both kinds."""
    groups: dict[tuple[int, str, str], list[int]] = {}
    for position, one in enumerate(utterances):
        for kind in ("turn", "obs") if one.kind == "plant" else (one.kind,):
            groups.setdefault((one.conversation, one.speaker, kind), []).append(position)
    seen: set[tuple[int, int]] = set()
    for members in groups.values():
        similar = vectors[members] @ vectors[members].T
        np.fill_diagonal(similar, -1.0)
        nearest = np.argsort(-similar, axis=1, kind="stable")[:, :_NEAREST]
        index, claims_of = ClaimIndex(), [extract_claims(utterances[one].text) for one in members]
        for row, claims in enumerate(claims_of):
            named = [int(one) for one in index.candidates(claims)]
            index.add(str(row), claims)
            for other in (*named, *(int(one) for one in nearest[row])):
                older, newer = sorted((members[row], members[other]))
                if (older, newer) not in seen:
                    seen.add((older, newer))
                    yield _decide(utterances[older], utterances[newer])


def _decide(older: Utterance, newer: Utterance) -> Verdict:
    decision = decide(
        _party(older),
        _party(newer),
        extract_claims(older.text),
        extract_claims(newer.text),
        older_text=older.text,
        newer_text=newer.text,
    )
    return Verdict(older, newer, decision)


def _party(one: Utterance) -> Party:
    """Return the status that all memories of a conversation have alike: only their time orders them."""
    return Party(Source.USER_ASSERTED, Validity.INFERRED, Utility.TACTICAL, at=START + one.order * timedelta(minutes=1))
