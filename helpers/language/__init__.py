"""Words, tokens and sentences: tables of words, and how a text is cut; meaning is read in `claims`."""
