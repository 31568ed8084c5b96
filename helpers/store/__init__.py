"""The database that holds what the pack remembers beside Agent Zero's own files."""
