//! Compilation databases (`compile_commands.json`).
//!
//! Real ones are untidy: relative paths, one file twice, response files, other compilers' flags. Every
//! entry that can be used is; what cannot is a warning.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashSet;
use serde_json::Value;

use crate::diagnostics::{Diagnostic, SetupProblem};
use crate::flags::{self, refused};
use crate::spelling::{Read, in_one_spelling, split_command};

/// How one file is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Absolute if the directory is.
    pub file: PathBuf,
    pub directory: PathBuf,
    /// What compiles it.
    pub compiler: String,
    /// Flags that concern preprocessing, code, and meaning; as they are written.
    pub flags: Vec<String>,
}

impl Entry {
    /// The flags with paths that hold from anywhere.
    pub fn located_flags(&self) -> Vec<String> {
        flags::located(&self.flags, &self.directory)
    }
}

/// All usable entries, in order; of several for one file the first counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Database {
    pub entries: Vec<Entry>,
}

impl Database {
    /// Reads a database file.
    pub fn read(path: &Path) -> (Database, Vec<Diagnostic>) {
        let shown = path.display().to_string();
        match std::fs::read(path) {
            Ok(text) => {
                // Entries are looked up by absolute path.
                let full = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                let base = full.parent().unwrap_or(Path::new(""));
                Database::parse(&text, &shown, base, &|file| std::fs::read_to_string(file))
            }
            Err(error) => {
                let why = error.to_string();
                let problem = SetupProblem::DatabaseUnreadable { path: shown, why };
                (Database::default(), vec![Diagnostic::setup(problem)])
            }
        }
    }

    /// Reads a database from text; `base` is the directory of the database itself, for entries with a
    /// relative one. `read` gives response files.
    pub fn parse(
        text: &[u8],
        shown: &str,
        base: &Path,
        read: &Read<'_>,
    ) -> (Database, Vec<Diagnostic>) {
        let mut database = Database::default();
        let mut diagnostics = Vec::new();
        let broken = |line, column, why: String| {
            Diagnostic::setup(SetupProblem::DatabaseBroken {
                path: shown.into(),
                line,
                column,
                why,
            })
        };
        let value: Value = match serde_json::from_slice(text) {
            Ok(value) => value,
            Err(error) => {
                let why = error.to_string();
                return (database, vec![broken(error.line(), error.column(), why)]);
            }
        };
        let Value::Array(items) = value else {
            return (database, vec![broken(1, 1, "it is not a list of entries".into())]);
        };
        let mut known = FxHashSet::default();
        for (index, item) in items.iter().enumerate() {
            match entry(item, base, read, &mut diagnostics) {
                Ok(entry) => {
                    if known.insert(entry.file.clone()) {
                        database.entries.push(entry);
                    }
                }
                Err(why) => diagnostics.push(Diagnostic::setup(SetupProblem::DatabaseEntry {
                    path: shown.into(),
                    index,
                    why,
                })),
            }
        }
        (database, diagnostics)
    }

    /// The entry of a file, given relative to `current` or absolute.
    pub fn find(&self, file: &Path, current: &Path) -> Option<&Entry> {
        let file = normal(&current.join(file));
        let named = self.entries.iter().find(|entry| entry.file == file);
        named.or_else(|| {
            // One of the two may have been written through a link.
            let real = std::fs::canonicalize(&file).ok()?;
            self.entries.iter().find(|entry| {
                entry.file.file_name() == real.file_name()
                    && std::fs::canonicalize(&entry.file).is_ok_and(|other| other == real)
            })
        })
    }
}

fn entry(
    item: &Value,
    base: &Path,
    read: &Read<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Entry, &'static str> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let file = text("file").ok_or("has no `file`")?;
    let directory = normal(&base.join(text("directory").unwrap_or("")));
    let words = match (item.get("arguments"), text("command")) {
        (Some(Value::Array(arguments)), _) => arguments
            .iter()
            .map(|argument| argument.as_str().map(str::to_string))
            .collect::<Option<Vec<String>>>()
            .ok_or("has an argument that is not a text")?,
        (_, Some(command)) => split_command(command).ok_or("has a command with an open quote")?,
        _ => return Err("has neither `arguments` nor `command`"),
    };
    let is_wrapper = |word: &&String| WRAPPERS.contains(&file_name(word));
    let compiler = words.iter().find(|word| !is_wrapper(word)).cloned().unwrap_or_default();
    let words = in_one_spelling(words.get(1..).unwrap_or_default(), &directory, read, diagnostics);
    let file_path = normal(&directory.join(file));
    Ok(Entry { file: file_path, flags: relevant_flags(&words), directory, compiler })
}

