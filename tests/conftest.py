"""What holds for every test."""

import sys

from hypothesis import HealthCheck, settings

# Every fake host loads the pack anew: what was compiled for one is kept for the next, whatever the environment says.
sys.dont_write_bytecode = False

# How long an example takes says more about the machine, which others use too, than about the code.
settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared machine")
