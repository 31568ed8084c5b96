"""The tool `memory_ledger_notes`: what the person's notes say about something (V-04, V-11)."""

from usr.plugins.memory_ledger.helpers.host.tools.tool import Tool, answering


class MemoryLedgerNotes(Tool):
    @answering
    async def execute(self, query="", note_ids="", **kwargs) -> str:
        from usr.plugins.memory_ledger.helpers.host.tools import notes

        return await notes.tell_notes(self.agent, query, note_ids)
