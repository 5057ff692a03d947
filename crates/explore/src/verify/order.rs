//! What may run after an error: coarse, never too little.
//!
//! Control goes on from where a check stands: over edges, into whatever is called, and after a return behind every call
//! that may have led here.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_coverage::running::Running;
use glassbox_coverage::scope::{Calls, addressed};
use glassbox_coverage::{Property, Site};
use glassbox_ir::{BlockId, Body, Callee, FuncId, InstrKind, Program, Terminator};
use rustc_hash::FxHashMap;

use crate::proof::always_fails;

/// Control stands before this instruction.
type Point = (FuncId, BlockId, usize);

/// The calls of a program, as returns see them.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    program: &'a Program,
    /// Behind calls by name.
    behind: BTreeMap<FuncId, Vec<Point>>,
    /// Behind calls that may lead to any function whose address is taken.
    behind_open: Vec<Point>,
    addressed: BTreeSet<FuncId>,
    steps: Rc<RefCell<Steps>>,
    /// By place of a call, or the end of a block: what may run from there on. Checks between two calls share it.
    beyond: RefCell<BTreeMap<Point, Rc<Reached>>>,
}

/// Points that were met so far, with numbers: every check of a program asks for much the same ones.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    numbers: BTreeMap<Point, usize>,
    points: Vec<Point>,
    /// By number: what comes next, once someone asked.
    next: Vec<Option<Rc<[usize]>>>,
    /// By number: itself and all that comes later, once someone asked. Points of one loop share it.
    later: Vec<Option<Rc<Reached>>>,
}

impl Steps {
    fn number(&mut self, point: Point) -> usize {
        let Steps { numbers, points, next, later } = self;
        *numbers.entry(point).or_insert_with(|| {
            points.push(point);
            next.push(None);
            later.push(None);
            points.len() - 1
        })
    }
}

/// Whether a point is among them, by number.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    words: Vec<u64>,
}

impl Reached {
    fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Whether it is new.
    fn insert(&mut self, number: usize) -> bool {
        if self.words.len() <= number / 64 {
            self.words.resize(number / 64 + 1, 0);
        }
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn extend(&mut self, other: &Reached) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }
}

/// Where a depth-first walk stands.
#[derive(Debug)]
struct Visit {
    number: usize,
    next: Rc<[usize]>,
    n_seen: usize,
}

/// What may run after a property was checked.
#[derive(Debug)]
pub(crate) enum After {
    Anything,
    Points {
        /// Behind the property's own instructions.
        starts: Vec<Point>,
        /// And what comes after those.
        beyond: Vec<Rc<Reached>>,
        steps: Rc<RefCell<Steps>>,
    },
}

impl<'a> Order<'a> {
    /// In runs that start in `entry`: what others call comes after nothing here.
    pub(crate) fn new(program: &'a Program, entry: FuncId) -> Order<'a> {
        let mut order = Order {
            program,
            behind: BTreeMap::new(),
            behind_open: Vec::new(),
            addressed: addressed(program),
            steps: Rc::default(),
            beyond: RefCell::default(),
        };
        for function in Running::of(program).on_behalf_of(entry) {
            let Some(body) = &program.function(function).body else { continue };
            for block in body.block_ids() {
                order.add_calls(function, body, block);
            }
        }
        order
    }

    fn add_calls(&mut self, function: FuncId, body: &Body, block: BlockId) {
        for (position, instr) in body.block(block).instrs.iter().enumerate() {
            let point = (function, block, position + 1);
            match &instr.kind {
                InstrKind::Call(call) => match call.callee {
                    Callee::Direct(callee) => {
                        self.behind.entry(callee).or_default().push(point);
                        if self.program.function(callee).body.is_none() {
                            self.behind_open.push(point);
                        }
                    }
                    Callee::Indirect(_) => self.behind_open.push(point),
                },
                InstrKind::Unsupported { .. } => self.behind_open.push(point),
                InstrKind::Pure(_)
                | InstrKind::Pointer(_)
                | InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_) => {}
            }
        }
    }

    /// What may run after one of the property's instructions.
    pub(crate) fn after(&self, property: &Property) -> After {
        // What only a run showed has no instruction. No edge leads on from a check that always fails: real runs go
        // on somewhere.
        let is_open = |&site: &Site| always_fails(self.program.body(property.function), site);
        if property.sites.is_empty()
            || property.kind.is_about_the_end()
            || property.sites.iter().any(is_open)
        {
            return After::Anything;
        }
        let sites = property.sites.iter();
        let starts: Vec<Point> =
            sites.map(|site| (property.function, site.block, site.instr as usize + 1)).collect();
        let beyond = starts.iter().map(|&start| self.beyond(start)).collect();
        After::Points { starts, beyond, steps: Rc::clone(&self.steps) }
    }

