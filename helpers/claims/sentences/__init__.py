"""A text to clauses: labels, fragments, corrections and asides made plain, then each clause read."""