/// Programs that start a compiler.
const WRAPPERS: [&str; 5] = ["ccache", "distcc", "env", "icecc", "sccache"];

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Compilers for other machines, or for this one with other sizes of types.
const FOREIGN: [&str; 15] = [
    "armcc", "armclang", "c51", "cl", "cl2000", "cl430", "clang-cl", "icc430", "iccarm", "iccavr",
    "sdcc", "tasking", "xc16-gcc", "xc32-gcc", "xc8-cc",
];

/// Whether a compiler, by its name, makes programs for another machine than x86-64 with Linux.
pub fn is_foreign(compiler: &str) -> bool {
    let name = file_name(compiler).trim_end_matches(".exe");
    // `gcc-12` and `clang-18` are versions.
    let name =
        name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    if FOREIGN.contains(&name) {
        return true;
    }
    let endings = ["-gcc", "-cc", "-clang", "-g++", "-c++"];
    let machine = endings.iter().find_map(|ending| name.strip_suffix(ending));
    machine.is_some_and(|machine| !machine.starts_with("x86_64") || machine.contains("mingw"))
}

/// The triple in the name of a compiler, as in `arm-none-eabi-gcc`.
pub fn triple_of(compiler: &str) -> Option<&str> {
    let name = file_name(compiler).trim_end_matches(".exe");
    let name =
        name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    ["-gcc", "-cc", "-clang"].iter().find_map(|ending| name.strip_suffix(ending))
}

/// Flags with a value that may be attached or stand in the next word.
const VALUE_FLAGS: [&str; 12] = [
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "-iprefix",
    "-iwithprefixbefore",
    "-iwithprefix",
    "-I",
    "-D",
    "-U",
];

/// The flags that say how to preprocess, what code to make, and those that are refused, in gcc's spelling; `cl`'s `/I`,
/// `/D`, `/U`, `/FI` are translated.
fn relevant_flags(words: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let refused = refused(words);
    let mut index = 0;
    while index < words.len() {
        let word = words[index].as_str();
        index += 1;
        if let Some(flag) = VALUE_FLAGS.iter().find(|flag| word.starts_with(**flag)) {
            let attached = &word[flag.len()..];
            if !attached.is_empty() {
                out.push(format!("{flag}{attached}"));
            } else if let Some(value) = words.get(index) {
                index += 1;
                out.extend([flag.to_string(), value.clone()]);
            }
            continue;
        }
        let from_cl = [("/FI", "-include"), ("/I", "-I"), ("/D", "-D"), ("/U", "-U")];
        if let Some((cl, flag)) = from_cl.iter().find(|(cl, _)| is_cl_flag(word, cl)) {
            let attached = &word[cl.len()..];
            let value = if attached.is_empty() {
                index += 1;
                words.get(index - 1).cloned()
            } else {
                Some(attached.to_string())
            };
            if let Some(value) = value {
                out.extend([flag.to_string(), value]);
            }
            continue;
        }
        if matches!(word, "-ccbin" | "-o" | "-MF" | "-MT" | "-MQ" | "-x") {
            index += 1;
            continue;
        }
        let is_standard = word.starts_with("-std=") || word == "-ansi";
        let is_kept = is_standard
            || matches!(
                word,
                "-nostdinc" | "-undef" | "-pthread" | "-trigraphs" | "-traditional-cpp"
            )
            || word.starts_with("--sysroot=");
        // C++ and CUDA language versions mean nothing for C.
        // It is refused where the file is read: other files may do without it.
        let is_kept = is_kept || flags::is_kept(word) || refused.contains(&word);
        if is_kept && !word.contains("c++") && !word.contains("gnu++") {
            out.push(word.to_string());
        }
    }
    out
}

/// `/Ifoo`, not `/I/usr` style absolute paths of files such as `/Information.c`.
fn is_cl_flag(word: &str, flag: &str) -> bool {
    word.strip_prefix(flag).is_some_and(|rest| !rest.contains('/') || rest.starts_with('/'))
        && !word[1..].contains('.')
        || word == flag
}

