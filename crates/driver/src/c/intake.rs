//! From C files to a program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use glassbox_c_front::compile::{Compiled, compile};
use glassbox_c_front::diagnostics::{
    Diagnostic, Problem as Cause, SetupProblem, TypeProblem, render,
};
use glassbox_c_front::flags::{Meaning, meaning};
use glassbox_c_front::front::Front;
use glassbox_c_front::linemap::SourceMap;
use glassbox_c_front::lower::{Promotion, TextPlaces};
use glassbox_c_front::outside::outside;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_c_front::tree;
use glassbox_contract::acsl::{self, Annotations};
use glassbox_contract::complaint::Complaint;
use glassbox_contract::harness::Frame;
use glassbox_contract::relation::{self, Related};
use glassbox_contract::{self as contract, Config, Contract, declared, harness};
use glassbox_emit::UnitNames;
use glassbox_ir::{FileOrigin, FuncId, Origin, Program, Span};
use glassbox_report::sha256;

use super::schemata::Schemata;
use super::units::{Programs, Role, Unit, programs};
use super::{C, annotated, asked, entries, mutants};
use crate::cache::Texts;
use crate::equiv::OLD;
use crate::language::{Language, Part, Purpose, Refusal};
use crate::listener::{Listener, Location, Problem};
use crate::plan::{Entries, Intake};
use crate::relation::subject;

/// The programs that the plan names.
pub(super) fn parts(intake: &Intake, listener: &dyn Listener) -> Result<Vec<Part>, Refusal> {
    let (groups, is_project) = match programs(intake, listener)? {
        Programs::Linked(units) => (vec![units], false),
        Programs::Each(groups) => (groups, true),
    };
    let keeping = intake.texts.as_ref().filter(|_| {
        // Files of a revision are elsewhere every time.
        intake.revisions.is_empty() && intake.moved_to.is_none()
    });
    let texts = Arc::new(Texts::new(keeping));
    let part = |units: Vec<Unit>| {
        let name = units[0].path.display().to_string();
        let source = Some(units[0].path.clone());
        let paths = units.iter().map(|unit| unit.path.clone()).collect();
        let intake = Intake { paths, ..intake.clone() };
        let reader = Reader { intake, units, texts: Arc::clone(&texts), is_project };
        let read = move |purpose: Purpose, listener: &dyn Listener| {
            reader.read(purpose, listener).map(|c| Box::new(c) as Box<dyn Language>)
        };
        Part { name, source, read: Box::new(read) }
    };
    Ok(groups.into_iter().map(part).collect())
}

/// Reads the units of one program.
struct Reader {
    intake: Intake,
    units: Vec<Unit>,
    /// Of all programs.
    texts: Arc<Texts>,
    /// There are other programs.
    is_project: bool,
}

impl Reader {
    /// Reads all files, and the contracts of their functions where they count.
    fn read(&self, purpose: Purpose, listener: &dyn Listener) -> Result<C, Refusal> {
        let intake = &self.intake;
        let meaning = self.meaning()?;
        let config = match purpose {
            Purpose::Generate | Purpose::Check { .. } => {
                contract::load(intake.config.as_deref(), &intake.paths)
                    .map_err(|complaint| Refusal(complaint.to_string()))?
            }
            Purpose::Look | Purpose::Run => None,
        };
        let config = match &intake.reference {
            Some(reference) if !matches!(purpose, Purpose::Look | Purpose::Run) => {
                Some(Config::compared(config, &reference.function, OLD))
            }
            Some(_) | None => config,
        };
        let mut left_out = Vec::new();
        let mut texts = self.preprocess(&mut left_out, listener);
        let reads = matches!(purpose, Purpose::Generate | Purpose::Check { .. });
        let sources =
            if reads { annotated::sources(texts.iter().map(|it| &*it.text)) } else { Vec::new() };
        let Annotations { contracts, mut assertions, warnings } = acsl::annotations(&sources);
        for warning in &warnings {
            listener.diagnostic(warning);
        }
        let unread = warnings.first().map(|it| it.trim_end().replacen(" warning:", "", 1));
        // Tests of `gen` run the source as it is, where comments are none of the code.
        if !matches!(purpose, Purpose::Check { .. }) {
            assertions.clear();
        }
        for Text { preprocessor, text, unit } in &mut texts {
            annotated::insert(text, &assertions, preprocessor, &unit.path);
        }
        let config = acsl::merge(config, contracts);
        let contracts = if reads { Contracts::Read(config.as_ref()) } else { Contracts::Ignored };
        let parameters = Mutex::default();
        let reading = Reading { intake, contracts, purpose, parameters };
        let Read {
            program,
            unpromoted,
            may_alias,
            restricted,
            units,
            left_out,
            names,
            outsides,
            sources,
            places,
            relations,
            frames,
            mutants,
            schemata,
        } = reading.read_all(texts, left_out, listener)?;
        super::clauses::refuse_effects(&program, config.as_ref(), &assertions)?;
        let has_effective_types = meaning.has_effective_types && !may_alias;
        let meaning = Meaning { has_effective_types, ..meaning };
        // What one file of a project does not have, another may.
        if !self.is_project {
            warn_of_unused(config.as_ref(), &program, listener);
        }
        let objects = OnceLock::new();
        let mut read = C {
            program,
            unpromoted,
            config,
            purpose,
            units,
            meaning,
            left_out,
            restricted,
            sources,
            places,
            names,
            outsides,
            objects,
            independent: OnceLock::new(),
            starts: OnceLock::new(),
            relations,
            frames,
            assertions,
            unread,
            mutants,
            schemata,
        };
        read.program.changes = mutants::changes(&read);
        Ok(read)
    }

