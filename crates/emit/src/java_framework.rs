//! Frameworks for Java tests: JUnit 4, JUnit 5, and plain Java with a `main`, which needs nothing else and
//! is what replay runs.

use std::fmt::Write as _;

use crate::java_literal;
use crate::java_test::{Body, FloatEquality, JavaTest, JavaTestClass, body};

/// How tests in Java are written for a framework.
#[derive(Debug)]
pub struct JavaStyle {
    floats: FloatEquality,
    /// Imports before and after those of the tests, where a library has the assertions; else they are in
    /// the class, with a `main`.
    library: Option<[&'static str; 2]>,
    /// The annotation that says in words what a test is about.
    display: Option<&'static str>,
    /// Probes in the class under test are switched on and off around each call.
    has_probes: bool,
}

/// Assertions and a `main` in the class itself.
pub const PLAIN: JavaStyle =
    JavaStyle { floats: FloatEquality::Delta, library: None, display: None, has_probes: false };

/// What replay runs.
pub const REPLAY: JavaStyle = JavaStyle { has_probes: true, ..PLAIN };

pub const JUNIT4: JavaStyle = JavaStyle {
    floats: FloatEquality::Delta,
    library: Some(["import static org.junit.Assert.*;", "import org.junit.Test;"]),
    display: None,
    has_probes: false,
};

pub const JUNIT5: JavaStyle = JavaStyle {
    floats: FloatEquality::TwoArguments,
    library: Some([
        "import static org.junit.jupiter.api.Assertions.*;",
        "import org.junit.jupiter.api.Test;",
    ]),
    display: Some("org.junit.jupiter.api.DisplayName"),
    has_probes: false,
};

/// A test class as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaFile {
    /// Relative, with the folders of the package.
    pub path: String,
    /// Binary name of the test class.
    pub class: String,
    pub text: String,
    /// By test: uses of reflection.
    pub n_reflective: Vec<usize>,
    /// Whether tests have mocks of Mockito.
    pub has_mocks: bool,
    /// Flags that the JVM needs to run the tests; empty except for classes of the JDK.
    pub jvm_flags: Vec<String>,
}

