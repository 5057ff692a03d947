"""Values of suite.json as values of Python, and tests in one line."""

from __future__ import annotations

import re
from typing import Any

from glassbox._model import Inputs

_INTEGER = re.compile(r"-?[0-9]+\Z")


def plain(value: Any) -> Any:
    """Numbers as `int` and `float`, records and arrays of them; everything else as it stands."""
    if isinstance(value, str):
        return int(value) if _INTEGER.match(value) else value
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        if value.keys() == {"hex", "decimal"}:
            return _float(value["hex"], value["decimal"])
        if value.keys() == {"int", "bits"}:
            return int(value["int"])
        return {key: plain(item) for key, item in value.items()}
    return value


def _float(exact: str, decimal: str) -> Any:
    for text, read in ((exact, float.fromhex), (decimal, float)):
        try:
            return read(text)
        except ValueError:
            continue
    return decimal


def inputs_by_name(inputs: Inputs) -> dict[str, Any]:
    """What a test sets, by name: parameters, globals, memory, what stubs return, standard input, arguments."""
    named = {item.name: plain(item.value) for item in [*inputs.params, *inputs.globals]}
    for memory in inputs.objects:
        stream = memory.stream
        named[memory.name] = plain(memory.elements) if stream is None else bytes(stream)
    for position, stub in enumerate(inputs.stubs, start=1):
        named[f"{stub.function}() #{position}"] = plain(stub.result)
    if inputs.stdin:
        named["stdin"] = bytes(inputs.stdin)
    for position, contents in enumerate(inputs.files, start=1):
        named[f"file #{position}"] = None if contents is None else bytes(contents)
    if inputs.argv:
        named["argv"] = [bytes(word) for word in inputs.argv]
    return named


def ending(data: Any) -> str:
    """How a run ends, in one phrase."""
    if isinstance(data, dict):
        return ", ".join(f"{word} {detail}" for word, detail in data.items())
    return str(data)
