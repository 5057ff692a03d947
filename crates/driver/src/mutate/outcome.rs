//! What a run showed that a test looks at, and how two runs differ.
//!
//! A mutant is killed by what the written test asserts and by nothing else: how the call ends, the result, and the scalars
//! behind pointers and in variables that the function itself changes or writes. A place that only the mutant writes
//! is not looked at, nor are unions, nor pointers that are only formed.

use std::ops::Range;

use glassbox_emit::MOST_SAME;
use glassbox_explore::TestRunner;
use glassbox_interp::Outcome;
use glassbox_ir::{
    CheckKind, FuncId, GlobalId, GlobalKind, Program, RecordKind, SourceType, SourceTypeId,
};
use glassbox_testcase::{Ending, InputPointer, InputValue, Observation, TestInput};

/// Why a run shows nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kill {
    /// It takes many times as long as the original.
    Endless,
    /// Something is not modeled.
    NotModeled(String),
}

/// What tests compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    observation: Observation,
}

/// Endings that a test tells from each other. Where in the source a call stops is not among what it sees, and the places
/// of a mutant are not those of the function.
#[derive(Debug, Clone, PartialEq, Eq)]
enum SeenEnding {
    Returns,
    Exits(i32),
    Aborts,
    BreaksContract,
    LosesMemory,
    Fails,
    Throws(String),
}

impl SeenEnding {
    fn of(ending: &Ending) -> SeenEnding {
        match ending {
            Ending::Exited(status) => SeenEnding::Exits(status & 0xff),
            Ending::Aborted | Ending::Failed { kind: CheckKind::Assertion, .. } => {
                SeenEnding::Aborts
            }
            Ending::Failed { kind: CheckKind::Precondition | CheckKind::Relation, .. } => {
                SeenEnding::BreaksContract
            }
            Ending::Failed { kind: CheckKind::Leak, .. } => SeenEnding::LosesMemory,
            Ending::Failed { .. } => SeenEnding::Fails,
            Ending::Thrown(class) => SeenEnding::Throws(class.clone()),
            Ending::Returned | Ending::Rejected | Ending::Stopped | Ending::Unsupported { .. } => {
                SeenEnding::Returns
            }
        }
    }
}

impl Seen {
    pub(super) fn of(observation: &Observation) -> Seen {
        Seen { observation: observation.clone() }
    }

    pub(super) fn ending(&self) -> &Ending {
        &self.observation.ending
    }

    pub(super) fn steps(&self) -> u64 {
        self.observation.steps
    }

    /// How another run with the same input differs, in words.
    pub(super) fn difference(
        &self,
        program: &Program,
        input: &TestInput,
        other: &Seen,
    ) -> Option<String> {
        let (own, other) = (&self.observation, &other.observation);
        let ending = SeenEnding::of(&own.ending);
        if ending != SeenEnding::of(&other.ending) {
            if matches!(other.ending, Ending::Failed { kind, .. } if is_hidden(kind)) {
                return None;
            }
            return Some(match &other.ending {
                Ending::Failed { kind, span } => {
                    let place = format!("{} at line {}", kind.name(), span.line);
                    match shown_by(*kind) {
                        Some(who) => format!("{place}, {who}"),
                        None => place,
                    }
                }
                Ending::Returned
                | Ending::Exited(_)
                | Ending::Aborted
                | Ending::Rejected
                | Ending::Thrown(_)
                | Ending::Stopped
                | Ending::Unsupported { .. } => "the call ends in another way".to_owned(),
            });
        }
        // A test looks at nothing behind a call that does not return.
        if own.ending != Ending::Returned {
            return None;
        }
        let mut eye = Eye { program, n_same: MOST_SAME };
        if let (Some(result), Some(others)) = (&own.result, &other.result)
            && !eye.is_same(result, others)
        {
            return Some("another result".to_owned());
        }
        // What is not freed here is no memory that may be freed.
        let is_kept = |object: &usize| !own.freed_objects.contains(object);
        if other.freed_objects.iter().any(is_kept) || eye.sees_objects(input, own, other) {
            return Some("other memory behind a pointer".to_owned());
        }
        eye.sees_globals(own, other).then(|| "another global variable".to_owned())
    }

    /// Whether the test itself fails, and not only tools that look at it.
    pub(super) fn fails_alone(&self) -> bool {
        !matches!(self.ending(), Ending::Failed { kind, .. } if shown_by(*kind).is_some())
    }

