//! Contracts that annotations say: what must not be null (JSpecify, Checker Framework, JetBrains and the like), numbers
//! and sizes (Bean Validation, Checker Framework), and JetBrains' `@Contract`.
//!
//! Annotations of parameters are requirements, those of methods promises about the result. `@Nullable` says nothing.

use std::rc::Rc;

use glassbox_contract::{Clause, ClauseKind, Contract, Declared};
use glassbox_jvm_front::classfile::annotation::Annotation;
use glassbox_jvm_front::classfile::{Access, ClassFile, MethodInfo};
use glassbox_jvm_front::descriptor::{Signature, Type};

use super::subject::RESULT_PARAMETER;

/// The contracts that annotations in these classes say.
pub(super) fn contracts(classes: &[Rc<ClassFile>]) -> Vec<Contract> {
    let mut found = Vec::new();
    for class in classes {
        // Source code cannot name local and nameless classes, nor call the constructors of an enumeration.
        let is_named = class.name.split('$').skip(1).all(|part| part.starts_with(is_letter));
        if !is_named {
            continue;
        }
        for method in &class.methods {
            found.extend(contract(class, method, found.len()));
        }
    }
    found
}

fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

/// A value that an annotation is about.
struct Value<'a> {
    /// How clauses name it.
    name: &'a str,
    ty: &'a Type,
}

fn contract(class: &ClassFile, method: &MethodInfo, number: usize) -> Option<Contract> {
    let is_constructor = &*method.name == "<init>";
    let is_enum = class.superclass.as_deref() == Some("java/lang/Enum");
    let is_inner = class.nested_access.is_some_and(|access| !access.is_static());
    let is_made = (method.name.starts_with('<') && !is_constructor)
        || (is_constructor && (is_enum || is_inner || class.access.is_abstract()))
        || method.access.has(Access::SYNTHETIC)
        || method.access.is_abstract();
    let signature = Signature::parse(&method.descriptor).filter(|_| !is_made)?;
    let code = class.code(method).ok().flatten()?;
    let is_marked = is_null_marked(class, method);
    let declared = DeclaredTypes::of(method, &signature);
    let names = super::subject::parameter_names(method, &signature, Some(&code));
    let params: Vec<Value<'_>> = names
        .iter()
        .zip(&signature.params)
        .map(|(name, ty)| Value { name: name.as_str(), ty })
        .collect();
    let mut said: Vec<(String, ClauseKind)> = Vec::new();
    let annotations = &method.annotations;
    let n_before = params.len().saturating_sub(annotations.params.len());
    for (position, value) in params.iter().enumerate() {
        let own = position.checked_sub(n_before).and_then(|at| annotations.params.get(at));
        let is_marked = is_marked && !declared.is_variable(Some(position));
        for (words, text) in about(value, own.map_or(&[], Vec::as_slice), is_marked) {
            said.push((words, ClauseKind::Require(text)));
        }
    }
    if let Some(ty) = &signature.result {
        let result = Value { name: "result", ty };
        let is_marked = is_marked && !declared.is_variable(None);
        for (words, text) in about(&result, &annotations.method, is_marked) {
            said.push((words, ClauseKind::Ensure(text)));
        }
    }
    let contract = annotations.method.iter().find(|one| one.simple_name() == "Contract");
    if let Some(text) = contract.and_then(|one| one.text("value")) {
        let rules = promises(text, &params, &signature).into_iter();
        said.extend(rules.map(|text| ("@Contract".to_owned(), ClauseKind::Ensure(text))));
    }
    if said.is_empty() {
        return None;
    }
    let line = code.lines.iter().copied().find(|&line| line != 0).unwrap_or(1);
    let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
    let file = class.source_file.as_deref().unwrap_or("annotations");
    let path = if package.is_empty() { file.to_owned() } else { format!("{package}/{file}") };
    let types: Vec<String> = signature.params.iter().map(super::subject::type_text).collect();
    let name = class.name.replace(['/', '$'], ".");
    let clauses = (1u32..).zip(said).map(|(column, (words, kind))| {
        let shown = match &kind {
            ClauseKind::Require(text) => format!("require {text} ({words})"),
            ClauseKind::Ensure(text) => format!("ensure {text} ({words})"),
            ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Assigns(_) => words,
        };
        let shown = shown.replace(RESULT_PARAMETER, "result");
        // No two clauses are at one place, and those of a file come first.
        let offset = usize::MAX / 2 + number * 1000 + column as usize;
        // No instruction is at such a column.
        let declared = Declared { path: path.clone(), line, column: 100_000 + column };
        Clause { kind, shown, offset, declared: Some(declared), behavior: None }
    });
    let function = format!("{name}.{}({})", method.name, types.join(", "));
    Some(Contract { clauses: clauses.collect(), ..Contract::empty(&function, 0..0) })
}

