"""Words, tokens and sentences: tables and cutting, no meaning yet."""
