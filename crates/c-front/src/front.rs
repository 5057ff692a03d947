//! Reads the units of a program one after the other into one typed tree.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use glassbox_values::layout::Target;

use crate::check::{Checker, Links};
use crate::diagnostics::{Diagnostic, Problem, SyntaxProblem};
use crate::flags::Meaning;
use crate::linemap::SourceMap;
use crate::names::Names;
use crate::parse::{Parser, lex};
use crate::preprocess::{Preprocessor, read_original};
use crate::span::Span;
use crate::tree::{AssemblyUse, FunctionId, Program, Unsupported};

/// Recursive passes over the tree run on a thread with this much stack: room for the deepest tree that
/// the parser lets through. Only touched pages cost memory.
pub const STACK_BYTES: usize = 1 << 29;

/// Runs `work` on a thread with [`STACK_BYTES`] of stack.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let handle = builder.spawn_scoped(scope, work).expect("a thread should start");
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A function to add to a unit after its last line: it sees all that the unit declares.
#[derive(Debug, Clone)]
pub struct HarnessSource {
    /// Whose harness it is.
    pub function: FunctionId,
    pub shape: HarnessShape,
    /// A name that no program uses.
    pub name: String,
    /// The body, a block, preprocessed. Line markers say where its lines were written; columns are
    /// taken as they are.
    pub text: Vec<u8>,
    /// The file that the markers name, and its text for excerpts.
    pub file: String,
    pub original: Vec<u8>,
}

/// What a harness takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HarnessShape {
    /// The parameters and the result of its function.
    Same,
    /// The parameters of its function; gives an `int`.
    Test,
    /// The parameters of its function and, unless that is void, a last one `result`; gives an `int`.
    Judge,
    /// The parameters of its function; gives an `int`: it compares calls.
    Relation,
    /// The parameters and the result of its function, whose body it has with a change. The harnesses behind it
    /// may call it by its name.
    Variant,
}

/// Gives the harnesses of a unit that was just read; its preprocessed text comes second, and where that begins in all
/// text third.
pub type Harnesses<'a> = dyn FnMut(&Program, &[u8], u32) -> Vec<HarnessSource> + Send + 'a;

/// Units read so far.
#[derive(Debug, Default)]
pub struct Front {
    program: Program,
    links: Links,
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    follows_openmp: bool,
}

/// What became of the units.
#[derive(Debug)]
pub struct Checked {
    /// Complete and linked; may be used if there is no error.
    pub program: Program,
    pub sources: SourceMap,
    /// In order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

impl Front {
    pub fn new() -> Front {
        Front::default()
    }

    /// Unsigned arithmetic that wraps around counts as an error.
    pub fn check_unsigned_wrap(&mut self) {
        self.program.checks_unsigned_wrap = true;
    }

    /// Implicit conversions that change the value of an integer count as errors.
    pub fn check_conversions(&mut self) {
        self.program.checks_conversions = true;
    }

    /// Calls through pointers whose type is not that of the function count as errors.
    pub fn check_calls(&mut self) {
        self.program.checks_calls = true;
    }

    /// Makes what assembly with operands does an input.
    pub fn replace_assembly(&mut self) {
        self.program.replaces_assembly = true;
    }

    /// Where the unit that was added last says `asm`.
    pub fn take_assembly(&mut self) -> Vec<AssemblyUse> {
        std::mem::take(&mut self.program.assembly)
    }

    /// Allocations of more bytes count as errors.
    pub fn limit_heap(&mut self, bytes: u64) {
        self.program.heap = Some(bytes);
    }

    /// What flags say about the units that are added from now on.
    pub fn set_meaning(&mut self, meaning: Meaning) {
        self.links.target = meaning.target;
        self.program.types.machine = meaning.target.machine;
        self.program.floats = meaning.floats;
        self.follows_openmp = meaning.follows_openmp;
        self.links.is_c23 = meaning.is_c23;
        self.links.is_c90 = meaning.is_c90;
        self.links.has_old_inline = meaning.is_c90 || meaning.has_old_inline;
        self.links.is_optimized = meaning.is_optimized;
        self.program.has_effective_types |= meaning.has_effective_types;
    }

    /// Models are written for plain C, on the machine of the units before.
    pub(crate) fn set_meaning_of_models(&mut self) {
        let plain = Meaning::default();
        let machine = self.program.types.machine();
        let target = Target { char: plain.target.char, ..Target::of(machine) };
        self.set_meaning(Meaning { target, floats: self.program.floats, ..plain });
    }

