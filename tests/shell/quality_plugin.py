"""What another distribution could bring: validators behind entry points."""


def _refuse_tea(memory):
    return {"valid": "tea" not in str(memory["content"]), "error": "tea is refused"}


ONE = {"name": "no-tea", "types": ["preference"], "validate": _refuse_tea}
VALIDATORS = [ONE]
NONSENSE = "no validator"


def make():
    """Return them when asked."""
    return VALIDATORS
