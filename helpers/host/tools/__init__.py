"""What the agent's own tools answer: what memory holds and held, and marks on what is retired."""
