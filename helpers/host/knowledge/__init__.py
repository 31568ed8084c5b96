"""Where institutional knowledge is kept, and how every agent learns that it has changed (M-52, M-53, T-32)."""
