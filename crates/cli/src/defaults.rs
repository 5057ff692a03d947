//! Defaults of options from a configuration file: they go into the command line unless the user gave the
//! same option there.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use glassbox_contract::complaint::Complaint;
use glassbox_contract::similar::closest;
use glassbox_contract::{Config, OptionDefault, OptionValue};

/// The arguments with defaults for `command` inserted after its name, or all that is wrong with them. `matches` are
/// those of the command as the user typed it.
pub(crate) fn insert(
    config: &Config,
    definition: &Command,
    command: &str,
    matches: &ArgMatches,
    mut arguments: Vec<OsString>,
) -> Result<Vec<OsString>, Vec<Complaint>> {
    let Some(defaults) = config.defaults.iter().find(|defaults| defaults.command == command) else {
        return Ok(arguments);
    };
    let (mut added, mut wrong) = (Vec::new(), Vec::new());
    for option in &defaults.options {
        let known = definition.get_arguments().find(|arg| arg.get_long() == Some(&option.name));
        let Some(known) = known.filter(|arg| arg.get_long() != Some("config")) else {
            let message = format!("`glassbox {command}` has no option `--{}`", option.name);
            let options = definition.get_arguments().filter_map(clap::Arg::get_long);
            let help = match closest(&option.name, options) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("`glassbox {command} --help` lists them"),
            };
            wrong.push(complaint(config, option.key.clone(), message, Some(help)));
            continue;
        };
        let source = matches.value_source(known.get_id().as_str());
        let is_given = source == Some(ValueSource::CommandLine);
        let takes_value = known.get_action().takes_values();
        match &option.value {
            OptionValue::Flag(on) if !takes_value => {
                if *on && !is_given {
                    added.push(OsString::from(format!("--{}", option.name)));
                }
            }
            OptionValue::Values(values) if takes_value => {
                for value in values {
                    wrong.extend(check_value(config, option, known, value));
                    if !is_given {
                        added.push(OsString::from(format!("--{}={value}", option.name)));
                    }
                }
            }
            OptionValue::Flag(_) | OptionValue::Values(_) => {
                let wanted = if takes_value { "a value" } else { "true or false" };
                let message = format!("`--{}` takes {wanted}", option.name);
                wrong.push(complaint(config, option.span.clone(), message, None));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let position = arguments.iter().position(|argument| argument == command);
    let at = position.map_or(arguments.len(), |position| position + 1);
    arguments.splice(at..at, added);
    Ok(arguments)
}

/// Tries the value alone, so that a wrong one is reported with its place in the file and in words for somebody who wrote
/// a key and not an option.
fn check_value(
    config: &Config,
    option: &OptionDefault,
    known: &clap::Arg,
    value: &str,
) -> Option<Complaint> {
    let alone = Command::new("glassbox").arg(known.clone());
    let argument = format!("--{}={value}", option.name);
    alone.try_get_matches_from(["glassbox", &argument]).err()?;
    let possible: Vec<String> =
        known.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect();
    let wanted = match known.get_value_names() {
        _ if !possible.is_empty() => possible.join(", "),
        Some([unit]) if unit == "SECS" => "a number of seconds".to_owned(),
        Some([unit]) if unit == "SIZE" => "a number with K, M or G".to_owned(),
        Some(_) | None => "a whole number".to_owned(),
    };
    let message = format!("`{}` cannot be `{value}`", option.name);
    let help = format!("what it can be: {wanted}");
    Some(complaint(config, option.span.clone(), message, Some(help)))
}

fn complaint(
    config: &Config,
    span: std::ops::Range<usize>,
    message: String,
    help: Option<String>,
) -> Complaint {
    Complaint {
        path: config.path.clone(),
        text: config.text.clone(),
        span: Some(span),
        message,
        help,
    }
}
