"""Read what holds or does not: states, permissions, duties and wishes, in any order of the words."""
