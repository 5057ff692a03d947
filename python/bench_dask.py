"""Dask with two workers against `--jobs 2`: wall-clock and processor seconds of both.

    GLASSBOX=target/release/glassbox python python/bench_dask.py [--repeat N]
        [--folder DIR [OPTION ...]] [FUNCTIONS] [SHARDS ...]

The project is generated, or the C files of a folder, with options of `glassbox gen`. Processor seconds are those of the
commands and, apart from them, those of Python and Dask, most of which pass while they wait; starting the cluster is
measured by itself. Wall-clock seconds say something on an idle machine only. On one that is not, processor seconds of
the same run differ by a fifth and more, most of all those of the kernel, which are shown apart: `--repeat` does
everything so many times in turns, and compares medians.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from distributed import Client, LocalCluster

import glassbox
import glassbox.distributed

PER_FILE = 20


def write_project(folder: Path, n_functions: int) -> None:
    """Functions with branches, loops and calls of their neighbors, in files of twenty."""
    draw = random.Random(7)
    folder.mkdir()
    for start in range(0, n_functions, PER_FILE):
        text = ""
        for number in range(start, min(start + PER_FILE, n_functions)):
            low, high = sorted(draw.sample(range(1, 2000), 2))
            call = f"f{number - 1}(x - 1, y)" if number % PER_FILE else "x - y"
            text += (
                f"int f{number}(int x, int y) {{\n  int s = 0;\n"
                f"  for (int i = 0; i < (y & 3); i++) s += x ^ {low};\n"
                f"  if (x > {low} && x < {high}) return s;\n"
                f"  if (x * 3 == {3 * high} || s == {low + 5}) return 1;\n"
                f"  if (y == {high}) return {call};\n  return x == {low} ? 2 : 3;\n}}\n"
            )
        (folder / f"unit{start // PER_FILE}.c").write_text(text)


def processor_seconds() -> tuple[float, float, float]:
    """What this process has used, and the commands that it has waited for: themselves, and the kernel for them."""
    used = os.times()
    return used.user + used.system, used.children_user, used.children_system


@dataclass(frozen=True)
class Cost:
    wall: float
    python: float
    user: float
    """Of commands, outside of the kernel: what the kernel takes depends on what else there is to do."""
    kernel: float

    @property
    def commands(self) -> float:
        return self.user + self.kernel


def measured(what: str, work: Callable[[], glassbox.Suite], client: Any) -> Cost:
    def everywhere() -> tuple[float, ...]:
        all_of_them = [processor_seconds(), *client.run(processor_seconds).values()]
        return tuple(map(sum, zip(*all_of_them, strict=True)))

    before, start = everywhere(), time.monotonic()
    suite = work()
    wall, after = time.monotonic() - start, everywhere()
    cost = Cost(wall, *(new - old for new, old in zip(after, before, strict=True)))
    commands = f"{cost.commands:8.1f} s commands ({cost.kernel:.1f} s kernel)"
    seconds = f"{wall:8.1f} s wall {commands} {cost.python:8.1f} s Python"
    print(f"{what:20} {seconds}   {suite.summary()}", flush=True)
    return cost


def more(new: list[float], old: list[float]) -> str:
    return f"{100 * (median(new) / median(old) - 1):+7.1f} %"


def main() -> None:
    words = sys.argv[1:]
    repeats = 1
    if words[:1] == ["--repeat"]:
        repeats, words = int(words[1]), words[2:]
    folder, options = None, {}
    if words[:1] == ["--folder"]:
        folder, words = Path(words[1]).absolute(), words[2:]
        while words and words[0].startswith("--"):
            name, _, value = words.pop(0)[2:].partition("=")
            options[name.replace("-", "_")] = value or True
    n_functions = 200 if folder else int(words.pop(0)) if words else 200
    shards = [int(word) for word in words] or [2, 4]
    os.environ["GLASSBOX_NO_CACHE"] = "1"
    with tempfile.TemporaryDirectory() as place:
        source = folder or Path(place, "src")
        if folder is None:
            write_project(source, n_functions)
        start = time.monotonic()
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            print(f"{'cluster starts':20} {time.monotonic() - start:8.1f} s wall", flush=True)
            # Dask sets it for its workers, and here: a single machine has no such thing.
            os.environ.pop("MALLOC_TRIM_THRESHOLD_", None)

            def alone() -> glassbox.Suite:
                # What an earlier run left would be read, and not be written again.
                shutil.rmtree(Path(place, "a"), ignore_errors=True)
                return glassbox.gen(source, cwd=place, out="a", jobs=2, **options)

            def on_cluster(count: int) -> glassbox.Suite:
                shutil.rmtree(Path(place, f"b{count}"), ignore_errors=True)
                return glassbox.distributed.gen(client, source, cwd=place, out=f"b{count}", shards=count, **options)

            base: list[Cost] = []
            others: dict[int, list[Cost]] = {count: [] for count in shards}
            for _ in range(repeats):
                base.append(measured("--jobs 2", alone, client))
                for count, costs in others.items():
                    costs.append(measured(f"Dask, {count} shards", lambda count=count: on_cluster(count), client))
            for count, costs in others.items():
                wall = more([cost.wall for cost in costs], [cost.wall for cost in base])
                commands = more([cost.commands for cost in costs], [cost.commands for cost in base])
                user = more([cost.user for cost in costs], [cost.user for cost in base])
                said = f"{wall} wall {commands} commands ({user} without the kernel), against --jobs 2"
                print(f"{f'Dask, {count} shards':20} {said}")


if __name__ == "__main__":
    main()
