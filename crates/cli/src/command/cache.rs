//! `glassbox cache`: what is kept from earlier runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use glassbox_driver::cache::{Folder, Removed, Size};

use crate::planning::usual_cache;
use crate::{Status, bad_input};

/// Look at the results that are kept from earlier runs, or remove them
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
    /// Where they are kept [default: $XDG_CACHE_HOME/glassbox, else ~/.cache/glassbox]
    #[arg(long, value_name = "DIR", global = true)]
    cache: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// How much is kept, and how large it is
    Size,
    /// Remove all of them
    Clear,
    /// Remove what was not used for long, and what was not used longest where there is too much
    Gc {
        /// Megabytes that may stay
        #[arg(long, value_name = "MB", default_value_t = 1000)]
        max_size: u64,
        /// Days without use after which a result goes
        #[arg(long, value_name = "DAYS", default_value_t = 30)]
        max_age: u64,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let Some(root) = arguments.cache.clone().or_else(usual_cache) else {
        return bad_input("no folder is known: `--cache DIR` names one");
    };
    let folder = Folder::new(&root);
    match arguments.what {
        What::Size => {
            println!("{}: {}", root.display(), words(folder.size()));
            Status::Decided
        }
        What::Clear => removed(&folder.clear()),
        What::Gc { max_size, max_age } => {
            let longest = Duration::from_secs(max_age.saturating_mul(86_400));
            removed(&folder.collect(max_size.saturating_mul(1_000_000), longest))
        }
    }
}

fn removed(removed: &Removed) -> Status {
    println!("removed: {}", words(removed.size));
    for failure in &removed.failures {
        eprintln!("error: {failure}");
    }
    if removed.failures.is_empty() { Status::Decided } else { Status::BadInput }
}

fn words(size: Size) -> String {
    let counted =
        |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let (results, texts) =
        (counted(size.results, "result"), counted(size.texts, "preprocessed text"));
    format!("{results}, {texts}, {:.1} MB", size.bytes as f64 / 1e6)
}
