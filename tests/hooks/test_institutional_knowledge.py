"""Institutional knowledge in every prompt (M-20, M-50 ... M-52, M-58, T-21, T-62)."""

import sys

from fake_host import FakeHost
from hook_tools import PAGE, configure_pack
from hook_tools import write_page as write

HOOK = "system_prompt/_61_institutional_knowledge"
HEADING = "# Institutional knowledge"
opened: list[str] = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)


async def test_knowledge_stands_before_the_agents_own_definition(host: FakeHost) -> None:
    """M-20, M-50, M-51, M-58, M-60, T-62: once, neutralised, in every prompt of a turn; nothing of what waits.

    It stands above the agent's own definition, and below governance, where a section of the prompt is about that.
    """
    for name in ("staging/error_prevention", "archive/error_prevention", "session_summaries/2026-01-01_summary"):
        write(host, name=f"{name}.md")
    before = (await host.turn("Hello.")).prompt.system
    assert HEADING not in before
    write(host)
    configure_pack(host, knowledge={"recheck_seconds": 0.001})
    record = await host.turn("Hello again.", iterations=2)
    assert len(record.prompts) == 2
    for prompt in record.prompts:
        assert prompt.system.endswith(before) and prompt.system.startswith(HEADING)
        assert prompt.system.count(HEADING) == 1
        assert "- Error TIMEOUT (MEM-001, confidence 0.85): It" in prompt.system
        assert "{{ includes" not in prompt.system
    prompts = ["# Governance policies\nNever delete.", "# Agent Zero System Manual\nYour role"]
    await host.run(HOOK, system_prompt=prompts)
    assert [one.split("\n")[0] for one in prompts] == ["# Governance policies", HEADING, "# Agent Zero System Manual"]
    for chosen in ({"enabled": False}, {"knowledge": {"enabled": False}}):
        configure_pack(host, **chosen)
        assert HEADING not in (await host.turn("Hello.")).prompt.system


async def test_a_prompt_opens_no_file_while_nothing_has_changed(host: FakeHost) -> None:
    """M-52: what was read is kept; the section is the same text, not another one of the same words."""
    write(host)
    await host.turn("Hello.")
    prompts: list[str] = []
    opened.clear()
    for _ in range(3):
        await host.run(HOOK, system_prompt=prompts)
    assert [one for one in opened if "context/memory" in one] == []
    assert len(prompts) == 3
    assert prompts[0] is prompts[1] is prompts[2]


async def test_tokens_are_counted_as_the_host_counts_them(host: FakeHost) -> None:
    """T-40, M-62: what is injected, once for each change; what is less sure goes first."""
    less_sure = PAGE.replace("MEM-001", "MEM-002").replace("0.85", "0.75")
    write(host, PAGE + less_sure.partition("---\n\n")[2])
    prompts: list[str] = []
    for _ in range(3):
        await host.run(HOOK, system_prompt=prompts)
    assert host.machine.counted == [prompts[0]]
    assert "MEM-001" in prompts[0] and "MEM-002" in prompts[0]
    words = len(prompts[0].split())
    configure_pack(host, distillation={"token_limit": words * 100})
    host.machine.tokens_per_word = 101
    prompts.clear()
    await host.run(HOOK, system_prompt=prompts)
    assert "MEM-001" in prompts[0] and "MEM-002" not in prompts[0]


async def test_a_place_that_is_away_is_told_once_and_the_turn_goes_on(host: FakeHost) -> None:
    """M-53, T-32, C-74: in the chat's log, and not in every turn; nothing behind a link is shown."""
    folder = write(host).parent
    folder.rename(host.root / "elsewhere")
    folder.symlink_to(host.root / "elsewhere")
    for _ in range(3):
        assert HEADING not in (await host.turn("Hello.")).prompt.system
    assert len(host.warnings) == 1 and "no symbolic link" in str(host.warnings[-1].content)
    configure_pack(host, knowledge={"knowledge_url": "no-such-protocol://x"})
    for _ in range(3):
        assert HEADING not in (await host.turn("Hello.")).prompt.system
    await host.settle()  # a chain that ended meanwhile is looked at in a thread
    heading = "Memory Ledger: institutional knowledge is unreachable"
    assert [one.heading for one in host.warnings].count(heading) == 1
    host.expected_warnings = len(host.warnings)
