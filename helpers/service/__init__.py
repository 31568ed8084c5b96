"""Every act and every question once: its arguments, what answers it, and which door leads to it."""
