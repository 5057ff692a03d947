"""CMake, Meson and pre-commit: the real tools on small projects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import git_repository, identity, needed, run

CLAMP_H = "int clamp(int x, int low, int high);\n"
CLAMP_C = """\
#include "clamp.h"
int clamp(int x, int low, int high) {
  if (x < low) return low;
#ifdef UPPER
  if (x > high) return high;
#endif
  return x;
}
"""


def lists_txt(packaging: Path, options: str) -> str:
    return f"""\
cmake_minimum_required(VERSION 3.19)
project(demo C)
enable_testing()
list(APPEND CMAKE_MODULE_PATH "{packaging}/cmake")
include(Glassbox)
add_library(clamp STATIC src/clamp.c)
target_include_directories(clamp PUBLIC include)
target_compile_definitions(clamp PRIVATE UPPER)
glassbox_add_tests(clamp {options})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    (folder / "src").mkdir(parents=True)
    (folder / "include").mkdir()
    (folder / "include" / "clamp.h").write_text(CLAMP_H)
    (folder / "src" / "clamp.c").write_text(CLAMP_C)
    return folder


def configure(project: Path, packaging: Path, command: Path, options: str, status: int = 0) -> str:
    (project / "CMakeLists.txt").write_text(lists_txt(packaging, options))
    return run(needed("cmake"), "-B", "build", f"-DGLASSBOX_EXECUTABLE={command}", cwd=project, status=status)


def test_cmake_generates_builds_and_runs_tests(project: Path, packaging: Path, command: Path) -> None:
    configure(project, packaging, command, "CRITERION mcdc CHECK")
    run("cmake", "--build", "build", cwd=project)
    suite = project / "build/glassbox/clamp/clamp/suite.json"
    data = json.loads(suite.read_text())
    # Both conditions are there, so the definition of the target arrived; the header did, too.
    assert len(data["functions"][0]["decisions"]) == 2
    assert {goal["kind"] for goal in data["functions"][0]["goals"]} == {"mcdc"}
    ran = run("ctest", "--test-dir", "build", "--output-on-failure", cwd=project)
    assert "glassbox.clamp.clamp" in ran
    assert "glassbox-check.clamp.clamp" in ran
    assert "100% tests passed" in ran
    # Nothing is done again until a source changes.
    before = suite.stat().st_mtime_ns
    assert "Generating" not in run("cmake", "--build", "build", cwd=project)
    assert suite.stat().st_mtime_ns == before
    (project / "src/clamp.c").write_text(CLAMP_C.replace("x < low", "x <= low"))
    assert "Generating tests for clamp.c" in run("cmake", "--build", "build", cwd=project)


def test_cmake_fails_for_violations_and_names_mistakes(project: Path, packaging: Path, command: Path) -> None:
    (project / "src/clamp.c").write_text("int clamp(int x, int low, int high) { return x / (low - high); }\n")
    configure(project, packaging, command, "CHECK FUNCTIONS clamp")
    run("cmake", "--build", "build", cwd=project)
    ran = run("ctest", "--test-dir", "build", "--output-on-failure", cwd=project, status=8)
    assert "glassbox-check.clamp.clamp" in ran.split("The following tests FAILED")[1]
    assert "glassbox ended with exit code 3" in ran
    assert "unknown arguments: SPEED 3" in configure(project, packaging, command, "SPEED 3", status=1)


def test_meson_generates_builds_and_runs_tests(project: Path, packaging: Path, on_path: None) -> None:
    folder = project / "glassbox"
    folder.mkdir()
    for file in (packaging / "meson").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
        (folder / file.name).chmod(file.stat().st_mode)
    (project / "meson.build").write_text(
        "project('demo', 'c')\n"
        "glassbox_sources = files('src/clamp.c')\n"
        "glassbox_options = ['--criterion', 'mcdc']\n"
        "glassbox_cc_flags = ['-DUPPER', '-I' + meson.current_source_dir() / 'include']\n"
        "subdir('glassbox')\n"
    )
    run(needed("meson"), "setup", "build", cwd=project)
    needed("ninja")
    run("meson", "compile", "-C", "build", cwd=project)
    data = json.loads((project / "build/glassbox/clamp/suite.json").read_text())
    assert len(data["functions"][0]["decisions"]) == 2
    ran = run("meson", "test", "-C", "build", "--suite", "glassbox", cwd=project)
    assert "glassbox clamp" in ran
    assert "Fail:              0" in ran or "Fail: 0" in ran.replace("  ", " ")


def test_pre_commit_stops_a_violation(tmp_path: Path, packaging: Path, on_path: None) -> None:
    # pre-commit takes hooks from a repository: a small one with the files that it needs of ours.
    hooks = tmp_path / "hooks"
    (hooks / "packaging/pre-commit").mkdir(parents=True)
    for name in (".pre-commit-hooks.yaml", "packaging/pre-commit/glassbox-hook.sh"):
        source = packaging.parent / name
        (hooks / name).write_bytes(source.read_bytes())
        (hooks / name).chmod(source.stat().st_mode)
    git_repository(hooks)
    revision = run("git", "rev-parse", "HEAD", cwd=hooks).strip()

    project = tmp_path / "project"
    project.mkdir()
    (project / "fine.c").write_text("int twice(unsigned char c) { return 2 * c; }\n")
    (project / "two_mains.c").write_text("int main(void) { return 0; }\n")
    (project / "other_main.c").write_text("int main(void) { return 1; }\n")
    (project / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n      - id: glassbox-check\n"
    )
    git_repository(project)
    home = {"PRE_COMMIT_HOME": str(tmp_path / "pre-commit-home")}
    pre_commit = needed("pre-commit")
    run(pre_commit, "validate-manifest", hooks / ".pre-commit-hooks.yaml", cwd=project, **home)
    assert "Passed" in run(pre_commit, "run", "--all-files", cwd=project, **home)

    run(pre_commit, "install", cwd=project, **home)
    (project / "half.c").write_text("int half(int a, int b) { return a / b; }\n")
    run("git", "add", "half.c", cwd=project)
    said = run("git", *identity(), "commit", "-m", "second", cwd=project, status=1, **home)
    assert "Failed" in said
    assert "half.c" in said
    assert "divisor" in said
    (project / "half.c").write_text("int half(int a) { return a / 2; }\n")
    run("git", "add", "half.c", cwd=project)
    run("git", *identity(), "commit", "-m", "second", cwd=project, **home)
