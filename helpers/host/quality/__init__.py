"""The quality layer over a store: its interface, the chain, the keys, validators in their boxes, the report."""
