//! Mutants of functions against their tests: `gen` with a further step.
//!
//! The tests that were found run in the interpreter with every mutant; where none shows a difference, one question decides
//! about it: is there an input with which the function is defined and the mutant does something else? An input becomes a test
//! of the function like the others, which the compiler confirms with them; a proof says that the mutant is equivalent.

mod given;
pub(crate) mod goals;
mod outcome;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use glassbox_coverage::property::is_library;
use glassbox_coverage::scope::scope;
use glassbox_coverage::{Properties, PropertyKind};
use glassbox_interp::Outcome;
use glassbox_ir::{Body, Callee, CheckKind, FuncId, InstrKind, Program};
use glassbox_report::data::{Replay, ReplayState};
use glassbox_report::mutation::{self, Fate, Judged};
use glassbox_report::mutation_page;
use glassbox_report::verdict_text;
use glassbox_testcase::{
    Assumption, GoalResult, NotCompared, ProofMethod, Test, TestInput, Verdict,
};
use serde_json::Value;

use given::Given;
pub use outcome::Kill;
use outcome::{Seen, look};

use crate::drive::{Case, Finished, drive_further};
use crate::function_report::FunctionReport;
use crate::language::{self, Refusal, Variant};
use crate::listener::Listener;
use crate::plan::Plan;
use crate::relation::Inputs;
use crate::stopwatch::Stopwatch;
use crate::verify::{Asking, answer};
use crate::{compared, rules};

/// Turns of loops on a path that looks for a difference.
const UNWIND: u32 = 32;

/// Two runs differ, and in nothing that a test looks at.
const UNSEEN: &str = "the difference that was found does not show in a test";

/// Whether a property of what compares a mutant with its function is the comparison.
fn is_comparison(kind: PropertyKind) -> bool {
    kind == PropertyKind::Check(CheckKind::Relation)
}

/// Leaves the report that Stryker's viewer reads and a page in the folder of the plan; where the page is, and what the report says.
pub fn save(plan: &Plan, functions: &[mutation::Function]) -> Result<(PathBuf, Value), String> {
    let source = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let report = mutation::stryker(functions, &source);
    let path = plan.out.join("mutation.json");
    let page = plan.out.join("mutation.html");
    let texts =
        [(&path, format!("{report:#}\n")), (&page, mutation_page::page(functions, &source))];
    for (path, text) in texts {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok((page, report))
}

/// What to do about mutants.
#[derive(Debug, Clone)]
pub struct Options {
    /// For the question about one mutant.
    pub time: Duration,
    /// Whether survivors are asked about.
    pub asks: bool,
    /// A command that runs a suite of the user, or a folder with a Makefile; those tests come first.
    pub given: Option<String>,
}

/// Carries out a plan of `gen`, then judges the mutants of every function.
pub fn mutate(
    plan: &Plan,
    options: &Options,
    listener: &dyn Listener,
) -> Result<(Finished, Vec<mutation::Function>), Refusal> {
    let entry = language::of(&plan.intake)?;
    if std::ptr::eq(entry, &rules::ENTRY) {
        return Err(Refusal::error("mutants are made of C functions and Java methods"));
    }
    let given = options.given.as_deref().map(Given::new);
    let mut finished = drive_further(plan, listener, &|case, report, watch| {
        let found = Work::new(case, report, (options, given.as_ref()), watch).function();
        let names = report.suite.tests.iter().map(|test| test.name.clone()).collect();
        report.judged = Some(Judgement { found, names, executes: plan.executes });
    })?;
    if let Some(refusal) = given.and_then(Given::failure) {
        return Err(refusal);
    }
    let judged = finished.reports.iter_mut().filter_map(|report| report.judged.take());
    let found = judged.map(|judged| judged.found).collect();
    Ok((finished, found))
}

/// What became of the mutants of a function, as long as its tests are not written.
#[derive(Debug)]
pub(crate) struct Judgement {
    found: mutation::Function,
    /// Of tests, when mutants were judged, by position.
    names: Vec<String>,
    /// Whether the real program runs them.
    executes: bool,
}

impl Judgement {
    /// Gives tests the names that they are written with. What only a test shows that is not written, or that the real program does
    /// not confirm, is not killed.
    pub(crate) fn settle(&mut self, tests: &[Test], replays: &[Replay]) {
        let position = |name: &str| {
            let test = self.names.iter().position(|known| known == name)?;
            Some((test, tests.get(test)?.name.clone()))
        };
        let is_confirmed = |replay: &Replay| replay.state == ReplayState::Confirmed;
        let is_kept = |test: usize| !self.executes || replays.get(test).is_some_and(is_confirmed);
        for mutant in &mut self.found.mutants {
            let (Fate::Killed { by, .. } | Fate::TimedOut { by }) = &mut mutant.fate else {
                continue;
            };
            match position(by) {
                Some((test, name)) if is_kept(test) => *by = name,
                Some(_) => {
                    let reason = "the test that shows a difference is not confirmed".to_owned();
                    mutant.fate = Fate::Unknown { reason };
                }
                // Those of the user have no position.
                None => {}
            }
        }
        for known in &mut self.found.tests {
            if let Some((_, name)) = position(known) {
                *known = name;
            }
        }
        let first = &self.found.tests[..self.found.n_given.min(self.found.tests.len())];
        let is_first = |mutant: &&Judged| match &mutant.fate {
            Fate::Killed { by, .. } | Fate::TimedOut { by } => first.contains(by),
            Fate::NotCompiled
            | Fate::Equivalent { .. }
            | Fate::EquivalentWithin { .. }
            | Fate::Unknown { .. } => false,
        };
        self.found.n_killed_first = self.found.mutants.iter().filter(is_first).count();
    }
}

/// The mutants of one function.
struct Work<'a> {
    case: &'a Case<'a>,
    report: &'a mut FunctionReport,
    options: &'a Options,
    given: Option<&'a Given>,
    watch: &'a Stopwatch<'a>,
    inputs: Inputs<'a>,
    notes: Vec<String>,
}

