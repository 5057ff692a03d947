//! The report of a function as bytes: everything that files, lists and exit codes are made of.
//!
//! What only reviewers need (traces, what the real program did) is not kept: a report is stored when they have spoken.
//! Goals are found again in the program, and what the user dismisses is judged again.

use glassbox_coverage::{Covered, Evaluation, Facts, Property, PropertyKind, Site};
use glassbox_explore::facts::{ConditionEvent, Places};
use glassbox_explore::{FoundTest, Violation};
use glassbox_interp::outcome::AccessedMemory;
use glassbox_interp::{ObjectKind, ObjectState, StackEntry, UndefinedBehavior};
use glassbox_ir::{
    BlockId, CheckKind, DecisionId, Demand, FieldId, FileId, FuncId, GlobalId, LocalId,
    SourceTypeId, SourceVarId, Span, Ty, VarRef,
};
use glassbox_replay::Evidence as Sighting;
use glassbox_report::data::{Layer, Replay, ReplayState};
use glassbox_report::suite_json::Evidence;
use glassbox_report::suite_json::evidence::{Elsewhere, RefutedWay};
use glassbox_report::times::{FunctionTimes, Point};
use glassbox_testcase::java::{
    JavaContents, JavaEnding, JavaObservation, JavaStatic, JavaValue, JvmConfirmation,
};
use glassbox_testcase::premise::StubReturns;
use glassbox_testcase::{
    Assumption, ContractClause, Ending, EnvironmentFact, GoalResult, GoalSolutions, InputObject,
    InputPointer, InputValue, Known, Limit, LineFacts, MadeMemory, NamedInput, NotCompared,
    Observation, PathCondition, PathSolutions, Premise, ProofMethod, SolutionList, Spent,
    StubResult, StubWrite, Suite, Test, TestInput, UnknownReason, UnmodeledInput, Verdict,
    WrittenGlobal, WrittenObject,
};
use glassbox_values::{Bits, Float, Format};

use super::stored::{Input, Stored, choices, indices, records};
use crate::function_report::{Checked, CounterExample, FunctionReport, ObjectTest, Step, Worker};
use crate::language::WHY_REFLECTION;

/// The report of a function, but for its goals.
pub(super) fn put(report: &FunctionReport, out: &mut Vec<u8>) {
    let FunctionReport {
        entry,
        starts,
        // Found again.
        goals: _,
        suite,
        n_paths,
        n_runs,
        history,
        forks: _,
        notes,
        // About an earlier suite, which may be another one next time.
        reruns: _,
        warnings,
        evidence,
        violations,
        // Only for reviewers.
        broken_promises: _,
        condition_traces: _,
        contradiction: _,
        replayed: _,
        // Nothing is kept of runs that ask for it.
        judged: _,
        checked: Checked { properties, proofs, counter_examples, blind_spot, .. },
        objects,
        times,
        is_broken,
    } = report;
    entry.put(out);
    starts.put(out);
    suite.put(out);
    n_paths.put(out);
    n_runs.put(out);
    history.put(out);
    notes.put(out);
    warnings.put(out);
    evidence.put(out);
    violations.put(out);
    properties.put(out);
    proofs.put(out);
    counter_examples.put(out);
    blind_spot.put(out);
    objects.put(out);
    times.put(out);
    is_broken.put(out);
}

/// The report that was put; its goals are still missing.
pub(super) fn get(input: &mut Input<'_>) -> Option<FunctionReport> {
    let entry = FuncId::get(input)?;
    let starts = Stored::get(input)?;
    let suite = Suite::get(input)?;
    let mut report = FunctionReport::new(suite.function, entry, Vec::new(), &[]);
    report.starts = starts;
    report.suite = suite;
    report.n_paths = usize::get(input)?;
    report.n_runs = usize::get(input)?;
    report.history = Stored::get(input)?;
    report.notes = Stored::get(input)?;
    report.warnings = Stored::get(input)?;
    report.evidence = Evidence::get(input)?;
    report.violations = Stored::get(input)?;
    report.checked = Checked {
        properties: Stored::get(input)?,
        proofs: Stored::get(input)?,
        counter_examples: Stored::get(input)?,
        blind_spot: Stored::get(input)?,
        ..Checked::default()
    };
    report.objects = Stored::get(input)?;
    report.times = FunctionTimes::get(input)?;
    report.is_broken = bool::get(input)?;
    Some(report)
}

indices! {
    BlockId DecisionId FieldId FileId FuncId GlobalId LocalId SourceTypeId SourceVarId
}

