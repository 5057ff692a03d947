//! `glassbox quality`: how often a random input shows a fault, and how many such tests are enough.

use std::time::Duration;

use clap::Args;
use glassbox_driver::plan::{self, Generate, Mutated, Operator, Scope};
use glassbox_driver::quality::bound::{Fraction, clopper_pearson, tests_needed};
use glassbox_driver::quality::{Class, Decided, Estimate, Options, Oracle, quality};
use glassbox_driver::wanted::Wanted;
use glassbox_driver::{Plan, Task};
use glassbox_emit::java_test::Mocks;
use glassbox_model::config::StubWrites;
use serde_json::{Value, json};

use crate::choice::{Choice, one_of};
use crate::planning::{Planning, seconds};
use crate::screen::{Screen, refused};
use crate::terminal::hanging;
use crate::{Status, bad_input};

/// Estimate from mutants how often a random input shows a fault, and say how many such tests a quality needs
///
/// An input shows a mutant where it violates a relation of the function (glassbox.toml), or, where there is none, where
/// it does something else than the function. C functions of integers only.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    planning: Planning,
    /// Only this function (repeatable); default: every function defined in the files
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// The values that parameters have [default: those of -128..127 that their types have]
    #[arg(long, value_name = "LOW..HIGH", value_parser = range, allow_hyphen_values = true)]
    range: Option<(i64, i64)>,
    /// The wanted probability that one of the tests shows a fault
    #[arg(long, value_name = "Q", value_parser = wanted, default_value = "0.9995")]
    q: Fraction,
    /// Kinds of changes
    #[arg(long, value_parser = one_of::<Operator>(), value_delimiter = ',', default_value = "aor,ror,lcr")]
    operators: Vec<Operator>,
    /// Inputs to draw for all mutants together; all are tried where there are no more
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    samples: u64,
    /// Also decide for every mutant whether it violates a relation with some input that the contract allows, or satisfies all with every input
    #[arg(long)]
    prove: bool,
    /// Seconds for the question about one mutant and one relation
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "5", requires = "prove")]
    mutant_timeout: Duration,
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let wrong = || "a range is wanted, such as 1..126 or -5..5".to_owned();
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let (low, high) = (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
    if low > high { Err(wrong()) } else { Ok((low, high)) }
}

fn wanted(text: &str) -> Result<Fraction, String> {
    Fraction::decimal(text).ok_or_else(|| "a decimal below 1 is wanted, such as 0.9995".to_owned())
}

impl Arguments {
    fn plan(&self) -> Result<Plan, String> {
        let task = Generate {
            scope: Scope::Unit,
            describes_lines: false,
            criteria: plan::criteria(&["branch".to_owned()])?,
            framework: None,
            formats: Vec::new(),
            stub_writes: StubWrites::Pointees,
            all: None,
            random: None,
            allows_reflection: true,
            mocks: Mocks::default(),
            wanted: Wanted::default(),
        };
        let time = Duration::from_secs(20);
        let mut plan = self.planning.plan(&self.function, time, Task::Generate(task));
        let (functions, operators) = (self.function.clone(), self.operators.clone());
        plan.intake.mutated = Some(Mutated { functions, operators });
        Ok(plan)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let plan = match arguments.plan() {
        Ok(plan) => plan,
        Err(message) => return bad_input(&message),
    };
    let options = Options {
        range: arguments.range,
        samples: arguments.samples,
        seed: plan.budget.seed,
        proves: arguments.prove.then_some(arguments.mutant_timeout),
    };
    let found = match quality(&plan, &options, &Screen::new(&|_, _| {})) {
        Ok(found) => found,
        Err(refusal) => return refused(&refusal),
    };
    let mut is_known = true;
    let mut list = Vec::new();
    for estimate in &found {
        match estimate {
            Ok(estimate) if arguments.planning.json => list.push(as_json(estimate, arguments)),
            Ok(estimate) => show(estimate, arguments),
            Err(why) => {
                is_known = false;
                eprintln!("note: {why}");
            }
        }
    }
    if arguments.planning.json {
        println!("{:#}", json!({ "functions": list }));
    }
    if is_known { Status::Decided } else { Status::Unknown }
}

/// A share of what was tried, with its bounds; what was tried completely has none.
struct Share {
    exact: Fraction,
    bounds: Option<(f64, f64)>,
}

fn share(n_shown: u64, n_tried: u64, is_exact: bool) -> Share {
    let bounds = (!is_exact).then(|| clopper_pearson(n_shown, n_tried));
    Share { exact: Fraction { top: n_shown, bottom: n_tried }, bounds }
}

impl Share {
    fn text(&self) -> String {
        let number = format!("{:.4}", self.exact.as_number());
        match self.bounds {
            None => format!("{number} (all inputs)"),
            Some((low, high)) => format!("{number} ({low:.4} to {high:.4} with 95 % confidence)"),
        }
    }

