//! A release to hand out: the stripped binary and a Debian package with manual page and completions.
//!
//! Needs `dpkg-deb` for the package. The binary links only the C and C++ run-time libraries of the system.

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

/// With a binary that is built already, only the package is made.
pub(crate) fn run(root: &Path, given: Option<&str>) -> Result<(), String> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let binary = match given {
        Some(binary) => PathBuf::from(binary),
        None => {
            crate::cargo(&["build", "--release", "-p", "glassbox-cli"])?;
            target.join("release").join("glassbox")
        }
    };
    let out = target.join("dist");
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let package = package(&binary, &out, env!("CARGO_PKG_VERSION"))?;
    let size = fs::metadata(&binary).map_or(0, |found| found.len());
    println!("{}: {} kB", binary.display(), size / 1000);
    println!("{}", package.display());
    Ok(())
}

/// Makes the package from a binary that knows `man` and `completions`.
fn package(binary: &Path, out: &Path, version: &str) -> Result<PathBuf, String> {
    let stage = out.join("stage");
    let _ = fs::remove_dir_all(&stage);
    let bytes = fs::read(binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    write(&stage, "usr/bin/glassbox", &bytes, 0o755)?;
    write(&stage, "usr/share/man/man1/glassbox.1", &printed(binary, &["man"])?, 0o644)?;
    for (shell, path) in COMPLETIONS {
        write(&stage, path, &printed(binary, &["completions", shell])?, 0o644)?;
    }
    let copyright = "Glassbox is licensed under MIT or Apache-2.0, at your choice.\n";
    write(&stage, "usr/share/doc/glassbox/copyright", copyright.as_bytes(), 0o644)?;
    let architecture = architecture();
    write(&stage, "DEBIAN/control", control(version, &architecture).as_bytes(), 0o644)?;
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

fn control(version: &str, architecture: &str) -> String {
    format!(
        "Package: glassbox\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\nPriority: optional\n\
         Maintainer: The Glassbox developers <glassbox@example.org>\nDepends: libc6, libstdc++6, gcc | c-compiler\n\
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

    use super::package;

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
        let deb = package(&binary, &folder, "1.2.3").expect("made");
        let first = fs::read(&deb).expect("there");
        let listed = Command::new("dpkg-deb").arg("--contents").arg(&deb).output().expect("runs");
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        for part in ["./usr/bin/glassbox", "man1/glassbox.1", "bash-completion", "copyright"] {
            assert!(listed.contains(part), "{listed}");
        }
        assert_eq!(
            fs::read(package(&binary, &folder, "1.2.3").expect("made")).expect("there"),
            first
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
}