records! {
    Span { file, line, column, end_line, end_column, part }
    Site { block, instr }
    Evaluation { conditions, outcome }
    Facts { blocks, edges, evaluations, def_uses, activations, failed_check, ended_in }
    Places { blocks, edges }
    ConditionEvent { decision, condition, value }
    Property { id, function, kind, span, text, demand, sites, is_asked }
    Step { goal, by, is_reached, runs, paths }
    Suite {
        function, goals, tests, premises, confirmation, limits, contract, requirements, solutions,
    }
    GoalResult { goal, verdict }
    Test { name, through, input, expected, covers, path, constraints, follow_ups }
    PathCondition { text, line }
    Limit { name, value }
    SolutionList { goals, paths }
    GoalSolutions { count, is_complete }
    PathSolutions { goals, inputs }
    ContractClause { text, place, is_ensure, removes }
    TestInput { objects, earlier, params, globals, stubs, stdin, files, failing_allocations, argv }
    NamedInput { name, source_type, value }
    InputObject { name, element_type, length, extra_bytes, elements, stream }
    StubResult { function, result, writes, ends }
    StubWrite { param, element_type, elements }
    Observation {
        ending, result, changed_objects, changed_globals, written_objects, written_globals,
        made, freed_objects, stdout, steps,
    }
    MadeMemory { address, size, element_type, class, length, elements }
    WrittenObject { object, bytes }
    WrittenGlobal { global, bytes, after }
    LineFacts { line, known }
    JavaObservation { ending, after, made, statics }
    JavaStatic { field, before, after }
    ObjectTest { observed, harness, through }
    Elsewhere { function, blocks, edges }
    RefutedWay { block, edge, core }
    Replay { state, message }
    Layer { name, asked, sat, unsat, steps }
    FunctionTimes { name, search, processor, replay, points, layers }
    Point { after, reached, refuted }
    CounterExample { violation, sighting, calls }
    Violation { property, test, report }
    FoundTest { input, observation, facts, elsewhere, constraints, condition_trace }
    UndefinedBehavior { kind, span, values, value_types, message, memory, stack }
    AccessedMemory { kind, state, origin, size, offset, len }
    StackEntry { function, span }
    Format { exponent, significand }
}

choices! {
    Ty { 0 Int(width), 1 Float(format), 2 Ptr }
    VarRef { 0 Local(var), 1 Global(global) }
    Demand { 0 Words(words), 1 NotEntered(name), 2 NotCalled(name) }
    Covered { 0 By(run), 1 ByPair(first, second) }
    PropertyKind { 0 Check(kind), 1 LibraryCall }
    Worker { 0 Seeds, 1 Climbing, 2 Paths, 3 Proofs, 4 Deepening, 5 Sequences }
    InputValue {
        0 Int(bits), 1 Float(float), 2 Pointer(pointer), 3 Struct(fields), 4 Union { field, value },
        5 Array(elements), 6 Bytes(bytes),
    }
    InputPointer { 0 Null, 1 Object { object, offset }, 2 Global { global, offset }, 3 Function(function) }
    Ending {
        0 Returned, 1 Exited(code), 2 Aborted, 3 Failed { kind, span }, 4 Rejected, 5 Thrown(class),
        6 Stopped, 7 Unsupported { what, span },
    }
    Verdict {
        0 Covered { test }, 1 Infeasible(method), 2 InfeasibleWithin { bounds }, 3 Unknown(reason),
        4 Violated { test }, 5 Holds(method), 6 HoldsWithin { bounds },
    }
    ProofMethod {
        0 ControlFlow, 1 PathEnumeration, 2 WholeFunction, 3 LoopSummary, 4 Induction, 5 Covering,
        6 CallSummaries,
    }
    UnknownReason {
        0 Budget(spent), 1 Unsupported { what, span }, 2 Disagreement(seen), 3 Unconfirmed(why),
        4 OnlyUndefined, 5 Internal(message),
    }
    Spent {
        0 Paths { n_paths }, 1 Time { n_paths }, 2 QuestionOfSolver { n_paths },
        3 LengthOfPath { n_paths }, 4 AvoidingFailures, 5 StepsOfEndlessRuns { max_steps },
        6 Memory { n_paths },
    }
    Known { 0 Dead, 1 Facts(facts) }
    StubReturns { 0 Anything, 1 ValuesOfTests }
    JavaEnding { 0 Returned(value), 1 Thrown(class), 2 Other(what) }
    JavaValue {
        0 Null, 1 Int(bits), 2 Float(float), 3 String(text), 4 Input(position),
        5 Array(class, elements), 6 Boxed(class, value), 7 Object(class),
    }
    JavaContents { 0 Fields(fields), 1 Elements(elements), 2 Unknown }
    JvmConfirmation { 0 Coverage, 1 SomeCoverage { n_seen, n_unseen }, 2 Results }
    ReplayState { 0 Confirmed, 1 Failed, 2 NotRun }
    Sighting {
        0 Aborted, 1 Sanitizer(words), 2 Signal(name), 3 Thrown(class), 4 NotSeen(instead), 5 NotRun(why),
        6 NotWritten(why), 7 Specified(words),
    }
    ObjectKind {
        0 Global(global), 1 Local(function, local), 2 Stack(function), 3 Heap, 4 Function(function),
        5 VarArgs, 6 Input, 7 Library,
    }
    ObjectState { 0 Live, 1 Freed(span), 2 OutOfScope }
    UnmodeledInput { 0 JdkObjects, 1 VariableArguments, 2 OddlyWrittenStandardInput, 3 PartialReads, 4 StreamStates }
    EnvironmentFact {
        0 IdentityHashes, 1 AssertionsChecked, 2 AssertionsIgnored, 3 DefaultLocale, 4 JdkStart,
        5 ExceptionMessages, 6 StackSuffices, 7 LambdaIdentity, 8 StandardStreams,
        9 LibraryExceptions, 10 OutputSucceeds, 11 PlainLocale, 12 RoundsToNearest,
        13 EqualElementsInOrder, 14 StandsAside,
    }
    Assumption {
        0 MemoryLength { at_most }, 1 ArrayLength, 2 LoopTurns(turns), 3 AllocationSucceeds,
        4 ObjectsBehindPointers, 5 ObjectsBehindReferences, 6 AddressesAsNumbers,
        7 NumbersAreNotAddresses, 8 ObjectsApart, 9 AddressesNotReused, 10 OneNan,
        11 PointersToStarts, 12 PointerBytesNotRead, 13 EffectiveTypes, 14 VolatilesKeepValues,
        15 PaddingKept, 16 UnionBytesKept, 17 PointersNotToGlobals, 18 RestrictApart,
        19 ReferencesNotToStatics, 20 ReferencesNotToConstants, 21 KnownFunctionPointers,
        22 CallsOfOtherTypes, 23 LoadedClassesOnly, 24 FewClassesPerReference, 25 LatinStrings,
        26 StaticsAsInitialized, 27 StaticLocalsAsInitialized, 28 OtherFilesAsInitialized,
        29 UndefinedFunctionsChangeNothing, 30 UndefinedFunctionsChangeOnlyPointees,
        31 FormatsStoreNothing, 32 UnmodeledInput(input), 33 Environment(fact),
        34 NoError { error, line }, 35 EvaluationOrder { line }, 36 AttributesKept { line },
        37 ConstantsKept { line }, 38 TypesKept { line }, 39 PromiseCanBeKept { line },
        40 TermDepth(depth), 41 DeclaredParameters, 42 MemberKept { line }, 43 NotCompared(what),
        44 ConditionEnds { line }, 45 AssemblyKept { line }, 46 WholeObjects,
        47 SeparateObjects, 48 NotConstant { line }, 49 SignBitKept { line },
    }
    NotCompared {
        0 Endless, 1 Exits, 2 Errno, 3 Assertions, 4 SignsOfZeros, 5 Exceptions, 6 Output,
        7 OtherStatics, 8 WrittenFields, 9 IdentityOfArrays, 10 IdentityOfTexts, 11 FieldsBelow,
        12 Initializers, 13 Constructors, 14 OlderVariables, 15 InitialValues,
    }
    Premise {
        0 OverflowIsRejected, 1 OverflowWraps, 2 Stub { name, returns }, 3 Described { name },
        4 StandIn { name, returns }, 5 StubsWriteBehindPointers, 6 ArgumentsOfMain, 7 Registers,
        8 DeclaredParameters, 9 Annotation { place, text }, 10 RelatedCallsReturn,
        11 PermutationsCompose, 12 Assumed(assumption), 13 Reflection { tests, n_tests, why },
        14 RunsStartIn { names }, 15 VariableArguments,
    }
}

