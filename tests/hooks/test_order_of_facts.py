"""Which of two facts is the newer one, on six generations of the host."""

from fake_host import FakeHost
from hook_tools import find, remember, settle

SAID_OLD = "The staging server listens on port 8080."
SAID_NEW = "Correction: the staging server listens on port 9090."
OLD = "The staging server listens on port 8080"
NEW = "The staging server listens on port 9090"
AGAIN = "The user's staging server listens on port 8080"


def assert_retired(host: FakeHost, loser: str, winner: str) -> None:
    """Assert that `winner` has retired `loser`."""
    old, new = find(host, loser).metadata, find(host, winner).metadata
    assert old["classification"]["validity"] == "deprecated"
    assert old["lineage"]["superseded_by"] == new["id"]
    assert new["classification"]["validity"] == "confirmed"


async def test_memorizers_that_overtake_each_other(host: FakeHost) -> None:
    """C-47, T-01: both wrote late, and the note of the correction is there first."""
    await host.turn(SAID_OLD, reply="Noted.")
    await remember(host, SAID_NEW, NEW)
    await remember(host, "Name three kinds of apples.", OLD)
    assert_retired(host, OLD, NEW)


async def test_old_fact_that_is_written_again(host: FakeHost) -> None:
    """C-41, C-47, T-68: what was corrected comes back as a new memory and changes nothing."""
    await remember(host, SAID_OLD, OLD)
    await remember(host, SAID_NEW, NEW)
    await remember(host, "Name three kinds of apples.", AGAIN)
    assert_retired(host, AGAIN, NEW)


async def test_old_fact_that_is_written_again_after_a_restart(host: FakeHost) -> None:
    """C-47, T-01: in the same chat, which the host has kept, after more turns than are kept word for word."""
    await host.turn(SAID_OLD, reply="Noted.")
    await remember(host, SAID_NEW, NEW)
    for number in range(6):
        await host.turn(f"Name apple number {number}.")
    await settle(host)
    await host.restart()
    await remember(host, "Name three kinds of pears.", AGAIN)
    assert_retired(host, AGAIN, NEW)


async def test_correction_whose_word_the_memorizer_drops(host: FakeHost) -> None:
    """C-41, C-80, C-44: the person said "Actually"; the note does not."""
    rest, graph = "The API of the billing service uses REST", "The API of the billing service uses GraphQL"
    await remember(host, "Please look at the billing service.", rest, reply=f"{rest}.")
    await remember(host, f"Actually, the {graph[4:]}.", graph)
    assert_retired(host, rest, graph)
