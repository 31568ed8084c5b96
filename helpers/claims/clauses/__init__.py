"""Read the claims of one clause: a reader for each way in which a clause can say something."""
