"""The host's recall taken over: what is asked, found, and put into the prompt."""