/// What is followed on the way of a test is followed again.
impl Stored for Evidence {
    fn put(&self, out: &mut Vec<u8>) {
        let Evidence {
            covered,
            reached_after,
            facts,
            elsewhere,
            replays,
            moments: _,
            refutations,
            invariants,
            layers,
        } = self;
        covered.put(out);
        reached_after.put(out);
        facts.put(out);
        elsewhere.put(out);
        replays.put(out);
        refutations.put(out);
        invariants.put(out);
        layers.put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<Evidence> {
        Some(Evidence {
            covered: Stored::get(input)?,
            reached_after: Stored::get(input)?,
            facts: Stored::get(input)?,
            elsewhere: Stored::get(input)?,
            replays: Stored::get(input)?,
            moments: Vec::new(),
            refutations: Stored::get(input)?,
            invariants: Stored::get(input)?,
            layers: Stored::get(input)?,
        })
    }
}

/// Texts of the language, which live as long as the program.
impl Stored for &'static str {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_string().put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<&'static str> {
        let text = String::get(input)?;
        WHY_REFLECTION.iter().copied().find(|known| **known == text)
    }
}

impl Stored for CheckKind {
    fn put(&self, out: &mut Vec<u8>) {
        let position = CheckKind::ALL.iter().position(|kind| kind == self);
        position.unwrap_or(CheckKind::ALL.len()).put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<CheckKind> {
        CheckKind::ALL.get(usize::get(input)?).copied()
    }
}

impl Stored for Bits {
    fn put(&self, out: &mut Vec<u8>) {
        self.unsigned().put(out);
        self.width().put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<Bits> {
        let (value, width) = (u128::get(input)?, u8::get(input)?);
        (1..=128).contains(&width).then(|| Bits::new(value, width))
    }
}

impl Stored for Float {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_bits().put(out);
        self.format().put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<Float> {
        let (bits, format) = (u64::get(input)?, Format::get(input)?);
        let format = Format::new(format.exponent, format.significand)?;
        Some(Float::from_bits(bits, format))
    }
}