    /// The units that the preprocessor takes.
    fn preprocess(&self, left_out: &mut Vec<String>, listener: &dyn Listener) -> Vec<Text<'_>> {
        let intake = &self.intake;
        let mut texts = Vec::new();
        for unit in &self.units {
            if let Some(compiler) = &unit.foreign {
                let path = unit.path.display().to_string();
                let problem = SetupProblem::ForeignCompiler {
                    path: path.clone(),
                    compiler: compiler.clone(),
                };
                let diagnostic = Diagnostic::setup(problem);
                show(intake, &diagnostic, diagnostic.hint(), &SourceMap::default(), listener);
                left_out.push(path);
                continue;
            }
            let preprocessor = Preprocessor {
                compiler: unit.compiler.as_ref().unwrap_or(&intake.compiler).clone(),
                flags: unit.flags.clone(),
                overlay: intake.overlay.clone(),
                ..Preprocessor::default()
            };
            match self.texts.of(&preprocessor, &unit.path, listener) {
                Ok(text) => texts.push(Text { unit, preprocessor, text }),
                Err(diagnostics) => {
                    for diagnostic in &diagnostics {
                        show(
                            intake,
                            diagnostic,
                            diagnostic.hint(),
                            &SourceMap::default(),
                            listener,
                        );
                    }
                    left_out.push(unit.path.display().to_string());
                }
            }
        }
        texts
    }

    /// What the flags of all units mean, which is the same where they are one program.
    fn meaning(&self) -> Result<Meaning, Refusal> {
        let of = |unit: &Unit| meaning(&unit.flags).of_program();
        let first = of(&self.units[0]);
        match self.units.iter().find(|unit| of(unit) != first) {
            None => Ok(first),
            Some(other) => Err(Refusal::error(format!(
                "{} and {} are compiled with flags that give the language different meanings\n\
                 help: name them in separate runs",
                self.units[0].path.display(),
                other.path.display()
            ))),
        }
    }
}

/// The diagnostic as data.
fn problem(diagnostic: &Diagnostic, hint: Option<&str>, sources: &SourceMap) -> Problem {
    let place = diagnostic.span.map(|span| {
        let place = sources.resolve(span);
        Location {
            file: sources.file_name(place.file).to_owned(),
            start: (place.line, place.column),
            end: (place.end_line, place.end_column),
        }
    });
    let mut message = diagnostic.message();
    if let Some(hint) = hint {
        message = format!("{message}\n{hint}");
    }
    Problem { place, is_error: diagnostic.is_error(), message }
}

/// A file that was asked for by `--link` is part of the program: without it, other functions would be meant.
fn refuse_links<'u>(
    mut units: impl Iterator<Item = &'u Unit>,
    has_error: &BTreeSet<PathBuf>,
) -> Result<(), Refusal> {
    let is_link = |unit: &&Unit| unit.role == Role::Linked && has_error.contains(&unit.path);
    match units.find(is_link) {
        None => Ok(()),
        Some(unit) => {
            let path = unit.path.display();
            Err(Refusal::error(format!("{path} cannot be linked to the other files")))
        }
    }
}

