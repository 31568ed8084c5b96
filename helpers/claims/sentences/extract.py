"""Extract the claims of a text: cut it into sentences, labels, openings and clauses, and read each clause. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ...language.lexicon import ENGLISH, FIRST_PERSON, MEANWHILE
from ...language.modality import sentence_modality, word_modality
from ...language.openers import parse_opening
from ...language.segment import Sentence, parse_sentences, split_clauses
from ...language.tables import read_classes
from ...language.verbs import lemma_of
from ..clauses.clause_grammar import parse_group
from ..clauses.endings import ENDS_SLOT, SAYS_SLOT, context_of, in_context
from ..clauses.open_values import parse_identity
from ..clauses.predicates import Frame, Tokens
from ..coreference.situations import passes
from ..grammar.corrections import is_additive, is_bare_opener, parse_head, without_phrases
from ..model import Claim, Modality, Tense
from ..polarity.polar_claims import parse_polar_claims
from .conditionals import Conditional, parse_conditional
from .one_clause import find_entries, is_label, label_end, modality_of_label, parse_clause_claims, split_labels
from .restate import Restated, restate
from .rewrites import rewrite, without_limiting_modal

_WORDS: Final = read_classes(__file__)
#: The most claims of one memory that are returned.
MAX_CLAIMS: Final = 192
#: A message takes something back in so many first sentences, or not at all.
_OPENING_SENTENCES: Final = 2
_OPENING_CHARACTERS: Final = 400
#: A sentence of at most so many words beside a question is a greeting.
_SMALL_TALK_WORDS: Final = 3

_READABLE: Final = ENGLISH | {"no", *"=:-–—"}
#: The slots of what a clause says as a whole.
_OF_CLAUSE: Final = frozenset((SAYS_SLOT, ENDS_SLOT))


def is_question(text: str) -> bool:
    """Whether a text asks and states nothing: a greeting beside the question does not count."""
    sentences = parse_sentences(text)
    asks = [sentence for sentence in sentences if sentence_modality(sentence) is Modality.QUESTION]
    others = [s for s in sentences if s not in asks and len(s.tokens) > _SMALL_TALK_WORDS]
    return bool(asks) and not others


def is_correction(text: str) -> bool:
    """Whether the last sentence of a text opens or ends as a correction of something said, and adds nothing."""
    carried = corrects = False
    for sentence in parse_sentences(text):
        corrects = not is_additive(sentence.tokens) and (carried or sentence.corrects or _corrects(sentence.tokens))
        carried = is_bare_opener(sentence)
    return corrects


def takes_back(text: str, *, after_question: bool) -> bool:
    """Whether a message opens by taking back or refusing what it answers; a bare "no" may answer a question."""
    sentences = parse_sentences(text[:_OPENING_CHARACTERS])
    statements = [sentence for sentence in sentences if not is_bare_opener(sentence)]
    if not statements:
        return bool(sentences) and not after_question
    return any(
        (sentence.corrects or _corrects(sentence.tokens)) and sentence_modality(sentence) is not Modality.QUESTION
        for sentence in statements[:_OPENING_SENTENCES]
    )


def _corrects(tokens: Tokens) -> bool:
    return bool(tokens) and (
        parse_opening(without_phrases(tokens)[0]).correction
        or tokens[-1].low == "actually"
        or parse_head(tokens) is not None
    )


@lru_cache(maxsize=8_192)
def extract_claims(text: str, *, corrects: bool = False) -> tuple[Claim, ...]:
    """Return the claims of a text in its order; cached, because a text is compared with many others.

    With `corrects`, the whole text is known to be a correction although it does not say so.
    """
    frame = Frame(correction=corrects)
    claims: list[Claim] = []
    carried = False
    plain: Restated | None = None
    sentences = parse_sentences(text)
    for index, sentence in enumerate(sentences):
        if is_bare_opener(sentence):
            carried = True
            continue
        taken_back = False
        sentence = sentence.with_tokens(rewrite(sentence.tokens, "spans"))
        if _is_readable(sentence):
            stated, conditional = len(claims), parse_conditional(sentence.tokens)
            implied = _implied_claims(sentence, conditional, frame)
            stands = parse_polar_claims(sentence.with_tokens(rewrite(sentence.tokens, "states")), frame.me)
            sentence = sentence.with_tokens(without_limiting_modal(sentence.tokens))
            plain = restate(sentence.tokens, plain)
            corrected = carried or sentence.corrects
            read = _parse_plain(sentence, plain, frame._replace(correction=True) if corrected else frame)
            taken_back = plain.correction and not plain.tokens
            read = _gated(read, sentence)
            claims += _with_context(read, sentences[index : index + 2], frame.me)
            claims += stands
            if conditional is not None:
                claims[stated:] = [*_as_conditional(claims[stated:], conditional), *implied]
        carried = taken_back
        if len(claims) >= MAX_CLAIMS:
            break
    entries = find_entries(text)
    kept = claims if not entries else [claim for claim in claims if not any(a <= claim.start < b for a, b in entries)]
    return tuple(kept[:MAX_CLAIMS])


def _implied_claims(sentence: Sentence, conditional: Conditional | None, frame: Frame) -> list[Claim]:
    """Return the claims that a sentence makes only on a condition, as implied hypotheses."""
    is_told = conditional is not None and sentence_modality(sentence) in (Modality.FACT, Modality.HYPOTHESIS)
    if conditional is None or conditional.is_given or not is_told:
        return []
    result = sentence.with_tokens(conditional.consequence)
    read = _gated(_parse_sentence(result, frame), result)
    facts = (claim for claim in read if claim.modality is Modality.FACT and not claim.elliptical)
    return [
        replace(claim, modality=Modality.HYPOTHESIS, implied=True, correction=False, change=False) for claim in facts
    ]


def _as_conditional(claims: Sequence[Claim], conditional: Conditional) -> list[Claim]:
    """Return the claims of a conditional sentence: facts only if its condition is stated as a fact."""
    if not conditional.is_given:
        return [
            replace(claim, modality=Modality.HYPOTHESIS) if claim.modality is Modality.FACT else claim
            for claim in claims
        ]
    begin = conditional.condition[-1].end
    return [replace(claim, implied=True) if claim.start >= begin else claim for claim in claims]


def _with_context(claims: list[Claim], sentences: Sequence[Sentence], me: str) -> list[Claim]:
    """Return claims whose endings have the words of their sentence and the next one, which may tell the replacement."""
    if not any(claim.slot == ENDS_SLOT and claim.topic for claim in claims):
        return claims
    if any(token.low in MEANWHILE for token in sentences[0].tokens):
        return [claim for claim in claims if claim.slot != ENDS_SLOT]
    words = context_of((token for sentence in sentences for token in sentence.tokens), me)
    return [in_context(claim, words) if claim.slot == ENDS_SLOT and claim.topic else claim for claim in claims]


def _gated(claims: list[Claim], sentence: Sentence) -> list[Claim]:
    """Return the claims that hold as the whole sentence does; those read without a grammar of modality get its own."""
    if not claims:
        return claims
    is_passing, modality = passes(sentence.tokens), word_modality(sentence.tokens)
    kept = []
    for claim in claims:
        is_open = claim.loose or claim.change or claim.correction
        if is_passing and (claim.loose or (claim.time.tense is Tense.NOW and (is_open or not claim.scope))):
            continue
        is_weaker = is_open and modality is not Modality.FACT and claim.modality is Modality.FACT
        kept.append(replace(claim, modality=modality) if is_weaker else claim)
    return kept


def _is_readable(sentence: Sentence) -> bool:
    """Whether a sentence has a word of English grammar, an inflected verb, or one of a few base forms."""
    lows = [token.low for token in sentence.tokens]
    verbs = ((low, lemma_of(low)) for low in lows)
    return not _READABLE.isdisjoint(lows) or any(
        lemma and (low != lemma or low in _WORDS["english_verbs"]) for low, lemma in verbs
    )


def _parse_plain(sentence: Sentence, plain: Restated, frame: Frame) -> list[Claim]:
    """Return the claims of a sentence read in its plain form, with changes and corrections marked."""
    if plain.results:
        result = [c for result in plain.results for c in _parse_plain(sentence, Restated(result, change=True), frame)]
        stated = _parse_sentence(sentence, frame)
        known = {(claim.key, claim.value.norm, claim.loose) for claim in stated}
        return [
            *stated,
            *(c for c in result if c.slot not in _OF_CLAUSE and (c.key, c.value.norm, c.loose) not in known),
        ]
    if not (plain.change or plain.correction):
        return _parse_sentence(sentence.with_tokens(plain.tokens), frame)
    if not plain.tokens:
        return []
    inner = frame._replace(correction=frame.correction or plain.correction)
    claims = _parse_sentence(sentence.with_tokens(plain.tokens), inner)
    span = sentence.tokens[0].start, sentence.tokens[-1].end
    return [
        replace(claim, start=span[0], end=span[1], change=claim.change or (plain.change and claim.slot != SAYS_SLOT))
        for claim in claims
    ]


def _parse_sentence(sentence: Sentence, frame: Frame) -> list[Claim]:
    plain = rewrite(rewrite(sentence.tokens, "asides"), "labels")
    turned = rewrite(plain, "agents")
    if turned is not plain:
        plain = (turned[0]._replace(start=plain[0].start), *turned[1:])
    sentence = sentence.with_tokens(plain)
    modality = sentence_modality(sentence)
    frame = frame if frame.modality is modality else frame._replace(modality=modality)
    tokens = sentence.tokens
    facts = split_labels(tokens, frame) if modality is Modality.FACT else []
    if facts:
        return [claim for fact in facts for claim in _parse_fact(fact, frame)]
    if is_label(tokens, frame):
        return parse_clause_claims(tokens, frame, (), is_label=True)[0]
    frame, tokens = _parse_label(tokens, frame)
    return parse_identity(tokens, frame) or _parse_clauses(tokens, frame, modality)


def _parse_clauses(tokens: Tokens, frame: Frame, modality: Modality) -> list[Claim]:
    claims: list[Claim] = []
    inherited: Tokens = ()
    for clause in split_clauses(tokens):
        if clause.relative:
            continue
        read, inherited, frame = parse_clause_claims(clause.tokens, frame, inherited)
        claims += read
    if frame.modality is Modality.QUOTATION is not modality:
        return [replace(claim, modality=frame.modality) for claim in claims]
    return claims


def _parse_fact(tokens: Tokens, frame: Frame) -> list[Claim]:
    """Return the claims of one fact of a list, with the span of its item."""
    own = [token for token in tokens if token.end]
    claims = parse_clause_claims(tokens, frame, (), is_label=bool(label_end(tokens)))[0]
    begin = next((i for i in range(len(own) - 1, 0, -1) if own[i].start - own[i - 1].end > 1), 0)
    return [replace(claim, start=own[begin].start, end=own[-1].end) for claim in claims]


def _parse_label(tokens: Tokens, frame: Frame) -> tuple[Frame, Tokens]:
    """Read "TODO: ...", "Staging: ...", "Alice: I ...": a label in front of a sentence with a verb of its own."""
    cut = next((i for i, token in enumerate(tokens[:4]) if token.low == ":"), 0)
    if not cut or parse_group(tokens[:cut]) is not None or parse_group(tokens[cut + 1 :]) is None:
        return frame, tokens
    if parse_opening(tokens[: cut + 1]).correction:
        return frame, tokens
    label, rest = tokens[:cut], tokens[cut + 1 :]
    modality = modality_of_label(label)
    if modality is not None:
        return (frame._replace(modality=modality) if frame.modality is Modality.FACT else frame), rest
    is_speaker = any(token.low in FIRST_PERSON or token.low == "my" for token in rest)
    name = " ".join(token.low for token in label)
    return (frame._replace(me=name) if is_speaker else frame._replace(scope=(name,))), rest
