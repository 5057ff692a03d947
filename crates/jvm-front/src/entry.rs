//! From a class path and a wish to a program.

use std::collections::BTreeSet;
use std::rc::Rc;

use glassbox_ir::{FuncId, GlobalId, Program};
use glassbox_testcase::recipe::{Harness, MethodRecipe, Recipes};

use crate::classpath::ClassPath;
use crate::descriptor::{Signature, Type};
use crate::diagnostics::Diagnostic;
use crate::harness::PlannedHarness;
use crate::influence::{Analysis, Influences};
use crate::lower::{
    Beginnings, ContractMethod, ErrorOrigin, FoundContract, Handlers, Lowered, lower,
};
use crate::mutant::{FoundMutant, LoweredMutant, MutantMethod};
use crate::reach::{Options, Properties, Reached, SiteKey};
use crate::selection::{no_method, select_classes, select_entries};
use crate::world::{MethodRef, Shape, TypeRef, World};

/// Which methods to work on.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Class names with dots or slashes; empty: all classes that were named or found.
    pub classes: Vec<String>,
    /// Classes that cannot be read are left out, as where none are named.
    pub skips_unreadable: bool,
    /// Method names, with or without a descriptor (`gcd` or `gcd(II)I`); empty: all with code.
    pub methods: Vec<String>,
    /// Methods that stand for contracts.
    pub contracts: Vec<ContractMethod>,
    /// Changed copies of methods.
    pub mutants: Vec<MutantMethod>,
}

/// Classes that are looked through for implementations of an input's type.
const MAX_OWN_CLASSES: usize = 500;

/// A translated program.
#[derive(Debug)]
pub struct JavaProgram {
    pub program: Program,
    /// The functions of the selected methods, in order; only they have external linkage.
    pub entries: Vec<FuncId>,
    /// Where properties are asked for: the same program in which exceptions are outcomes, without the functions
    /// that judge what leaves an entry.
    pub outcomes: Option<Program>,
    /// Functions that ask whether an object is of a class below which none is loaded.
    pub open_tests: BTreeSet<FuncId>,
    /// Functions that do nothing because they stand aside, or leave out a call of one.
    pub aside: BTreeSet<FuncId>,
    pub handlers: Handlers,
    /// Functions of the user that make lambdas.
    pub lambda_makers: BTreeSet<FuncId>,
    /// The selected methods that tests cannot call, but code out of sight may: what lambdas run that may be kept,
    /// and constructors of abstract and of inner classes.
    pub hidden: BTreeSet<FuncId>,
    /// Places whose errors only those functions judge.
    pub origins: Vec<ErrorOrigin>,
    /// How classes of the library are initialized.
    pub beginnings: Beginnings,
    /// Which of the selected methods may change what others read.
    pub influences: Influences,
    /// How tests can make objects.
    pub recipes: Recipes,
    /// The class files of the user's selected classes, by internal name.
    pub files: Vec<(String, Vec<u8>)>,
    /// By mutant of the selection; `None` where it is not there.
    pub mutants: Vec<Option<LoweredMutant>>,
    /// Classes of the paths that cannot be read, and why.
    pub skipped: Vec<Diagnostic>,
    /// Selected methods whose signatures name a class that is not there.
    pub absent: Vec<(FuncId, String)>,
}

/// Methods that make arguments by constructors and calls, where they are asked for.
fn plan_harnesses(
    reached: &mut Reached,
    analysis: &mut Analysis,
    entries: &[MethodRef],
    selection: &Selection,
) -> Vec<PlannedHarness> {
    let mut harnesses = Vec::new();
    if !reached.options.has_harnesses {
        return harnesses;
    }
    // Tests of the JDK's classes are in another package, from which little can be called.
    let is_near =
        |entry: &&MethodRef| world_owner(reached, **entry) != crate::classpath::Owner::Chosen;
    let near: Vec<MethodRef> = entries.iter().filter(is_near).copied().collect();
    for entry in near {
        let contract = reached.contract_of(entry, &selection.contracts);
        let called = contract.unwrap_or(entry);
        let planned = reached.plan_harnesses(analysis, called).into_iter();
        harnesses.extend(planned.map(|harness| harness.called_as(&reached.world, entry)));
    }
    harnesses
}

