"""The API against the real command."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import pytest

import glassbox
from glassbox._call import arguments


def test_gen_gives_a_suite(project: Path) -> None:
    suite = glassbox.gen("a.c", cwd=project, timeout=10)
    assert suite.exit_code == 0
    assert suite.names() == ["sign", "never"]
    assert suite.counts() == {"covered": 5, "infeasible": 1}
    assert suite.folder == project / "glassbox-out"
    assert suite.report is not None
    never = suite.function("never")
    (proved,) = [goal for goal in never.goals if goal.is_proved]
    assert proved.method is not None
    assert "300" in proved.text
    assert all(test.replay.state == "confirmed" for _, test in suite.each_test())
    # The suite of a run and the one that is read from its folder are the same.
    assert glassbox.Suite.load(project / "glassbox-out").data == suite.data
    assert glassbox.Suite.load(project / "glassbox-out" / "suite.json").data == suite.data


def test_options_become_words() -> None:
    words = arguments(
        "gen",
        [Path("a.c")],
        "out",
        {"criterion": ["branch", "mcdc"], "no_exec": True, "force": False, "seed": None, "timeout": 0.5, "cc": "-x"},
        ["-DX=1"],
    )
    assert words == [
        *["gen", "a.c", "--out", "out", "--criterion=branch", "--criterion=mcdc", "--no-exec"],
        *["--timeout=0.5", "--cc=-x", "--", "-DX=1"],
    ]


def test_flags_of_the_compiler_arrive(project: Path) -> None:
    (project / "b.c").write_text("#ifdef WIDE\nint f(int x) { return x > 7; }\n#endif\n")
    suite = glassbox.gen("b.c", cwd=project, cc_flags=["-DWIDE"], criterion=["statement"], function="f", out="o")
    assert suite.names() == ["f"]


def test_a_violation_is_a_result(project: Path) -> None:
    (project / "d.c").write_text("int half(int a, int b) { return a / b; }\n")
    result = glassbox.check("d.c", cwd=project, format=["sarif"])
    assert result.exit_code == 3
    assert result.is_check
    violated = [goal for _, goal in result.each_goal() if goal.verdict == "violated"]
    assert violated
    assert (project / "glassbox-out" / "glassbox.sarif").is_file()


def test_diagnostics_become_exceptions(project: Path) -> None:
    (project / "bad.c").write_text("int f( {\n")
    with pytest.raises(glassbox.BadInputError, match=r"bad\.c:1:") as caught:
        glassbox.gen("bad.c", cwd=project)
    assert caught.value.exit_code == 2
    assert caught.value.command[0] == "gen"
    with pytest.raises(glassbox.BadInputError, match="no-such-option"):
        glassbox.gen("a.c", cwd=project, no_such_option=True)
    # They cross processes in a cluster.
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.exit_code, again.command) == (str(caught.value), 2, caught.value.command)


def test_crashes_become_exceptions(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = project / "crash"
    script.write_text("#!/bin/sh\necho oops >&2\nkill -SEGV $$\n")
    script.chmod(0o755)
    monkeypatch.setenv("GLASSBOX", str(script))
    with pytest.raises(glassbox.InternalError, match="oops\nended by signal 11"):
        glassbox.gen("a.c", cwd=project)


def test_functions_are_listed(project: Path) -> None:
    listed = glassbox.functions("a.c", cwd=project, criterion="branch")
    assert [(one.function, one.goals) for one in listed] == [("sign", {"branch": 4}), ("never", {"branch": 2})]


def test_the_command_is_found(project: Path, command: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert glassbox.find_binary() == command
    assert glassbox.version().startswith("glassbox ")
    monkeypatch.setenv("GLASSBOX", "/no/such/program")
    with pytest.raises(glassbox.BinaryNotFoundError, match="/no/such/program"):
        glassbox.find_binary()
    monkeypatch.delenv("GLASSBOX")
    folder = project / "bin"
    folder.mkdir()
    (folder / "glassbox").symlink_to(command)
    monkeypatch.setenv("PATH", str(folder))
    beside = Path(sys.executable).parent / "glassbox"
    assert glassbox.find_binary() in (folder / "glassbox", beside)
    if not beside.exists():
        monkeypatch.setenv("PATH", str(project))
        with pytest.raises(glassbox.BinaryNotFoundError, match="was not found"):
            glassbox.find_binary()


def test_suites_that_cannot_be_read_are_named(project: Path) -> None:
    with pytest.raises(glassbox.SuiteFormatError, match=r"no suite\.json"):
        glassbox.Suite.load(project)
    file = project / "suite.json"
    for text in ("", "[]", "{", json.dumps({"format": 99})):
        file.write_text(text)
        with pytest.raises(glassbox.SuiteFormatError, match=r"suite\.json"):
            glassbox.Suite.load(project)
