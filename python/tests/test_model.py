"""The dataclasses say what schema/suite.schema.json says."""

from __future__ import annotations

import dataclasses
import json
import typing
from pathlib import Path
from typing import Any

import pytest

from glassbox import SuiteFormatError, _model
from glassbox._decode import decode

# Definitions that are unions or words, and the two that have another name here.
UNIONS = {"Anchor", "Value", "Ending", "Oracle", "Known"}
RENAMED = {"Edge": "GraphEdge"}


def schema(repository: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((repository / "schema/suite.schema.json").read_text())
    return found


def members(definition: dict[str, Any]) -> tuple[set[str], set[str]]:
    """All members, and those that have to be there; a goal has those of its verdict besides."""
    known = set(definition["properties"])
    required = set(definition.get("required", []))
    for way in definition.get("oneOf", []):
        known |= set(way["properties"])
    if "oneOf" in definition:
        required.add("verdict")
    return known, required


def fields(kind: type) -> tuple[set[str], set[str]]:
    nothing = dataclasses.MISSING
    known = {field.name.rstrip("_") for field in dataclasses.fields(kind)}
    required = {
        field.name
        for field in dataclasses.fields(kind)
        if field.default is nothing and field.default_factory is nothing
    }
    return known, required


def test_dataclasses_have_the_members_of_the_schema(repository: Path) -> None:
    whole = schema(repository)
    definitions = {"SuiteData": whole, **whole["$defs"]}
    compared = 0
    for name, definition in definitions.items():
        if "properties" not in definition or name in UNIONS:
            continue
        kind = getattr(_model, RENAMED.get(name, name))
        assert fields(kind) == members(definition), name
        compared += 1
    assert compared >= 35


def test_words_are_those_of_the_schema(repository: Path) -> None:
    definitions = schema(repository)["$defs"]
    verdicts = {way["properties"]["verdict"]["const"] for way in definitions["Goal"]["oneOf"]}
    assert set(typing.get_args(_model.Verdict)) == verdicts
    for words, name in ((_model.Method, "Method"), (_model.ReasonCode, "ReasonCode")):
        assert set(typing.get_args(words)) == set(definitions[name]["enum"])


def test_what_is_wrong_is_named_with_its_place() -> None:
    with pytest.raises(SuiteFormatError, match=r"`version` is missing"):
        decode(_model.Tool, {"name": "glassbox"})
    with pytest.raises(SuiteFormatError, match=r"x: line: int is expected, not 'seven'"):
        decode(_model.Condition, {"text": "a", "line": "seven", "column": 1}, "x")
    with pytest.raises(SuiteFormatError, match=r"to: int is expected, not True"):
        decode(_model.GraphEdge, {"to": True, "label": None})
    with pytest.raises(SuiteFormatError, match=r"an array of 2 is expected"):
        decode(_model.Refutation, {"edge": [1], "core": []})
    with pytest.raises(SuiteFormatError, match=r"state: one of confirmed, failed, not-run"):
        decode(_model.Replay, {"state": "fine", "message": None})


def test_members_of_newer_versions_are_left_out() -> None:
    assert decode(_model.Tool, {"name": "a", "version": "b", "color": "red"}) == _model.Tool("a", "b")
