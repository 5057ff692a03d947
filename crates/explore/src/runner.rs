//! Runs inputs: a machine and the stubs that answer for undefined functions, set up in one place.

use std::collections::BTreeMap;

use glassbox_coverage::Facts;
use glassbox_interp::StubbedExternals;
use glassbox_interp::{
    Coverage, Externals, Followed, Machine, Options, Outcome, Stubs, TestRun, follow_test,
    run_only, run_test, run_test_elsewhere,
};
use glassbox_ir::{FuncId, Program};
use glassbox_testcase::{Ending, Observation, PathCondition, TestInput};

use crate::facts::{self, ConditionEvent, Places, facts_of};

/// Bytes that one run may allocate.
const MAX_BYTES: u64 = 1 << 28;

/// A test that the interpreter confirmed.
#[derive(Debug, Clone)]
pub struct FoundTest {
    pub input: TestInput,
    pub observation: Observation,
    pub facts: Facts,
    /// What the run did in functions that it calls.
    pub elsewhere: BTreeMap<FuncId, Places>,
    /// The conditions of the path, readable; empty for seeds.
    pub constraints: Vec<PathCondition>,
    /// Every condition that the function evaluated, in order; cut when very long.
    pub condition_trace: Vec<ConditionEvent>,
}

/// Runs inputs of one program.
#[derive(Debug)]
pub struct TestRunner<'a> {
    program: &'a Program,
    // `None` when the program's globals do not fit.
    machine: Option<Machine<'a>>,
    stubs: Stubs,
    n_runs: usize,
}

impl<'a> TestRunner<'a> {
    /// What runs of tests record, for so many instructions each.
    pub fn options(max_steps: u64) -> Options {
        Options {
            max_steps,
            max_bytes: MAX_BYTES,
            coverage: true,
            trace: true,
            ..Options::default()
        }
    }

    pub fn new(
        program: &'a Program,
        options: Options,
        library: Box<dyn Externals>,
    ) -> TestRunner<'a> {
        let stubs = Stubs::default();
        let externals = StubbedExternals { stubs: stubs.clone(), library };
        let machine = Machine::new(program, options, Box::new(externals));
        TestRunner { program, machine, stubs, n_runs: 0 }
    }

    /// Runs an input from `entry`; what is wrong with it when it cannot be run.
    pub fn run(&mut self, entry: FuncId, input: &TestInput) -> Result<TestRun, &'static str> {
        let machine = self.machine.as_mut().ok_or("the globals are too large")?;
        self.n_runs += 1;
        run_test(machine, &self.stubs, entry, input).ok_or("the input does not fit into memory")
    }

    /// Runs an input whose objects have other addresses than in [`TestRunner::run`].
    pub fn run_elsewhere(
        &mut self,
        entry: FuncId,
        input: &TestInput,
        n_others: usize,
    ) -> Option<TestRun> {
        self.n_runs += 1;
        run_test_elsewhere(self.machine.as_mut()?, &self.stubs, entry, input, n_others)
    }

    /// Runs an input from `entry` and follows what `function` holds on its way.
    pub fn follow(
        &mut self,
        (entry, function): (FuncId, FuncId),
        input: &TestInput,
    ) -> Option<Followed> {
        self.n_runs += 1;
        follow_test(self.machine.as_mut()?, &self.stubs, (entry, function), input)
    }

    /// How a run of the input ends; `None` when it cannot be run.
    pub fn ending(&mut self, entry: FuncId, input: &TestInput) -> Option<Outcome> {
        self.n_runs += 1;
        run_only(self.machine.as_mut()?, &self.stubs, entry, input)
    }

    /// Whether anything can be run.
    pub fn is_ready(&self) -> bool {
        self.machine.is_some()
    }

    /// The machine after its last run.
    pub fn machine(&self) -> Option<&Machine<'a>> {
        self.machine.as_ref()
    }

    pub fn n_runs(&self) -> usize {
        self.n_runs
    }

    /// Instructions of one run from now on.
    pub fn set_max_steps(&mut self, n_steps: u64) {
        if let Some(machine) = self.machine.as_mut() {
            machine.set_max_steps(n_steps);
        }
    }

    /// Whether runs from now on leap over turns of counting loops.
    pub fn set_leaps(&mut self, leaps: bool) {
        if let Some(machine) = self.machine.as_mut() {
            machine.set_leaps(leaps);
        }
    }

    /// What the last run did.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.machine.as_ref().map(Machine::coverage)
    }

    /// The facts about a function in the last run.
    pub fn facts(&self, function: FuncId, run: &TestRun) -> Facts {
        let facts = |coverage| facts_of(self.program, function, coverage, &run.outcome);
        self.coverage().map(facts).unwrap_or_default()
    }

    /// The conditions that a function evaluated in the last run.
    pub fn condition_trace(&self, function: FuncId) -> Vec<ConditionEvent> {
        let trace = |coverage| facts::condition_trace(self.program, function, coverage);
        self.coverage().map(trace).unwrap_or_default()
    }

    /// The last run as a test of `function`.
    pub fn found_test(
        &self,
        function: FuncId,
        input: TestInput,
        run: TestRun,
        facts: Facts,
        constraints: Vec<PathCondition>,
    ) -> FoundTest {
        let elsewhere = |coverage| facts::elsewhere(self.program, function, coverage);
        FoundTest {
            input,
            observation: run.observation,
            facts,
            elsewhere: self.coverage().map(elsewhere).unwrap_or_default(),
            constraints,
            condition_trace: self.condition_trace(function),
        }
    }
}

/// Whether a run can be a test of something other than a failure.
pub fn ends_well(run: &TestRun) -> bool {
    is_good(&run.observation.ending)
}

pub(crate) fn is_good(ending: &Ending) -> bool {
    matches!(ending, Ending::Returned | Ending::Exited(_) | Ending::Aborted)
}
