//! What a program can reach: rapid type analysis from the entry methods.
//!
//! A method is reached when code that is reached names it, or when it is what an instantiated class runs
//! for a virtual call that is reached (Bacon and Sweeney, OOPSLA 1996). The result is closed: lowering
//! needs no class that is not loaded here. Beyond a cap on methods nothing is decoded; such methods
//! become `Unsupported`.

pub(crate) mod dynamic;
mod lambda;
mod pattern;
mod record;
mod scan;
mod stand_in;

pub(crate) use scan::{Target, array_of};
use stand_in::StandIns;

use std::rc::Rc;

use glassbox_library::environment::JavaAssertions;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::classfile::insn::Code;
use crate::classpath::Owner;
use crate::descriptor::{Signature, Type};
use crate::library::{self, Intrinsic, MODELS, Model, Thrower, model_of};
use crate::world::{FieldRef, MethodRef, TypeRef, World};

/// What clocks, processors and settings of the JVM are taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surroundings {
    /// Anything: a run that depends on them is not followed.
    Unknown,
    /// The same in every run: the clock stands still, there is one processor. For showing one run.
    Imitated,
}

/// Limits and wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Methods that are translated at most.
    pub max_methods: usize,
    /// Leave out messages of implicit exceptions that have to be computed: for symbolic execution,
    /// where formatting a number means many paths.
    pub plain_messages: bool,
    pub surroundings: Surroundings,
    /// Methods that make arguments by constructors and calls, for those whose inputs need it.
    pub has_harnesses: bool,
    pub assertions: JavaAssertions,
    pub properties: Properties,
}

/// Which exceptions are errors of the program, so that the places where they begin get checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Properties {
    /// None: exceptions are outcomes.
    None,
    /// Those of the JVM itself, failing assertions, and those that the library throws.
    Errors,
    /// Those of `throw` statements, too.
    AllExceptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_methods: 8000,
            plain_messages: false,
            surroundings: Surroundings::Unknown,
            has_harnesses: false,
            assertions: JavaAssertions::default(),
            properties: Properties::None,
        }
    }
}

/// A virtual call as code names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SiteKey {
    pub(crate) class: TypeRef,
    pub(crate) name: Rc<str>,
    pub(crate) descriptor: Rc<str>,
}

#[derive(Debug, Default)]
pub(crate) struct Site {
    /// What each instantiated class below the key's runs.
    pub(crate) targets: Vec<(TypeRef, MethodRef)>,
}

/// How a reached method is to be translated.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    Code(Rc<Code>),
    Model(Model),
    /// A static method with the same parameters.
    Replaced(MethodRef),
    /// Not translated, with the reason.
    Missing(Rc<str>),
}

/// The closed world.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) world: World,
    pub(crate) options: Options,
    /// In order of discovery.
    pub(crate) methods: Vec<(MethodRef, Source)>,
    pub(crate) method_set: FxHashSet<MethodRef>,
    pub(crate) instantiated: Vec<TypeRef>,
    instantiated_set: FxHashSet<TypeRef>,
    pub(crate) sites: Vec<(SiteKey, Site)>,
    site_ids: FxHashMap<SiteKey, usize>,
    /// Made methods for `invokedynamic`, by method and instruction.
    pub(crate) dynamic: FxHashMap<(MethodRef, usize), MethodRef>,
    initialized: FxHashSet<TypeRef>,
    pub(crate) uses_get_class: bool,
    /// Library code asks for the constants of enums that it knows by class objects only.
    pub(crate) uses_enum_constants: bool,
    /// Classes whose class objects code names.
    pub(crate) class_constants: FxHashSet<TypeRef>,
    pub(crate) stand_ins: StandIns,
    /// Classes of lambdas and method references.
    pub(crate) lambdas: FxHashSet<TypeRef>,
    n_made: usize,
    queue: Vec<MethodRef>,
}

