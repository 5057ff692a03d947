//! Terms and calls in the language of an implementation, as `[rules]` in glassbox.toml says.

use glassbox_contract::mapping::{Mapping, Template};
use glassbox_emit::Framework;
use glassbox_ir::FuncId;
use glassbox_rules_front::Spec;
use glassbox_rules_front::spec::{DataKind, IntType, Type};
use glassbox_rules_front::term::Term;
use glassbox_values::Signedness;

use super::Rules;

/// The language of the implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    C,
    Java,
}

/// Why there are no tests of an implementation, where a framework was asked for.
pub(super) fn missing(rules: &Rules, function: FuncId, framework: Framework) -> Option<String> {
    let name = &rules.spec.functions[rules.position(function)].name;
    let mapping = rules.config.as_ref().map(|config| &config.rules);
    let what = match mapping {
        Some(mapping) if call_of(mapping, name).is_none() => {
            format!("what implements `{name}`: `[rules.function] {name} = \"…\"`")
        }
        Some(Mapping { source: Some(_), .. }) => return None,
        Some(_) => "which file implements it: `[rules] source = \"…\"`".to_owned(),
        None => "what implements it: `[rules]`".to_owned(),
    };
    Some(format!("no tests for {}: glassbox.toml does not say {what}", framework.name()))
}

/// The text that calls a function.
pub(super) fn call_of<'m>(mapping: &'m Mapping, function: &str) -> Option<&'m str> {
    text_of(&mapping.functions, function)
}

/// The text for a name.
pub(super) fn text_of<'m>(templates: &'m [Template], name: &str) -> Option<&'m str> {
    templates.iter().find(|template| template.name == name).map(|it| it.text.as_str())
}

/// Puts parts in the place of `$name`; a name without a part is an error.
pub(super) fn expand(text: &str, part: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(behind) = after.strip_prefix('$') {
            out.push('$');
            rest = behind;
            continue;
        }
        let length = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, behind) = after.split_at(length.unwrap_or(after.len()));
        out.push_str(&part(name).ok_or_else(|| format!("`${name}` in `{text}` is nothing"))?);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

/// How terms are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Writer<'a> {
    pub(super) spec: &'a Spec,
    pub(super) mapping: &'a Mapping,
    pub(super) dialect: Dialect,
}

