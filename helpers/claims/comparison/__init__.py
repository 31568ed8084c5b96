"""What two texts are to each other, and which can be at all."""
