//! A release to hand out: a binary that needs no library, a Debian package with manual page and completions, and a wheel for PyPI.
//!
//! The binary is linked statically against the C library of the machine that builds it (static-pie): it runs on every Linux
//! of the architecture. Musl would do the same, where rustup has its target; nothing here depends on which of them it is.
//! Needs `dpkg-deb` for the package and `python3` for the wheel; `--try` needs root and `debootstrap`.

mod bare;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the package puts completions: (shell, path).
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/glassbox"),
    ("zsh", "usr/share/zsh/vendor-completions/_glassbox"),
    ("fish", "usr/share/fish/vendor_completions.d/glassbox.fish"),
];

/// Files of the repository that the package has in `usr/share/glassbox`.
const SHARED: &[&str] = &[
    "cmake/Glassbox.cmake",
    "cmake/GlassboxRun.cmake",
    "meson/meson.build",
    "meson/glassbox-gen.sh",
    "slurm/glassbox-array.sh",
    "slurm/glassbox-merge.sh",
    "slurm/glassbox-slurm.sh",
    "kubernetes/glassbox-job.yaml",
];

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wish {
    deb: bool,
    wheel: bool,
    tries: bool,
    binary: Option<PathBuf>,
}

impl Wish {
    fn of(args: &[String]) -> Result<Wish, String> {
        let mut wish = Wish::default();
        for word in args {
            match word.as_str() {
                "--deb" => wish.deb = true,
                "--wheel" => wish.wheel = true,
                "--try" => wish.tries = true,
                option if option.starts_with('-') => {
                    return Err(format!(
                        "usage: cargo xtask dist [--deb] [--wheel] [--try] [BINARY], not {option}"
                    ));
                }
                binary => wish.binary = Some(PathBuf::from(binary)),
            }
        }
        if !wish.deb && !wish.wheel {
            (wish.deb, wish.wheel) = (true, true);
        }
        Ok(wish)
    }
}

/// Makes what is asked for, both packages by default. With a binary that is built already, only the packages are made.
pub(crate) fn run(root: &Path, args: &[String]) -> Result<(), String> {
    let wish = Wish::of(args)?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let binary = match &wish.binary {
        Some(binary) => std::path::absolute(binary).map_err(|error| error.to_string())?,
        None => build(&target)?,
    };
    let is_static = is_static(&binary)?;
    let out = target.join("dist");
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let size = fs::metadata(&binary).map_or(0, |found| found.len());
    let kind = if is_static { "static" } else { "needs libraries of the system" };
    println!("{}: {} kB, {kind}", binary.display(), size / 1000);
    let mut deb = None;
    if wish.deb {
        let made = package(root, &binary, &out, env!("CARGO_PKG_VERSION"))?;
        println!("{}", made.display());
        deb = Some(made);
    }
    let mut python = None;
    if wish.wheel {
        let made = wheel(root, &target, &binary, &out)?;
        println!("{}", made.display());
        python = Some(made);
    }
    if wish.tries {
        bare::try_all(&out, &binary, is_static, deb.as_deref(), python.as_deref())?;
    }
    Ok(())
}

/// The release, linked statically. The flag is given to the last crate alone: what it changes is how programs are linked, and
/// procedural macros cannot be.
fn build(target: &Path) -> Result<PathBuf, String> {
    let place = ["rustc", "--release", "-p", "glassbox-cli", "--bin", "glassbox", "--"];
    crate::cargo(&[&place[..], &["-C", "target-feature=+crt-static"]].concat())?;
    Ok(target.join("release").join("glassbox"))
}

