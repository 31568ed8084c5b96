"""The answers of the agent's tools: present and past memories, and marks on retired ones."""
