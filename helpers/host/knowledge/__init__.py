"""Institutional knowledge in a running host: its places, its log, and the agent that keeps it."""
