//! Reports as their readers take them: lcov, genhtml, xmllint, and people with narrow terminals.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]
#![expect(clippy::print_stderr, reason = "tests say what they could not check")]

use std::path::{Path, PathBuf};
use std::process::Command;

use glassbox_testkit::{Tool, command::glassbox, require, root, run_glassbox};
use serde_json::Value;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const ALL: &str = "html,lcov,cobertura,sarif,junit";

/// tcas, with all reports, in a folder whose name is not plain; `None` as path stays inside the guard.
fn tcas() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("mit Leerzeichen und ü");
    let shown = out.display().to_string();
    let args = ["gen", "examples/tcas.c", "--criterion", "branch", "--criterion", "mcdc"];
    let output = run_glassbox([&args[..], &["--format", ALL, "--out", &shown]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    (folder, out)
}

/// What a reader of ours says; it should be content.
#[track_caller]
fn consumer(program: &'static str, args: &[&str], folder: &Path) -> Option<String> {
    Some(read_by(&require(Tool::Program(program))?, args, folder))
}

#[track_caller]
fn read_by(program: &Path, args: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(args).current_dir(folder).output().expect("it starts");
    let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{}: {all}", program.display());
    all
}

#[test]
fn lcov_reads_the_tracefile_and_leaves_proved_branches_out() {
    let (_guard, out) = tcas();
    let info = std::fs::read_to_string(out.join("report/lcov.info")).expect("written");
    let n_proved = info.lines().filter(|line| line.starts_with("BRDA:44,U")).count();
    assert_eq!(n_proved, 1, "one branch of line 44 is infeasible:\n{info}");
    assert!(info.contains("MCDC:"), "{info}");
    let args = ["--summary", "lcov.info", "--rc", "lcov_branch_coverage=1"];
    if let Some(output_text) = consumer("lcov", &args, &out.join("report")) {
        assert!(output_text.contains("branches...: 100.0%"), "{output_text}");
        // Functions without goals of their own are executed by tests of their callers.
        assert!(output_text.contains("lines......: 100.0%"), "{output_text}");
        assert!(output_text.contains("functions..: 100.0%"), "{output_text}");
    }
    let pages = out.join("pages").display().to_string();
    let info = out.join("report/lcov.info").display().to_string();
    let args = ["--branch-coverage", "-q", "-o", &pages, &info];
    if consumer("genhtml", &args, &root()).is_some() {
        assert!(out.join("pages/index.html").is_file());
    }
}

/// LCOV 2 asks for more than 1.16: a count for the line of every function, MC/DC groups without gaps.
#[test]
fn lcov_2_reads_conditions_and_flags() {
    let Some(bin) = require(Tool::Lcov2) else { return };
    let (_guard, out) = tcas();
    let info = out.join("report/lcov.info").display().to_string();
    let read = |program: &str, args: &[&str]| {
        let options = ["--branch-coverage", "--mcdc-coverage"];
        read_by(&bin.join(program), &[&options[..], args].concat(), &root())
    };
    let summary = read("lcov", &["--summary", &info]);
    for part in ["branches....: 100.0%", "lines.......: 100.0%"] {
        assert!(summary.contains(part), "{summary}");
    }
    // LCOV 2.5 counts conditions that are flagged unreachable as not covered, or leaves them out.
    let text = std::fs::read_to_string(&info).expect("there");
    let records: Vec<&str> = text.lines().filter(|line| line.starts_with("MCDC:")).collect();
    // The flag stands in the second field; the last one is source text and may begin with the same letter.
    let is_flagged =
        |line: &str| line.split(',').nth(1).is_some_and(|field| field.starts_with('U'));
    let n_flagged = records.iter().filter(|line| is_flagged(line)).count();
    let is_taken = |line: &str| line.split(',').nth(3).is_some_and(|count| count != "0");
    let n_covered = records.iter().filter(|line| is_taken(line)).count();
    let (n_all, n_possible) = (records.len(), records.len() - n_flagged);
    let is_right = |n: usize| summary.contains(&format!("({n_covered} of {n} condition"));
    assert!(n_flagged > 0 && n_covered > n_all / 2, "{summary}");
    assert!(is_right(n_all) || is_right(n_possible), "{summary}");
    // What it writes again still has the flags.
    let again = out.join("again.info").display().to_string();
    read("lcov", &["-a", &info, "-o", &again]);
    let count = |path: &str| {
        let text = std::fs::read_to_string(path).expect("there");
        let is_record = |line: &&str| line.starts_with("BRDA:") || line.starts_with("MCDC:");
        text.lines().filter(is_record).filter(|line| is_flagged(line)).count()
    };
    assert!(count(&info) > 5 && count(&info) == count(&again), "{}", count(&again));
    let pages = out.join("pages 2").display().to_string();
    read("genhtml", &["-q", "-o", &pages, &info]);
    assert!(out.join("pages 2/index.html").is_file());
}

#[test]
fn sarif_is_valid_by_the_official_schema() {
    let Some(schema) = require(Tool::SarifSchema) else { return };
    let schema = schema.display().to_string();
    let (_guard, out) = tcas();
    let dir = out.display().to_string();
    let checked = run_glassbox(["check", "examples/tcas.c", "--format", "sarif", "--out", &dir]);
    assert_eq!(checked.status.code(), Some(3), "{checked:?}");
    for file in ["report/goals.sarif", "glassbox.sarif"] {
        let path = out.join(file).display().to_string();
        // One of the schema's patterns is no regular expression in Unicode mode.
        let args = ["--regex-variant", "python", "--schemafile", &schema, &path];
        consumer("check-jsonschema", &args, &root());
    }
}

#[test]
fn cobertura_and_junit_are_read_by_their_users() {
    let (_guard, out) = tcas();
    let report = out.join("report");
    if let Some(output_text) = consumer("pycobertura", &["show", "cobertura.xml"], &report) {
        assert!(
            output_text.contains("examples/tcas.c") && output_text.contains("100.00%"),
            "{output_text}"
        );
    }
    consumer("junitparser", &["verify", "junit.xml"], &report);
}

#[test]
fn cobertura_and_junit_are_valid_xml() {
    let (_guard, out) = tcas();
    let dtd = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports/coverage-04.dtd");
    let dtd = dtd.display().to_string();
    let report = out.join("report");
    consumer("xmllint", &["--noout", "--dtdvalid", &dtd, "cobertura.xml"], &report);
    consumer("xmllint", &["--noout", "junit.xml"], &report);
    let junit = std::fs::read_to_string(report.join("junit.xml")).expect("written");
    assert!(junit.contains("failures=\"0\" errors=\"0\" skipped=\"0\""), "{junit}");
}

#[test]
fn sarif_has_notes_with_stable_fingerprints() {
    let (_guard, out) = tcas();
    let log = std::fs::read_to_string(out.join("report/goals.sarif")).expect("written");
    let log: Value = serde_json::from_str(&log).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(!results.is_empty());
    let mut prints: Vec<&str> = Vec::new();
    for result in results {
        assert_eq!(result["level"], "note");
        let index =
            usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "examples/tcas.c");
        prints.push(result["partialFingerprints"]["glassboxGoal/v1"].as_str().expect("a print"));
    }
    prints.sort_unstable();
    let n_prints = prints.len();
    prints.dedup();
    assert_eq!(prints.len(), n_prints, "fingerprints should differ");
}

