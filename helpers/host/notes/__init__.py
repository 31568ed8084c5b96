"""The notes on disk and the index over them: files of our own, which the host knows nothing of."""
