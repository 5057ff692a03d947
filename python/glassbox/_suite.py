"""A finished suite: what suite.json says, as data, as frames of pandas, and as a table in notebooks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glassbox import _display
from glassbox._decode import decode
from glassbox._errors import SuiteFormatError, folder_without_suite, missing
from glassbox._model import Function, Goal, Source, StubSite, SuiteData, Test
from glassbox._values import ending, inputs_by_name, plain

if TYPE_CHECKING:
    import pandas

FORMAT = 1

Row = dict[str, Any]


@dataclass(frozen=True)
class Suite:
    """The result of a run: functions with their goals, verdicts, proofs and tests."""

    data: SuiteData
    folder: Path
    """Where suite.json, tests/ and report/ are."""
    exit_code: int | None = None
    """How the command ended: 0 all decided, 1 something unknown, 3 a violation; None for a suite that was read."""
    messages: str = field(default="", repr=False)
    """What the command said on standard error."""

    @classmethod
    def load(cls, path: str | Path) -> Suite:
        """Reads a suite: the output folder of a run, or its suite.json."""
        file = Path(path)
        if file.is_dir():
            file = file / "suite.json"
            if not file.is_file():
                raise folder_without_suite(file.parent)
        try:
            raw = json.loads(file.read_bytes())
        except (OSError, ValueError) as error:
            raise SuiteFormatError(f"{file}: {error}") from error
        found = raw.get("format") if isinstance(raw, dict) else None
        if found != FORMAT:
            raise SuiteFormatError(f"{file}: version {found} of the format; this package reads {FORMAT}")
        return cls(data=decode(SuiteData, raw, str(file)), folder=file.parent)

    @property
    def functions(self) -> list[Function]:
        return self.data.functions

    @property
    def sources(self) -> list[Source]:
        return self.data.sources

    @property
    def stub_sites(self) -> list[StubSite]:
        return self.data.stub_sites

    @property
    def command(self) -> list[str]:
        return self.data.command

    @property
    def is_check(self) -> bool:
        """Whether properties were checked; else tests were generated."""
        return self.data.task == "check"

    @property
    def report(self) -> Path | None:
        """The HTML page, where the run left one."""
        page = self.folder / "report" / "index.html"
        return page if page.is_file() else None

    def function(self, name: str) -> Function:
        """A function by its name, or by its title."""
        for function in self.functions:
            if name in (function.name, function.title):
                return function
        raise KeyError(f"no function {name!r}; there are {', '.join(self.names()) or 'none'}")

    def names(self) -> list[str]:
        """The names of the functions, in the order of the suite."""
        return [function.name for function in self.functions]

    def each_goal(self) -> Iterator[tuple[Function, Goal]]:
        """All goals, or properties, with their functions."""
        for function in self.functions:
            for goal in function.goals:
                yield function, goal

    def each_test(self) -> Iterator[tuple[Function, Test]]:
        """All tests with their functions."""
        for function in self.functions:
            for test in function.tests:
                yield function, test

    def counts(self) -> dict[str, int]:
        """How many goals have which verdict."""
        return dict(Counter(goal.verdict for _, goal in self.each_goal()))

    def goal_rows(self) -> list[Row]:
        """What `goals` has, without pandas."""
        return [_goal_row(function, goal) for function, goal in self.each_goal()]

    def test_rows(self) -> list[Row]:
        """What `tests` has, without pandas."""
        return [_test_row(function, test) for function, test in self.each_test()]

    def goals(self) -> pandas.DataFrame:
        """One row for each goal (`gen`): its place, verdict, test, proof or reason. Needs pandas."""
        return _frame([] if self.is_check else self.goal_rows(), _GOAL_COLUMNS)

    def properties(self) -> pandas.DataFrame:
        """One row for each property (`check`), with the same columns as `goals`. Needs pandas."""
        return _frame(self.goal_rows() if self.is_check else [], _GOAL_COLUMNS)

    def tests(self) -> pandas.DataFrame:
        """One row for each test: inputs, expected result, goals, what the real program did. Needs pandas."""
        return _frame(self.test_rows(), _TEST_COLUMNS)

    def summary(self) -> str:
        """One line, as `15 functions, 120 goals: 110 covered, 10 infeasible`."""
        counts = self.counts()
        total = sum(counts.values())
        what = "properties" if self.is_check else "goals"
        parts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
        functions = f"{len(self.functions)} function{'' if len(self.functions) == 1 else 's'}"
        return f"{functions}, {total} {what}: {parts or 'none'}"

    def _repr_html_(self) -> str:
        return _display.suite_table(self.functions, self.summary(), self.report)


_GOAL_COLUMNS = [
    "function",
    "id",
    "kind",
    "file",
    "line",
    "column",
    "text",
    "verdict",
    "test",
    "method",
    "proof",
    "bounds",
    "reason",
    "detail",
    "dismissed",
]


def _goal_row(function: Function, goal: Goal) -> Row:
    values = (
        function.title,
        goal.id,
        goal.kind,
        goal.file,
        goal.line,
        goal.column,
        goal.text,
        goal.verdict,
        goal.test,
        goal.method,
        goal.proof,
        goal.bounds,
        goal.reason.code if goal.reason else None,
        goal.reason.text if goal.reason else None,
        goal.dismissed,
    )
    return dict(zip(_GOAL_COLUMNS, values, strict=True))


_TEST_COLUMNS = [
    "function",
    "id",
    "inputs",
    "ending",
    "result",
    "covers",
    "replay",
    "message",
    "file",
    "line",
    "command",
]


def _test_row(function: Function, test: Test) -> Row:
    source = test.source
    values = (
        function.title,
        test.id,
        inputs_by_name(test.inputs),
        ending(test.expected.ending),
        plain(test.expected.result),
        test.covers,
        test.replay.state,
        test.replay.message,
        source.file if source else None,
        source.line if source else None,
        source.command if source else None,
    )
    return dict(zip(_TEST_COLUMNS, values, strict=True))


def _frame(rows: list[Row], columns: list[str]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise missing("pandas", "pandas") from error
    return pandas.DataFrame(rows, columns=columns)