/// Contracts beside the source should be about functions in it.
fn warn_of_unused(config: Option<&Config>, program: &Program, listener: &dyn Listener) {
    let Some(config) = config.filter(|config| config.is_near) else { return };
    let warn = |at: usize, what: String| {
        let (line, column) = config.place(at);
        listener.diagnostic(&format!("{}:{line}:{column}: warning: {what}\n", config.path));
    };
    let of_file = config.contracts.iter().filter(|contract| contract.declared.is_none());
    for contract in of_file {
        let name = &contract.function;
        if !program.function_ids().any(|id| program.function(id).name == *name) {
            let what = format!("no function `{name}` is defined here: its contract is not used");
            warn(contract.name.start, what);
        }
    }
    for stub in &config.stubs {
        let name = &stub.function;
        let function = program.function_ids().find(|&id| program.function(id).name == *name);
        match function.map(|id| program.function(id).body.is_some()) {
            Some(false) => {}
            Some(true) => warn(stub.name.start, format!("`{name}` is defined here: it is no stub")),
            None => warn(stub.name.start, format!("nothing calls `{name}`: its stub is not used")),
        }
    }
}

/// Whether functions get harnesses.
#[derive(Debug, Clone, Copy)]
enum Contracts<'a> {
    Ignored,
    Read(Option<&'a Config>),
}

/// How units are read.
struct Reading<'a> {
    intake: &'a Intake,
    contracts: Contracts<'a>,
    purpose: Purpose,
    /// Of functions with contracts, by name, for what is said about clauses.
    parameters: Mutex<BTreeMap<String, Vec<String>>>,
}

/// What was read.
struct Read {
    program: Program,
    /// Before locals became values, where tests are looked at.
    unpromoted: Option<Program>,
    /// Memory is accessed by types that it does not have.
    may_alias: bool,
    /// Functions whose `restrict` parameters get objects of their own.
    restricted: BTreeSet<String>,
    /// Those that could be read.
    units: Vec<Unit>,
    /// Files that could not.
    left_out: Vec<String>,
    /// What each unit calls its own, in the order of `units`.
    names: Vec<Arc<UnitNames>>,
    /// What each unit has outside of bodies, by digest.
    outsides: Vec<String>,
    sources: SourceMap,
    places: TextPlaces,
    /// Bodies of functions that compare calls, for compilers, by name.
    relations: BTreeMap<String, String>,
    frames: BTreeMap<String, Frame>,
    mutants: Vec<mutants::Made>,
    schemata: Vec<Schemata>,
}

/// A unit, preprocessed.
struct Text<'a> {
    unit: &'a Unit,
    preprocessor: Preprocessor,
    text: Vec<u8>,
}

/// What harnesses of further units have to know.
#[derive(Default)]
struct Harnessed {
    /// Functions that have theirs.
    done: BTreeSet<String>,
    restricted: BTreeSet<String>,
    relations: BTreeMap<String, String>,
    frames: BTreeMap<String, Frame>,
    /// What is wrong with a relation.
    complaint: Option<Box<Complaint>>,
    warnings: Vec<String>,
    mutants: Vec<mutants::Made>,
    schemata: Vec<Schemata>,
}

