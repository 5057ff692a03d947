"""Suites as frames and in notebooks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import glassbox
from glassbox._errors import MissingPackageError
from glassbox._values import ending, plain

pandas = pytest.importorskip("pandas")


@pytest.fixture
def suite(project: Path) -> glassbox.Suite:
    return glassbox.gen("a.c", cwd=project)


def test_frames_have_a_row_for_each_goal_and_test(suite: glassbox.Suite) -> None:
    goals = suite.goals()
    assert len(goals) == 6
    assert goals["verdict"].value_counts().to_dict() == {"covered": 5, "infeasible": 1}
    assert set(goals.loc[goals["verdict"] == "infeasible", "function"]) == {"never"}
    tests = suite.tests()
    assert set(tests["replay"]) == {"confirmed"}
    results = {row["inputs"]["x"]: row["result"] for row in tests.to_dict("records") if row["function"] == "sign"}
    assert all(result == (x > 0) - (x < 0) for x, result in results.items())
    assert len(results) == 3
    # Goals are none of `check`'s properties, and the columns are the same.
    assert suite.properties().empty
    assert list(suite.properties().columns) == list(goals.columns)


def test_properties_of_check(project: Path) -> None:
    result = glassbox.check("a.c", cwd=project, out="checked")
    assert result.goals().empty
    assert set(result.properties()["verdict"]) <= {"holds", "holds-within"}


def test_without_pandas_there_are_rows(suite: glassbox.Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert len(suite.goal_rows()) == 6
    assert suite.test_rows()[0]["ending"] == "returned"
    with pytest.raises(MissingPackageError, match=r"pip install glassbox-tg\[pandas\]"):
        suite.goals()


def test_notebooks_show_a_table(suite: glassbox.Suite) -> None:
    shown = suite._repr_html_()
    assert "2 functions, 6 goals: 5 covered, 1 infeasible" in shown
    assert shown.count("<tr>") == 3
    assert "index.html" in shown


def test_words_of_programs_are_no_markup(project: Path) -> None:
    (project / "m.c").write_text("extern int ask(void);\nint f(int a, int b) { return 9 / (a < b); }\n")
    shown = glassbox.check("m.c", cwd=project)._repr_html_()
    assert "1 violated" in shown
    assert "<details>" in shown
    assert "a &lt; b" in shown
    assert " < " not in shown


def test_values_become_values_of_python() -> None:
    assert plain("-17") == -17
    assert plain({"hex": "0x1.8p+1", "decimal": "3.0"}) == 3.0
    assert plain({"x": ["1", None], "y": {"int": "5", "bits": 32}}) == {"x": [1, None], "y": 5}
    assert plain({"hex": "nan", "decimal": "nan"}) != plain({"hex": "nan", "decimal": "nan"})
    assert ending({"exited": 3}) == "exited 3"
