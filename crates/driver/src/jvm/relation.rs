//! Relations between calls of Java methods, as Java text in the method that stands for a contract: what a call changes is
//! kept and put back, the method is called once more, and what both calls leave is compared.
//!
//! Exceptions are outcomes: where one call returns and the other throws, or both throw exceptions of different classes, they
//! do not agree. What cannot be put back is refused: objects other than arrays and texts.

use std::fmt::Write as _;
use std::rc::Rc;

use glassbox_contract::{Clause, ClauseKind, Config, Contract, Effect, Permuted, RelationKind};
use glassbox_jvm_front::classfile::{Access, ClassFile, FieldInfo};

use super::comparable::{element, equal, field_type, is_comparable, is_constant, simple};
use super::subject::Subject;
use crate::language::Refusal;

/// The code of a method's relations.
#[derive(Debug, Default)]
pub(super) struct Relations {
    /// Before the first call.
    pub(super) before: String,
    /// After it returned, where `result` has its result.
    pub(super) after: String,
    /// After it threw `glassbox$thrown`.
    pub(super) thrown: String,
    /// Where each relation stands, and what it says in words.
    pub(super) shown: Vec<(usize, String)>,
    /// What is compared otherwise than by all that tells it from others.
    pub(super) roughly: Vec<&'static str>,
}

/// Something that calls may change: an array that is put back element by element, or a variable.
struct State {
    /// How Java code reaches it.
    reached: String,
    ty: String,
    /// The variable itself may hold something else afterwards.
    is_variable: bool,
}

/// A relation as it is being written.
struct Writer<'a> {
    config: &'a Config,
    subject: &'a Subject,
    /// What says whether arguments are as the contract requires, if it requires something.
    judge: Option<String>,
    state: Vec<State>,
    out: Relations,
    number: usize,
}

/// What relations are made with.
pub(super) struct Related<'a> {
    /// The method that says whether arguments are as the contract requires, if it requires something.
    pub(super) judge: Option<String>,
    /// All of the program's own.
    pub(super) classes: &'a [Rc<ClassFile>],
    /// Methods by name.
    pub(super) find: &'a dyn Fn(&str) -> Option<Subject>,
}

impl Relations {
    /// As promises of the contract, which reports list.
    pub(super) fn clauses(&self) -> impl Iterator<Item = Clause> {
        self.shown.iter().map(|(offset, shown)| Clause {
            kind: ClauseKind::Ensure("true".to_owned()),
            shown: shown.clone(),
            offset: *offset,
            declared: None,
            behavior: None,
        })
    }
}

/// The relations of a contract.
pub(super) fn relations(
    config: &Config,
    contract: &Contract,
    subject: &Subject,
    Related { judge, classes, find }: Related<'_>,
) -> Result<Relations, Refusal> {
    let Some(first) = contract.relations.first() else { return Ok(Relations::default()) };
    let refuse = |offset: usize, what: String| refused(config, offset, &what);
    let name = &subject.method.name;
    if name.starts_with('<') {
        return refuse(first.offset, "a constructor is called once for an object".to_owned());
    }
    let state = state(subject, classes).or_else(|why| {
        refused(config, first.offset, &format!("calls of `{name}` cannot be compared: {why}"))
    })?;
    if let Some(result) = &subject.result
        && !is_comparable(result)
    {
        let what =
            format!("calls of `{name}` cannot be compared: its result is an object, a `{result}`");
        return refuse(first.offset, what);
    }
    let mut w = Writer { config, subject, judge, state, out: Relations::default(), number: 0 };
    w.out.before = w.keep("before");
    for relation in &contract.relations {
        let offset = relation.offset;
        match &relation.kind {
            RelationKind::Symmetric(names) => w.symmetric(names, offset)?,
            RelationKind::Permute(arrays) => w.permute(arrays, offset)?,
            RelationKind::Relate(text) => w.relate(text, offset)?,
            RelationKind::Reference { function, .. } => w.reference(function, offset, find)?,
        }
    }
    Ok(w.finished())
}

