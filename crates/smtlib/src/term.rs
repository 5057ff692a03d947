//! Terms of a script, read with an explicit stack.
//!
//! A frame is an expression whose parts are being read; finished parts wait on a stack of values.
//! Functions with parameters are macros: their body is read anew for every different list of
//! arguments, and the number of nodes read that way is bounded.

use std::rc::Rc;

use glassbox_terms::Terms;
use rustc_hash::FxHashMap;

use crate::apply::{self, Head, Workshop};
use crate::error::{Fault, Outcome};
use crate::expr::Expr;
use crate::scope::{Function, Locals, Meaning, Scope};
use crate::sexp::{NodeId, NodeKind, Sexp};
use crate::sort::SortReader;

/// Nodes of function bodies that one script may expand.
const EXPANSION_LIMIT: u64 = 20_000_000;

/// What outlives a single term.
#[derive(Debug, Default)]
pub(crate) struct Expansion<'t> {
    n_read: u64,
    // Results of calls, by the address of the function (kept alive by the entry) and the arguments.
    results: FxHashMap<(usize, Vec<Expr>), (Rc<Function<'t>>, Expr)>,
}

/// Where the nodes of a frame are.
#[derive(Debug, Clone)]
enum Place<'t> {
    Command,
    Body(Rc<Function<'t>>),
}

enum Frame<'t> {
    Apply {
        place: Place<'t>,
        node: NodeId,
        head: Head<'t>,
        next: NodeId,
        base: usize,
    },
    Let {
        place: Place<'t>,
        node: NodeId,
        /// The next binding, and the end of the bindings.
        next: NodeId,
        end: NodeId,
        base: usize,
    },
    LetBody {
        n_locals: usize,
    },
    Annotated {
        place: Place<'t>,
        node: NodeId,
    },
    Call {
        function: Rc<Function<'t>>,
        arguments: Vec<Expr>,
        offset: usize,
        n_locals: usize,
        floor: usize,
    },
}

/// A text and the expressions read from it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a, 't> {
    pub(crate) text: &'t str,
    pub(crate) sexp: &'a Sexp,
}

pub(crate) struct TermReader<'a, 't> {
    pub(crate) text: &'t str,
    pub(crate) sexp: &'a Sexp,
    pub(crate) sorts: SortReader<'a>,
    pub(crate) scope: &'a Scope<'t>,
    pub(crate) expansion: &'a mut Expansion<'t>,
    pub(crate) terms: &'a mut Terms,
    pub(crate) workshop: &'a mut Workshop,
    pub(crate) locals: Locals<'t>,
    /// What `:named` named, to be introduced by the command.
    pub(crate) named: Vec<(&'t str, Expr)>,
    values: Vec<Expr>,
    frames: Vec<Frame<'t>>,
}

impl<'a, 't> TermReader<'a, 't> {
    pub(crate) fn new(
        source: Source<'a, 't>,
        sorts: SortReader<'a>,
        scope: &'a Scope<'t>,
        expansion: &'a mut Expansion<'t>,
        terms: &'a mut Terms,
        workshop: &'a mut Workshop,
    ) -> TermReader<'a, 't> {
        TermReader {
            text: source.text,
            sexp: source.sexp,
            sorts,
            scope,
            expansion,
            terms,
            workshop,
            locals: Locals::default(),
            named: Vec::new(),
            values: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// The value of the term at `root`.
    pub(crate) fn read(&mut self, root: NodeId) -> Outcome<Expr> {
        self.visit(&Place::Command, root)?;
        while let Some(frame) = self.frames.pop() {
            self.resume(frame)?;
        }
        Ok(self.values.pop().expect("a term leaves one value"))
    }

    fn sexp_of<'s>(&'s self, place: &'s Place<'t>) -> &'s Sexp {
        match place {
            Place::Command => self.sexp,
            Place::Body(function) => &function.body,
        }
    }

