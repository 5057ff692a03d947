//! Facts about the surroundings of a program that its models and its replay must agree on.
//!
//! What may differ from one run to the next is an input or unknown. What is fixed by how tests are run is
//! declared here, read by the front-end that builds the model and by the room that starts the program.

/// Whether the JVM evaluates `assert` in the classes under test; in the JDK it never does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JavaAssertions {
    /// As build tools run tests.
    #[default]
    Checked,
    /// As `java` runs programs by default.
    Ignored,
}

impl JavaAssertions {
    /// The flags that make a JVM agree.
    pub fn jvm_flags(self) -> &'static [&'static str] {
        match self {
            JavaAssertions::Checked => &["-ea"],
            JavaAssertions::Ignored => &[],
        }
    }
}
