//! User interfaces and loggers stand aside, locks run for one thread, constructors have goals of their own, sequences of calls are tried out.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::Path;

use glassbox_testkit::command::{run_glassbox_in, run_tests_as_printed};
use glassbox_testkit::java::{Jdk, succeed};
use glassbox_testkit::{Tool, folder, require};
use serde_json::Value;

/// What `gen` finds in a class, and its tests.
fn generated(at: &Path, class: &str, args: &[&str]) -> (Value, String) {
    let all = [&["gen", class, "--framework", "plain", "--jobs", "1"], args].concat();
    let output = run_glassbox_in(at, all);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = fs::read_to_string(at.join("glassbox-out/suite.json")).expect(&said);
    let name = format!("glassbox-out/tests/{}GlassboxTest.java", class.trim_end_matches(".java"));
    let tests = fs::read_to_string(at.join(name)).unwrap_or_default();
    run_tests_as_printed(at, &output);
    (serde_json::from_str(&text).expect("it is JSON"), tests)
}

/// By goal of the methods with this in their name: line, text, verdict.
fn verdicts(suite: &Value, name: &str) -> Vec<(u64, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let functions = suite["functions"].as_array().expect("a list").iter();
    let own = functions.filter(|function| text(&function["name"]).contains(name));
    let goals = own.flat_map(|function| function["goals"].as_array().into_iter().flatten());
    let each = |goal: &Value| {
        (goal["line"].as_u64().unwrap_or(0), text(&goal["text"]), text(&goal["verdict"]))
    };
    goals.map(each).collect()
}

fn count(found: &[(u64, String, String)], verdict: &str) -> usize {
    found.iter().filter(|goal| goal.2 == verdict).count()
}

const PANEL: &str = "
import java.awt.*;
import java.awt.event.*;
import java.util.logging.*;
import javax.swing.*;

