"""A real scheduler and real workers, on one machine; one of them is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import glassbox
import glassbox.distributed

distributed = pytest.importorskip("distributed")

N_FUNCTIONS = 12


def source(position: int) -> str:
    """A function that takes a moment, so that there is a middle in which a worker can be killed."""
    return f"""\
int work{position}(unsigned a, unsigned b) {{
  unsigned s = 0;
  for (unsigned i = 0; i < (a & 7); i++) s += b ^ i;
  if (s == {1000 + position}) return 1;
  if (a * b == {77 * (position + 2)}) return 2;
  if ((a ^ b) % 13 == {position % 13}) return 3;
  return 0;
}}
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    for file in range(3):
        text = "".join(source(position) for position in range(file, N_FUNCTIONS, 3))
        (folder / "src" / f"file{file}.c").write_text(text)
    return folder


class Cluster:
    """A scheduler and workers as processes of their own, started as on the command line."""

    def __init__(self, folder: Path, n_workers: int, *, has_nannies: bool = False, **variables: str) -> None:
        self.folder = folder
        self.has_nannies = has_nannies
        folder.mkdir()
        self.environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3", **variables}
        file = folder / "scheduler.json"
        self.scheduler = self.start(
            "scheduler", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(file)
        )
        nanny = [] if has_nannies else ["--no-nanny"]
        self.workers = [
            self.start(
                *["worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard", *nanny],
                *["--name", f"worker{number}", "--local-directory", str(folder)],
            )
            for number in range(n_workers)
        ]
        self.client: Any = distributed.Client(scheduler_file=str(file), timeout=120)
        self.client.wait_for_workers(n_workers, timeout=120)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{words[0]}.log").open("ab")
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words], env=self.environment, stdout=log, stderr=subprocess.STDOUT
        )

    def stop(self) -> None:
        self.client.close()
        for process in [*self.workers, self.scheduler]:
            # A nanny ends its worker when it is asked to, and not when it is killed.
            if self.has_nannies and process is not self.scheduler:
                process.terminate()
            else:
                process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, n_workers: int, **options: Any) -> Iterator[Cluster]:
    started = Cluster(folder, n_workers, **options)
    try:
        yield started
    finally:
        started.stop()


