"""The memories of a prompt: which may enter, how relevant each is, and their order; over arrays and records. Pure.

`plan` -> (dense search in the host's index) and `lexical` -> `relevance` -> `rank` -> `selection` -> `beside`.
"""
