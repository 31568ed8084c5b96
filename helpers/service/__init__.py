"""Every act and every question once: its arguments, its function, and the doors that lead to it."""