    /// Adds a problem found before any text could be read.
    pub fn add_diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Preprocesses a file and reads it; what goes wrong becomes diagnostics.
    pub fn add_file(&mut self, path: &Path, preprocessor: &Preprocessor) {
        match preprocessor.run(path) {
            Ok(text) => {
                let directory = preprocessor.directory.clone();
                let mut read = |name: &str| read_original(directory.as_deref(), name);
                self.add_unit(&path.display().to_string(), text, &mut read);
            }
            Err(diagnostics) => self.diagnostics.extend(diagnostics),
        }
    }

    /// Reads a unit of preprocessed text. `name` is the file it was made from; `read` gives the text of
    /// the user's own files by name, for exact columns and excerpts.
    pub fn add_unit(
        &mut self,
        name: &str,
        text: Vec<u8>,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) {
        self.add_unit_with(name, text, read, &mut |_, _, _| Vec::new());
    }

    /// The same with functions added at the end of the unit.
    pub fn add_unit_with(
        &mut self,
        name: &str,
        text: Vec<u8>,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
        harnesses: &mut Harnesses<'_>,
    ) {
        let Some(base) = self.sources.next_base(text.len()) else {
            let problem = Problem::Syntax(SyntaxProblem::TooLarge);
            self.diagnostics.push(Diagnostic::new(problem, Span::default()));
            return;
        };
        let text: Arc<[u8]> = text.into();
        let mut lexed = lex::lex(&text, base, &mut self.program.names);
        if self.links.is_c23 {
            lexed.use_c23_keywords(&self.program.names);
        }
        if let Some(name) = lexed.pragma.take() {
            self.program.limits.everywhere = Some(Unsupported::Pragma(name));
        }
        self.sources.add_unit(name, text.clone(), &lexed, read);
        let end = lexed.tokens.last().map_or(base, |token| token.end);
        let (program, links, sources) = (&mut self.program, &mut self.links, &mut self.sources);
        let follows_openmp = self.follows_openmp;
        let mut found = with_deep_stack(|| {
            // Lives as long as the checker, which has seen its text.
            let added = OnceCell::new();
            let checker = Checker::new(program, links, end);
            let mut parser = Parser::new(checker, &lexed, &text, base);
            if follows_openmp {
                parser.follow_openmp(&lexed);
            }
            parser.unit();
            parser.note_other_assembly();
            if !parser.openmp.is_empty() {
                parser.c.program.limits.everywhere = Some(Unsupported::Pragma("omp".into()));
            }
            let mut checker = parser.c;
            let wanted = harnesses(checker.program, &text, base);
            let names = &mut checker.program.names;
            for harness in added.get_or_init(|| lex_harnesses(wanted, names, sources)) {
                let LexedHarness { function, shape, name, text, lexed, base } = harness;
                let n_found = checker.diagnostics.len();
                let mut parser = Parser::new(checker, lexed, text, *base);
                let made = parser.harness(*function, name, *shape);
                checker = parser.c;
                // A change that makes no C is no mistake of the user: the variant has no body then.
                let is_wrong = checker.diagnostics[n_found..].iter().any(Diagnostic::is_error);
                if let (HarnessShape::Variant, Some(made)) = (*shape, made) {
                    checker.diagnostics.truncate(n_found);
                    if is_wrong {
                        checker.program.function_mut(made).body = None;
                    }
                }
            }
            checker.finish_unit();
            checker.diagnostics
        });
        found.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        // A macro that uses its argument twice makes one mistake twice.
        let mut said = FxHashSet::default();
        found.retain(|diagnostic| {
            let place = diagnostic.span.map(|span| self.sources.resolve(span));
            said.insert((place, diagnostic.message()))
        });
        self.diagnostics.extend(found);
        self.links.next_unit();
    }

    /// Errors found so far.
    pub fn n_errors(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }

    /// The program as far as it has been read.
    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn finish(self) -> Checked {
        let Front { program, sources, diagnostics, .. } = self;
        Checked { program, sources, diagnostics }
    }
}

/// A harness, split.
struct LexedHarness {
    function: FunctionId,
    shape: HarnessShape,
    name: String,
    text: Arc<[u8]>,
    lexed: lex::Lexed,
    base: u32,
}

fn lex_harnesses(
    harnesses: Vec<HarnessSource>,
    names: &mut Names,
    sources: &mut SourceMap,
) -> Vec<LexedHarness> {
    let mut all = Vec::new();
    for HarnessSource { function, shape, name, text, file, original } in harnesses {
        let Some(base) = sources.next_base(text.len()) else { break };
        let text: Arc<[u8]> = text.into();
        let lexed = lex::lex(&text, base, names);
        sources.add_aligned_unit(&file, text.clone(), &lexed, original);
        all.push(LexedHarness { function, shape, name, text, lexed, base });
    }
    all
}
