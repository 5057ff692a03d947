//! Contracts of Java methods: clauses of glassbox.toml are Java expressions, compiled by `javac` into methods that
//! assume what is required, call the method and check what is promised.
//!
//! The compiler sees copies of the classes whose members are public, since contracts speak of private fields; the
//! program has the classes as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use glassbox_contract::mapping::Mapping;
use glassbox_contract::{Behavior, Clause, ClauseKind, Config, Contract};
use glassbox_jvm_front::classfile::{Access, ClassFile};
use glassbox_jvm_front::descriptor::Signature;
use glassbox_jvm_front::world::{TypeRef, World};
use glassbox_jvm_front::{CONTRACTS, ClassPath, ContractMethod, Requirement, opened};
use glassbox_replay::ReplayError;
use glassbox_replay::java::Jdk;

use super::expression::rewrite;
use super::made_method::{
    declared as declared_as, descriptor, judge_descriptor, relation_descriptor,
};
use super::mutants::Mutants;
use super::relation::{self, Related, Relation};
use super::relation_runtime::{ELEMENTS, runtime};
use super::subject::{Subject, subject, type_text};
use crate::language::Refusal;
use crate::save::temporary_folder;

/// Contracts that were compiled.
#[derive(Debug)]
pub(super) struct Contracts {
    pub(super) config: Config,
    /// Where the compiled methods are, if there are any.
    pub(super) folder: Option<tempfile::TempDir>,
    pub(super) methods: Vec<ContractMethod>,
    /// Methods whose contracts are nothing but invariants of their classes, by the function's name.
    pub(super) only_invariants: BTreeSet<String>,
    /// Methods whose annotations say what does not compile.
    pub(super) left_out: BTreeSet<String>,
    pub(super) relations: Vec<NamedRelation>,
}

/// A relation between calls with the method that it became.
#[derive(Debug)]
pub(super) struct NamedRelation {
    pub(super) name: String,
    /// The method that it is about.
    pub(super) method: String,
    /// Its parameters.
    pub(super) declared: String,
    pub(super) relation: Relation,
}

/// Which annotations are read.
#[derive(Debug, Default)]
struct Annotated {
    is_nothing: bool,
    /// Methods whose annotations are not.
    left_out: BTreeSet<String>,
    /// Methods whose contracts the compiler refused.
    refused: BTreeSet<String>,
}

/// Compilers stop after so many errors that more may come to light; how often that is looked at.
const MAX_ROUNDS: usize = 5;

impl Contracts {
    /// Clauses of annotations stand in sources: `moved` says where those are that class files name by package.
    pub(super) fn follow(&mut self, moved: &BTreeMap<String, String>) {
        let clauses = self.config.contracts.iter_mut().flat_map(|contract| &mut contract.clauses);
        for declared in clauses.filter_map(|clause| clause.declared.as_mut()) {
            if let Some(path) = moved.get(&declared.path) {
                declared.path.clone_from(path);
            }
        }
    }
}

/// What class files call constructors.
pub(super) const CONSTRUCTOR: &str = "<init>";

const RUNTIME: &str =
    "  static void assume(boolean holds, int line, int column, String text, String path) {}
  static void ensure(boolean holds, int line, int column, String text, String path) {}
  static void relation(boolean holds, int line, int column, String text, String path) {}
  static void begin(String type) {}
  static boolean forall(int low, int high, java.util.function.IntPredicate each) {
    for (int i = low; i < high; i++) if (!each.test(i)) return false;
    return true;
  }
  static boolean exists(int low, int high, java.util.function.IntPredicate each) {
    for (int i = low; i < high; i++) if (each.test(i)) return true;
    return false;
  }
";

