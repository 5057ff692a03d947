"""Puts the command into the wheel: with GLASSBOX_BINARY set, the wheel is one for this kind of machine.

Without it the wheel has Python alone, for machines where the command is installed in another way.
"""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BinaryHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        given = os.environ.get("GLASSBOX_BINARY")
        if not given:
            return
        binary = Path(given).absolute()
        if not binary.is_file():
            raise FileNotFoundError(f"GLASSBOX_BINARY: {binary} is no file")
        build_data["shared_scripts"][str(binary)] = "glassbox"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(binary)}"


def platform_tag(binary: Path) -> str:
    """Where pip may install the command: everywhere if it is static, else where the C library is at least ours."""
    machine = platform.machine()
    if is_static(binary):
        return f"manylinux2014_{machine}.musllinux_1_1_{machine}"
    library, found = platform.libc_ver()
    if library != "glibc":
        return f"linux_{machine}"
    major, minor = found.split(".")[:2]
    return f"manylinux_{major}_{minor}_{machine}"


def is_static(binary: Path) -> bool:
    """Whether the program starts without a dynamic linker."""
    headers = subprocess.run(
        ["readelf", "--program-headers", "--wide", str(binary)], capture_output=True, text=True, check=True
    ).stdout
    return "INTERP" not in headers
