//! The book in `docs/`: its commands are run, its links lead somewhere.
//!
//! In a ```` ```console ```` block a line that begins with `$ ` is run by a shell; the lines after it are what it prints, in
//! order. `…` stands for any text in a line, and alone for any lines. Blocks with `file=NAME` are written first.
//! Each page has a folder of its own.
//!
//! Pictures are made from what the commands of their page leave, so none can be older than the tool:
//! `<!-- picture NAME.png: PAGE#VIEW WIDTHxHEIGHT light|dark [KEY ...] -->` stands above each.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use glassbox_testkit::browser::{browser, opens};
use glassbox_testkit::{Tool, require};

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let entries = fs::read_dir(folder).expect("the book is there");
    let mut pages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// The fenced blocks of a page: what stands after the fence, and the lines.
fn blocks(text: &str) -> Vec<(String, Vec<String>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, Vec<String>)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.trim().to_owned(), Vec::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, lines)), None) => lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Whether a line fits a pattern in which `…` stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether the output is what the page shows.
fn shows(expected: &[String], output: &[&str]) -> bool {
    match (expected.split_first(), output.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((pattern, rest)), _) if pattern == "…" => {
            (0..=output.len()).any(|skipped| shows(rest, &output[skipped..]))
        }
        (Some(_), None) => false,
        (Some((pattern, rest)), Some((line, later))) => fits(pattern, line) && shows(rest, later),
    }
}

fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_glassbox"));
    let own = binary.parent().expect("a folder").to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&others)));
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command} ; }} 2>&1")])
        .current_dir(folder)
        .env("PATH", path.expect("joined"))
        .env("COLUMNS", "100")
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .expect("a shell");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// How many commands the page has; what differs goes to `wrong`.
fn check_page(path: &Path, wrong: &mut Vec<String>) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    run_page(path, folder.path(), wrong)
}

/// The same in a folder that stays.
fn run_page(path: &Path, folder: &Path, wrong: &mut Vec<String>) -> usize {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("readable");
    let mut n_commands = 0;
    for (info, lines) in blocks(&text) {
        if let Some((_, file)) = info.split_once("file=") {
            let content = format!("{}\n", lines.join("\n"));
            let file = folder.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, content).expect("written");
        }
        if info != "console" {
            continue;
        }
        let mut at = 0;
        while at < lines.len() {
            let command = lines[at].strip_prefix("$ ").expect("a block begins with a command");
            let n_expected = lines[at + 1..].iter().take_while(|l| !l.starts_with("$ ")).count();
            let expected = &lines[at + 1..at + 1 + n_expected];
            let output = run(command, folder);
            // Progress is for people who wait.
            let printed: Vec<&str> =
                output.lines().filter(|line| !line.starts_with("glassbox: ")).collect();
            if !shows(expected, &printed) {
                wrong.push(format!(
                    "{name}: {command}\nthe book says:\n{}\nit prints:\n{output}",
                    expected.join("\n")
                ));
            }
            n_commands += 1;
            at += 1 + n_expected;
        }
    }
    n_commands
}

#[test]
fn commands_of_the_book_print_what_it_says() {
    let mut wrong = Vec::new();
    let n_commands: usize = pages().iter().map(|page| check_page(page, &mut wrong)).sum();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_commands > 15, "only {n_commands} commands were found");
}

fn page(name: &str) -> String {
    let pages = pages();
    let path = pages.iter().find(|path| path.ends_with(name)).expect("a page of the book");
    fs::read_to_string(path).expect("readable")
}

