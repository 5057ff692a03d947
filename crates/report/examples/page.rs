//! Makes the HTML report of a suite.json again, as `glassbox report` does, without building the whole command:
//! `cargo run -p glassbox-report --example page -- suite.json index.html`.

#![allow(
    clippy::disallowed_methods,
    reason = "a tool of developers that reads and writes what its arguments name"
)]

use glassbox_report::{data, html};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(suite), Some(page)) = (arguments.next(), arguments.next()) else {
        return Err("usage: page suite.json index.html".into());
    };
    let data = data::read(&std::fs::read_to_string(suite)?)?;
    std::fs::write(page, html::page(&data, None))?;
    Ok(())
}
