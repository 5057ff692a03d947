"""Runs on a Dask cluster: shards of the functions as tasks, one suite at the end.

>>> from dask.distributed import Client                                              # doctest: +SKIP
>>> client = Client("tcp://scheduler:8786")                                          # doctest: +SKIP
>>> suite = glassbox.distributed.gen(client, compdb="build/compile_commands.json")   # doctest: +SKIP

Workers see the sources under the same paths, have the command and this package; nothing else is asked of
them. A task leaves its files in the worker's own folder and sends them back as its result, so only the cache
(optional) wants a folder that all can write to. A worker that dies costs what it was doing: the scheduler gives
its tasks to others. `glassbox merge` joins the parts to the bytes that one machine would have written.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import threading
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glassbox import _call
from glassbox._binary import find_binary
from glassbox._errors import BadInputError, GlassboxError, InternalError, missing
from glassbox._suite import Suite

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["DistributedRun", "Part", "ShardLostError", "check", "gen", "submit"]

# Shards for each thread of the cluster: enough that the last ones end together, few enough that reading
# the sources again for each costs little.
SHARDS_PER_THREAD = 2


class ShardLostError(GlassboxError):
    """Shards that no worker finished, in spite of all retries. What others found is in `parts`."""

    def __init__(self, message: str, parts: Sequence[Path] = ()) -> None:
        super().__init__(message)
        self.parts = tuple(parts)


@dataclass(frozen=True)
class Part:
    """What one task found."""

    index: int
    count: int
    exit_code: int
    messages: str
    worker: str
    archive: bytes
    """The output folder without its reports, as a compressed tar archive: all that `glassbox merge` needs."""

    def unpack(self, folder: Path) -> None:
        """Leaves the output folder there; it appears when it is complete."""
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(self.archive), mode="r:gz") as archive:
            if hasattr(tarfile, "data_filter"):
                archive.extractall(partial, filter="data")
            else:
                archive.extractall(partial)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)


def gen(
    client: Client,
    *paths: _call.PathLike,
    out: _call.PathLike = _call.DEFAULT_OUT,
    shards: int | None = None,
    cache: _call.PathLike | None = None,
    retries: int = 3,
    on_part: Callable[[Part, int, int], None] | None = None,
    cc_flags: Sequence[str] = (),
    cwd: _call.PathLike | None = None,
    **options: _call.Option,
) -> Suite:
    """`glassbox.gen` on a cluster: the same keywords, the same result, the same bytes in `out`.

    `cache` is a folder that all workers can write to; by default each uses `$XDG_CACHE_HOME` of its machine.
    `on_part` is called with each part when it arrives, the number of those that are there, and of all.
    """
    run = submit(
        client,
        "gen",
        *paths,
        out=out,
        shards=shards,
        cache=cache,
        retries=retries,
        cc_flags=cc_flags,
        cwd=cwd,
        **options,
    )
    return run.result(on_part)


def check(
    client: Client,
    *paths: _call.PathLike,
    out: _call.PathLike = _call.DEFAULT_OUT,
    shards: int | None = None,
    cache: _call.PathLike | None = None,
    retries: int = 3,
    on_part: Callable[[Part, int, int], None] | None = None,
    cc_flags: Sequence[str] = (),
    cwd: _call.PathLike | None = None,
    **options: _call.Option,
) -> Suite:
    """`glassbox.check` on a cluster; see `gen`."""
    run = submit(
        client,
        "check",
        *paths,
        out=out,
        shards=shards,
        cache=cache,
        retries=retries,
        cc_flags=cc_flags,
        cwd=cwd,
        **options,
    )
    return run.result(on_part)


def submit(
    client: Client,
    task: _call.Task,
    *paths: _call.PathLike,
    out: _call.PathLike = _call.DEFAULT_OUT,
    shards: int | None = None,
    cache: _call.PathLike | None = None,
    retries: int = 3,
    cc_flags: Sequence[str] = (),
    cwd: _call.PathLike | None = None,
    **options: _call.Option,
) -> DistributedRun:
    """Starts a run and comes back at once; iterate over the result for parts as they arrive."""
    if getattr(client, "asynchronous", False):
        raise TypeError("a client with asynchronous=False is needed")
    folder = Path(cwd or ".").absolute()
    count = shards if shards is not None else _n_shards(client)
    if count < 1:
        raise ValueError(f"at least one shard is needed, not {count}")
    # One function at a time: Dask's threads are what works in parallel. By the environment, because a suite records its
    # command, and that should be the one of a single machine.
    environment: dict[str, str | None] = {"GLASSBOX_JOBS": "1", **_shared()}
    if cache is not None:
        environment |= {"XDG_CACHE_HOME": os.fspath(Path(folder, cache)), "GLASSBOX_NO_CACHE": "0"}
    token = uuid.uuid4().hex[:8]
    job = _Job(
        words=_call.arguments(task, paths, out, options, cc_flags),
        earlier=_earlier(folder / out) if task == "gen" else None,
        out=os.fspath(out),
        cwd=str(folder),
        environment=environment,
        count=count,
    )
    futures = {
        client.submit(
            _run_shard, job, index, key=f"glassbox-{task}-{index}-of-{count}-{token}", retries=retries, pure=False
        ): index
        for index in range(1, count + 1)
    }
    return DistributedRun(futures, folder, os.fspath(out), count)


class DistributedRun:
    """Shards that are being worked on."""

    def __init__(self, futures: dict[Future, int], cwd: Path, out: str, count: int) -> None:
        self.out = cwd / out
        self.count = count
        self._cwd = cwd
        self._out = out
        self._futures = futures
        self._parts: dict[int, Path] = {}

    @property
    def parts_folder(self) -> Path:
        """Where parts are kept until they are merged, beside the output folder."""
        return self.out.with_name(f"{self.out.name}.parts")

    def __iter__(self) -> Iterator[Part]:
        """Parts in the order in which they are finished; each is on disk when it is given out."""
        from distributed import as_completed

        self.parts_folder.mkdir(parents=True, exist_ok=True)
        lost: list[str] = []
        for future in as_completed(list(self._futures)):
            index = self._futures[future]
            if future.status == "finished":
                part = self._keep(index, future.result())
                # The scheduler and the worker need not hold it any longer.
                future.release()
                yield part
            else:
                lost.append(f"shard {index}/{self.count}: {_why(future)}")
        if lost:
            raise ShardLostError("\n".join(lost), sorted(self._parts.values()))

    def _keep(self, index: int, result: Part | BadInputError) -> Part:
        if isinstance(result, BadInputError):
            # What is wrong with one is wrong with all.
            self.cancel()
            raise result
        folder = self.parts_folder / f"{index}-of-{self.count}"
        result.unpack(folder)
        self._parts[index] = folder
        return result

    def result(self, on_part: Callable[[Part, int, int], None] | None = None) -> Suite:
        """Waits for all parts and merges them."""
        try:
            for done, part in enumerate(self, start=1):
                if on_part is not None:
                    on_part(part, done, self.count)
        except BaseException:
            self.cancel()
            raise
        parts = [self._parts[index] for index in sorted(self._parts)]
        # From where the parts were made: a suite has the paths that it was asked about.
        suite = _call.merge(parts, self._out, cwd=self._cwd, env=_not_ours() | _shared())
        self._remove_parts()
        return suite

    def _remove_parts(self) -> None:
        """Disks take long to remove many small files, and nobody waits for it; the end of the process does."""
        gone = Path(tempfile.mkdtemp(prefix=f".{self.parts_folder.name}-", dir=self.parts_folder.parent))
        self.parts_folder.rename(gone / "parts")
        threading.Thread(target=shutil.rmtree, args=(gone,), kwargs={"ignore_errors": True}).start()

    def cancel(self) -> None:
        """Takes back what no worker has begun."""
        for future in self._futures:
            future.cancel()


@dataclass(frozen=True)
class _Job:
    """What all tasks of a run share."""

    words: list[str]
    # The suite that the run begins with, compressed: workers need not share a disk with us.
    earlier: bytes | None
    out: str
    cwd: str
    environment: Mapping[str, str | None]
    count: int


def _run_shard(job: _Job, index: int) -> Part | BadInputError:
    """One task, on a worker. What is wrong with the input is a result: trying again would not mend it."""
    worker, local = _place()
    with tempfile.TemporaryDirectory(prefix="glassbox-", dir=local) as folder:
        out = Path(folder, "out")
        words = _shard_words(job, index, out)
        if job.earlier is not None:
            earlier = Path(folder, "earlier")
            earlier.mkdir()
            (earlier / _SUITE).write_bytes(zlib.decompress(job.earlier))
            words.insert(_end(words), f"--shard-earlier={earlier}")
        done = subprocess.run(
            [*_dying_with_us(), str(find_binary()), *words],
            cwd=job.cwd,
            # Compilers believe what the shell calls the folder: it should be the same name everywhere.
            env=_call.environment({**_not_ours(), **job.environment, "PWD": job.cwd}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        try:
            _call.raise_for(done, words)
        except BadInputError as error:
            return error
        if not out.is_dir():
            raise InternalError(done.stderr.strip() or "no output folder", done.returncode, words)
        return Part(index, job.count, done.returncode, done.stderr, worker, _packed(out))


def _shard_words(job: _Job, index: int, out: Path) -> list[str]:
    words = list(job.words)
    words[words.index("--out") + 1] = str(out)
    words.insert(_end(words), f"--shard={index}/{job.count}")
    return words


def _end(words: list[str]) -> int:
    """Where our options end and flags of the compiler begin."""
    return words.index("--") if "--" in words else len(words)


_SUITE = "suite.json"


def _earlier(out: Path) -> bytes | None:
    """The suite that is there already."""
    try:
        return zlib.compress((out / _SUITE).read_bytes(), level=1)
    except (FileNotFoundError, NotADirectoryError):
        return None


# What programs print and how they compare depends on it: it should be the same everywhere.
_SHARED = ("LANG", "LC_", "TZ")


def _shared() -> dict[str, str | None]:
    """What commands of all machines get from this one's environment."""
    return {name: value for name, value in os.environ.items() if name.startswith(_SHARED)}