impl Reached {
    pub(crate) fn new(world: World, options: Options) -> Reached {
        Reached {
            world,
            options,
            methods: Vec::new(),
            method_set: FxHashSet::default(),
            instantiated: Vec::new(),
            instantiated_set: FxHashSet::default(),
            sites: Vec::new(),
            site_ids: FxHashMap::default(),
            dynamic: FxHashMap::default(),
            initialized: FxHashSet::default(),
            uses_get_class: false,
            uses_enum_constants: false,
            class_constants: FxHashSet::default(),
            stand_ins: StandIns::default(),
            lambdas: FxHashSet::default(),
            n_made: 0,
            queue: Vec::new(),
        }
    }

    /// Follows everything that was added.
    pub(crate) fn close(&mut self) {
        let mut next = 0;
        while next < self.queue.len() || self.add_enum_constants() {
            let method = self.queue[next];
            next += 1;
            let source = self.source(method);
            match &source {
                Source::Code(code) => self.scan(method, &Rc::clone(code)),
                Source::Model(Model::Intrinsic(Intrinsic::OwnConstants)) => {
                    self.instantiate(method.class);
                }
                Source::Model(Model::Intrinsic(intrinsic)) => self.scan_intrinsic(*intrinsic),
                Source::Replaced(other) => self.add_method(*other),
                Source::Model(Model::Aside) => {
                    if let Some(class) = self.given_by_aside(method) {
                        self.instantiate(class);
                    }
                }
                Source::Model(_) | Source::Missing(_) => {}
            }
            self.methods.push((method, source));
        }
        self.queue.clear();
    }

    /// Adds what the constants of enums need whose class objects may be asked for them; whether there was
    /// something to add.
    fn add_enum_constants(&mut self) -> bool {
        if !self.uses_enum_constants {
            return false;
        }
        let n_before = self.queue.len();
        let types: Vec<TypeRef> = self.world.types().collect();
        for ty in types {
            let is_used = self.initialized.contains(&ty) || self.class_constants.contains(&ty);
            if is_used && let Some(values) = self.enum_values(ty) {
                self.initialize(ty);
                self.add_method(values);
            }
        }
        self.queue.len() > n_before
    }

    /// The JDK's own class for an access object.
    pub(crate) fn access_class(&mut self, intrinsic: Intrinsic) -> Option<TypeRef> {
        let (interface, names) = intrinsic.access_object()?;
        let interface = self.world.load(interface).ok()?;
        let classes = names.iter().filter_map(|name| self.world.load(name).ok());
        let classes: Vec<TypeRef> = classes.collect();
        classes.into_iter().find(|&class| self.world.is_subtype(class, interface))
    }

    /// The method `values()` of an enum.
    pub(crate) fn enum_values(&self, ty: TypeRef) -> Option<MethodRef> {
        let info = self.world.info(ty);
        let above = info.superclass.map(|above| &**self.world.name(above));
        if above != Some("java/lang/Enum") {
            return None;
        }
        self.world.declared_method(ty, "values", &format!("()[L{};", info.name))
    }

