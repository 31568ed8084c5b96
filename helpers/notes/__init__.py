"""Notes that a person keeps for the agent, and their pieces for the search.

Pure: the files, the index and the embedding model belong to the shell (helpers/host/notes).
"""
