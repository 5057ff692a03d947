//! Methods that contracts name.

use std::collections::BTreeMap;
use std::rc::Rc;

use glassbox_jvm_front::classfile::insn::Code;
use glassbox_jvm_front::classfile::{ClassFile, MethodInfo};
use glassbox_jvm_front::descriptor::{Kind, Signature, Type};

use super::contract::CONSTRUCTOR;

/// A method that a contract is about.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) class: Rc<ClassFile>,
    pub(super) method: MethodInfo,
    /// Type and name by parameter; the receiver is `self`.
    pub(super) params: Vec<(String, String)>,
    pub(super) result: Option<String>,
    /// Members by name: how they are reached from outside, up to the name.
    pub(super) members: BTreeMap<String, String>,
}

/// `Account.withdraw(int)`, with or without package and parameters.
pub(super) fn subject(classes: &[Rc<ClassFile>], name: &str) -> Option<Subject> {
    let (path, types) = match name.split_once('(') {
        Some((path, rest)) => (path, Some(rest.trim_end().trim_end_matches(')'))),
        None => (name, None),
    };
    let (class_name, method_name) = path.trim().rsplit_once('.')?;
    let simple = |name: &str| name.rsplit(['.', '/', '$']).next().unwrap_or(name).trim().to_owned();
    let wanted: Option<Vec<String>> = types.map(|types| {
        let parts = types.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(simple).collect()
    });
    let is_class = |class: &&Rc<ClassFile>| {
        let dotted = class.name.replace(['/', '$'], ".");
        dotted == class_name || dotted.ends_with(&format!(".{class_name}"))
    };
    let mut found = classes.iter().filter(is_class).flat_map(|class| {
        let methods = class.methods.iter().filter(|method| {
            let own = Signature::parse(&method.descriptor).map(|signature| {
                signature.params.iter().map(|ty| simple(&ty.java_name())).collect::<Vec<_>>()
            });
            let is_constructor = &*method.name == CONSTRUCTOR
                && method_name == simple(&class.name.replace('/', "."));
            (&*method.name == method_name || is_constructor) && (wanted.is_none() || own == wanted)
        });
        methods.map(|method| (Rc::clone(class), method.clone())).collect::<Vec<_>>()
    });
    let (class, method) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let signature = Signature::parse(&method.descriptor)?;
    let code = class.code(&method).ok().flatten();
    let is_static = method.access.is_static();
    let mut params = Vec::new();
    let java_name = |name: &str| name.replace(['/', '$'], ".");
    if !is_static {
        params.push((java_name(&class.name), "self".to_owned()));
    }
    let names = parameter_names(&method, &signature, code.as_deref());
    params.extend(signature.params.iter().map(type_text).zip(names));
    let mut members = BTreeMap::new();
    let owner = java_name(&class.name);
    let reach = |is_static: bool| if is_static { owner.clone() } else { "self".to_owned() };
    for field in &class.fields {
        members.insert(field.name.to_string(), reach(field.access.is_static()));
    }
    for other in class.methods.iter().filter(|method| !method.name.starts_with('<')) {
        members.insert(other.name.to_string(), reach(other.access.is_static()));
    }
    let result = signature.result.as_ref().map(type_text);
    Some(Subject { class, method, params, result, members })
}

/// What a parameter is called here whose own name is `result`.
pub(super) const RESULT_PARAMETER: &str = "glassbox$result";

/// What parameters are called, where compilers have kept it.
pub(super) fn parameter_names(
    method: &MethodInfo,
    signature: &Signature,
    code: Option<&Code>,
) -> Vec<String> {
    let mut slot = u16::from(!method.access.is_static());
    let mut names = Vec::new();
    for (position, ty) in signature.params.iter().enumerate() {
        let mut variables = code.into_iter().flat_map(|code| &code.variables);
        let named = variables.find(|variable| variable.slot == slot && variable.start == 0).map(
            |variable| match &*variable.name {
                // The word for what a method gives.
                "result" => RESULT_PARAMETER.to_owned(),
                name => name.to_owned(),
            },
        );
        names.push(named.unwrap_or_else(|| format!("p{position}")));
        let is_wide = matches!(ty.kind(), Kind::Long | Kind::Double);
        slot += if is_wide { 2 } else { 1 };
    }
    names
}

pub(super) fn type_text(ty: &Type) -> String {
    ty.java_name().replace(['$', '/'], ".")
}
