//! Tests of Java methods as source text: inputs, one call, assertions on the result or the exception and on
//! changed state. The bodies are the same for every framework.

use std::cell::RefCell;

use glassbox_ir::{FieldId, FuncId, Program, Reference, SourceType, SourceTypeId};
use glassbox_testcase::TestInput;
use glassbox_testcase::java::{JavaContents, JavaEnding, JavaObservation, JavaValue};
use glassbox_testcase::recipe::{Harness, Recipes, Visibility};

use crate::java_imports::Imports;
use crate::java_literal;
use crate::java_object::{Objects, package_of};
use crate::java_probe;
use crate::java_values::{array_name, boxed_type, is_same};

/// One test.
#[derive(Debug)]
pub struct JavaTest<'a> {
    pub name: String,
    /// The method under test.
    pub function: FuncId,
    /// What the test calls: the same, or a method that calls it.
    pub called: FuncId,
    pub input: &'a TestInput,
    pub observed: &'a JavaObservation,
    /// What made the objects, where it was not the input itself.
    pub harness: Option<&'a Harness>,
    /// Static fields that other tests may have changed, with what they hold when their classes start.
    pub resets: Vec<(FieldId, JavaValue)>,
    /// Goals it reaches, for people.
    pub covers: Vec<String>,
    /// What it calls in the place of the method, where it compares calls.
    pub relation: Option<RelationCall>,
    /// Whether it asserts what the call left alone, too: another version may change that.
    pub asserts_unchanged: bool,
}

/// A method of the test class that compares calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationCall {
    pub name: String,
    /// It uses reflection.
    pub is_reflective: bool,
    /// The calls do not agree.
    pub fails: bool,
}

/// The tests of one class.
#[derive(Debug)]
pub struct JavaTestClass<'a> {
    pub program: &'a Program,
    pub recipes: &'a Recipes,
    /// The class under test: binary name with dots.
    pub class: String,
    /// Of the test class, without package.
    pub name: String,
    pub tests: Vec<JavaTest<'a>>,
    /// Methods that tests call.
    pub helpers: Vec<String>,
    /// Of the file.
    pub imports: RefCell<Imports>,
    pub mocks: Mocks,
}

/// How tests write what stands in for interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mocks {
    /// Lambdas and nameless classes.
    #[default]
    Nameless,
    /// Mocks of Mockito.
    Mockito,
}

/// How numbers with a fraction are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatEquality {
    /// `assertEquals(expected, actual)` is exact.
    TwoArguments,
    /// `assertEquals(expected, actual, 0.0)`.
    Delta,
}

/// The statements of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    pub lines: Vec<String>,
    pub n_reflective: usize,
    /// Uses of reflection that give objects their state, and constructors that may give them another one.
    pub n_forced: usize,
    /// Such constructors.
    pub n_guessed: usize,
    /// Mocks of a library.
    pub n_mocks: usize,
}

impl<'a> JavaTestClass<'a> {
    pub fn new(
        program: &'a Program,
        recipes: &'a Recipes,
        class: String,
        name: String,
        tests: Vec<JavaTest<'a>>,
    ) -> JavaTestClass<'a> {
        let neighbors =
            recipes.classes.iter().filter(|one| package_of(&one.name) == package_of(&class));
        let simple = neighbors.filter_map(|one| one.source_name.rsplit('.').next());
        let imports = RefCell::new(Imports::new(simple.chain([name.as_str()])));
        let mocks = Mocks::default();
        let helpers = Vec::new();
        JavaTestClass { program, recipes, class, name, tests, helpers, imports, mocks }
    }

    /// The package of the class under test; another one where the JVM does not allow additions to it.
    pub fn package(&self) -> &str {
        if self.opened().is_some() { "glassbox.jdk" } else { package_of(&self.class) }
    }

    /// The package of the JDK that has to be opened to the tests (`--add-opens`), if it is one.
    pub fn opened(&self) -> Option<&str> {
        let package = package_of(&self.class);
        let is_jdk = ["java.", "jdk.", "sun."].iter().any(|jdk| package.starts_with(jdk));
        is_jdk.then_some(package)
    }
}

/// Why no test can show what the run showed.
pub fn obstacle(observed: &JavaObservation) -> Option<String> {
    match &observed.ending {
        JavaEnding::Other(what) => {
            Some(format!("the run does not end in a return or a throw: {what}"))
        }
        JavaEnding::Returned(_) | JavaEnding::Thrown(_) => None,
    }
}

