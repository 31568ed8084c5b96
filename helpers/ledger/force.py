"""What saying a clause does: whether it asserts, asks, guesses, wishes, reports or supposes (T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from ..patterns import regex


class Force(StrEnum):
    """What saying a clause does."""

    ASSERTED = "asserted"
    CONDITIONAL = "conditional"
    REPORTED = "reported"
    WISHED = "wished"
    PAST = "past"
    CHOICE = "choice"
    HEDGED = "hedged"
    ASKED = "asked"


#: What opens a question that "yes" does not answer.
OPEN_QUESTION_WORDS = "what|which|who|whose|whom|where|when|why|how"

_CLAUSE_END = regex(
    r"[;,]\s+|[、，；]|\s(?:[-–—]\s|(?=(?:but|because|whereas|although|unless|if|whether)\s)|"
    r"and\s(?=(?:i|i'm|i've|i'd|we|we're|he|she|it|they|you|my|our|the|his|her|their|its|there|that|this|"
    r"need|want|would|plan|hope|am)\b))",
    re.IGNORECASE,
)

_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|shall|may|might|must|isn't|aren't|don't|"
    r"doesn't)"
)
_PRONOUN = r"(?:i|you|we|they|he|she|it|the|my|our|your|this|that|these|those|there|any|anyone|anybody)"
_QUESTION_OPENING = regex(
    rf"\s*(?:(?:and|so|but|ok|okay|hey|hi|also|well|now|then|please|btw)[,\s]+)*(?:"
    rf"(?:which|who|whose|whom)\b|why\b|any\s+idea\b|"
    rf"(?:what|how)(?:\s+(?!{_PRONOUN}\b)\w+){{0,2}}\s+(?:{_AUXILIARY}|about|many|much|to|come|if)\b|"
    rf"(?:where|when)\s+(?:{_AUXILIARY}|to)\b|{_AUXILIARY}\s+{_PRONOUN}\b|(?:am|had)\s+i\b|"
    # Without a mark at its end: "does redis persist its data".
    r"(?:does|did|is|are|was|were|can|could|should|would|shall|will)\s+(?!born\b|do\b|is\b|has\b)\w(?!.*[.!]\s*$)|"
    r"هل\s)",
    re.IGNORECASE,
)
_QUESTION_END = regex(r"[?？؟][\s\"')*_]*$|(?:か|吗|嗎|呢)[\s。.]*$")
_EMBEDDED_QUESTION = regex(
    r"\b(?:check|see|find\s+out|verify|figure\s+out|look\s+up|tell\s+me|test|determine|investigate|confirm|know|wonder|"
    r"wondering|ask|asking|remind\s+me|decide|curious|sure|explain|show\s+me|remember|idea)\s+(?:\w+\s+){0,3}?"
    r"(?:if|whether|what|which|who|where|when|why|how)\b",
    re.IGNORECASE,
)
# A guess about the whole sentence, wherever it stands, and a guess about what follows it.
_WIDE_HEDGE = regex(
    r"\b(?:not\s+(?:\w+\s+)?sure|unsure|uncertain|no\s+(?:idea|clue)|(?:don't|do\s+not)\s+know|i\s+forgot|i\s+doubt|"
    r"(?:can't|don't|do\s+not)\s+remember|(?:i|we)\s+(?:guess|suppose|reckon|assume)|(?:i'm|my)\s+guess(?:ing)?|"
    r"if\s+i\s+(?:remember|recall)|(?:as|so)\s+far\s+as\s+(?:i|we)|iirc|afaik|imo|imho|what\s+if|undecided|"
    r"not\s+decided|suppose|supposing|imagine|assuming|assume|hypothetically|supposedly|pretend|let's\s+say|"
    r"if\s+\w+\s+(?:were|used|had|moved|switched|would)|i\s+(?:fear|suspect)|never\s+said|you\s+(?:said|keep)|"
    r"(?:i'm|i\s+am|we're|we\s+are)\s+(?:\w+\s+)?(?:worried|afraid|concerned)\s+(?:that|the|it|my|our|they|he|she)|"
    # What is taken back: "forget that ...", "it is wrong that ...".
    r"(?<!n't\s)(?<!not\s)forget\s+(?:that|about|what)|stop\s+(?:saying|telling)|"
    r"(?:delete|remove|erase)\s+(?:the|that|this|all|any|every)\s+(?:memory|memories|note|fact)|"
    r"it(?:'s|\s+is)\s+(?:wrong|false|not\s+true|untrue|incorrect)\s+that)\b|[,;]\s+i\s+(?:think|believe)\W*$|"
    r"^\W*that\s.*\bis\s+(?:wrong|false|not\s+true|untrue|incorrect)\b|"
    r"^\W*(?:say|picture)\s+(?:i|we|he|she|they|it|the|my|our)\b",
    re.IGNORECASE,
)
_HEDGE = regex(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|might|could\s+be|may\s+be(?!\s+\w+ed\b)|seems?|apparently|"
    r"(?:i|we)\s+(?:think|thought|believe)|would\s+be|would\s+have|would\s+say|torn\s+between|"
    r"(?:we|i)'d\s+(?!like\b|prefer\b|rather\b|love\b|want\b)|(?:choosing|deciding)\s+between|"
    r"vielleicht|wahrscheinlich|vermutlich|möglicherweise|ich\s+(?:glaube|denke)|glaube\s+ich|peut-être|probablement|"
    r"je\s+(?:crois|pense)|quizás?|tal\s+vez|probablemente|creo\s+que|forse|probabilmente|credo|talvez|acho\s+que|"
    r"(?<=^)(?:guess|think|suppose)(?!\s+(?:what|of|about))|misschien|waarschijnlijk|наверное|возможно|может\s+быть|ربما|"
    # What is only thought about.
    r"(?:überlege|überlegen)\b.*\bob|(?:am|beim)\s+überlegen|dándole\s+vueltas|pensando\s+(?:en|em)|stiamo\s+pensando|"
    r"sto\s+pensando|(?:on|j)'?\s*hésite|(?:on|je)\s+pense\s+à|denk(?:en)?\s+erover)\b|かもしれ|たぶん|多分|と思|でしょう|也许|大概|可能",
    re.IGNORECASE,
)
_REPORT = regex(
    r"(?<![\w'])(?!(?:that|who|which|i|we|i've|we've|have|had|just|once|also|always|already|before|never|not|to|"
    r"can|can't|cannot|could|couldn't|do|don't|did|didn't|will|would|should|please)\b)[\w']+\s+"
    r"(?:(?:once|just|also|always|already)\s+)?"
    r"(?:said|says|told\s+(?:me|us)|claims?|claimed|thinks?|believes?|suggests?|suggested|recommends?|recommended|"
    r"reckons?|insists?|insisted|mentioned|argues?|argued|wrote|states?)\b|\baccording\s+to\b|\brumou?r|"
    r"\b(?:i|we|user)\s+(?:once\s+)?(?:heard|read|was\s+told|were\s+told|saw\s+(?:that|somewhere))\b",
    re.IGNORECASE,
)
_CONDITION = regex(
    r"\s*(?:(?:but|and|so|then)\s+)?(?:(?:if|unless|in\s+case)\b(?!\s+(?:possible|needed|necessary|not|so|any|"
    r"(?:that|it|this)\s+(?:matters|helps|is\s+(?:relevant|important|ok|okay))|"
    r"you\s+(?:wonder|want|like|need|ask|are|can|could|don't|would|know|see|have|must))\b)|(?:wenn|falls)\b)",
    re.IGNORECASE,
)
_CONDITION_WORD = regex(r"\b(?:if|when|whenever|unless|in\s+case|before|after|wenn|falls)\b", re.IGNORECASE)
_WISH = regex(
    r"\b(?:(?:want|wants|wanted)(?!\s+to\s+(?:tell|let|say|share|mention|ask)\b)|wanna|would\s+like|hoping|intend|"
    r"'d\s+(?:like|love|prefer|rather)|(?:i|we)\s+(?:really\s+|also\s+|still\s+)?(?:wish|hope|need|plan)|need\s+to|"
    r"considering|thinking\s+(?:of|about)|toying\s+with|looking\s+(?:for|into)|planning|plans?\s+to|should|ought\s+to|"
    r"going\s+to\s+(?:be|become|buy|switch|move|migrate|use|try|get|start|change|replace|learn|build)|gonna|to-?do\s*:|dream|apply(?:ing)?\s+for|tr(?:y|ying|ied)\s+to|failed\s+to|forgot\s+to|almost|nearly)\b|"
    r"^\W*wish\b|\b(?:queria|quería|querría|quisiera|me\s+gustaría|gostaria|adoraria|ojalá|oxalá|tomara|j'aimerais|"
    r"je\s+voudrais|hätten?\s+gern|würden?\s+gern|wünschte|vorrei|vorremmo|mi\s+piacerebbe|zou(?:den)?\s+graag)\b",
    re.IGNORECASE,
)
_WISH_WORD = regex(
    r"\b(?:want|wants|wanted|wishe?s?|hopes?|plans?|planning|planned|intends?|considers?|considering|thinking|looking|"
    r"going\s+to|should|ought|needs?|needed|asks?|asked|request(?:s|ed)?|prefers?|preferred|goal|aims?|aspires?|"
    r"offer(?:s|ed)|interested|requires?|must|will|would|expects?|instruct(?:s|ed)?|"
    r"dreams?|appl(?:y|ies|ied|ying)|tr(?:y|ies|ied|ying)|failed|forgot|almost|nearly)\b",
    re.IGNORECASE,
)
_PAST = regex(
    r"(?<!is )(?<!are )(?<!'m )(?<!am )\bused\s+to\s+(?!\w+ing\b)|"
    r"\b(?:i|we|he|she|they|it)\s+(?:once\s+|previously\s+|formerly\s+)?(?:lived|worked|studied|owned|had(?!\s+to)|used)\b|"
    r"(?:'ve|have|has)\s+been\b.*\buntil\b|\b(?:formerly|previously|in\s+the\s+past|back\s+then|in\s+those\s+days)\b|"
    r"\b(?:was|were)\s+(?!(?!old\b|cold\b)\w+(?:ed|en|wn|ne|nt|ld|lt|id|ght)\b|born\b|made\b|set\b|put\b|not\b)",
    re.IGNORECASE,
)
_PAST_WORD = regex(
    r"\b(?:was|were|had|ago|until|once|formerly|previously|used\s+to|past|last|\w{3,}ed|took|got|went|met|won|made|came|"
    r"gave|found|saw|wrote|bought|sold|ran|began|told|said|lost|left|kept|felt|held|sent|spent|grew|drove|ate|fell|flew)\b",
    re.IGNORECASE,
)
CHOICE = regex(r"\b(?:or|oder|ou)\s+(?!so\b)\w", re.IGNORECASE)
_REQUEST = regex(
    r"\s*(?:(?:please|now|then|ok|okay|hey|hi|so|and|also|just|first|next|thanks|could\s+you|can\s+you)[,\s]+)*"
    r"(?:(?:find|search|look\s+(?:for|up|at)|google|give|tell|fetch|create|write|make(?!\s+sure\b)|generate|download|"
    r"explain|summari[sz]e|recommend|suggest|calculate|add|install|translate|compose|invent|pick|choose)\b|"
    r"(?:check|list|draft|open|run|compare|compute|print|read|design|implement|convert|draw|send|book|order|schedule|"
    r"prepare|show|test)\s+(?:me|us|him|her|them|the|an?|this|that|these|it|all|some|my|our|for|up|out|\d+|two|three)\b)",
    re.IGNORECASE,
)

# How a memory must be worded for a clause of this force to be what it says; a guess and a question never are.
_ACCEPTED = {
    Force.CONDITIONAL: _CONDITION_WORD,
    Force.REPORTED: _REPORT,
    Force.WISHED: _WISH_WORD,
    Force.PAST: _PAST_WORD,
    Force.CHOICE: CHOICE,
}


def accepts(memory_sentence: str, force: Force) -> bool:
    """Whether a clause that does not plainly assert can be what a memory says in these words."""
    wording = _ACCEPTED.get(force)
    return wording is not None and wording.search(memory_sentence) is not None


def is_question(sentence: str) -> bool:
    """Whether `sentence` asks something, with or without its question mark."""
    return _QUESTION_END.search(sentence) is not None or _QUESTION_OPENING.match(sentence) is not None


def is_hedged(sentence: str) -> bool:
    """Whether `sentence` says that it is a guess."""
    return _HEDGE.search(sentence) is not None


def is_request(clause: str) -> bool:
    """Whether `clause` asks for something to be found or made."""
    return _REQUEST.match(clause) is not None


def split_clauses(sentence: str) -> list[str]:
    """Return the clauses of `sentence` in order."""
    return [clause for clause in _CLAUSE_END.split(sentence) if clause.strip()]


def read_forces(sentence: str, clauses: Sequence[str], *, is_told: bool = False) -> list[Force]:
    """Return the force of each of the `clauses` of `sentence`; `is_told` takes a question for what it asks."""
    asking = len(clauses) if is_told else _first_asking(sentence, clauses)
    told = sentence if asking == len(clauses) else sentence[: sentence.find(clauses[asking])]
    if _WIDE_HEDGE.search(told):
        forces = [Force.HEDGED] * asking
    elif _REPORT.search(told):
        forces = [Force.REPORTED] * asking
    else:
        forces = [_clause_force(clause) for clause in clauses[:asking]]
        _spread(forces, Force.HEDGED)
        if not is_told:
            _spread_conditions(sentence, clauses, forces)
        elif Force.CHOICE in forces:
            # "The port is 9000, or is it 8443?" - "yes"
            forces = [Force.CHOICE] * asking
    return forces + [Force.ASKED] * (len(clauses) - asking)


def _first_asking(sentence: str, clauses: Sequence[str]) -> int:
    """Return where the question begins in `clauses`: what stands before "can you ...?" is not asked but told."""
    if is_question(sentence):
        return next((position for position, one in enumerate(clauses) if _QUESTION_OPENING.match(one)), 0)
    embedded = _EMBEDDED_QUESTION.search(sentence)
    if embedded is None:
        return len(clauses)
    begins = [sentence.find(one) for one in clauses]
    return max(position for position, begin in enumerate(begins) if begin <= embedded.start())


def _clause_force(clause: str) -> Force:
    if _CONDITION.match(clause):
        return Force.CONDITIONAL
    if _HEDGE.search(clause):
        return Force.HEDGED
    if is_request(clause) or _WISH.search(clause):
        return Force.WISHED
    if _PAST.search(clause):
        return Force.PAST
    return Force.CHOICE if CHOICE.search(clause) else Force.ASSERTED


def _spread(forces: list[Force], force: Force) -> None:
    """Give what follows the first clause of this force the same force."""
    if force in forces:
        begin = forces.index(force)
        forces[begin:] = [force] * (len(forces) - begin)


def _spread_conditions(sentence: str, clauses: Sequence[str], forces: list[Force]) -> None:
    """Make a condition cover what follows it, and what stands directly before it: "we move if ..."."""
    if Force.CONDITIONAL not in forces:
        return
    begin = forces.index(Force.CONDITIONAL)
    _spread(forces, Force.CONDITIONAL)
    before = sentence[: sentence.find(clauses[begin])].rstrip()
    if begin and (begin == len(forces) - 1 or not before.endswith((",", ";"))):
        forces[begin - 1] = Force.CONDITIONAL
