//! Child processes that cannot hurt: limits on time, memory, file size, and no network.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a child may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub wall: Duration,
    pub cpu_seconds: u32,
    pub memory_kib: u64,
    pub file_kib: u64,
    /// Bytes of output that are kept.
    pub output: usize,
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
        }
    }

    /// For running a compiler.
    pub fn compiler() -> Limits {
        Limits {
            wall: Duration::from_secs(60),
            cpu_seconds: 60,
            memory_kib: 4 << 20,
            file_kib: 256 << 10,
            output: 256 << 10,
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
    // The shell sets the limits of the process it becomes; `unshare` takes the network away where the
    // system lets us.
    let script = format!(
        "ulimit -t {} -v {} -f {} 2>/dev/null; ulimit -c 0 2>/dev/null; exec \"$0\" \"$@\"",
        limits.cpu_seconds,
        limits.memory_kib,
        limits.file_kib.saturating_mul(2)
    );
    let mut command = Command::new("sh");
    let _ = command
        .arg("-c")
        .arg(script)
        .arg(program)
        .args(args)
        .current_dir(folder)
        .envs(env.iter().map(|(name, value)| (*name, value.as_str())))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
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
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(1));
    };
    let output: Vec<String> =
        readers.into_iter().map(|reader| reader.join().unwrap_or_default()).collect();
    Ok(Finished { status, output: output.concat() })
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
