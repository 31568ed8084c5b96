"""The host's docstore and index as one store: columns, locks, seals, query vectors."""
