"""Whose word it is where values are rejected, politely passed over, or said by nobody, on five generations (T-03)."""

import pytest
from fake_host import FakeHost
from fake_host.tools import ToolCall
from hook_tools import CLASSIFIER, axes, find, remember

SMALL_TALK = "Name three kinds of apples."


def source_of(host: FakeHost, text: str) -> str:
    """Return whose word a memory is."""
    return axes(find(host, text))[3]


def is_retired(host: FakeHost, text: str) -> bool:
    """Whether a memory is out of use."""
    return axes(find(host, text))[0] == "deprecated"


async def prompt_lines(host: FakeHost, question: str) -> list[str]:
    """Return the memories of the next prompt, in order."""
    record = await host.turn(question, reply="Let me see.")
    lines = record.prompts[0].extras.get("memories", "").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-"))]


async def test_what_the_user_rejects_is_not_written_back(host: FakeHost) -> None:
    """C-41, C-44: "52 is too young"; the memorizer writes 52 again, in other words."""
    await remember(host, "Marta lives in Velsen, she is 52 and widowed.", "Marta lives in Velsen, is 52 and widowed")
    await remember(host, "Change of plan: Marta is 58. 52 is too young.", "Marta is 58 years old")
    await remember(host, SMALL_TALK, "Marta is a widow of 52 who lives in Velsen")
    assert source_of(host, "widow of 52") == "agent_inferred"
    lines = await prompt_lines(host, "How old is Marta of Velsen?")
    plain = [line for line in lines if "52" in line and "[outdated: 52" not in line]
    assert not plain or max(map(lines.index, plain)) < next(at for at, line in enumerate(lines) if "58" in line)


@pytest.mark.parametrize(
    ("fact", "correction", "corrected", "again"),
    [
        (
            "The gateway listens on port 8080",
            "The gateway listens on port 8443 instead of 8080.",
            "The gateway listens on port 8443",
            "The user's gateway uses port 8080",
        ),
        (
            "The uploader makes 5 retries",
            "The uploader makes 2 retries, not 5 any more.",
            "The uploader makes 2 retries",
            "The user's uploader makes 5 retries",
        ),
        (
            "The build host runs Debian 11",
            "We upgraded the build host from Debian 11 to 12.",
            "The build host runs Debian 12",
            "The user's build host runs Debian 11",
        ),
    ],
)
async def test_a_stale_value_that_is_written_again_is_nobodys_word(
    host: FakeHost, fact: str, correction: str, corrected: str, again: str
) -> None:
    """C-41, T-67: it is retired with what it repeats, and the correction stays the user's."""
    await remember(host, f"{fact}.", fact)
    await remember(host, correction, corrected)
    await remember(host, SMALL_TALK, again)
    assert source_of(host, corrected) == "user_asserted"
    assert not is_retired(host, corrected)
    assert is_retired(host, again)
    assert source_of(host, again) != "user_asserted"


@pytest.mark.parametrize("answer", ["Thanks!", "OK.", "Hm.", "Good morning", "No, that is wrong."])
async def test_a_polite_answer_agrees_to_nothing(host: FakeHost, answer: str) -> None:
    """C-16, C-44: the agent's claim against the user's word does not stand behind it, whatever is said next."""
    await remember(host, "The broker listens on port 9000.", "The broker listens on port 9000")
    await host.turn("Is the broker up?", reply="Yes, the broker listens on port 9100.", fragments=[])
    await remember(host, answer, "The broker listens on port 9100")
    assert source_of(host, "port 9100") == "agent_inferred"
    assert not is_retired(host, "port 9000")
    lines = await prompt_lines(host, "On which port does the broker listen?")
    assert "9000" in lines[-1]


async def test_a_value_that_nobody_said_is_not_the_users(host: FakeHost) -> None:
    """C-26, T-03: the frame is the user's, the name is not."""
    save = ToolCall("memory_save", {"text": "The deploy server is called vulture"})
    await host.turn("The deploy server is called eagle.", reply="Noted.", tool_calls=[save], fragments=[])
    await host.finish_memorizing()
    await host.run(CLASSIFIER)
    assert source_of(host, "vulture") != "user_asserted"
    await remember(host, SMALL_TALK, "The deploy server is called eagle")
    assert source_of(host, "eagle") == "user_asserted"


