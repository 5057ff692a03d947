//! What is handed out, tried where nothing else is: in a folder with the binary alone, and in a fresh Debian.
//!
//! A trial generates tests for a small program and looks at what it says. Where a compiler is, it also runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }\n";
const WANTED: &str = "sign: 4 goals: 4 covered";

/// Tries everything that was made.
pub(super) fn try_all(
    out: &Path,
    binary: &Path,
    is_static: bool,
    deb: Option<&Path>,
    wheel: Option<&Path>,
) -> Result<(), String> {
    if is_static {
        alone(out, binary)?;
    } else {
        println!("not tried alone: the binary needs libraries of the system");
    }
    if deb.is_none() && wheel.is_none() {
        return Ok(());
    }
    let root = debian(out)?;
    if let Some(deb) = deb {
        in_debian(
            &root,
            deb,
            "apt-get install -y -q --no-install-recommends /tmp/handed/*.deb make",
            "glassbox",
        )?;
    }
    if let Some(wheel) = wheel {
        let install = "apt-get install -y -q --no-install-recommends python3-venv gcc libc6-dev make && \
                       python3 -m venv /opt/glassbox && /opt/glassbox/bin/pip install -q /tmp/handed/*.whl && \
                       /opt/glassbox/bin/python -c 'import glassbox; print(glassbox.find_binary())'";
        in_debian(&root, wheel, install, "/opt/glassbox/bin/glassbox")?;
    }
    Ok(())
}

/// The binary in a folder where nothing else is: no library, no shell, no compiler.
fn alone(out: &Path, binary: &Path) -> Result<(), String> {
    let root = emptied(out, "alone")?;
    let explain = |error: std::io::Error| format!("{}: {error}", root.display());
    fs::create_dir_all(root.join("tmp")).map_err(explain)?;
    fs::copy(binary, root.join("glassbox")).map_err(explain)?;
    // Preprocessed already, since there is nothing that could do it.
    fs::write(root.join("a.i"), SOURCE).map_err(explain)?;
    let words = ["/glassbox", "gen", "/a.i", "--no-exec", "--no-cache", "--out", "/out"];
    let said = printed(Command::new("chroot").arg(&root).args(words))?;
    expect("the binary alone", &said)
}

/// A fresh Debian of the release that this machine has.
fn debian(out: &Path) -> Result<PathBuf, String> {
    let root = emptied(out, "debian")?;
    let release =
        printed(Command::new("sh").args(["-c", ". /etc/os-release; echo $VERSION_CODENAME"]))?;
    let mut command = Command::new("debootstrap");
    command.args(["--variant=minbase", release.trim()]).arg(&root);
    printed(&mut command)?;
    Ok(root)
}

fn in_debian(root: &Path, package: &Path, install: &str, command: &str) -> Result<(), String> {
    let handed = emptied(&root.join("tmp"), "handed")?;
    let explain = |error: std::io::Error| format!("{}: {error}", handed.display());
    let name = package.file_name().ok_or_else(|| "a package has a name".to_owned())?;
    fs::copy(package, handed.join(name)).map_err(explain)?;
    fs::write(handed.join("a.c"), SOURCE).map_err(explain)?;
    let script = format!(
        "set -e; export DEBIAN_FRONTEND=noninteractive; ({install}) >/tmp/handed/install.log 2>&1 || \
         {{ cat /tmp/handed/install.log; exit 1; }}; cd /tmp/handed; {command} gen a.c --out out; make -C out/tests"
    );
    let said = printed(Command::new("chroot").arg(root).args(["/bin/sh", "-c", &script]))?;
    expect(&name.to_string_lossy(), &said)
}

fn expect(what: &str, said: &str) -> Result<(), String> {
    if said.contains(WANTED) {
        println!("tried: {what}");
        Ok(())
    } else {
        Err(format!("{what}: `{WANTED}` is expected, not:\n{said}"))
    }
}

fn emptied(parent: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = parent.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// What a command says on standard output.
fn printed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {}\n{said}{errors}", output.status))
}
