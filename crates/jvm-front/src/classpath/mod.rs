//! Where classes come from: folders, jars, single class files, the JDK's image.

mod jar;
mod jimage;

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::classfile::ClassFile;
use crate::diagnostics::Diagnostic;
use jar::Jar;
use jimage::Image;

/// The places that classes are looked for in, in order; the JDK comes last.
#[derive(Debug)]
pub struct ClassPath {
    // Classes that the user named one by one, by internal name.
    single: FxHashMap<String, Vec<u8>>,
    places: Vec<Place>,
    jdk: Option<Jdk>,
    // Classes to work on, in order: those of the first paths, not of the class path behind them.
    own: Vec<String>,
    // Classes of the JDK that were asked for by name.
    chosen: Vec<String>,
    // Jars that are in it already: manifests may name each other.
    jars: Vec<PathBuf>,
}

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Jar(Jar),
}

#[derive(Debug)]
enum Jdk {
    Image {
        image: Image,
        modules: Vec<String>,
    },
    /// Before Java 9.
    RtJar(Jar),
}

/// Who a class belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The user's class path.
    User,
    /// A class of the JDK that the user asked for by name, or one inside it.
    Chosen,
    /// The JDK, or a library model.
    Library,
}

impl Owner {
    /// Whether goals, decisions and inputs of the class are of interest.
    pub fn is_own(self) -> bool {
        match self {
            Owner::User | Owner::Chosen => true,
            Owner::Library => false,
        }
    }
}

impl ClassPath {
    /// The class path of `paths` (class files, jars, folders), whose classes are the ones to work on,
    /// then of `behind`, then of the JDK at `jdk_home`.
    pub fn new(
        paths: &[PathBuf],
        behind: &[PathBuf],
        jdk_home: Option<&Path>,
    ) -> Result<ClassPath, Diagnostic> {
        let mut class_path = ClassPath {
            single: FxHashMap::default(),
            places: Vec::new(),
            jdk: None,
            own: Vec::new(),
            chosen: Vec::new(),
            jars: Vec::new(),
        };
        for path in paths {
            class_path.add(path, true)?;
        }
        for path in behind {
            class_path.add(path, false)?;
        }
        class_path.jdk = jdk_home.and_then(open_jdk);
        if class_path.jdk.is_none() {
            let place = jdk_home.unwrap_or(Path::new("JAVA_HOME"));
            return Err(Diagnostic::no_jdk(place));
        }
        let release = jdk_home.map_or(8, release);
        for place in &mut class_path.places {
            if let Place::Jar(jar) = place {
                jar.set_release(release);
            }
        }
        Ok(class_path)
    }

    fn add(&mut self, path: &Path, is_own: bool) -> Result<(), Diagnostic> {
        if path.is_dir() {
            if is_own {
                let mut found = Vec::new();
                list_classes(path, path, 0, &mut found);
                found.sort();
                self.own.extend(found);
            }
            self.places.push(Place::Folder(path.to_owned()));
            return Ok(());
        }
        if path.extension().is_some_and(|extension| extension == "class") {
            return self.add_class_file(path, is_own);
        }
        match Jar::open(path) {
            Ok(jar) => {
                if is_own {
                    let classes = jar.names().iter().filter_map(|name| own_class(name));
                    self.own.extend(classes.map(str::to_owned));
                }
                self.places.push(Place::Jar(jar));
                self.jars.push(path.to_owned());
                self.add_named(named_by_jar(path))
            }
            Err(what) => Err(Diagnostic::unreadable(path, &what)),
        }
    }

    /// What the manifest of a jar names, as far as it is there.
    fn add_named(&mut self, paths: Vec<PathBuf>) -> Result<(), Diagnostic> {
        for path in paths {
            if !self.jars.contains(&path) {
                self.add(&path, false)?;
            }
        }
        Ok(())
    }

    /// A class file brings the folder that its package structure starts in, so that its neighbors are
    /// found.
    fn add_class_file(&mut self, path: &Path, is_own: bool) -> Result<(), Diagnostic> {
        let bytes = std::fs::read(path)
            .map_err(|error| Diagnostic::unreadable(path, &error.to_string()))?;
        let class = ClassFile::read(&bytes).map_err(|error| Diagnostic::bad_class(path, &error))?;
        let name = class.name.to_string();
        let mut root = path.parent().map(Path::to_owned).unwrap_or_default();
        for _ in name.matches('/') {
            root.pop();
        }
        if root.join(format!("{name}.class")).is_file() {
            self.places.push(Place::Folder(root));
        }
        if is_own {
            self.own.push(name.clone());
        }
        self.single.insert(name, bytes);
        Ok(())
    }

