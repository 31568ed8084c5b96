"""Cut a text into plain clauses: labels, fragments, corrections and asides are resolved, and each clause is read."""
