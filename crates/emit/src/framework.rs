//! The frameworks that tests can be written for, and what those of C leave in the folder of tests.

use std::fmt::Write;

use crate::c_names::{RENAMED_MAIN, renamed_users};
use crate::c_test::{TestFile, TestText, relation_definition, test_function_as};
use crate::java_framework::{self, JavaStyle};
use crate::makefile::Build;
use crate::{
    assembly, check_framework, cmocka, declared, gtest, plain, shared_state, stub, unity, variadic,
};

/// What tests are written for, in any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framework {
    /// No dependency; in every language.
    Plain,
    Cmocka,
    Check,
    Unity,
    Gtest,
    JUnit4,
    JUnit5,
}

/// How tests in C are written for a framework.
#[derive(Debug)]
pub struct CTests {
    /// The tests of one function.
    pub(crate) test_file: fn(&TestFile<'_>) -> String,
    /// Cases in C++ that call them.
    pub(crate) cases_file: Option<fn(&TestFile<'_>) -> String>,
    /// `glassbox.h` and `glassbox.c`.
    pub(crate) runtime: [&'static str; 2],
    /// Whether all tests run in one process.
    pub shares_process: bool,
    /// What stands between the program and the name of a test to run that test alone, where there is a way.
    pub alone: Option<&'static str>,
    /// What the Makefile needs.
    pub build: Build,
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    pub name: String,
    pub text: String,
}

impl Framework {
    pub const ALL: &[Framework] = &[
        Framework::Plain,
        Framework::Cmocka,
        Framework::Check,
        Framework::Unity,
        Framework::Gtest,
        Framework::JUnit4,
        Framework::JUnit5,
    ];

    /// As written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Framework::Plain => "plain",
            Framework::Cmocka => "cmocka",
            Framework::Check => "check",
            Framework::Unity => "unity",
            Framework::Gtest => "gtest",
            Framework::JUnit4 => "junit4",
            Framework::JUnit5 => "junit5",
        }
    }

    /// How tests in C are written for it; `None` where it is for another language.
    pub fn c(self) -> Option<&'static CTests> {
        match self {
            Framework::Plain => Some(&plain::TESTS),
            Framework::Cmocka => Some(&cmocka::TESTS),
            Framework::Check => Some(&check_framework::TESTS),
            Framework::Unity => Some(&unity::TESTS),
            Framework::Gtest => Some(&gtest::TESTS),
            Framework::JUnit4 | Framework::JUnit5 => None,
        }
    }

    /// How tests in Java are written for it; `None` where it is for another language.
    pub fn java(self) -> Option<&'static JavaStyle> {
        match self {
            Framework::Plain => Some(&java_framework::PLAIN),
            Framework::JUnit4 => Some(&java_framework::JUNIT4),
            Framework::JUnit5 => Some(&java_framework::JUNIT5),
            Framework::Cmocka | Framework::Check | Framework::Unity | Framework::Gtest => None,
        }
    }
}

impl CTests {
    /// The files with the tests of one function; `program` names the program they become.
    pub fn test_files(&self, file: &TestFile<'_>, program: &str) -> Vec<TextFile> {
        let file = &TestFile { shares_process: self.shares_process, ..file.clone() };
        let text = (self.test_file)(file);
        let mut files = vec![TextFile { name: format!("{program}.c"), text }];
        if let Some(cases_file) = self.cases_file {
            let name = format!("{program}_gtest.cpp");
            files.push(TextFile { name, text: cases_file(file) });
        }
        files
    }

    /// `glassbox.h` and `glassbox.c`, which all tests of a folder share.
    pub fn runtime_files(&self) -> [TextFile; 2] {
        let [header, source] = self.runtime;
        [("glassbox.h", header), ("glassbox.c", source)]
            .map(|(name, text)| TextFile { name: name.to_owned(), text: text.to_owned() })
    }
}

/// How every test file starts: the source under test, then `headers`, then what it lacks.
///
/// `glassbox.h` comes first: the macros of the source cannot change it, and it has no name that the source could
/// have. `headers` come second so that their macros do not change the source.
pub(crate) fn opening(file: &TestFile<'_>, headers: &str) -> String {
    let function = &file.program.function(file.function).name;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Tests of {function}, written by glassbox. Yours to keep and to change. */"
    );
    let _ = writeln!(out, "#include \"glassbox.h\"");
    let has_main = file.program.function_named("main").is_some();
    if has_main {
        let _ = writeln!(out, "#define main {RENAMED_MAIN}");
    }
    let users = renamed_users(file.program);
    for (name, renamed) in stub::renamed(file.program).iter().chain(&users) {
        let _ = writeln!(out, "#define {name} {renamed}");
    }
    let (before, behind) = assembly::around(file.program, &file.names);
    let _ = writeln!(out, "{before}#include \"{}\"", file.include);
    out.push_str(&behind);
    if has_main {
        out.push_str("#undef main\n");
    }
    // What replaces a function of the system stays defined: a tag or member may have the same name (`struct stat`),
    // and is then renamed in the tests as it is in the source.
    for (name, _) in &users {
        let _ = writeln!(out, "#undef {name}");
    }
    out.push_str(&file.names.definitions(file.program));
    out.push('\n');
    for name in ["CHECK", "CHECK_FLOAT"].into_iter().filter(|name| file.names.has(name)) {
        let _ = writeln!(out, "#undef {name}");
    }
    let _ = writeln!(out, "{headers}");
    out.push_str(&declared::definitions(file));
    out.push_str(&stub::definitions(file));
    out.push_str(&variadic::definition(file));
    out.push_str(&relation_definition(file));
    out.push_str(&shared_state::definition(file));
    out
}

/// A test function for frameworks that run all tests in one process. A call that is to end in `exit`
/// happens in a child process, or it would end the other tests too.
pub(crate) fn one_process_test(file: &TestFile<'_>, test: &TestText<'_>, head: &str) -> String {
    let status = match (test.exit_status(), test.is_stopped()) {
        (Some(status), _) => status.to_string(),
        (None, true) => "GLASSBOX_STOPPED".to_owned(),
        (None, false) => return test_function_as(file, test, head),
    };
    let body = format!("{}_in_child", test.name);
    let mut out = test_function_as(file, test, &format!("static void {body}(void)"));
    let _ = writeln!(out, "\n{head}\n{{\n    CHECK(glassbox_exit_status({body}) == {status});\n}}");
    out
}