def _not_ours() -> dict[str, str | None]:
    """What commands do not get from the environment of this process.

    Results depend on variables that allocators look at, and Dask sets one for its workers (and for whoever starts
    them in its own process) that makes commands slower by a fifth: memory goes back to the system at once.
    """
    import dask

    of_dask = dask.config.get("distributed.nanny.pre-spawn-environ", {})
    names = [name for name in os.environ if name in of_dask or name.startswith(_SHARED)]
    return dict.fromkeys(names)


def _place() -> tuple[str, str | None]:
    """The name of this worker and a folder of its own, which Dask removes if it dies."""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return "this process", None
    return str(worker.name), str(worker.local_directory)


def _dying_with_us() -> list[str]:
    """Nothing waits for a command whose worker was killed: let the kernel end it, too."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL"] if setpriv else []


# What `merge` makes anew.
_LEFT_OUT = {"./report", "./tests"}


def _packed(folder: Path) -> bytes:
    def is_wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        return None if entry.name in _LEFT_OUT else entry

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname=".", filter=is_wanted)
    return buffer.getvalue()


def _why(future: Future) -> str:
    if future.status == "cancelled":
        return "canceled"
    error: Any = future.exception()
    return f"{type(error).__name__}: {error}"


def _n_shards(client: Client) -> int:
    try:
        threads: int = sum(client.nthreads().values())
    except ImportError as error:
        raise missing("distributed", "dask") from error
    # A cluster that is still starting has no workers yet.
    return SHARDS_PER_THREAD * max(threads, 2)
