//! Preprocessed texts that are kept: a file that was not changed, and neither was what it includes, is not preprocessed again.
//!
//! A text names the files that it was made of. It is used again if all of them have the content that they had, and none has
//! appeared that the compiler would have found before one of them. Files that ask for the time, or whether others exist, are
//! preprocessed every time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use glassbox_c_front::diagnostics::Diagnostic;
use glassbox_c_front::preprocess::Preprocessor;
use glassbox_report::sha256;
use serde_json::{Value, json};

use crate::cache::Digest;
use crate::cache::compiler::identity;

/// The preprocessed text of a file; `kept` is where texts are.
pub(super) fn preprocessed(
    kept: Option<&Path>,
    preprocessor: &Preprocessor,
    path: &Path,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let place = kept.and_then(|root| place(root, preprocessor, path));
    if let Some(text) = place.as_deref().and_then(known) {
        return Ok(text);
    }
    let text = preprocessor.run(path)?;
    if let Some(place) = place {
        // That it cannot be kept costs nothing but time.
        let _ = keep(&place, preprocessor, path, &text);
    }
    Ok(text)
}

/// Where the text of a file is: as it is named from here, for a compiler, its flags and what it looks at.
fn place(root: &Path, preprocessor: &Preprocessor, path: &Path) -> Option<PathBuf> {
    let Preprocessor { compiler, flags, directory, timeout: _, max_output, overlay } = preprocessor;
    let is_strange = |flag: &String| flag.starts_with("-imacros") || flag.starts_with('@');
    let is_preprocessed = path.extension().is_some_and(|end| end == "i");
    // The text of an editor is not what the file has.
    if is_preprocessed || overlay.is_some() || flags.iter().any(is_strange) {
        return None;
    }
    let variables =
        ["CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "SOURCE_DATE_EPOCH"];
    let variables = variables.map(std::env::var_os);
    let here = std::env::current_dir().ok()?;
    let how = (identity(compiler)?, flags, directory, max_output, variables, here, path);
    let name = Digest::of(&format!("{how:?}"));
    let (first, rest) = name.split_at(2);
    Some(root.join("texts").join(first).join(rest))
}

/// The text that is kept, if it would come out again.
fn known(place: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(place).ok()?;
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (head, text) = (&bytes[..end], &bytes[end + 1..]);
    let head: Value = serde_json::from_slice(head).ok()?;
    let is_same = |(path, digest): (&String, &Value)| {
        digest_of(Path::new(path)).as_deref() == digest.as_str()
    };
    let is_absent = |path: &Value| path.as_str().is_some_and(|path| !Path::new(path).exists());
    let is_whole = head["text"].as_str() == Some(&sha256::hex(text));
    let is_good = is_whole
        && head["files"].as_object()?.iter().all(is_same)
        && head["absent"].as_array()?.iter().all(is_absent);
    is_good.then(|| text.to_vec())
}

fn keep(
    place: &Path,
    preprocessor: &Preprocessor,
    path: &Path,
    text: &[u8],
) -> Result<(), std::io::Error> {
    let files = files(text);
    let mut digests = BTreeMap::new();
    for file in files.iter().map(String::as_str).chain([&*path.to_string_lossy()]) {
        let Some(digest) = digest_of(Path::new(file)) else { return Ok(()) };
        if !file.starts_with("/usr/") && asks_for_more(Path::new(file)) {
            return Ok(());
        }
        digests.insert(file.to_owned(), digest);
    }
    let absent = absent(&files, &searched(&preprocessor.flags, path));
    let head = json!({ "text": sha256::hex(text), "files": digests, "absent": absent });
    let folder = place.parent().unwrap_or(place);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
    writeln!(file, "{head}")?;
    file.write_all(text)?;
    file.persist(place).map_err(|error| error.error)?;
    Ok(())
}

/// The files that line markers name: `# 1 "a.h" 1`.
fn files(text: &[u8]) -> BTreeSet<String> {
    let markers = text.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"# "));
    let name = |line: &[u8]| {
        let line = String::from_utf8_lossy(line).into_owned();
        let (_, rest) = line.split_once('"')?;
        let (name, _) = rest.rsplit_once('"')?;
        let is_file = !name.starts_with('<') && !name.ends_with("//") && !name.contains('\\');
        is_file.then(|| name.to_owned())
    };
    markers.filter_map(name).collect()
}

