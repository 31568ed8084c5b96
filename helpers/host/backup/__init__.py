"""A copy of every memory beside the store, and the ways back from it (T-64)."""