/// Whether types without an annotation exclude null: what stands nearest says it (JSpecify).
fn is_null_marked(class: &ClassFile, method: &MethodInfo) -> bool {
    for annotations in [&method.annotations.method, &class.annotations] {
        let has = |name: &str| annotations.iter().any(|one| one.simple_name() == name);
        if has("NullUnmarked") {
            return false;
        }
        if has("NullMarked") {
            return true;
        }
    }
    false
}

/// Which types of a method are type variables: whether those have null is up to whoever uses them.
struct DeclaredTypes {
    params: Vec<bool>,
    result: bool,
    /// Compilers may leave out parameters that they made, in front.
    n_made: usize,
}

impl DeclaredTypes {
    fn of(method: &MethodInfo, signature: &Signature) -> DeclaredTypes {
        let none = DeclaredTypes { params: Vec::new(), result: false, n_made: 0 };
        let Some(text) = method.signature.as_deref() else { return none };
        let Some((params, result)) =
            text.find('(').and_then(|start| text[start + 1..].rsplit_once(')'))
        else {
            return none;
        };
        let (mut found, mut rest) = (Vec::new(), params);
        while let Some(length) = type_length(rest) {
            found.push(rest.starts_with('T'));
            rest = &rest[length..];
        }
        let n_made = signature.params.len().saturating_sub(found.len());
        DeclaredTypes { params: found, result: result.starts_with('T'), n_made }
    }

    /// Whether a parameter, or the result, is of a type variable.
    fn is_variable(&self, position: Option<usize>) -> bool {
        let Some(position) = position else { return self.result };
        let at = position.checked_sub(self.n_made);
        at.and_then(|at| self.params.get(at)).copied().unwrap_or(false)
    }
}

/// How long the first type of a signature is (JVMS 4.7.9.1).
fn type_length(text: &str) -> Option<usize> {
    let start = text.find(|letter| letter != '[')?;
    let first = text[start..].chars().next()?;
    if !matches!(first, 'L' | 'T') {
        return Some(start + first.len_utf8());
    }
    let mut depth = 0;
    let end = text.char_indices().find(|(_, letter)| {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        *letter == ';' && depth == 0
    });
    end.map(|(at, _)| at + 1)
}

/// What annotations say of a value: the annotation, and an expression.
fn about(value: &Value<'_>, annotations: &[Annotation], is_marked: bool) -> Vec<(String, String)> {
    let is_reference = matches!(value.ty, Type::Ref(_));
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |words: String, text: String| {
        if found.iter().all(|(_, known)| *known != text) {
            found.push((words, text));
        }
    };
    let is_nullable = annotations
        .iter()
        .any(|one| matches!(one.simple_name(), "Nullable" | "CheckForNull" | "PolyNull"));
    if is_marked && is_reference && !is_nullable {
        add("@NullMarked".to_owned(), format!("{} != null", value.name));
    }
    for one in annotations {
        let words = format!("@{}", one.simple_name());
        let is_not_null = matches!(one.simple_name(), "NotNull" | "NonNull" | "Nonnull");
        if is_not_null && is_reference {
            add(words, format!("{} != null", value.name));
        } else if let Some(text) = bound(value, one) {
            add(words, text);
        }
    }
    found
}

/// What an annotation says of a number or of a size.
fn bound(value: &Value<'_>, annotation: &Annotation) -> Option<String> {
    let package = annotation.name.rsplit_once('/').map_or("", |(package, _)| package);
    let is_bean = package.ends_with("validation/constraints");
    let is_index = package.ends_with("checker/index/qual");
    let name = value.name;
    let given = |key: &str| annotation.int(key);
    match annotation.simple_name() {
        "Min" if is_bean => number(value, &[(">=", given("value")?)]),
        "Max" if is_bean => number(value, &[("<=", given("value")?)]),
        "Positive" if is_bean || is_index => number(value, &[(">", 0)]),
        "PositiveOrZero" if is_bean => number(value, &[(">=", 0)]),
        "NonNegative" if is_index => number(value, &[(">=", 0)]),
        "Nonnegative" => number(value, &[(">=", 0)]),
        "Negative" if is_bean => number(value, &[("<", 0)]),
        "NegativeOrZero" if is_bean => number(value, &[("<=", 0)]),
        "Range" if package == "org/jetbrains/annotations" => {
            number(value, &[(">=", given("from")?), ("<=", given("to")?)])
        }
        "AssertTrue" if is_bean => truth(value, ""),
        "AssertFalse" if is_bean => truth(value, "!"),
        "Size" if is_bean => {
            let size = size(value)?;
            let low = given("min").filter(|&low| low > 0).map(|low| format!("{size} >= {low}"));
            let high = given("max").filter(|&high| high < i64::from(i32::MAX));
            let high = high.map(|high| format!("{size} <= {high}"));
            let both: Vec<String> = low.into_iter().chain(high).collect();
            (!both.is_empty()).then(|| format!("{name} == null || {}", both.join(" && ")))
        }
        "NotEmpty" if is_bean => Some(format!("{name} != null && {} > 0", size(value)?)),
        "NotBlank" if is_bean && is_text(value.ty) => {
            Some(format!("{name} != null && {name}.toString().trim().length() > 0"))
        }
        _ => None,
    }
}

