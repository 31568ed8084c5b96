"""How what is new in the docstore comes into the ledger, and what people decide about it is carried out."""
