//! Classes with probes pass the JVM's verifier and report what happened.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::collections::BTreeSet;
use std::fs;

use glassbox_jvm_front::classfile::ClassFile;
use glassbox_jvm_front::probe::{ProbeKind, Wanted, instrument, is_taken};
use glassbox_testkit::java::{Jdk, succeed};

const SOURCE: &str = "public class Ways {
    static int ways(int n, Object o, long[] rows) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                switch (i) {
                    case 0: sum += new StringBuilder(o == null ? \"none\" : \"some\").length(); break;
                    case 1: sum += 100 / (n - 2); break;
                    case 700: sum -= rows[0] > 3L ? 1 : 2; break;
                    default: sum += rows.length;
                }
                switch (n) { case 1: sum++; case 2: sum++; case 3: sum++; break; default: sum--; }
            } catch (ArithmeticException e) {
                sum -= 5;
            } finally {
                sum ^= (o instanceof String s && s.isEmpty()) ? 1 : 2;
            }
        }
        return sum;
    }
    public static void main(String[] args) {
        StringBuilder all = new StringBuilder();
        for (int n = 0; n < 6; n++) all.append(ways(n, n == 3 ? null : \"\" + n, new long[n])).append(' ');
        System.out.println(all);
    }
}";

const PROBE: &str = "package glassbox_probe; public class Probe {
    static StringBuilder told = new StringBuilder();
    static { Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(told))); }
    static void tell(int value, int site) { told.append(site + \" \" + value + \"\\n\"); }
    public static void hit(int site) { tell(0, site); }
    public static void one(int v, int site) { tell(v, site); }
    public static void two(int a, int b, int site) { tell(Integer.compare(a, b), site); }
    public static void one(Object v, int site) { tell(v == null ? 0 : 1, site); }
    public static void two(Object a, Object b, int site) { tell(a == b ? 0 : 1, site); }
}";

/// Every instruction has both probes; the program does what it did, verified, and probes count.
#[test]
fn programs_with_probes_behave_as_before() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (source, probe) = (folder.path().join("Ways.java"), folder.path().join("Probe.java"));
    fs::write(&source, SOURCE).expect("it can be written");
    fs::write(&probe, PROBE).expect("it can be written");
    jdk.compile(&[], &[source, probe], folder.path());
    let java = || {
        let mut command = jdk.program("java");
        let output = succeed(command.args(["-Xverify:all", "-cp"]).arg(folder.path()).arg("Ways"));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let before = java();
    let path = folder.path().join("Ways.class");
    let bytes = fs::read(&path).expect("it was compiled");
    let class = ClassFile::read(&bytes).expect("it can be read");
    let method = class.methods.iter().find(|method| &*method.name == "ways").expect("it is there");
    let code = class.code(method).expect("it can be decoded").expect("it has code");
    let all: BTreeSet<u32> = code.pcs.iter().copied().collect();
    let wanted = Wanted {
        name: "ways".to_owned(),
        descriptor: method.descriptor.to_string(),
        hits: all.clone(),
        ends: all,
    };
    let probed = instrument(&bytes, std::slice::from_ref(&wanted), 7).expect("it can be changed");
    assert!(probed.refused.is_empty());
    fs::write(&path, &probed.bytes).expect("it can be written");
    let after = java();
    let (first, reports) = after.split_once('\n').expect("lines");
    assert_eq!(before.trim(), first.trim());
    let reports: Vec<(usize, i32)> = reports
        .lines()
        .map(|line| {
            let (site, value) = line.split_once(' ').expect("two numbers");
            let site: usize = site.parse().expect("a number");
            (site - 7, value.parse().expect("a number"))
        })
        .collect();
    // The loop's condition: six calls end it, 0 + 1 + ... + 5 rounds go on.
    let is_loop = |site: usize| {
        let (site, label) = (probed.sites[site], code.pcs.binary_search(&probed.sites[site].pc));
        matches!(site.kind, ProbeKind::Branch(0xa2)) && label.is_ok()
    };
    let ends = reports.iter().filter(|&&(site, value)| is_loop(site) && is_taken(0xa2, value));
    let rounds = reports.iter().filter(|&&(site, value)| is_loop(site) && !is_taken(0xa2, value));
    assert_eq!((ends.count(), rounds.count()), (6, 15));
    // 100 / (n - 2) throws once: begun four times and ended three times, for n = 2 .. 5.
    let division = code.insns.iter().position(|insn| {
        matches!(insn, glassbox_jvm_front::classfile::insn::Insn::Arith(op, _)
            if *op == glassbox_jvm_front::classfile::insn::ArithOp::Div)
    });
    let place = code.pcs[division.expect("a division")];
    let count = |wanted: ProbeKind| {
        let is_it =
            |site: usize| probed.sites[site].pc == place && probed.sites[site].kind == wanted;
        reports.iter().filter(|(site, _)| is_it(*site)).count()
    };
    assert_eq!((count(ProbeKind::Hit), count(ProbeKind::End)), (4, 3));
    damaged_classes_do_not_panic(&bytes, &wanted);
}

/// They give errors or classes.
fn damaged_classes_do_not_panic(bytes: &[u8], wanted: &Wanted) {
    for at in 0..bytes.len() {
        let _ = instrument(&bytes[..at], std::slice::from_ref(wanted), 0);
        for value in [0, 1, 0x7f, 0xaa, 0xab, 0xc4, 0xff] {
            let mut damaged = bytes.to_vec();
            damaged[at] = value;
            let _ = instrument(&damaged, std::slice::from_ref(wanted), 0);
        }
    }
}
