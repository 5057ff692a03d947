//! Properties: what must never go wrong, as a reviewer reads it. Checks of the same kind at the same place
//! are one property; a memory access has one per way to go wrong, so that a pointer that may be null does
//! not hide an index that may be too large.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::library::is_model;
use glassbox_ir::{
    Body, Call, Callee, Check, CheckKind, Demand, FuncId, InstrKind, Mark, MemoryOp, Origin,
    Presumption, Program, Span,
};

use crate::asked::Asked;
use crate::facts::Site;
use crate::failure::{Definitions, kinds_of};
use crate::misuse::may_go_wrong;

/// One property of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Function, kind and place.
    pub id: String,
    pub function: FuncId,
    pub kind: PropertyKind,
    pub span: Span,
    /// What holds, in words: `x + y` does not overflow.
    pub text: String,
    /// What the program says itself of what should hold.
    pub demand: Option<Demand>,
    /// Instructions that check it.
    pub sites: Vec<Site>,
    /// Whether it counts when it fails. If not, verdicts about others may rest on it.
    pub is_asked: bool,
}

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyKind {
    /// A check of this kind or of one that `group` counts to it.
    Check(CheckKind),
    /// A function of the library is called with what it cannot take.
    LibraryCall,
}

impl PropertyKind {
    /// All kinds, for lists of rules.
    pub const ALL: &'static [PropertyKind] = &[
        PropertyKind::Check(CheckKind::Assertion),
        PropertyKind::Check(CheckKind::DivisionByZero),
        PropertyKind::Check(CheckKind::SignedOverflow),
        PropertyKind::Check(CheckKind::UnsignedWrap),
        PropertyKind::Check(CheckKind::LossyConversion),
        PropertyKind::Check(CheckKind::ShiftAmount),
        PropertyKind::Check(CheckKind::ShiftOverflow),
        PropertyKind::Check(CheckKind::FloatToInt),
        PropertyKind::Check(CheckKind::NullDereference),
        PropertyKind::Check(CheckKind::OutOfBounds),
        PropertyKind::Check(CheckKind::UseAfterFree),
        PropertyKind::Check(CheckKind::Uninitialized),
        PropertyKind::Check(CheckKind::WriteToConstant),
        PropertyKind::Check(CheckKind::DoubleFree),
        PropertyKind::Check(CheckKind::BadFree),
        PropertyKind::Check(CheckKind::BadCall),
        PropertyKind::Check(CheckKind::PointerCompare),
        PropertyKind::Check(CheckKind::Overlap),
        PropertyKind::Check(CheckKind::VlaSize),
        PropertyKind::Check(CheckKind::MissingReturn),
        PropertyKind::Check(CheckKind::Unreachable),
        PropertyKind::Check(CheckKind::BadArgument),
        PropertyKind::Check(CheckKind::HeapLimit),
        PropertyKind::Check(CheckKind::Leak),
        PropertyKind::Check(CheckKind::Precondition),
        PropertyKind::Check(CheckKind::Relation),
        PropertyKind::Check(CheckKind::Endless),
        PropertyKind::Check(CheckKind::ClassCast),
        PropertyKind::Check(CheckKind::ArrayStore),
        PropertyKind::Check(CheckKind::NegativeArraySize),
        PropertyKind::Check(CheckKind::UncaughtException),
        PropertyKind::LibraryCall,
    ];

    /// The name used in reports and as a rule.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Check(kind) => kind.name(),
            PropertyKind::LibraryCall => "library-call",
        }
    }

    /// What the property demands, in general.
    pub fn demand(self) -> &'static str {
        match self {
            PropertyKind::LibraryCall => "the library can take the arguments",
            PropertyKind::Check(kind) => match kind {
                CheckKind::Assertion => "the assertion holds",
                CheckKind::DivisionByZero => "the divisor is not zero",
                CheckKind::SignedOverflow => "the result fits its signed type",
                CheckKind::UnsignedWrap => "the result fits its unsigned type",
                CheckKind::LossyConversion => "the conversion keeps the value",
                CheckKind::ShiftAmount => "the shift amount is below the width",
                CheckKind::ShiftOverflow => "the left shift of a signed value is representable",
                CheckKind::FloatToInt => "the number fits the integer type",
                CheckKind::NullDereference | CheckKind::BadPointer => {
                    "the pointer points to an object"
                }
                CheckKind::OutOfBounds | CheckKind::PointerOverflow => {
                    "the access stays inside its object"
                }
                CheckKind::UseAfterFree | CheckKind::UseAfterScope => "the object is alive",
                CheckKind::Uninitialized => "the value has been set",
                CheckKind::WriteToConstant => "no constant is written",
                CheckKind::DoubleFree => "the memory has not been freed before",
                CheckKind::BadFree => "an allocation returned the pointer",
                CheckKind::BadCall => "the pointer is a function of this type",
                CheckKind::PointerCompare => "both pointers point into one object",
                CheckKind::Overlap => "source and target do not overlap",
                CheckKind::VlaSize => "the length of the array is positive",
                CheckKind::MissingReturn => "the function returns a value",
                CheckKind::Unreachable => "control does not come here",
                CheckKind::BadArgument => "the argument is in the function's domain",
                CheckKind::HeapLimit => "the allocation fits the heap",
                CheckKind::Precondition => "what the function requires holds at the call",
                CheckKind::Relation => "the calls agree as the relation says",
                CheckKind::Endless => "every run ends",
                CheckKind::ClassCast => "the object is of this class",
                CheckKind::ArrayStore => "the array takes objects of this class",
                CheckKind::NegativeArraySize => "the length is not negative",
                CheckKind::UncaughtException => "no exception leaves the method",
                CheckKind::Leak => {
                    "memory allocated here is freed or still reachable when the run ends"
                }
            },
        }
    }

    /// Whether it is judged when a run has ended, and not where it stands.
    pub fn is_about_the_end(self) -> bool {
        matches!(self, PropertyKind::Check(CheckKind::Leak | CheckKind::Endless))
    }

    /// Whether the user wrote it down: an assertion, or what a contract demands.
    pub fn is_assertion(self) -> bool {
        matches!(
            self,
            PropertyKind::Check(
                CheckKind::Assertion | CheckKind::Precondition | CheckKind::Relation
            )
        )
    }

    // Accesses of one place check several things in turn, with spans of different length.
    fn is_about_memory(self) -> bool {
        matches!(
            self,
            PropertyKind::Check(
                CheckKind::NullDereference
                    | CheckKind::OutOfBounds
                    | CheckKind::UseAfterFree
                    | CheckKind::Uninitialized
                    | CheckKind::WriteToConstant
            )
        )
    }
}

