"""Who said what in the last turns of a memory folder."""
