"""One clause to claims: a reader for each way in which a clause can say something."""
