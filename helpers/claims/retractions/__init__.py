"""What a text gives up, what comes instead, and what both are about."""
