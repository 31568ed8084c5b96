"""The hash chain: what it covers, and that nothing can be altered unseen (Q-31, T-30)."""

import json
from dataclasses import replace

import pytest
from core_tools import NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.quality.chain import (
    GENESIS,
    ChainHead,
    Core,
    bury,
    canonical,
    core_of,
    describe,
    digest,
    digest_of,
    end_of,
    erase_from,
    make_lines,
    split,
    stated_in,
    verify,
)

CORES = [
    Core(f"m{number}", f"text {number}", "2026-03-01T12:00:00+00:00", "fact", "user_asserted") for number in range(4)
]


class Keys:
    """A key that everybody can read, and salts that are counted."""

    count = 0

    def sign(self, data: bytes) -> dict[str, str]:
        return {"value": digest(b"secret" + data)}

    def check(self, data: bytes, signature) -> str | None:
        return None if signature == self.sign(data) else "does not fit"

    def digest(self, data: bytes) -> str | None:
        return f"keyed:{digest(b'another secret' + data)}"

    def salt(self) -> str:
        self.count += 1
        return str(self.count)


KEYS = Keys()


def first_of(report):
    return next(iter(report.in_order), None)


def lined(bodies, head=None) -> tuple[bytes, ChainHead]:
    lines, head = make_lines(head or ChainHead(count=0, digest=GENESIS), bodies, at=NOW.isoformat(), keys=KEYS)
    return b"".join(line + b"\n" for line in lines), head


def chained(cores=CORES, gone=()) -> tuple[bytes, ChainHead]:
    return lined([*(describe(one, KEYS) for one in cores), *map(bury, gone)])


def verified(data: bytes, head: ChainHead | None = None, cores=CORES):
    by_id = {one.id: one for one in cores}
    return verify(data, head, by_id.get, keys=KEYS)


def test_an_untouched_chain_holds() -> None:
    """Q-31: and every memory has its line, in order, each naming the one before it."""
    data, head = chained()
    report = verified(data, head)
    assert report.is_intact and report.in_order == [] and report.length == head.count == 4
    assert list(report.lines) == [one.id for one in CORES]
    lines = [json.loads(line) for line in data.splitlines()]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]
    assert [line["prev"] for line in lines] == [GENESIS, *map(digest, data.splitlines()[:-1])]
    assert {"seq", "id", "hash", "prev"} <= lines[0].keys()
    assert verified(b"").is_intact


def test_a_line_that_names_no_memory_is_a_break_of_none() -> None:
    """Q-31: whatever stands in the place of an id, a break names a memory by its text or not at all."""
    line = canonical({"seq": 1, "id": ["x"], "prev": GENESIS, "signature": {"algorithm": "none"}})
    assert [one.memory_id for one in verified(line + b"\n").in_order if one.seq == 1] == [None]


def test_the_hash_is_over_the_immutable_core() -> None:
    """T-30, Q-01: id, text, creation, type, source and structured content, and nothing else."""
    one = memory("m1", "text")
    core = core_of(one)
    assert core is not None and describe(core, KEYS)["hash"] == KEYS.digest(canonical(core._asdict()))
    assert core._fields == ("id", "text", "created_at", "type", "source", "content")
    assert core_of(replace(one, content_text="{}")) == core._replace(content="{}")
    touched = replace(one, lineage=one.lineage.model_copy(update={"access_count": 9, "superseded_by": "m2"}))
    assert core_of(touched) == core
    assert core_of(replace(one, classification=None)) is None
    assert len({describe(core._replace(**{name: "x"}), KEYS)["hash"] for name in core._fields}) == 6


@given(st.integers(0, 3), st.sampled_from(["text", "created_at", "source", "content"]), st.text(max_size=5))
def test_a_changed_memory_is_named(number, name, value) -> None:
    """Q-31: with its line and what changed; the type is the one that was chained."""
    data, head = chained()
    changed = CORES[number]._replace(**{name: f"{getattr(CORES[number], name)}{value}!"})
    report = verified(data, head, [one if one.id != changed.id else changed for one in CORES])
    assert first_of(report) is not None
    assert (first_of(report).seq, first_of(report).memory_id) == (number + 1, changed.id)
    assert name in first_of(report).reason
    assert changed.id in str(report.error_of(changed.id)) and report.error_of(CORES[number - 1].id) is None
    assert verified(data, head, [one._replace(type="event") for one in CORES]).is_intact


def test_any_byte_of_the_chain() -> None:
    """Q-31: two bits of every byte; the break that is named first is the line that was changed."""
    data, head = chained()
    for place in range(len(data)):
        for bit in (1, 32):
            altered = data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
            report = verified(altered, head)
            assert first_of(report) is not None, (place, bit)
            assert first_of(report).seq == data[:place].count(b"\n") + 1, (place, bit)


