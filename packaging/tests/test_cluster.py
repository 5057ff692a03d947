"""Slurm by a real controller and node daemon, Kubernetes by its schema and by running what the pods run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import needed, run

SOURCE = """\
int one(int x) { if (x > 10) return 1; return 0; }
int two(int x) { if (x * 3 == 21) return 1; return 0; }
int three(unsigned char c) { if (c > 300) return 1; return 0; }
int four(int a, int b) { if (b != 0 && a / b == 7) return 1; return 0; }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.c").write_text(SOURCE)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """All that a run left, but for the times."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "times.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def whole_run(command: Path, project: Path, out: Path) -> dict[str, bytes]:
    """What one machine leaves in `out`, which is gone afterwards."""
    run(command, "gen", "a.c", "--out", out, cwd=project)
    wanted = files(out)
    shutil.rmtree(out)
    return wanted


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cluster of this machine: a controller and a node, without authentication."""
    controller, node = needed("slurmctld"), needed("slurmd")
    needed("sbatch")
    if os.geteuid() != 0:
        pytest.skip("slurmd has to be started by root")
    folder = tmp_path / "slurm"
    (folder / "state").mkdir(parents=True)
    (folder / "spool").mkdir()
    host = socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(f"""\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MinJobAge=300
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    daemons = []
    try:
        for program in (controller, node):
            log = (folder / f"{Path(program).name}.log").open("wb")
            words = [program, "-D", "-f", str(folder / "slurm.conf")]
            daemons.append(subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT))
        wait_until_idle(folder)
        yield
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(timeout=60)


def wait_until_idle(folder: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        state = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True, check=False).stdout
        if state.strip() == "idle":
            return
        time.sleep(0.2)
    logs = "\n".join(log.read_text(errors="replace")[-2000:] for log in folder.glob("*.log"))
    pytest.fail(f"Slurm does not start:\n{logs}")


def test_slurm_runs_shards_and_the_merge(project: Path, packaging: Path, command: Path, slurm: None) -> None:
    wanted = whole_run(command, project, project / "glassbox-out")
    script = packaging / "slurm" / "glassbox-slurm.sh"
    # Paths are as they are typed, so the folder has the name that the whole run was given.
    run(script, "3", "gen", "a.c", cwd=project, GLASSBOX_WAIT="1", GLASSBOX_OUT=str(project / "glassbox-out"))
    assert files(project / "glassbox-out") == wanted
    logs = [log.read_text() for log in sorted(project.glob("glassbox-*_*.log"))]
    assert len(logs) == 3
    assert all("done (exit code 0)" in log for log in logs)


def test_slurm_scripts_are_clean_and_say_how_they_are_used(project: Path, packaging: Path) -> None:
    scripts = [*packaging.rglob("*.sh")]
    assert len(scripts) >= 6
    run(needed("shellcheck"), *scripts, cwd=project)
    said = run(packaging / "slurm" / "glassbox-slurm.sh", cwd=project, status=2)
    assert "glassbox-slurm.sh N gen" in said


def jobs(packaging: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((packaging / "kubernetes" / "glassbox-job.yaml").read_text()))


def test_kubernetes_takes_the_jobs(packaging: Path) -> None:
    validate = pytest.importorskip("kubernetes_validate")
    for job in jobs(packaging):
        assert validate.validate(job, "1.28", strict=True)
    shards, merge = jobs(packaging)
    count = shards["spec"]["completions"]
    for job in (shards, merge):
        assert variables(job)["GLASSBOX_SHARDS"] == str(count)
    wrong = jobs(packaging)[0]
    wrong["spec"]["completionsMode"] = "Indexed"
    with pytest.raises(validate.ValidationError):
        validate.validate(wrong, "1.28", strict=True)


def variables(job: dict[str, Any]) -> dict[str, str]:
    (container,) = job["spec"]["template"]["spec"]["containers"]
    return {one["name"]: one["value"] for one in container["env"]}


def test_what_the_pods_run_gives_the_whole(project: Path, packaging: Path, command: Path, on_path: None) -> None:
    out = project / "all"
    wanted = whole_run(Path("glassbox"), project, out)
    shards, merge = jobs(packaging)
    own = {
        "GLASSBOX_SHARDS": "3",
        "GLASSBOX_PARTS": str(project / "parts"),
        "GLASSBOX_ARGS": "gen a.c",
        "GLASSBOX_OUT": str(out),
        "XDG_CACHE_HOME": str(project / "cache"),
    }
    for index in range(3):
        run_pod(shards, project, {**own, "JOB_COMPLETION_INDEX": str(index)})
    run_pod(merge, project, own)
    assert files(out) == wanted


def run_pod(job: dict[str, Any], project: Path, own: dict[str, str]) -> None:
    (container,) = job["spec"]["template"]["spec"]["containers"]
    run(*container["command"], *container["args"], cwd=project, **{**variables(job), **own})
