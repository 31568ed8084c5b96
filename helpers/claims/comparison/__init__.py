"""Compare two texts by their claims, and find the claims that can contradict each other."""
