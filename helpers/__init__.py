"""Memory Ledger: a source, a status and a history for every memory of Agent Zero.

Data flows one way: hook -> `host` -> `claims`, `ledger`, `recall`. Only `host` knows Agent Zero.
"""

__version__ = "0.1.0"