def test_lines_cannot_be_left_out_moved_or_cut_off() -> None:
    data, head = chained()
    lines = data.splitlines(keepends=True)
    for altered, seq in (
        (lines[1:], 1),
        ([lines[0], *lines[2:]], 2),
        ([lines[1], lines[0], *lines[2:]], 1),
        (lines[:-1], 4),
        ([], 1),
        ([*lines, lines[-1]], 5),
    ):
        report = verified(b"".join(altered), head)
        assert first_of(report) is not None and first_of(report).seq == seq
    longer, _ = lined([describe(Core("m9", "", "", "", ""), KEYS)], head)
    assert verified(data + longer, head).is_intact


def test_a_memory_that_has_gone_is_no_break() -> None:
    data, head = chained()
    assert verified(data, head, CORES[:2]).is_intact


def test_a_wrong_signature_is_named() -> None:
    data, _ = chained()
    lines = [json.loads(line) for line in data.splitlines()]
    lines[3]["signature"]["value"] = "0"
    report = verified(b"".join(canonical(line) + b"\n" for line in lines), None)
    assert [(one.seq, one.memory_id) for one in report.breaks] == [(4, "m3")]
    assert report.signature_errors == {"m3": "the signature of line 4 does not fit"}


@pytest.mark.parametrize("text", ["\ud800", "naïve ✓", 'a"b\\c\n\u2028', ""])
def test_any_text_can_be_chained(text) -> None:
    data, head = chained([CORES[0]._replace(id=f"m{text}", text=text)])
    assert verified(data, head, [CORES[0]._replace(id=f"m{text}", text=text)]).is_intact


@pytest.mark.parametrize("change", [(b'{"at"', b'{ "at"'), (b"}\n", b"} \n"), (b'"seq":4', b'"seq":4.0')])
def test_a_line_has_one_form(change) -> None:
    """Q-31: also the last one, where nobody knows how far the file reached."""
    data, _ = chained()
    first, rest = data[: data.rindex(b"{" + b'"at"')], data[data.rindex(b"{" + b'"at"') :]
    altered = first + rest.replace(*change)
    assert altered != data
    found = first_of(verified(altered, None))
    assert found is not None and found.seq == 4


def test_a_digest_says_nothing_of_a_text_that_somebody_guesses() -> None:
    line = describe(CORES[0], KEYS)
    assert digest(canonical(CORES[0]._asdict())) not in canonical(line).decode()
    assert stated_in(line) == digest_of(CORES[0], KEYS)
    assert describe(CORES[0], KEYS)["salt"] != describe(CORES[0], KEYS)["salt"]


@pytest.mark.parametrize("number", range(4))
def test_an_erased_memory_leaves_a_digest_of_its_line(number) -> None:
    """T-64: neither id nor digest of what it said; the chain holds for the others, and goes on."""
    data, head = chained(gone=["m1"])
    kept, count = erase_from(split(data), f"m{number}", at=NOW.isoformat(), keys=KEYS)
    assert count == (2 if number == 1 else 1)
    line = json.loads(kept[number])
    assert line.keys() == {"seq", "prev", "at", "erased", "signature"}
    assert line["erased"] == digest(split(data)[number])
    others = [one for one in CORES if one.id not in (f"m{number}", "m1")]
    altered = b"".join(one + b"\n" for one in kept)
    report = verified(altered, head, others)
    assert report.is_intact and {*report.lines} == {one.id for one in others}
    assert end_of(kept) == head
    more, end = lined([describe(CORES[0], KEYS)], end_of(kept))
    assert verified(altered + more, end, others).is_intact
    line["erased"] = GENESIS
    forged = [*kept[:number], canonical(line), *kept[number + 1 :]]
    found = first_of(verified(b"".join(one + b"\n" for one in forged), head, others))
    assert found is not None and found.seq == number + 1
    assert erase_from(split(data), "nobody", at="", keys=KEYS) == (split(data), 0)


def test_a_gap_stays_to_be_seen() -> None:
    """Q-31: lines that follow the missing ones, and those after a line that was changed."""
    data, head = chained()
    more, end = lined([describe(CORES[0], KEYS)], head)
    cut = b"".join(one + b"\n" for one in split(data)[:2]) + more
    [gap] = verified(cut, end).breaks
    assert (gap.seq, gap.memory_id) == (3, "m0") and "does not follow" in gap.reason
    lines = split(data)
    lines[1] = lines[1].replace(b'"type":"fact"', b'"type":"fict"')
    del lines[2]
    assert [one.seq for one in verified(b"".join(one + b"\n" for one in lines), head).breaks] == [2, 3]