    /// Why another run, which is known to do something else, passes for the same.
    pub(super) fn hidden(&self, other: &Seen) -> String {
        let (own, other) = (&self.observation, &other.observation);
        if let Ending::Failed { kind, span } = &other.ending {
            let (error, line) = (kind.name(), span.line);
            return format!("it goes wrong ({error} at line {line}), which no test shows");
        }
        let is_own = |object: usize| own.changed_objects.iter().any(|(it, _)| *it == object);
        let is_known = |global: GlobalId| own.changed_globals.iter().any(|(it, _)| *it == global);
        if other.changed_objects.iter().any(|(object, _)| !is_own(*object)) {
            return "it changes memory that the function leaves alone, which no test looks at"
                .to_owned();
        }
        if other.changed_globals.iter().any(|(global, _)| !is_known(*global)) {
            return "it changes a variable that the function leaves alone, which no test looks at"
                .to_owned();
        }
        super::UNSEEN.to_owned()
    }
}

/// Errors that nothing shows when the mutant is compiled and run.
fn is_hidden(kind: CheckKind) -> bool {
    matches!(kind, CheckKind::PointerOverflow | CheckKind::PointerCompare)
}

/// What shows an error that gcc's sanitizers do not see.
fn shown_by(kind: CheckKind) -> Option<&'static str> {
    if kind == CheckKind::Uninitialized {
        return Some("which Valgrind and MemorySanitizer show");
    }
    (kind == CheckKind::MissingReturn).then_some("of which compilers warn")
}

/// Looks where assertions of the C tests look.
struct Eye<'a> {
    program: &'a Program,
    /// Scalars that are written and keep their value: so many of them are asserted yet.
    n_same: usize,
}

/// A piece of memory before and after the function, and after the mutant.
#[derive(Clone, Copy)]
struct Piece<'a> {
    /// `None` where it is not known, so that only what was written is looked at.
    before: Option<&'a InputValue>,
    after: &'a InputValue,
    other: &'a InputValue,
    written: &'a [Range<u64>],
    offset: u64,
}