/// What compares a method with a copy of it that has another name; why its calls cannot be compared.
pub(super) fn comparison(
    config: &Config,
    subject: &Subject,
    classes: &[Rc<ClassFile>],
    copy: &str,
) -> Result<Relations, String> {
    let state = state(subject, classes)?;
    if let Some(result) = subject.result.as_deref().filter(|result| !is_comparable(result)) {
        return Err(format!("its result is an object, a `{result}`"));
    }
    let (out, number) = (Relations::default(), 0);
    let mut w = Writer { config, subject, judge: None, state, out, number };
    w.out.before = w.keep("before");
    let arguments: Vec<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
    let second = Second::plain(format!("{copy}({})", arguments.join(", ")));
    w.compared(&second, 0, format!("{} and its mutant do the same", subject.method.name));
    let roughly = w.roughly();
    Ok(Relations { roughly, ..w.finished() })
}

fn refused<T>(config: &Config, offset: usize, what: &str) -> Result<T, Refusal> {
    let (line, column) = config.place(offset);
    Err(Refusal(format!("{}:{line}:{column}: error: {what}\n", config.path)))
}

/// What a call of the method may change; why it cannot be put back.
fn state(subject: &Subject, classes: &[Rc<ClassFile>]) -> Result<Vec<State>, String> {
    let is_static = subject.method.access.is_static();
    let mut state = Vec::new();
    for (ty, name) in subject.params.iter().skip(usize::from(!is_static)) {
        if element(ty).is_some() {
            state.push(State { reached: name.clone(), ty: ty.clone(), is_variable: false });
        } else if !is_comparable(ty) {
            return Err(format!("`{name}` is an object, a `{ty}`"));
        }
    }
    let mut field = |reached: String, field: &FieldInfo| -> Result<(), String> {
        let ty = field_type(&field.descriptor);
        let is_final = field.access.is_final();
        if element(&ty).is_some() || (is_comparable(&ty) && !is_final) {
            state.push(State { reached, ty, is_variable: !is_final });
        } else if !(is_comparable(&ty) || (is_final && is_constant(&ty))) {
            return Err(format!("the field `{}` is an object, a `{ty}`", field.name));
        }
        Ok(())
    };
    if !is_static {
        let parent = subject.class.superclass.as_deref();
        if parent != Some("java/lang/Object") {
            return Err("its class extends another, whose fields are not compared".to_owned());
        }
        let own = subject.class.fields.iter().filter(|it| !it.access.is_static());
        for one in own {
            field(format!("self.{}", one.name), one)?;
        }
    }
    for class in classes {
        let owner = class.name.replace(['/', '$'], ".");
        for one in class.fields.iter().filter(|it| it.access.is_static() && it.constant.is_none()) {
            // What the compiler makes for assertions does not change.
            if one.access.has(Access::SYNTHETIC) {
                continue;
            }
            field(format!("{owner}.{}", one.name), one)?;
        }
    }
    Ok(state)
}

/// How arrays change places in a call and how they are looked at afterwards: by parameter.
type Moves<'m> = &'m dyn Fn(&str) -> (u8, u8);

