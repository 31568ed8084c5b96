"""system_prompt, 63: append the standing rules of the user, whatever the message is about."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, guarded


class StandingRules(Extension):
    @guarded
    async def execute(self, system_prompt=None, loop_data=None, **kwargs) -> None:
        from usr.plugins.memory_ledger.helpers.host import hooks

        if system_prompt is not None:
            await hooks.show_rules(self.agent, system_prompt, loop_data)
