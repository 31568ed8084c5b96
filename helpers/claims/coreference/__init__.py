"""Decide whether two texts speak of the same thing and person, and under the same circumstances."""
