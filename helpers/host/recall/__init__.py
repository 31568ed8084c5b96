"""The takeover of the host's recall: the queries, the searches, and the prompt."""
