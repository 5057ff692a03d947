//! Installing what the tests need beyond Rust and gcc.

use std::path::Path;
use std::process::{Command, Stdio};

/// A program that tests call, and the Debian package that has it.
const TOOLS: &[(&str, &str)] = &[
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("make", "make"),
    ("csmith", "csmith"),
    ("z3", "z3"),
    ("javac", "default-jdk-headless"),
    ("lcov", "lcov"),
    ("xmllint", "libxml2-utils"),
    ("chromium", "chromium"),
];

/// Files that tests need, and the Debian package that has them.
const FILES: &[(&str, &str)] = &[
    ("/usr/include/csmith/csmith.h", "libcsmith-dev"),
    ("/usr/include/cmocka.h", "libcmocka-dev"),
    ("/usr/include/check.h", "check"),
    ("/usr/lib/python3/dist-packages/yaml/__init__.py", "python3-yaml"),
    ("/usr/share/java/junit4.jar", "junit4"),
    ("/usr/share/java/junit-platform-console-standalone.jar", "junit5"),
];

/// Installs missing packages with `apt-get`. Where that is not possible, says what to install.
pub(crate) fn install_test_tools() -> Result<(), String> {
    let missing: Vec<&str> = missing_packages();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing: {}", missing.join(" "));
    let wish = format!("the tests need these Debian packages: {}", missing.join(" "));
    if !is_on_path("apt-get") {
        return Err(wish);
    }
    let _ = apt_get(&["update", "-q"]);
    let mut args = vec!["install", "-y", "-q", "--no-install-recommends"];
    args.extend(&missing);
    if !apt_get(&args) {
        return Err(wish);
    }
    Ok(())
}

fn missing_packages() -> Vec<&'static str> {
    let mut missing: Vec<&str> = Vec::new();
    missing.extend(TOOLS.iter().filter(|(tool, _)| !is_on_path(tool)).map(|(_, package)| package));
    let is_missing = |file: &str| !Path::new(file).exists();
    missing.extend(FILES.iter().filter(|(file, _)| is_missing(file)).map(|(_, package)| package));
    missing
}

/// Whether a program of this name is in a folder of `PATH`.
pub(crate) fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn apt_get(args: &[&str]) -> bool {
    let is_root = Command::new("id")
        .arg("-u")
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = if is_root || !is_on_path("sudo") {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        let _ = sudo.arg("apt-get");
        sudo
    };
    command
        .args(args)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .is_ok_and(|status| status.success())
}
