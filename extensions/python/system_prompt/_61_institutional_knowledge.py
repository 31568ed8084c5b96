"""system_prompt, 61: insert the institutional knowledge after governance, before the agent's own (M-20, M-51, T-21)."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class InstitutionalKnowledge(Extension):
    @guarded
    async def execute(self, system_prompt=None, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        if system_prompt is not None:
            await hooks.show_knowledge(self.agent, system_prompt)
