//! Preprocessed texts that are kept, so that the preprocessor is started only where its answer may be another one.
//!
//! An entry has a text and all that the preprocessor looked at to make it: the contents of files that it read, and the
//! places where it looked for headers in vain. The next text is the same if all of them are as they were, because the
//! preprocessor does nothing but read files that it finds this way. So a header that comes to be found earlier counts like
//! one that changes.
//!
//! Nothing is kept where this is not certain: names of headers that macros put together, texts with a date in them, flags
//! and compilers that read other files, and files that were changed while the preprocessor worked.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use glassbox_c_front::diagnostics::Diagnostic;
use glassbox_c_front::lookups::{Asked, GccSetup, asked, entered, gcc_setup, has_date, named_by};
use glassbox_c_front::preprocess::{Preprocessed, Preprocessor};
use glassbox_report::sha256;

use super::digest::Digest;
use super::folder::{Folder, Kind};
use super::stored::{Input, Stored, records};
use super::{build, compiler};
use crate::listener::Listener;
use crate::plan::TextKeeping;

/// A file that changed this shortly before the preprocessor started may have changed while it worked: clocks of file systems
/// are not those of processes, and some count in steps of two seconds.
const SETTLED: Duration = Duration::from_secs(2);

/// Settings of gcc, which it reads where it finds them.
const SETTINGS: &str = "specs";

/// What headers are looked for as, besides their name.
const COMPILED: [&str; 2] = [".gch", ".pch"];

/// The texts of one run. Files are taken to stay as they are while it lasts.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    kept: Option<Keep>,
    /// What is at a path.
    seen: Mutex<HashMap<PathBuf, Found>>,
    /// Where a path leads.
    real: Mutex<HashMap<PathBuf, Option<PathBuf>>>,
    /// What files that preprocessors read have in them: most headers are read for every text.
    read: Mutex<HashMap<PathBuf, Known>>,
}

#[derive(Debug)]
struct Keep {
    /// What is looked at, in this order.
    from: Vec<Folder>,
    into: Vec<Folder>,
    /// What all texts depend on.
    common: String,
}

/// A file as it was read.
#[derive(Debug, Clone)]
struct Known {
    stamp: Stamp,
    digest: String,
    /// Nothing where the text does not say what it looks for.
    asked: Option<Arc<Asked>>,
}

/// What changes with a file: its length, its place on the disk, when it and its content changed.
type Stamp = (u64, u64, u64, (i64, i64), (i64, i64));

#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// No file that can be included.
    Nothing,
    /// By the digest of its content.
    File(String),
}

/// What a text was made of.
#[derive(Debug, PartialEq, Eq)]
struct Made {
    /// The program that did the work, with what changes when it is replaced.
    worker: (String, String),
    /// Where it looked for headers, and where these folders really are.
    folders: Vec<(String, Option<String>)>,
    /// The names that it may have looked for in each of them.
    names: Vec<String>,
    /// Where it looked for its own settings.
    settings: Vec<String>,
    /// Every file that is at one of these places, with the digest of its content.
    files: BTreeMap<String, String>,
}

records! {
    Made { worker, folders, names, settings, files }
}

impl Texts {
    pub(crate) fn new(keeping: Option<&TextKeeping>) -> Texts {
        let kept = keeping.and_then(|keeping| {
            let folders = |paths: &[PathBuf]| -> Vec<Folder> {
                paths.iter().map(|path| Folder::new(path)).collect()
            };
            let (from, into) = (folders(&keeping.from), folders(&keeping.into));
            let build = build::build();
            let here = std::env::current_dir().ok()?;
            // Compilers that write down where they are believe what the shell calls it.
            let called = std::env::var_os("PWD");
            let variables = &keeping.variables;
            let common = format!("{build} {} {called:?} {variables:?}", here.display());
            (!build.is_empty()).then_some(Keep { from, into, common })
        });
        Texts { kept, ..Texts::default() }
    }

