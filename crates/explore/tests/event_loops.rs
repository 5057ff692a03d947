//! Loops that wait for events: verdicts about small random machines against all states that they come to.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::{Properties, PropertyKind};
use glassbox_explore::{Budget, Check, Question};
use glassbox_ir::CheckKind;
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::{Assumption, Verdict};
use glassbox_testkit::Random;

/// The variables of a machine: each is a number below four.
const N_VARIABLES: usize = 3;

type State = [u32; N_VARIABLES];

/// What a machine does at an event, if it is in the right state.
#[derive(Debug)]
struct Rule {
    event: u32,
    /// Variables and what they have to be.
    when: Vec<(usize, u32)>,
    /// A variable, and whether a number is added or put in its place.
    change: (usize, bool, u32),
}

#[derive(Debug)]
struct EventMachine {
    rules: Vec<Rule>,
    bad: State,
    /// How variables are kept.
    style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Locals,
    /// Globals that another function changes.
    Globals,
    /// An array behind a pointer, and a loop inside the loop.
    Nested,
}

impl EventMachine {
    fn random(seed: u64) -> EventMachine {
        let mut random = Random::new(seed);
        let n_rules = random.range(3usize as i64, 7);
        let rule = |random: &mut Random| Rule {
            event: random.below(5),
            when: (0..random.below(3usize))
                .map(|_| (random.below(N_VARIABLES), random.below(4)))
                .collect(),
            change: (random.below(N_VARIABLES), random.one_in(2), random.below(4)),
        };
        let rules = (0..n_rules).map(|_| rule(&mut random)).collect();
        let bad = std::array::from_fn(|_| random.below(4));
        let style = random.pick(&[Style::Locals, Style::Globals, Style::Nested]);
        EventMachine { rules, bad, style }
    }

    fn next(&self, state: State, event: u32) -> State {
        let applies = |rule: &&Rule| {
            rule.event == event && rule.when.iter().all(|&(variable, is)| state[variable] == is)
        };
        let mut next = state;
        if let Some(Rule { change: (variable, is_added, number), .. }) =
            self.rules.iter().find(applies)
        {
            let base = if *is_added { state[*variable] } else { 0 };
            next[*variable] = (base + number) % 4;
        }
        next
    }

    /// Events after which the bad state is reached, if it is.
    fn distance(&self) -> Option<u32> {
        let mut distances = BTreeMap::from([([0; N_VARIABLES], 0)]);
        let mut queue = VecDeque::from([[0; N_VARIABLES]]);
        while let Some(state) = queue.pop_front() {
            let distance = distances[&state];
            for event in 0..6 {
                let next = self.next(state, event);
                if let Entry::Vacant(entry) = distances.entry(next) {
                    entry.insert(distance + 1);
                    queue.push_back(next);
                }
            }
        }
        distances.get(&self.bad).copied()
    }

    fn text(&self) -> String {
        let name = |variable: usize| match self.style {
            Style::Locals | Style::Globals => format!("v{variable}"),
            Style::Nested => format!("v[{variable}]"),
        };
        let mut steps = String::new();
        for Rule { event, when, change: (variable, is_added, number) } in &self.rules {
            let mut guard = format!("e == {event}");
            for &(variable, is) in when {
                let _ = write!(guard, " && {} == {is}", name(variable));
            }
            let base = if *is_added { name(*variable) } else { "0".to_owned() };
            let _ =
                write!(steps, "if ({guard}) {} = ({base} + {number}) & 3;\nelse ", name(*variable));
        }
        steps.push_str(";\n");
        let bad: Vec<String> =
            self.bad.iter().enumerate().map(|(v, is)| format!("{} == {is}", name(v))).collect();
        let check = format!("__VERIFIER_assert(!({}));", bad.join(" && "));
        let head = "extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void);\n";
        match self.style {
            Style::Locals => format!(
                "{head}void f(void) {{ int v0 = 0, v1 = 0, v2 = 0;\nwhile (1) {{ {check}\nint e = __VERIFIER_nondet_int();\n{steps}}} }}"
            ),
            Style::Globals => format!(
                "{head}static int v0, v1, v2;\nstatic void step(int e) {{ {steps}}}\n\
                 int main(void) {{ while (1) {{ {check}\nstep(__VERIFIER_nondet_int()); }} }}\nvoid f(void) {{ main(); }}"
            ),
            Style::Nested => format!(
                "{head}void f(void) {{ int v[3] = {{0}};\nfor (;;) {{ int e;\n\
                 do {{ e = __VERIFIER_nondet_int(); }} while (e < 0 || e > 9);\n{check}\n{steps}}} }}"
            ),
        }
    }
}

/// What the check says about a machine, and whether that is all there is to say.
fn compare(seed: u64) -> bool {
    let machine = EventMachine::random(seed);
    let text = machine.text();
    let program = compile_text(&text).program.unwrap_or_else(|| panic!("bad C:\n{text}"));
    let entry = if machine.style == Style::Globals { "main" } else { "f" };
    let entry = program.function_named(entry).expect("it is defined");
    let properties = Properties::of(&program, &[entry]);
    let question = Question {
        program: &program,
        entry,
        properties,
        config: &Config { globals_are_inputs: false, ..Config::default() },
        budget: &Budget { paths: 600, seeds: 0, ..Budget::default() },
        max_turns: 64,
    };
    let found = Check::new(question, Box::new(Libc::new()), &AtomicBool::new(false)).search();
    let distance = machine.distance();
    let kind = PropertyKind::Check(CheckKind::Assertion);
    let mut pairs = found.properties.list().iter().zip(&found.verdicts);
    let (_, verdict) = pairs.find(|(it, _)| it.kind == kind).expect("one assertion");
    let message = format!("seed {seed}: {verdict:?}, in truth {distance:?}:\n{text}");
    match verdict {
        Verdict::Violated { .. } => {
            assert!(distance.is_some(), "{message}");
            true
        }
        Verdict::Holds(_) => {
            assert!(distance.is_none(), "{message}");
            true
        }
        Verdict::HoldsWithin { bounds } => {
            let turns = bounds.iter().find_map(|bound| {
                let Assumption::LoopTurns(turns) = bound else { return None };
                Some(*turns)
            });
            let is_beyond = distance.is_none_or(|least| least >= turns.unwrap_or(0));
            assert!(is_beyond, "{message}");
            false
        }
        Verdict::Unknown(_) => false,
        Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. } | Verdict::Covered { .. } => {
            panic!("{message}")
        }
    }
}

#[test]
fn machines_with_few_states_are_decided_and_rightly() {
    let n_decided = (0..150).filter(|&seed| compare(seed)).count();
    assert!(n_decided >= 140, "{n_decided} of 150 machines are decided");
}