/// Comparisons of a number; boxed, it may be null, which other annotations forbid.
fn number(value: &Value<'_>, comparisons: &[(&str, i64)]) -> Option<String> {
    let name = value.name;
    let texts: Vec<String> =
        comparisons.iter().map(|(op, limit)| format!("{name} {op} {limit}L")).collect();
    let all = texts.join(" && ");
    match value.ty {
        Type::Prim(prim) if prim.name() != "boolean" => Some(all),
        Type::Prim(_) => None,
        Type::Ref(class) => {
            let boxes = ["Byte", "Short", "Integer", "Long", "Float", "Double"];
            let is_boxed = boxes.iter().any(|one| **class == *format!("java/lang/{one}"));
            is_boxed.then(|| format!("{name} == null || {all}"))
        }
    }
}

fn truth(value: &Value<'_>, not: &str) -> Option<String> {
    match value.ty {
        Type::Prim(prim) if prim.name() == "boolean" => Some(format!("{not}{}", value.name)),
        Type::Prim(_) | Type::Ref(_) => None,
    }
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Ref(class) if matches!(&**class, "java/lang/String" | "java/lang/CharSequence"))
}

/// How large something is.
fn size(value: &Value<'_>) -> Option<String> {
    let Type::Ref(class) = value.ty else { return None };
    let name = value.name;
    if class.starts_with('[') {
        return Some(format!("{name}.length"));
    }
    if is_text(value.ty) {
        return Some(format!("{name}.length()"));
    }
    let collections = ["Collection", "List", "Set", "Map", "ArrayList", "HashMap", "HashSet"];
    let is_collection = collections.iter().any(|one| **class == *format!("java/util/{one}"));
    is_collection.then(|| format!("{name}.size()"))
}

/// The rules of a `@Contract` as expressions. The first rule whose conditions a call meets is the one that counts, so
/// nothing is said behind one that is not understood.
fn promises(text: &str, params: &[Value<'_>], signature: &Signature) -> Vec<String> {
    let (mut found, mut earlier) = (Vec::new(), Vec::new());
    for rule in text.split(';') {
        let Some((conditions, effect)) = rule.split_once("->") else { break };
        let Some(holds) = condition(conditions, params) else { break };
        let applies: Vec<String> = earlier.iter().chain([&holds]).cloned().collect();
        let applies: Vec<String> = applies.into_iter().filter(|one| one != "true").collect();
        let applies = if applies.is_empty() { "true".to_owned() } else { applies.join(" && ") };
        found.extend(promise(&applies, effect.trim(), params, signature));
        earlier.push(format!("!({holds})"));
    }
    found
}

/// `null, _` as an expression.
fn condition(conditions: &str, params: &[Value<'_>]) -> Option<String> {
    let conditions: Vec<&str> = conditions.split(',').map(str::trim).collect();
    let is_empty = conditions == [""];
    if !is_empty && conditions.len() != params.len() {
        return None;
    }
    let mut all = Vec::new();
    for (condition, param) in conditions.iter().zip(params).filter(|_| !is_empty) {
        let name = param.name;
        let is_reference = matches!(param.ty, Type::Ref(_));
        let is_boolean = matches!(param.ty, Type::Prim(prim) if prim.name() == "boolean");
        all.push(match *condition {
            "_" => continue,
            "null" if is_reference => format!("{name} == null"),
            "!null" if is_reference => format!("{name} != null"),
            "true" if is_boolean => name.to_owned(),
            "false" if is_boolean => format!("!{name}"),
            _ => return None,
        });
    }
    Some(if all.is_empty() { "true".to_owned() } else { all.join(" && ") })
}

/// What a rule says of a call that meets its conditions and returns.
fn promise(
    holds: &str,
    effect: &str,
    params: &[Value<'_>],
    signature: &Signature,
) -> Option<String> {
    let is_reference = matches!(signature.result, Some(Type::Ref(_)));
    let is_boolean =
        matches!(&signature.result, Some(Type::Prim(prim)) if prim.name() == "boolean");
    let effect = match effect {
        "fail" => return Some(format!("!({holds})")),
        "null" if is_reference => "result == null".to_owned(),
        "!null" | "new" if is_reference => "result != null".to_owned(),
        "true" if is_boolean => "result".to_owned(),
        "false" if is_boolean => "!result".to_owned(),
        "this" if is_reference => "result == this".to_owned(),
        other => {
            let position: usize = other.strip_prefix("param")?.parse().ok()?;
            signature.result.as_ref()?;
            let param = params.get(position.checked_sub(1)?)?;
            format!("result == {}", param.name)
        }
    };
    Some(format!("!({holds}) || {effect}"))
}
