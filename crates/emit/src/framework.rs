//! The frameworks that tests can be written for, and what each leaves in the folder of tests.

use std::fmt::Write;

use crate::c_test::{RENAMED_MAIN, TestFile, TestText, test_function_as};
use crate::makefile::Build;
use crate::{c_runtime, check_framework, cmocka, framework_runtime, gtest, plain, stub, unity};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framework {
    /// No dependency.
    Plain,
    Cmocka,
    Check,
    Unity,
    Gtest,
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    pub name: String,
    pub text: String,
}

impl Framework {
    /// The files with the tests of one function; `program` names the program they become.
    pub fn test_files(self, file: &TestFile<'_>, program: &str) -> Vec<TextFile> {
        let text = match self {
            Self::Plain => plain::test_file(file),
            Self::Cmocka => cmocka::test_file(file),
            Self::Check => check_framework::test_file(file),
            Self::Unity => unity::test_file(file),
            Self::Gtest => gtest::test_file(file),
        };
        let mut files = vec![TextFile { name: format!("{program}.c"), text }];
        if self == Self::Gtest {
            let name = format!("{program}_gtest.cpp");
            files.push(TextFile { name, text: gtest::cases_file(file) });
        }
        files
    }

    /// `glassbox.h` and `glassbox.c`, which all tests of a folder share.
    pub fn runtime_files(self) -> [TextFile; 2] {
        let (header, source) = match self {
            Self::Plain => (c_runtime::HEADER, c_runtime::SOURCE),
            Self::Cmocka | Self::Check | Self::Unity | Self::Gtest => {
                (framework_runtime::HEADER, framework_runtime::SOURCE)
            }
        };
        [("glassbox.h", header), ("glassbox.c", source)]
            .map(|(name, text)| TextFile { name: name.to_owned(), text: text.to_owned() })
    }

    /// What the Makefile needs.
    pub fn build(self) -> Build {
        match self {
            Self::Plain => plain::BUILD,
            Self::Cmocka => cmocka::BUILD,
            Self::Check => check_framework::BUILD,
            Self::Unity => unity::BUILD,
            Self::Gtest => gtest::BUILD,
        }
    }
}

/// How every test file starts: the source under test, then `headers`, then stubs.
///
/// The headers come second so that their macros do not change the source.
pub(crate) fn opening(file: &TestFile<'_>, headers: &str) -> String {
    let function = &file.program.function(file.function).name;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Tests of {function}, written by glassbox. Yours to keep and to change. */"
    );
    let _ = writeln!(out, "#define main {RENAMED_MAIN}");
    let _ = writeln!(out, "#include \"{}\"", file.include);
    let _ = writeln!(out, "#undef main\n\n{headers}");
    out.push_str(&stub::definitions(file));
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