/// The kind under which a failure is reported.
pub(crate) fn group(kind: CheckKind) -> CheckKind {
    match kind {
        CheckKind::BadPointer => CheckKind::NullDereference,
        CheckKind::PointerOverflow => CheckKind::OutOfBounds,
        CheckKind::UseAfterScope => CheckKind::UseAfterFree,
        CheckKind::DivisionByZero
        | CheckKind::SignedOverflow
        | CheckKind::UnsignedWrap
        | CheckKind::LossyConversion
        | CheckKind::ShiftAmount
        | CheckKind::ShiftOverflow
        | CheckKind::FloatToInt
        | CheckKind::NullDereference
        | CheckKind::OutOfBounds
        | CheckKind::UseAfterFree
        | CheckKind::Uninitialized
        | CheckKind::WriteToConstant
        | CheckKind::DoubleFree
        | CheckKind::BadFree
        | CheckKind::BadCall
        | CheckKind::PointerCompare
        | CheckKind::Overlap
        | CheckKind::VlaSize
        | CheckKind::MissingReturn
        | CheckKind::Unreachable
        | CheckKind::Assertion
        | CheckKind::BadArgument
        | CheckKind::HeapLimit
        | CheckKind::Leak
        | CheckKind::Precondition
        | CheckKind::Relation
        | CheckKind::Endless
        | CheckKind::ClassCast
        | CheckKind::ArrayStore
        | CheckKind::NegativeArraySize
        | CheckKind::UncaughtException => kind,
    }
}

/// Where accesses are presumed to stay inside of the member that their pointer was formed from.
fn forgetful_places(body: &Body) -> BTreeSet<(u32, u32)> {
    let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let is_kept =
        |kind: &InstrKind| matches!(kind, InstrKind::Mark(Mark::Presumes(Presumption::MemberKept)));
    instrs
        .filter(|instr| is_kept(&instr.kind))
        .map(|instr| (instr.span.line, instr.span.column))
        .collect()
}

fn is_access(check: &Check) -> bool {
    match check {
        Check::Readable { .. } | Check::Writable { .. } | Check::Accessible { .. } => true,
        Check::Condition { .. }
        | Check::Freeable { .. }
        | Check::Callable { .. }
        | Check::InBoundsOffset { .. }
        | Check::SameObject { .. } => false,
    }
}

