"""The decisions of maintenance: what is archived, linked, a duplicate, or permanently deleted. Pure."""