/// The body of one test; probes, if any, are switched on and off around the call.
pub fn body(
    class: &JavaTestClass<'_>,
    test: &JavaTest<'_>,
    floats: FloatEquality,
    has_probes: bool,
) -> Body {
    let imports = &class.imports;
    let mut objects =
        Objects::new(class.program, class.recipes, test.input, class.package(), imports);
    objects.mocks = class.mocks;
    let made = (None, Vec::new());
    let mut writer = Writer { class, test, objects, floats, has_probes, made };
    let n_resets = writer.reset_statics();
    if test.harness.is_some() {
        // Calls that make objects may go through the method under test: they count too.
        writer.probe(java_probe::BEGIN);
    }
    if writer.is_construction() {
        writer.objects.leave_out_first();
    }
    writer.objects.make_all();
    writer.make_by_harness();
    let n_forced = writer.objects.n_reflective - n_resets + writer.objects.n_guessed;
    if let Some(relation) = &test.relation {
        writer.compare_calls(relation);
    } else {
        writer.call();
        writer.changes();
        writer.changes_of_made();
        writer.changed_statics();
    }
    let Objects { n_reflective, n_guessed, n_mocks, lines, .. } = writer.objects;
    Body { n_reflective, n_forced, n_guessed, n_mocks, lines }
}

const FAILED_INITIALIZER: &str = "java.lang.ExceptionInInitializerError";

/// Tests run in any order, and whichever is first in a JVM sees the other error.
const INITIALIZED_ONCE: &str = "// ExceptionInInitializerError at the first use of the class, NoClassDefFoundError at any other";

pub(crate) struct Writer<'a> {
    pub(crate) class: &'a JavaTestClass<'a>,
    pub(crate) test: &'a JavaTest<'a>,
    pub(crate) objects: Objects<'a>,
    floats: FloatEquality,
    has_probes: bool,
    /// By the harness: receiver and arguments.
    made: (Option<String>, Vec<String>),
}

