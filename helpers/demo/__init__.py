"""A written conversation on the embedded host: what the pack remembers, retires and keeps out of prompts."""
