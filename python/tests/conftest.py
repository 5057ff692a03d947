"""What the tests share: the command under test, and small programs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

TWO_FUNCTIONS = """\
int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }

int never(unsigned char c) { if (c > 300) return 1; return 0; }
"""


@pytest.fixture(scope="session", autouse=True)
def command() -> Path:
    """The command, as $GLASSBOX says; cargo's test sets it to the one that it has just built."""
    given = os.environ.get("GLASSBOX")
    if not given:
        pytest.exit("set $GLASSBOX to the command that is to be tested", returncode=2)
    path = Path(given).absolute()
    os.environ["GLASSBOX"] = str(path)
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what another one left, and pages have no times: the same run gives the same bytes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg-cache"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")


@pytest.fixture
def repository() -> Path:
    return REPOSITORY


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with `a.c`."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.c").write_text(TWO_FUNCTIONS)
    return folder


def needed(program: str) -> str:
    """A program that `cargo xtask setup` installs. Where nothing may be skipped, it has to be there."""
    found = shutil.which(program)
    if found is None:
        if os.environ.get("GLASSBOX_CI") == "1":
            pytest.fail(f"{program} is missing; `cargo xtask test` installs it")
        pytest.skip(f"{program} is not installed; `cargo xtask test` installs it")
    return found
