"""What notebooks show of a suite: a table of functions with bars, from text that is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from glassbox._model import Function, Goal

# Verdicts in the order of the bar, what people call them, and a color that white text can be read on.
_LOOK: dict[str, tuple[str, str]] = {
    "covered": ("covered", "#1a7f37"),
    "holds": ("holds", "#1a7f37"),
    "infeasible": ("infeasible", "#57606a"),
    "infeasible-within": ("infeasible within bounds", "#6e5494"),
    "holds-within": ("holds within bounds", "#6e5494"),
    "unknown": ("unknown", "#9a6700"),
    "violated": ("violated", "#cf222e"),
}
_MOST_ROWS = 200
_MOST_DETAILS = 20


def suite_table(functions: Sequence[Function], summary: str, report: Path | None) -> str:
    """A table with one row for each function, those with open or violated goals first."""
    ordered = sorted(functions, key=lambda function: -_n_problems(function))
    rows = "".join(_row(function) for function in ordered[:_MOST_ROWS])
    left = len(ordered) - _MOST_ROWS
    more = f"<tr><td colspan='4'>and {left} functions more</td></tr>" if left > 0 else ""
    link = ""
    if report is not None:
        link = f" <a href='{escape(report.absolute().as_uri())}'>report</a>"
    return (
        f"<div class='glassbox'><p><b>Glassbox</b>: {escape(summary)}.{link}</p>"
        "<table><thead><tr><th style='text-align:left'>function</th><th>goals</th><th>tests</th>"
        f"<th style='text-align:left'>verdicts</th></tr></thead><tbody>{rows}{more}</tbody></table></div>"
    )


def _is_problem(goal: Goal) -> bool:
    return goal.verdict in ("unknown", "violated") and goal.dismissed is None


def _n_problems(function: Function) -> int:
    return sum(map(_is_problem, function.goals))


def _row(function: Function) -> str:
    place = f"{function.file or '?'}:{function.line}"
    problems = [goal for goal in function.goals if _is_problem(goal)]
    details = "".join(_problem(goal) for goal in problems[:_MOST_DETAILS])
    if len(problems) > _MOST_DETAILS:
        details += f"<li>and {len(problems) - _MOST_DETAILS} more</li>"
    if details:
        details = f"<details><summary>{len(problems)} open or violated</summary><ul>{details}</ul></details>"
    return (
        f"<tr><td style='text-align:left' title='{escape(place)}'><code>{escape(function.title)}</code></td>"
        f"<td>{len(function.goals)}</td><td>{len(function.tests)}</td>"
        f"<td style='text-align:left'>{_bar(function)}{details}</td></tr>"
    )


def _problem(goal: Goal) -> str:
    why = f": {goal.reason.text}" if goal.reason else ""
    return f"<li>line {goal.line}: {escape(goal.text)}: {escape(goal.verdict)}{escape(why)}</li>"


def _bar(function: Function) -> str:
    counts = Counter(goal.verdict for goal in function.goals)
    parts = []
    for verdict, (words, color) in _LOOK.items():
        number = counts.get(verdict, 0)  # type: ignore[call-overload]
        if number:
            parts.append(
                f"<span style='background:{color};color:#fff;padding:0 .5em;margin-right:2px;"
                f"border-radius:3px'>{number} {words}</span>"
            )
    return "".join(parts) or "no goals"
