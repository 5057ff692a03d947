//! Objects of a test's input as Java statements: by constructors, fields in reach and setters; by
//! reflection where nothing else gets there.
//!
//! First every object is made, those that constructors need before others; then the fields and elements
//! that are still different are set, so that circles need nothing special.

use std::cell::RefCell;

use glassbox_ir::{
    FieldId, GlobalId, InstrKind, Operand, Origin, PointerOp, Program, SourceType, SourceTypeId,
    TypeKind, TypeLayout,
};
use glassbox_testcase::recipe::{ClassRecipe, FieldRecipe, Recipes, Visibility};
use glassbox_testcase::{InputPointer, InputValue, TestInput};

use crate::java_imports::Imports;
use crate::java_literal;
use crate::java_test::Mocks;

/// The statements that set up one test.
#[derive(Debug)]
pub struct Objects<'a> {
    pub program: &'a Program,
    pub recipes: &'a Recipes,
    pub input: &'a TestInput,
    /// The package that the test is in.
    pub package: &'a str,
    pub lines: Vec<String>,
    /// By object: an expression for it, once it is made.
    pub names: Vec<Option<String>>,
    /// Uses of reflection.
    pub n_reflective: usize,
    /// Objects by constructors that may leave something else in them.
    pub n_guessed: usize,
    /// What a person would call the receiver and the arguments of the method.
    pub harness_names: Vec<String>,
    /// Expressions for what a harness made so far.
    pub earlier: Vec<String>,
    imports: &'a RefCell<Imports>,
    used: Vec<String>,
    pub(crate) in_progress: Vec<usize>,
    pub(crate) late: Vec<(usize, Place, InputValue)>,
    /// Variables for what is made later than what gives it.
    pub(crate) holders: Vec<String>,
    pub(crate) mocks: Mocks,
    /// Mocks of a library.
    pub(crate) n_mocks: usize,
}

/// Where a late value goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Field(FieldId),
    Element(usize, SourceTypeId),
    /// The only element of an array, by its position among the holders.
    Holder(usize),
}

/// Whether code of the user asks whether a reference is to this object.
fn is_compared(program: &Program, object: GlobalId) -> bool {
    let own = program.functions.iter().filter(|function| function.origin == Origin::User);
    let blocks = own.filter_map(|function| function.body.as_ref()).flat_map(|body| &body.blocks);
    let object = Operand::Global(object);
    blocks.flat_map(|block| &block.instrs).any(|instr| {
        matches!(&instr.kind, InstrKind::Pointer(PointerOp::Compare { lhs, rhs, .. })
            if *lhs == object || *rhs == object)
    })
}

