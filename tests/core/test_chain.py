"""The hash chain: what it covers, and that nothing can be altered unseen (Q-31, T-30)."""

import json
from dataclasses import replace

import pytest
from core_tools import NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.quality.chain import GENESIS, Core, Head, canonical, core_hash, core_of, digest, make_lines, verify

CORES = [
    Core(f"m{number}", f"text {number}", "2026-03-01T12:00:00+00:00", "fact", "user_asserted") for number in range(4)
]


def sign(data: bytes) -> dict[str, str]:
    return {"value": digest(b"secret" + data)}


def check(data: bytes, signature) -> str | None:
    return None if signature == sign(data) else "does not fit"


def chained(cores=CORES, gone=()) -> tuple[bytes, Head]:
    lines, head = make_lines(Head(count=0, digest=GENESIS), cores, gone, at=NOW.isoformat(), sign=sign)
    return b"".join(line + b"\n" for line in lines), head


def verified(data: bytes, head: Head | None = None, cores=CORES):
    by_id = {one.id: one for one in cores}
    return verify(data, head, by_id.get, check=check)


def test_an_untouched_chain_holds() -> None:
    """Q-31: and every memory has its line, in order, each naming the one before it."""
    data, head = chained()
    report = verified(data, head)
    assert report.is_intact and report.first_break is None and report.length == head.count == 4
    assert list(report.lines) == [one.id for one in CORES]
    lines = [json.loads(line) for line in data.splitlines()]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]
    assert [line["prev"] for line in lines] == [GENESIS, *map(digest, data.splitlines()[:-1])]
    assert {"seq", "id", "hash", "prev"} <= lines[0].keys()
    assert verified(b"").is_intact


def test_the_hash_is_over_the_immutable_core() -> None:
    """T-30: id, text, creation, type and source, and nothing else."""
    one = memory("m1", "text")
    core = core_of(one, "fact")
    assert core is not None and core_hash(core) == digest(canonical(core._asdict()))
    assert core._fields == ("id", "text", "created_at", "type", "source")
    touched = replace(one, lineage=one.lineage.model_copy(update={"access_count": 9, "superseded_by": "m2"}))
    assert core_of(touched, "fact") == core
    assert core_of(replace(one, classification=None), "fact") is None
    assert len({core_hash(core._replace(**{name: "x"})) for name in core._fields}) == 5


@given(st.integers(0, 3), st.sampled_from(["text", "created_at", "source"]), st.text(max_size=5))
def test_a_changed_memory_is_named(number, name, value) -> None:
    """Q-31: with its line and what changed; the type is the one that was chained."""
    data, head = chained()
    changed = CORES[number]._replace(**{name: f"{getattr(CORES[number], name)}{value}!"})
    report = verified(data, head, [one if one.id != changed.id else changed for one in CORES])
    assert report.first_break is not None
    assert (report.first_break.seq, report.first_break.memory_id) == (number + 1, changed.id)
    assert name in report.first_break.reason
    assert changed.id in str(report.error_of(changed.id)) and report.error_of(CORES[number - 1].id) is None
    assert verified(data, head, [one._replace(type="event") for one in CORES]).is_intact


def test_any_byte_of_the_chain() -> None:
    """Q-31: two bits of every byte; the break that is named first is the line that was changed."""
    data, head = chained()
    for place in range(len(data)):
        for bit in (1, 32):
            altered = data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
            report = verified(altered, head)
            assert report.first_break is not None, (place, bit)
            assert report.first_break.seq == data[:place].count(b"\n") + 1, (place, bit)


def test_lines_cannot_be_left_out_moved_or_cut_off() -> None:
    """Q-31: the first break is where it begins."""
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
        assert report.first_break is not None and report.first_break.seq == seq
    longer, _ = chained([*CORES, Core("m9", "", "", "", "")])
    assert verified(longer, head).is_intact


def test_a_tombstone_ends_a_memory_and_a_second_line_takes_its_place() -> None:
    """T-30: host deletions become tombstones, and the chain verifies; a rewritten memory has another line."""
    data, head = chained(gone=["m0"])
    assert verified(data, head, CORES[1:]).is_intact
    rewritten = CORES[1]._replace(text="rewritten")
    more, end = make_lines(head, [rewritten], [], at=NOW.isoformat(), sign=sign)
    now = [rewritten, *CORES[2:]]
    report = verified(data + b"".join(line + b"\n" for line in more), end, now)
    assert report.is_intact and report.lines["m1"]["seq"] == 6 and "m0" not in report.lines


def test_a_memory_that_has_gone_is_no_break() -> None:
    """T-30: the tombstone comes with the next lines."""
    data, head = chained()
    assert verified(data, head, CORES[:2]).is_intact


def test_a_wrong_signature_is_named() -> None:
    """Q-31: by line and memory; it is an error of the signature as well."""
    data, _ = chained()
    lines = [json.loads(line) for line in data.splitlines()]
    lines[3]["signature"]["value"] = "0"
    report = verified(b"".join(canonical(line) + b"\n" for line in lines), None)
    assert [(one.seq, one.memory_id) for one in report.breaks] == [(4, "m3")]
    assert report.signature_errors == {"m3": "the signature of line 4 does not fit"}


@pytest.mark.parametrize("text", ["\ud800", "naïve ✓", 'a"b\\c\n\u2028', ""])
def test_any_text_can_be_chained(text) -> None:
    """Q-31: whatever a memory holds, the same bytes stand for it."""
    data, head = chained([CORES[0]._replace(id=f"m{text}", text=text)])
    assert verified(data, head, [CORES[0]._replace(id=f"m{text}", text=text)]).is_intact


@pytest.mark.parametrize("change", [(b'{"at"', b'{ "at"'), (b"}\n", b"} \n"), (b'"seq":4', b'"seq":4.0')])
def test_a_line_has_one_form(change) -> None:
    """Q-31: also the last one, where nobody knows how far the file reached."""
    data, _ = chained()
    first, rest = data[: data.rindex(b"{" + b'"at"')], data[data.rindex(b"{" + b'"at"') :]
    altered = first + rest.replace(*change)
    assert altered != data
    found = verified(altered, None).first_break
    assert found is not None and found.seq == 4