/// Whether a program of this machine starts without a dynamic linker: no header of its says which (PT_INTERP).
fn is_static(binary: &Path) -> Result<bool, String> {
    let bytes = fs::read(binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    let number = |at: usize, size: usize| -> Option<usize> {
        let part = bytes.get(at..at.checked_add(size)?)?;
        let digits = part.iter().rev().map(|&byte| usize::from(byte));
        Some(digits.fold(0, |sum, byte| sum.wrapping_shl(8) | byte))
    };
    let headers = || -> Option<bool> {
        bytes.starts_with(b"\x7fELF\x02").then_some(())?;
        let (start, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
        let kinds: Option<Vec<usize>> =
            (0..count).map(|header| number(start.checked_add(header * size)?, 4)).collect();
        Some(!kinds?.contains(&3))
    };
    // A script starts whatever its first line says.
    Ok(headers().unwrap_or(false))
}

/// Makes the wheel: the Python package with the binary.
fn wheel(root: &Path, target: &Path, binary: &Path, out: &Path) -> Result<PathBuf, String> {
    let tools = target.join("test-tools/python/bin/hatchling");
    let hatchling = if tools.is_file() { tools } else { own_hatchling(target)? };
    let is_wheel = |name: &str| name.ends_with(".whl");
    for old in names(out)?.into_iter().filter(|name| is_wheel(name)) {
        fs::remove_file(out.join(old)).map_err(|error| error.to_string())?;
    }
    crate::run(
        Command::new(hatchling)
            .args(["build", "-t", "wheel", "-d"])
            .arg(out)
            .current_dir(root.join("python"))
            .stdout(std::process::Stdio::null())
            .env("GLASSBOX_BINARY", binary)
            .env("SOURCE_DATE_EPOCH", zip_epoch()),
    )?;
    let made = names(out)?.into_iter().find(|name| is_wheel(name));
    made.map(|name| out.join(name)).ok_or_else(|| "hatchling left no wheel".to_owned())
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// What builds wheels, in a folder of its own.
fn own_hatchling(target: &Path) -> Result<PathBuf, String> {
    let python = target.join("dist-python");
    let hatchling = python.join("bin/hatchling");
    if !hatchling.is_file() {
        crate::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
        crate::run(Command::new(python.join("bin/pip")).args(["install", "-q", "hatchling"]))?;
    }
    Ok(hatchling)
}

/// Archives of zip know no date before 1980.
fn zip_epoch() -> String {
    std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| "315532800".to_owned())
}

/// Makes the package from a binary that knows `man` and `completions`.
fn package(root: &Path, binary: &Path, out: &Path, version: &str) -> Result<PathBuf, String> {
    let stage = out.join("stage");
    let _ = fs::remove_dir_all(&stage);
    let bytes = fs::read(binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    write(&stage, "usr/bin/glassbox", &bytes, 0o755)?;
    write(&stage, "usr/share/man/man1/glassbox.1", &printed(binary, &["man"])?, 0o644)?;
    for (shell, path) in COMPLETIONS {
        write(&stage, path, &printed(binary, &["completions", shell])?, 0o644)?;
    }
    for file in SHARED {
        let path = root.join("packaging").join(file);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mode = if file.ends_with(".sh") { 0o755 } else { 0o644 };
        write(&stage, &format!("usr/share/glassbox/{file}"), &bytes, mode)?;
    }
    let copyright = "Glassbox is licensed under MIT or Apache-2.0, at your choice.\n";
    write(&stage, "usr/share/doc/glassbox/copyright", copyright.as_bytes(), 0o644)?;
    let architecture = architecture();
    let libraries = if is_static(binary)? { "" } else { "libc6, libstdc++6, " };
    write(&stage, "DEBIAN/control", control(version, &architecture, libraries).as_bytes(), 0o644)?;
    let package = out.join(format!("glassbox_{version}_{architecture}.deb"));
    crate::run(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "--build"])
            .arg(&stage)
            .arg(&package)
            .env("SOURCE_DATE_EPOCH", epoch()),
    )?;
    fs::remove_dir_all(&stage).map_err(|error| format!("{}: {error}", stage.display()))?;
    Ok(package)
}

/// The same inputs give the same package.
fn epoch() -> String {
    std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| "0".to_owned())
}

fn control(version: &str, architecture: &str, libraries: &str) -> String {
    format!(
        "Package: glassbox\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\nPriority: optional\n\
         Maintainer: The Glassbox developers <glassbox@example.org>\nDepends: {libraries}gcc | c-compiler, libc6-dev | libc-dev\n\
         Recommends: make\nSuggests: default-jdk-headless, lcov\nDescription: tests for every goal of a coverage criterion\n \
         Reads C and Java bytecode; for every goal gives a confirmed test, a proof\n that nothing reaches it, or an honest unknown.\n"
    )
}

/// Debian's name of this machine's architecture.
fn architecture() -> String {
    let output = Command::new("dpkg").arg("--print-architecture").output();
    let name = output.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "amd64".to_owned())
}

fn write(stage: &Path, name: &str, bytes: &[u8], mode: u32) -> Result<(), String> {
    let path = stage.join(name);
    let at_path = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at_path)?;
    }
    fs::write(&path, bytes).map_err(at_path)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).map_err(at_path)
}

fn printed(binary: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(binary)
        .args(args)
        .output()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{} {args:?}: {}", binary.display(), output.status))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::{Wish, is_static, package};

    #[test]
    fn the_package_has_what_it_should() {
        if !crate::setup::is_on_path("dpkg-deb") {
            println!("not checked: dpkg-deb is not installed");
            return;
        }
        let folder = std::env::temp_dir().join(format!("glassbox-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        // Stands for the real binary, which takes minutes to build.
        let binary = folder.join("glassbox");
        fs::write(&binary, "#!/bin/sh\necho \"$@\"\n").expect("written");
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).expect("executable");
        let deb = package(&crate::workspace_root(), &binary, &folder, "1.2.3").expect("made");
        let first = fs::read(&deb).expect("there");
        let listed = Command::new("dpkg-deb").arg("--contents").arg(&deb).output().expect("runs");
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        for part in [
            "./usr/bin/glassbox",
            "man1/glassbox.1",
            "bash-completion",
            "copyright",
            "cmake/Glassbox.cmake",
        ] {
            assert!(listed.contains(part), "{listed}");
        }
        assert_eq!(
            fs::read(package(&crate::workspace_root(), &binary, &folder, "1.2.3").expect("made"))
                .expect("there"),
            first
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
    #[test]
    fn both_packages_are_made_unless_one_is_named() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let both = Wish::of(&words("target/debug/glassbox")).expect("fine");
        assert!(both.deb && both.wheel && !both.tries && both.binary.is_some());
        let one = Wish::of(&words("--deb --try")).expect("fine");
        assert!(one.deb && !one.wheel && one.tries);
        assert!(Wish::of(&words("--rpm")).is_err());
    }

    #[test]
    fn programs_of_this_machine_need_a_dynamic_linker_and_scripts_are_not_static() {
        let own = std::env::current_exe().expect("a program has a path");
        assert_eq!(is_static(&own), Ok(cfg!(target_feature = "crt-static")));
        assert_eq!(is_static(&crate::workspace_root().join("Cargo.toml")), Ok(false));
    }
}
