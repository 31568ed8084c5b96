"""The pack's own files beside the host's store: journal, conflicts, counters, proposals, requests."""