impl Writer<'_> {
    fn push(&mut self, line: String) {
        self.objects.lines.push(line);
    }

    fn probe(&mut self, line: &str) {
        if self.has_probes {
            self.push(line.to_owned());
        }
    }

    fn call(&mut self) {
        let (call, is_object) = self.call_text();
        if self.test.harness.is_none() {
            self.probe(java_probe::BEGIN);
        }
        match &self.test.observed.ending {
            JavaEnding::Thrown(exception) => {
                let exception = if exception == FAILED_INITIALIZER {
                    self.push(INITIALIZED_ONCE.to_owned());
                    self.objects.short("java.lang.LinkageError")
                } else {
                    self.exception_name(exception)
                };
                self.push(format!("assertThrows({exception}.class, () -> {call});"));
                self.probe(java_probe::END);
            }
            JavaEnding::Returned(Some(value)) => {
                let declared = self.class.program.function(self.test.called);
                let ty = declared.result_source_type;
                let spelled = if is_object {
                    self.objects.short("java.lang.Object")
                } else {
                    self.objects.type_name(ty)
                };
                self.push(format!("{spelled} result = {call};"));
                self.probe(java_probe::END);
                self.assert("result", value, ty, is_object);
            }
            JavaEnding::Returned(None) | JavaEnding::Other(_) => {
                self.push(format!("{call};"));
                self.probe(java_probe::END);
            }
        }
    }

    /// Whether the method under test is a constructor: it makes its object.
    fn is_construction(&self) -> bool {
        let program = self.class.program;
        let method = program.function(self.test.called).method;
        method.is_some_and(|id| program.methods[id.index()].name == "<init>")
    }

    /// An exception that the test can name, itself or above it.
    fn exception_name(&self, name: &str) -> String {
        let program = self.class.program;
        let is_jdk = name.starts_with("java.") && !name.contains('$');
        match self.class.recipes.class(name) {
            Some(recipe) if self.objects.is_in_reach(recipe) => {
                self.objects.short(&recipe.source_name)
            }
            None if is_jdk => self.objects.short(name),
            _ => {
                let class = program.classes.iter().find(|class| class.name == name);
                let above = class.and_then(|class| class.superclass);
                above.map_or_else(
                    || self.objects.short("java.lang.Throwable"),
                    |above| self.exception_name(&program.classes[above.index()].name),
                )
            }
        }
    }

    /// The call, and whether its result is an `Object` to the compiler.
    fn call_text(&mut self) -> (String, bool) {
        let program = self.class.program;
        let declared = program.function(self.test.called);
        let Some(method) = declared.method.map(|id| &program.methods[id.index()]) else {
            return (declared.name.clone(), false);
        };
        let class_name = &program.classes[method.class.index()].name;
        let recipe = self.class.recipes.class(class_name);
        let n_hidden = usize::from(!method.is_static);
        let types: Vec<SourceTypeId> =
            declared.params.iter().map(|param| param.source_type).collect();
        let (receiver, args) = self.arguments(n_hidden, &types);
        let is_hidden = self.class.recipes.method(self.test.called) == Visibility::Private
            || recipe.is_none_or(|recipe| !self.objects.is_in_reach(recipe))
            || types.iter().any(|&ty| self.is_hidden_type(ty))
            || self.is_hidden_type(declared.result_source_type);
        if is_hidden {
            self.objects.n_reflective += 1;
            let types: Vec<String> =
                types.iter().skip(n_hidden).map(|&ty| self.class_text(ty)).collect();
            let all = [
                format!("\"{class_name}\""),
                format!("\"{}\"", method.name),
                format!(
                    "new {}<?>[] {{{}}}",
                    self.objects.short("java.lang.Class"),
                    types.join(", ")
                ),
                receiver.unwrap_or("null".to_owned()),
                format!("new {}[] {{{}}}", self.objects.short("java.lang.Object"), args.join(", ")),
            ];
            return (format!("call({})", all.join(", ")), true);
        }
        let args = self.typed(&args, &types[n_hidden..]);
        if self.is_construction() {
            let class =
                recipe.map_or(class_name.clone(), |one| self.objects.short(&one.source_name));
            return (format!("new {class}({})", args.join(", ")), false);
        }
        let on = match (receiver, recipe) {
            (Some(receiver), _) => receiver,
            (None, Some(recipe)) => self.objects.short(&recipe.source_name),
            (None, None) => class_name.clone(),
        };
        (format!("{on}.{}({})", method.name, args.join(", ")), false)
    }

    /// Null has a type, so that overloads stay apart. So have things to be compared: no type is that of a text
    /// and of a number, as `<T extends Comparable<T>> f(T a, T b)` asks for.
    fn typed(&self, args: &[String], types: &[SourceTypeId]) -> Vec<String> {
        let names = types.iter().map(|&ty| self.objects.type_name(ty));
        let are_compared = names.filter(|name| name == "Comparable").count() > 1;
        let typed = |(text, &ty): (&String, &SourceTypeId)| {
            let name = self.objects.type_name(ty);
            let is_vague = text == "null" || (are_compared && name == "Comparable");
            if is_vague { format!("({name}) {text}") } else { text.clone() }
        };
        args.iter().zip(types).map(typed).collect()
    }

    /// Calls what compares calls, with the object first.
    fn compare_calls(&mut self, relation: &RelationCall) {
        let program = self.class.program;
        let declared = program.function(self.test.called);
        let method = declared.method.map(|id| &program.methods[id.index()]);
        let n_hidden = usize::from(method.is_some_and(|method| !method.is_static));
        let types: Vec<SourceTypeId> =
            declared.params.iter().map(|param| param.source_type).collect();
        let (receiver, args) = self.arguments(n_hidden, &types);
        let args = self.typed(&args, types.get(n_hidden..).unwrap_or_default());
        let all: Vec<String> = receiver.into_iter().chain(args).collect();
        let call = format!("{}({})", relation.name, all.join(", "));
        self.objects.n_reflective += usize::from(relation.is_reflective);
        self.push(if relation.fails {
            let error = self.objects.short("java.lang.AssertionError");
            format!("assertThrows({error}.class, () -> {call});")
        } else {
            format!("{call};")
        });
    }

    /// Expressions for the receiver and the arguments.
    fn arguments(
        &mut self,
        n_hidden: usize,
        types: &[SourceTypeId],
    ) -> (Option<String>, Vec<String>) {
        if self.test.harness.is_some() {
            return std::mem::take(&mut self.made);
        }
        let params = &self.test.input.params;
        let mut texts: Vec<String> = params
            .iter()
            .zip(types)
            .map(|(param, &ty)| self.objects.value(ty, &param.value))
            .collect();
        let receiver = (n_hidden > 0 && !texts.is_empty()).then(|| texts.remove(0));
        (receiver, texts)
    }

    fn make_by_harness(&mut self) {
        let Some(harness) = self.test.harness else { return };
        let declared = self.class.program.function(self.test.called);
        let simple = self.class.class.rsplit(['.', '$']).next().unwrap_or("object");
        let mut letters = simple.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
        let own = format!("{first}{}", letters.as_str());
        let n_made = usize::from(self.is_construction());
        let names = declared.params.iter().skip(n_made).map(|param| match param.name.as_str() {
            "this" => own.clone(),
            name => name.to_owned(),
        });
        self.objects.harness_names = names.collect();
        self.made = self.objects.make_by_harness(harness);
    }

    /// Assertions on objects that the harness made and the call changed, as far as tests can look.
    fn changes_of_made(&mut self) {
        let n_inputs = self.test.input.objects.len();
        for (position, (before, after)) in self.test.observed.made.iter().enumerate() {
            let Some(Some(name)) = self.objects.names.get(n_inputs + position).cloned() else {
                continue;
            };
            let is_variable = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            let (JavaContents::Fields(before), JavaContents::Fields(after)) = (before, after)
            else {
                continue;
            };
            if !is_variable || name == "null" {
                continue;
            }
            let program = self.class.program;
            for ((_, before), (id, after)) in before.iter().zip(after) {
                if before == after {
                    continue;
                }
                let field = program.field(*id);
                let class = &program.classes[field.class.index()].name;
                let is_size = field.name == "size" && class.starts_with("java.util.");
                let text = if is_size {
                    Some(format!("{name}.size()"))
                } else {
                    self.objects.plain_field(&name, *id)
                };
                if let Some(text) = text {
                    self.assert(&text, after, field.source_type, false);
                }
            }
        }
    }

    /// Whether the test cannot name a type.
    fn is_hidden_type(&self, ty: SourceTypeId) -> bool {
        match self.class.program.source_type(ty).reference() {
            Some(Reference::Array { element }) => self.is_hidden_type(element),
            Some(Reference::Class(class)) => {
                let name = &self.class.program.classes[class.index()].name;
                let recipe = self.class.recipes.class(name);
                recipe.is_some_and(|recipe| !self.objects.is_in_reach(recipe))
            }
            Some(Reference::Unknown) => true,
            None => false,
        }
    }

    /// An expression for the class object of a type.
    fn class_text(&self, ty: SourceTypeId) -> String {
        if let SourceType::Class(class) = self.class.program.source_type(ty)
            && self.is_hidden_type(ty)
        {
            let name = &self.class.program.classes[class.index()].name;
            return format!("{}.forName(\"{name}\")", self.objects.short("java.lang.Class"));
        }
        format!("{}.class", self.objects.type_name(ty))
    }

    /// Assertions on input objects that the call changed, or on all.
    fn changes(&mut self) {
        let is_all = self.test.asserts_unchanged;
        for object in 0..self.test.input.objects.len() {
            let Some(name) = self.objects.names[object].clone() else { continue };
            let Some((ty, values)) = self.objects.object(object) else { continue };
            let is_ours = self.class.recipes.stand_in(&ty.name).is_some();
            if is_ours || self.objects.text(object).is_some() || ty.name.starts_with("java.lang.") {
                continue;
            }
            match &self.test.observed.after[object] {
                JavaContents::Fields(fields) => {
                    for ((id, after), before) in fields.iter().zip(values) {
                        // Reflection is not worth an assertion alone.
                        let is_seen = self.objects.n_reflective > 0
                            || self.objects.plain_field(&name, *id).is_some();
                        if is_seen && (is_all || !is_same(before, after)) {
                            let (expr, is_object) = self.objects.get_field(&name, *id);
                            let ty = self.class.program.field(*id).source_type;
                            self.assert(&expr, after, ty, is_object);
                        }
                    }
                }
                JavaContents::Elements(elements) => {
                    let before = self.objects.elements(object).unwrap_or(&[]);
                    let is_changed = is_all
                        || before.len() != elements.len()
                        || before.iter().zip(elements).any(|(a, b)| !is_same(a, b));
                    if is_changed {
                        let value = JavaValue::Array(ty.name.clone(), elements.clone());
                        self.assert(&name, &value, ty.source_type, false);
                    }
                }
                JavaContents::Unknown => {}
            }
        }
    }

    pub(crate) fn assert(
        &mut self,
        actual: &str,
        value: &JavaValue,
        ty: SourceTypeId,
        is_object: bool,
    ) {
        let line = match value {
            JavaValue::Null => format!("assertNull({actual});"),
            JavaValue::Int(bits) => {
                let is_bool = matches!(self.class.program.source_type(ty), SourceType::Bool);
                let text = java_literal::integer(self.class.program, ty, *bits);
                match (is_bool && !is_object, text.as_str()) {
                    (true, "true") => format!("assertTrue({actual});"),
                    (true, _) => format!("assertFalse({actual});"),
                    (false, text) => format!("assertEquals({text}, {actual});"),
                }
            }
            JavaValue::Float(float) => {
                let text = java_literal::float(*float);
                let delta = if float.format().width() == 32 { "0.0f" } else { "0.0" };
                if is_object || self.floats == FloatEquality::TwoArguments {
                    format!("assertEquals({text}, {actual});")
                } else {
                    format!("assertEquals({text}, {actual}, {delta});")
                }
            }
            JavaValue::Input(object) => {
                let name = self.objects.names.get(*object).cloned().flatten();
                let name = name.unwrap_or("null".to_owned());
                if name.starts_with('"') {
                    format!("assertEquals({name}, {actual});")
                } else {
                    format!("assertSame({name}, {actual});")
                }
            }
            JavaValue::Array(name, elements) => self.array(actual, name, elements, ty, is_object),
            JavaValue::String(_) | JavaValue::Boxed(..) => match self.expression(value, ty) {
                Some(text) => format!("assertEquals({text}, {actual});"),
                None => format!("assertNotNull({actual});"),
            },
            JavaValue::Object(name) if self.is_nameless(name) => {
                format!("assertNotNull({actual});")
            }
            JavaValue::Object(name) => {
                format!("assertEquals(\"{name}\", {actual}.getClass().getName());")
            }
        };
        self.push(line);
    }

    /// Whether what a class is called is up to the JVM.
    fn is_nameless(&self, name: &str) -> bool {
        let layout = self.class.program.object_layout.as_ref();
        let known = layout.and_then(|layout| layout.get(layout.number_of(name)?));
        known.is_some_and(|known| known.is_nameless)
    }

    fn array(
        &self,
        actual: &str,
        name: &str,
        elements: &[JavaValue],
        ty: SourceTypeId,
        is_object: bool,
    ) -> String {
        let value = JavaValue::Array(name.to_owned(), elements.to_vec());
        let Some(expected) = self.expression(&value, ty) else {
            return format!(
                "assertEquals({}, java.lang.reflect.Array.getLength({actual}));",
                elements.len()
            );
        };
        let is_float = matches!(name, "[F" | "[D");
        let spelled = array_name(name);
        let actual = if is_object || self.objects.type_name(ty) != spelled {
            format!("({spelled}) {actual}")
        } else {
            actual.to_owned()
        };
        match (is_float, self.floats) {
            (true, FloatEquality::Delta) => {
                let delta = if name == "[F" { "0.0f" } else { "0.0" };
                format!("assertArrayEquals({expected}, {actual}, {delta});")
            }
            _ => format!("assertArrayEquals({expected}, {actual});"),
        }
    }

    /// An expression for a value after the call; `None` when there is none.
    pub(crate) fn expression(&self, value: &JavaValue, ty: SourceTypeId) -> Option<String> {
        let program = self.class.program;
        Some(match value {
            JavaValue::Null => "null".to_owned(),
            JavaValue::Int(bits) => java_literal::integer(program, ty, *bits),
            JavaValue::Float(float) => java_literal::float(*float),
            JavaValue::String(text) => java_literal::string(text),
            JavaValue::Input(object) => self.objects.names.get(*object)?.clone()?,
            JavaValue::Array(name, elements) => {
                let layout = program.object_layout.as_ref()?;
                let number = layout.number_of(name)?;
                let glassbox_ir::TypeKind::Array { element, .. } = layout.get(number)?.kind else {
                    return None;
                };
                let texts: Option<Vec<String>> =
                    elements.iter().map(|value| self.expression(value, element)).collect();
                let spelled = array_name(name);
                if self.is_hidden_type(element) {
                    return None;
                }
                format!("new {spelled} {{{}}}", texts?.join(", "))
            }
            JavaValue::Boxed(class, inner) => {
                let class = class.strip_prefix("java.lang.")?;
                let inner_ty = boxed_type(program, class)?;
                let class = self.objects.short(&format!("java.lang.{class}"));
                format!("{class}.valueOf({})", self.expression(inner, inner_ty)?)
            }
            JavaValue::Object(_) => return None,
        })
    }
}
