"""What can go wrong, as exceptions that carry the command's own message."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class GlassboxError(Exception):
    """The base of everything that this package raises."""


class BinaryNotFoundError(GlassboxError):
    """The command `glassbox` is nowhere to be found."""


class SuiteFormatError(GlassboxError):
    """A suite.json that cannot be read: damaged, or of another version of the format."""


class CommandError(GlassboxError):
    """The command ended without the result that was asked for."""

    def __init__(self, message: str, exit_code: int, command: Sequence[str]) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.command = tuple(command)

    def __reduce__(self) -> tuple[type[CommandError], tuple[str, int, tuple[str, ...]]]:
        # Exceptions cross processes in a cluster; the default would call the class with the message alone.
        return type(self), (self.message, self.exit_code, self.command)


class BadInputError(CommandError):
    """Bad usage or input (exit code 2); the message is the command's diagnostic, with file, line and column."""


class InternalError(CommandError):
    """A bug of Glassbox (exit code 4), or a process that was ended from outside.

    What was written before is kept in the output folder; `Suite.load` reads it.
    """


class MissingPackageError(GlassboxError, ImportError):
    """An optional package that a function needs is not installed."""


def missing(package: str, extra: str) -> MissingPackageError:
    """The error for an optional package that is not there."""
    return MissingPackageError(
        f"{package} is not installed; `pip install glassbox-tg[{extra}]` installs it", name=package
    )


def folder_without_suite(path: Path) -> SuiteFormatError:
    """The error for a folder in which no run has ended."""
    return SuiteFormatError(f"{path}: no suite.json; is it the --out folder of a run?")
