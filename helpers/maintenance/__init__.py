"""What maintenance decides: what is archived, linked, said twice, or permanently deleted. Pure."""
