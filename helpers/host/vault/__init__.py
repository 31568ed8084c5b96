"""The vault of a memory folder: its file, its store, its mirror in the host's docstore."""
