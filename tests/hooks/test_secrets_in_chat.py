"""What the host's memorizer stores of secrets is told, in every generation, and never repeated (V-56, T-22)."""

from fake_host import FakeHost
from hook_tools import configure_pack, find, remember, settle

PASSWORD = "Kite&2211"
SAYS_ONE = f"User's staging password is {PASSWORD}"


async def test_a_warning_and_the_health_say_which_memory(host: FakeHost) -> None:
    """V-56, T-22: id and kind, and what to do; the memory is stored and adopted all the same, and told once."""
    configure_pack(host, secret_warnings=False)
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    assert "secrets" not in host.agent._memory_health
    configure_pack(host)
    await remember(host, "My project uses Redis 7.", "User's project uses Redis 7")
    assert host.agent._memory_health["secrets"] == {"memories": 0, "by_type": {}, "ids": []}
    await remember(host, f"My staging password is {PASSWORD}.", SAYS_ONE)
    await settle(host)
    document = find(host, "staging password")
    assert document.metadata["classification"]["source"] == "user_asserted"
    (item,) = [one for one in host.warnings if one.heading.startswith("Memory Ledger")]
    assert item.heading == "Memory Ledger: 1 memory may hold a secret (password)"
    assert item.content.splitlines()[0] == document.id
    assert "memory-ledger scan --folder" in item.content and "memory-ledger erase" in item.content
    assert host.agent._memory_health["secrets"] == {"memories": 1, "by_type": {"password": 1}, "ids": [document.id]}
    assert PASSWORD not in f"{item.heading} {item.content} {host.agent._memory_health}"
    host.expected_warnings = 1
