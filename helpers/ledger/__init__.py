"""Classify, resolve, health: pure functions from records to changes. No clock, no store, no host."""