impl Reading<'_> {
    /// Reads the units as one program. A unit with an error is left out, and the others are read once more without
    /// it, since it may have declared something.
    fn read_all(
        &self,
        mut texts: Vec<Text<'_>>,
        mut left_out: Vec<String>,
        listener: &dyn Listener,
    ) -> Result<Read, Refusal> {
        loop {
            let mut front = Front::new();
            asked::ask(&mut front, self.purpose);
            let mut harnessed = Harnessed::default();
            let mut has_error = BTreeSet::new();
            let mut names: Vec<Arc<UnitNames>> = Vec::new();
            for (position, text) in texts.iter().enumerate() {
                let n_errors = front.n_errors();
                let is_last = position + 1 == texts.len();
                self.add_unit(&mut front, text, is_last, &mut harnessed);
                names.push(Arc::new(asked::names(&text.text, front.take_assembly())));
                if let Some(complaint) = harnessed.complaint {
                    return Err(Refusal(complaint.to_string()));
                }
                if front.n_errors() > n_errors {
                    has_error.insert(text.unit.path.clone());
                }
            }
            if has_error.len() == texts.len() || has_error.is_empty() {
                let may_alias = front.program().limits.may_alias;
                let promotion = match self.contracts {
                    Contracts::Read(_) => Promotion::Both,
                    Contracts::Ignored => Promotion::Promote,
                };
                let mut compiled = compile(front, promotion);
                self.show(compiled.diagnostics.iter(), &compiled.sources, listener);
                harnessed.warnings.iter().for_each(|warning| listener.diagnostic(warning));
                // The diagnostics have said why there is none.
                let program = compiled.program.take().filter(|_| !texts.is_empty());
                let program = program.ok_or_else(|| Refusal(String::new()))?;
                let units = texts.iter().map(|text| text.unit.clone()).collect();
                let outsides = texts.iter().map(|it| sha256::hex(&outside(&it.text))).collect();
                let Compiled { sources, places, unpromoted, .. } = compiled;
                let Harnessed { restricted, relations, frames, mutants, schemata, .. } = harnessed;
                return Ok(Read {
                    program,
                    unpromoted,
                    may_alias,
                    restricted,
                    units,
                    left_out,
                    names,
                    outsides,
                    sources,
                    places,
                    relations,
                    frames,
                    mutants,
                    schemata,
                });
            }
            let checked = front.finish();
            let errors = checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            self.show(errors, &checked.sources, listener);
            refuse_links(texts.iter().map(|text| text.unit), &has_error)?;
            left_out.extend(has_error.iter().map(|path| path.display().to_string()));
            texts.retain(|text| !has_error.contains(&text.unit.path));
        }
    }

    fn show<'d>(
        &self,
        diagnostics: impl Iterator<Item = &'d Diagnostic>,
        sources: &SourceMap,
        listener: &dyn Listener,
    ) {
        for diagnostic in diagnostics {
            show(self.intake, diagnostic, self.hint(diagnostic, sources), sources, listener);
        }
    }

    fn parameters(&self) -> MutexGuard<'_, BTreeMap<String, Vec<String>>> {
        self.parameters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to try. In a contract, a name that does not exist is no missing header.
    fn hint(&self, diagnostic: &Diagnostic, sources: &SourceMap) -> Option<String> {
        let usual = diagnostic.hint();
        let (Contracts::Read(Some(config)), Some(span)) = (self.contracts, diagnostic.span) else {
            return usual;
        };
        let place = sources.resolve(span);
        let is_undeclared =
            matches!(diagnostic.problem, Cause::Type(TypeProblem::Undeclared { .. }));
        if !is_undeclared || sources.file_name(place.file) != config.path {
            return usual;
        }
        let is_before = |contract: &&Contract| {
            config.place(contract.name.start).0 <= usize::try_from(place.line).unwrap_or_default()
        };
        let contract = config.contracts.iter().rfind(is_before);
        let known = self.parameters();
        Some(match contract.and_then(|contract| known.get(&contract.function)) {
            Some(names) if !names.is_empty() => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("its parameters are {}; globals can be named, too", names.join(", "))
            }
            Some(_) | None => "parameters of the function and globals can be named".to_owned(),
        })
    }

    fn add_unit(
        &self,
        front: &mut Front,
        unit: &Text<'_>,
        is_last: bool,
        harnessed: &mut Harnessed,
    ) {
        let Text { unit: Unit { path, .. }, preprocessor, text } = unit;
        let name = path.display().to_string();
        let overlay = self.intake.overlay.as_ref();
        let mut read = |name: &str| match overlay.filter(|overlay| overlay.is_of(Path::new(name))) {
            Some(overlay) => Some(overlay.text.to_vec()),
            None => read_original(None, name),
        };
        let mut harnesses = |program: &tree::Program, unit: &[u8], base: u32| {
            let Contracts::Read(config) = self.contracts else { return Vec::new() };
            for contract in config.into_iter().flat_map(|config| &config.contracts) {
                let is_it = |id: &tree::FunctionId| {
                    program.name(program.function(*id).name) == contract.function
                };
                if let Some(id) = program.function_ids().find(is_it) {
                    let names = program.parameter_names(id).into_iter().flatten().collect();
                    self.parameters().insert(contract.function.clone(), names);
                }
            }
            let bytes = unit;
            let unit = harness::Unit { program, text: unit, preprocessor, source: path, is_last };
            let done = &mut harnessed.done;
            let made = config.map_or(Ok(harness::Made::default()), |config| {
                harness::harnesses(config, &unit, done)
            });
            let mut all = Vec::new();
            match made {
                Ok(made) => {
                    all = made.harnesses;
                    harnessed.frames.extend(made.frames);
                    harnessed.warnings.extend(made.warnings);
                }
                Err(complaint) => harnessed.complaint = Some(complaint),
            }
            all.extend(declared::main_harness(program, done));
            let declared = declared::declared_harnesses(program, &all, is_last);
            all.extend(declared);
            harnessed.restricted.extend(declared::restricted(program, config));
            match config.map_or(Ok(Vec::new()), |config| relation::relations(config, &unit)) {
                Ok(related) => {
                    for Related { harness, body } in related {
                        harnessed.relations.insert(harness.name.clone(), body);
                        all.push(harness);
                    }
                }
                Err(complaint) => harnessed.complaint = Some(complaint),
            }
            if let Some(mutated) = &self.intake.mutated {
                let text = glassbox_mutate::Text { bytes, base };
                let first = harnessed.mutants.len();
                let (made, harnesses, schemata) =
                    mutants::of_unit(mutated, config, &unit, text, first);
                harnessed.mutants.extend(made);
                harnessed.schemata.push(schemata);
                all.extend(harnesses);
            }
            all
        };
        front.set_meaning(meaning(&preprocessor.flags));
        front.add_unit_with(&name, text.clone(), &mut read, &mut harnesses);
    }
}