def files(folder: Path) -> dict[str, bytes]:
    """All that a run left, but for the times."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "times.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout
    return [int(word) for word in found.split()]


def test_a_worker_is_killed_and_nothing_is_lost(sources: Path, tmp_path: Path) -> None:
    plain = glassbox.gen("src", cwd=sources, out="out", format="html,lcov,sarif")
    wanted = files(sources / "out")
    (sources / "out").rename(sources / "plain")
    with cluster(tmp_path / "dask", 3) as started:
        # The first call tells the scheduler to remember what the dashboard shows.
        started.client.get_task_stream()
        run = glassbox.distributed.submit(
            started.client, "gen", "src", cwd=sources, out="out", shards=N_FUNCTIONS, format="html,lcov,sarif"
        )
        victim = started.workers[0]
        orphans: list[int] = []
        deadline = time.monotonic() + 120
        # In the middle: while the command is at work for it.
        while not orphans and time.monotonic() < deadline:
            orphans = children(victim.pid)
        assert orphans, "the first worker never got a task"
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        arrived: list[int] = []
        suite = run.result(lambda part, done, count: arrived.append(part.index))
        assert len(started.client.scheduler_info()["workers"]) == 2
        # What the dead worker had started has ended with it.
        assert not any(Path(f"/proc/{orphan}/exe").exists() for orphan in orphans)
        # The dashboard shows tasks by this name.
        shown = {str(row["key"]).rsplit("-", 1)[0] for row in started.client.get_task_stream()}
        assert shown >= {f"glassbox-gen-{index}-of-{N_FUNCTIONS}" for index in arrived}
    assert sorted(arrived) == list(range(1, N_FUNCTIONS + 1))
    assert suite.data == plain.data
    assert suite.exit_code == plain.exit_code
    found = files(sources / "out")
    assert found.keys() == wanted.keys()
    assert [name for name in wanted if wanted[name] != found[name]] == []
    assert not (sources / "out.parts").exists()


def test_parts_begin_with_the_suite_that_is_there(sources: Path, tmp_path: Path) -> None:
    glassbox.gen("src", cwd=sources, out="out", no_exec=True)
    shutil.copytree(sources / "out", tmp_path / "before")
    changed = sources / "src" / "file0.c"
    changed.write_text(changed.read_text().replace("return 3;", "return 4;"))
    plain = glassbox.gen("src", cwd=sources, out="out", no_exec=True)
    assert any(function.earlier or function.seeds for function in plain.data.functions)
    shutil.rmtree(sources / "out")
    shutil.copytree(tmp_path / "before", sources / "out")
    with cluster(tmp_path / "dask", 2) as started:
        suite = glassbox.distributed.gen(started.client, "src", cwd=sources, out="out", shards=3, no_exec=True)
    assert suite.data == plain.data


def test_check_with_a_shared_cache_and_errors_of_the_input(sources: Path, tmp_path: Path) -> None:
    (sources / "src" / "half.c").write_text("int half(int a, int b) { return a / b; }\n")
    plain = glassbox.check("src", cwd=sources, out="out")
    wanted = files(sources / "out")
    # Workers as clusters start them: with other variables than this process has.
    with cluster(tmp_path / "dask", 2, has_nannies=True, LC_ALL="C.UTF-8", TZ="Asia/Tokyo") as started:
        for _ in range(2):
            suite = glassbox.distributed.check(
                started.client, "src", cwd=sources, out="out", shards=4, cache=tmp_path / "cache", force=False
            )
            assert suite.exit_code == plain.exit_code == 3
            assert files(sources / "out") == wanted
        assert any((tmp_path / "cache" / "glassbox").rglob("*"))
        with pytest.raises(glassbox.BadInputError, match="nowhere"):
            glassbox.distributed.gen(started.client, "nowhere.c", cwd=sources, shards=2)
        with pytest.raises(ValueError, match="at least one shard"):
            glassbox.distributed.gen(started.client, "src", cwd=sources, shards=0)


def test_shards_that_no_worker_can_finish_are_named(sources: Path, tmp_path: Path) -> None:
    crash = tmp_path / "crash"
    crash.write_text("#!/bin/sh\necho oops >&2\nexit 4\n")
    crash.chmod(0o755)
    with cluster(tmp_path / "dask", 1) as started:
        started.client.run(lambda: os.environ.__setitem__("GLASSBOX", str(crash)))
        with pytest.raises(glassbox.distributed.ShardLostError, match="shard 1/2: InternalError: oops"):
            glassbox.distributed.gen(started.client, "src", cwd=sources, shards=2, retries=1)


def test_the_same_code_for_slurm_and_kubernetes() -> None:
    """Constructed only: there is neither Slurm nor Kubernetes behind them."""
    jobqueue = pytest.importorskip("dask_jobqueue")
    with jobqueue.SLURMCluster(
        cores=4,
        processes=4,
        memory="8GB",
        job_script_prologue=["export XDG_CACHE_HOME=/shared/cache"],
        scheduler_options={"dashboard_address": ":0"},
    ) as slurm:
        script = slurm.job_script()
        assert "export XDG_CACHE_HOME=/shared/cache" in script
        assert "--nthreads 1 " in script
        assert "--nworkers 4 " in script
        with distributed.Client(slurm) as client:
            assert glassbox.distributed._n_shards(client) == 4
    operator = pytest.importorskip("dask_kubernetes.operator")
    spec = operator.make_cluster_spec(
        name="glassbox",
        image="ghcr.io/glassbox-tg/glassbox-dask:0.1.0",
        n_workers=4,
        env={"XDG_CACHE_HOME": "/work/cache"},
    )
    worker = spec["spec"]["worker"]
    assert worker["replicas"] == 4
    assert {"name": "XDG_CACHE_HOME", "value": "/work/cache"} in worker["spec"]["containers"][0]["env"]
