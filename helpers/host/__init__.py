"""The only code that knows Agent Zero: generations, hooks, turns, the docstore, the files beside it."""