    /// Tests for the estimate, and for the smallest probability that the draws leave.
    fn tests(&self, q: Fraction) -> (Option<u64>, Option<u64>) {
        let least = self.bounds.map_or(self.exact, |(low, _)| Fraction::below(low));
        (tests_needed(self.exact, q), tests_needed(least, q))
    }

    fn json(&self) -> Value {
        json!({
            "p": self.exact.as_number(),
            "shown": self.exact.top,
            "tried": self.exact.bottom,
            "bounds": self.bounds.map(|(low, high)| [low, high]),
        })
    }
}

fn class_share(class: &Class, is_exact: bool) -> Share {
    share(class.n_shown, class.n_tried, is_exact)
}

fn operator_name(operator: Operator) -> &'static str {
    let found = Operator::VALUES.iter().find(|(known, _, _)| *known == operator);
    found.map_or("", |(_, name, _)| name)
}

fn show(estimate: &Estimate, arguments: &Arguments) {
    let Estimate { function, params, classes, is_exact, .. } = estimate;
    let n_mutants: u64 = classes.iter().map(|class| class.n_mutants).sum();
    let (low, high) = estimate.range;
    let oracle = match estimate.oracle {
        Oracle::Relations(1) => "1 relation".to_owned(),
        Oracle::Relations(count) => format!("{count} relations"),
        Oracle::Original => "the function itself".to_owned(),
    };
    let inputs = format!("{} in {low}..{high}, {} inputs", params.join(", "), estimate.n_inputs);
    println!("{function}: {n_mutants} mutants, judged by {oracle}; {inputs}");
    for class in classes {
        let name = operator_name(class.operator);
        let text = class_share(class, *is_exact).text();
        println!("  {name}: {} mutants, p = {text}", class.n_mutants);
    }
    let (n_shown, n_tried) = estimate.total();
    let all = share(n_shown, n_tried, *is_exact);
    println!("  p_s = {}, {n_shown} of {n_tried} tried", all.text());
    let n_excluded: u64 = classes.iter().map(|class| class.n_excluded).sum();
    if n_excluded > 0 {
        println!("  {n_excluded} runs ended in an error or are outside of the contract: not shown");
    }
    let q = arguments.q.as_number();
    match all.tests(arguments.q) {
        (None, _) => println!("  q = {q}: no number of tests: no mutant was shown"),
        (Some(n), Some(most)) if n == most => println!("  q = {q}: {n} random tests"),
        (Some(n), most) => {
            let most = most.map_or("unboundedly many".to_owned(), |most| most.to_string());
            println!("  q = {q}: {n} random tests; {most} with the lower bound");
        }
    }
    println!("{}", hanging(&format!("  rests on: {}", rests_on(estimate))));
    if let Some(decided) = &estimate.decided {
        let line = format!("  with all inputs that the contract allows: {}", words(*decided));
        println!("{}", hanging(&line));
    }
}

fn words(decided: Decided) -> String {
    let Decided { n_violating, n_satisfying, n_within, n_unknown } = decided;
    let mut parts = vec![
        format!("{n_violating} mutants violate a relation"),
        format!("{n_satisfying} satisfy all of them (proved)"),
    ];
    let others = [
        (n_within, "satisfy them within bounds, or where calls come to their end"),
        (n_unknown, "are unknown"),
    ];
    parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    parts.join(", ")
}

fn rests_on(estimate: &Estimate) -> String {
    let sees = match estimate.oracle {
        Oracle::Relations(_) => "the tests check these relations",
        Oracle::Original => "the tests know the right result",
    };
    format!(
        "a fault shows as often as one of these mutants on average, equivalent ones included; inputs are uniform in this range; {sees}"
    )
}

fn as_json(estimate: &Estimate, arguments: &Arguments) -> Value {
    let classes: Vec<Value> = estimate
        .classes
        .iter()
        .map(|class| {
            let mut value = class_share(class, estimate.is_exact).json();
            value["operator"] = json!(operator_name(class.operator));
            value["mutants"] = json!(class.n_mutants);
            value
        })
        .collect();
    let (n_shown, n_tried) = estimate.total();
    let all = share(n_shown, n_tried, estimate.is_exact);
    let (tests, most) = all.tests(arguments.q);
    json!({
        "function": estimate.function,
        "oracle": match estimate.oracle {
            Oracle::Relations(count) => json!({ "relations": count }),
            Oracle::Original => json!("original"),
        },
        "range": [estimate.range.0, estimate.range.1],
        "inputs": estimate.n_inputs.to_string(),
        "exact": estimate.is_exact,
        "classes": classes,
        "p_s": all.json(),
        "q": arguments.q.as_number(),
        "tests": tests,
        "tests_at_lower_bound": most,
        "rests_on": rests_on(estimate),
        "decided": estimate.decided.map(|decided| json!({
            "violate": decided.n_violating,
            "satisfy": decided.n_satisfying,
            "within": decided.n_within,
            "unknown": decided.n_unknown,
        })),
    })
}