/// Compiles the contracts of a file and those that annotations say; `paths` are where the classes are.
pub(super) fn compile(
    jdk: &Jdk,
    config: Option<Config>,
    paths: &[PathBuf],
    behind: &[PathBuf],
    mutants: &mut Mutants,
) -> Result<Option<Contracts>, Refusal> {
    let has_file = config.is_some();
    let config = config.unwrap_or_else(|| Config {
        path: "annotations".to_owned(),
        text: String::new(),
        is_near: false,
        contracts: Vec::new(),
        stubs: Vec::new(),
        classes: Vec::new(),
        defaults: Vec::new(),
        rules: Mapping::default(),
    });
    let mut annotated = Annotated::default();
    let mut compiled = compile_some(jdk, config.clone(), (paths, behind), &mut annotated, mutants);
    // Annotations may speak of types that code out of the class cannot name, or be about something else.
    for _ in 0..MAX_ROUNDS {
        let refused = std::mem::take(&mut annotated.refused);
        let n_before = annotated.left_out.len();
        annotated.left_out.extend(refused);
        if compiled.is_ok() || annotated.left_out.len() == n_before {
            break;
        }
        compiled = compile_some(jdk, config.clone(), (paths, behind), &mut annotated, mutants);
    }
    let mut compiled = match compiled {
        Ok(compiled) => compiled,
        Err(_) => {
            annotated.is_nothing = true;
            annotated.left_out = BTreeSet::from(["all methods".to_owned()]);
            compile_some(jdk, config, (paths, behind), &mut annotated, mutants)?
        }
    };
    compiled.left_out = annotated.left_out;
    let is_something =
        !compiled.methods.is_empty() || !compiled.left_out.is_empty() || !mutants.made.is_empty();
    Ok(Some(compiled).filter(|_| has_file || is_something))
}

/// Where a contract begins, as messages show it.
fn place_of(config: &Config, contract: &Contract) -> String {
    let (line, column) = config.place(contract.name.start);
    format!("{}:{line}:{column}", config.path)
}

/// A contract of a method that is not there.
fn missing(config: &Config, contract: &Contract) -> Refusal {
    let (place, name) = (place_of(config, contract), &contract.function);
    Refusal(format!("{place}: error: no method `{name}` is here\n"))
}

/// The class of a package that has the methods for contracts.
fn class_in(package: &str) -> String {
    if package.is_empty() { CONTRACTS.to_owned() } else { format!("{package}/{CONTRACTS}") }
}

/// Copies of classes whose members are all public.
fn write_opened(world: &mut World, classes: &[TypeRef], folder: &Path) -> Result<(), Refusal> {
    for &class in classes {
        if let Some((name, bytes)) = world.own_file(class)
            && let Ok(bytes) = opened(&bytes)
        {
            write(&folder.join(format!("{name}.class")), &bytes)?;
        }
    }
    Ok(())
}

/// Relations as methods of the source, each with a name.
fn named(
    relations: Vec<Relation>,
    subject: &Subject,
    number: usize,
    source: &mut String,
) -> Vec<NamedRelation> {
    let named = relations.into_iter().enumerate().map(|(at, relation)| {
        let name = format!("x{number}_{}", at + 1);
        let declared = declared_as(subject);
        let text = relation::method(&declared, &name, &relation.body);
        let _ = write!(source, "  static {text}");
        NamedRelation { name, method: subject.method.name.to_string(), declared, relation }
    });
    named.collect()
}

