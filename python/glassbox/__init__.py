"""Glassbox from Python: run the command, and read what it found as typed data.

>>> import glassbox
>>> suite = glassbox.gen("examples/triangle.c", criterion="mcdc")  # doctest: +SKIP
>>> suite.goals()  # a pandas frame                                 # doctest: +SKIP
"""

from glassbox._binary import find_binary
from glassbox._call import ListedFunction, check, functions, gen, merge, version
from glassbox._errors import (
    BadInputError,
    BinaryNotFoundError,
    GlassboxError,
    InternalError,
    SuiteFormatError,
)
from glassbox._model import (
    Decision,
    Expected,
    Function,
    Goal,
    Inputs,
    Method,
    Reason,
    Replay,
    Source,
    Test,
    Verdict,
)
from glassbox._suite import Suite

__all__ = [
    "BadInputError",
    "BinaryNotFoundError",
    "Decision",
    "Expected",
    "Function",
    "GlassboxError",
    "Goal",
    "Inputs",
    "InternalError",
    "ListedFunction",
    "Method",
    "Reason",
    "Replay",
    "Source",
    "Suite",
    "SuiteFormatError",
    "Test",
    "Verdict",
    "check",
    "find_binary",
    "functions",
    "gen",
    "merge",
    "version",
]

__version__ = "0.1.0"