/// The long options that `glassbox COMMAND --help` lists.
fn options(command: &str) -> Vec<String> {
    let help = run(&format!("glassbox {command} --help"), Path::new("/"));
    let words = help.lines().map(str::trim).filter(|line| line.starts_with('-'));
    let named = words.filter_map(|line| line.split_once("--").map(|(_, rest)| rest));
    let name = |rest: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        rest.chars().take_while(|&c| is_part(c)).collect::<String>()
    };
    named.map(name).filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_key_of_the_configuration_is_documented() {
    let text = page("configuration.md");
    for command in ["gen", "check"] {
        let options = options(command);
        assert!(options.len() > 10, "{options:?}");
        for option in options {
            // These two say where the file is, or nothing about a run.
            let is_none = matches!(option.as_str(), "config" | "help");
            let is_told = text.lines().any(|line| {
                let cell = line.strip_prefix("| ").and_then(|line| line.split('|').next());
                cell.is_some_and(|cell| cell.contains(&format!("`{option}`")))
            });
            assert!(is_none || is_told, "`{option}` of `{command}` is not in configuration.md");
        }
    }
    // The parts of a contract, as the reader of the file itself lists them.
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("f.c"), "int f(int x) { return x; }\n").expect("written");
    fs::write(folder.path().join("glassbox.toml"), "[function.f]\nnothing = 1\n").expect("written");
    let output_text = run("glassbox gen f.c", folder.path());
    let (_, list) = output_text.split_once("there are: ").expect("a list of parts");
    let parts: Vec<&str> = list.lines().next().unwrap_or_default().split(", ").collect();
    assert!(parts.len() > 3, "{parts:?}");
    for part in parts {
        assert!(text.contains(&format!("| `{part}")), "`{part}` is not in configuration.md");
    }
}

#[test]
fn every_criterion_is_documented_where_people_look() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("f.c"), "int f(int x) { return x; }\n").expect("written");
    let output_text = run("glassbox gen f.c --criterion nothing", folder.path());
    let (_, list) = output_text.split_once("there are: ").expect("a list of criteria");
    let help = run("glassbox gen --help", folder.path());
    let init = run("glassbox init && cat glassbox.toml", folder.path());
    let book = page("criteria.md");
    for name in list.lines().next().unwrap_or_default().split(", ") {
        assert!(book.contains(&format!("`{name}`")), "{name} is not in criteria.md");
        assert!(help.contains(name), "{name} is not in the help of gen");
        assert!(init.contains(name), "{name} is not in what init writes");
    }
}

#[test]
fn links_of_the_book_lead_somewhere_and_every_page_is_listed() {
    let pages = pages();
    let summary = pages.iter().find(|page| page.ends_with("SUMMARY.md")).expect("a summary");
    let listed = fs::read_to_string(summary).expect("readable");
    for page in &pages {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(
            name == "SUMMARY.md" || listed.contains(&format!("({name})")),
            "{name} is not listed"
        );
        let text = fs::read_to_string(page).expect("readable");
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap_or_default();
            let is_page = !target.contains("://") && !target.starts_with('#');
            let path = page.with_file_name(target.split('#').next().unwrap_or_default());
            let is_made = pictures(&text).iter().any(|picture| target == picture.target());
            assert!(!is_page || is_made || path.is_file(), "{name}: {target} does not exist");
        }
    }
}

/// A picture of a report.
struct Picture {
    name: String,
    /// The report and the view in it, as the address has them.
    page: String,
    view: String,
    size: String,
    is_dark: bool,
    keys: Vec<String>,
}

impl Picture {
    fn target(&self) -> String {
        format!("pictures/{}", self.name)
    }

    /// Opens the report in `folder`, presses the keys, and takes the picture.
    fn make(&self, folder: &Path, to: &Path) {
        let Some(mut browser) = browser(folder) else { return };
        let press = |key: &String| {
            format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}));"
            )
        };
        let presses: String = self.keys.iter().map(press).collect();
        let text = fs::read_to_string(folder.join(&self.page)).expect("a report of this page");
        let (start, end) = text.rsplit_once("</body>").expect("a page has an end");
        let opened = folder.join("opened.html");
        let script = format!("<script>setTimeout(() => {{ {presses} }}, 200);</script>");
        fs::write(&opened, format!("{start}{script}</body>{end}")).expect("written");
        browser
            .args(["--hide-scrollbars", "--virtual-time-budget=4000"])
            .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!self.is_dark)))
            .arg(format!("--screenshot={}", to.join(&self.name).display()));
        opens(&mut browser, &opened, &self.view, &self.size.replace('x', ","));
        let output = browser.output().expect("the browser starts");
        let size = fs::metadata(to.join(&self.name)).map_or(0, |file| file.len());
        // A view that shows nothing is a small picture; a large one does not belong in a book.
        assert!((10_000..500_000).contains(&size), "{}: {size} bytes: {output:?}", self.name);
    }
}