/// Whether what comes out depends on more than files.
fn asks_for_more(path: &Path) -> bool {
    let text = fs::read(path).unwrap_or_default();
    let words: [&[u8]; 5] = [b"__DATE__", b"__TIME", b"__has_include", b"__has_embed", b"#embed"];
    words.iter().any(|word| text.windows(word.len()).any(|part| part == *word))
}

/// The folders that the user has the compiler look into.
fn searched(flags: &[String], path: &Path) -> Vec<PathBuf> {
    let mut folders = vec![path.parent().unwrap_or(Path::new("")).to_path_buf()];
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        for option in ["-I", "-isystem", "-iquote", "-idirafter"] {
            if flag == option {
                folders.extend(flags.next().map(PathBuf::from));
                break;
            } else if let Some(folder) = flag.strip_prefix(option) {
                folders.push(PathBuf::from(folder));
                break;
            }
        }
    }
    folders
}

/// Files that are not there, and would be taken in the place of others.
fn absent(files: &BTreeSet<String>, folders: &[PathBuf]) -> BTreeSet<String> {
    let mut absent = BTreeSet::new();
    for file in files {
        let parts: Vec<_> = Path::new(file).components().collect();
        for length in 1..=parts.len().min(3) {
            let end: PathBuf = parts[parts.len() - length..].iter().collect();
            let others = folders.iter().map(|folder| folder.join(&end));
            let missing = others.filter(|other| end.is_relative() && !other.exists());
            absent.extend(missing.map(|other| other.to_string_lossy().into_owned()));
        }
    }
    absent
}

/// What tells a version of a file from others without reading it.
type Stamp = (u64, i64, i64, u64, i64, i64);

fn stamp(found: &Metadata) -> Stamp {
    let times = (found.ctime(), found.ctime_nsec());
    (found.len(), found.mtime(), found.mtime_nsec(), found.ino(), times.0, times.1)
}

/// By path: headers are read for many units.
static DIGESTS: Mutex<BTreeMap<PathBuf, (Stamp, String)>> = Mutex::new(BTreeMap::new());

/// The digest of a file's content.
fn digest_of(path: &Path) -> Option<String> {
    let found = stamp(&fs::metadata(path).ok()?);
    let mut known = DIGESTS.lock().unwrap_or_else(PoisonError::into_inner);
    let path = fs::canonicalize(path).ok()?;
    if let Some((stamp, digest)) = known.get(&path)
        && *stamp == found
    {
        return Some(digest.clone());
    }
    let digest = sha256::hex(&fs::read(&path).ok()?);
    known.insert(path, (found, digest.clone()));
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_used_again_until_something_that_it_was_made_of_changes() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        for name in ["one", "two"] {
            fs::create_dir(folder.join(name)).expect("made");
        }
        fs::write(folder.join("two/h.h"), "#define X 1\n").expect("written");
        let source = folder.join("a.c");
        fs::write(&source, "#include <h.h>\nint x = X;\n").expect("written");
        let kept = folder.join("kept");
        let flags: Vec<String> =
            ["one", "two"].map(|name| format!("-I{}", folder.join(name).display())).to_vec();
        let run = |flags: &[String]| {
            let preprocessor = Preprocessor { flags: flags.to_vec(), ..Preprocessor::default() };
            let text = preprocessed(Some(&kept), &preprocessor, &source).expect("a text");
            assert_eq!(Ok(text.clone()), preprocessor.run(&source).map_err(|_| ()), "as it is now");
            let at = super::place(&kept, &preprocessor, &source).expect("a place");
            (known(&at).is_some(), String::from_utf8_lossy(&text).into_owned())
        };
        assert!(run(&flags).0);
        assert!(run(&flags).1.contains("int x = 1;"));
        fs::write(folder.join("two/h.h"), "#define X 2\n").expect("written");
        assert!(run(&flags).1.contains("int x = 2;"));
        // Another file is found first now.
        fs::write(folder.join("one/h.h"), "#define X 3\n").expect("written");
        assert!(run(&flags).1.contains("int x = 3;"));
        let more = [&flags[..], &["-DY".to_owned()]].concat();
        assert!(run(&more).1.contains("#define Y"));
        fs::write(&source, "#if __has_include(\"n.h\")\nint n;\n#endif\n").expect("written");
        assert!(!run(&flags).0, "it asks whether a file exists");
    }
}
