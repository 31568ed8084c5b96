"""Where institutional knowledge is kept, and how every agent learns that it has changed."""
