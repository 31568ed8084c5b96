"""Pairs made by crossing every slot's wordings with another subject, environment, project, time and modality (C-43).

A family lists the wordings of one slot with `{S}` for the subject and `{V}` for the value. `contradictions` crosses the
wordings of one subject with two values; `harmless` changes one thing at a time that makes the pair harmless.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Family(NamedTuple):
    """Wordings of one slot, two subjects that differ, two values that differ, and one wording in the plain present."""

    slot: str
    wordings: tuple[str, ...]
    subjects: tuple[str, str]
    values: tuple[str, str]


CASES = tomllib.loads(Path(__file__).with_name("cases").joinpath("crossing.toml").read_text("utf-8"))
FAMILIES = [Family(*row) for row in CASES["families"]]
#: What is said of the second value says nothing against the first. `{T}` is the sentence, `{t}` without its capital.
HARMLESS_FRAMES = CASES["harmless_frames"]


def _sentence(wording: str, subject: str, value: str) -> str:
    text = wording.format(S=subject, V=value)
    return text[0].upper() + text[1:]


def contradictions() -> Iterator[tuple[str, str, str]]:
    """(slot, older, newer): every wording against every wording, with another value."""
    for family in FAMILIES:
        subject = family.subjects[0]
        for first in family.wordings:
            for second in family.wordings:
                yield (
                    family.slot,
                    _sentence(first, subject, family.values[0]),
                    _sentence(second, subject, family.values[1]),
                )


def harmless() -> Iterator[tuple[str, str, str]]:
    """(slot, older, newer): the same crossing, with one thing changed that makes it harmless."""
    for family in FAMILIES:
        mine, other = family.subjects
        for wording in family.wordings:
            older = _sentence(wording, mine, family.values[0])
            newer = _sentence(wording, mine, family.values[1])
            for second in family.wordings:
                yield family.slot, older, _sentence(second, other, family.values[1])
                yield family.slot, older, _sentence(second, mine, family.values[0])
            small = newer if newer.startswith(("Bob", "I ")) else newer[0].lower() + newer[1:]
            for frame in HARMLESS_FRAMES:
                yield family.slot, older, frame.format(T=newer, t=small)