fn compile_some(
    jdk: &Jdk,
    mut config: Config,
    (paths, behind): (&[PathBuf], &[PathBuf]),
    annotated: &mut Annotated,
    mutants: &mut Mutants,
) -> Result<Contracts, Refusal> {
    let class_path = ClassPath::new(paths, behind, Some(jdk.home.as_path()))
        .map_err(|diagnostic| Refusal(format!("{diagnostic}\n")))?;
    let mut world = World::new(class_path);
    let own: Vec<String> = world.class_path().own_classes().to_vec();
    let folder = temporary_folder().map_err(Refusal::error)?;
    let open_classes = folder.path().join("open");
    let mut classes: Vec<Rc<ClassFile>> = Vec::new();
    let loaded: Vec<_> = own.iter().filter_map(|name| world.load(name).ok()).collect();
    classes.extend(loaded.iter().filter_map(|&class| world.info(class).class().cloned()));
    let mut declared = super::annotation::contracts(&classes);
    declared.retain(|one| !annotated.is_nothing && !annotated.left_out.contains(&one.function));
    let is_nothing =
        config.contracts.is_empty() && config.classes.is_empty() && declared.is_empty();
    if is_nothing && !mutants.is_asked() {
        let (methods, only_invariants) = (Vec::new(), BTreeSet::new());
        let left_out = BTreeSet::new();
        let (folder, relations) = (None, Vec::new());
        return Ok(Contracts { config, folder, methods, only_invariants, left_out, relations });
    }
    write_opened(&mut world, &loaded, &open_classes)?;
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    let mut methods = Vec::new();
    let mut related_calls = Vec::new();
    let mut contracts = std::mem::take(&mut config.contracts);
    // They say nothing about the states of objects, as little as invariants do.
    let n_explicit = contracts.len();
    for contract in declared {
        add_clauses(&classes, contract, &mut contracts);
    }
    // Invariants may be broken while methods of the class call each other: only what contracts of methods require
    // is asked of every call.
    let required: Vec<Vec<Clause>> = contracts.iter().map(requirements).collect();
    let mut only_invariants = BTreeSet::new();
    for invariant in &config.classes {
        add_invariant(&classes, invariant, &mut contracts);
    }
    let names: Vec<String> = contracts.iter().map(|one| one.function.clone()).collect();
    for (number, contract) in contracts.iter_mut().enumerate() {
        let Some(subject) = subject(&classes, &contract.function) else {
            if config.is_near && number < n_explicit {
                return Err(missing(&config, contract));
            }
            continue;
        };
        let package = subject.class.name.rsplit_once('/').map_or("", |(package, _)| package);
        let source = sources.entry(package.to_owned()).or_default();
        let name = format!("h{number}");
        let required = required.get(number).map_or(&[][..], Vec::as_slice);
        let judge = judge(required, &subject, &format!("r{number}"));
        let all_required = requirements(contract);
        let related = Related {
            required: &all_required,
            judge: judge.as_ref().map(|_| format!("r{number}")),
            classes: &classes,
            find: &|name| super::subject::subject(&classes, name),
        };
        let relations = relation::relations(&config, contract, &subject, related)?;
        source.push_str(&harness(&config, contract, &subject, &name)?);
        let own_relations = named(relations, &subject, number, source);
        source.push_str(judge.as_ref().map_or("", |(text, _)| text));
        let made = class_in(package);
        let requirement = judge.map(|(_, message)| Requirement {
            method: (made.clone(), format!("r{number}"), judge_descriptor(&subject)),
            message,
        });
        let construction = (&*subject.method.name == CONSTRUCTOR)
            .then(|| (made.clone(), format!("c{name}"), descriptor(&subject)));
        let relation_name =
            |it: &NamedRelation| (made.clone(), it.name.clone(), relation_descriptor(&subject));
        methods.push(ContractMethod {
            relations: own_relations.iter().map(relation_name).collect(),
            place: place_of(&config, contract),
            requirement,
            construction,
            target: (
                subject.class.name.to_string(),
                subject.method.name.to_string(),
                subject.method.descriptor.to_string(),
            ),
            harness: (made, name, descriptor(&subject)),
        });
        related_calls.extend(own_relations);
        let class = subject.class.name.replace('/', ".");
        contract.function = format!("{class}.{}{}", subject.method.name, subject.method.descriptor);
        if number >= n_explicit {
            only_invariants.insert(contract.function.clone());
        }
    }
    config.contracts = contracts;
    mutants.write(&config, &classes, &mut sources)?;
    let mut parts = vec![open_classes.display().to_string()];
    parts.extend(paths.iter().chain(behind).map(|path| path.display().to_string()));
    let built = build(jdk, &config, folder.path(), &sources, &parts.join(":"));
    built.map_err(|(refusal, wrong)| {
        annotated.refused = wrong.into_iter().filter_map(|at| names.get(at).cloned()).collect();
        refusal
    })?;
    let left_out = BTreeSet::new();
    let (folder, relations) = (Some(folder), related_calls);
    Ok(Contracts { config, folder, methods, only_invariants, left_out, relations })
}