impl Writer<'_> {
    /// The call of what implements a function.
    pub(super) fn call(&self, function: usize, args: &[Term]) -> Result<String, String> {
        let declared = &self.spec.functions[function];
        let Some(text) = call_of(self.mapping, &declared.name) else {
            return Err(format!("nothing is said to implement `{}`", declared.name));
        };
        let mut written = Vec::new();
        for (arg, (_, ty)) in args.iter().zip(&declared.params) {
            written.push(self.value(arg, *ty)?);
        }
        expand(text, |name| {
            let position = declared.params.iter().position(|(known, _)| known == name);
            let position = position.or_else(|| name.parse::<usize>().ok()?.checked_sub(1))?;
            written.get(position).cloned()
        })
    }

    /// An expression that makes a value.
    pub(super) fn value(&self, term: &Term, ty: Type) -> Result<String, String> {
        match (term, ty) {
            (Term::Bool(value), _) => Ok(match self.dialect {
                Dialect::C => u8::from(*value).to_string(),
                Dialect::Java => value.to_string(),
            }),
            (Term::Int(number), Type::Int(int)) => Ok(self.number(*number, int)),
            (Term::Int(number), Type::Bool | Type::Data(_)) => Ok(number.to_string()),
            (Term::Make { data, constructor, args }, _) => {
                self.made(term, *data, *constructor, args)
            }
        }
    }

    fn number(&self, number: i128, int: IntType) -> String {
        let signed = IntType { signedness: Signedness::Signed, ..int };
        match (self.dialect, int.width, int.signedness) {
            (Dialect::C, width, Signedness::Signed) => {
                let suffix = if width == 64 { "LL" } else { "" };
                if number == signed.wrap(1i128 << (width - 1)) && width >= 32 {
                    format!("({}{suffix} - 1)", number + 1)
                } else {
                    format!("{number}{suffix}")
                }
            }
            (Dialect::C, 64, Signedness::Unsigned) => format!("{number}ULL"),
            (Dialect::C, _, Signedness::Unsigned) => format!("{number}u"),
            (Dialect::Java, 8, _) => format!("(byte) {}", signed.wrap(number)),
            (Dialect::Java, 16, _) => format!("(short) {}", signed.wrap(number)),
            (Dialect::Java, 64, _) => format!("{}L", signed.wrap(number)),
            (Dialect::Java, _, _) => signed.wrap(number).to_string(),
        }
    }

    fn made(
        &self,
        term: &Term,
        data: usize,
        constructor: usize,
        args: &[Term],
    ) -> Result<String, String> {
        let declared = &self.spec.datas[data];
        if let DataKind::List(element) = declared.kind {
            return self.list(term, &declared.name, element);
        }
        let made = &declared.constructors[constructor];
        let mut written = Vec::new();
        for (arg, field) in args.iter().zip(&made.fields) {
            written.push(self.value(arg, field.ty)?);
        }
        if let Some(text) = text_of(&self.mapping.values, &made.name) {
            return expand(text, |name| {
                let is_it =
                    |field: &glassbox_rules_front::spec::Field| field.name.as_deref() == Some(name);
                let position = made.fields.iter().position(is_it);
                let position = position.or_else(|| name.parse::<usize>().ok()?.checked_sub(1))?;
                written.get(position).cloned()
            });
        }
        let parts = written.join(", ");
        let is_plain = declared.constructors.iter().all(|made| made.fields.is_empty());
        Ok(match (self.dialect, declared.kind) {
            (Dialect::C, DataKind::Record) => {
                let names = made.fields.iter().filter_map(|field| field.name.as_deref());
                let parts = names.zip(&written).map(|(name, text)| format!(".{name} = {text}"));
                format!("(struct {}){{{}}}", made.name, parts.collect::<Vec<_>>().join(", "))
            }
            (Dialect::C, _) if args.is_empty() => made.name.clone(),
            (Dialect::C, _) => format!("{}({parts})", made.name),
            (Dialect::Java, _) if is_plain => format!("{}.{}", declared.name, made.name),
            (Dialect::Java, _) => format!("new {}({parts})", made.name),
        })
    }

    fn list(&self, term: &Term, name: &str, element: Type) -> Result<String, String> {
        let elements = term.elements(self.spec).unwrap_or_default();
        let mut items = Vec::new();
        for item in &elements {
            items.push(self.value(item, element)?);
        }
        let (length, items) = (items.len(), items.join(", "));
        if let Some(text) = text_of(&self.mapping.values, name) {
            return expand(text, |part| match part {
                "items" => Some(items.clone()),
                "length" => Some(length.to_string()),
                _ => None,
            });
        }
        match self.dialect {
            Dialect::Java => Ok(format!("java.util.List.of({items})")),
            Dialect::C => Err(format!(
                "glassbox.toml does not say how a `{name}` is written: `[rules.value] \"{name}\" = \"… $items … $length …\"`"
            )),
        }
    }

    /// Conditions that say that an expression has this value.
    pub(super) fn compared(
        &self,
        access: &str,
        term: &Term,
        ty: Type,
        conditions: &mut Vec<String>,
    ) -> Result<(), String> {
        let name = self.spec.type_name(ty);
        if let Some(text) = text_of(&self.mapping.equal, &name) {
            let expected = self.value(term, ty)?;
            conditions.push(expand(text, |part| match part {
                "result" => Some(access.to_owned()),
                "expected" => Some(expected.clone()),
                _ => None,
            })?);
            return Ok(());
        }
        match (term, ty) {
            (Term::Make { args, .. }, Type::Data(data))
                if self.spec.datas[data].kind == DataKind::Record =>
            {
                let fields = &self.spec.datas[data].constructors[0].fields;
                for (field, arg) in fields.iter().zip(args) {
                    let part = format!("{access}.{}", field.name.as_deref().unwrap_or_default());
                    self.compared(&part, arg, field.ty, conditions)?;
                }
                Ok(())
            }
            (Term::Make { .. }, Type::Data(data))
                if !self.spec.datas[data].constructors.iter().all(|it| it.fields.is_empty()) =>
            {
                Err(format!(
                    "glassbox.toml does not say how a `{name}` is compared: `[rules.equal] \"{name}\" = \"… $result … $expected …\"`"
                ))
            }
            (Term::Make { .. } | Term::Bool(_) | Term::Int(_), _) => {
                let expected = self.value(term, ty)?;
                conditions.push(format!("{access} == {expected}"));
                Ok(())
            }
        }
    }
}
