//! From `*.rules` files to programs, one for each.

use std::path::{Path, PathBuf};

use glassbox_contract::complaint::Complaint;
use glassbox_contract::{self as contract, Config, similar};
use glassbox_rules_front::lower::{Aim, Options, lower};
use glassbox_rules_front::{Problem, Spec, read as read_spec};

use super::Rules;
use crate::language::{Language, Part, Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::Intake;

/// Values of one type inside of each other, in inputs, where nothing is said.
const DEPTH: u32 = 4;
/// Activations of one function inside of each other, where nothing is said.
const RECURSION: u32 = 12;

fn is_specification(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
}

pub(super) fn accepts(intake: &Intake) -> bool {
    intake.paths.iter().any(|path| is_specification(path))
}

pub(super) fn parts(intake: &Intake) -> Result<Vec<Part>, Refusal> {
    if let Some(other) = intake.paths.iter().find(|path| !is_specification(path)) {
        return Err(Refusal::error(format!(
            "{} is no specification, and specifications are read alone\nhelp: what implements them is named in \
             glassbox.toml: `[rules] source = \"…\"`",
            other.display()
        )));
    }
    let is_only = intake.paths.len() == 1;
    let parts = intake.paths.iter().enumerate().map(|(position, path)| {
        let (path, config) = (path.clone(), intake.config.clone());
        let stem =
            |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let is_twin = intake.paths[..position].iter().any(|other| stem(other) == stem(&path));
        let own = stem(&path).unwrap_or_default();
        let folder = match (is_only, is_twin) {
            (true, _) => String::new(),
            (false, false) => own,
            (false, true) => format!("{own}-{}", position + 1),
        };
        let name = path.display().to_string();
        let source = Some(path.clone());
        let read = move |purpose: Purpose, _: &dyn Listener| {
            let read = read(&path, config.as_deref(), purpose)?;
            Ok(Box::new(Rules { folder: folder.clone(), ..read }) as Box<dyn Language>)
        };
        Part { name, source, read: Box::new(read) }
    });
    Ok(parts.collect())
}

fn read(path: &PathBuf, config: Option<&Path>, purpose: Purpose) -> Result<Rules, Refusal> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Refusal(format!("{shown}: error: {error}\n")))?;
    let complain = |problems: Vec<Problem>| {
        Refusal(problems.iter().map(|problem| problem.render(&shown, &text)).collect())
    };
    let spec = read_spec(&text).map_err(complain)?;
    let config = contract::load(config, std::slice::from_ref(path))
        .map_err(|complaint| Refusal(complaint.to_string()))?;
    if let Some(complaint) = config.as_ref().and_then(|config| unknown_name(config, &spec)) {
        return Err(Refusal(complaint.to_string()));
    }
    let mapping = config.as_ref().map(|config| &config.rules);
    let depth = mapping.and_then(|mapping| mapping.depth).unwrap_or(DEPTH);
    let recursion = mapping.and_then(|mapping| mapping.recursion).unwrap_or(RECURSION);
    let aim = match purpose {
        Purpose::Generate | Purpose::Look | Purpose::Run => Aim::Rules,
        Purpose::Check { .. } => Aim::Properties,
    };
    let options = Options { aim, depth: depth as usize, recursion: recursion as usize };
    let (program, lowered) = lower(&spec, &shown, &text, &options);
    let folder = String::new();
    Ok(Rules { program, spec, lowered, config, folder, depth, recursion })
}

/// A name in the configuration that the specification does not have; files of whole folders may speak of others.
fn unknown_name(config: &Config, spec: &Spec) -> Option<Complaint> {
    if !config.is_near {
        return None;
    }
    let functions: Vec<&str> = spec.functions.iter().map(|it| it.name.as_str()).collect();
    let types: Vec<&str> = spec.datas.iter().map(|data| data.name.as_str()).collect();
    let constructors = spec.datas.iter().flat_map(|data| &data.constructors);
    let values: Vec<&str> =
        constructors.map(|made| made.name.as_str()).chain(types.iter().copied()).collect();
    let exceptions: Vec<&str> = spec.exceptions.iter().map(String::as_str).collect();
    let rules = &config.rules;
    let kinds = [
        ("function", &rules.functions, functions),
        ("constructor or type", &rules.values, values),
        ("type", &rules.equal, types),
        ("exception", &rules.exceptions, exceptions),
    ];
    for (what, templates, known) in kinds {
        let is_unknown = |name: &str| !known.contains(&name);
        if let Some(template) = templates.iter().find(|template| is_unknown(&template.name)) {
            return Some(Complaint {
                path: config.path.clone(),
                text: config.text.clone(),
                span: Some(template.span.clone()),
                message: format!("the specification has no {what} `{}`", template.name),
                help: (!known.is_empty()).then(|| similar::help(&template.name, &known)),
            });
        }
    }
    None
}