    /// What the preprocessor makes of a file, or has made of it.
    pub(crate) fn of(
        &self,
        preprocessor: &Preprocessor,
        path: &Path,
        listener: &dyn Listener,
    ) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let Some((keep, key, named)) = self.kept.as_ref().and_then(|keep| {
            let (key, named) = key(keep, preprocessor, path)?;
            Some((keep, key, named))
        }) else {
            return preprocessor.run(path);
        };
        for folder in &keep.from {
            match folder.read(Kind::Text, &key) {
                Ok(Some(bytes)) => {
                    if let Some(text) = self.still(&bytes) {
                        keep.pass_on(&key, &bytes);
                        return Ok(text);
                    }
                }
                Ok(None) => {}
                Err(damage) => {
                    listener.diagnostic(&format!("warning: {damage}: it is not used\n"));
                }
            }
        }
        let begun = SystemTime::now();
        let made = preprocessor.run_and_tell(path)?;
        if let Some(looked) = self.looked_at(path, &made, &named, begun) {
            let mut bytes = Vec::new();
            looked.put(&mut bytes);
            bytes.extend_from_slice(&made.text);
            // That it cannot be kept costs nothing but the time to make it again.
            for folder in &keep.into {
                let _ = folder.write(Kind::Text, &key, &bytes);
            }
        }
        Ok(made.text)
    }

    /// The text of an entry if the preprocessor would make it again.
    fn still(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut input = Input::new(bytes);
        let made = Made::get(&mut input)?;
        let is_same_worker = compiler::stamp(Path::new(&made.worker.0)) == made.worker.1;
        let is_at_its_place = |(folder, real): &(String, Option<String>)| {
            self.real(Path::new(folder)).as_deref() == real.as_deref().map(Path::new)
        };
        let is_as_it_was = |path: PathBuf| {
            let found = self.found(&path);
            match path.to_str().and_then(|path| made.files.get(path)) {
                Some(digest) => found == Found::File(digest.clone()),
                None => found == Found::Nothing,
            }
        };
        let is_same = is_same_worker
            && made.folders.iter().all(is_at_its_place)
            && made.settings.iter().map(PathBuf::from).all(is_as_it_was)
            && made.files.keys().map(PathBuf::from).all(is_as_it_was)
            && places(&made.folders, &made.names).all(is_as_it_was);
        is_same.then(|| input.rest().to_vec())
    }

    fn found(&self, path: &Path) -> Found {
        let lock = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(path) {
            return found.clone();
        }
        let found = match fs::metadata(path) {
            Ok(found) if found.is_dir() => Found::Nothing,
            // What cannot be read is no file that is known.
            Ok(_) => Found::File(fs::read(path).map_or(String::new(), |text| sha256::hex(&text))),
            Err(_) => Found::Nothing,
        };
        lock().insert(path.to_owned(), found.clone());
        found
    }

    /// What is in a file, which is read once as long as it does not change.
    fn known(&self, path: &Path, found: &fs::Metadata) -> Option<Known> {
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let times = ((found.mtime(), found.mtime_nsec()), (found.ctime(), found.ctime_nsec()));
        let stamp = (found.len(), found.dev(), found.ino(), times.0, times.1);
        if let Some(known) = lock().get(path).filter(|known| known.stamp == stamp) {
            return Some(known.clone());
        }
        let text = fs::read(path).ok()?;
        let known = Known { stamp, digest: sha256::hex(&text), asked: asked(&text).map(Arc::new) };
        lock().insert(path.to_owned(), known.clone());
        Some(known)
    }

    fn real(&self, folder: &Path) -> Option<PathBuf> {
        let lock = || self.real.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(real) = lock().get(folder) {
            return real.clone();
        }
        let real = real(folder);
        lock().insert(folder.to_owned(), real.clone());
        real
    }

    /// All that a text was made of; `None` where that is not certain.
    fn looked_at(
        &self,
        path: &Path,
        made: &Preprocessed,
        named: &[String],
        begun: SystemTime,
    ) -> Option<Made> {
        let GccSetup { folders, own_folders, worker } = gcc_setup(&made.said)?;
        if has_date(&made.text) {
            return None;
        }
        let mut read = entered(&made.text)?;
        read.insert(path.to_path_buf());
        let settled = begun.checked_sub(SETTLED)?;
        let mut reading =
            Reading { texts: self, settled, files: BTreeMap::new(), once: BTreeMap::new() };
        let mut names: BTreeSet<String> = named.iter().cloned().collect();
        let mut folders: BTreeSet<PathBuf> = folders.into_iter().collect();
        folders.insert(PathBuf::new());
        for file in &read {
            names.extend(reading.read(file)?.asked?.names.iter().cloned());
            folders.extend(file.parent().map(Path::to_path_buf));
        }
        for name in named {
            names.extend(COMPILED.iter().map(|ending| format!("{name}{ending}")));
        }
        let text = |path: &Path| path.to_str().map(str::to_owned);
        let mut looked = Made {
            worker: (text(&worker)?, compiler::stamp(&worker)),
            folders: Vec::new(),
            names: names.into_iter().collect(),
            settings: Vec::new(),
            files: BTreeMap::new(),
        };
        for folder in &folders {
            let real = real(folder).map(|real| text(&real).ok_or(())).transpose().ok()?;
            looked.folders.push((text(folder)?, real));
        }
        for folder in own_folders {
            looked.settings.push(text(&folder.join(SETTINGS))?);
        }
        let others: Vec<PathBuf> = places(&looked.folders, &looked.names)
            .chain(looked.settings.iter().map(PathBuf::from))
            .collect();
        for place in others {
            if fs::metadata(&place).is_ok_and(|found| !found.is_dir()) {
                reading.read(&place)?;
            }
        }
        for (path, digest) in reading.files {
            looked.files.insert(text(&path)?, digest);
        }
        Some(looked)
    }
}

