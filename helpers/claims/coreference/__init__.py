"""Whether what two texts say is of the same thing, of the same person, and under the same circumstances."""
