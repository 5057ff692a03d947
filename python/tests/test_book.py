"""The page of the book about this package: its code runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FENCED = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def test_code_of_the_book_runs(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (repository / "docs/src/python.md").read_text()
    blocks = [(found["info"], found["text"]) for found in FENCED.finditer(page)]
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for info, text in blocks:
        if "file=" in info:
            (tmp_path / info.split("file=")[1]).write_text(text)
        elif info == "python,run":
            exec(compile(text, "python.md", "exec"), names)
        elif info == "python":
            compile(text, "python.md", "exec")
    said = capsys.readouterr().out
    assert "1 function, " in said
    assert sum(info == "python,run" for info, _ in blocks) == 2
