"""The wheel with the command, installed where nothing else of ours is."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from conftest import run

pytest.importorskip("hatchling")


def test_the_wheel_brings_the_command_along(tmp_path: Path, packaging: Path, command: Path) -> None:
    out = tmp_path / "dist"
    run(
        *[sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out],
        cwd=packaging.parent / "python",
        GLASSBOX_BINARY=str(command),
        SOURCE_DATE_EPOCH="315532800",
    )
    (wheel,) = out.glob("*.whl")
    assert wheel.name.startswith("glassbox_tg-0.1.0-py3-none-manylinux")
    names = zipfile.ZipFile(wheel).namelist()
    assert "glassbox/py.typed" in names
    assert "glassbox_tg-0.1.0.data/scripts/glassbox" in names
    assert not any("tests" in name for name in names)

    own = tmp_path / "venv"
    run(sys.executable, "-m", "venv", own, cwd=tmp_path)
    python = own / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-index", wheel, cwd=tmp_path)
    (tmp_path / "a.c").write_text("int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }\n")
    bare = {"GLASSBOX": "", "PYTHONPATH": "", "PATH": "/usr/bin:/bin"}
    code = "import glassbox; print(glassbox.find_binary()); print(glassbox.gen('a.c').summary())"
    said = run(python, "-c", code, cwd=tmp_path, **bare)
    assert str(own / "bin" / "glassbox") in said
    assert "1 function, 4 goals: 4 covered" in said
    assert run(own / "bin" / "glassbox", "--version", cwd=tmp_path, **bare).startswith("glassbox ")


def test_without_a_command_the_wheel_is_for_every_machine(tmp_path: Path, packaging: Path) -> None:
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    run(*words, cwd=packaging.parent / "python", GLASSBOX_BINARY="")
    assert [wheel.name for wheel in tmp_path.glob("*.whl")] == ["glassbox_tg-0.1.0-py3-none-any.whl"]
    said = run(*words, cwd=packaging.parent / "python", status=1, GLASSBOX_BINARY="/no/such/file")
    assert "/no/such/file is no file" in said
