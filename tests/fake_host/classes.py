"""Copies of classes, so that what a pack patches on a host class dies with that host."""

from types import FunctionType
from typing import Any


def copy_class(
    template: type, module: str, name: str = "", *, scope: dict[str, Any] | None = None, **attributes: Any
) -> Any:
    """Return an independent class with the body of `template` and its parents, named as if from `module`.

    The body holds every method itself, as the host's own class does. In these methods the global name of the
    class means the copy, so static methods work and can be replaced as in the host; `scope` gives more such
    names. Templates must not use `super()`.
    """
    body: dict[str, Any] = {}
    for parent in reversed(template.__mro__[:-1]):
        body.update(vars(parent))
    for unwanted in ("__dict__", "__weakref__"):
        body.pop(unwanted, None)
    name = name or template.__name__
    copied = type(name, (), {**body, "__module__": module, "__qualname__": name, **attributes})
    scopes: dict[int, dict[str, Any]] = {}
    for key, value in body.items():
        function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if key not in attributes and isinstance(function, FunctionType):
            names = {**function.__globals__, **(scope or {}), name: copied}
            own = _with_globals(function, scopes.setdefault(id(function.__globals__), names))
            setattr(copied, key, own if function is value else type(value)(own))
    return copied


def _with_globals(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    own = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    own.__kwdefaults__ = function.__kwdefaults__
    own.__doc__ = function.__doc__
    own.__annotations__ = function.__annotations__
    return own