impl Eye<'_> {
    fn sees_objects(&mut self, input: &TestInput, own: &Observation, other: &Observation) -> bool {
        let mut is_other = false;
        for (position, object) in input.objects.iter().enumerate() {
            if own.freed_objects.contains(&position) {
                continue;
            }
            let after = |seen: &'_ Observation| {
                let mut changed = seen.changed_objects.iter();
                let found = changed.find(|(changed, _)| *changed == position);
                found.map_or_else(|| object.elements.clone(), |(_, after)| after.clone())
            };
            let (after, others) = (after(own), after(other));
            let written = own.written_objects.iter().find(|written| written.object == position);
            let written = written.map_or(&[][..], |written| &written.bytes);
            let size = self.program.size_of_source_type(object.element_type);
            let pairs = after.iter().zip(&others).enumerate();
            for (index, (after, other)) in pairs {
                let before = object.elements.get(index);
                let offset = size * index as u64;
                let piece = Piece { before, after, other, written, offset };
                is_other |= self.sees(object.element_type, piece);
            }
        }
        is_other
    }

    fn sees_globals(&mut self, own: &Observation, other: &Observation) -> bool {
        let changed = |seen: &Observation, global: GlobalId| {
            let mut all = seen.changed_globals.iter();
            all.find(|(changed, _)| *changed == global).map(|(_, value)| value.clone())
        };
        let left = |seen: &Observation, global: GlobalId| {
            let mut written = seen.written_globals.iter();
            let written = written.find(|written| written.global == global);
            changed(seen, global).or_else(|| written.map(|written| written.after.clone()))
        };
        for written in &own.written_globals {
            let is_changed = changed(own, written.global).is_some();
            let Some(others) = left(other, written.global) else {
                // The mutant leaves it as it was.
                if is_changed {
                    return true;
                }
                continue;
            };
            let piece = Piece {
                before: None,
                after: &written.after,
                other: &others,
                written: &written.bytes,
                offset: 0,
            };
            if self.sees(self.program.global(written.global).source_type, piece) {
                return true;
            }
        }
        own.changed_globals.iter().any(|(global, value)| {
            let is_seen = own.written_globals.iter().any(|written| written.global == *global);
            !is_seen && left(other, *global).is_none_or(|others| !self.is_same(value, &others))
        })
    }

    /// Whether an assertion about this piece fails with the mutant.
    fn sees(&mut self, ty: SourceTypeId, piece: Piece<'_>) -> bool {
        let resolved = self.program.resolve_source_type(ty);
        let size = self.program.size_of_source_type(resolved);
        let end = piece.offset + size;
        let is_written =
            piece.written.iter().any(|range| range.start < end && piece.offset < range.end);
        if !is_written && piece.before.is_none_or(|before| before == piece.after) {
            return false;
        }
        let parts: Option<Vec<(SourceTypeId, u64)>> = match self.program.source_type(resolved) {
            SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
                Some(fields.iter().map(|field| (field.ty, field.offset)).collect())
            }
            SourceType::Array { element, .. } => {
                let size = self.program.size_of_source_type(*element);
                let n_elements = children(piece.after).map_or(0, <[InputValue]>::len) as u64;
                Some((0..n_elements).map(|index| (*element, size * index)).collect())
            }
            SourceType::Record { .. }
            | SourceType::Void
            | SourceType::Bool
            | SourceType::Int { .. }
            | SourceType::Float { .. }
            | SourceType::Enum { .. }
            | SourceType::Pointer { .. }
            | SourceType::Function { .. }
            | SourceType::Named { .. }
            | SourceType::Class(_)
            | SourceType::ClassArray { .. }
            | SourceType::Opaque { .. } => None,
        };
        if let (Some(parts), Some(after), Some(other)) =
            (parts, children(piece.after), children(piece.other))
        {
            let before = piece.before.and_then(children);
            let mut is_other = false;
            for (index, ((ty, offset), (after, other))) in
                parts.into_iter().zip(after.iter().zip(other)).enumerate()
            {
                let before = before.and_then(|before| before.get(index));
                let offset = piece.offset + offset;
                is_other |= self.sees(ty, Piece { before, after, other, offset, ..piece });
            }
            return is_other;
        }
        if piece.before == Some(piece.after) {
            if self.n_same == 0 {
                return false;
            }
            self.n_same -= 1;
        }
        !self.is_same(piece.after, piece.other)
    }

    /// Whether an assertion of the one value holds of the other. Literals are the same where their text is; memory that has
    /// no name in a test is only asserted to be there.
    fn is_same(&self, own: &InputValue, other: &InputValue) -> bool {
        // Nothing is asserted of unions.
        let is_union =
            |value: &InputValue| matches!(value, InputValue::Union { .. } | InputValue::Bytes(_));
        if is_union(own) || is_union(other) {
            return true;
        }
        if let (Some(own), Some(other)) = (children(own), children(other)) {
            return own.len() == other.len()
                && own.iter().zip(other).all(|(own, other)| self.is_same(own, other));
        }
        let nameless = |value: &InputValue| {
            let InputValue::Pointer(InputPointer::Global { global, offset }) = value else {
                return None;
            };
            let declared = self.program.global(*global);
            let is_nameless =
                !declared.kind.is_accessible() && declared.kind != GlobalKind::LibraryState;
            is_nameless.then(|| {
                let text = declared.initializer.as_ref().and_then(|initializer| {
                    let start = usize::try_from(*offset).ok()?;
                    let rest = initializer.bytes.get(start..)?;
                    rest.split(|&byte| byte == 0).next()
                });
                text.filter(|_| declared.kind == GlobalKind::StringLiteral)
            })
        };
        match (nameless(own), nameless(other)) {
            (Some(Some(own)), Some(Some(other))) => own == other,
            (Some(_), Some(_)) => true,
            (Some(_), None) | (None, Some(_)) | (None, None) => own == other,
        }
    }
}

/// Fields of a structure, elements of an array.
fn children(value: &InputValue) -> Option<&[InputValue]> {
    match value {
        InputValue::Struct(parts) | InputValue::Array(parts) => Some(parts),
        InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Pointer(_)
        | InputValue::Union { .. }
        | InputValue::Bytes(_) => None,
    }
}

/// A mutant that takes so many times as long as the function counts as endless.
const LONGER: u64 = 100;
const AT_LEAST: u64 = 20_000;
const AT_MOST: u64 = 1_000_000;

/// Steps of a mutant where the function takes so many.
pub(super) fn allowed(usual: u64) -> u64 {
    usual.saturating_mul(LONGER).clamp(AT_LEAST, AT_MOST)
}

/// Runs an input; where it is known how long the function takes, mutants may take only some times as long.
pub(super) fn look(
    runner: &mut TestRunner<'_>,
    function: FuncId,
    input: &TestInput,
    usual: Option<u64>,
) -> Result<Seen, Kill> {
    let steps = usual.map_or(AT_MOST, allowed);
    runner.set_max_steps(steps);
    let run = runner.run(function, input).map_err(|why| Kill::NotModeled(why.to_owned()))?;
    match &run.outcome {
        Outcome::OutOfSteps | Outcome::OutOfMemory => Err(Kill::Endless),
        Outcome::Unsupported { what, .. } => Err(Kill::NotModeled(what.clone())),
        Outcome::MissingFunction { name, .. } => Err(Kill::NotModeled(name.clone())),
        Outcome::Returned(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::Undefined(_)
        | Outcome::AssumptionFailed(_) => Ok(Seen::of(&run.observation)),
    }
}
