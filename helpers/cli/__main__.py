"""`python -m memory_ledger.cli`: the command where it is not on the path."""

import sys

from . import main

if __name__ == "__main__":
    sys.exit(main())
