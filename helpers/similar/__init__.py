"""The one aligner: what two texts have in common and what they differ in, and the decisions that rest on it. Pure."""
