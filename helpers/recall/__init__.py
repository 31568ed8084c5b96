"""Which memories may enter the prompt, and in which order: pure functions over records."""
