"""A written conversation on the embedded host: what the pack remembers, retires and keeps out of prompts.

`script` has the parts of a conversation, `conversation` is one, `process` is the stand-in for a running host, `play`
plays the one on the other and returns what happened, `show` prints that.
"""
