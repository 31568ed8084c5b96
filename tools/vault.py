"""The tool `vault`: the agent reads and writes what must always hold, through the gate (V-02, V-35 ... V-54)."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class Vault(Tool):
    @answering
    async def execute(self, action="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import vaulting

        return await vaulting.use_vault(self.agent, action, kwargs)