type Key = (FuncId, PropertyKind, Span);

/// The properties of some functions, found by place.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    list: Vec<Property>,
    by_key: BTreeMap<Key, usize>,
    ids: BTreeSet<String>,
    functions: BTreeSet<FuncId>,
    // Functions that are asked about elsewhere: here it only matters that they end runs.
    elsewhere: BTreeSet<FuncId>,
    harness: Option<FuncId>,
    asked: Asked,
}

impl Properties {
    /// All properties of `functions`, which are defined, in the order of functions and places.
    pub fn of(program: &Program, functions: &[FuncId]) -> Properties {
        let mut all = Properties::default();
        for &function in functions {
            all.functions.insert(function);
            let mut found: Vec<(Span, PropertyKind, Site, Option<Demand>)> = Vec::new();
            let body = program.body(function);
            let definitions = Definitions::of(body);
            let start = |span: Span| (span.line, span.column);
            let forgetful = forgetful_places(body);
            for (site, content) in Site::all(body) {
                let (kinds, demand) = match &content.kind {
                    InstrKind::Check(check) => {
                        let mut kinds = kinds_of(program, check, site, &definitions);
                        let access = PropertyKind::Check(CheckKind::OutOfBounds);
                        // What is sure to stay in its object may still leave its member.
                        if is_access(check)
                            && forgetful.contains(&start(content.span))
                            && !kinds.contains(&access)
                        {
                            kinds.push(access);
                        }
                        (kinds, demand_of(check))
                    }
                    InstrKind::Call(call)
                        if !program.language.library_has_bodies()
                            && (is_library_call(program, call.callee)
                                || may_go_wrong(program, body, call)) =>
                    {
                        (vec![PropertyKind::LibraryCall], None)
                    }
                    InstrKind::Pure(_)
                    | InstrKind::Pointer(_)
                    | InstrKind::Memory(_)
                    | InstrKind::VarArgs(_)
                    | InstrKind::Call(_)
                    | InstrKind::Assume { .. }
                    | InstrKind::Mark(_)
                    | InstrKind::Unsupported { .. } => continue,
                };
                for kind in kinds {
                    found.push((content.span, kind, site, demand.clone()));
                }
            }
            found.sort_by_key(|(span, kind, site, _)| (start(*span), *kind, *site));
            for (span, kind, site, demand) in found {
                let index = all.add(program, function, kind, span, demand);
                all.list[index].sites.push(site);
            }
        }
        all
    }

    /// Adds a property for every place of these functions that allocates memory that has to be freed.
    /// Who loses it may be their caller.
    pub fn add_leaks(&mut self, program: &Program, functions: &[FuncId]) {
        for &function in functions {
            let body = program.body(function);
            let mut found: Vec<(Span, Site)> = Vec::new();
            for (site, content) in Site::all(body) {
                let calls_allocator = |call: &Call| {
                    matches!(call.callee, Callee::Direct(callee)
                        if is_library_call(program, call.callee) && allocates(program, callee)
                            || is_native_allocator(program, callee))
                };
                if matches!(content.kind, InstrKind::Memory(MemoryOp::HeapAlloc { .. }))
                    || matches!(&content.kind, InstrKind::Call(call) if calls_allocator(call))
                {
                    found.push((content.span, site));
                }
            }
            found.sort_by_key(|(span, site)| (span.line, span.column, *site));
            for (span, site) in found {
                let kind = PropertyKind::Check(CheckKind::Leak);
                let index = self.add(program, function, kind, span, None);
                self.list[index].sites.push(site);
            }
        }
    }

    /// A property that every run of the function ends.
    pub fn add_termination(&mut self, program: &Program, function: FuncId) {
        let kind = PropertyKind::Check(CheckKind::Endless);
        let span = program.function(function).span;
        let index = self.add(program, function, kind, span, None);
        let block = glassbox_ir::BlockId::new(Body::ENTRY);
        self.list[index].sites.push(Site { block, instr: 0 });
    }

    /// Says which of them count. The others stay: runs may end where they fail.
    pub fn ask(&mut self, program: &Program, asked: &Asked) {
        self.asked = asked.clone();
        for property in &mut self.list {
            let is_told = Some(property.function) != self.harness || property.kind.is_assertion();
            property.is_asked = is_told && asked.includes(program, property);
        }
    }

