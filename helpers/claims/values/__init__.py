"""Typed values: read from tokens, and compared."""
