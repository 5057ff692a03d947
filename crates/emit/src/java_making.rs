//! Objects that a harness made, as Java statements: the same constructors, calls and constants.

use glassbox_testcase::InputValue;
use glassbox_testcase::recipe::{Harness, Making, NewObject};

use crate::java_object::Objects;

impl Objects<'_> {
    /// Statements for everything that a harness makes; expressions for the receiver and the arguments.
    pub(crate) fn make_by_harness(&mut self, harness: &Harness) -> (Option<String>, Vec<String>) {
        let all: Vec<&Making> = harness.receiver.iter().chain(&harness.args).collect();
        let mut texts: Vec<String> = Vec::new();
        for (position, making) in all.iter().enumerate() {
            self.earlier.clone_from(&texts);
            let name = self.harness_names.get(position).cloned().unwrap_or("object".to_owned());
            let text = self.making(making, &name, true);
            if harness.made.iter().any(|(made, _)| *made == position) {
                self.names.push(Some(text.clone()));
            }
            texts.push(text);
        }
        let receiver = harness.receiver.is_some().then(|| texts.remove(0));
        (receiver, texts)
    }

    /// The number that a parameter of the harness has.
    fn number(&self, param: usize) -> usize {
        match self.input.params.get(param).map(|param| &param.value) {
            Some(InputValue::Int(bits)) => usize::try_from(bits.unsigned()).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// Signed, for counts: below zero is none.
    fn count(&self, param: usize, most: usize) -> usize {
        match self.input.params.get(param).map(|param| &param.value) {
            Some(InputValue::Int(bits)) => usize::try_from(bits.signed()).unwrap_or(0).min(most),
            _ => 0,
        }
    }

    fn making(&mut self, making: &Making, name: &str, has_name: bool) -> String {
        match making {
            Making::Param(param) => match self.input.params.get(*param) {
                Some(param) => self.value(param.source_type, &param.value),
                None => "null".to_owned(),
            },
            Making::Null => "null".to_owned(),
            Making::Earlier(position) => {
                self.earlier.get(*position).cloned().unwrap_or("null".to_owned())
            }
            Making::Constant { class, selector, names } => {
                let chosen = names.get(self.number(*selector)).unwrap_or(&names[0]);
                format!("{}.{chosen}", self.short(&class.source))
            }
            Making::Choice { selector, options } => {
                let chosen = options.get(self.number(*selector)).unwrap_or(&options[0]);
                self.making(chosen, name, has_name)
            }
            Making::New(object) => self.new_object(object, name, has_name),
            Making::Usual(usual) => {
                let ones = vec!["1"; usual.n_ones].join(", ");
                let call = usual.call.as_ref().map(|(name, _)| format!(".{name}()"));
                let class = self.short(&usual.class.source);
                format!("new {class}({ones}){}", call.unwrap_or_default())
            }
            Making::Array { class, count, elements } => {
                let length = self.number(*count);
                let length = if length > elements.len() { 0 } else { length };
                let each = elements.iter().take(length).enumerate();
                let texts: Vec<String> = each
                    .map(|(index, making)| self.making(making, &format!("{name}{index}"), false))
                    .collect();
                let class = self.short(&class.source);
                let variable = self.variable(name);
                self.lines.push(format!("{class}[] {variable} = {{{}}};", texts.join(", ")));
                variable
            }
            Making::Collection { declared, class, type_args, count, method, items } => {
                let n_items = self.count(*count, items.len());
                let class = self.short(class);
                // It has no method that adds.
                let declared = match declared.as_str() {
                    "java.lang.Iterable" => class.clone(),
                    declared => self.short(declared),
                };
                let args: Vec<String> = type_args.iter().map(|arg| self.short(arg)).collect();
                let variable = self.variable(name);
                // Of no known type arguments, everything may be in it.
                let (generic, diamond) = match (args.is_empty(), method.as_str()) {
                    (false, _) => (format!("<{}>", args.join(", ")), "<>"),
                    (true, "put") => ("<Object, Object>".to_owned(), "<>"),
                    (true, _) => ("<Object>".to_owned(), "<>"),
                };
                let declared_generic = if args.is_empty() { "" } else { generic.as_str() };
                let made_generic = if args.is_empty() { generic.as_str() } else { diamond };
                self.lines.push(format!(
                    "{declared}{declared_generic} {variable} = new {class}{made_generic}();"
                ));
                for (index, item) in items.iter().take(n_items).enumerate() {
                    let texts: Vec<String> = item
                        .iter()
                        .map(|making| self.making(making, &format!("{name}{index}"), false))
                        .collect();
                    self.lines.push(format!("{variable}.{method}({});", texts.join(", ")));
                }
                variable
            }
        }
    }

    fn new_object(&mut self, object: &NewObject, name: &str, has_name: bool) -> String {
        let mut args: Vec<String> = Vec::new();
        for (position, making) in object.args.iter().enumerate() {
            let text = self.making(making, &format!("{name}{}", position + 1), false);
            args.push(self.typed_null(text, &object.descriptor, position));
        }
        let class = self.short(&object.class.source);
        let made = match &object.factory {
            Some(factory) => format!("{class}.{factory}({})", args.join(", ")),
            None if object.has_outer && !args.is_empty() => {
                let outer = args.remove(0);
                let simple = class.rsplit('.').next().unwrap_or(&class).to_owned();
                format!("{outer}.new {simple}({})", args.join(", "))
            }
            None => format!("new {class}({})", args.join(", ")),
        };
        let mut calls = Vec::new();
        for step in &object.steps {
            let Some(call) = self.number(step.selector).checked_sub(1) else { continue };
            let Some(call) = step.calls.get(call) else { continue };
            calls.push(call);
        }
        if calls.is_empty() && !has_name {
            return made;
        }
        let variable = self.variable(name);
        self.lines.push(format!("{class} {variable} = {made};"));
        for call in calls {
            let mut args = Vec::new();
            for (position, making) in call.args.iter().enumerate() {
                let text = self.making(making, &format!("{name}{}", position + 1), false);
                args.push(self.typed_null(text, &call.descriptor, position));
            }
            self.lines.push(format!("{variable}.{}({});", call.method, args.join(", ")));
        }
        variable
    }

    /// Null has a type, so that overloads stay apart.
    fn typed_null(&self, text: String, descriptor: &str, position: usize) -> String {
        if text != "null" {
            return text;
        }
        match crate::java_literal::param_type(descriptor, position) {
            Some(ty) => format!("({}) null", self.short(&ty)),
            None => text,
        }
    }
}