    /// What may run once control has left the instructions behind a point that call nothing.
    fn beyond(&self, (function, block, from): Point) -> Rc<Reached> {
        let Some(body) = &self.program.function(function).body else { return Rc::default() };
        let instrs = &body.block(block).instrs;
        let is_call = |position: &usize| {
            matches!(instrs[*position].kind, InstrKind::Call(_) | InstrKind::Unsupported { .. })
        };
        let call = (from..instrs.len()).find(is_call).unwrap_or(instrs.len());
        let key = (function, block, call);
        if let Some(known) = self.beyond.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut reached = Reached::default();
        for &number in self.next(key).iter() {
            reached.extend(&self.later(number));
        }
        let reached = Rc::new(reached);
        self.beyond.borrow_mut().insert(key, Rc::clone(&reached));
        reached
    }

    /// A point and all that comes later: the same for all points of a strongly connected part, which Tarjan's algorithm
    /// finds after all parts that come later (*Depth-first search and linear graph algorithms*, 1972).
    fn later(&self, start: usize) -> Rc<Reached> {
        let known = |number: usize| self.steps.borrow().later[number].clone();
        if let Some(known) = known(start) {
            return known;
        }
        let visit = |number: usize| {
            let point = self.steps.borrow().points[number];
            Visit { number, next: self.next(point), n_seen: 0 }
        };
        // By number, for points that are met here: when, and the first that it leads back to.
        let mut met: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut open = vec![start];
        let mut visits = vec![visit(start)];
        met.insert(start, (0, 0));
        while let Some(last) = visits.last_mut() {
            let number = last.number;
            if let Some(&next) = last.next.get(last.n_seen) {
                last.n_seen += 1;
                if known(next).is_some() {
                    continue;
                }
                let n_met = met.len();
                let when = match met.entry(next) {
                    Entry::Occupied(entry) => entry.get().0,
                    Entry::Vacant(entry) => {
                        entry.insert((n_met, n_met));
                        open.push(next);
                        visits.push(visit(next));
                        continue;
                    }
                };
                let back = &mut met.entry(number).or_default().1;
                *back = when.min(*back);
                continue;
            }
            visits.pop();
            let (when, back) = met[&number];
            if let Some(before) = visits.last() {
                let first = &mut met.entry(before.number).or_default().1;
                *first = back.min(*first);
            }
            if back == when {
                let at = open.iter().rposition(|&it| it == number).unwrap_or_default();
                self.close(&open.split_off(at));
            }
        }
        known(start).unwrap_or_default()
    }

    /// Says what comes later of points that all lead to each other, where that is known of all others.
    fn close(&self, part: &[usize]) {
        let mut reached = Reached::default();
        for &number in part {
            reached.insert(number);
            let point = self.steps.borrow().points[number];
            for &next in self.next(point).iter() {
                if let Some(later) = &self.steps.borrow().later[next] {
                    reached.extend(later);
                }
            }
        }
        let reached = Rc::new(reached);
        let later = &mut self.steps.borrow_mut().later;
        for &number in part {
            later[number] = Some(Rc::clone(&reached));
        }
    }

    /// Numbers of the points that come next.
    fn next(&self, point: Point) -> Rc<[usize]> {
        let number = self.steps.borrow_mut().number(point);
        if let Some(known) = &self.steps.borrow().next[number] {
            return Rc::clone(known);
        }
        let mut points = Vec::new();
        self.add_next(point, &mut points);
        points.sort_unstable();
        points.dedup();
        let mut steps = self.steps.borrow_mut();
        let next: Rc<[usize]> = points.into_iter().map(|point| steps.number(point)).collect();
        steps.next[number] = Some(Rc::clone(&next));
        next
    }

    fn add_next(&self, (function, block, from): Point, queue: &mut Vec<Point>) {
        let Some(body) = &self.program.function(function).body else { return };
        let mut calls = Calls::default();
        calls.add_rest_of_block(self.program, body, block, from);
        let start = |callee: FuncId| (callee, BlockId::new(Body::ENTRY), 0);
        queue.extend(calls.direct.iter().copied().map(start));
        if calls.through_pointer {
            queue.extend(self.program.function_ids().map(start));
        } else if calls.from_outside {
            queue.extend(self.addressed.iter().copied().map(start));
        }
        let terminator = &body.block(block).terminator;
        queue.extend(terminator.targets().iter().map(|target| (function, target.block, 0)));
        if let Terminator::Return(_) = terminator {
            queue.extend(self.behind.get(&function).into_iter().flatten());
            if self.addressed.contains(&function) {
                queue.extend(&self.behind_open);
            }
        }
    }
}

impl After {
    /// Whether control may come to an instruction then.
    pub(crate) fn comes_to(&self, function: FuncId, block: BlockId, instr: usize) -> bool {
        let After::Points { starts, beyond, steps } = self else { return true };
        let is_here = |start: &Point| start.0 == function && start.1 == block && start.2 <= instr;
        let steps = steps.borrow();
        let mut numbers = steps.numbers.range((function, block, 0)..=(function, block, instr));
        starts.iter().any(is_here)
            || numbers.any(|(_, number)| beyond.iter().any(|reached| reached.contains(*number)))
    }

    /// Whether the property may be judged then.
    pub(crate) fn contains(&self, property: &Property) -> bool {
        property.kind.is_about_the_end()
            || property.sites.is_empty()
            || property
                .sites
                .iter()
                .any(|site| self.comes_to(property.function, site.block, site.instr as usize))
    }
}