/// The test class for a framework.
pub fn java_file(class: &JavaTestClass<'_>, style: &JavaStyle) -> JavaFile {
    let package = class.package();
    let bodies: Vec<Body> =
        class.tests.iter().map(|test| body(class, test, style.floats, style.has_probes)).collect();
    let display = style.display.map(|name| class.imports.borrow_mut().name(name));
    let imports = class.imports.borrow().lines();
    let has_mocks = bodies.iter().any(|body| body.n_mocks > 0);
    let mocks = if has_mocks { "import static org.mockito.Mockito.*;\n" } else { "" };
    // An import would hide a class of the package.
    let has_own_test = {
        let full = if package.is_empty() { "Test".to_owned() } else { format!("{package}.Test") };
        class.class == full || class.recipes.class(&full).is_some()
    };
    let of_language = |text: &str| class.imports.borrow().of_language(text);
    let mut text = String::new();
    if !package.is_empty() {
        let _ = writeln!(text, "package {package};\n");
    }
    match style.library {
        None if imports.is_empty() => {}
        None => {
            let _ = writeln!(text, "{imports}");
        }
        Some([assertions, _]) if has_own_test => {
            let _ = write!(text, "{assertions}\n{mocks}\n{imports}\n");
        }
        Some([assertions, test]) => {
            let _ = write!(text, "{assertions}\n{mocks}\n{imports}{test}\n\n");
        }
    }
    let _ = writeln!(text, "/** Tests of {}, by Glassbox. */", class.class.replace('$', "."));
    let _ = writeln!(text, "public class {} {{", class.name);
    let mut n_reflective = Vec::new();
    for (test, body) in class.tests.iter().zip(&bodies) {
        for goal in &test.covers {
            let _ =
                writeln!(text, "    // {}", goal.replace("\\u", "\\ u").replace(['\n', '\r'], " "));
        }
        if body.n_reflective > 0 {
            text.push_str(
                "    // Uses reflection: no calls were found that lead to this state or method.\n",
            );
        }
        if let Some([_, import]) = style.library {
            let full = import.trim_start_matches("import ").trim_end_matches(';');
            let annotation = if has_own_test { full } else { "Test" };
            let _ = writeln!(text, "    @{annotation}");
            if let Some(display) = &display {
                let words: Vec<u16> = in_words(test).encode_utf16().collect();
                let _ = writeln!(text, "    @{display}({})", java_literal::string(&words));
            }
        }
        let thrown = of_language("Throwable");
        let _ = writeln!(text, "    public void {}() throws {thrown} {{", test.name);
        for line in &body.lines {
            let _ = writeln!(text, "        {line}");
        }
        text.push_str("    }\n\n");
        n_reflective.push(body.n_reflective);
    }
    for helper in &class.helpers {
        let _ = writeln!(text, "{}", of_language(helper));
    }
    if n_reflective.iter().any(|&count| count > 0) {
        text.push_str(&of_language(REFLECTION));
    }
    if style.library.is_none() {
        let write = "glassbox_probe.Probe.write(\"@NAME@ \" + test.getName());";
        let written = if style.has_probes { write } else { "" };
        let runtime = ASSERTIONS.replace("                @PROBES@\n", &match written {
            "" => String::new(),
            written => format!("                if (round == 0) {{\n                    {written}\n                }}\n"),
        });
        text.push_str(&of_language(&runtime).replace("@NAME@", &class.name));
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text.push_str("}\n");
    let folder = package.replace('.', "/");
    let path = if folder.is_empty() {
        format!("{}.java", class.name)
    } else {
        format!("{folder}/{}.java", class.name)
    };
    let name =
        if package.is_empty() { class.name.clone() } else { format!("{package}.{}", class.name) };
    let jvm_flags = class.opened().map_or(Vec::new(), |package| {
        vec!["--add-opens".to_owned(), format!("java.base/{package}=ALL-UNNAMED")]
    });
    JavaFile { path, class: name, text, n_reflective, has_mocks, jvm_flags }
}

/// A test class whose tests are text already, for a framework: names with statements. `header` stands before the class.
pub fn written_class(
    name: &str,
    header: &[String],
    tests: &[(String, Vec<String>)],
    style: &JavaStyle,
) -> String {
    let mut text = String::new();
    for line in header {
        let _ = writeln!(text, "{line}");
    }
    if let Some([assertions, test]) = style.library {
        let _ = writeln!(text, "{assertions}\n{test}");
    }
    let _ = writeln!(text, "\n/** Tests by Glassbox. */\npublic class {name} {{");
    for (test, lines) in tests {
        if style.library.is_some() {
            text.push_str("    @Test\n");
        }
        let _ = writeln!(text, "    public void {test}() throws Throwable {{");
        for line in lines {
            let _ = writeln!(text, "        {line}");
        }
        text.push_str("    }\n\n");
    }
    if style.library.is_none() {
        let runtime = ASSERTIONS.replace("                @PROBES@\n", "");
        text.push_str(&runtime.replace("@NAME@", name));
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text.push_str("}\n");
    text
}

/// What a test is about: `withdraw, line 12: amount > balance is true, and 3 more`.
fn in_words(test: &JavaTest<'_>) -> String {
    let method = test.name.split('_').next().unwrap_or(&test.name);
    // Not all that a test is about stands in a line.
    let placed = |goal: &String| {
        let is_place = goal.starts_with(|letter: char| letter.is_ascii_digit());
        if is_place { format!("line {goal}") } else { goal.clone() }
    };
    match test.covers.as_slice() {
        [] => method.to_owned(),
        [only] => format!("{method}, {}", placed(only)),
        [first, others @ ..] => format!("{method}, {}, and {} more", placed(first), others.len()),
    }
}

/// What tests use where no public way leads.
const REFLECTION: &str = r#"    private static Object make(String type) throws Exception {
        java.lang.reflect.Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        return unsafe.getClass().getMethod("allocateInstance", Class.class)
                .invoke(unsafe, Class.forName(type));
    }

    private static java.lang.reflect.Field field(String type, String name) throws Exception {
        java.lang.reflect.Field field = Class.forName(type).getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static void set(Object object, String type, String name, Object value) throws Exception {
        field(type, name).set(object, value);
    }

    private static Object get(Object object, String type, String name) throws Exception {
        return field(type, name).get(object);
    }

    private static Object call(
            String type, String name, Class<?>[] params, Object object, Object[] args) throws Throwable {
        java.lang.reflect.Method method = Class.forName(type).getDeclaredMethod(name, params);
        method.setAccessible(true);
        try {
            return method.invoke(object, args);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

"#;

/// Assertions and a `main` that runs all tests twice, the second time in another order, and reports
/// each on a line of its own, then how many failed, which its status says as well. Names given as arguments are
/// left out.
const ASSERTIONS: &str = r#"    interface Code {
        void run() throws Throwable;
    }

    private static void check(boolean holds, Object expected, Object actual) {
        if (!holds) {
            throw new AssertionError("expected " + show(expected) + ", was " + show(actual));
        }
    }

    private static String show(Object value) {
        return java.util.Arrays.deepToString(new Object[] {value});
    }

    static void assertEquals(long expected, long actual) {
        check(expected == actual, expected, actual);
    }

    static void assertEquals(double expected, double actual, double delta) {
        check(Double.compare(expected, actual) == 0, expected, actual);
    }

    static void assertEquals(float expected, float actual, float delta) {
        check(Float.compare(expected, actual) == 0, expected, actual);
    }

    static void assertEquals(Object expected, Object actual) {
        check(java.util.Objects.equals(expected, actual), expected, actual);
    }

    static void assertArrayEquals(Object expected, Object actual) {
        check(java.util.Objects.deepEquals(expected, actual), expected, actual);
    }

    static void assertArrayEquals(Object expected, Object actual, double delta) {
        check(java.util.Objects.deepEquals(expected, actual), expected, actual);
    }

    static void assertTrue(boolean actual) {
        check(actual, true, false);
    }

    static void assertFalse(boolean actual) {
        check(!actual, false, true);
    }

    static void assertNull(Object actual) {
        check(actual == null, null, actual);
    }

    static void assertNotNull(Object actual) {
        check(actual != null, "an object", null);
    }

    static void assertSame(Object expected, Object actual) {
        check(expected == actual, "the same object", actual);
    }

    static void assertThrows(Class<?> expected, Code code) {
        Throwable thrown = null;
        try {
            code.run();
        } catch (Throwable caught) {
            thrown = caught;
        }
        check(thrown != null && expected.isInstance(thrown), expected.getName(),
                thrown == null ? "no exception" : thrown.toString());
    }

    public static void main(String[] leftOut) throws Exception {
        final java.io.PrintStream report = System.out;
        java.io.OutputStream nowhere = new java.io.OutputStream() {
            @Override
            public void write(int one) {}
        };
        System.setOut(new java.io.PrintStream(nowhere));
        System.setErr(new java.io.PrintStream(nowhere));
        java.util.List<java.lang.reflect.Method> tests = new java.util.ArrayList<>();
        for (java.lang.reflect.Method method : @NAME@.class.getDeclaredMethods()) {
            boolean isTest = java.lang.reflect.Modifier.isPublic(method.getModifiers())
                    && !java.lang.reflect.Modifier.isStatic(method.getModifiers());
            if (isTest && !java.util.Arrays.asList(leftOut).contains(method.getName())) {
                tests.add(method);
            }
        }
        tests.sort(java.util.Comparator.comparing(java.lang.reflect.Method::getName));
        java.util.Set<String> failed = new java.util.TreeSet<>();
        for (int round = 0; round < 2; round++) {
            for (final java.lang.reflect.Method test : tests) {
                final Object object = new @NAME@();
                final String[] message = {"ok"};
                Thread thread = new Thread(null, () -> {
                    try {
                        test.invoke(object);
                    } catch (java.lang.reflect.InvocationTargetException thrown) {
                        message[0] = "failed " + thrown.getCause();
                    } catch (Throwable thrown) {
                        message[0] = "failed " + thrown;
                    }
                }, "test", 1 << 24);
                thread.setDaemon(true);
                thread.start();
                thread.join(5000);
                boolean isSlow = thread.isAlive();
                String line = isSlow ? "failed: it runs too long" : message[0];
                @PROBES@
                report.println("@NAME@ " + test.getName() + " " + line.replaceAll("\\s+", " "));
                report.flush();
                if (!line.equals("ok")) {
                    failed.add(test.getName());
                }
                if (isSlow) {
                    Runtime.getRuntime().halt(3);
                }
            }
            java.util.Collections.shuffle(tests, new java.util.Random(1));
        }
        report.println("@NAME@: " + failed.size() + " of " + tests.size() + " failed");
        report.flush();
        Runtime.getRuntime().halt(failed.isEmpty() ? 0 : 1);
    }
"#;
