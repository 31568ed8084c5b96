"""The closed table of slots, and of relations that hold many values."""