#[test]
fn report_makes_the_same_bytes_again_from_the_suite_alone() {
    let (_guard, out) = tcas();
    let read = |name: &str| std::fs::read(out.join("report").join(name)).expect("there");
    let names = ["index.html", "lcov.info", "cobertura.xml", "goals.sarif", "junit.xml"];
    let before: Vec<Vec<u8>> = names.iter().map(|name| read(name)).collect();
    std::fs::remove_dir_all(out.join("report")).expect("removed");
    let output = run_glassbox(["report", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let after: Vec<Vec<u8>> = names.iter().map(|name| read(name)).collect();
    assert!(before == after, "the reports should be the same, byte for byte");
    let dated = glassbox()
        .args(["report", &out.display().to_string(), "--format", "cobertura"])
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output()
        .expect("starts");
    assert_eq!(dated.status.code(), Some(0));
    assert!(text(&read("cobertura.xml")).contains("timestamp=\"1700000000\""));
}

/// Everything that a run leaves, by name.
fn all_files(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_owned();
                files.insert(name, std::fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

#[test]
fn measured_times_have_a_file_of_their_own_and_source_date_epoch_leaves_them_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("out").display().to_string();
    let args = ["gen", "examples/tcas.c", "--format", ALL, "--no-exec", "--out", &dir];
    run_glassbox(args);
    let timed = all_files(Path::new(&dir));
    let times: Value = serde_json::from_slice(&timed[Path::new("times.json")]).expect("JSON");
    assert_eq!(times["functions"].as_array().map(Vec::len), Some(7));
    let page = text(&timed[Path::new("report/index.html")]);
    assert!(page.contains("\"micros\""), "the page shows times");
    let again = || {
        let output = glassbox().args(args).env("SOURCE_DATE_EPOCH", "1700000000").output();
        assert!(matches!(output.expect("starts").status.code(), Some(0 | 1)));
        all_files(Path::new(&dir))
    };
    let first = again();
    assert!(!first.contains_key(Path::new("times.json")));
    assert!(first == again(), "the same run should leave the same bytes");
    assert!(first[Path::new("suite.json")] == timed[Path::new("suite.json")]);
}

#[test]
fn fields_keep_the_order_of_their_declaration() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("order.c");
    let code = "struct s { int z; int a; int m; };\nint f(struct s *p) { return p && p->a > 3; }\n";
    std::fs::write(&source, code).expect("written");
    let out = folder.path().join("out").display().to_string();
    let output = run_glassbox(["gen", &source.display().to_string(), "--no-exec", "--out", &out]);
    assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
    let suite = std::fs::read_to_string(Path::new(&out).join("suite.json")).expect("written");
    let places = ["\"z\":", "\"a\":", "\"m\":"].map(|field| suite.find(field).expect("there"));
    assert!(places.is_sorted(), "{suite}");
    assert!(suite.starts_with("{\n  \"format\""), "{suite}");
}

#[test]
fn a_folder_that_may_not_be_written_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let (_guard, out) = tcas();
    let report = out.join("report");
    let mode = |mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&report, permissions).expect("set");
    };
    mode(0o555);
    if std::fs::write(report.join("probe"), "").is_ok() {
        eprintln!("not checked: this user may write everywhere");
        mode(0o755);
        return;
    }
    let output = run_glassbox(["report", &out.display().to_string()]);
    mode(0o755);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("Permission denied"), "{output:?}");
}

