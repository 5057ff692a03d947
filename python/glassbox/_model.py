"""The data of suite.json as frozen dataclasses, one for each definition of schema/suite.schema.json.

`tests/test_model.py` compares their members with the schema.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal[
    "covered",
    "infeasible",
    "infeasible-within",
    "unknown",
    "violated",
    "holds",
    "holds-within",
]
Method = Literal[
    "control-flow",
    "path-enumeration",
    "whole-function",
    "loop-summary",
    "induction",
    "covering",
    "call-summaries",
]
ReasonCode = Literal[
    "budget",
    "unsupported",
    "disagreement",
    "unconfirmed",
    "undefined-behavior",
    "internal-error",
]
# Integers as decimal text, floats as {"hex", "decimal"}, pointers as {"object", "offset"}, records by
# member, arrays by element. `glassbox._values.plain` makes numbers of Python of it.
Value = Any
Edge = tuple[int, int]


@dataclass(frozen=True)
class Tool:
    name: str
    version: str


@dataclass(frozen=True)
class Param:
    name: str
    type: str


@dataclass(frozen=True)
class Reason:
    """Why nothing is known."""

    code: ReasonCode
    text: str


@dataclass(frozen=True)
class Goal:
    """What a suite should reach, or a property that should hold, and what is known about it."""

    id: str
    kind: str
    file: str | None
    line: int
    column: int
    text: str
    end_line: int
    end_column: int
    at: Any
    verdict: Verdict
    test: str | None = None
    method: Method | None = None
    proof: str | None = None
    bounds: list[str] = field(default_factory=list)
    reason: Reason | None = None
    pair: list[Any] | None = None
    reached_after: int | None = None
    refutations: list[int] = field(default_factory=list)
    dismissed: str | None = None

    @property
    def is_decided(self) -> bool:
        """Whether there is a test, a proof or a counter-example."""
        return self.verdict != "unknown"

    @property
    def is_proved(self) -> bool:
        """Whether nothing can reach it, or nothing can violate it, without bounds."""
        return self.verdict in ("infeasible", "holds")


@dataclass(frozen=True)
class Named:
    name: str
    type: str
    value: Value


@dataclass(frozen=True)
class Object:
    """Memory behind pointers."""

    name: str
    type: str
    length: int
    extra_bytes: int
    elements: list[Value]
    stream: list[int] | None = None


@dataclass(frozen=True)
class Write:
    param: int
    type: str
    elements: list[Value]


@dataclass(frozen=True)
class Stub:
    """What a call of an undefined function gives back."""

    function: str
    writes: list[Write]
    result: Value = None


@dataclass(frozen=True)
class Inputs:
    params: list[Named]
    objects: list[Object]
    globals: list[Named]
    stubs: list[Stub]
    stdin: list[int]
    argv: list[list[int]]
    files: list[list[int] | None] = field(default_factory=list)
    failing_allocations: list[int] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ChangedObject:
    name: str
    elements: list[Value]


@dataclass(frozen=True)
class ChangedGlobal:
    name: str
    value: Value


@dataclass(frozen=True)
class Made:
    """Memory that a run made: allocated in C, objects and arrays in Java."""

    type: str
    length: int
    elements: list[Value]
    class_: str | None = None


@dataclass(frozen=True)
class Expected:
    """What the program does with the inputs. `ending` is a word, or one word with its detail."""

    ending: Any
    changed_objects: list[ChangedObject]
    changed_globals: list[ChangedGlobal]
    stdout: list[int]
    result: Value = None
    made: list[Made] = field(default_factory=list)


@dataclass(frozen=True)
class Rerun:
    """A run with an input that no test of the suite has."""

    inputs: Inputs
    expected: Expected


@dataclass(frozen=True)
class Elsewhere:
    """What a run did in another function of the suite."""

    function: int
    blocks: list[int]
    edges: list[Edge]


@dataclass(frozen=True)
class Replay:
    """What the real program did with a test."""

    state: Literal["confirmed", "failed", "not-run"]
    message: str | None


@dataclass(frozen=True)
class TestSource:
    """The text of a test."""

    __test__ = False

    file: str
    line: int
    text: str
    command: str | None = None


@dataclass(frozen=True)
class Moment:
    at: int | None = None
    variables: list[Named] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    objects: list[ChangedObject] = field(default_factory=list)


@dataclass(frozen=True)
class TermCase:
    call: str
    pattern: str
    result: str
    rules: list[str]


@dataclass(frozen=True)
class Test:
    __test__ = False

    id: str
    inputs: Inputs
    expected: Expected
    oracles: list[Literal["spec", "relation", "regression"]]
    covers: list[str]
    path: list[str]
    constraints: list[str]
    replay: Replay
    constraint_lines: list[int] = field(default_factory=list)
    blocks: list[int] | None = None
    edges: list[Edge] | None = None
    trace: list[Edge] | None = None
    elsewhere: list[Elsewhere] = field(default_factory=list)
    source: TestSource | None = None
    moments: list[Moment] = field(default_factory=list)
    term: TermCase | None = None
    through: str | None = None


@dataclass(frozen=True)
class Condition:
    text: str
    line: int
    column: int


@dataclass(frozen=True)
class Evaluation:
    values: list[bool | None]
    outcome: bool
    tests: list[str]


@dataclass(frozen=True)
class Impossible:
    goal: int
    with_: int | None = None


@dataclass(frozen=True)
class Unseen:
    """A way to evaluate a decision that no test takes."""

    values: list[bool | None]
    outcome: bool
    impossible: Impossible | None = None


@dataclass(frozen=True)
class Pair:
    condition: int
    first: int
    second: int


@dataclass(frozen=True)
class Decision:
    kind: str
    line: int
    column: int
    formula: str
    conditions: list[Condition]
    evaluations: list[Evaluation]
    unseen: list[Unseen] | None = None
    pairs: list[Pair] = field(default_factory=list)


@dataclass(frozen=True)
class GraphEdge:
    to: int
    label: str | None


@dataclass(frozen=True)
class Block:
    lines: list[int]
    kind: str
    text: str | None
    edges: list[GraphEdge]


@dataclass(frozen=True)
class Graph:
    blocks: list[Block]


@dataclass(frozen=True)
class CoreCondition:
    text: str
    line: int | None


@dataclass(frozen=True)
class Refutation:
    """A way that is closed, and why."""

    edge: Edge
    core: list[CoreCondition]


@dataclass(frozen=True)
class Invariant:
    """What holds at a line for every input."""

    line: int
    known: Any


@dataclass(frozen=True)
class GoalSolutions:
    goal: str
    count: int
    complete: bool


@dataclass(frozen=True)
class SolutionTable:
    goals: list[str | None]
    inputs: list[str]
    values: list[list[Value]]


@dataclass(frozen=True)
class Solutions:
    goals: list[GoalSolutions]
    tables: list[SolutionTable]


@dataclass(frozen=True)
class ContractClause:
    text: str
    place: str
    removes: list[str]


@dataclass(frozen=True)
class Confirmation:
    of: Literal["coverage", "some-coverage", "results"]
    text: str


@dataclass(frozen=True)
class Limit:
    name: str
    value: str


@dataclass(frozen=True)
class Layer:
    name: str
    asked: int
    sat: int
    unsat: int
    steps: int


@dataclass(frozen=True)
class Statistics:
    paths: int
    runs: int
    layers: list[Layer]


@dataclass(frozen=True)
class Function:
    name: str
    title: str
    signature: str
    file: str | None
    line: int
    end_line: int
    result: str
    params: list[Param]
    goals: list[Goal]
    tests: list[Test]
    decisions: list[Decision]
    graph: Graph
    refutations: list[Refutation]
    invariants: list[Invariant]
    solutions: Solutions | None
    contract: list[ContractClause]
    assumptions: list[str]
    limits: list[Limit]
    statistics: Statistics
    requirements: list[str] = field(default_factory=list)
    confirmation: Confirmation | None = None
    depends: str = ""
    seeds: list[Inputs] = field(default_factory=list)
    earlier: list[Rerun] = field(default_factory=list)


@dataclass(frozen=True)
class Source:
    path: str
    text: str | None


@dataclass(frozen=True)
class StubSite:
    """A place where an undefined function is called."""

    function: str
    file: str
    line: int
    column: int


@dataclass(frozen=True)
class SuiteData:
    """The whole of suite.json."""

    format: int
    tool: Tool
    task: Literal["generate", "check"]
    command: list[str]
    functions: list[Function]
    sources: list[Source]
    stub_sites: list[StubSite]
    language: Literal["c", "java", "rules"] = "c"
