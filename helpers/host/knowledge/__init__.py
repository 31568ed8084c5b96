"""Institutional knowledge: its logs, its files, and the machines that read them (group M)."""