/// The chosen classes, with the methods that mutants add to them.
fn world_with_mutants(class_path: ClassPath, selection: &Selection) -> World {
    let mut class_path = class_path;
    for name in &selection.classes {
        class_path.choose(&name.replace('.', "/"));
    }
    let mut world = World::new(class_path);
    for mutant in &selection.mutants {
        world.add_method(&mutant.target.0, mutant.copy.clone());
        for (class, method) in &mutant.others {
            world.add_method(class, method.clone());
        }
    }
    world
}

/// Translates the selected methods and everything that they reach.
pub fn translate(
    class_path: ClassPath,
    selection: &Selection,
    options: Options,
) -> Result<JavaProgram, Diagnostic> {
    let mut world = world_with_mutants(class_path, selection);
    let mut skipped = Vec::new();
    let classes = select_classes(&mut world, selection, &mut skipped)?;
    let (entries, hidden) = select_entries(&mut world, &classes, selection, options);
    if entries.is_empty() {
        return Err(no_method(&world, &classes, selection));
    }
    let absent: Vec<Option<String>> =
        entries.iter().map(|&entry| crate::absent::absent(&mut world, entry)).collect();
    let files: Vec<(String, Vec<u8>)> =
        classes.iter().filter_map(|&class| world.own_file(class)).collect();
    let mut reached = Reached::new(world, options);
    reached.note_uses(&classes);
    let mut analysis = Analysis::default();
    let harnesses = plan_harnesses(&mut reached, &mut analysis, &entries, selection);
    for &entry in &entries {
        reached.add_entry(entry);
    }
    reached.add_contracts(&selection.contracts);
    let mutants = reached.add_mutants(&selection.mutants);
    for harness in &harnesses {
        reached.add_entry(harness.function);
        reached.add_method(harness.setup);
    }
    reached.close();
    crate::condition::refuse(&mut reached, &selection.contracts)?;
    let effects: Vec<_> =
        entries.iter().map(|&entry| (entry, analysis.effects(&mut reached, entry))).collect();
    let classes = crate::recipe::classes(&reached.world);
    let visibilities: Vec<_> = entries
        .iter()
        .map(|&entry| crate::recipe::method_visibility(&reached.world, entry))
        .collect();
    let stand_ins = std::mem::take(&mut reached.stand_ins.recipes);
    let contracts = reached.found_contracts(&selection.contracts);
    let mut starts = entries.clone();
    starts.extend(harnesses.iter().flat_map(|harness| [harness.function, harness.setup]));
    starts.extend(contracts.iter().map(|contract| contract.harness));
    starts.extend(contracts.iter().flat_map(|contract| &contract.relations));
    starts.extend(mutants.iter().flatten().flat_map(FoundMutant::starts));
    let n_entries = entries.len();
    let names: Vec<String> =
        harnesses.iter().map(|harness| reached.world.info(harness.class).dotted_name()).collect();
    let Lowered {
        program,
        entries: mut functions,
        outcomes,
        open_tests,
        aside,
        handlers,
        lambda_makers,
        origins,
        beginnings,
        mutants,
    } = lower(reached, &starts, &contracts, &mutants);
    let mut made = functions.split_off(n_entries.min(functions.len()));
    made.truncate(harnesses.len() * 2);
    let mut recipes = Vec::new();
    for ((harness, pair), name) in harnesses.into_iter().zip(made.chunks(2)).zip(names) {
        let target = entries.iter().position(|&entry| entry == harness.target);
        if let (Some(target), &[function, setup]) = (target, pair) {
            recipes.extend(harness_recipe(
                &program,
                harness,
                &name,
                functions[target],
                function,
                setup,
            ));
        }
    }
    let is_hidden = |(entry, _): &(&MethodRef, &FuncId)| hidden.contains(entry);
    let hidden = entries.iter().zip(&functions).filter(is_hidden).map(|(_, &id)| id).collect();
    let entries = functions;
    let effects = entries.iter().zip(effects);
    let influences =
        Influences::new(effects.map(|(&function, (method, effects))| (function, method, effects)));
    let absent = entries.iter().zip(absent);
    let absent = absent.filter_map(|(&function, class)| Some((function, class?))).collect();
    let methods = entries.iter().zip(visibilities);
    let methods =
        methods.map(|(&function, visibility)| MethodRecipe { function, visibility }).collect();
    Ok(JavaProgram {
        program,
        entries,
        outcomes,
        open_tests,
        aside,
        handlers,
        lambda_makers,
        hidden,
        origins,
        beginnings,
        influences,
        recipes: Recipes { classes, methods, harnesses: recipes, stand_ins },
        files,
        mutants,
        skipped,
        absent,
    })
}

