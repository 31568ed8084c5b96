"""The adoption of new memories into the ledger, and the requests of people about memories."""
