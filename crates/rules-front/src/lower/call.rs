//! Rules and calls: premises as branches, results where they hold. Calls are expanded where they stand.

use glassbox_ir::BlockId;

use super::join::{Ends, FIRST_EXCEPTION, Out, UNDEFINED, VALUE};
use super::value::{Fail, Tag, Val};
use super::{LARGEST, Lowering};
use crate::spec::{Outcome, Pattern, Rule};

/// Ways on which an expression has no value: the block where each ends, and how.
pub(super) type Exits = Vec<(BlockId, Tag)>;

impl Lowering<'_> {
    /// A call of a function inside of another: its first rule that applies. `None` where nothing comes back.
    pub(super) fn call(&mut self, function: usize, args: &[Val]) -> Option<Out> {
        if self.active[function] >= self.options.recursion || self.n_instrs > LARGEST {
            let is_large = self.n_instrs > LARGEST;
            self.hits.size |= is_large;
            self.hits.recursion |= !is_large;
            let left_out = self.left_out();
            self.b.jump(left_out, Vec::new());
            return None;
        }
        self.active[function] += 1;
        let spec = self.spec;
        let declared = &spec.functions[function];
        let mut ends: Ends = Vec::new();
        let mut is_open = true;
        for rule in &declared.rules {
            let mut fail = Fail::default();
            if let Some(env) = self.premises(rule, args, &mut fail) {
                self.outcome(rule, &env, &mut ends);
            }
            match fail.0 {
                Some(next) => self.b.switch_to(next),
                None => {
                    is_open = false;
                    break;
                }
            }
        }
        if is_open {
            let out = Out { kind: Tag::Known(UNDEFINED), val: None };
            ends.push((self.b.current(), out));
        }
        self.active[function] -= 1;
        self.join(ends, declared.result)
    }

    /// Goes on where all premises of a rule hold, with the values of its variables.
    pub(super) fn premises(
        &mut self,
        rule: &Rule,
        args: &[Val],
        fail: &mut Fail,
    ) -> Option<Vec<Val>> {
        let mut env = args.to_vec();
        let unbound = rule.variables.iter().skip(env.len()).map(|(_, ty)| Val::Any(*ty));
        env.extend(unbound.collect::<Vec<_>>());
        for premise in &rule.premises {
            let mut exits = Exits::new();
            let val = self.eval(&premise.expr, &env, &mut exits);
            if let Pattern::Raise(exception) = premise.pattern {
                if !self.raises(exception, val.is_some(), exits, fail) {
                    return None;
                }
                continue;
            }
            let here = self.b.current();
            for (block, _) in exits {
                self.b.switch_to(block);
                let fail = self.fail_block(fail);
                self.b.jump(fail, Vec::new());
            }
            let val = val?;
            self.b.switch_to(here);
            if !self.matches(&premise.pattern, &val, &mut env, fail) {
                return None;
            }
        }
        Some(env)
    }

    /// Goes on where an expression ended in this exception. False: it never does, and all blocks have ended.
    fn raises(&mut self, exception: usize, returns: bool, exits: Exits, fail: &mut Fail) -> bool {
        if returns {
            let fail = self.fail_block(fail);
            self.b.jump(fail, Vec::new());
        }
        let wanted = FIRST_EXCEPTION + exception;
        let ways: Exits =
            exits.iter().copied().filter(|(_, kind)| !is_other(*kind, wanted)).collect();
        let is_used = !ways.is_empty();
        let next = is_used.then(|| self.b.new_block());
        for (block, kind) in exits {
            self.b.switch_to(block);
            let fail = match kind {
                Tag::Known(known) if known == wanted => None,
                Tag::Known(_) | Tag::Read(_) => Some(self.fail_block(fail)),
            };
            match (kind, next, fail) {
                (Tag::Read(kind), Some(next), Some(fail)) => {
                    let is_it = self.equal(kind, Self::number(wanted));
                    self.branch(is_it, next, fail);
                }
                (_, Some(next), None) => self.b.jump(next, Vec::new()),
                (_, _, Some(fail)) => self.b.jump(fail, Vec::new()),
                (_, None, None) => {}
            }
        }
        if let Some(next) = next {
            self.b.switch_to(next);
        }
        is_used
    }

    /// The result of a rule that applies, and how else it may end.
    pub(super) fn outcome(&mut self, rule: &Rule, env: &[Val], ends: &mut Ends) {
        match &rule.result {
            Outcome::Raise(exception) => {
                let kind = Tag::Known(FIRST_EXCEPTION + exception);
                ends.push((self.b.current(), Out { kind, val: None }));
            }
            Outcome::Value(expr) => {
                let mut exits = Exits::new();
                if let Some(val) = self.eval(expr, env, &mut exits) {
                    let out = Out { kind: Tag::Known(VALUE), val: Some(val) };
                    ends.push((self.b.current(), out));
                }
                let exits = exits.into_iter();
                ends.extend(exits.map(|(block, kind)| (block, Out { kind, val: None })));
            }
        }
    }

    /// The value of something that may have none.
    pub(super) fn value_of(&mut self, out: Out, exits: &mut Exits) -> Option<Val> {
        match out.kind {
            Tag::Known(VALUE) => out.val,
            Tag::Known(_) => {
                exits.push((self.b.current(), out.kind));
                None
            }
            Tag::Read(kind) => {
                let is_value = self.equal(kind, Self::number(VALUE));
                let (next, other) = (self.b.new_block(), self.b.new_block());
                self.branch(is_value, next, other);
                exits.push((other, out.kind));
                self.b.switch_to(next);
                out.val
            }
        }
    }
}

fn is_other(kind: Tag, wanted: usize) -> bool {
    matches!(kind, Tag::Known(known) if known != wanted)
}