    // Reads an atom to a value, or pushes the frame of a list.
    fn visit(&mut self, place: &Place<'t>, node: NodeId) -> Outcome<()> {
        if let Place::Body(_) = place {
            self.expansion.n_read += 1;
            if self.expansion.n_read > EXPANSION_LIMIT {
                return Err(Fault::unsupported("functions that expand to this many terms"));
            }
        }
        let sexp = self.sexp_of(place);
        let offset = sexp.offset(node);
        if sexp.kind(node) == NodeKind::List {
            self.open(place, node).map_err(|fault| fault.at(offset))
        } else {
            let value = self.atom(place, node).map_err(|fault| fault.at(offset))?;
            self.values.push(value);
            Ok(())
        }
    }

    fn atom(&mut self, place: &Place<'t>, node: NodeId) -> Outcome<Expr> {
        let sexp = self.sexp_of(place);
        let kind = sexp.kind(node);
        let source = sexp.source(self.text, node);
        match kind {
            NodeKind::Symbol | NodeKind::Quoted => {
                let name = sexp.symbol(self.text, node).expect("a symbol");
                self.symbol(name)
            }
            NodeKind::Numeral | NodeKind::Decimal => Ok(self.workshop.literal(source)),
            NodeKind::Binary => apply::bitvec::literal(self.terms, &source[2..], 2),
            NodeKind::Hexadecimal => apply::bitvec::literal(self.terms, &source[2..], 16),
            NodeKind::Keyword => Err(Fault::syntax("a term should be here, not a keyword")),
            NodeKind::Text => Err(Fault::unsupported("string terms")),
            NodeKind::List => unreachable!("a list is not an atom"),
        }
    }

    fn symbol(&mut self, name: &str) -> Outcome<Expr> {
        if let Some(value) = self.locals.get(name) {
            return Ok(value);
        }
        match self.scope.get(name) {
            Some(Meaning::Value(value)) => {
                self.workshop.mention(self.terms, *value);
                return Ok(*value);
            }
            Some(Meaning::Function(_)) => {
                return Err(Fault::sort(format!("function `{name}` needs arguments")));
            }
            None => {}
        }
        match apply::constant(self.terms, name) {
            Some(value) => Ok(value),
            None => Err(Fault::sort(format!("unknown symbol `{}`", shorten(name)))),
        }
    }

    fn open(&mut self, place: &Place<'t>, node: NodeId) -> Outcome<()> {
        let sexp = self.sexp_of(place);
        let Some(first) = sexp.children(node).next() else {
            return Err(Fault::syntax("an empty list is not a term"));
        };
        let keyword =
            (sexp.kind(first) == NodeKind::Symbol).then(|| sexp.symbol(self.text, first)).flatten();
        match keyword {
            Some("let") => self.open_let(place, node),
            Some("!") => {
                let Some(inner) = sexp.children(node).nth(1) else {
                    return Err(Fault::syntax("`!` needs a term"));
                };
                self.frames.push(Frame::Annotated { place: place.clone(), node });
                self.visit(place, inner)
            }
            Some("_") => {
                let head = self.indexed(place, node)?;
                let value = apply::indexed_constant(self.terms, &head)?;
                self.values.push(value);
                Ok(())
            }
            Some(word @ ("forall" | "exists" | "match" | "lambda")) => {
                Err(Fault::unsupported(format!("`{word}`")))
            }
            Some(_) | None => {
                let next = sexp.sibling(first);
                let head = self.head(place, first)?;
                let base = self.values.len();
                self.frames.push(Frame::Apply { place: place.clone(), node, head, next, base });
                Ok(())
            }
        }
    }