async def test_copies_go_with_what_they_repeat(host: FakeHost) -> None:
    """T-67: a shorter copy, a longer one, and the same text saved again after the correction."""
    short, long = "Crane uses Python 3.10", "User's second project Crane uses Python 3.10"
    await remember(host, "My second project Crane uses Python 3.10.", long, short)
    await remember(host, "Crane uses Python 3.12 now.", "Crane uses Python 3.12")
    await remember(host, SMALL_TALK, "The project Crane uses Python 3.10")
    lines = await prompt_lines(host, "Which Python does Crane use?")
    assert any("3.12" in line for line in lines)
    assert [line for line in lines if "3.10" in line and "[outdated: 3.10]" not in line] == []


async def test_a_change_back_is_no_copy(host: FakeHost) -> None:
    """C-47, T-67: the user says the old value anew."""
    await remember(host, "Crane uses Python 3.10.", "Crane uses Python 3.10")
    await remember(host, "Crane uses Python 3.12 now.", "Crane uses Python 3.12")
    await remember(host, "We went back: Crane uses Python 3.10 again.", "The project Crane uses Python 3.10")
    assert not is_retired(host, "The project Crane uses Python 3.10")
    assert is_retired(host, "Crane uses Python 3.12")


async def test_what_else_is_true_of_whom_was_replaced_stays(host: FakeHost) -> None:
    """C-42, T-67: who no longer leads the team lives where she lived."""
    await remember(host, "Gudrun leads the team.", "Gudrun currently leads the user's team")
    await remember(host, "Gudrun has a flat in Harstad now.", "User's team member Gudrun lives in Harstad")
    await remember(host, "Gudrun is on leave: Pavel leads the team now.", "Pavel currently leads the user's team")
    lineage = find(host, "Harstad").metadata["lineage"]
    assert not is_retired(host, "Harstad")
    assert not lineage.get("outdated_parts")
    assert is_retired(host, "Gudrun currently leads")


async def test_an_old_value_is_as_old_as_its_saying(host: FakeHost) -> None:
    """C-47: written again after another value was given, it stands before that one, though they share "daily"."""
    await remember(host, "I run every morning, 5 km along the canal.", "User runs 5 km along the canal every morning")
    await remember(host, "I made it to 8 km a day this month.", "User currently runs 8 km each morning")
    await remember(host, SMALL_TALK, "User's daily morning run is 5 km, next to the canal")
    lines = await prompt_lines(host, "How many km does the user run each morning?")
    assert "8 km" in lines[-1]


async def test_the_users_word_stands_behind_the_agents(host: FakeHost) -> None:
    """C-44: what is no name and no number counts as well: "pnpm", "yarn"."""
    await remember(host, "The web shop is built with pnpm.", "The web shop of the user is built with pnpm")
    await remember(host, SMALL_TALK, "The web shop of the user should be built by yarn")
    lines = await prompt_lines(host, "With what is the web shop of the user built?")
    assert "pnpm" in lines[-1]


async def test_what_one_sentence_gave_goes_in_all_its_memories(host: FakeHost) -> None:
    """T-67: two memories of one sentence hold one value, though their words differ; what else one says stays."""
    rent = "I pay 740 rent, warm, to Mr. Castellano, by standing order."
    await remember(host, rent, "User pays a rent of 740 per month", "User must pay the rent of 740 by standing order")
    await remember(host, "New year, new rent: it's 795 since January.", "The rent of the user is currently 795 a month")
    lines = await prompt_lines(host, "How high is the rent of the user, and how must it be paid?")
    assert "795" in lines[-1]
    assert "[outdated: 740] by standing order" in "".join(line for line in lines if "740" in line)


async def test_a_value_set_aside_goes_though_something_else_has_it(host: FakeHost) -> None:
    """C-41: the memory itself says "instead of 8080", and jenkins sits on 8080."""
    old, new = (
        "User's API gateway should listen on port 8080",
        "User's API gateway listens on port 8181 instead of 8080",
    )
    await remember(host, "The api gateway should listen on 8080.", old)
    await remember(host, "Jenkins sits on 8080 here, so give the api gateway 8181 instead of 8080.", new)
    assert is_retired(host, old)


async def test_a_venue_of_what_was_spoken_of_is_the_users(host: FakeHost) -> None:
    """C-25, C-41: who says "rather than the Rowan Inn" speaks of the lunch that was planned there."""
    await remember(host, "The lunch for my mum is at the Rowan Inn.", "User plans the mother's lunch at the Rowan Inn")
    new = "User plans the mother's lunch at the Boathouse"
    await remember(host, "The venue is the Boathouse rather than the Rowan Inn, they doubled their price.", new)
    assert source_of(host, new) == "user_asserted"
