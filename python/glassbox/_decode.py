"""JSON to dataclasses, led by their type hints.

Members that a dataclass does not have are left out: a newer command may write more. A member that is
missing, or of another type, is an error with its place.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from glassbox._errors import SuiteFormatError

T = TypeVar("T")
Decoder = Callable[[Any, str], Any]


def decode(kind: type[T], data: Any, place: str = "suite.json") -> T:
    """`data` as an instance of the dataclass `kind`."""
    return typing.cast("T", _decoder(kind)(data, place))


def _wrong(place: str, wanted: str, data: Any) -> SuiteFormatError:
    shown = repr(data)
    return SuiteFormatError(f"{place}: {wanted} is expected, not {shown[:60]}")


def _decoder(hint: Any) -> Decoder:
    return _made_decoder(hint)


@functools.cache
def _made_decoder(hint: Any) -> Decoder:
    origin = typing.get_origin(hint)
    if hint is Any:
        return lambda data, _: data
    if dataclasses.is_dataclass(hint):
        return _of_dataclass(typing.cast("type[Any]", hint))
    if origin is list or origin is tuple:
        return _of_sequence(hint, origin)
    if origin is typing.Literal:
        return _of_literal(hint)
    if origin is typing.Union or origin is types.UnionType:
        return _of_optional(hint)
    return _of_scalar(hint)


def _of_dataclass(kind: type[Any]) -> Decoder:
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    # A member that is a keyword of Python has an underscore behind it.
    parts = [(field, field.name.rstrip("_"), _lazy(hints[field.name])) for field in fields]

    def decoder(data: Any, place: str) -> Any:
        if not isinstance(data, dict):
            raise _wrong(place, "an object", data)
        values = {}
        for field, key, of_value in parts:
            if key in data:
                values[field.name] = of_value(data[key], f"{place}: {key}")
            elif _is_required(field):
                raise SuiteFormatError(f"{place}: `{key}` is missing")
        return kind(**values)

    return decoder


def _is_required(field: dataclasses.Field[Any]) -> bool:
    nothing = dataclasses.MISSING
    return field.default is nothing and field.default_factory is nothing


def _lazy(hint: Any) -> Decoder:
    """Types may contain themselves, so a decoder is looked up when it is used."""
    return lambda data, place: _decoder(hint)(data, place)  # noqa: PLW0108


def _of_sequence(hint: Any, origin: type[Any]) -> Decoder:
    args = typing.get_args(hint)
    if origin is list or args[-1] is Ellipsis:
        of_item = _lazy(args[0])

        def decode_items(data: Any, place: str) -> Any:
            if not isinstance(data, list):
                raise _wrong(place, "an array", data)
            return origin(of_item(item, place) for item in data)

        return decode_items
    of_items = [_lazy(arg) for arg in args]

    def decode_fixed(data: Any, place: str) -> Any:
        if not isinstance(data, list) or len(data) != len(of_items):
            raise _wrong(place, f"an array of {len(of_items)}", data)
        return tuple(of_item(item, place) for of_item, item in zip(of_items, data, strict=True))

    return decode_fixed


def _of_literal(hint: Any) -> Decoder:
    allowed = typing.get_args(hint)

    def decoder(data: Any, place: str) -> Any:
        if data not in allowed:
            raise _wrong(place, f"one of {', '.join(map(str, allowed))}", data)
        return data

    return decoder


def _of_optional(hint: Any) -> Decoder:
    parts = [part for part in typing.get_args(hint) if part is not type(None)]
    if len(parts) != 1:
        raise TypeError(f"no decoder for {hint}")
    of_part = _lazy(parts[0])
    return lambda data, place: None if data is None else of_part(data, place)


def _of_scalar(hint: Any) -> Decoder:
    if hint not in (str, int, bool):
        raise TypeError(f"no decoder for {hint}")

    def decoder(data: Any, place: str) -> Any:
        # To Python, True is an int.
        if not isinstance(data, hint) or (hint is int and isinstance(data, bool)):
            raise _wrong(place, hint.__name__, data)
        return data

    return decoder