public class Panel extends JPanel implements ActionListener {
    private static final Logger LOG = Logger.getLogger(\"panel\");
    private static final Color[] COLORS = {Color.RED, Color.GREEN};
    private final Timer timer = new Timer(100, this);
    private int turns;

    public Panel(int turns) {
        this.turns = turns;
        setSize(10, 20);
    }

    public Color color(int which) {
        if (which < 0 || which >= COLORS.length) {
            LOG.warning(\"no such color\");
            return null;
        }
        return COLORS[which];
    }

    public void actionPerformed(ActionEvent event) {
        turns++;
        if (turns > 3) timer.stop();
        repaint();
    }

    public void paint(Graphics g) {
        g.setColor(COLORS[0]);
        g.drawImage(null, 0, 0, this);
        if (turns > 100) g.fillRect(0, 0, 1, 1);
    }

    public int look(int x) {
        if (getWidth() == x) return 1;
        return 0;
    }

    public static int inside(boolean debug) {
        Rectangle r = new Rectangle(1, 2, 3, 4);
        if (debug && LOG.isLoggable(Level.FINE)) LOG.fine(\"inside\");
        if (r.contains(2, 3)) return 1;
        return 0;
    }
}
";

/// Windows, colors and loggers cost no goal; what they answer is not known, and proofs name that they stand aside.
#[test]
fn interfaces_and_loggers_stand_aside() {
    if Jdk::find().is_none() || require(Tool::Jdk).is_none() {
        return;
    }
    let folder = folder::with_files(&[("Panel.java", PANEL)]);
    let (suite, _) = generated(folder.path(), "Panel.java", &["--timeout", "10"]);
    for (method, covered) in [("color(", 4), ("actionPerformed(", 2), ("paint(", 2)] {
        let found = verdicts(&suite, method);
        assert_eq!((found.len(), count(&found, "covered")), (covered, covered), "{found:?}");
    }
    let looked = verdicts(&suite, "look(");
    assert_eq!(count(&looked, "unknown"), 2, "{looked:?}");
    let text = suite.to_string();
    assert!(text.contains("what javax.swing.JComponent.getWidth()I gives, which stands aside"));
    let inside = verdicts(&suite, "inside(");
    assert_eq!(count(&inside, "covered"), 4, "{inside:?}");
    // The logger could log, and nothing is a proof of the contrary.
    assert_eq!(count(&inside, "infeasible-within"), 2, "{inside:?}");
    let words =
        "user interfaces, loggers and class loaders change nothing that the program looks at";
    assert!(text.contains(words));
}

/// Tests run where there is no screen: a window is no way to a goal, and no disagreement; methods that others stand in
/// the place of are tested through these.
#[test]
fn windows_are_not_made_and_overridden_methods_are_called_from_below() {
    if Jdk::find().is_none() || require(Tool::Jdk).is_none() {
        return;
    }
    let source = "
import javax.swing.*;
public class View {
    static class Main extends JFrame {
        private final View view;
        Main(View view) { this.view = view; }
        boolean isWide() { return view != null && view.width > 80; }
    }
    static abstract class Step {
        protected int size;
        protected int turn(int by) { if (by > 2) return by; return size; }
    }
    static class Long extends Step {
        Long(int size) { this.size = size; }
        protected int turn(int by) { size++; return super.turn(by + 1); }
    }
    private int width;
    public Main main;
    View open() { main = new Main(this); width++; return this; }
    boolean isOpen() { if (width == 1) return true; return false; }
}
";
    let folder = folder::with_files(&[("View.java", source)]);
    let (suite, _) = generated(folder.path(), "View.java", &["--timeout", "10"]);
    assert!(!suite.to_string().contains("\"disagreement\""), "{suite}");
    let turn = verdicts(&suite, "View$Step.turn(");
    assert_eq!((turn.len(), count(&turn, "covered")), (2, 2), "{turn:?}");
}

/// The one thread gets every lock, and gives it back.
#[test]
fn locks_are_counters_of_one_thread() {
    if Jdk::find().is_none() || require(Tool::Jdk).is_none() {
        return;
    }
    let source = "
import java.util.concurrent.locks.*;
public class Guarded {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReadWriteLock BOTH = new ReentrantReadWriteLock();
    public static int count(int x) {
        LOCK.lock();
        try {
            if (x > 5) return 1;
            LOCK.lock();
            try {
                return LOCK.getHoldCount() == 2 ? 2 : 3;
            } finally {
                LOCK.unlock();
            }
        } finally {
            LOCK.unlock();
        }
    }
    public static int read(int x) {
        BOTH.readLock().lock();
        try {
            if (x == 3) return 4;
        } finally {
            BOTH.readLock().unlock();
        }
        BOTH.writeLock().lock();
        try {
            return 5;
        } finally {
            BOTH.writeLock().unlock();
        }
    }
}
";
    let folder = folder::with_files(&[("Guarded.java", source)]);
    let (suite, _) = generated(folder.path(), "Guarded.java", &["--timeout", "10"]);
    let count_goals = verdicts(&suite, "count(");
    assert_eq!(count(&count_goals, "covered"), 3, "{count_goals:?}");
    let read = verdicts(&suite, "read(");
    assert_eq!(count(&read, "covered"), 2, "{read:?}");
}

/// What is only reached after some calls is found by calling, and tests call it so; a constructor is a method like others.
#[test]
fn constructors_have_goals_and_calls_lead_to_states() {
    let Some(jdk) = Jdk::find() else { return };
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "
public class Machine {
    private final int[] cells;
    private int stage;
    public Machine(int n) {
        if (n < 3) throw new IllegalArgumentException(\"few\");
        cells = new int[n];
    }
    public void open() { if (stage == 0) stage = 1; }
    public void work() {
        assert stage == 1;
        for (int turn = 0; turn < 2000; turn++) cells[turn % 3]++;
    }
    public void close() { if (stage == 1 && cells[0] > 600) stage = 2; }
    public boolean isDone() { if (stage == 2) return true; return false; }
}
";
    let folder = folder::with_files(&[("Machine.java", source)]);
    succeed(jdk.program("javac").args(["-g", "Machine.java"]).current_dir(folder.path()));
    let args = ["--timeout", "10", "--no-reflection"];
    let (suite, tests) = generated(folder.path(), "Machine.java", &args);
    let made = verdicts(&suite, "<init>(");
    assert_eq!((made.len(), count(&made, "covered")), (2, 2), "{made:?}");
    assert!(tests.contains("() -> new Machine("), "{tests}");
    let done = verdicts(&suite, "isDone(");
    assert_eq!(count(&done, "covered"), 2, "{done:?}");
    let flat: String = tests.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(".open(); machine.work(); machine.close();"), "{tests}");
}

/// Constants of enums are what they are, two names may be of one object, and who has not the monitor may not notify.
#[test]
fn what_is_not_looked_into_is_no_plain_proof() {
    let Some(jdk) = Jdk::find() else { return };
    let source = "
import java.awt.Color;
import javax.swing.SortOrder;
public class Names {
    static void number() { assert SortOrder.DESCENDING.ordinal() == 0; }
    static void two() { assert Color.LIGHT_GRAY != Color.lightGray; }
    static void there() { assert Color.RED != null; }
    static int told(int x) {
        try { new Object().notify(); } catch (RuntimeException e) { return x > 0 ? 1 : 2; }
        return 3;
    }
}
";
    let folder = folder::with_files(&[("Names.java", source)]);
    succeed(jdk.program("javac").args(["-g", "Names.java"]).current_dir(folder.path()));
    let output = run_glassbox_in(folder.path(), ["check", "Names.class", "--jobs", "1"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = |line: &str, what: &str| {
        let found = said.lines().find(|it| it.starts_with(line) && it.contains(" assertion "));
        assert!(found.is_some_and(|it| it.contains(what)), "{line} {what}: {said}");
    };
    verdict("Names.java:5:", "violated by");
    verdict("Names.java:6:", "violated by");
    verdict("Names.java:7:", "holds-within bounds: user interfaces");
    let (suite, _) = generated(folder.path(), "Names.java", &[]);
    let told = verdicts(&suite, "told(");
    assert_eq!((told.len(), count(&told, "infeasible-within")), (2, 2), "{told:?}");
}