#[test]
fn check_shows_progress_and_leaves_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("ü out").display().to_string();
    let output = run_glassbox(["check", "examples/tcas.c", "--no-exec", "--out", &out]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let output_text = text(&output.stderr);
    assert!(
        output_text.contains("glassbox: 7/7 ") && output_text.contains("1 violated, 0 proved"),
        "{output_text}"
    );
    let page = std::fs::read_to_string(Path::new(&out).join("report/index.html")).expect("a page");
    assert!(page.contains("\"violated\""));
}

#[test]
fn explain_tells_which_lines_contradict_each_other() {
    let (_guard, out) = tcas();
    let dir = out.display().to_string();
    let output_text =
        run_glassbox(["explain", "Non_Crossing_Biased_Climb/branch/26:61/false", &dir]);
    let output_text = text(&output_text.stdout);
    assert!(
        output_text.contains("INFEASIBLE: proved for all inputs, without bounds."),
        "{output_text}"
    );
    assert!(output_text.contains("line 26: needs"), "{output_text}");
    assert!(output_text.contains("these cannot hold together"), "{output_text}");
    let covered = text(&run_glassbox(["explain", "tcas.c:20", &dir]).stdout);
    assert!(covered.contains("COVERED") && covered.contains("Climb_Inhibit = "), "{covered}");
    let nothing = run_glassbox(["explain", "no such goal", &dir]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("help: goals look like"), "{nothing:?}");
}

#[test]
fn a_suite_of_another_version_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = folder.path().join("suite.json");
    let dir = folder.path().display().to_string();
    for (content, message) in [
        (
            "{\"format\": 99, \"tool\": {\"name\": \"glassbox\", \"version\": \"9.1\"}}",
            "format 99, written by glassbox 9.1",
        ),
        ("{\"other\": 1}", "not a suite.json"),
        ("{\"format\": ", "not valid JSON"),
    ] {
        std::fs::write(&suite, content).expect("written");
        for command in [vec!["report", &dir], vec!["explain", "x", &dir]] {
            let output = run_glassbox(&command);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(text(&output.stderr).contains(message), "{output:?}");
        }
    }
    std::fs::remove_file(&suite).expect("removed");
    let output = run_glassbox(["report", &dir]);
    assert!(text(&output.stderr).contains("`glassbox gen` makes one"), "{output:?}");
}

#[test]
fn a_full_disk_or_an_unwritable_folder_is_reported_and_loses_nothing_else() {
    let (_guard, out) = tcas();
    let dir = out.display().to_string();
    // A full device in place of the page: the other reports are written all the same.
    let page = out.join("report/index.html");
    std::fs::remove_dir_all(out.join("report")).expect("removed");
    std::fs::create_dir(out.join("report")).expect("made");
    std::os::unix::fs::symlink("/dev/full", &page).expect("linked");
    let output = run_glassbox(["report", &dir]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("index.html: "), "{output:?}");
    assert!(out.join("report/junit.xml").is_file());
    // A file where the folder should be.
    std::fs::remove_dir_all(out.join("report")).expect("removed");
    std::fs::write(out.join("report"), "in the way").expect("written");
    let output = run_glassbox(["report", &dir]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).starts_with("error: "), "{output:?}");
}

