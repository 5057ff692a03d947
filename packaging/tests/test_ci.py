"""The GitHub Action and the GitLab template: by their schemas, and by running their steps."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import git_repository, needed, run

BEFORE = "int half(int a) { return a / 2; }\nint other(int x) { return x > 3; }\n"
AFTER = "int half(int a) { return a / 2; }\nint other(int x) { return 7 / x > 3; }\n"


@pytest.fixture
def change(tmp_path: Path) -> tuple[Path, str]:
    """A repository in which one function was changed, and the revision before."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.c").write_text(BEFORE)
    git_repository(folder)
    revision = run("git", "rev-parse", "HEAD", cwd=folder).strip()
    (folder / "a.c").write_text(AFTER)
    return folder, revision


def test_schemas(packaging: Path) -> None:
    check = needed("check-jsonschema")
    for schema, file in (
        ("vendor.github-actions", "github/action.yml"),
        ("vendor.github-workflows", "github/example-workflow.yml"),
        ("vendor.gitlab-ci", "gitlab/glassbox.gitlab-ci.yml"),
    ):
        run(check, "--builtin-schema", schema, packaging / file, cwd=packaging)


def steps(packaging: Path) -> list[dict[str, Any]]:
    action = yaml.safe_load((packaging / "github/action.yml").read_text())
    found: list[dict[str, Any]] = action["runs"]["steps"]
    return found


def test_what_steps_read_is_an_input(packaging: Path) -> None:
    text = (packaging / "github/action.yml").read_text()
    inputs = yaml.safe_load(text)["inputs"]
    for name in inputs:
        assert f"inputs.{name}" in text.split("\nruns:")[1], f"{name} is never read"
    # Words of a change never become code: they reach scripts as variables only.
    for step in steps(packaging):
        assert "${{" not in step.get("run", "")


def test_scripts_of_steps_are_clean(packaging: Path, tmp_path: Path) -> None:
    gitlab = yaml.safe_load((packaging / "gitlab/glassbox.gitlab-ci.yml").read_text())[".glassbox"]
    scripts = [step["run"] for step in steps(packaging) if "run" in step]
    scripts += [*gitlab["before_script"], *gitlab["script"]]
    for position, script in enumerate(scripts):
        file = tmp_path / f"{position}.sh"
        file.write_text(f"#!/bin/bash\n{script}")
        run(needed("shellcheck"), "--severity=warning", file, cwd=tmp_path)


def run_action(packaging: Path, folder: Path, status: int, **own: str) -> tuple[str, dict[str, str], str]:
    """What the step `run` of the action prints, gives out, and puts into the summary."""
    (step,) = [step for step in steps(packaging) if step.get("id") == "run"]
    summary, outputs = folder.parent / "summary.md", folder.parent / "outputs"
    summary.write_text("")
    outputs.write_text("")
    env = {
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(outputs),
        "ACTION_PATH": str(packaging / "github"),
        "GLASSBOX_COMMAND": "check",
        "GLASSBOX_PATHS": "a.c",
        "GLASSBOX_ARGS": "",
        "GLASSBOX_SINCE": "",
        "GLASSBOX_OUT": "glassbox-out",
        "GLASSBOX_FAIL_ON": "violation",
        **own,
    }
    said = run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], cwd=folder, status=status, **env)
    given = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return said, given, summary.read_text()


def test_the_action_finds_what_a_change_breaks(packaging: Path, change: tuple[Path, str]) -> None:
    folder, revision = change
    said, given, summary = run_action(packaging, folder, 3, GLASSBOX_SINCE=revision)
    assert f"--since {revision}" in said
    assert given == {"exit-code": "3", "suite": "glassbox-out/suite.json"}
    assert "| violated | 1 |" in summary
    assert "`a.c:2` `other`" in summary
    suite = json.loads((folder / given["suite"]).read_text())
    assert [function["name"] for function in suite["functions"]] == ["other"]
    sarif = json.loads((folder / "glassbox-out/code-scanning.sarif").read_text())
    assert [result["level"] for result in sarif["runs"][0]["results"]] == ["error"]
    # Asked not to fail, it does not, and still says it.
    _, given, summary = run_action(packaging, folder, 0, GLASSBOX_SINCE=revision, GLASSBOX_FAIL_ON="never")
    assert "| violated | 1 |" in summary


def test_the_action_without_a_revision_looks_at_everything(packaging: Path, change: tuple[Path, str]) -> None:
    folder, _ = change
    said, given, summary = run_action(
        packaging, folder, 0, GLASSBOX_COMMAND="gen", GLASSBOX_SINCE="0" * 40, GLASSBOX_ARGS="--criterion statement"
    )
    assert "--since" not in said
    assert given["exit-code"] == "0"
    assert "of 2 functions" in summary
    for report in ("lcov.info", "cobertura.xml", "junit.xml", "index.html"):
        assert (folder / "glassbox-out/report" / report).is_file()
    said, _, _ = run_action(packaging, folder, 3, GLASSBOX_SINCE="f" * 40)
    assert "is not in this clone" in said
    # An input that cannot be read fails, and leaves no suite of an earlier run.
    (folder / "a.c").write_text("int f( {\n")
    _, given, summary = run_action(packaging, folder, 2, GLASSBOX_FAIL_ON="never")
    assert "left no suite" in summary
    assert not (folder / "glassbox-out/suite.json").exists()


def test_the_gitlab_template_does_the_same(packaging: Path, change: tuple[Path, str], on_path: None) -> None:
    folder, revision = change
    whole = yaml.safe_load((packaging / "gitlab/glassbox.gitlab-ci.yml").read_text())
    (script,) = whole[".glassbox"]["script"]
    for name, status in (("glassbox-check", 3), ("glassbox-gen", 0)):
        own = {key: str(value) for key, value in {**whole["variables"], **whole[name]["variables"]}.items()}
        own |= {"GLASSBOX_PATHS": "a.c", "CI_MERGE_REQUEST_DIFF_BASE_SHA": revision}
        shutil.rmtree(folder / "glassbox-out", ignore_errors=True)
        run("bash", "-eo", "pipefail", "-c", script, cwd=folder, status=status, **own)
        suite = json.loads((folder / "glassbox-out/suite.json").read_text())
        assert [function["name"] for function in suite["functions"]] == ["other"]
        assert "### Glassbox" in (folder / "glassbox-out/report/summary.md").read_text()
        for report in (whole[name].get("artifacts") or {}).get("reports", {}).values():
            path = report if isinstance(report, str) else report["path"]
            assert (folder / path).is_file()


def test_the_container_file_names_what_there_is(packaging: Path) -> None:
    """There is no builder of images here: what it copies and runs is compared with what `dist` makes."""
    text = (packaging / "container/Containerfile").read_text()
    assert "cargo xtask dist --deb" in text
    chores = subprocess.run(["grep", "-q", '"--deb"', str(packaging.parent / "xtask/src/dist.rs")], check=False)
    assert chores.returncode == 0
    assert os.access(packaging / "ci-run.sh", os.X_OK)
