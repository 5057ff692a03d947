"""What the tests of these files share: the command under test, and tools that `cargo xtask setup` installs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[1]


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
def packaging() -> Path:
    return PACKAGING


@pytest.fixture
def on_path(command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command as `glassbox` in PATH, as users have it."""
    folder = tmp_path / "on-path"
    folder.mkdir()
    (folder / "glassbox").symlink_to(command)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def needed(program: str) -> str:
    """A program that `cargo xtask setup` installs. Where nothing may be skipped, it has to be there."""
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")
    if found is None:
        if os.environ.get("GLASSBOX_CI") == "1":
            pytest.fail(f"{program} is missing; `cargo xtask test` installs it")
        pytest.skip(f"{program} is not installed; `cargo xtask test` installs it")
    return found


def run(*words: str | Path, cwd: Path, status: int = 0, **env: str) -> str:
    """What a command prints; it has to end with `status`."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == status, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def git_repository(folder: Path) -> None:
    """Makes `folder` a repository with everything in it committed."""
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        run("git", *identity(), *words, cwd=folder)


def identity() -> list[str]:
    return ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