/// Compiles the text of contracts; with a refusal come the numbers of those that are wrong.
fn build(
    jdk: &Jdk,
    config: &Config,
    folder: &Path,
    sources: &BTreeMap<String, String>,
    class_path: &str,
) -> Result<(), (Refusal, BTreeSet<usize>)> {
    let files = write_sources(folder, sources).map_err(|refusal| (refusal, BTreeSet::new()))?;
    let made = folder.join("classes");
    std::fs::create_dir_all(&made).map_err(|error| (Refusal::error(error), BTreeSet::new()))?;
    let compiled = jdk.compile(&files, class_path, &made);
    compiled.map_err(|error| match error {
        ReplayError::DoesNotCompile(output) => {
            let what = format!("{}: error: a contract does not compile\n{output}", config.path);
            (Refusal(what), refused(&files, &output))
        }
        ReplayError::Io(..) => (Refusal::error(error), BTreeSet::new()),
    })
}

/// The numbers of the contracts that a compiler complains about: their methods are called `h3`, `ch3`, `r3` and `x3_1`, and each
/// begins on a line of its own.
fn refused(files: &[PathBuf], output: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        // The compiler is given the whole path.
        let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        let shown = format!("{}:", whole.display());
        for complaint in output.lines().filter_map(|line| line.strip_prefix(&shown)) {
            let line = complaint.split(':').next().and_then(|line| line.parse::<usize>().ok());
            let above = line.and_then(|line| lines.get(..line)).unwrap_or_default();
            let number = above.iter().rev().find_map(|line| {
                let before = line.strip_prefix("  static ")?.split_once('(')?.0;
                let name = before.rsplit(' ').next()?;
                let number = name.trim_start_matches(['c', 'h', 'r', 'x']);
                number.split('_').next()?.parse::<usize>().ok()
            });
            found.extend(number);
        }
    }
    found
}

/// Adds clauses to the contract that a method has already, or the contract as its first one.
fn add_clauses(classes: &[Rc<ClassFile>], contract: Contract, contracts: &mut Vec<Contract>) {
    let Some(own) = subject(classes, &contract.function) else { return };
    let is_this = |known: &&mut Contract| {
        subject(classes, &known.function).is_some_and(|known| {
            known.class.name == own.class.name
                && known.method.name == own.method.name
                && known.method.descriptor == own.method.descriptor
        })
    };
    match contracts.iter_mut().find(is_this) {
        Some(known) => known.clauses.extend(contract.clauses),
        None => contracts.push(contract),
    }
}

/// Every method that is called on an object of the class requires its invariants and keeps them; constructors
/// establish them.
fn add_invariant(classes: &[Rc<ClassFile>], invariant: &Contract, contracts: &mut Vec<Contract>) {
    let is_it = |class: &&Rc<ClassFile>| {
        let dotted = class.name.replace(['/', '$'], ".");
        dotted == invariant.function || dotted.ends_with(&format!(".{}", invariant.function))
    };
    let Some(class) = classes.iter().find(is_it) else { return };
    let required = invariant.clauses.iter().map(|clause| match &clause.kind {
        ClauseKind::Ensure(text) => {
            Clause { kind: ClauseKind::Require(text.clone()), ..clause.clone() }
        }
        ClauseKind::Require(_)
        | ClauseKind::Range { .. }
        | ClauseKind::Length { .. }
        | ClauseKind::Separate(_)
        | ClauseKind::Assigns(_) => clause.clone(),
    });
    let required: Vec<Clause> = required.collect();
    for method in &class.methods {
        let is_constructor = &*method.name == CONSTRUCTOR;
        let is_made = (method.name.starts_with('<') && !is_constructor)
            || (is_constructor && class.access.is_abstract())
            || method.access.has(Access::SYNTHETIC)
            || method.access.is_static()
            || method.access.is_abstract();
        let required = if is_constructor { &[][..] } else { &required[..] };
        let Some(signature) = Signature::parse(&method.descriptor).filter(|_| !is_made) else {
            continue;
        };
        let types: Vec<String> = signature.params.iter().map(type_text).collect();
        let name = class.name.replace(['/', '$'], ".");
        let function = format!("{name}.{}({})", method.name, types.join(", "));
        let is_this = |contract: &&mut Contract| {
            subject(classes, &contract.function).is_some_and(|subject| {
                subject.class.name == class.name
                    && subject.method.name == method.name
                    && subject.method.descriptor == method.descriptor
            })
        };
        if let Some(known) = contracts.iter_mut().find(is_this) {
            known.clauses.splice(0..0, required.iter().cloned());
            known.clauses.extend(invariant.clauses.iter().cloned());
        } else {
            let clauses = required.iter().chain(&invariant.clauses).cloned().collect();
            let contract = Contract::empty(&function, invariant.name.clone());
            contracts.push(Contract { clauses, ..contract });
        }
    }
}