/// The path without `.` and `..`, by text alone.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir && out.file_name().is_some() {
            out.pop();
        } else if component != Component::CurDir {
            out.push(component);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Database, Vec<String>) {
        let read = |path: &Path| match path.to_str() {
            Some("/work/flags.rsp") => Ok("-I inc '-DQ=\"x y\"'\n@more.rsp".to_string()),
            Some("/work/more.rsp") => Ok("-DMORE".to_string()),
            _ => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
        };
        let (database, diagnostics) =
            Database::parse(text.as_bytes(), "db.json", Path::new("/base"), &read);
        (database, diagnostics.iter().map(Diagnostic::message).collect())
    }

    #[track_caller]
    fn check_flags(command: &str, expect: &[&str]) {
        let entry = serde_json::json!([{"directory": "/work", "file": "a.c", "command": command}]);
        let (database, messages) = parse(&entry.to_string());
        assert_eq!(messages, Vec::<String>::new());
        assert_eq!(database.entries[0].flags, expect);
    }

    #[test]
    fn commands_are_split_like_a_shell() {
        check_flags(r#"gcc -Iinc -DS=\"x\" '-DT=a b' -c a.c"#, &["-Iinc", "-DS=\"x\"", "-DT=a b"]);
        check_flags(
            "gcc -I inc -D A -U B -std=c99 -O2 -Wall",
            &["-I", "inc", "-D", "A", "-U", "B", "-std=c99"],
        );
        assert_eq!(split_command("a 'b"), None);
    }

    #[test]
    fn other_compilers_are_survived() {
        check_flags(
            "clang --target=x86_64 -fcolor-diagnostics -isystem /opt -include p.h a.c",
            &["-isystem", "/opt", "-include", "p.h"],
        );
        check_flags(
            "cl /nologo /Iinc /DFOO=1 /FI pre.h /c a.c",
            &["-I", "inc", "-D", "FOO=1", "-include", "pre.h"],
        );
        check_flags("nvcc -ccbin g++ -Xcompiler -fPIC -std=c++17 -DX a.c", &["-fPIC", "-DX"]);
    }

    #[test]
    fn response_files_are_read_and_missing_ones_named() {
        check_flags("gcc @flags.rsp -c a.c", &["-I", "inc", "-DQ=\"x y\"", "-DMORE"]);
        let (_, messages) =
            parse(r#"[{"directory": "/work", "file": "a.c", "command": "gcc @none.rsp"}]"#);
        assert!(messages[0].starts_with("/work/none.rsp: error"), "{messages:?}");
    }

    #[test]
    fn files_are_relative_to_their_directory_and_the_first_of_two_counts() {
        let (database, _) = parse(
            r#"[{"directory": "/w/build", "file": "../src/a.c", "arguments": ["gcc", "-DFIRST"]},
                {"directory": "/w/src", "file": "a.c", "arguments": ["gcc", "-DSECOND"]},
                {"directory": "sub", "file": "b.c", "arguments": ["gcc"]}]"#,
        );
        assert_eq!(database.entries.len(), 2);
        let found = database.find(Path::new("src/./a.c"), Path::new("/w")).expect("an entry");
        assert_eq!(found.flags, ["-DFIRST"]);
        assert_eq!(found.directory, Path::new("/w/build"));
        assert_eq!(database.entries[1].file, Path::new("/base/sub/b.c"));
    }

    #[test]
    fn compilers_for_other_machines_are_known_by_their_names() {
        for own in [
            "cc",
            "/usr/bin/gcc-12",
            "clang",
            "clang-18",
            "x86_64-linux-gnu-gcc-12",
            "x86_64-pc-linux-gnu-cc",
        ] {
            assert!(!is_foreign(own), "{own}");
        }
        for other in [
            "arm-none-eabi-gcc",
            "/opt/bin/avr-gcc",
            "aarch64-linux-gnu-gcc-12",
            "riscv32-unknown-elf-clang",
            "x86_64-w64-mingw32-gcc",
            "i686-linux-gnu-gcc",
            "C:\\bin\\cl.exe",
            "armclang",
        ] {
            assert!(is_foreign(other), "{other}");
        }
        let (database, _) = parse(
            r#"[{"file": "a.c", "directory": "/", "command": "/usr/bin/ccache arm-none-eabi-gcc -c a.c"}]"#,
        );
        assert_eq!(database.entries[0].compiler, "arm-none-eabi-gcc");
        assert_eq!(triple_of("/opt/arm-none-eabi-gcc-12.2"), Some("arm-none-eabi"));
        assert_eq!(triple_of("cl.exe"), None);
    }

    #[test]
    fn broken_databases_are_diagnosed() {
        assert!(parse("[{").1[0].starts_with("db.json:1:2: error"));
        assert!(parse("{}").1[0].contains("not a list"));
        let (database, messages) = parse(
            r#"[{"file": "a.c"}, {"directory": "/", "command": "gcc"}, 7,
                {"file": "b.c", "directory": "/", "command": "gcc 'x"},
                {"file": "c.c", "directory": "/", "command": ""}]"#,
        );
        assert_eq!(messages.len(), 4);
        assert_eq!(database.entries.len(), 1);
    }
}