/// What became of the mutants of a function.
struct Verdicts {
    /// By mutant.
    fates: Vec<Fate>,
    /// All that mutants were run with; the first `n_given` were there before.
    tests: Vec<String>,
    n_given: usize,
    n_killed_first: usize,
    n_killed_by_user: Option<usize>,
}

/// A test as the function itself passes it.
struct Passed {
    name: String,
    input: TestInput,
    seen: Seen,
}

impl<'a> Work<'a> {
    fn new(
        case: &'a Case<'a>,
        report: &'a mut FunctionReport,
        (options, given): (&'a Options, Option<&'a Given>),
        watch: &'a Stopwatch<'a>,
    ) -> Work<'a> {
        let inputs = Inputs::new(case);
        Work { case, report, options, given, watch, inputs, notes: Vec::new() }
    }

    fn function(mut self) -> mutation::Function {
        let function = self.report.function();
        let program = self.case.program();
        let variants = self.case.language.variants(function);
        let Verdicts { fates, tests, n_given, n_killed_first, n_killed_by_user } =
            self.judge(&variants);
        let judged = variants.into_iter().zip(fates).map(|(variant, fate)| Judged {
            operator: variant.operator.name(),
            file: variant.file,
            start: variant.start,
            end: variant.end,
            original: variant.original,
            replacement: variant.replacement,
            fate,
        });
        mutation::Function {
            name: program.function(function).name.clone(),
            mutants: judged.collect(),
            tests,
            n_given,
            n_killed_first,
            n_killed_by_user,
            notes: std::mem::take(&mut self.notes),
        }
    }

    /// What becomes of each mutant; tests that kill what those before do not are added to the report.
    fn judge(&mut self, variants: &[Variant]) -> Verdicts {
        let mut suite = self.passed();
        let killed =
            |fates: &[Option<Fate>]| fates.iter().flatten().filter(|fate| fate.is_killed()).count();
        let mut fates: Vec<Option<Fate>> =
            variants.iter().map(|variant| self.judged_by_user(variant)).collect();
        let n_killed_by_user = self.given.map(|_| killed(&fates));
        for (fate, variant) in fates.iter_mut().zip(variants) {
            if fate.is_none() {
                *fate = self.tested(variant, &suite);
            }
        }
        let n_given = suite.len();
        let n_killed_first = killed(&fates) - n_killed_by_user.unwrap_or(0);
        for position in 0..variants.len() {
            if fates[position].is_some() || self.case.listener.is_interrupted() {
                continue;
            }
            match self.asked(&variants[position]) {
                Err(fate) => fates[position] = Some(fate),
                Ok(input) => {
                    let Some(input) = self.telling(&variants[position], input) else {
                        fates[position] = Some(Fate::Unknown { reason: UNSEEN.to_owned() });
                        continue;
                    };
                    // A test has this input already, and has not noticed.
                    if let Some(known) = suite.iter().find(|passed| passed.input == input) {
                        let reason = self.hidden(&variants[position], known);
                        fates[position] = Some(Fate::Unknown { reason });
                        continue;
                    }
                    let Some(passed) = self.killer(&variants[position], input) else {
                        let reason = "the input that shows a difference does not become a test";
                        fates[position] = Some(Fate::Unknown { reason: reason.to_owned() });
                        continue;
                    };
                    suite.push(passed);
                    // What kills one mutant often kills others.
                    let new = &suite[suite.len() - 1..];
                    for (fate, variant) in fates.iter_mut().zip(variants) {
                        if fate.is_none() {
                            *fate = self.tested(variant, new);
                        }
                    }
                    if fates[position].is_none() {
                        let reason = self.hidden(&variants[position], &suite[suite.len() - 1]);
                        fates[position] = Some(Fate::Unknown { reason });
                    }
                }
            }
        }
        self.look_again(variants, &suite, &mut fates);
        let interrupted = || Fate::Unknown { reason: "interrupted".to_owned() };
        Verdicts {
            fates: fates.into_iter().map(|fate| fate.unwrap_or_else(interrupted)).collect(),
            tests: suite.into_iter().map(|passed| passed.name).collect(),
            n_given,
            n_killed_first,
            n_killed_by_user,
        }
    }

    /// Inputs of tests become easier to read where the function does not notice; a mutant may.
    fn look_again(&mut self, variants: &[Variant], suite: &[Passed], fates: &mut [Option<Fate>]) {
        self.case.language.look_at_added(self.report);
        for (fate, variant) in fates.iter_mut().zip(variants) {
            let Some(Fate::Killed { by, .. } | Fate::TimedOut { by }) = fate else { continue };
            let before = suite.iter().find(|passed| passed.name == *by);
            let now = self.report.suite.tests.iter().find(|test| test.name == *by);
            let (Some(before), Some(now), Some(mutant)) = (before, now, variant.function) else {
                continue;
            };
            let function = self.report.function();
            if before.input != now.input
                && !self.case.language.tells_apart(function, mutant, &now.input)
            {
                *fate = Some(Fate::Unknown { reason: UNSEEN.to_owned() });
            }
        }
    }

    /// What becomes of a mutant in the user's tests; `None` when it passes them, or there are none.
    fn judged_by_user(&mut self, variant: &Variant) -> Option<Fate> {
        let given = self.given?;
        if variant.function.is_none() || self.case.listener.is_interrupted() {
            return None;
        }
        match &variant.chosen {
            Ok(number) => given.judge(self.case, *number),
            Err(why) => {
                let line = variant.start.0;
                self.notes.push(format!("line {line}: {} has not run: {why}", given::NAME));
                None
            }
        }
    }

    /// The tests of the suite with what the function does; mutants are compared by those that end as they did.
    fn passed(&mut self) -> Vec<Passed> {
        let function = self.report.function();
        let mut all = Vec::new();
        for (position, test) in self.report.suite.tests.iter().enumerate() {
            // Inputs of what makes objects are not those of the method.
            let object = self.report.objects.get(position);
            if object.is_some_and(|it| it.harness.is_some() || it.through.is_some()) {
                continue;
            }
            let seen = look(&mut self.inputs.runner, function, &test.input, None);
            match seen {
                Ok(seen) if *seen.ending() == test.expected.ending => {
                    all.push(Passed { name: test.name.clone(), input: test.input.clone(), seen });
                }
                Ok(_) | Err(_) => self.notes.push(format!(
                    "{} ends in another way when it runs again: no mutant is compared by it",
                    test.name
                )),
            }
        }
        all
    }

    /// What becomes of a mutant in these tests; `None` when it passes them all.
    fn tested(&mut self, variant: &Variant, suite: &[Passed]) -> Option<Fate> {
        let Some(mutant) = variant.function else { return Some(Fate::NotCompiled) };
        if self.case.program().language.has_objects() {
            return self.compared(variant, suite);
        }
        // A test that fails by itself says more than one that needs a tool to see it.
        let mut with_tool = None;
        for passed in suite {
            let by = passed.name.clone();
            match look(&mut self.inputs.runner, mutant, &passed.input, Some(passed.seen.steps())) {
                Ok(seen) => {
                    let difference =
                        passed.seen.difference(self.case.program(), &passed.input, &seen);
                    match difference.map(|how| Fate::Killed { by, how }) {
                        Some(fate) if seen.fails_alone() => return Some(fate),
                        Some(fate) => with_tool = with_tool.or(Some(fate)),
                        None => {}
                    }
                }
                Err(Kill::Endless) => return Some(Fate::TimedOut { by }),
                Err(Kill::NotModeled(_)) => {}
            }
        }
        with_tool
    }

    /// The same where what a test sees of objects is compared by code.
    fn compared(&mut self, variant: &Variant, suite: &[Passed]) -> Option<Fate> {
        let mutant = variant.function?;
        let entry = *variant.comparison.as_ref().ok()?;
        for passed in suite {
            let by = passed.name.clone();
            self.inputs.runner.set_max_steps(outcome::allowed(passed.seen.steps()));
            match self.inputs.runner.ending(entry, &passed.input) {
                // A comparison sees more than a test asserts, and fields as one call after the other leaves them.
                Some(Outcome::Undefined(error))
                    if is_comparison(PropertyKind::Check(error.kind))
                        && self.case.language.tells_apart(
                            self.report.function(),
                            mutant,
                            &passed.input,
                        ) =>
                {
                    let how = "another result, exception or content of arrays and fields";
                    return Some(Fate::Killed { by, how: how.to_owned() });
                }
                Some(Outcome::OutOfSteps | Outcome::OutOfMemory) => {
                    return Some(Fate::TimedOut { by });
                }
                Some(
                    Outcome::Returned(_)
                    | Outcome::Undefined(_)
                    | Outcome::Exited(_)
                    | Outcome::Aborted
                    | Outcome::AssumptionFailed(_)
                    | Outcome::Unsupported { .. }
                    | Outcome::MissingFunction { .. },
                )
                | None => {}
            }
        }
        None
    }

    /// An input that shows a difference, or what else there is to say of the mutant.
    fn asked(&mut self, variant: &Variant) -> Result<TestInput, Fate> {
        let unknown = |reason: String| Err(Fate::Unknown { reason });
        if !self.options.asks {
            return unknown("it was not asked about (--no-proofs)".to_owned());
        }
        let Some(mutant) = variant.function else { return Err(Fate::NotCompiled) };
        let entry = match &variant.comparison {
            Ok(entry) => *entry,
            Err(why) => return unknown(format!("it cannot be compared: {why}")),
        };
        let program = self.case.program();
        let has_objects = program.language.has_objects();
        // What goes wrong in the mutant alone is a difference; where the function itself goes wrong, nothing is
        // compared.
        let mut own = scope(program, mutant, &[]);
        own.retain(|&id| id != entry && !is_library(program, id));
        own.push(entry);
        // Errors of Java are outcomes, which the comparison looks at.
        let asked = if has_objects { vec![entry] } else { own.clone() };
        let properties = Properties::of(program, &asked);
        // What a change takes away is in the function alone.
        let mut both = own.clone();
        both.extend(scope(program, self.report.function(), &[]));
        both.retain(|&id| id == entry || !is_library(program, id));
        let ends = is_straight(program, &both, entry);
        let asking = Asking {
            program,
            function: self.report.function(),
            entry,
            properties,
            unwind: UNWIND,
            proves: true,
            time: self.options.time,
        };
        let mut found = answer(self.case, asking, self.watch);
        self.weaken(entry, &mut found.verdicts);
        if let Some(violation) = found.violations.first() {
            return Ok(violation.test.input.clone());
        }
        let mut bounds = Vec::new();
        let mut method = ProofMethod::PathEnumeration;
        for (property, verdict) in found.properties.list().iter().zip(&found.verdicts) {
            match verdict {
                Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. }
                    if property.function == entry && is_comparison(property.kind) =>
                {
                    return unknown("no run comes to the comparison".to_owned());
                }
                Verdict::Holds(by)
                    if property.function == entry && is_comparison(property.kind) =>
                {
                    method = *by;
                }
                Verdict::Holds(_) | Verdict::Infeasible(_) => {}
                Verdict::HoldsWithin { bounds: own }
                | Verdict::InfeasibleWithin { bounds: own } => {
                    bounds.extend(own.iter().map(ToString::to_string));
                }
                Verdict::Unknown(reason) => {
                    return unknown(verdict_text::reason(program, reason).1);
                }
                Verdict::Covered { .. } | Verdict::Violated { .. } => {
                    return unknown("no difference was found, and no proof".to_owned());
                }
            }
        }
        if let Some((what, span)) = &found.blind_spot {
            let place = verdict_text::place(program, *span);
            return unknown(format!("{what} at {place} is not understood"));
        }
        // A proof may leave out runs that never end. Where the mutant comes back to itself, the comparison calls the function there: by
        // induction both do the same as far as calls return.
        let comes_back = scope(program, mutant, &[]).contains(&self.report.function());
        if (!found.is_complete && !ends) || comes_back {
            bounds.push(Assumption::NotCompared(NotCompared::Endless).to_string());
        }
        both.retain(|&id| id != entry);
        let mut left_out = variant.not_compared.clone();
        if !has_objects {
            left_out.extend(compared::not_compared(program, entry, &both));
        }
        bounds.extend(left_out.into_iter().map(|what| Assumption::NotCompared(what).to_string()));
        bounds.sort_unstable();
        bounds.dedup();
        Err(match bounds.as_slice() {
            [] => Fate::Equivalent { method },
            some => Fate::EquivalentWithin { bounds: some.to_vec() },
        })
    }

    /// Proofs rest on what the language says that proofs about the function rest on.
    fn weaken(&self, entry: FuncId, verdicts: &mut [Verdict]) {
        let function = self.report.function();
        let mut judged = FunctionReport::new(function, entry, Vec::new(), &[]);
        judged.suite.goals = verdicts
            .iter()
            .map(|verdict| GoalResult { goal: String::new(), verdict: verdict.clone() })
            .collect();
        self.case.language.weaken(&mut judged);
        for (verdict, result) in verdicts.iter_mut().zip(judged.suite.goals) {
            *verdict = result.verdict;
        }
    }

    /// An input with which a test tells a mutant from the function: the one that a comparison found, or one like it. A test asserts
    /// nothing of a field that happens to keep its value.
    fn telling(&mut self, variant: &Variant, input: TestInput) -> Option<TestInput> {
        let language = self.case.language;
        if !self.case.program().language.has_objects() {
            return Some(input);
        }
        let (mutant, entry) = (variant.function?, *variant.comparison.as_ref().ok()?);
        let function = self.report.function();
        self.inputs.runner.set_max_steps(outcome::allowed(u64::MAX));
        let others = language.similar(&input);
        std::iter::once(input).chain(others).find(|input| {
            let ending = self.inputs.runner.ending(entry, input);
            matches!(ending, Some(Outcome::Undefined(error))
                if is_comparison(PropertyKind::Check(error.kind)))
                && language.tells_apart(function, mutant, input)
        })
    }

    /// Why a difference does not show in a test.
    fn hidden(&mut self, variant: &Variant, passed: &Passed) -> String {
        let seen = variant
            .function
            .filter(|_| !self.case.program().language.has_objects())
            .and_then(|mutant| {
                let steps = Some(passed.seen.steps());
                look(&mut self.inputs.runner, mutant, &passed.input, steps).ok()
            });
        match seen {
            Some(seen) => passed.seen.hidden(&seen),
            None => UNSEEN.to_owned(),
        }
    }

    /// Makes a test of the function from an input that a mutant takes otherwise.
    fn killer(&mut self, variant: &Variant, input: TestInput) -> Option<Passed> {
        let number = self.report.suite.tests.len() + 1;
        let words = format!("kills {} line {} {number}", variant.operator.name(), variant.start.0);
        let (name, observation) = self.inputs.add(self.report, input.clone(), words)?;
        Some(Passed { name, input, seen: Seen::of(&observation) })
    }
}

/// Whether runs of these functions end because no way leads back: no loop, and none calls another of them.
pub(crate) fn is_straight(program: &Program, functions: &[FuncId], entry: FuncId) -> bool {
    functions.iter().all(|&function| {
        let Some(body) = &program.function(function).body else { return true };
        let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
        let calls_own = function != entry
            && instrs.any(|instr| {
                matches!(&instr.kind, InstrKind::Call(call)
                    if matches!(call.callee, Callee::Direct(other) if functions.contains(&other)))
            });
        !calls_own && !has_loop(body)
    })
}

fn has_loop(body: &Body) -> bool {
    // Blocks whose successors are all done are taken away until none is left, or only loops.
    let mut is_done = vec![false; body.blocks.len()];
    loop {
        let mut has_changed = false;
        for block in body.block_ids().filter(|block| !is_done[block.index()]).collect::<Vec<_>>() {
            let targets = body.block(block).terminator.targets();
            if targets.iter().all(|target| is_done[target.block.index()]) {
                is_done[block.index()] = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return !is_done.iter().all(|&is_done| is_done);
        }
    }
}
