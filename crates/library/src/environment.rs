//! Facts about the surroundings of a program that its models and its replay must agree on.
//!
//! What may differ from one run to the next is an input or unknown. What is fixed by how tests are run is
//! declared here, read by the front-end that builds the model and by the room that starts the program.

/// Java assertions of the classes under test are checked; those of the JDK are not. Replay starts the JVM
/// with `JVM_FLAGS`, models of `desiredAssertionStatus` read this.
pub const JAVA_ASSERTIONS: bool = true;

/// The flags that make a JVM agree with the facts declared here.
pub const JVM_FLAGS: &[&str] = &["-ea"];