/// Writes what contracts became, by package.
fn write_sources(
    folder: &Path,
    sources: &BTreeMap<String, String>,
) -> Result<Vec<PathBuf>, Refusal> {
    let mut files = Vec::new();
    for (package, text) in sources {
        let file = folder.join("src").join(package).join(format!("{CONTRACTS}.java"));
        let header = match package.as_str() {
            "" => String::new(),
            package => format!("package {};\n", package.replace('/', ".")),
        };
        let has_elements =
            ["glassbox$p", "glassbox$same", "glassbox$keep"].iter().any(|name| text.contains(name));
        let elements = if has_elements { runtime(ELEMENTS) } else { String::new() };
        let text = format!("{header}final class {CONTRACTS} {{\n{RUNTIME}{elements}{text}}}\n");
        write(&file, text.as_bytes())?;
        files.push(file);
    }
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(Refusal::error)?;
    std::fs::write(path, bytes).map_err(Refusal::error)
}

/// The end of a method that has a result.
const RETURN: &str = "    return result;\n";

/// The text of the method that stands for a contract.
pub(super) fn harness(
    config: &Config,
    contract: &Contract,
    subject: &Subject,
    name: &str,
) -> Result<String, Refusal> {
    let declared = declared_as(subject);
    let result = subject.result.as_deref().unwrap_or("void");
    let mut text = format!("  static {result} {name}({declared}) throws Throwable {{\n");
    let known: BTreeSet<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
    let mut old = Vec::new();
    let (mut ensures, mut invariants) = (String::new(), String::new());
    for (number, clause) in contract.clauses.iter().enumerate() {
        let (kind, expression) = match &clause.kind {
            ClauseKind::Require(expression) => ("assume", expression),
            ClauseKind::Ensure(expression) => ("ensure", expression),
            ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Assigns(_) => {
                let (line, column) = config.place(clause.offset);
                let what = "`range`, `length`, `separate` and `assigns` are about C: say `require` and `ensure`";
                let path = &config.path;
                return Err(Refusal(format!("{path}:{line}:{column}: error: {what}\n")));
            }
        };
        // What a case promises is promised of calls before which it applies.
        let behavior = clause.behavior.and_then(|it| contract.behaviors.get(it));
        let expression = match behavior {
            Some(behavior) => &format!("!old({}) || ({expression})", java_condition(behavior)),
            None => expression,
        };
        let expression = rewrite(expression, &subject.members, &known, &mut old);
        let line = evaluation(config, clause, kind, number, &expression);
        if kind == "assume" {
            text.push_str(&line)
        } else {
            ensures.push_str(&line)
        }
        // What is required and promised at one place is an invariant: it is kept by methods that fail, too.
        let is_invariant = contract.clauses.iter().any(|other| {
            other.offset == clause.offset && matches!(other.kind, ClauseKind::Require(_))
        });
        if kind == "ensure" && is_invariant {
            invariants.push_str(&line);
        }
    }
    for (number, expression) in old.iter().enumerate() {
        let _ = writeln!(text, "    var glassbox$old{number} = ({expression});");
    }
    let args: Vec<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
    let is_static = subject.method.access.is_static();
    let (receiver, args) = if is_static {
        (subject.class.name.replace(['/', '$'], "."), &args[..])
    } else {
        ("self".to_owned(), &args[1..])
    };
    // Code cannot run a constructor on an object: a method stands for it.
    let call = match &*subject.method.name {
        CONSTRUCTOR => {
            let all: Vec<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
            format!("c{name}({})", all.join(", "))
        }
        method => format!("{receiver}.{method}({})", args.join(", ")),
    };
    let (declared_result, call, end) = match &subject.result {
        Some(ty) => (format!("    {ty} result;\n"), format!("result = {call};"), RETURN),
        None => (String::new(), format!("{call};"), ""),
    };
    let call = if invariants.is_empty() {
        format!("    {call}\n")
    } else {
        let leave = "throw glassbox$thrown;";
        format!(
            "    try {{ {call} }} catch (Throwable glassbox$thrown) {{\n{invariants}    {leave} }}\n"
        )
    };
    let _ = writeln!(text, "{declared_result}{call}{ensures}{end}  }}");
    if &*subject.method.name == CONSTRUCTOR {
        let _ = writeln!(text, "  static void c{name}({declared}) {{}}");
    }
    Ok(text)
}

