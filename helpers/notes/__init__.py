"""What a note is made of: texts that a person keeps for the agent, cut into pieces to search.

Pure: the files, the index and the embedding model are the shell's (helpers/host/notes).
"""
