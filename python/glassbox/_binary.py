"""Where the command is: the environment variable GLASSBOX, beside this package, or in PATH."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

from glassbox._errors import BinaryNotFoundError

NAME = "glassbox"


def find_binary() -> Path:
    """The command that this package runs.

    $GLASSBOX comes first, so that a build of one's own can be tried; then the command that a wheel
    installed together with this package; then PATH.
    """
    chosen = os.environ.get("GLASSBOX")
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise BinaryNotFoundError(f"$GLASSBOX is {chosen!r}, which is no program")
        return Path(found).absolute()
    for folder in _script_folders():
        candidate = folder / NAME
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    found = shutil.which(NAME)
    if found is None:
        raise BinaryNotFoundError(
            "the command `glassbox` was not found: set $GLASSBOX, put it into PATH, or install a wheel that has it"
        )
    return Path(found).absolute()


def _script_folders() -> list[Path]:
    """Where pip puts the scripts of packages: of this interpreter, of this user, of `pip install --target`."""
    folders = [Path(sysconfig.get_path("scripts"))]
    user_scheme = sysconfig.get_preferred_scheme("user")
    folders.append(Path(sysconfig.get_path("scripts", scheme=user_scheme)))
    folders.append(Path(__file__).resolve().parent.parent / "bin")
    return folders
