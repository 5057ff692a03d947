//! CaDiCaL behind a small interface: clauses in, answers under assumptions out, counted steps.
//!
//! The binding is crate `cadical` (CaDiCaL 1.9.5, MIT): it builds with a C++ compiler alone, where
//! `rustsat-cadical` needs libclang at build time and some seventy further packages. It offers
//! what is needed (assumptions, failed literals, conflict limit, termination callback); it does not
//! offer single options, only CaDiCaL's named configurations.

use std::sync::Arc;

/// Called now and then during a search; true ends it.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// What the SAT search said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Sat,
    Unsat,
    /// The limit or the stop ended the search.
    Open,
}

/// How CaDiCaL is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// No preprocessing: for many small questions.
    Plain,
    /// CaDiCaL's own defaults: for one hard question.
    Thorough,
}

struct Watch {
    stop: Option<Stop>,
    n_learned: u64,
}

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop())
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _clause: &[i32]) {
        self.n_learned += 1;
    }
}

/// One CaDiCaL instance.
pub(crate) struct Sat {
    solver: cadical::Solver<Watch>,
}

impl std::fmt::Debug for Sat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sat").field("max_variable", &self.solver.max_variable()).finish()
    }
}

impl Sat {
    pub(crate) fn new(profile: Profile) -> Sat {
        let name = match profile {
            Profile::Plain => "plain",
            Profile::Thorough => "default",
        };
        let solver =
            cadical::Solver::with_config(name).expect("the configuration is one of CaDiCaL's own");
        Sat { solver }
    }

    pub(crate) fn add_clause(&mut self, literals: &[i32]) {
        self.solver.add_clause(literals.iter().copied());
    }

    /// Searches for at most `max_conflicts` conflicts; also says how many clauses were learned.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[i32],
        max_conflicts: u64,
        stop: Option<&Stop>,
    ) -> (Outcome, u64) {
        let limit = i32::try_from(max_conflicts).unwrap_or(i32::MAX);
        self.solver.set_limit("conflicts", limit).expect("CaDiCaL has a conflict limit");
        self.solver.set_callbacks(Some(Watch { stop: stop.cloned(), n_learned: 0 }));
        let result = self.solver.solve_with(assumptions.iter().copied());
        let n_learned = self.solver.get_callbacks().map_or(0, |watch| watch.n_learned);
        let outcome = match result {
            Some(true) => Outcome::Sat,
            Some(false) => Outcome::Unsat,
            None => Outcome::Open,
        };
        (outcome, n_learned)
    }

    /// The value of a variable in the model just found.
    pub(crate) fn value(&self, variable: i32) -> bool {
        self.solver.value(variable).unwrap_or(false)
    }

    /// Whether an assumption of the last, refuted question was needed.
    pub(crate) fn failed(&self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }
}