    /// Adds what may end runs in other functions without counting there.
    pub fn add_elsewhere(&mut self, program: &Program, functions: &[FuncId]) {
        // Where an error is an exception, its caller sees it.
        let is_told = program.language.errors_are_undefined();
        if self.asked == Asked::Everything && !is_told {
            return;
        }
        let mut others = Properties::of(program, functions);
        others.ask(program, &self.asked);
        self.elsewhere.extend(functions);
        self.functions.extend(functions);
        // What is asked about there has its verdict there; here it ends runs like the rest.
        for property in others.list.into_iter().filter(|property| is_told || !property.is_asked) {
            self.push(Property { is_asked: false, ..property });
        }
    }

    /// What goes wrong in a harness is no error of the function: but a condition was not evaluated then, so that inputs are
    /// excluded that none excludes, or a promise was not looked at. What holds rests on that. Only what a condition in front of the
    /// call reads has to be there: inputs without it are not allowed.
    pub fn leave_out_harness(&mut self, program: &Program, harness: FuncId, function: FuncId) {
        self.functions.remove(&harness);
        self.harness = Some(harness);
        let body = program.body(harness);
        self.keep(|property| {
            property.function != harness
                || !property.kind.is_about_memory()
                || !property.sites.iter().any(|&site| leads_to_call(body, site, function))
        });
    }

    /// Keeps properties of a function only at these places.
    pub fn keep_places(&mut self, function: FuncId, is_kept: impl Fn(Span, PropertyKind) -> bool) {
        self.keep(|property| {
            property.function != function || is_kept(property.span, property.kind)
        });
    }

    /// Drops those that do not count.
    pub fn keep_asked(&mut self) {
        self.keep(|property| property.is_asked);
    }

    fn keep(&mut self, keep: impl Fn(&Property) -> bool) {
        self.list.retain(|property| keep(property));
        let indexed = self.list.iter().enumerate();
        self.by_key = indexed.map(|(index, p)| (key(p.function, p.kind, p.span), index)).collect();
    }

    fn push(&mut self, property: Property) -> usize {
        let index = self.list.len();
        self.by_key.insert(key(property.function, property.kind, property.span), index);
        self.list.push(property);
        index
    }

    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The function without a body that a property about a call of the library speaks of: what happens inside is only
    /// seen by runs.
    pub fn native_callee(program: &Program, property: &Property) -> Option<FuncId> {
        let is_call = property.kind == PropertyKind::LibraryCall;
        let body = program.body(property.function);
        let sites = property.sites.iter().filter(|_| is_call);
        let mut calls = sites.filter_map(|site| {
            let instr = body.block(site.block).instrs.get(site.instr as usize)?;
            let InstrKind::Call(call) = &instr.kind else { return None };
            let Callee::Direct(callee) = call.callee else { return None };
            program.function(callee).body.is_none().then_some(callee)
        });
        calls.next()
    }

