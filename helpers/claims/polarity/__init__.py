"""What holds or does not: states, permissions, duties and wishes, told of the same words in any order."""
