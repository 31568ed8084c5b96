"""system_prompt, 62: append the notes that the settings name, beside the vault's snapshot (V-50)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class MemoryNotesBlock(Extension):
    @guarded
    async def execute(self, system_prompt=None, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        if system_prompt is not None:
            await hooks.show_notes(self.agent, system_prompt)
