//! The class that probes in the bytecode under test call during replay: counts, and the first branches in
//! order.

/// Where its source goes.
pub const PATH: &str = "glassbox_probe/Probe.java";

/// How the tests of the replay switch probes on and off.
pub const BEGIN: &str = "glassbox_probe.Probe.begin();";
pub const END: &str = "glassbox_probe.Probe.end();";

/// Lines of the file `events`, per test: `class test|site count ...|site value ...|site value ...`. What comes last was
/// reached while classes started, by then: that happens once in a JVM, in whichever test needs a class first.
pub const SOURCE: &str = r#"package glassbox_probe;

public final class Probe {
    private static final int MAX_STEPS = 5000;
    private static final int[] counts = new int[1 << 15];
    private static final int[] sites = new int[MAX_STEPS];
    private static final int[] values = new int[MAX_STEPS];
    private static int steps;
    private static final java.util.Set<Long> atStart = new java.util.LinkedHashSet<>();
    private static final int[] looks = new int[1 << 15];
    private static Thread owner;
    private static final java.io.PrintStream file = open();

    private static java.io.PrintStream open() {
        try {
            return new java.io.PrintStream(new java.io.FileOutputStream("events", true));
        } catch (java.io.IOException failed) {
            return null;
        }
    }

    public static void begin() {
        java.util.Arrays.fill(counts, 0);
        steps = 0;
        owner = Thread.currentThread();
    }

    public static void end() {
        owner = null;
    }

    private static synchronized void start(int site, int value) {
        if (looks[site] > 50 || atStart.size() > 20000) {
            return;
        }
        long key = ((long) site << 32) | (value & 0xffffffffL);
        if (atStart.contains(key)) {
            return;
        }
        looks[site]++;
        for (StackTraceElement element : new Throwable().getStackTrace()) {
            if (element.getMethodName().equals("<clinit>")) {
                atStart.add(key);
                return;
            }
        }
    }

    public static void hit(int site) {
        start(site, 0);
        if (owner == Thread.currentThread()) {
            counts[site]++;
        }
    }

    public static void one(int value, int site) {
        start(site, value);
        if (owner == Thread.currentThread()) {
            counts[site]++;
            if (steps < MAX_STEPS) {
                sites[steps] = site;
                values[steps] = value;
                steps++;
            }
        }
    }

    public static void two(int a, int b, int site) {
        one(a < b ? -1 : a == b ? 0 : 1, site);
    }

    public static void one(Object value, int site) {
        one(value == null ? 0 : 1, site);
    }

    public static void two(Object a, Object b, int site) {
        one(a == b ? 0 : 1, site);
    }

    public static void write(String test) {
        if (file == null) {
            return;
        }
        StringBuilder line = new StringBuilder(test).append('|');
        for (int site = 0; site < counts.length; site++) {
            if (counts[site] != 0) {
                line.append(site).append(' ').append(counts[site]).append(' ');
            }
        }
        line.append('|');
        for (int step = 0; step < steps; step++) {
            line.append(sites[step]).append(' ').append(values[step]).append(' ');
        }
        line.append('|');
        for (long key : atStart) {
            line.append(key >> 32).append(' ').append((int) key).append(' ');
        }
        file.println(line);
        file.flush();
        begin();
        end();
    }
}
"#;