#[test]
fn forty_columns_are_enough() {
    let (_guard, out) = tcas();
    let dir = out.display().to_string();
    let output =
        glassbox().args(["report", &dir, "--format", "lcov"]).env("COLUMNS", "40").output();
    let output_text = text(&output.expect("starts").stdout);
    let table: Vec<&str> =
        output_text.lines().take_while(|line| !line.contains("report/")).collect();
    assert!(table.len() > 10, "{output_text}");
    for line in table {
        assert!(line.chars().count() <= 40, "{line}");
    }
}

#[test]
fn colors_come_only_when_they_are_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fehler ü.c");
    std::fs::write(&path, "int f(int a) { return a + ; }\n").expect("written");
    let shown = path.display().to_string();
    let plain = run_glassbox(["list", &shown]);
    assert_eq!(plain.status.code(), Some(2));
    let output_text = text(&plain.stderr);
    assert!(output_text.contains("ü.c:1:27: error:") && output_text.contains("^"), "{output_text}");
    assert!(!output_text.contains('\u{1b}'), "{output_text}");
    let colored = run_glassbox(["--color", "always", "list", &shown]);
    assert!(text(&colored.stderr).contains("\u{1b}[1;31m"), "{colored:?}");
    let never = run_glassbox(["list", &shown, "--color", "never"]);
    assert!(!text(&never.stderr).contains('\u{1b}'));
}

#[test]
fn small_commands_say_what_they_should() {
    let list = text(&run_glassbox(["list", "examples/triangle.c", "--json"]).stdout);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(list[0]["function"], "triangle");
    assert!(list[0]["goals"]["branch"].as_u64().is_some_and(|goals| goals > 10));
    let doctor = run_glassbox(["doctor"]);
    assert_eq!(doctor.status.code(), Some(0), "{doctor:?}");
    assert!(text(&doctor.stdout).contains("found    make"));
    let without = run_glassbox(["doctor", "--cc", "no-such-compiler"]);
    assert_eq!(without.status.code(), Some(2));
    assert!(text(&without.stdout).contains("MISSING  no-such-compiler"), "{without:?}");
    assert!(text(&run_glassbox(["--version"]).stdout).starts_with("glassbox 0."));
    assert!(text(&run_glassbox(["man"]).stdout).contains(".TH glassbox"));
    assert!(text(&run_glassbox(["man", "gen"]).stdout).contains("criterion"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&run_glassbox(["completions", shell]).stdout).contains("glassbox"), "{shell}");
    }
}

#[test]
fn init_writes_a_configuration_that_is_read_once_uncommented() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("sample.c");
    let code = "int sample(int *a, int target) { if (a[0] == target) return 1; return 0; }\n";
    std::fs::write(&source, code).expect("written");
    let config = folder.path().join("glassbox.toml");
    let config_shown = config.display().to_string();
    assert_eq!(run_glassbox(["init", &config_shown]).status.code(), Some(0));
    assert_eq!(run_glassbox(["init", &config_shown]).status.code(), Some(2), "it is there already");
    let written = std::fs::read_to_string(&config).expect("there");
    let is_setting = |line: &&str| line.starts_with("# [") || line.contains(" = ");
    let active: Vec<&str> =
        written.lines().filter(is_setting).map(|line| line.trim_start_matches("# ")).collect();
    assert!(active.len() > 10);
    std::fs::write(&config, active.join("\n")).expect("written");
    let out = folder.path().join("out").display().to_string();
    let output = run_glassbox(["gen", &source.display().to_string(), "--out", &out]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
}

#[test]
fn progress_is_one_live_line_on_a_terminal_and_plain_lines_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let plain = run_glassbox(["gen", "examples/tcas.c", "--criterion", "mcdc", "--out", &out]);
    let output_text = text(&plain.stderr);
    assert!(
        output_text.contains("glassbox: 7/7 ") && !output_text.contains('\u{1b}'),
        "{output_text}"
    );
    let Some(_) = require(Tool::Program("script")) else { return };
    // `script` runs a command on a terminal of its own.
    let command = format!(
        "'{}' gen examples/tcas.c --criterion mcdc --criterion path:4 --out '{out}'",
        glassbox().get_program().display()
    );
    let live = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(root())
        .env("TERM", "xterm")
        .env("COLUMNS", "40")
        .stdin(std::process::Stdio::null())
        .output();
    let live = live.expect("script is installed");
    let output_text = text(&live.stdout);
    let drawn: Vec<&str> = output_text.split("\r\u{1b}[2K").skip(1).collect();
    assert!(drawn.iter().any(|line| line.contains("covered")), "{output_text}");
    for line in drawn {
        // What is printed after the line was erased is not part of it.
        let is_progress = line.contains(" s  ") || line.ends_with(" s");
        assert!(!is_progress || line.chars().count() < 40, "{line:?}");
    }
}