impl Writer<'_> {
    fn finished(self) -> Relations {
        let (mut after, mut thrown) = (self.keep("after"), self.keep("after"));
        after.push_str(&self.out.after);
        thrown.push_str(&self.out.thrown);
        Relations { after, thrown, ..self.out }
    }

    /// What is compared by its content, not by which object it is, and what `==` does not tell apart.
    fn roughly(&self) -> Vec<&'static str> {
        let result = self.subject.result.as_deref();
        let types: Vec<&str> =
            self.state.iter().map(|state| state.ty.as_str()).chain(result).collect();
        // Which array an argument is, no call changes.
        let variables = self.state.iter().filter(|state| state.is_variable);
        let mut held = variables.map(|state| state.ty.as_str()).chain(result);
        let is_text = |ty: &&str| simple(ty.trim_end_matches("[]")) == "String";
        let is_float = |ty: &&str| matches!(ty.trim_end_matches("[]"), "float" | "double");
        let all = [
            (held.any(|ty| element(ty).is_some()), "arrays are compared by their elements"),
            (types.iter().any(is_text), "texts are compared by their letters"),
            (types.iter().any(is_float), "zeros of both signs count as the same"),
        ];
        all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what).collect()
    }

    fn is_static(&self) -> bool {
        self.subject.method.access.is_static()
    }

    /// The parameters without the receiver.
    fn parameters(&self) -> &[(String, String)] {
        &self.subject.params[usize::from(!self.is_static())..]
    }

    fn refuse<T>(&self, offset: usize, what: &str) -> Result<T, Refusal> {
        refused(self.config, offset, what)
    }

    /// Variables that keep what is there.
    fn keep(&self, when: &str) -> String {
        let mut out = String::new();
        for (index, State { reached, ty, .. }) in self.state.iter().enumerate() {
            let ty = ty.replace("java.lang.String", "String");
            if element(&ty).is_some() {
                let _ = writeln!(out, "    {ty} {when}$v{index} = {reached};");
                let _ = writeln!(out, "    {ty} {when}$c{index} = glassbox$keep({reached});");
            } else {
                let _ = writeln!(out, "    {ty} {when}$v{index} = {reached};");
            }
        }
        out
    }

    /// Puts back what was kept; elements of arrays go where the first of the moves says.
    fn restore(&self, when: &str, n: &str, moves: Moves<'_>) -> String {
        let mut out = String::new();
        for (index, State { reached, ty, is_variable }) in self.state.iter().enumerate() {
            if *is_variable {
                let _ = write!(out, "{reached} = {when}$v{index}; ");
            }
            if element(ty).is_some() {
                let how = moves(reached).0;
                let _ = write!(
                    out,
                    "glassbox$put({when}$v{index}, {when}$c{index}, {}, {how}); ",
                    if how == 0 { "0" } else { n }
                );
            }
        }
        out
    }

    /// Conditions that what is there is what the first call left.
    fn same(&self, n: &str, moves: Moves<'_>) -> Vec<String> {
        let mut all = Vec::new();
        for (index, State { reached, ty, .. }) in self.state.iter().enumerate() {
            if element(ty).is_some() {
                let how = moves(reached).1;
                let n = if how == 0 { "0" } else { n };
                all.push(format!("glassbox$same({reached}, after$c{index}, {n}, {how})"));
            } else {
                all.push(equal(ty, reached, &format!("after$v{index}")));
            }
        }
        all
    }

    fn call(&self, receiver: &str, method: &str, arguments: &[String]) -> String {
        format!("{receiver}.{method}({})", arguments.join(", "))
    }

    fn receiver(&self) -> String {
        if self.is_static() {
            self.subject.class.name.replace(['/', '$'], ".")
        } else {
            "self".to_owned()
        }
    }

    /// A second call and the comparison with the first. `condition` says when there is one.
    fn compared(&mut self, second: &Second<'_>, offset: usize, shown: String) {
        self.number += 1;
        let Second { condition, call, n, moves, expected } = second;
        let id = self.number;
        let (line, column) = self.config.place(offset);
        let place = format!("{line}, {column}, {shown:?}, {:?}", self.config.path);
        let still = |_: &str| (0, 0);
        let (restore, put_back) =
            (self.restore("before", n, moves), self.restore("after", "0", &still));
        let conditions = self.same(n, moves);
        let (declared, kept, results) = match &self.subject.result {
            Some(ty) => {
                let now = format!("glassbox$r{id}");
                let initial = match simple(ty) {
                    "boolean" => "false",
                    "int" | "long" | "short" | "byte" | "char" | "float" | "double" => "0",
                    _ => "null",
                };
                let expected = expected.clone().unwrap_or_else(|| "result".to_owned());
                let same = if element(ty).is_some() {
                    format!("glassbox$same({now}, {expected}, 0, 0)")
                } else {
                    equal(ty, &now, &expected)
                };
                (format!("{ty} {now} = {initial}; "), format!("{now} = {call};"), vec![same])
            }
            None => (String::new(), format!("{call};"), Vec::new()),
        };
        let thrown = format!("glassbox$t{id}");
        let attempt = format!(
            "{declared}Throwable {thrown} = null; try {{ {kept} }} catch (Throwable e) {{ {thrown} = e; }}"
        );
        let all = |first: &str, others: &[&[String]]| {
            let mut parts = vec![first.to_owned()];
            parts.extend(others.iter().flat_map(|it| it.iter().cloned()));
            parts.join(" && ")
        };
        let after = all(&format!("{thrown} == null"), &[&results, &conditions]);
        let both = format!("{thrown} != null && {thrown}.getClass() == glassbox$thrown.getClass()");
        let after_thrown = all(&both, &[&conditions]);
        for (out, same) in [(&mut self.out.after, after), (&mut self.out.thrown, after_thrown)] {
            let _ = writeln!(
                out,
                "    {{ if ({condition}) {{ {restore}boolean glassbox$is{id} = true; {judge}{{ {attempt}\n      \
                 glassbox$is{id} = {same}; }}\n      {put_back}ensure(glassbox$is{id}, {place}); }} }}",
                judge = second.judged(self.judge.as_deref()),
            );
        }
        self.out.shown.push((offset, shown));
    }

    fn symmetric(&mut self, names: &[String], offset: usize) -> Result<(), Refusal> {
        let own: Vec<(String, String)> = self.parameters().to_vec();
        let f = self.subject.method.name.to_string();
        let mut positions = Vec::new();
        for name in names {
            let Some(position) = own.iter().position(|(_, known)| known == name) else {
                let known: Vec<&str> = own.iter().map(|(_, name)| name.as_str()).collect();
                let help = glassbox_contract::similar::help(name, &known);
                return self
                    .refuse(offset, &format!("`{f}` has no parameter `{name}`\nhelp: {help}"));
            };
            positions.push(position);
        }
        if let Some(&other) = positions.iter().find(|&&it| own[it].0 != own[positions[0]].0) {
            let (a, b) = (&own[positions[0]].1, &own[other].1);
            return self.refuse(
                offset,
                &format!("`{a}` and `{b}` have different types: they cannot change places"),
            );
        }
        let count = names.len();
        for &rotates in if count == 2 { &[false][..] } else { &[false, true][..] } {
            let given = |at: usize| match (rotates, at) {
                (true, at) => &names[(at + 1) % count],
                (false, at) if at < 2 => &names[1 - at],
                (false, at) => &names[at],
            };
            let mut arguments: Vec<String> = own.iter().map(|(_, name)| name.clone()).collect();
            for (at, &position) in positions.iter().enumerate() {
                arguments[position] = given(at).clone();
            }
            let plain: Vec<&str> = own.iter().map(|(_, name)| name.as_str()).collect();
            let shown = format!(
                "symmetric {}: {f}({}) is {f}({})",
                names.join(", "),
                arguments.join(", "),
                plain.join(", ")
            );
            let call = self.call(&self.receiver(), &f, &arguments);
            let arguments = self.with_receiver(arguments);
            let second = Second::plain(call);
            self.compared_with(&second, &arguments, offset + usize::from(rotates), shown);
        }
        Ok(())
    }

    fn with_receiver(&self, mut arguments: Vec<String>) -> Vec<String> {
        if !self.is_static() {
            arguments.insert(0, "self".to_owned());
        }
        arguments
    }

    fn compared_with(
        &mut self,
        second: &Second<'_>,
        arguments: &[String],
        offset: usize,
        shown: String,
    ) {
        let judge = self.judge.clone();
        self.judge = judge.as_ref().map(|name| format!("{name}({})", arguments.join(", ")));
        self.compared(second, offset, shown);
        self.judge = judge;
    }

    fn permute(&mut self, arrays: &[Permuted], offset: usize) -> Result<(), Refusal> {
        let own: Vec<(String, String)> = self.parameters().to_vec();
        let f = self.subject.method.name.to_string();
        for Permuted { array, offset, .. } in arrays {
            match own.iter().find(|(_, name)| name == array) {
                Some((ty, _)) if element(ty).is_some() => {}
                Some(_) => {
                    return self
                        .refuse(*offset, &format!("`{array}` is no array of numbers or texts"));
                }
                None => return self.refuse(*offset, &format!("`{f}` has no parameter `{array}`")),
            }
        }
        let index = arrays.iter().any(|array| array.effect == Effect::Index);
        let result = self.subject.result.clone();
        if index && !matches!(result.as_deref(), Some("int" | "long" | "short" | "byte" | "char")) {
            return self.refuse(offset, &format!("the result of `{f}` is no integer, so no index"));
        }
        let not_null: Vec<String> =
            arrays.iter().map(|it| format!("{} != null", it.array)).collect();
        let lengths: Vec<String> = arrays.iter().map(|it| format!("{}.length", it.array)).collect();
        let n = lengths
            .iter()
            .skip(1)
            .fold(lengths[0].clone(), |least, next| format!("Math.min({least}, {next})"));
        let arguments: Vec<String> = own.iter().map(|(_, name)| name.clone()).collect();
        let call = self.call(&self.receiver(), &f, &arguments);
        let arguments = self.with_receiver(arguments);
        for how in [1u8, 2] {
            let moves = |name: &str| {
                let effect = arrays.iter().find(|it| it.array == name).map(|it| it.effect);
                match effect {
                    Some(Effect::Natural | Effect::Index) => (how, how),
                    Some(Effect::Invariant) => (how, 0),
                    None => (0, 0),
                }
            };
            let expected = result.as_ref().filter(|_| index).map(|ty| {
                format!("(result >= 0 && result < {n} ? ({ty})glassbox$place((int)result, {n}, {how}) : result)")
            });
            let least = if how == 1 { 2 } else { 3 };
            let condition = format!("{} && {n} >= {least}", not_null.join(" && "));
            let second =
                Second { condition, call: call.clone(), n: n.clone(), moves: &moves, expected };
            let words: Vec<String> =
                arrays.iter().map(|it| format!("{} {}", it.array, it.effect.name())).collect();
            let what = if how == 1 {
                "its first two elements change places"
            } else {
                "its elements rotate"
            };
            self.compared_with(
                &second,
                &arguments,
                offset + usize::from(how == 2),
                format!("permute {}: {what}", words.join(", ")),
            );
        }
        Ok(())
    }

    fn relate(&mut self, text: &str, offset: usize) -> Result<(), Refusal> {
        let f = &self.subject.method.name;
        if !self.state.is_empty() {
            let what = format!(
                "a call of `{f}` may change what the next one sees: an expression over calls would depend on their order\n\
                 help: `symmetric`, `permute` and `reference` put back what a call changes"
            );
            return self.refuse(offset, &what);
        }
        let known = self.subject.params.iter().map(|(_, name)| name.as_str()).collect();
        let mut old = Vec::new();
        let expression = super::expression::rewrite(text, &self.subject.members, &known, &mut old);
        if !old.is_empty() {
            return self.refuse(offset, "nothing is old in an expression over calls");
        }
        let (line, column) = self.config.place(offset);
        let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.number += 1;
        let id = self.number;
        let _ = writeln!(
            self.out.after,
            "    boolean glassbox$is{id}; try {{ glassbox$is{id} = {}; }} catch (RuntimeException e) {{ \
             glassbox$is{id} = false; }}\n    ensure(glassbox$is{id}, {line}, {column}, {shown:?}, {:?});",
            expression.split_whitespace().collect::<Vec<_>>().join(" "),
            self.config.path,
        );
        self.out.shown.push((offset, shown));
        Ok(())
    }

    fn reference(
        &mut self,
        name: &str,
        offset: usize,
        find: &dyn Fn(&str) -> Option<Subject>,
    ) -> Result<(), Refusal> {
        let class = self.subject.class.name.replace(['/', '$'], ".");
        let other = find(name).or_else(|| find(&format!("{class}.{name}")));
        let Some(other) = other else {
            return self
                .refuse(offset, &format!("no method `{name}` is known here, or several are"));
        };
        let f = self.subject.method.name.to_string();
        let (own, others) = (&self.subject.method, &other.method);
        let is_same_class = other.class.name == self.subject.class.name;
        if is_same_class && own.name == others.name && own.descriptor == others.descriptor {
            return self.refuse(offset, &format!("`{f}` is compared with itself"));
        }
        if own.descriptor != others.descriptor
            || own.access.is_static() != others.access.is_static()
        {
            return self.refuse(offset, &format!("`{f}` and `{name}` have different types"));
        }
        if !self.is_static() && !is_same_class {
            return self
                .refuse(offset, &format!("`{name}` is a method of objects of another class"));
        }
        let arguments: Vec<String> =
            self.parameters().iter().map(|(_, name)| name.clone()).collect();
        let receiver = if self.is_static() {
            other.class.name.replace(['/', '$'], ".")
        } else {
            "self".to_owned()
        };
        let call = self.call(&receiver, &others.name, &arguments);
        let plain = arguments.join(", ");
        let shown = format!("reference {name}: {f}({plain}) is {name}({plain})");
        let second = Second::plain(call);
        // It gets the arguments of the first call, which are as they should be.
        let judge = self.judge.take();
        self.compared(&second, offset, shown);
        self.judge = judge;
        Ok(())
    }
}

/// A second call.
struct Second<'a> {
    /// When it is made.
    condition: String,
    call: String,
    /// How many elements change places.
    n: String,
    moves: Moves<'a>,
    /// What it should return, where that is not `result`.
    expected: Option<String>,
}

impl Second<'_> {
    /// A call that is always made, with everything where it was.
    fn plain(call: String) -> Second<'static> {
        let (condition, n) = ("true".to_owned(), "0".to_owned());
        Second { condition, call, n, moves: &|_| (0, 0), expected: None }
    }

    /// Inputs that the contract excludes are passed over.
    fn judged(&self, judge: Option<&str>) -> String {
        judge.map_or(String::new(), |judge| format!("if ({judge}) "))
    }
}