fn world_owner(reached: &Reached, method: MethodRef) -> crate::classpath::Owner {
    reached.world.info(method.class).owner
}

/// A harness as tests need it; `None` when its fields are not there.
fn harness_recipe(
    program: &Program,
    harness: PlannedHarness,
    class: &str,
    target: FuncId,
    function: FuncId,
    setup: FuncId,
) -> Option<Harness> {
    let global = |field: &str| {
        let name = format!("{class}.{field}");
        program.globals.iter().position(|global| global.name == name).map(GlobalId::new)
    };
    let place = |&position: &usize| Some((position, global(&format!("made{position}"))?));
    Some(Harness {
        target,
        function,
        setup,
        stage: global("stage")?,
        made: harness.made.iter().map(place).collect::<Option<_>>()?,
        receiver: harness.receiver,
        args: harness.args,
    })
}

impl Reached {
    /// The method of this class, name and descriptor.
    pub(crate) fn find(
        &mut self,
        (class, name, descriptor): &(String, String, String),
    ) -> Option<MethodRef> {
        let class = self.world.load(class).ok()?;
        self.world.declared_method(class, name, descriptor)
    }

    /// What stands for the contract of a method on objects, where its promises are checked.
    fn contract_of(
        &mut self,
        method: MethodRef,
        contracts: &[ContractMethod],
    ) -> Option<MethodRef> {
        let is_asked = self.options.properties != Properties::None;
        let is_static = self.world.method(method).access.is_static();
        let mut contracts = contracts.iter().filter(|_| is_asked && !is_static);
        let found = contracts.find(|contract| {
            contract.construction.is_none() && self.find(&contract.target) == Some(method)
        })?;
        self.find(&found.harness)
    }

    /// What stands for contracts is called from outside.
    fn add_contracts(&mut self, contracts: &[ContractMethod]) {
        for contract in contracts {
            for name in [&contract.harness].into_iter().chain(&contract.relations) {
                if let Some(method) = self.find(name) {
                    self.add_entry(method);
                }
            }
            if let Some(method) = contract.construction.as_ref().and_then(|made| self.find(made)) {
                self.add_method(method);
            }
            let has_properties = self.options.properties != Properties::None;
            let judge = contract.requirement.as_ref().filter(|_| has_properties);
            if let Some(method) = judge.and_then(|judge| self.find(&judge.method)) {
                self.add_method(method);
            }
        }
    }

    /// Finds copies of methods and what compares them, which is called from outside.
    fn add_mutants(&mut self, mutants: &[MutantMethod]) -> Vec<Option<FoundMutant>> {
        let mut found = Vec::new();
        for mutant in mutants {
            let (class, _, descriptor) = &mutant.target;
            let name = (class.clone(), mutant.copy.name.to_string(), descriptor.clone());
            let pair = self.find(&mutant.target).zip(self.find(&name));
            found.push(pair.map(|(target, copy)| {
                self.add_method(copy);
                let (alias, itself) = (self.find(&mutant.alias), self.find(&mutant.itself));
                alias.into_iter().chain(itself).for_each(|alias| self.add_method(alias));
                let comparison = mutant.comparison.as_ref().and_then(|name| self.find(name));
                comparison.into_iter().for_each(|comparison| self.add_entry(comparison));
                FoundMutant { target, copy, alias, itself, comparison, kind: mutant.kind }
            }));
        }
        found
    }

    fn found_contracts(&mut self, contracts: &[ContractMethod]) -> Vec<FoundContract> {
        let mut found = Vec::new();
        for contract in contracts {
            let (target, harness) = (self.find(&contract.target), self.find(&contract.harness));
            let (Some(target), Some(harness)) = (target, harness) else { continue };
            let construction = contract.construction.as_ref().and_then(|made| self.find(made));
            let requirement = contract.requirement.as_ref().and_then(|judge| {
                let method = self.find(&judge.method)?;
                Some((method, judge.message.clone()))
            });
            let relations = contract.relations.iter().filter_map(|name| self.find(name)).collect();
            found.push(FoundContract { target, harness, construction, requirement, relations });
        }
        found
    }

