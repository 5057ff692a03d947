//! A Makefile that builds and runs the tests: `make -C DIR/tests`.

use std::fmt::Write;

use crate::flags;

/// What a framework adds to the Makefile.
#[derive(Debug, Clone, Copy)]
pub struct Build {
    /// Lines that set variables.
    pub variables: &'static str,
    /// Rules that make the programs `$(TESTS)`.
    pub rules: &'static str,
    /// Other files that the rules make.
    pub leftovers: &'static str,
}

/// The rule of frameworks that are a header and `LDLIBS`.
pub const ONE_COMMAND: &str = "$(TESTS): %: %.o glassbox.o
\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o glassbox.o $(LDLIBS)
";

/// Rules of all frameworks. The compiler writes down which sources a test file includes, so that a change of the
/// code under test is a reason to build its tests again.
const OBJECTS: &str = "$(TESTS:=.o): %.o: %.c glassbox.h
\t$(CC) $(CFLAGS) $(UNIT_FLAGS) -MMD -MP -c -o $@ $<

glassbox.o: glassbox.c glassbox.h
\t$(CC) $(CFLAGS) $(RUNTIME_FLAGS) -c -o $@ $<

# Functions that you define in glassbox_stubs.c take the place of the stubs that tests have. It is yours.
STUBS = $(patsubst %.c,%.o,$(wildcard glassbox_stubs.c))
LDLIBS := $(STUBS) $(LDLIBS)

$(TESTS): $(STUBS)

$(STUBS): %.o: %.c
\t$(CC) $(CFLAGS) $(UNIT_FLAGS) -c -o $@ $<

-include $(TESTS:=.d)
";

/// `programs` are test files without their ending; `flags` the user's compiler flags.
pub fn makefile(build: &Build, programs: &[String], flags: &[String]) -> String {
    let flags = flags::split(flags);
    let quoted = |flags: &[String]| -> String {
        flags.iter().map(|flag| format!(" {}", shell_quote(flag))).collect()
    };
    let mut out = String::new();
    let _ = writeln!(out, "# Builds and runs the generated tests: make -C this folder");
    let _ = writeln!(out, "CC ?= cc");
    let _ = writeln!(out, "CFLAGS += -w -O0 -ffp-contract=off");
    let _ =
        writeln!(out, "# Those of the code under test, and those that its tests share with it.");
    let _ = writeln!(out, "UNIT_FLAGS ={}", quoted(&flags.unit));
    let _ = writeln!(out, "RUNTIME_FLAGS ={}", quoted(&flags.runtime));
    if !flags.link.is_empty() {
        let _ = writeln!(out, "LDFLAGS +={}", quoted(&flags.link));
    }
    out.push_str(build.variables);
    let _ = writeln!(out, "TESTS = {}\n", programs.join(" "));
    let _ = writeln!(
        out,
        "# A program that cannot be built keeps no other from running.\ncheck:\n\
         \t@$(MAKE) --no-print-directory -k programs; status=$$?; \\\n\
         \tfor test in $(TESTS); do if test -x $$test; then ./$$test || status=1; fi; done; \\\n\
         \texit $$status\n\nprograms: $(TESTS)\n"
    );
    let _ = writeln!(out, "{}\n{OBJECTS}", build.rules);
    let leftovers =
        format!("$(TESTS) $(TESTS:=.o) $(TESTS:=.d) glassbox.o $(STUBS) {}", build.leftovers);
    let _ = writeln!(out, "clean:\n\trm -f {}\n", leftovers.trim_end());
    let _ = writeln!(out, ".DELETE_ON_ERROR:\n.PHONY: check programs clean");
    out
}

/// Another file of the program under test, which is compiled with flags of its own and linked to every test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    pub name: String,
    /// As seen from the folder of tests.
    pub source: String,
    pub flags: Vec<String>,
}

/// What a Makefile says besides about the other files of the program.
pub fn objects(objects: &[Object]) -> String {
    if objects.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
    let names = names.join(" ");
    let mut out = format!(
        "\n# The other files of the program.\nOBJECTS = {names}\nLDLIBS := $(OBJECTS) $(LDLIBS)\n\n\
         $(TESTS): $(OBJECTS)\n\nclean: clean-objects\nclean-objects:\n\trm -f $(OBJECTS)\n\n\
         .PHONY: clean-objects\n"
    );
    for Object { name, source, flags } in objects {
        let quoted: Vec<String> = flags.iter().map(|flag| shell_quote(flag)).collect();
        let (quoted, source) = (quoted.join(" "), source.replace(' ', "\\ "));
        let _ = writeln!(
            out,
            "\n{name}: {source}\n\t$(CC) -w -O0 -ffp-contract=off {quoted} -c -o $@ $<"
        );
    }
    out
}

/// A Makefile that builds and runs the tests in several folders.
pub fn folders(folders: &[String]) -> String {
    let quoted: Vec<String> = folders.iter().map(|folder| shell_quote(folder)).collect();
    format!(
        "# Builds and runs the generated tests of every file: make -C this folder\n\
         check clean:\n\t@status=0; for folder in {}; do \\\n\
         \t  $(MAKE) --no-print-directory -k -C \"$$folder\" $@ || status=1; done; exit $$status\n\n\
         .PHONY: check clean\n",
        quoted.join(" ")
    )
}

fn shell_quote(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,+:@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''")).replace('$', "$$")
}
