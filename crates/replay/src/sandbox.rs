//! Child processes that cannot hurt: limits on time, memory and file size; tests write only in their
//! folder and have no network where the kernel can see to it; nothing that they start outlives them.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::confinement::confine_thread;

/// What a child may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub wall: Duration,
    pub cpu_seconds: u32,
    pub memory_kib: u64,
    pub file_kib: u64,
    /// Bytes of output that are kept.
    pub output: usize,
    pub reach: Reach,
}

/// What a child may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Files of the folder it runs in; no network.
    Folder,
    /// Whatever the user may.
    Everything,
}

impl Limits {
    /// For running a test.
    pub fn test() -> Limits {
        Limits {
            wall: Duration::from_secs(5),
            cpu_seconds: 4,
            memory_kib: 2 << 20,
            file_kib: 16 << 10,
            output: 64 << 10,
            reach: Reach::Folder,
        }
    }

    /// For running a test with sanitizers, which reserve address space without measure.
    pub fn sanitized_test() -> Limits {
        Limits { wall: Duration::from_secs(10), memory_kib: u64::MAX, ..Limits::test() }
    }

    /// For running a compiler.
    pub fn compiler() -> Limits {
        Limits {
            wall: Duration::from_secs(60),
            cpu_seconds: 60,
            memory_kib: 4 << 20,
            file_kib: 256 << 10,
            output: 256 << 10,
            reach: Reach::Everything,
        }
    }
}

/// How a child ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// `None` when it was stopped for running too long.
    pub status: Option<ExitStatus>,
    pub output: String,
}

impl Finished {
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }
}

/// Runs a program to its end or to its limit; output and errors together.
pub fn run(
    folder: &Path,
    program: &str,
    args: &[String],
    env: &[(&str, String)],
    limits: Limits,
) -> std::io::Result<Finished> {
    // The shell sets the limits of the process it becomes, one by one: not every shell takes several.
    let memory = match limits.memory_kib {
        u64::MAX => String::new(),
        kib => format!("ulimit -v {kib};"),
    };
    let script = format!(
        "ulimit -t {}; {memory} ulimit -f {}; ulimit -c 0; exec \"$0\" \"$@\"",
        limits.cpu_seconds,
        limits.file_kib.saturating_mul(2)
    );
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(script)
        .arg(program)
        .args(args)
        .current_dir(folder)
        .envs(env.iter().map(|(name, value)| (*name, value.as_str())))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: an interrupt from the keyboard is for us, and what it starts can be ended.
        .process_group(0);
    let mut child = start(&mut command, folder, limits.reach)?;
    let readers: Vec<_> = [
        child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
    ]
    .into_iter()
    .flatten()
    .map(|pipe| thread::spawn(move || read_some(pipe, limits.output)))
    .collect();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limits.wall {
            end_group(&child);
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(1));
    };
    // Processes that it left behind would keep the pipes open.
    end_group(&child);
    let output: Vec<String> =
        readers.into_iter().map(|reader| reader.join().unwrap_or_default()).collect();
    Ok(Finished { status, output: output.concat() })
}

fn start(command: &mut Command, folder: &Path, reach: Reach) -> std::io::Result<Child> {
    if reach == Reach::Everything {
        return command.spawn();
    }
    let confined = move || {
        // A kernel that cannot confine still limits; the tests are the user's own code.
        let _ = confine_thread(folder);
        command.spawn()
    };
    thread::scope(|scope| {
        let spawned = scope.spawn(confined).join();
        spawned.unwrap_or_else(|_| Err(std::io::Error::other("a thread could not be started")))
    })
}

/// Ends what is left of the child's process group.
fn end_group(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // Usually none is left.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

fn read_some(mut pipe: Box<dyn Read + Send>, most: usize) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(n_read) = pipe.read(&mut buffer) {
        if n_read == 0 {
            break;
        }
        // What is beyond the limit is read and dropped, so that the child does not block.
        let room = most.saturating_sub(kept.len());
        kept.extend_from_slice(&buffer[..n_read.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Limits, run};

    fn shell(folder: &std::path::Path, script: &str, limits: Limits) -> super::Finished {
        run(folder, "sh", &["-c".to_owned(), script.to_owned()], &[], limits).expect("sh starts")
    }

    #[test]
    fn what_a_test_leaves_behind_is_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Instant::now();
        let finished = shell(folder.path(), "sleep 60 & echo started", Limits::test());
        assert!(finished.succeeded());
        assert_eq!(finished.output, "started\n");
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_test_that_never_returns_is_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits { wall: Duration::from_millis(200), ..Limits::test() };
        assert!(shell(folder.path(), "sleep 60 & sleep 60", limits).status.is_none());
    }

    #[test]
    fn a_test_writes_in_its_folder_only() {
        let (folder, other) = (tempfile::tempdir(), tempfile::tempdir());
        let (folder, other) = (folder.expect("a folder"), other.expect("a folder"));
        let kept = other.path().join("kept");
        std::fs::write(&kept, "as it was").expect("a file");
        let script = format!("rm {0}; echo gone > {0}; echo mine > own", kept.display());
        shell(folder.path(), &script, Limits::test());
        assert_eq!(std::fs::read_to_string(folder.path().join("own")).expect("written"), "mine\n");
        let can_confine = std::thread::spawn({
            let folder = folder.path().to_owned();
            move || super::confine_thread(&folder).is_ok_and(|is_enforced| is_enforced)
        });
        if can_confine.join().expect("no panic") {
            assert_eq!(std::fs::read_to_string(&kept).expect("still there"), "as it was");
        }
    }

    #[test]
    fn a_test_that_fills_the_disk_is_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits { file_kib: 64, ..Limits::test() };
        let finished = shell(folder.path(), "head -c 10000000 /dev/zero > big", limits);
        assert!(!finished.succeeded());
        let size = std::fs::metadata(folder.path().join("big")).expect("started").len();
        assert!(size <= 128 << 10, "{size}");
    }
}
