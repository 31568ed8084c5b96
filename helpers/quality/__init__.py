"""How far a memory can be relied on: confidence, severity of a contradiction, conflict objects. Pure."""
