"""All tables of pairs that the rules were written against, and that hold them.

`CONTRADICTIONS`: (group, rule, older, newer). `HARMLESS`: (group, older, newer), no contradiction in either order.
"""

import pairs_apart
import pairs_coexist
import pairs_contradict
import pairs_named
import pairs_narrow
import pairs_phrases
import pairs_plain
import pairs_purposes
import pairs_states
import pairs_typed

CONTRADICTIONS = (
    *pairs_contradict.CONTRADICT,
    *pairs_contradict.WORLD,
    *pairs_contradict.IDENTITY,
    *pairs_contradict.WORDS,
    *pairs_plain.CONTRADICT,
    *pairs_named.CONTRADICT,
    *pairs_phrases.CONTRADICT,
    *pairs_purposes.CONTRADICT,
    *pairs_typed.CONTRADICT,
    *pairs_states.CONTRADICT,
    *pairs_apart.CONTRADICT,
    *pairs_narrow.CONTRADICT,
)
HARMLESS = (
    *pairs_coexist.COEXIST,
    *pairs_coexist.ADVERSARIAL,
    *pairs_coexist.WORLD,
    *pairs_coexist.IDENTITY,
    *pairs_coexist.WORDS,
    *pairs_plain.COEXIST,
    *pairs_named.COEXIST,
    *pairs_phrases.COEXIST,
    *pairs_purposes.COEXIST,
    *pairs_typed.COEXIST,
    *pairs_states.COEXIST,
    *pairs_apart.COEXIST,
    *pairs_narrow.COEXIST,
)