    pub fn list(&self) -> &[Property] {
        &self.list
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether unforeseen failures inside this function matter: they count, or end runs early.
    pub fn has_function(&self, function: FuncId, kind: PropertyKind) -> bool {
        let is_told_elsewhere = self.elsewhere.contains(&function) && self.counts(kind);
        self.functions.contains(&function) && !is_told_elsewhere
    }

    /// Whether an unforeseen failure of this kind counts.
    pub fn counts(&self, kind: PropertyKind) -> bool {
        match kind {
            PropertyKind::Check(kind) => self.asked.includes_failure(kind),
            PropertyKind::LibraryCall => {
                self.asked.includes_failure(CheckKind::OutOfBounds)
                    || self.asked.includes_failure(CheckKind::BadFree)
            }
        }
    }

    /// The property that fails when a check of `kind` fails at this place.
    pub fn find(&self, function: FuncId, kind: PropertyKind, span: Span) -> Option<usize> {
        self.by_key.get(&key(function, kind, span)).copied()
    }

    /// Adds a property, unless it is there.
    pub fn add(
        &mut self,
        program: &Program,
        function: FuncId,
        kind: PropertyKind,
        span: Span,
        demand: Option<Demand>,
    ) -> usize {
        if let Some(index) = self.find(function, kind, span) {
            return index;
        }
        let name = &program.function(function).name;
        let base = format!("{name}/{}/{}:{}", kind.name(), span.line, span.column);
        let mut id = base.clone();
        let mut number = 1;
        while !self.ids.insert(id.clone()) {
            number += 1;
            id = format!("{base}#{number}");
        }
        let text = text_of(program, kind, span, demand.as_ref());
        let is_asked = self.counts(kind);
        self.push(Property { id, function, kind, span, text, demand, sites: Vec::new(), is_asked })
    }
}

fn key(function: FuncId, kind: PropertyKind, span: Span) -> Key {
    let kind = match kind {
        PropertyKind::Check(check) => PropertyKind::Check(group(check)),
        PropertyKind::LibraryCall => kind,
    };
    let span = if kind.is_about_memory() {
        Span { end_line: span.line, end_column: span.column, ..span }
    } else {
        span
    };
    (function, kind, span)
}

fn demand_of(check: &Check) -> Option<Demand> {
    let Check::Condition { demand, .. } = check else { return None };
    demand.clone()
}

fn text_of(program: &Program, kind: PropertyKind, span: Span, demand: Option<&Demand>) -> String {
    let shown = snippet(program, span);
    match (kind, demand) {
        (PropertyKind::Check(CheckKind::Assertion | CheckKind::Relation), Some(demand)) => {
            demand.to_string()
        }
        (PropertyKind::Check(CheckKind::Assertion), None) => match shown {
            Some(text) if text.starts_with("assert ") => text.trim_end_matches(';').to_owned(),
            Some(text) => format!("`{text}` is not reached"),
            None => "the assertion holds".to_owned(),
        },
        (_, demand) => {
            let demand = demand.map_or_else(|| kind.demand().to_owned(), ToString::to_string);
            match shown {
                Some(text) => format!("`{text}`: {demand}"),
                None => demand,
            }
        }
    }
}

/// The source text of a place, on one line and not too long.
pub fn snippet(program: &Program, span: Span) -> Option<String> {
    const MAX: usize = 60;
    if span.is_nowhere() {
        return None;
    }
    let first = program.files.get(span.file.index())?.line(span.line)?;
    // Columns of bytecode are offsets in the code: only the line is a place in the source.
    let is_line = !program.language.columns_are_in_the_text();
    let start = if is_line { 0 } else { usize::try_from(span.column).ok()?.checked_sub(1)? };
    let end = if is_line {
        first.len()
    } else if span.end_line == span.line {
        usize::try_from(span.end_column).ok()?.checked_sub(1)?.min(first.len())
    } else {
        first.len()
    };
    let part = first.get(start..end)?.split_whitespace().collect::<Vec<_>>().join(" ");
    if part.is_empty() {
        return None;
    }
    let is_cut = part.chars().count() > MAX || span.end_line != span.line;
    let shown: String = part.chars().take(MAX).collect();
    Some(if is_cut { format!("{shown}…") } else { shown })
}

/// Whether control can go from here to a call of the function.
fn leads_to_call(body: &Body, site: Site, function: FuncId) -> bool {
    let calls = |instrs: &[glassbox_ir::Instr]| {
        instrs.iter().any(|instr| {
            matches!(&instr.kind,
                InstrKind::Call(call) if call.callee == Callee::Direct(function))
        })
    };
    if calls(&body.block(site.block).instrs[site.instr as usize..]) {
        return true;
    }
    let mut seen = BTreeSet::new();
    let mut queue = vec![site.block];
    while let Some(block) = queue.pop() {
        for target in body.block(block).terminator.targets() {
            if seen.insert(target.block) {
                queue.push(target.block);
            }
        }
    }
    seen.into_iter().any(|block| calls(&body.block(block).instrs))
}

fn is_library_call(program: &Program, callee: Callee) -> bool {
    let Callee::Direct(function) = callee else { return false };
    let declared = program.function(function);
    let is_judge = matches!(declared.origin, Origin::Requirement { .. } | Origin::Promise { .. });
    declared.body.is_some() && !is_judge && is_library(program, function)
}

/// Whether a function of the library that has no body here gives memory that the caller has to free.
fn is_native_allocator(program: &Program, function: FuncId) -> bool {
    let known = glassbox_library::function_of(program.function(function));
    !program.language.has_objects() && known.is_some_and(|known| known.row.allocates)
}

/// Whether a call of the function may give memory that the caller has to free.
fn allocates(program: &Program, function: FuncId) -> bool {
    let name = &program.function(function).name;
    glassbox_library::allocates_for_callers(is_model(program, function), name)
}

/// Whether the function is a model of the library.
pub fn is_library(program: &Program, function: FuncId) -> bool {
    is_model(program, function)
}

#[cfg(test)]
mod tests {
    use super::{PropertyKind, group};

    #[test]
    fn every_kind_has_a_group_in_the_list() {
        for kind in PropertyKind::ALL {
            if let PropertyKind::Check(check) = kind {
                assert_eq!(group(*check), *check, "the list has representatives only");
            }
            assert!(!kind.demand().is_empty());
        }
    }
}
