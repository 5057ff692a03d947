//! A Makefile that builds and runs the tests: `make -C DIR/tests`.

use std::fmt::Write;

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
pub const ONE_COMMAND: &str = "$(TESTS): %: %.c glassbox.c glassbox.h
\t$(CC) $(CFLAGS) -o $@ $< glassbox.c $(LDLIBS)
";

/// `programs` are test files without their ending; `flags` the user's compiler flags.
pub fn makefile(build: &Build, programs: &[String], flags: &[String]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Builds and runs the generated tests: make -C this folder");
    let _ = writeln!(out, "CC ?= cc");
    let quoted: Vec<String> = flags.iter().map(|flag| shell_quote(flag)).collect();
    let _ = writeln!(out, "CFLAGS += -w -O0 -ffp-contract=off {}", quoted.join(" "));
    out.push_str(build.variables);
    let _ = writeln!(out, "TESTS = {}\n", programs.join(" "));
    let _ = writeln!(
        out,
        "check: $(TESTS)\n\t@status=0; for test in $(TESTS); do ./$$test || status=1; done; exit $$status\n"
    );
    let _ = writeln!(out, "{}", build.rules);
    let leftovers = format!("$(TESTS) {}", build.leftovers);
    let _ = writeln!(out, "clean:\n\trm -f {}\n\n.PHONY: check clean", leftovers.trim_end());
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