    /// Takes a class of the JDK, and those inside it, for one to work on.
    pub(crate) fn choose(&mut self, name: &str) {
        self.chosen.push(name.to_owned());
    }

    fn is_chosen(&self, name: &str) -> bool {
        self.chosen.iter().any(|chosen| {
            let rest = name.strip_prefix(chosen.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
        })
    }

    /// Internal names of the classes to work on.
    pub fn own_classes(&self) -> &[String] {
        &self.own
    }

    /// Internal names of the classes of a module of the JDK, sorted; none where the JDK has no modules.
    pub fn module_classes(&self, module: &str) -> Vec<String> {
        match &self.jdk {
            Some(Jdk::Image { image, .. }) => image.classes(module),
            Some(Jdk::RtJar(_)) | None => Vec::new(),
        }
    }

    /// A class by internal name; `None` where there is none that can be read.
    pub fn class_file(&mut self, name: &str) -> Option<ClassFile> {
        self.find(name).and_then(|(bytes, _)| ClassFile::read(&bytes).ok())
    }

    /// The bytes of a class by internal name.
    pub(crate) fn find(&mut self, name: &str) -> Option<(Vec<u8>, Owner)> {
        if let Some(bytes) = crate::library::model_class(name) {
            return Some((bytes.to_vec(), Owner::Library));
        }
        if let Some(bytes) = self.single.get(name) {
            return Some((bytes.clone(), Owner::User));
        }
        let is_plain = !name.split('/').any(|part| part.is_empty() || part == "..");
        if !is_plain || name.contains('\0') {
            return None;
        }
        let file = format!("{name}.class");
        for place in &mut self.places {
            let found = match place {
                Place::Folder(folder) => std::fs::read(folder.join(&file)).ok(),
                Place::Jar(jar) => jar.find(&file),
            };
            if let Some(bytes) = found {
                return Some((bytes, Owner::User));
            }
        }
        let bytes = match self.jdk.as_mut()? {
            Jdk::Image { image, modules } => {
                modules.iter().find_map(|module| image.find(module, name, "class"))
            }
            Jdk::RtJar(jar) => jar.find(&file),
        };
        let owner = if self.is_chosen(name) { Owner::Chosen } else { Owner::Library };
        bytes.map(|bytes| (bytes, owner))
    }
}

fn own_class(entry: &str) -> Option<&str> {
    let name = entry.strip_suffix(".class")?;
    let is_class = !name.starts_with("META-INF/") && !name.ends_with("-info");
    is_class.then_some(name)
}

/// Class files below a folder, as internal names. Deep or circular folders end at a depth.
fn list_classes(root: &Path, folder: &Path, depth: usize, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && depth < 32 {
            list_classes(root, &path, depth + 1, found);
        } else if let Ok(relative) = path.strip_prefix(root)
            && let Some(name) = relative.to_str().and_then(own_class)
        {
            found.push(name.replace('\\', "/"));
        }
    }
}

fn open_jdk(home: &Path) -> Option<Jdk> {
    if let Some(image) = Image::open(&home.join("lib/modules")) {
        return Some(Jdk::Image { image, modules: modules(home) });
    }
    let places = ["lib/rt.jar", "jre/lib/rt.jar"];
    places.iter().find_map(|place| Jar::open(&home.join(place)).ok()).map(Jdk::RtJar)
}

/// Whether a jar is sealed or signed, so that no test can be in its packages.
pub fn is_closed_jar(path: &Path) -> bool {
    let is_jar = path.extension().is_some_and(|extension| extension == "jar");
    is_jar && Jar::open(path).is_ok_and(|jar| jar.is_closed())
}

/// What the manifest of a jar names, as far as it is there.
pub fn named_by_jar(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = Jar::open(path).map(|jar| jar.manifest().class_path.clone()).unwrap_or_default();
    let paths = names.iter().map(|name| folder.join(name.strip_prefix("file:").unwrap_or(name)));
    paths.filter(|path| path.exists()).collect()
}

/// The version of a JDK: 17 for `JAVA_VERSION="17.0.15"`, 8 for `1.8.0`.
pub fn release(home: &Path) -> u32 {
    let text = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=")).unwrap_or("");
    let first = line.trim_matches('"').split(['.', '-', '+']).next().unwrap_or("");
    first.parse().unwrap_or(8)
}

/// The modules of a JDK as its `release` file lists them, `java.base` first.
fn modules(home: &Path) -> Vec<String> {
    let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let line = release.lines().find_map(|line| line.strip_prefix("MODULES=")).unwrap_or_default();
    let mut modules = vec!["java.base".to_owned()];
    let listed = line.trim_matches('"').split_whitespace();
    modules.extend(listed.filter(|module| *module != "java.base").map(str::to_owned));
    modules
}