/// Statements that assume what clauses require.
pub(super) fn assumed(config: &Config, clauses: &[Clause], subject: &Subject) -> String {
    let known: BTreeSet<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
    let mut out = String::new();
    for (number, clause) in clauses.iter().enumerate() {
        if let ClauseKind::Require(text) = &clause.kind {
            let expression = rewrite(text, &subject.members, &known, &mut Vec::new());
            out.push_str(&evaluation(config, clause, "assume", number, &expression));
        }
    }
    out
}

/// A case without assumptions always applies.
fn java_condition(behavior: &Behavior) -> String {
    if behavior.assumes.is_empty() { "(true)".to_owned() } else { behavior.condition() }
}

/// What a contract requires.
pub(super) fn requirements(contract: &Contract) -> Vec<Clause> {
    let is_one = |clause: &&Clause| matches!(clause.kind, ClauseKind::Require(_));
    contract.clauses.iter().filter(is_one).cloned().collect()
}

/// The text of the method that says whether a call is as the clauses require, and what they require in words.
fn judge(clauses: &[Clause], subject: &Subject, name: &str) -> Option<(String, String)> {
    let declared = declared_as(subject);
    let known: BTreeSet<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
    let texts = clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Require(text) => Some(text.as_str()),
        ClauseKind::Ensure(_)
        | ClauseKind::Range { .. }
        | ClauseKind::Length { .. }
        | ClauseKind::Separate(_)
        | ClauseKind::Assigns(_) => None,
    });
    let texts: Vec<&str> = texts.collect();
    if texts.is_empty() {
        return None;
    }
    let conditions: Vec<String> = texts
        .iter()
        .map(|text| format!("({})", rewrite(text, &subject.members, &known, &mut Vec::new())))
        .collect();
    let conditions = conditions.join(" && ");
    // What cannot be evaluated does not hold.
    let text = format!(
        "  static boolean {name}({declared}) {{\n    try {{ return {conditions}; }} \
         catch (RuntimeException glassbox$e) {{ return false; }}\n  }}\n"
    );
    let message = format!("what `{}` requires holds: {}", subject.method.name, texts.join(", "));
    Some((text, message))
}

/// A clause that cannot be evaluated does not hold.
fn evaluation(
    config: &Config,
    clause: &Clause,
    kind: &str,
    number: usize,
    expression: &str,
) -> String {
    let (path, line, column) = config.stands_at(clause);
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (shown, path) = (format!("{:?}", one_line(&clause.shown)), format!("{path:?}"));
    let holds = format!("glassbox$holds{number}");
    let expression = one_line(expression);
    format!(
        "    boolean {holds}; try {{ {holds} = {expression}; }} catch (RuntimeException glassbox$e) {{ {holds} = false; }}\n    \
         {kind}({holds}, {line}, {column}, {shown}, {path});\n"
    )
}