impl Keep {
    /// Puts a text where others look for it that is known from elsewhere.
    fn pass_on(&self, key: &str, bytes: &[u8]) {
        for folder in &self.into {
            if !folder.path(Kind::Text, key).exists() {
                let _ = folder.write(Kind::Text, key, bytes);
            }
        }
    }
}

/// The name of an entry and the headers that flags name; none where the text depends on more than can be looked at.
fn key(keep: &Keep, preprocessor: &Preprocessor, path: &Path) -> Option<(String, Vec<String>)> {
    let Preprocessor { compiler, flags: _, directory, timeout: _, max_output: _, overlay } =
        preprocessor;
    let is_made = path.extension().is_some_and(|extension| extension == "i");
    if is_made || directory.is_some() || overlay.is_some() || !compiler::is_gcc(compiler) {
        return None;
    }
    let arguments = preprocessor.arguments();
    let named = named_by(&arguments)?;
    let mut digest = Digest::default();
    digest.add(&keep.common);
    digest.add(&compiler::identity(compiler)?);
    digest.add_value(&(arguments, path));
    Some((digest.finish(), named))
}

/// All places where headers may have been looked for.
fn places<'a>(
    folders: &'a [(String, Option<String>)],
    names: &'a [String],
) -> impl Iterator<Item = PathBuf> + 'a {
    folders
        .iter()
        .flat_map(move |(folder, _)| names.iter().map(move |name| Path::new(folder).join(name)))
}

fn real(folder: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::canonicalize(folder).ok()
}

/// Files as they are when a text has been made.
#[derive(Debug)]
struct Reading<'a> {
    texts: &'a Texts,
    /// What changed later than this may be another file than the preprocessor read.
    settled: SystemTime,
    files: BTreeMap<PathBuf, String>,
    /// By content: a file that counts once, wherever it is.
    once: BTreeMap<String, PathBuf>,
}

impl Reading<'_> {
    /// What is in a file that was not changed lately.
    fn read(&mut self, path: &Path) -> Option<Known> {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let changed = Duration::new(
            u64::try_from(found.ctime()).ok()?,
            u32::try_from(found.ctime_nsec()).ok()?,
        );
        let changed = SystemTime::UNIX_EPOCH.checked_add(changed)?;
        if found.modified().ok()? > self.settled || changed > self.settled {
            return None;
        }
        let known = self.texts.known(path, &found)?;
        // gcc takes two files for one if they have the same content and the same time.
        if known.asked.as_ref().is_none_or(|asked| asked.is_once) {
            let other = self.once.insert(known.digest.clone(), path.to_owned());
            if other.is_some_and(|other| other != path) {
                return None;
            }
        }
        self.files.insert(path.to_owned(), known.digest.clone());
        Some(known)
    }
}

#[cfg(test)]
mod tests;