fn show(
    intake: &Intake,
    diagnostic: &Diagnostic,
    hint: Option<String>,
    sources: &SourceMap,
    listener: &dyn Listener,
) {
    let color = if intake.is_colored { render::Color::Ansi } else { render::Color::Plain };
    listener.problem(&problem(diagnostic, hint.as_deref(), sources));
    listener.diagnostic(&render::render_with(diagnostic, hint, sources, color));
}

/// The functions that the files define; only `main` when a program to be checked is written for verification.
pub(super) fn own_functions(c: &C) -> Vec<FuncId> {
    let program = &c.program;
    let mut entries = Entries::All;
    if let Purpose::Check { is_of_main, entries: asked, .. } = c.purpose {
        if let Some(main) = main_of_task(program, is_of_main) {
            return vec![main];
        }
        entries = asked;
    }
    let is_own = |id: &FuncId| {
        let function = program.function(*id);
        let is_written = matches!(function.origin, Origin::User | Origin::System);
        let unit = unit_of(program, *id, &c.units);
        let is_tested = unit.is_some_and(|unit| unit.role == Role::Tested);
        function.body.is_some() && is_written && is_tested
    };
    let own: Vec<FuncId> = program.function_ids().filter(is_own).collect();
    entries::among(program, &own, entries)
}

/// `main`, when the program has the names that verification tasks use, or is to be seen as one. There `reach_error`
/// is a function like any other, and it always fails, so only runs from `main` count.
fn main_of_task(program: &Program, is_given: bool) -> Option<FuncId> {
    let main = program.function_named("main")?;
    program.function(main).body.as_ref()?;
    let is_task = program
        .functions
        .iter()
        .any(|function| function.name == "reach_error" || function.name.starts_with("__VERIFIER_"));
    (is_given || is_task).then_some(main)
}

/// The unit in whose file a function was written, or in a header of it where the file itself has none: there are
/// libraries that are one header, and a file that includes it is their code.
pub(super) fn unit_of<'a>(
    program: &Program,
    function: FuncId,
    units: &'a [Unit],
) -> Option<&'a Unit> {
    let span = program.function(subject(program, function)).span;
    unit_at(program, span, units).or_else(|| {
        let file = program.files.get(span.file.index()).filter(|_| !span.is_nowhere())?;
        let [only] = units else { return None };
        let mut defined = program.functions.iter().filter(|function| function.body.is_some());
        let is_header = file.origin == FileOrigin::User && !program.is_in_model(span);
        let is_its_code =
            is_header && !defined.any(|own| unit_at(program, own.span, units).is_some());
        is_its_code.then_some(only)
    })
}

/// The unit whose file a place is in.
fn unit_at<'a>(program: &Program, span: Span, units: &'a [Unit]) -> Option<&'a Unit> {
    if span.is_nowhere() {
        return None;
    }
    let file = program.files.get(span.file.index())?;
    // Preprocessed input names the original file in its line markers.
    let is_preprocessed = |path: &Path| path.extension().is_some_and(|e| e == "i");
    let is_model = program.is_in_model(span);
    let named = units.iter().find(|unit| unit.path == Path::new(&file.path));
    named.or_else(|| units.iter().find(|unit| is_preprocessed(&unit.path) && !is_model))
}