/// The pictures of a page.
fn pictures(text: &str) -> Vec<Picture> {
    let made = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("<!-- picture ")?.strip_suffix(" -->")?;
        let (name, rest) = rest.split_once(": ").expect("a name");
        let mut words = rest.split(' ');
        let address = words.next().expect("a page");
        let at = address.find('#').unwrap_or(address.len());
        let size = words.next().expect("a size").to_owned();
        let is_dark = words.next() == Some("dark");
        let keys = words.map(str::to_owned).collect();
        let (page, view) = address.split_at(at);
        let (name, page, view) = (name.to_owned(), page.to_owned(), view.to_owned());
        Some(Picture { name, page, view, size, is_dark, keys })
    });
    made.collect()
}

/// What `href` and `src` of a page of the built book name: a file and perhaps a place in it.
fn targets(html: &str) -> Vec<String> {
    let found = ["href=\"", "src=\""]
        .into_iter()
        .flat_map(|mark| html.match_indices(mark).map(move |(at, _)| &html[at + mark.len()..]));
    let values = found.filter_map(|rest| rest.split('"').next());
    let inside = values
        .filter(|value| !value.is_empty() && !value.contains("://") && !value.starts_with("data:"));
    inside.map(str::to_owned).collect()
}

#[test]
fn the_book_is_built_with_its_pictures_and_every_link_leads_somewhere() {
    let Some(mdbook) = require(Tool::MdBook) else { return };
    if require(Tool::Program("chromium")).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (source, made) = (folder.path().join("src"), folder.path().join("src/pictures"));
    fs::create_dir_all(&made).expect("made");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::copy(docs.join("book.toml"), folder.path().join("book.toml")).expect("copied");
    let mut n_pictures = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("readable");
        fs::copy(&page, source.join(page.file_name().expect("a name"))).expect("copied");
        let wanted = pictures(&text);
        if wanted.is_empty() {
            continue;
        }
        // What the page says is compared elsewhere.
        let work = tempfile::tempdir().expect("a folder");
        run_page(&page, work.path(), &mut Vec::new());
        for picture in wanted {
            let shown = format!("]({})", picture.target());
            assert!(text.contains(&shown), "{} is made and not shown", picture.name);
            picture.make(work.path(), &made);
            n_pictures += 1;
        }
    }
    assert!(n_pictures >= 6, "only {n_pictures} pictures");
    let output = Command::new(mdbook).arg("build").arg(folder.path()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !said.contains("[WARN]"), "{said}");
    let book = folder.path().join("book");
    check_links(&book);
    if let Some(wanted) = std::env::var_os("GLASSBOX_BOOK") {
        let copied = Command::new("cp").arg("-rT").arg(&book).arg(wanted).status();
        assert!(copied.expect("it starts").success());
    }
}

/// Every link of the built book leads to a file, and to a place that the file has.
fn check_links(book: &Path) {
    let entries = fs::read_dir(book).expect("a book").flatten().map(|entry| entry.path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "html");
    for path in entries.filter(is_page) {
        let html = fs::read_to_string(&path).expect("readable");
        for target in targets(&html) {
            let (file, place) = target.split_once('#').unwrap_or((&target, ""));
            let to = if file.is_empty() { path.clone() } else { book.join(file) };
            assert!(to.exists(), "{}: {target} does not exist", path.display());
            if !place.is_empty() && is_page(&to) {
                let there = fs::read_to_string(&to).expect("readable");
                let has = there.contains(&format!("id=\"{place}\""));
                assert!(has, "{}: {target} has no such place", path.display());
            }
        }
    }
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits("a … c", "a b c") && fits("…", "anything") && fits("a", "a"));
    assert!(!fits("a …", "b c") && !fits("a", "ab") && !fits("a … c", "a b d"));
    let expected = ["…".to_owned(), "end".to_owned()];
    assert!(shows(&expected, &["a", "b", "end"]) && !shows(&expected, &["a"]));
}
