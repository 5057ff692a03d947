//! Whatever changes, the text is what the preprocessor makes.

use std::os::unix::fs::symlink;

use glassbox_ir::Program;

use super::*;
use crate::FunctionReport;
use crate::listener::{Counted, Standing};

/// Hears warnings.
#[derive(Debug, Default)]
struct Ear(Mutex<String>);

impl Listener for Ear {
    fn diagnostic(&self, text: &str) {
        self.0.lock().expect("no panic").push_str(text);
    }
    fn starts(&self, _: Counted, _: usize) {}
    fn begins(&self, _: &str) {}
    fn stands(&self, _: &str, _: Standing) {}
    fn ends(&self, _: &str, _: &FunctionReport) {}
    fn all_ended(&self) {}
    fn report(&self, _: &Program, _: &FunctionReport) {}
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// A project in a folder of its own, with `a.c` and what it includes.
struct Project {
    what: &'static str,
    place: tempfile::TempDir,
    compiler: String,
    flags: Vec<String>,
    variables: Vec<(String, String)>,
}

impl Project {
    fn new(what: &'static str, files: &[(&str, &str)], flags: &[&str]) -> Project {
        let place = tempfile::tempdir().expect("a folder");
        let here = place.path().display().to_string();
        let flags = flags.iter().map(|flag| flag.replace("HERE", &here)).collect();
        let project =
            Project { what, place, compiler: "cc".to_owned(), flags, variables: Vec::new() };
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    fn preprocessor(&self) -> Preprocessor {
        Preprocessor {
            compiler: self.compiler.clone(),
            flags: self.flags.clone(),
            ..Preprocessor::default()
        }
    }

    /// A run of its own.
    fn texts(&self) -> Texts {
        let (from, variables) = (vec![self.at("kept")], self.variables.clone());
        let into = from.clone();
        Texts::new(Some(&TextKeeping { from, into, variables }))
    }

    /// The text of the next run, and whether the preprocessor was not started for it: what is kept is marked first.
    fn text(&self) -> (Option<Vec<u8>>, bool) {
        const MARK: &[u8] = b"/* kept */";
        let texts = self.texts();
        let path = self.at("a.c");
        let keep = texts.kept.as_ref().expect("texts are kept");
        let named = key(keep, &self.preprocessor(), &path);
        let entry = named.and_then(|(key, _)| {
            let bytes = keep.into[0].read(Kind::Text, &key).ok()??;
            keep.into[0].write(Kind::Text, &key, &[&bytes, MARK].concat()).expect("written");
            Some((key, bytes))
        });
        let text = texts.of(&self.preprocessor(), &path, &Ear::default()).ok();
        let unmarked = text.as_ref().and_then(|text| text.strip_suffix(MARK)).map(<[u8]>::to_vec);
        if let (Some(unmarked), Some((key, bytes))) = (unmarked, entry) {
            keep.into[0].write(Kind::Text, &key, &bytes).expect("written");
            return (Some(unmarked), true);
        }
        (text, false)
    }

    /// The text is what the preprocessor makes; whether it was known.
    #[track_caller]
    fn is_known(&self) -> bool {
        let (text, is_known) = self.text();
        let fresh = || self.preprocessor().run(&self.at("a.c")).ok();
        // Texts with a time in them are others when the clock strikes in between.
        let is_same = text == fresh() || self.text().0 == fresh();
        assert!(is_same, "{}: another text than the preprocessor makes", self.what);
        is_known
    }
}

/// A change that makes the text another one, or may.
struct Change {
    project: Project,
    change: fn(&Project),
    /// Whether the text is still known afterwards.
    stays: bool,
}

fn change(project: Project, change: fn(&Project)) -> Change {
    Change { project, change, stays: false }
}

fn changes() -> Vec<Change> {
    let header = [("a.c", "#include \"a.h\"\nint x = N;\n"), ("a.h", "#define N 1\n")];
    let search = [
        ("a.c", "#include <net/api.h>\nint x = N;\n"),
        ("lib/net/api.h", "#include \"config.h\"\n"),
        ("cfg/config.h", "#define N 5\n"),
        ("first/other.h", "\n"),
    ];
    let path = ["-IHERE/first", "-IHERE/none", "-IHERE/lib", "-IHERE/cfg"];
    let asking = "#if __has_include(\"maybe.h\")\nint yes;\n#endif\n#if defined(__has_include)\n#endif\nint x;\n";
    vec![
        change(
            Project::new(
                "a header of the system whose comments speak of `#include`",
                &[("a.c", "#include <limits.h>\n#include \"a.h\"\nint x = N;\n"), header[1]],
                &[],
            ),
            |project| project.write("a.h", "#define N 2\n"),
        ),
        Change { project: Project::new("nothing", &header, &[]), change: |_| {}, stays: true },
        Change {
            project: Project::new("a file that is not read", &search, &path),
            change: |it| it.write("first/unrelated.h", "#define N 7\n"),
            stays: true,
        },
        Change {
            project: Project::new("a folder with the name of a header", &search, &path),
            change: |it| fs::create_dir_all(it.at("first/config.h")).expect("made"),
            stays: true,
        },
        Change {
            project: Project::new("the same content once more", &header, &[]),
            change: |it| it.write("a.h", "#define N 1\n"),
            stays: true,
        },
        change(Project::new("the file", &header, &[]), |it| it.write("a.c", "int y;\n")),
        change(Project::new("a header", &header, &[]), |it| it.write("a.h", "#define N 2\n")),
        change(Project::new("a header that is gone", &header, &[]), |it| {
            fs::remove_file(it.at("a.h")).expect("removed");
        }),
        change(Project::new("a header found earlier", &search, &path), |it| {
            it.write("first/config.h", "#define N 7\n");
        }),
        change(Project::new("a header in a folder that was not there", &search, &path), |it| {
            it.write("none/net/api.h", "#define N 7\n");
        }),
        change(Project::new("a header beside the one that includes it", &search, &path), |it| {
            it.write("lib/net/config.h", "#define N 7\n");
        }),
        change(Project::new("a header that was asked for", &[("a.c", asking)], &[]), |it| {
            it.write("maybe.h", "");
        }),
        change(
            Project::new("a header that flags name", &header, &["-include", "HERE/more.h"]),
            |it| it.write("more.h", "int more;\n"),
        ),
        change(Project::new("another folder under the same name", &search, &path), |it| {
            fs::rename(it.at("cfg"), it.at("old")).expect("moved");
            it.write("new/config.h", "#define N 5\n");
            symlink(it.at("new"), it.at("cfg")).expect("linked");
        }),
    ]
}

/// Texts that depend on more than files that can be looked at.
fn never() -> Vec<Project> {
    let plain = [("a.c", "int x;\n")];
    let once = [
        ("a.c", "#include \"b/one.h\"\n#include \"c/one.h\"\n"),
        ("b/one.h", "#pragma once\nint y;\n"),
        ("c/one.h", "#pragma once\nint y;\n"),
    ];
    vec![
        Project::new("a date", &[("a.c", "const char *d = __DATE__;\n")], &[]),
        Project::new("a time", &[("a.c", "const char *d = __TIME__;\n")], &[]),
        Project::new("the time of the file", &[("a.c", "const char *d = __TIMESTAMP__;\n")], &[]),
        Project::new(
            "a date in pieces",
            &[("a.c", "#define P(a, b) a##b\nconst char *d = P(__DA, TE__);\n")],
            &[],
        ),
        Project::new(
            "a header that a macro names",
            &[("a.c", "#define H \"a.h\"\n#include H\n"), ("a.h", "int y;\n")],
            &[],
        ),
        Project::new(
            "a question in pieces",
            &[("a.c", "#define P(a, b) a##b\n#if P(__has_, include)(\"no.h\")\nint y;\n#endif\n")],
            &[],
        ),
        Project::new("two files that may be one", &once, &[]),
        Project::new("this machine", &plain, &["-march=native"]),
        Project::new("a file of flags", &[plain[0], ("more", "-DX")], &["@HERE/more"]),
        Project::new("macros of a file", &[plain[0], ("m.h", "\n")], &["-imacros", "HERE/m.h"]),
    ]
}

#[test]
fn whatever_changes_the_text_is_what_the_preprocessor_makes() {
    let changes = changes();
    let never = never();
    let mut script =
        Project::new("a program that starts the compiler", &[("a.c", "int x;\n")], &[]);
    script.compiler = script.at("mine").display().to_string();
    script.write("mine", "#!/bin/sh\nexec cc \"$@\"\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(script.at("mine"), mode).expect("set");
    let mut variable = Project::new("a variable", &[("a.c", "int x;\n")], &[]);
    // What has just been written may be written again.
    assert!(!changes[0].project.is_known());
    assert!(!changes[0].project.is_known(), "a file that is new is not kept");
    std::thread::sleep(SETTLED + Duration::from_millis(100));
    for Change { project, change, stays } in &changes {
        // One of them is in need of a file that is not there yet.
        project.is_known();
        let is_kept = project.preprocessor().run(&project.at("a.c")).is_ok();
        assert_eq!(project.is_known(), is_kept, "{}: kept", project.what);
        change(project);
        assert_eq!(project.is_known(), *stays, "{}: still known", project.what);
    }
    for project in never.iter().chain([&script]) {
        project.is_known();
        assert!(!project.is_known(), "{}: not kept", project.what);
    }
    variable.is_known();
    assert!(variable.is_known());
    variable.variables = vec![("CPATH".to_owned(), "/tmp".to_owned())];
    assert!(!variable.is_known());
}

#[test]
fn a_text_that_is_damaged_is_named_and_made_again() {
    let project = Project::new("damage", &[("a.c", "int x;\n")], &[]);
    std::thread::sleep(SETTLED + Duration::from_millis(100));
    project.is_known();
    let texts = project.texts();
    let keep = texts.kept.as_ref().expect("texts are kept");
    let (key, _) = key(keep, &project.preprocessor(), &project.at("a.c")).expect("a key");
    let path = keep.into[0].path(Kind::Text, &key);
    let bytes = fs::read(&path).expect("kept");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
    let ear = Ear::default();
    let text = texts.of(&project.preprocessor(), &project.at("a.c"), &ear).expect("a text");
    assert_eq!(Some(text), project.preprocessor().run(&project.at("a.c")).ok());
    let said = ear.0.lock().expect("no panic").clone();
    assert!(said.contains("a kept text is damaged: it is not used"), "{said}");
    assert!(project.is_known(), "it was written again");
}