    // The function of an application: `f`, `(_ f 1 2)` or `(as const S)`.
    fn head(&mut self, place: &Place<'t>, node: NodeId) -> Outcome<Head<'t>> {
        let sexp = self.sexp_of(place);
        if let Some(name) = sexp.symbol(self.text, node) {
            return Ok(Head { name, indices: Vec::new(), sort: None });
        }
        let offset = sexp.offset(node);
        let first = sexp.children(node).next().and_then(|first| sexp.symbol(self.text, first));
        match first {
            Some("_") => self.indexed(place, node).map_err(|fault| fault.at(offset)),
            Some("as") => {
                let Some([_, name, sort]) = sexp.members(node) else {
                    return Err(Fault::syntax("`as` needs a name and a sort").at(offset));
                };
                let Some(name) = sexp.symbol(self.text, name) else {
                    return Err(Fault::syntax("`as` needs a name").at(offset));
                };
                let sort = self.sorts.read(sexp, sort)?;
                Ok(Head { name, indices: Vec::new(), sort: Some(sort) })
            }
            Some(_) | None => Err(Fault::syntax("a function name should be here").at(offset)),
        }
    }

    // `(_ f 1 2)`.
    fn indexed(&self, place: &Place<'t>, node: NodeId) -> Outcome<Head<'t>> {
        let sexp = self.sexp_of(place);
        let mut members = sexp.children(node).skip(1);
        let name = members.next().and_then(|name| sexp.symbol(self.text, name));
        let Some(name) = name else {
            return Err(Fault::syntax("`_` needs a name"));
        };
        let mut indices = Vec::new();
        for index in members {
            indices.push(crate::sort::number(sexp, self.text, index)?);
        }
        if indices.is_empty() {
            return Err(Fault::syntax("`_` needs at least one index"));
        }
        Ok(Head { name, indices, sort: None })
    }

    fn open_let(&mut self, place: &Place<'t>, node: NodeId) -> Outcome<()> {
        let sexp = self.sexp_of(place);
        let Some([_, bindings, _]) = sexp.members(node) else {
            return Err(Fault::syntax("`let` needs bindings and a body"));
        };
        let bindings_are_a_list = sexp.kind(bindings) == NodeKind::List;
        let (next, end) = (bindings + 1, sexp.sibling(bindings));
        if !bindings_are_a_list || next == end {
            return Err(Fault::syntax("`let` needs a list of bindings").at(sexp.offset(bindings)));
        }
        let base = self.values.len();
        self.frames.push(Frame::Let { place: place.clone(), node, next, end, base });
        Ok(())
    }

    fn resume(&mut self, frame: Frame<'t>) -> Outcome<()> {
        match frame {
            Frame::Apply { place, node, head, next, base } => {
                let sexp = self.sexp_of(&place);
                if next < sexp.sibling(node) {
                    let after = sexp.sibling(next);
                    let frame =
                        Frame::Apply { place: place.clone(), node, head, next: after, base };
                    self.frames.push(frame);
                    return self.visit(&place, next);
                }
                let offset = sexp.offset(node);
                self.finish_application(&head, base, offset).map_err(|fault| fault.at(offset))
            }
            Frame::Let { place, node, next, end, base } => {
                self.resume_let(place, node, next, end, base)
            }
            Frame::LetBody { n_locals } => {
                self.locals.truncate(n_locals);
                Ok(())
            }
            Frame::Annotated { place, node } => {
                let offset = self.sexp_of(&place).offset(node);
                self.annotate(&place, node).map_err(|fault| fault.at(offset))
            }
            Frame::Call { function, arguments, offset, n_locals, floor } => {
                self.locals.truncate(n_locals);
                self.locals.floor = floor;
                let value = self.values.pop().expect("a body leaves one value");
                let value = self
                    .workshop
                    .coerce(self.terms, value, function.result)
                    .map_err(|fault| fault.at(offset))?;
                let key = (Rc::as_ptr(&function).addr(), arguments);
                self.expansion.results.insert(key, (function, value));
                self.values.push(value);
                Ok(())
            }
        }
    }

    fn resume_let(
        &mut self,
        place: Place<'t>,
        node: NodeId,
        next: NodeId,
        end: NodeId,
        base: usize,
    ) -> Outcome<()> {
        let sexp = self.sexp_of(&place);
        if next < end {
            let offset = sexp.offset(next);
            let Some([name, value]) = sexp.members(next) else {
                return Err(Fault::syntax("a binding is `(name term)`").at(offset));
            };
            if sexp.symbol(self.text, name).is_none() {
                return Err(Fault::syntax("a binding needs a name").at(offset));
            }
            let after = sexp.sibling(next);
            let frame = Frame::Let { place: place.clone(), node, next: after, end, base };
            self.frames.push(frame);
            return self.visit(&place, value);
        }
        let Some([_, bindings, body]) = sexp.members(node) else {
            unreachable!("`let` was checked when it was opened")
        };
        // All right-hand sides are read before any name is bound: `let` is parallel.
        let n_locals = self.locals.len();
        let names: Vec<&'t str> = sexp
            .children(bindings)
            .filter_map(|binding| sexp.children(binding).next())
            .filter_map(|name| sexp.symbol(self.text, name))
            .collect();
        for (name, &value) in names.into_iter().zip(&self.values[base..]) {
            self.locals.bind(name, value);
        }
        self.values.truncate(base);
        self.frames.push(Frame::LetBody { n_locals });
        self.visit(&place, body)
    }

    // `:named` is the one attribute that means something here.
    fn annotate(&mut self, place: &Place<'t>, node: NodeId) -> Outcome<()> {
        let sexp = self.sexp_of(place);
        let attributes: Vec<NodeId> = sexp.children(node).skip(2).collect();
        let mut named = None;
        let mut rest = attributes.as_slice();
        while let [keyword, after @ ..] = rest {
            if sexp.kind(*keyword) != NodeKind::Keyword {
                return Err(Fault::syntax("an attribute begins with a keyword"));
            }
            let has_value =
                after.first().is_some_and(|&value| sexp.kind(value) != NodeKind::Keyword);
            if sexp.source(self.text, *keyword) == ":named" {
                let name = after.first().and_then(|&name| sexp.symbol(self.text, name));
                named = Some(name.ok_or_else(|| Fault::syntax("`:named` needs a symbol"))?);
            }
            rest = if has_value { &after[1..] } else { after };
        }
        if let Some(name) = named {
            if !matches!(place, Place::Command) || self.locals.len() > 0 {
                return Err(Fault::unsupported("`:named` under a binder"));
            }
            let value = *self.values.last().expect("the annotated term left a value");
            self.named.push((name, value));
        }
        Ok(())
    }

    fn finish_application(&mut self, head: &Head<'t>, base: usize, offset: usize) -> Outcome<()> {
        let is_plain = head.indices.is_empty() && head.sort.is_none();
        if self.values.len() == base {
            return Err(Fault::syntax(format!("`({})` has no arguments", shorten(head.name))));
        }
        if is_plain
            && self.locals.get(head.name).is_none()
            && let Some(Meaning::Function(function)) = self.scope.get(head.name)
        {
            let function = Rc::clone(function);
            return self.call(&function, base, offset);
        }
        let value = apply::apply(self.terms, self.workshop, head, &self.values[base..])?;
        self.values.truncate(base);
        self.values.push(value);
        Ok(())
    }

    fn call(&mut self, function: &Rc<Function<'t>>, base: usize, offset: usize) -> Outcome<()> {
        let given = self.values.split_off(base);
        if given.len() != function.parameters.len() {
            return Err(Fault::sort(format!(
                "{} arguments given, {} expected",
                given.len(),
                function.parameters.len()
            )));
        }
        let mut arguments = Vec::with_capacity(given.len());
        for (value, (_, sort)) in given.into_iter().zip(&function.parameters) {
            arguments.push(self.workshop.coerce(self.terms, value, *sort)?);
        }
        let key = (Rc::as_ptr(function).addr(), arguments);
        if let Some((_, value)) = self.expansion.results.get(&key) {
            self.values.push(*value);
            return Ok(());
        }
        let arguments = key.1;
        let (n_locals, floor) = (self.locals.len(), self.locals.floor);
        self.locals.floor = n_locals;
        for ((name, _), &value) in function.parameters.iter().zip(&arguments) {
            self.locals.bind(name, value);
        }
        let function = Rc::clone(function);
        let place = Place::Body(Rc::clone(&function));
        self.frames.push(Frame::Call { function, arguments, offset, n_locals, floor });
        self.visit(&place, 0)
    }
}

/// A name short enough for a message.
pub(crate) fn shorten(name: &str) -> String {
    let mut short: String = name.chars().take(60).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}
