"""What maintenance decides: what is archived, linked, said twice, or gone for good. Pure."""