impl<'a> Objects<'a> {
    pub fn new(
        program: &'a Program,
        recipes: &'a Recipes,
        input: &'a TestInput,
        package: &'a str,
        imports: &'a RefCell<Imports>,
    ) -> Objects<'a> {
        Objects {
            program,
            recipes,
            input,
            package,
            lines: Vec::new(),
            names: vec![None; input.objects.len()],
            n_reflective: 0,
            n_guessed: 0,
            harness_names: Vec::new(),
            earlier: Vec::new(),
            imports,
            used: vec!["result".to_owned(), "thrown".to_owned()],
            in_progress: Vec::new(),
            late: Vec::new(),
            holders: Vec::new(),
            mocks: Mocks::default(),
            n_mocks: 0,
        }
    }

    /// Does not make what the first parameter refers to: the method under test makes it.
    pub fn leave_out_first(&mut self) {
        let first = self.input.params.first().map(|param| &param.value);
        if let Some(InputValue::Pointer(InputPointer::Object { object, .. })) = first {
            self.in_progress.push(*object);
        }
    }

    /// Makes everything that the parameters reach.
    pub fn make_all(&mut self) {
        for object in 0..self.input.objects.len() {
            self.make(object);
        }
        for (object, place, value) in std::mem::take(&mut self.late) {
            let name = self.names[object].clone().unwrap_or_default();
            match place {
                Place::Element(index, ty) => {
                    let value = self.value(ty, &value);
                    self.lines.push(format!("{name}[{index}] = {value};"));
                }
                Place::Field(field) => self.set_field(&name, field, &value),
                Place::Holder(position) => {
                    let holder = &self.holders[position];
                    if let InputValue::Pointer(InputPointer::Object { object, .. }) = value {
                        let value = self.names[object].as_deref().unwrap_or("null");
                        self.lines.push(format!("{holder}[0] = {value};"));
                    }
                }
            }
        }
    }

    /// The type of an input object, and its contents.
    pub fn object(&self, object: usize) -> Option<(&'a TypeLayout, &'a [InputValue])> {
        let input = self.input.objects.get(object)?;
        let Some(InputValue::Struct(values)) = input.elements.first() else { return None };
        let Some(InputValue::Int(number)) = values.first() else { return None };
        let number = u32::try_from(number.unsigned()).ok()?;
        let ty = self.program.object_layout.as_ref()?.get(number)?;
        Some((ty, values.get(2..)?))
    }

    /// The elements of an array of the input.
    pub fn elements(&self, object: usize) -> Option<&'a [InputValue]> {
        let InputValue::Array(elements) = self.object(object)?.1.first()? else { return None };
        Some(elements)
    }

    /// The text of a string of the input.
    pub fn text(&self, object: usize) -> Option<Vec<u16>> {
        let (ty, values) = self.object(object).filter(|(ty, _)| ty.name == "java.lang.String")?;
        let TypeKind::Class { fields, .. } = &ty.kind else { return None };
        let position = fields.iter().position(|(id, _)| self.program.field(*id).name == "value")?;
        let Some(InputValue::Pointer(InputPointer::Object { object, .. })) = values.get(position)
        else {
            return Some(Vec::new());
        };
        let unit = |value: &InputValue| {
            value.as_int().and_then(|bits| u16::try_from(bits.unsigned()).ok()).unwrap_or(0)
        };
        Some(self.elements(*object)?.iter().map(unit).collect())
    }

    /// A name for an object, from where it was reached.
    pub(crate) fn name(&mut self, object: usize, ty: &TypeLayout) -> String {
        let path = &self.input.objects[object].name;
        let simple = ty.name.rsplit(['.', '$']).next().unwrap_or("object");
        let lower = |text: &str| {
            let mut letters = text.chars();
            letters
                .next()
                .map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
        };
        let path = match path.strip_prefix("this") {
            Some(rest) => format!("{}{rest}", lower(simple)),
            None => path.clone(),
        };
        self.variable(&path)
    }

    /// A new variable of about this name.
    pub(crate) fn variable(&mut self, name: &str) -> String {
        let base = crate::naming::identifier(&name.replace(['.', '[', ']'], " "));
        let starts_well = base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let base = if starts_well && !KEYWORDS.contains(&base.as_str()) {
            base
        } else {
            format!("o{base}")
        };
        let mut name = base.clone();
        let mut number = 2;
        while self.used.contains(&name) {
            name = format!("{base}{number}");
            number += 1;
        }
        self.used.push(name.clone());
        name
    }

    pub(crate) fn make(&mut self, object: usize) {
        if self.names[object].is_some() || self.in_progress.contains(&object) {
            return;
        }
        let Some((ty, values)) = self.object(object) else { return };
        if let Some(text) = self.text(object) {
            self.names[object] = Some(self.make_string(object, &text));
            return;
        }
        // The characters of a string are in its literal.
        if self.input.objects[object].is_characters() {
            return;
        }
        self.in_progress.push(object);
        let name = match &ty.kind {
            TypeKind::Array { element, .. } => self.make_array(object, ty, *element),
            TypeKind::Class { fields, .. } => self.make_instance(object, ty, fields, values),
        };
        self.in_progress.pop();
        self.names[object] = Some(name);
    }

    /// A literal; an object of its own where another string has the same text.
    fn make_string(&mut self, object: usize, text: &[u16]) -> String {
        let literal = java_literal::string(text);
        let others = (0..self.input.objects.len()).filter(|&other| other != object);
        let mut twins = others.filter(|&other| self.text(other).is_some_and(|other| other == text));
        let has_twin =
            twins.any(|other| self.is_referred_to(other)) || self.is_compared_constant(text);
        if !self.is_referred_to(object) || !has_twin {
            return literal;
        }
        let Some((ty, _)) = self.object(object) else { return literal };
        let name = self.name(object, ty);
        let class = self.short("java.lang.String");
        self.lines.push(format!("{class} {name} = new {class}({literal});"));
        name
    }

    /// Whether code compares references with a constant of this text: a literal would be the same object.
    fn is_compared_constant(&self, text: &[u16]) -> bool {
        let name = format!("{:?}", String::from_utf16_lossy(text));
        let constant = self.program.global_ids().find(|&id| self.program.global(id).name == name);
        constant.is_some_and(|constant| is_compared(self.program, constant))
    }

    /// Whether something of the input refers to an object.
    fn is_referred_to(&self, object: usize) -> bool {
        let params = self.input.params.iter().map(|param| &param.value);
        let mut values: Vec<&InputValue> = params.collect();
        values.extend(self.input.objects.iter().flat_map(|object| &object.elements));
        while let Some(value) = values.pop() {
            match value {
                InputValue::Pointer(InputPointer::Object { object: other, .. })
                    if *other == object =>
                {
                    return true;
                }
                InputValue::Struct(parts) | InputValue::Array(parts) => values.extend(parts),
                InputValue::Pointer(_)
                | InputValue::Int(_)
                | InputValue::Float(_)
                | InputValue::Union { .. }
                | InputValue::Bytes(_) => {}
            }
        }
        false
    }

    fn make_array(&mut self, object: usize, ty: &TypeLayout, element: SourceTypeId) -> String {
        let elements = self.elements(object).unwrap_or(&[]);
        for value in elements {
            if let InputValue::Pointer(InputPointer::Object { object, .. }) = value {
                self.make(*object);
            }
        }
        let is_ready = |value: &InputValue| {
            let InputValue::Pointer(InputPointer::Object { object, .. }) = value else {
                return true;
            };
            self.names[*object].is_some()
        };
        let ready: Vec<bool> = elements.iter().map(is_ready).collect();
        let mut texts = Vec::new();
        for (index, value) in elements.iter().enumerate() {
            if ready[index] {
                texts.push(self.value(element, value));
            } else {
                texts.push("null".to_owned());
                self.late.push((object, Place::Element(index, element), value.clone()));
            }
        }
        let name = self.name(object, ty);
        let spelled = self.type_name(ty.source_type);
        let texts: Vec<String> = texts
            .iter()
            .map(|text| {
                text.strip_prefix("(byte) ")
                    .or(text.strip_prefix("(short) "))
                    .unwrap_or(text)
                    .to_owned()
            })
            .collect();
        self.lines.push(format!("{spelled} {name} = {{{}}};", texts.join(", ")));
        name
    }

    pub fn is_in_reach(&self, recipe: &ClassRecipe) -> bool {
        self.may_use(recipe, recipe.visibility)
    }

    pub(crate) fn may_use(&self, recipe: &ClassRecipe, visibility: Visibility) -> bool {
        let same = package_of(&recipe.name) == self.package;
        match visibility {
            Visibility::Public => recipe.visibility == Visibility::Public || same,
            Visibility::Package => same,
            Visibility::Private => false,
        }
    }

    pub(crate) fn declaring(&self, field: FieldId) -> Option<&'a ClassRecipe> {
        let class = self.program.field(field).class;
        let recipe = self.recipes.class(&self.program.classes[class.index()].name)?;
        self.is_in_reach(recipe).then_some(recipe)
    }

    /// `Some(None)`: by assignment; `Some(Some(setter))`.
    pub(crate) fn way_to_set(&self, field: FieldId) -> Option<Option<&'a str>> {
        let recipe = self.declaring(field)?;
        let name = &self.program.field(field).name;
        let known = named_field(recipe, name)?;
        if !known.is_final && self.may_use(recipe, known.visibility) {
            return Some(None);
        }
        let setter = recipe.setters.iter().find(|(_, field)| field == name);
        setter.map(|(method, _)| Some(method.as_str()))
    }

    fn set_field(&mut self, object: &str, field: FieldId, value: &InputValue) {
        let declared = self.program.field(field);
        match self.way_to_set(field) {
            Some(None) => {
                let text = self.value(declared.source_type, value);
                self.lines.push(format!("{object}.{} = {text};", declared.name));
            }
            Some(Some(setter)) => {
                let text = self.argument(declared.source_type, value);
                self.lines.push(format!("{object}.{setter}({text});"));
            }
            None => {
                self.n_reflective += 1;
                let text = self.value(declared.source_type, value);
                let class = &self.program.classes[declared.class.index()].name;
                let name = &declared.name;
                self.lines.push(format!("set({object}, \"{class}\", \"{name}\", {text});"));
            }
        }
    }

    /// An expression for a field that tests can look into.
    pub fn plain_field(&self, object: &str, field: FieldId) -> Option<String> {
        let declared = self.program.field(field);
        let recipe = self.declaring(field)?;
        let known = named_field(recipe, &declared.name);
        if known.is_some_and(|known| self.may_use(recipe, known.visibility)) {
            return Some(format!("{object}.{}", declared.name));
        }
        let getter = recipe.getters.iter().find(|(_, field)| *field == declared.name);
        getter.map(|(method, _)| format!("{object}.{method}()"))
    }

    /// An expression for a field after the call, and whether it is an `Object` to the compiler.
    pub fn get_field(&mut self, object: &str, field: FieldId) -> (String, bool) {
        let declared = self.program.field(field);
        if let Some(text) = self.plain_field(object, field) {
            return (text, false);
        }
        self.n_reflective += 1;
        let class = &self.program.classes[declared.class.index()].name;
        (format!("get({object}, \"{class}\", \"{}\")", declared.name), true)
    }

    /// An expression for a value.
    pub fn value(&self, ty: SourceTypeId, value: &InputValue) -> String {
        match value {
            InputValue::Int(bits) => java_literal::integer(self.program, ty, *bits),
            InputValue::Float(float) => java_literal::float(*float),
            InputValue::Pointer(InputPointer::Object { object, .. }) => {
                self.names[*object].clone().unwrap_or("null".to_owned())
            }
            InputValue::Pointer(_)
            | InputValue::Struct(_)
            | InputValue::Union { .. }
            | InputValue::Array(_)
            | InputValue::Bytes(_) => "null".to_owned(),
        }
    }

    /// An expression for an argument: null has a type, so that overloads stay apart.
    pub fn argument(&self, ty: SourceTypeId, value: &InputValue) -> String {
        let text = self.value(ty, value);
        if text == "null" { format!("({}) null", self.type_name(ty)) } else { text }
    }

    /// A type as the test names it.
    pub fn type_name(&self, ty: SourceTypeId) -> String {
        match self.program.source_type(ty) {
            SourceType::Bool => "boolean".to_owned(),
            SourceType::Int { name, .. } | SourceType::Float { name, .. } => name.clone(),
            SourceType::ClassArray { element } => format!("{}[]", self.type_name(*element)),
            SourceType::Class(class) => {
                let name = &self.program.classes[class.index()].name;
                match self.recipes.class(name) {
                    Some(recipe) => self.short(&recipe.source_name),
                    None => self.short(&name.replace('$', ".")),
                }
            }
            SourceType::Void => "void".to_owned(),
            SourceType::Enum { .. }
            | SourceType::Pointer { .. }
            | SourceType::Array { .. }
            | SourceType::Record { .. }
            | SourceType::Function { .. }
            | SourceType::Named { .. }
            | SourceType::Opaque { .. } => self.short("java.lang.Object"),
        }
    }

    /// Without the package, where the compiler knows it or an import names it.
    pub fn short(&self, name: &str) -> String {
        if let Some(element) = name.strip_suffix("[]") {
            return format!("{}[]", self.short(element));
        }
        let package =
            if self.package.is_empty() { String::new() } else { format!("{}.", self.package) };
        let own = name.strip_prefix(&package).filter(|_| !package.is_empty());
        let lang = name.strip_prefix("java.lang.").filter(|rest| !rest.contains('.'));
        let lang = lang.filter(|simple| !self.imports.borrow().is_neighbor(simple));
        match own.filter(|rest| !rest.contains('.') || starts_upper(rest)).or(lang) {
            Some(short) => short.to_owned(),
            None => self.imports.borrow_mut().name(name),
        }
    }
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_uppercase())
}

/// The package of a class, by its name with dots.
pub fn package_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(package, _)| package)
}

/// A field that sources can name.
pub(crate) fn named_field<'a>(recipe: &'a ClassRecipe, name: &str) -> Option<&'a FieldRecipe> {
    recipe.fields.iter().find(|known| known.name == name && is_name(name))
}

/// Whether Java sources can have a name like this; bytecode of other languages and of obfuscators may have any.
pub fn is_name(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    !name.is_empty() && name.chars().all(is_letter) && !KEYWORDS.contains(&name)
}

const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "false",
    "try",
    "void",
    "volatile",
    "while",
    "_",
];
