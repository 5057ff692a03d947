//! Programs as they are read and prepared, and what is said where there is nothing in them.

use glassbox_ir::FuncId;

use crate::language::{self, Language, Part, Refusal, Selection};
use crate::listener::Listener;
use crate::plan::{Generate, Plan, Scope, Task};
use crate::{prepare, relation, search, since};

/// What became of one part of the input.
pub(super) struct Read {
    /// With the functions that are worked on; `None` where there are none, or nothing could be read.
    pub(super) program: Option<(Box<dyn Language>, Vec<FuncId>)>,
    is_read: bool,
    left_out: Vec<String>,
}

/// Reads and prepares one program. What cannot be read is reported, and refused where there is no other.
pub(super) fn read(
    plan: &Plan,
    listener: &dyn Listener,
    parts: &[Part],
    position: usize,
) -> Result<Read, Refusal> {
    let part = &parts[position];
    let is_partial = parts.len() > 1;
    if is_partial {
        listener.reads(&part.name, position, parts.len());
    }
    let mut language = match (part.read)(plan.task.purpose(), listener) {
        Ok(language) => language,
        Err(refusal) if is_partial => {
            listener.diagnostic(&refusal.0);
            let left_out = vec![part.name.clone()];
            return Ok(Read { program: None, is_read: false, left_out });
        }
        Err(refusal) => return Err(refusal),
    };
    let left_out = language.left_out().to_vec();
    prepare::prepare(&mut *language, plan);
    let selection = Selection { names: &plan.functions, place: &part.name, is_partial };
    let mut functions = language::select(&*language, selection)?;
    if let Some(only) = &plan.only {
        let program = language.program();
        functions.retain(|&function| only.contains(&since::named(program, function)));
    }
    if let Task::Check(task) = &plan.task {
        functions = relation::with_relations(language.program(), functions, &task.scope.asked);
    }
    if let Task::Generate(task) = &plan.task {
        functions.retain(|&function| language.starts(task.scope, function).is_some());
        if functions.is_empty() && task.scope == Scope::Program && !is_partial {
            return Err(Refusal::error("no run from `main` comes to a function of these names"));
        }
    }
    if !functions.is_empty() {
        prepare::mark_goals(&mut *language, plan, &functions);
        if let Some(task) = restricted(plan) {
            let program = language.program();
            functions.retain(|&function| !search::goals(program, task, function).is_empty());
        }
    }
    let program = (!functions.is_empty()).then_some((language, functions));
    Ok(Read { program, is_read: true, left_out })
}

/// What was read in all.
#[derive(Debug, Default)]
pub(super) struct Tally {
    n_read: usize,
    pub(super) n_functions: usize,
    pub(super) left_out: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, read: &Read) {
        self.n_read += usize::from(read.is_read);
        self.n_functions += read.program.as_ref().map_or(0, |(_, functions)| functions.len());
        self.left_out.extend_from_slice(&read.left_out);
    }

    /// A program that another part of the run reads.
    pub(super) fn skip(&mut self) {
        self.n_read += 1;
        self.n_functions += 1;
    }

    /// Refused where there was nothing to do.
    pub(super) fn judge(
        &self,
        plan: &Plan,
        n_parts: usize,
        listener: &dyn Listener,
    ) -> Result<(), Refusal> {
        if listener.is_interrupted() {
            return Ok(());
        }
        if self.n_read == 0 {
            return Err(Refusal::error(format!("none of {n_parts} files could be read")));
        }
        if self.n_functions > 0 {
            return Ok(());
        }
        match restricted(plan) {
            Some(task) => Err(Refusal::error(task.wanted.nothing())),
            None if n_parts > 1 => Err(Refusal::error(match plan.functions.as_slice() {
                [] => "no function is defined here".to_owned(),
                names => {
                    format!("no function is defined here with the name {}", names.join(" or "))
                }
            })),
            None => Ok(()),
        }
    }
}

/// The task, where not all goals of the criteria are asked for.
fn restricted(plan: &Plan) -> Option<&Generate> {
    match &plan.task {
        Task::Generate(task) if !task.wanted.is_everything() => Some(task),
        Task::Generate(_) | Task::Check(_) => None,
    }
}
