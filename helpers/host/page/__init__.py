"""What the pages of the web interface ask for: what memory holds, in one memory's detail, and what a person changes."""
