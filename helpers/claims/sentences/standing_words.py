"""The words of what stands: states, permissions, duties and wishes, in whatever order they are told (C-40)."""

from __future__ import annotations

from typing import Final

from ..clauses.state_words import ACTS, STATES, State
from ..grammar.topics import stem


def _table(rows: dict[str, dict[str, str]]) -> dict[str, tuple[State, ...]]:
    table: dict[str, tuple[State, ...]] = {}
    for slot, values in rows.items():
        for value, written in values.items():
            for phrase in written.split("|"):
                words = phrase.strip()
                table[words] = (*table.get(words, ()), (slot, value))
    return table


#: After "is", beside the words of `STATES`.
_BEING: Final = _table(
    {
        "operation": {
            "yes": "in operation|operational|in use|in service|up and running|running"
            "|in production use|active|maintained"
            "|actively maintained|actively developed|under active development|supported|alive",
            "no": "closed down|shut down|out of operation|out of use|disused|decommissioned|retired|discontinued|gone"
            "|defunct|dead|dismantled|mothballed|wound down|archived|unmaintained|abandoned|dissolved|scrapped"
            "|no more|history|out of service|switched off|turned off|taken offline|unused|sunset|end-of-life",
        },
        "enabled": {
            "on": "armed|turned on|switched on|on|enabled|activated"
            "|live|switched back on|turned back on|back on|in force",
            "off": "disarmed|turned off|switched off|off|disabled"
            "|deactivated|suspended|skipped|muted|silenced|out of action",
        },
        "working": {
            "yes": "green|working|fixed|repaired|in order|passing|healthy|back to normal|mended|stable|intact|sound"
            "|in working order|working fine|up and running",
            "no": "broken|red|failing|out of order|defective|faulty|damaged|kaputt|on the blink|malfunctioning|flaky"
            "|unstable|corrupted|corrupt|broken down|not working",
        },
        "solution": {
            "yes": "fixed|resolved|solved|closed|sorted out|cleared up|dealt with|taken care of|patched|remedied",
            "no": "open|unresolved|unsolved|unfixed|ongoing|outstanding|still there|reproducible|unaddressed|pending",
        },
        "course": {
            "open": "to come|still to come|not started|outstanding|upcoming|planned|ahead|pending|scheduled|to do",
            "ongoing": "in progress|ongoing|underway|under way|in full swing|resumed|active|going on|continuing",
            "done": "done|over|finished|completed|complete|behind us|through|concluded|wrapped up|all done|ended",
            "paused": "on hold|paused|suspended|on ice|shelved|frozen|halted|stalled|at a standstill|interrupted",
            "cancelled": "cancelled|canceled|called off|abandoned|scrapped|off|dropped|aborted|axed|not happening",
        },
        "decision": {
            "open": "pending|under review|undecided|being processed|in review|in the works|awaiting a decision"
            "|with the bank|being considered|outstanding|submitted",
            "yes": "approved|granted|accepted|through|issued|confirmed|signed off|given the go-ahead|waved through",
            "no": "rejected|denied|declined|refused|turned down|knocked back|dismissed",
        },
        "openness": {
            "open": "open source|open-source|open sourced|open-sourced|public|publicly available|publicly readable",
            "closed": "closed|closed source|closed-source|proprietary|private|internal|behind a login|confidential"
            "|restricted|secret",
        },
        "maturity": {
            "early": "in beta|in alpha|experimental|a prototype|in preview|beta|alpha|in public beta|in private beta"
            "|an early preview|a proof of concept",
            "ready": "generally available|ga|stable|production-ready|out of beta|production ready"
            "|in general availability",
        },
        "filling": {
            "free": "vacant|unfilled|empty|unoccupied|untenanted|without a tenant|up for rent|unlet",
            "taken": "filled|taken|occupied|rented out|let|rented|staffed|leased|let out|inhabited",
        },
        "stay in hospital": {
            "in": "in hospital|in the hospital|hospitalised|hospitalized|in intensive care|in the icu|on the ward",
            "out": "out of hospital|out of the hospital|discharged|discharged from hospital"
            "|discharged from the hospital"
            "|released from hospital|released from the hospital|home from hospital|home from the hospital",
        },
        "whereabouts": {
            "repair": "at the repair shop|in repair|being repaired|in for repair|at the garage|at the mechanic's"
            "|at the workshop|being serviced|in the workshop",
            "back": "back|back from the repair shop|back from repair|back from the garage|back home",
        },
        "ownership": {"shared": "shared|communal|joint|shared by all teams", "own": "separate|individual|dedicated"},
        "pregnancy": {"yes": "pregnant|expecting|expecting a baby|expecting a child", "no": "not pregnant"},
        "bond": {
            "single": "single|unattached|a bachelor|not in a relationship",
            "engaged": "engaged|betrothed|getting married",
            "married": "married|wed",
            "divorced": "divorced|separated|split up",
            "widowed": "widowed|a widow|a widower",
        },
        "working life": {
            "works": "employed|self-employed|in work|working full-time|working part-time|working full time",
            "none": "unemployed|out of work|jobless|retired|between jobs|out of a job|on the dole|a pensioner",
        },
        "debt": {"yes": "in debt|indebted", "no": "debt-free|free of debt|out of debt"},
        "way of working": {
            "remote": "remote|fully remote|remotely|from home|fully remotely",
            "office": "in the office|on site|on-site|from the office|at the office|back in the office",
        },
        "punctual": {"yes": "on time|on schedule|on track", "no": "late|delayed|behind schedule|overdue|running late"},
        "packing": {"yes": "full|fully booked|booked out|sold out|booked up", "no": "empty|half empty|bookable"},
        "fear": {"yes": "afraid|scared|terrified|frightened", "no": "fearless|unafraid|no longer afraid"},
        "tolerance": {
            "no": "allergic|intolerant|hypersensitive",
            "yes": "tolerant|not allergic",
        },
        "possession": {
            "in transit": "on order|on back order|ordered|on its way"
            "|on the way|in transit|in the post|shipped|dispatched"
            "|being delivered|not here yet",
            "here": "delivered|here|received",
            "back": "returned|sent back|refunded",
        },
        "choice": {"open": "undecided|unsettled|up in the air|unclear", "made": "decided|settled|agreed|fixed"},
    }
)
#: Verbs that tell a state without "is": what happened, or what goes on.
TELLING: Final = _table(
    {
        "operation": {
            "no": "closed its doors|shut its doors|closed down|shut down|ceased operations|went out of business"
            "|went bankrupt|was archived|was closed down|was shut down|gets no more updates|reached end of life"
            "|was decommissioned|was retired|was dissolved|was discontinued|was scrapped|was dismantled",
            "yes": "reopened|operates|was reopened|went back into operation|was revived|was recommissioned",
        },
        "open": {"yes": "reopened|was reopened|opened again|opened its doors again"},
        "course": {
            "ongoing": "resumed|restarted|is resumed|was resumed|continues|picked up again|was restarted|started"
            "|began|kicked off|has begun|is back on|got going again|was taken up again",
            "done": "was done|was completed|was finished|took place|went well|came to an end|was concluded|ended"
            "|is behind us|was wrapped up|finished|wrapped up|concluded|went smoothly",
            "cancelled": "was cancelled|was canceled|was called off|was abandoned|was scrapped|fell through|was dropped"
            "|was axed|was aborted|is not going ahead|is not taking place|was cancelled permanently",
            "paused": "was paused|was put on hold|is put on hold|was suspended|was shelved|was frozen|was halted"
            "|stalled|was interrupted|ground to a halt",
        },
        "decision": {
            "yes": "was approved|was granted|came through|was accepted|was issued|was signed off|went through",
            "no": "was rejected|was denied|was declined|was refused|was turned down",
            "open": "not come through|not decided|not approved|not granted|not issued|not come through yet",
        },
        "solution": {
            "yes": "was fixed|was resolved|was solved|was closed|was patched|was sorted out"
            "|was cleared up|was dealt with"
            "|disappeared|is gone|went away|cleared up|gone|vanished|gone completely|gone away|healed|subsided",
            "no": "was reopened|persists|came back|resurfaced|still occurs|still exists|remains open|keeps coming back",
        },
        "working": {
            "yes": "was repaired|was fixed|was mended|works|works again|works fine|was brought back up|recovered",
            "no": "broke|broke down|crashed|stopped working|gave up the ghost|failed|was damaged|packed up|not work",
        },
        "maturity": {
            "ready": "reached general availability|left beta|went ga|came out of beta|graduated from beta"
            "|was released to everyone|was declared stable|became generally available|was declared production-ready",
        },
        "enabled": {
            "off": "was disabled|was turned off|was switched off|was deactivated|was skipped|was suspended|was muted",
            "on": "was enabled|was turned on|was switched on|was activated|was re-enabled|was reactivated|was unmuted",
        },
        "openness": {
            "open": "was open-sourced|was open sourced|was made public|was published",
            "closed": "was made private|was closed|was taken private",
        },
        "filling": {
            "free": "stands empty|sits empty|lies empty|became vacant|fell vacant|is left empty|was vacated",
            "taken": "was filled|was let|was rented out|was occupied|was leased",
        },
        "stay in hospital": {
            "out": "was discharged|was discharged from hospital|was discharged from the hospital|left hospital"
            "|left the hospital|came home from hospital|came home from the hospital|was released from hospital"
            "|was released from the hospital|was allowed home",
            "in": "was admitted to hospital|was taken to hospital|was hospitalised|was hospitalized"
            "|was admitted to the hospital|was rushed to hospital",
        },
        "life": {
            "no": "passed away|died|was killed|was put down|was put to sleep|perished",
        },
        "pregnancy": {"no": "gave birth|gave birth to|had her baby|was delivered of|delivered", "yes": "is expecting"},
        "bond": {
            "none": "broke off the engagement|broke off their engagement|called off the engagement",
            "married": "got married|tied the knot|married",
            "divorced": "got divorced|was divorced|split up|separated|broke up",
        },
        "way of working": {
            "remote": "works from home|works remotely|works fully remote|works fully remotely|works entirely remotely"
            "|works only from home|works exclusively from home",
            "office": "works on site|works in the office|works from the office|works at the office"
            "|returned to the office"
            "|went back to the office",
        },
        "working life": {
            "none": "retired|took retirement|lost his job|lost her job|lost their job|was made redundant|was laid off"
            "|became unemployed|took early retirement|stopped working|no longer works",
        },
        "possession": {
            "here": "arrived|was delivered|turned up|was received",
            "back": "was returned|was sent back|was refunded",
        },
        "household": {
            "alone": "lives alone|lives by himself|lives by herself|lives on his own|lives on her own"
            "|lives by themselves"
            "|lives on their own|is living alone|lives all alone",
        },
        "health": {
            "yes": "recovered|got better|got well|recovered fully|is well again",
            "no": "fell ill|got sick|fell sick",
        },
        "debt": {"no": "paid off all debts|cleared all debts|paid off all his debts|paid off all her debts"},
    }
)
#: Words after "is" -> (slot, value).
BEING: Final = {
    **STATES,
    **{words: tuple({**dict(STATES.get(words, ())), **dict(states)}.items()) for words, states in _BEING.items()},
}
#: Past forms after "we" or "the user" -> the state of their object.
DONE_TO: Final = {
    **{word: BEING.get(word, states) for word, states in ACTS.items()},
    **_table(
        {
            "operation": {
                "no": "shut down|closed down|decommissioned|retired|discontinued|dismantled|mothballed|scrapped"
                "|wound down|sunset|took offline|took down",
                "yes": "revived|recommissioned|brought back|relaunched",
            },
            "course": {
                "done": "completed|finished|concluded|wrapped up|got done with|finalised|finalized|carried out",
                "cancelled": "cancelled|canceled|called off|abandoned|scrapped|dropped|aborted",
                "paused": "paused|put on hold|suspended|shelved|interrupted",
                "ongoing": "resumed|restarted|started|began|picked up again|took up again|has begun|embarked on",
                "open": "not started|not begun|not yet started",
            },
            "possession": {
                "in transit": "is waiting for|awaits|is awaiting|waits for|ordered",
                "here": "received|picked up|collected|took delivery of",
                "back": "returned|sent back|gave back",
            },
            "search": {
                "yes": "is looking for|is searching for|is hunting for"
                "|is on the lookout for|seeks|is seeking|looks for",
                "no": "found|got hold of|landed|came across",
            },
            "buying": {
                "open": "is saving for|is saving up for|is thinking about buying|is shopping for|saves up for",
                "done": "bought|purchased|acquired",
            },
            "living together": {
                "yes": "lives with|is living with|is staying with|stays with|shares a flat with|moved in with"
                "|shares the flat with|lives together with",
                "no": "moved out of|moved out from|not lives with|not live with|not shares a flat with|moved away from",
            },
            "choice": {"made": "decided on|settled on|chose|opted for|picked|went for"},
            "solution": {"yes": "fixed|resolved|solved|sorted out|cleared up|patched"},
            "working": {"yes": "repaired|fixed|mended|got going again|brought back up", "no": "broke|smashed|wrecked"},
        }
    ),
}
#: The lesser of two values -> the other one, which it denies.
GREATER: Final = {"no": "yes", "off": "on", "out": "in"}
#: Words that tell one thing from the one that took its place.
EARLIER: Final = frozenset(
    "old former previous legacy second first other others another new next last original".split()
)
#: Words of a topic with one meaning.
SYNONYMS: Final = {
    stem(form): stem(word)
    for word, written in {
        "father": "dad daddy papa",
        "mother": "mum mom mummy mommy mama",
        "grandmother": "gran grandma granny nan",
        "grandfather": "grandpa granddad grandad",
        "bicycle": "bike",
        "motorcycle": "motorbike",
        "flat": "apartment",
        "film": "movie",
        "television": "tv telly",
        "car": "automobile",
        "photo": "picture photograph",
        "holiday": "vacation",
        "cilantro": "coriander",
        "autoscale": "autoscaler autoscaling",
        "reply": "answer response respond",
        "function": "method",
        "allow": "permit",
        "enter": "access",
        "surgery": "operation",
        "phone": "smartphone cellphone mobile",
        "fridge": "refrigerator",
        "sweet": "candy",
        "sofa": "couch",
        "garden": "yard",
        "lift": "elevator",
        "test": "exam",
        "visa": "visum",
        "explain": "explanation",
        "india": "indian",
        "norway": "norwegian",
        "japan": "japanese",
        "sign": "signature",
    }.items()
    for form in written.split()
}
#: Words of a topic that tell nothing: who speaks, and how far it goes.
EMPTY: Final = frozenset(
    "user assistant we you agent one i everyone everybody everything everywhere nobody somebody people behalf"
    " entire whole completely entirely fully totally altogether permanently wholly own so far there"
    " yet again never not until very quite rather somewhat absolutely generally strictly"
    " please case occasion kind sort time"
    " moment morning today year total principle himself herself itself themselves ever anything something actively"
    " finally successfully officially publicly longer long since day date now".split()
)
#: After "all" these say how far something goes, and not of what it is told.
UNIVERSAL: Final = frozenset(
    "user users customer customers repository repositories repo repos app apps people kind kinds sort sorts type types"
    " device devices member members staff case cases time times environment environments thing things day days".split()
)
#: A clause with one of these is left to the other readers.
OPEN: Final = frozenset(
    "if unless whether except or nor either neither could would might else than"
    " sometimes occasionally usually often rarely mostly mainly partly partially temporarily half almost nearly"
    " both also too maybe perhaps probably likely today tonight tomorrow yesterday during while when whenever where"
    " before once hardly seldom normally".split()
)
