//! The project's chores, run as `cargo xtask <chore>`.

fn main() {}
