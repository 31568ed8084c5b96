"""The reliability of a memory: its confidence, its conflicts, its score. Pure."""
