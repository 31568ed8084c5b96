"""Typed values: read from tokens, and told apart."""
