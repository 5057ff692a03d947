//! An agent that gives JVMs other classes than they find: those of a mutant, which the environment chooses. So a test suite of Java
//! is built once, whatever builds and starts it, and no class is compiled for a mutant.

use std::fs;
use std::path::{Path, PathBuf};

use crate::confirm::ReplayError;
use crate::java::Jdk;

/// The variable with options that every JVM takes.
pub const VARIABLE: &str = "JAVA_TOOL_OPTIONS";

/// Where the agent finds a class for the mutant of a number; 0 is none.
pub fn class_file(folder: &Path, number: usize, class: &str) -> PathBuf {
    folder.join(number.to_string()).join(format!("{class}.class"))
}

/// The file that the agent leaves when it has given a class.
pub fn trace(folder: &Path) -> PathBuf {
    folder.join("used")
}

/// Makes the agent in the folder with the classes, and returns options with which JVMs take it, behind those that are set already.
/// `choice` is the variable with the number of the mutant.
///
/// Changed jumps may lead where the compiler put no frames: the classes are not verified. They come from a compiler, and
/// changes keep types. Tests are short: the first compiler of the JVM is enough for them.
pub fn options(jdk: &Jdk, folder: &Path, choice: &str) -> Result<String, ReplayError> {
    let io = |error| ReplayError::Io(folder.to_owned(), error);
    let source = folder.join("Agent.java");
    fs::write(&source, SOURCE.replace("CHOICE", choice)).map_err(io)?;
    let manifest = folder.join("manifest");
    fs::write(&manifest, "Premain-Class: glassbox_agent.Agent\n").map_err(io)?;
    let classes = folder.join("agent");
    fs::create_dir_all(&classes).map_err(io)?;
    jdk.compile(&[source], "", &classes)?;
    let jar = folder.join("agent.jar");
    jdk.pack(&classes, &manifest, &jar)?;
    let given = std::env::var(VARIABLE).unwrap_or_default();
    Ok(format!(
        "{given} -javaagent:{}={} -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:TieredStopAtLevel=1",
        jar.display(),
        folder.display()
    ))
}

const SOURCE: &str = r#"package glassbox_agent;

import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.security.ProtectionDomain;

public final class Agent {
    public static void premain(final String folder, Instrumentation instrumentation) {
        final String chosen = System.getenv("CHOICE");
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> known, ProtectionDomain domain, byte[] bytes) {
                if (name == null) return null;
                try {
                    File changed = new File(folder, chosen + "/" + name + ".class");
                    File own = changed.isFile() ? changed : new File(folder, "0/" + name + ".class");
                    if (!own.isFile()) return null;
                    new File(folder, "used").createNewFile();
                    return Files.readAllBytes(own.toPath());
                } catch (java.io.IOException failed) {
                    return null;
                }
            }
        });
    }
}
"#;
