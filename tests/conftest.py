"""What holds for every test."""

import sys

# Every fake host loads the pack anew: what was compiled for one is kept for the next, whatever the environment says.
sys.dont_write_bytecode = False
