"""Tools by the purpose that one of them serves, and the words by which such a purpose is told (C-39, C-43).

"Tickets are tracked in Jira", "our issue tracker is Linear" and "Linear: issue tracking" tell one thing. Two tools of
one purpose exclude each other only where the purpose is told in words; "uses Sentry" tells none. Members are written
as in `terms.FAMILIES`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from .purpose import Purpose
from .tools_code import CODE
from .tools_office import OFFICE
from .tools_running import RUNNING
from .tools_styles import STYLES

PURPOSES: Final[dict[str, Purpose]] = {**RUNNING, **CODE, **OFFICE, **STYLES}
#: Names that are plain words as well, and so count only with a capital letter.
_PLAIN_WORDS: Final = frozenset(
    (
        "age aim alpine ant arc arch around artillery asana atlas atom awesome bamboo beacon bear bird black"
        " blue blueprint box brave buck buffer bundler bunny cadence caffeine capsule carbon cargo chef chroma"
        " chrome cinnamon clerk close coda comet command composer concourse conda consul copper cosmic craft"
        " cursor dash deel discord doppler dragonfly drone dynamics eclipse edge element elvish emotion ent"
        " evolution excel exposed factorial fake farm fish flipper flow foot foundation framer front futura"
        " gather georgia ghost goose greenhouse grok guru gusto hack harbor harvest hatch heap helix hyper"
        " ignite inter invoke jetty just kali kate keeper kestrel kitty kong lambda lean less lever linear"
        " locust looker maestro make mate matrix maven meet meson metro mint mirage mode monaco nano neo"
        " neptune nexus ninja nock notion opera orion otter outline outlook pact pants parcel payload penpot"
        " phaser phi photon phrase plaid plane polly pound prince prism provider pulse puma puppet quartz"
        " railway rake raygun relay render resend responses rev rider rippling rocket rye safari safe sage"
        " salt sanity segment semaphore sentry seq shortcut signal signals sketch slab spark split square"
        " squid standard steep strapi sublime superset surge swarm sway talos task teams tempo temporal"
        " terminator tex things timely trace travis unicorn unity unleash varnish vault victory void warp"
        " waterfall wave whisper wise word zed zen zinc zoom"
    ).split()
)
#: Of these families the members are plain words by themselves.
_OF_PLAIN_WORDS: Final = frozenset(("log level", "theme", "visibility", "merging", "indentation", "currency"))


class Tool(NamedTuple):
    """One written form: its families with its name in each, and whether it counts only with a capital letter."""

    names: tuple[tuple[str, str], ...]
    is_plain: bool


@cache
def tools() -> dict[tuple[str, ...], Tool]:
    """Word sequence -> the tool."""
    table: dict[tuple[str, ...], Tool] = {}
    for family, purpose in PURPOSES.items():
        for group in purpose.members.split():
            written = [name.replace("_", " ") for name in group.split("=")]
            if family == "naming":  # "snake_case" is one word
                written += [name for name in group.split("=") if "_" in name]
            for form in written:
                words = tuple(form.split())
                is_plain = form in _PLAIN_WORDS and family not in _OF_PLAIN_WORDS
                names = table[words].names if words in table else ()
                table[words] = Tool((*names, (family, written[0])), is_plain)
    return table


@cache
def first_words_of_tools() -> dict[str, int]:
    """The words that a tool begins with, each with the most words that such a tool has."""
    longest: dict[str, int] = {}
    for words in tools():
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest
