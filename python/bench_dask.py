"""Dask with two workers against `--jobs 2` on a generated project: wall-clock and processor seconds of both.

    GLASSBOX=target/release/glassbox python python/bench_dask.py [FUNCTIONS] [SHARDS ...]

Processor seconds say what sharing costs on a busy machine, wall-clock seconds on an idle one.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
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


def processor_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measured(what: str, work: Callable[[], glassbox.Suite], client: Any) -> tuple[float, float]:
    def everywhere() -> float:
        return processor_seconds() + sum(client.run(processor_seconds).values())

    before, start = everywhere(), time.monotonic()
    suite = work()
    wall, used = time.monotonic() - start, everywhere() - before
    print(f"{what:24} {wall:8.1f} s wall {used:8.1f} s processor   {suite.summary()}", flush=True)
    return wall, used


def main() -> None:
    n_functions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    shards = [int(word) for word in sys.argv[2:]] or [8]
    os.environ["GLASSBOX_NO_CACHE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "src")
        write_project(project, n_functions)
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            wall, used = measured("--jobs 2", lambda: glassbox.gen("src", cwd=folder, out="a", jobs=2), client)
            for count in shards:

                def on_cluster(count: int = count) -> glassbox.Suite:
                    return glassbox.distributed.gen(client, "src", cwd=folder, out=f"b{count}", shards=count)

                other = measured(f"Dask, {count} shards", on_cluster, client)
                print(f"{'':24} {100 * (other[0] / wall - 1):+7.1f} %      {100 * (other[1] / used - 1):+7.1f} %")


if __name__ == "__main__":
    main()