    /// A method that is called from outside, with any objects of its types.
    fn add_entry(&mut self, method: MethodRef) {
        self.initialize(method.class);
        self.add_method(method);
        let declared = self.world.method(method);
        let is_static = declared.access.is_static();
        let Some(signature) = Signature::parse(&declared.descriptor) else { return };
        // Objects of classes below that have a method of their own would run that.
        if !is_static && !declared.access.is_private() && &*declared.name != "<init>" {
            let (name, descriptor) = (Rc::clone(&declared.name), Rc::clone(&declared.descriptor));
            self.add_site(SiteKey { class: method.class, name, descriptor });
        }
        if !is_static {
            self.expect_input(&Type::Ref(Rc::clone(self.world.name(method.class))), 0);
        }
        for ty in &signature.params {
            self.expect_input(ty, 0);
        }
    }

    /// The classes that objects may have which come in where these types are expected, and what their fields refer
    /// to. Objects of the library that hold more than plain data are no inputs.
    pub(crate) fn classes_of_inputs(&self, types: Vec<Type>) -> Vec<TypeRef> {
        let world = &self.world;
        let mut found: Vec<TypeRef> = Vec::new();
        let mut seen: BTreeSet<Rc<str>> = BTreeSet::new();
        let mut open = types;
        while let Some(ty) = open.pop() {
            let Type::Ref(name) = ty else { continue };
            let Some(known) = world.known(&name).filter(|_| seen.insert(Rc::clone(&name))) else {
                continue;
            };
            if let Shape::Array(element) = &world.info(known).shape {
                open.push(element.clone());
                continue;
            }
            for &class in self.instantiated.iter().filter(|&&class| world.is_subtype(class, known))
            {
                let info = world.info(class);
                let has_fields = info.owner.is_own() || self.is_stand_in(class);
                if found.contains(&class)
                    || !(has_fields || crate::library::is_plain_data(&info.name))
                {
                    continue;
                }
                found.push(class);
                let mut at = Some(class).filter(|_| has_fields);
                while let Some(class) = at {
                    let file = world.info(class).class();
                    let fields = file.into_iter().flat_map(|file| &file.fields);
                    let fields = fields.filter(|field| !field.access.is_static());
                    open.extend(fields.filter_map(|field| Type::parse(&field.descriptor)));
                    at = world.info(class).superclass;
                }
            }
        }
        found.sort_unstable_by_key(|class| self.instantiated.iter().position(|it| it == class));
        found
    }

    /// Classes of the user below an input's type are possible inputs too.
    fn expect_implementations(&mut self, class: TypeRef, depth: usize) {
        let own: Vec<String> = self.world.class_path().own_classes().to_vec();
        for name in own.iter().take(MAX_OWN_CLASSES) {
            if let Ok(other) = self.world.load(name)
                && other != class
                && self.world.is_subtype(other, class)
            {
                self.expect_input(&Type::Ref(name.as_str().into()), depth + 1);
            }
        }
    }

    /// Code of the user asks whether objects are of this type: such ones should come from outside, too.
    pub(crate) fn expect_tested(&mut self, name: &str) {
        let Ok(class) = self.world.load(name) else { return };
        let info = self.world.info(class);
        let Some(file) = info.class() else { return };
        let is_plain = name != "java/lang/Object" && crate::library::is_plain_data(name);
        let (is_own, is_abstract) = (info.owner.is_own(), file.access.is_abstract());
        if is_plain || (is_own && !is_abstract) {
            self.expect_input(&Type::Ref(name.into()), 0);
        } else if is_own {
            // What implements a type of the library is much of the library, with initializers that are beside the point.
            self.expect_implementations(class, 0);
        }
    }

    /// Objects of this type, and what their fields refer to, may come from outside.
    fn expect_input(&mut self, ty: &Type, depth: usize) {
        let Type::Ref(name) = ty else { return };
        let Ok(class) = self.world.load(name) else { return };
        if depth > 8 || self.is_instantiated(class) {
            return;
        }
        match self.world.info(class).shape.clone() {
            Shape::Array(element) => {
                self.instantiate(class);
                self.expect_input(&element, depth + 1);
            }
            Shape::Class(file) => {
                if &**name == "java/lang/String" {
                    self.use_strings();
                }
                if !file.access.is_abstract() {
                    self.instantiate(class);
                    self.initialize(class);
                }
                for ty in self.stand_in_for(class).unwrap_or_default() {
                    self.expect_input(&ty, depth + 1);
                }
                let is_user = self.world.info(class).owner.is_own();
                if is_user && !file.access.is_final() {
                    self.expect_implementations(class, depth);
                }
                if is_user {
                    for field in &file.fields {
                        if !field.access.is_static()
                            && let Some(ty) = Type::parse(&field.descriptor)
                        {
                            self.expect_input(&ty, depth + 1);
                        }
                    }
                }
            }
        }
    }
}
