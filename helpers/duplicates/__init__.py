"""Which memories say the same, and what becomes of two that do (E-38 ... E-46, T-67): rules, no store, no vectors."""
