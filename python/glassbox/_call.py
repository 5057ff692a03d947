"""Running the command: keyword arguments become options, exit codes become results or exceptions."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from glassbox._binary import find_binary
from glassbox._errors import BadInputError, CommandError, InternalError, SuiteFormatError
from glassbox._suite import Suite

PathLike = str | os.PathLike[str]
Option = bool | str | int | float | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
Task = Literal["gen", "check"]

DEFAULT_OUT = "glassbox-out"


def gen(
    *paths: PathLike,
    criterion: str | Sequence[str] | None = None,
    function: str | Sequence[str] | None = None,
    out: PathLike = DEFAULT_OUT,
    compdb: PathLike | None = None,
    cc_flags: Sequence[str] = (),
    cwd: PathLike | None = None,
    env: Mapping[str, str | None] | None = None,
    **options: Option,
) -> Suite:
    """Generates tests for every goal of a criterion, or proofs that nothing reaches it.

    Every other option of `glassbox gen` is a keyword with underscores: `timeout=5`, `no_exec=True`,
    `format=["html", "lcov"]`. Relative paths are those of `cwd`. Raises `BadInputError` with the command's
    diagnostic, and `InternalError`; goals that stay unknown are no error (see `Suite.exit_code`).
    """
    named: dict[str, Option] = {"criterion": criterion, "function": function, "compdb": compdb, **options}
    return run_task("gen", arguments("gen", paths, out, named, cc_flags), out, cwd=cwd, env=env)


def check(
    *paths: PathLike,
    property: str | Sequence[str] | None = None,
    function: str | Sequence[str] | None = None,
    out: PathLike = DEFAULT_OUT,
    compdb: PathLike | None = None,
    cc_flags: Sequence[str] = (),
    cwd: PathLike | None = None,
    env: Mapping[str, str | None] | None = None,
    **options: Option,
) -> Suite:
    """Checks assertions, contracts and run-time errors; keywords as for `gen`.

    A violation is a result (`Suite.exit_code` is 3, `Suite.properties()` has the counter-examples), not an exception.
    """
    if isinstance(formats := options.get("format"), str | list | tuple):
        # The result of this function is read from suite.json.
        words = formats.split(",") if isinstance(formats, str) else [str(one) for one in formats]
        options["format"] = [*words, *(["suite"] if "suite" not in words else [])]
    named: dict[str, Option] = {"property": property, "function": function, "compdb": compdb, **options}
    return run_task("check", arguments("check", paths, out, named, cc_flags), out, cwd=cwd, env=env)


def merge(
    parts: Iterable[PathLike],
    out: PathLike = DEFAULT_OUT,
    *,
    cwd: PathLike | None = None,
    env: Mapping[str, str | None] | None = None,
) -> Suite:
    """Joins the folders of all shards of a run (`shard="I/N"`) to the folder that the whole run would have left."""
    words = ["merge", *(os.fspath(part) for part in parts), "--out", os.fspath(out)]
    return run_task("merge", words, out, cwd=cwd, env=env)


def version() -> str:
    """The version of the command, as it prints it."""
    return _run(["--version"], cwd=None, env=None).stdout.strip()


@dataclass(frozen=True)
class ListedFunction:
    """A function of `glassbox list`, and how many goals it has by criterion."""

    function: str
    place: str
    goals: dict[str, int]


def functions(
    *paths: PathLike,
    criterion: str | Sequence[str] | None = None,
    compdb: PathLike | None = None,
    cc_flags: Sequence[str] = (),
    cwd: PathLike | None = None,
) -> list[ListedFunction]:
    """The functions that a run would work on, without doing the work."""
    words = ["list", "--json", *_options({"criterion": criterion, "compdb": compdb})]
    words += [*[os.fspath(path) for path in paths], *_behind_dashes(cc_flags)]
    done = _run(words, cwd=cwd, env=None)
    raise_for(done, words)
    rows = json.loads(done.stdout)
    return [ListedFunction(row["function"], row["place"], row["goals"]) for row in rows]


def arguments(
    task: Task,
    paths: Iterable[PathLike],
    out: PathLike,
    options: Mapping[str, Option],
    cc_flags: Sequence[str],
) -> list[str]:
    """The command line of a run, without the name of the program."""
    words = [task, *[os.fspath(path) for path in paths], "--out", os.fspath(out)]
    return [*words, *_options(options), *_behind_dashes(cc_flags)]


def run_task(
    name: str,
    words: Sequence[str],
    out: PathLike,
    *,
    cwd: PathLike | None,
    env: Mapping[str, str | None] | None,
) -> Suite:
    """Runs a command that leaves a suite in `out`, and reads that."""
    done = _run(words, cwd=cwd, env=env)
    raise_for(done, words)
    folder = Path(cwd or ".") / out
    try:
        suite = Suite.load(folder)
    except SuiteFormatError as error:
        if (folder / "suite.json").exists():
            raise
        # Commands with an output of their own kind, such as `--json` alone, leave a suite as well; none is a bug.
        message = done.stderr.strip() or f"glassbox {name} left no suite.json in {folder}"
        raise CommandError(message, done.returncode, words) from error
    return replace(suite, exit_code=done.returncode, messages=done.stderr)


def _run(
    words: Sequence[str], *, cwd: PathLike | None, env: Mapping[str, str | None] | None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(find_binary()), *words],
        cwd=cwd,
        # Compilers believe what the shell calls the folder.
        env=environment({"PWD": os.fspath(Path(cwd or ".").absolute()), **(env or {})}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def environment(changes: Mapping[str, str | None]) -> dict[str, str]:
    """The environment of this process with changes; what is `None` is not set."""
    changed: dict[str, str | None] = {**os.environ, **changes}
    return {name: value for name, value in changed.items() if value is not None}


def raise_for(done: subprocess.CompletedProcess[str], words: Sequence[str]) -> None:
    """Turns exit codes that are no results into exceptions."""
    code = done.returncode
    if code in (0, 1, 3):
        return
    said = done.stderr.strip()
    if code == 2:
        raise BadInputError(said or "bad usage or input", code, words)
    if code < 0:
        said = f"{said}\nended by signal {-code}".strip()
    raise InternalError(said or f"exit code {code}", code, words)


def _options(options: Mapping[str, Option]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for item in value:
                words.append(f"{flag}={os.fspath(item)}")
        else:
            # With `=`, a value that begins with a dash is a value.
            words.append(f"{flag}={_text(value)}")
    return words


def _text(value: Any) -> str:
    return os.fspath(value) if isinstance(value, str | os.PathLike) else str(value)


def _behind_dashes(cc_flags: Sequence[str]) -> list[str]:
    return ["--", *cc_flags] if cc_flags else []
