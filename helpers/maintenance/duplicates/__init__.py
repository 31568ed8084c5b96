"""Whether two memories say the same, and which of them stays (E-38 ... E-46, T-67). Pure."""
