//! Verdicts in editors: a server of the Language Server Protocol over whatever it is given to read and write.
//!
//! One thread reads messages, one answers them and knows all state, and every version of a document is looked at by threads
//! of its own, which send news. Requests that need an analysis wait for the version they are about; a newer edit stops the
//! searches of the older one.
//!
//! Not here: how results come about (`driver::live`), and what the command line and its defaults say ([`Planner`]).

mod analysis;
mod cache;
mod command;
mod contract_edit;
mod disk;
mod document;
mod moved;
mod protocol;
mod server;
mod text;
mod uri;
mod view;
mod wire;

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use glassbox_driver::Plan;

use server::{Event, Server};
use wire::Incoming;

/// Knows what `glassbox gen FILE` and `glassbox check FILE` would do, with the defaults of the file's configuration.
pub trait Planner: Send + Sync {
    fn generate(&self, file: &Path) -> Result<Plan, String>;

    fn check(&self, file: &Path) -> Result<Plan, String>;
}

/// How the connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// As the protocol says: `shutdown`, then `exit`.
    Orderly,
    /// Without a word.
    Abrupt,
}

/// Answers messages until the client leaves.
pub fn serve(
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
    planner: Arc<dyn Planner>,
) -> Ending {
    let (events, inbox) = channel();
    let incoming = events.clone();
    // It ends with the input, or with the process.
    let _reader = std::thread::spawn(move || {
        while let Ok(Some(message)) = wire::read(&mut input) {
            let is_last =
                matches!(&message, Incoming::Notification { method, .. } if method == "exit");
            if incoming.send(Event::Incoming(message)).is_err() || is_last {
                return;
            }
        }
        // The receiver is gone where the server has ended.
        let _ = incoming.send(Event::Closed);
    });
    let mut server = Server::new(output, events, planner);
    loop {
        let Ok(event) = inbox.recv() else { return Ending::Abrupt };
        server.handle(event);
        // What has come in together is answered together.
        while let Ok(event) = inbox.try_recv() {
            server.handle(event);
        }
        server.settle();
        if let Some(ending) = server.ending() {
            return ending;
        }
    }
}
