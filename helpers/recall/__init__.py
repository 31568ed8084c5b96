"""Which memories may enter the prompt, how relevant each is, and in which order: over arrays and records. Pure.

`plan` -> (dense search in the host's index) and `lexical` -> `relevance` -> `rank` -> `selection` -> `beside`.
"""
