"""The answers to the pages of the web interface: what memory holds, details of a memory, and a person's changes."""
