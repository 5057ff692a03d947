//! Files that flags of a compiler lead to, besides headers: what they say counts like the flags themselves.
//!
//! `@options`, `-specs=FILE`, `-fprofile-use=FILE`, `-Wl,-T,FILE`, objects and libraries: which flag takes what is not
//! known here. Whatever part of a flag names a file is a file that may be read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Digest;

/// Where linkers look for what `-l` names, besides the folders of `-L`.
const FOLDERS: [&str; 6] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/i386-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
];

/// Files of options in files of options end somewhere.
const DEEPEST: usize = 8;

/// The digest of these files; empty where there are none.
pub(super) fn digest(flags: &[String]) -> String {
    let mut files = BTreeSet::new();
    collect(flags, 0, &mut files);
    if files.is_empty() {
        return String::new();
    }
    let mut digest = Digest::default();
    for file in files {
        digest.add(&file.display().to_string());
        // Libraries are large, and replaced as a whole.
        let is_library = FOLDERS.iter().any(|folder| file.starts_with(folder));
        match fs::metadata(&file) {
            Ok(found) if is_library => digest.add_value(&(found.len(), found.modified().ok())),
            _ => digest.add_bytes(&fs::read(&file).unwrap_or_default()),
        }
    }
    digest.finish()
}

fn collect(flags: &[String], depth: usize, files: &mut BTreeSet<PathBuf>) {
    let mut folders: Vec<PathBuf> = FOLDERS.map(PathBuf::from).to_vec();
    let mut libraries = Vec::new();
    let mut words = flags.iter().peekable();
    while let Some(word) = words.next() {
        // What is given may stand in the next word.
        let value = |word: &str| match word {
            "" => words.clone().next().cloned().unwrap_or_default(),
            given => given.to_owned(),
        };
        if let Some(folder) = word.strip_prefix("-L") {
            folders.push(PathBuf::from(value(folder)));
        } else if let Some(library) = word.strip_prefix("-l") {
            libraries.push(value(library));
        }
        for (at, _) in
            word.char_indices().filter(|(at, letter)| *at == 0 || "@=,".contains(*letter))
        {
            let part = word[at..].trim_start_matches(['@', '=', ',']);
            let parts = [part, part.split(',').next().unwrap_or_default()];
            for part in parts.into_iter().filter(|part| Path::new(part).is_file()) {
                let is_new = files.insert(PathBuf::from(part));
                if is_new && word.starts_with('@') && depth < DEEPEST {
                    let more = fs::read_to_string(part).unwrap_or_default();
                    let more: Vec<String> = more.split_whitespace().map(str::to_owned).collect();
                    collect(&more, depth + 1, files);
                }
            }
        }
    }
    for library in libraries {
        for folder in &folders {
            let names = match library.strip_prefix(':') {
                Some(name) => vec![name.to_owned()],
                None => vec![format!("lib{library}.so"), format!("lib{library}.a")],
            };
            let there = names.into_iter().map(|name| folder.join(name)).filter(|it| it.is_file());
            files.extend(there);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::digest;

    #[test]
    fn what_flags_lead_to_counts() {
        let place = tempfile::tempdir().expect("a folder");
        let at = |name: &str| place.path().join(name).display().to_string();
        let put =
            |name: &str, text: &str| fs::write(place.path().join(name), text).expect("written");
        put("options", &format!("-O1 @{}", at("more")));
        put("more", "-fwrapv");
        put("libown.a", "one");
        let folder = place.path().display();
        for (flags, file) in [
            (vec![format!("@{}", at("options"))], "options"),
            (vec![format!("@{}", at("options"))], "more"),
            (vec![format!("-specs={}", at("more"))], "more"),
            (vec![format!("-Wl,-T,{}", at("more"))], "more"),
            (vec!["-T".to_owned(), at("more")], "more"),
            (vec![format!("-L{folder}"), "-lown".to_owned()], "libown.a"),
            (
                vec!["-L".to_owned(), folder.to_string(), "-l".to_owned(), "own".to_owned()],
                "libown.a",
            ),
        ] {
            let before = digest(&flags);
            assert!(!before.is_empty(), "{flags:?}");
            assert_eq!(digest(&flags), before);
            let text = fs::read_to_string(place.path().join(file)).expect("there");
            put(file, &format!("{text} -g"));
            assert_ne!(digest(&flags), before, "{flags:?}: {file}");
        }
        assert_eq!(digest(&["-O2".to_owned(), "-DX=1".to_owned()]), "");
    }
}