    fn source(&mut self, method: MethodRef) -> Source {
        if self.methods.len() >= self.options.max_methods {
            let cap = self.options.max_methods;
            return Source::Missing(format!("more than {cap} methods are reachable").into());
        }
        let info = self.world.info(method.class);
        let class = Rc::clone(info.class().expect("methods belong to classes"));
        let declared = &class.methods[method.index as usize];
        let is_library = info.owner != Owner::User;
        let above = info.superclass.map(|above| &**self.world.name(above));
        let is_enum = above == Some("java/lang/Enum");
        // Numbers and names of an enum's constants are its own.
        let is_own = is_enum && library::stands_aside(&class.name);
        let model = if is_own {
            None
        } else if is_library && &*class.name != MODELS {
            model_of(&class.name, &declared.name, &declared.descriptor)
        } else if self.stands_aside(method.class) {
            library::model_of_aside(&class.name, &declared.name)
        } else {
            None
        };
        // A clock that stands still would prove what is wrong.
        let model = model.map(|model| match (model, self.options.surroundings) {
            (Model::Surroundings(imitation), Surroundings::Imitated) => Model::Intrinsic(imitation),
            (model, _) => model,
        });
        // What the user named is run, wherever it leads.
        let is_chosen = info.owner == Owner::Chosen;
        let is_left_out = |model: &Model| matches!(model, Model::CutOff | Model::Aside);
        match model.filter(|model| !is_chosen || !is_left_out(model)) {
            Some(Model::Replace("outOfBoundsMessage")) if self.options.plain_messages => {
                return Source::Model(Model::Intrinsic(crate::library::Intrinsic::Zero));
            }
            Some(Model::Replace(name)) => return self.replacement(method, name),
            // Only who reads what it would set is stopped.
            Some(Model::CutOff) if &*declared.name == "<clinit>" => {
                return Source::Model(Model::Intrinsic(crate::library::Intrinsic::Zero));
            }
            Some(model) => return Source::Model(model),
            None => {}
        }
        match class.code(declared) {
            Ok(Some(code)) => Source::Code(code),
            Ok(None) if &*class.name == MODELS => match &*declared.name {
                "write" => Source::Model(Model::External("glassbox.write")),
                "writeError" => Source::Model(Model::External("glassbox.write_error")),
                "enumConstants" => Source::Model(Model::Intrinsic(Intrinsic::EnumConstants)),
                "formatBeyond" => Source::Missing("this format of String.format".into()),
                "propertyBeyond" => Source::Missing("this property of the JVM".into()),
                "randomBeyond" => Source::Missing("a random number without a seed".into()),
                _ => Source::Missing("upper and lower case beyond ASCII".into()),
            },
            Ok(None) => Source::Missing("a native method that is not modeled".into()),
            Err(error) => Source::Missing(error.to_string().into()),
        }
    }

    fn replacement(&mut self, method: MethodRef, name: &str) -> Source {
        let declared = self.world.method(method);
        let mut descriptor = declared.descriptor.to_string();
        if !declared.access.is_static() {
            let receiver = format!("(L{};", self.world.name(method.class));
            descriptor.replace_range(0..1, &receiver);
        }
        let models = self.world.load(MODELS);
        let found =
            models.ok().and_then(|models| self.world.declared_method(models, name, &descriptor));
        match found {
            Some(method) => Source::Replaced(method),
            None => Source::Model(Model::CutOff),
        }
    }

    /// Whether a static field has no value here, because the initializer of its class is not modeled, or makes constants
    /// of the class only.
    pub(crate) fn lacks_value(&self, field: FieldRef) -> bool {
        let info = self.world.info(field.class);
        let declared = self.world.field(field);
        if self.stands_aside(field.class) {
            let is_own = *declared.descriptor == format!("L{};", info.name);
            return !(is_own && declared.access.is_final());
        }
        info.owner == Owner::Library
            && info.name.as_ref() != MODELS
            && model_of(&info.name, "<clinit>", "()V") == Some(Model::CutOff)
    }

    /// Whether calls of a class's methods do nothing that the program sees, unless the class is what the user asked for.
    pub(crate) fn stands_aside(&self, class: TypeRef) -> bool {
        let info = self.world.info(class);
        match info.owner {
            Owner::Library => library::stands_aside(&info.name),
            Owner::Chosen => false,
            Owner::User => {
                let own = self.world.class_path().own_classes();
                library::is_logging_framework(&info.name)
                    && own.iter().all(|asked| **asked != *info.name)
            }
        }
    }

    /// Whether programs do not look into objects of a class.
    pub(crate) fn is_opaque(&self, class: TypeRef) -> bool {
        let info = self.world.info(class);
        let is_library = info.owner == Owner::Library && library::is_opaque(&info.name);
        is_library || self.stands_aside(class)
    }

