"""agent_init, 55: load the pack's code in a thread while the host gets ready; a host of v0.9 awaits the answer."""

from usr.plugins.memory_ledger.helpers.host.extension import Extension, load_ahead


class MemoryLedgerLoad(Extension):
    def execute(self, **kwargs):
        return load_ahead()
