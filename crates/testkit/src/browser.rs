//! Chromium without a window, for tests that look at pages.

use std::path::Path;
use std::process::Command;

use crate::{Tool, require};

/// A browser that asks nothing of the network and remembers nothing; what it needs is in `folder`.
pub fn browser(folder: &Path) -> Option<Command> {
    let mut command = Command::new(require(Tool::Program("chromium"))?);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()));
    Some(command)
}

/// No window of the browser is narrower, whatever it is asked for.
const NARROWEST: u32 = 500;

/// Lets the browser open a page, at the place in it that `view` names, in a window of this size (`390,844`). Where no window
/// is that narrow, the page stands in a frame inside of another one, to which it can post what it finds.
pub fn opens(browser: &mut Command, page: &Path, view: &str, size: &str) {
    let (width, height) = size.split_once(',').expect("a width and a height");
    let is_narrow = width.parse::<u32>().expect("a number") < NARROWEST;
    let opened = if is_narrow {
        let name = page.file_name().expect("a page has a name").to_string_lossy();
        let frame = page.with_extension("frame.html");
        let text = format!(
            "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<style>body {{ margin: 0; }} \
             iframe {{ border: 0; display: block; }}</style>\n<iframe width=\"{width}\" height=\"{height}\" src=\"{name}{view}\"></iframe>\n\
             <script>onmessage = (event) => {{ document.body.textContent = event.data; }};</script>\n"
        );
        std::fs::write(&frame, text).expect("written");
        format!("file://{}", frame.display())
    } else {
        format!("file://{}{view}", page.display())
    };
    browser.arg(format!("--window-size={size}")).arg(opened);
}