    /// The class of the object that a method gives which stands aside.
    pub(crate) fn given_by_aside(&mut self, method: MethodRef) -> Option<TypeRef> {
        let signature = Signature::parse(&self.world.method(method).descriptor)?;
        let Some(Type::Ref(name)) = signature.result else { return None };
        let class = self.world.load(&name).ok()?;
        (self.world.info(class).class().is_some() && self.is_opaque(class)).then_some(class)
    }

    /// Whether all that a virtual call may run stands aside.
    pub(crate) fn all_stand_aside(&self, target: &Target) -> bool {
        let is_aside = |method: MethodRef| {
            let name = &self.world.method(method).name;
            let class = self.world.name(method.class);
            self.stands_aside(method.class)
                && library::model_of_aside(class, name) == Some(Model::Aside)
        };
        match target {
            Target::Direct(method) => is_aside(*method),
            Target::Virtual(key) => self.site(key).is_some_and(|site| {
                let targets = &self.sites[site].1.targets;
                !targets.is_empty() && targets.iter().all(|(_, method)| is_aside(*method))
            }),
        }
    }

    pub(crate) fn add_method(&mut self, method: MethodRef) {
        if self.method_set.insert(method) {
            self.queue.push(method);
        }
    }

    /// Objects of this type are made.
    pub(crate) fn instantiate(&mut self, ty: TypeRef) {
        if !self.instantiated_set.insert(ty) {
            return;
        }
        self.instantiated.push(ty);
        for site in 0..self.sites.len() {
            self.add_target(site, ty);
        }
    }

    pub(crate) fn is_instantiated(&self, ty: TypeRef) -> bool {
        self.instantiated_set.contains(&ty)
    }

    fn add_target(&mut self, site: usize, ty: TypeRef) {
        let key = &self.sites[site].0;
        if !self.world.is_subtype(ty, key.class) {
            return;
        }
        let found = self.world.select_virtual(ty, &key.name, &key.descriptor);
        if let Some(method) = found
            && (!self.world.method(method).access.is_abstract() || self.stands_aside(method.class))
        {
            self.sites[site].1.targets.push((ty, method));
            self.add_method(method);
        }
    }

    /// A virtual call of this method; the site's position.
    pub(crate) fn add_site(&mut self, key: SiteKey) -> usize {
        if let Some(&site) = self.site_ids.get(&key) {
            return site;
        }
        let site = self.sites.len();
        self.sites.push((key.clone(), Site::default()));
        self.site_ids.insert(key, site);
        for position in 0..self.instantiated.len() {
            self.add_target(site, self.instantiated[position]);
        }
        site
    }

    pub(crate) fn site(&self, key: &SiteKey) -> Option<usize> {
        self.site_ids.get(key).copied()
    }

    /// The class may be initialized: its initializer and those of what is initialized before it may run.
    pub(crate) fn initialize(&mut self, class: TypeRef) {
        let mut open = vec![class];
        while let Some(current) = open.pop() {
            if !self.initialized.insert(current) {
                continue;
            }
            if let Some(method) = self.world.initializer(current) {
                self.add_method(method);
                self.thrower(Thrower::InitializerFailed);
                self.thrower(Thrower::NoClassDef);
            }
            open.extend(self.world.initialized_before(current));
        }
    }

    /// The method that makes and throws an exception.
    pub(crate) fn thrower(&mut self, thrower: Thrower) {
        if let Some(method) = self.thrower_method(thrower) {
            self.add_method(method);
        }
    }

    pub(crate) fn thrower_method(&mut self, thrower: Thrower) -> Option<MethodRef> {
        let models = self.world.load(MODELS).ok()?;
        let (name, descriptor) = thrower.method(self.options.plain_messages);
        self.world.declared_method(models, name, descriptor)
    }

    /// A name for a class that no file defines.
    /// A number for a made class.
    pub(crate) fn next_made(&mut self) -> usize {
        self.n_made += 1;
        self.n_made
    }

    pub(crate) fn made_name(&mut self, host: TypeRef, what: &str) -> String {
        self.n_made += 1;
        format!("{}$${what}{}", self.world.name(host), self.n_made)
    }
}
