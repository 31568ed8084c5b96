"""system_prompt, 60: append the snapshot of the vault (V-50, T-21)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class VaultSnapshot(Extension):
    @guarded
    async def execute(self, system_prompt=None, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        if system_prompt is not None:
            await hooks.show_vault(self.agent, system_prompt)
