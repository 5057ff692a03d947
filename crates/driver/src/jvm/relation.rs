//! Relations between calls of Java methods, as methods in Java: what a call changes is kept and put back, the method or another
//! one is called once more, and what both calls leave is compared.
//!
//! Exceptions are outcomes: where one call returns and the other throws, or both throw exceptions of different classes, they
//! do not agree. What cannot be put back is refused: objects other than arrays and texts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

use glassbox_contract::{Clause, Config, Contract, Effect, Permuted, RelationKind};
use glassbox_jvm_front::classfile::{ClassFile, MethodInfo};
use glassbox_testcase::NotCompared;

use super::begun::Begun;
use super::beyond;
use super::changed_state::{Reader, State, has_fields_below, is_private, state};
use super::comparable::{element, equal, is_comparable, simple};
use super::contract::assumed;
use super::second_call::{Moves, Second};
use super::subject::Subject;
use crate::language::Refusal;

/// A relation as code.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// What it says, in words.
    pub(super) shown: String,
    /// Where it stands.
    pub(super) offset: usize,
    /// For engines: the statements of a method with the parameters of the one that it is about.
    pub(super) body: String,
    /// The same for people, who call it with inputs of which it speaks.
    pub(super) test: TestText,
    pub(super) not_compared: Vec<NotCompared>,
}

/// Statements that throw an error where calls do not agree.
#[derive(Debug, Clone, Default)]
pub(super) struct TestText {
    pub(super) body: String,
    /// Arrays of these are kept and compared.
    pub(super) elements: BTreeSet<String>,
    /// It uses what tests have to see private members.
    pub(super) is_reflective: bool,
}

/// Relations as they are written.
struct Writer<'a> {
    config: &'a Config,
    subject: &'a Subject,
    /// What the contract requires.
    required: &'a [Clause],
    /// What says whether arguments are as the contract requires, if it requires something.
    judge: Option<String>,
    state: Vec<State>,
    /// What no comparison looks at, whatever is called.
    roughly: Vec<NotCompared>,
    /// All of the program's own.
    classes: &'a [Rc<ClassFile>],
    made: Vec<Relation>,
}

/// What relations are made with.
pub(super) struct Related<'a> {
    /// What the contract requires.
    pub(super) required: &'a [Clause],
    /// The method that says whether arguments are as the contract requires, if it requires something.
    pub(super) judge: Option<String>,
    /// All of the program's own.
    pub(super) classes: &'a [Rc<ClassFile>],
    /// Methods by name.
    pub(super) find: &'a dyn Fn(&str) -> Option<Subject>,
}

/// The relations of a contract.
pub(super) fn relations(
    config: &Config,
    contract: &Contract,
    subject: &Subject,
    Related { required, judge, classes, find }: Related<'_>,
) -> Result<Vec<Relation>, Refusal> {
    let Some(first) = contract.relations.first() else { return Ok(Vec::new()) };
    let name = &subject.method.name;
    if name.starts_with('<') {
        return refused(config, first.offset, "a constructor is called once for an object");
    }
    let writer = Writer::new(config, subject, classes, (required, judge));
    let mut w = writer.or_else(|why| {
        refused(config, first.offset, &format!("calls of `{name}` cannot be compared: {why}"))
    })?;
    for relation in &contract.relations {
        let offset = relation.offset;
        match &relation.kind {
            RelationKind::Symmetric(names) => w.symmetric(names, offset)?,
            RelationKind::Permute(arrays) => w.permute(arrays, offset)?,
            RelationKind::Relate(text) => w.relate(text, offset)?,
            RelationKind::Reference { function, .. } => w.reference(function, offset, find)?,
        }
    }
    Ok(w.made)
}

/// A method and a changed copy of it, which code calls by these names with the object first.
pub(super) struct Copied<'a> {
    pub(super) itself: &'a str,
    pub(super) copy: &'a str,
    /// Classes that calls of either may start.
    pub(super) begun: Begun,
    pub(super) required: &'a [Clause],
}

/// What compares a method with a copy; why their calls cannot be compared.
pub(super) fn comparison(
    config: &Config,
    subject: &Subject,
    classes: &[Rc<ClassFile>],
    Copied { itself, copy, begun, required }: Copied<'_>,
    words: &str,
) -> Result<Relation, String> {
    let mut w = Writer::new(config, subject, classes, (required, None))?;
    let arguments: Vec<&str> = subject.params.iter().map(|(_, name)| name.as_str()).collect();
    let [first, again] = [itself, copy].map(|it| format!("{it}({})", arguments.join(", ")));
    let second = Second { begun, ..Second::plain([again.clone(), again]) };
    w.both_calls([first.clone(), first], &second, 0, words.to_owned());
    w.made.pop().ok_or_else(|| "nothing was written".to_owned())
}

fn refused<T>(config: &Config, offset: usize, what: &str) -> Result<T, Refusal> {
    let (line, column) = config.place(offset);
    Err(Refusal(format!("{}:{line}:{column}: error: {what}\n", config.path)))
}

impl<'a> Writer<'a> {
    fn new(
        config: &'a Config,
        subject: &'a Subject,
        classes: &'a [Rc<ClassFile>],
        (required, judge): (&'a [Clause], Option<String>),
    ) -> Result<Writer<'a>, String> {
        let state = state(subject, classes)?;
        if let Some(result) = subject.result.as_deref().filter(|result| !is_comparable(result)) {
            return Err(format!("its result is an object, a `{result}`"));
        }
        let mut w = Writer {
            config,
            subject,
            required,
            judge,
            state,
            roughly: Vec::new(),
            classes,
            made: Vec::new(),
        };
        w.roughly = w.roughly();
        Ok(w)
    }

    /// What is compared by its content, not by which object it is, and what `==` does not tell apart.
    fn roughly(&self) -> Vec<NotCompared> {
        let result = self.subject.result.as_deref();
        let types: Vec<&str> =
            self.state.iter().map(|state| state.ty.as_str()).chain(result).collect();
        // Which array an argument is, no call changes.
        let variables = self.state.iter().filter(|state| state.is_variable);
        let mut held = variables.map(|state| state.ty.as_str()).chain(result);
        let is_text = |ty: &&str| simple(ty.trim_end_matches("[]")) == "String";
        let is_float = |ty: &&str| matches!(ty.trim_end_matches("[]"), "float" | "double");
        let all = [
            (held.any(|ty| element(ty).is_some()), NotCompared::IdentityOfArrays),
            (types.iter().any(is_text), NotCompared::IdentityOfTexts),
            (types.iter().any(is_float), NotCompared::SignsOfZeros),
            (
                !self.is_static() && has_fields_below(self.classes, &self.subject.class.name),
                NotCompared::FieldsBelow,
            ),
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
    fn keep(&self, reader: Reader, when: &str) -> String {
        let mut out = String::new();
        for (index, state) in self.state.iter().enumerate() {
            let ty = state.ty.replace("java.lang.String", "String");
            let _ = writeln!(out, "    {ty} {when}$v{index} = {};", state.read(reader));
            if element(&ty).is_some() {
                let kept = format!("glassbox$keep({when}$v{index})");
                let _ = writeln!(out, "    {ty} {when}$c{index} = {kept};");
            }
        }
        out
    }

    /// Puts back what was there before; elements of arrays go where the first of the moves says.
    fn restore(&self, reader: Reader, n: &str, moves: Moves<'_>) -> String {
        let mut out = String::new();
        for (index, state) in self.state.iter().enumerate() {
            if state.is_variable {
                let value = state.write(reader, &format!("before$v{index}"));
                let _ = writeln!(out, "    {}", value.trim_end());
            }
            if element(&state.ty).is_some() {
                let how = moves(&state.reached).0;
                let n = if how == 0 { "0" } else { n };
                let (to, from) = (format!("before$v{index}"), format!("before$c{index}"));
                let _ = writeln!(out, "    glassbox$put({to}, {from}, {n}, {how});");
            }
        }
        out
    }

    /// Conditions that what is there is what the first call left.
    fn same(&self, reader: Reader, n: &str, moves: Moves<'_>) -> Vec<String> {
        let mut all = Vec::new();
        for (index, state) in self.state.iter().enumerate() {
            let now = state.read(reader);
            if element(&state.ty).is_some() {
                let how = moves(&state.reached).1;
                let n = if how == 0 { "0" } else { n };
                all.push(format!("glassbox$same({now}, after$c{index}, {n}, {how})"));
            } else {
                all.push(equal(&state.ty, &now, &format!("after$v{index}")));
            }
        }
        all
    }

    /// A call as engines and as tests write it.
    fn call(&self, class: &ClassFile, method: &MethodInfo, arguments: &[String]) -> [String; 2] {
        let is_static = method.access.is_static();
        let on = if is_static { class.name.replace(['/', '$'], ".") } else { "self".to_owned() };
        let arguments = arguments.join(", ");
        let plain = format!("{on}.{}({arguments})", method.name);
        if !method.access.is_private() && !is_private(class) {
            return [plain.clone(), plain];
        }
        let types: Vec<String> = self
            .parameters()
            .iter()
            .map(|(ty, _)| format!("{}.class", ty.replace("java.lang.String", "String")))
            .collect();
        let cast = self.subject.result.as_ref().map_or(String::new(), |ty| format!("({ty}) "));
        let object = if is_static { "null" } else { "self" };
        let hidden = format!(
            "{cast}call(\"{}\", \"{}\", new Class<?>[] {{{}}}, {object}, new Object[] {{{arguments}}})",
            class.name.replace('/', "."),
            method.name,
            types.join(", ")
        );
        [plain, hidden]
    }

    /// A second call and the comparison with the first.
    fn compared(&mut self, second: &Second<'_>, offset: usize, shown: String) {
        let own: Vec<String> = self.parameters().iter().map(|(_, name)| name.clone()).collect();
        let subject = self.subject;
        let first = self.call(&subject.class, &subject.method, &own);
        self.both_calls(first, second, offset, shown);
    }

    /// The same, where the first call is written in another way.
    fn both_calls(
        &mut self,
        first: [String; 2],
        second: &Second<'_>,
        offset: usize,
        shown: String,
    ) {
        let (line, column) = self.config.place(offset);
        let place = format!("{line}, {column}, {shown:?}, {:?}", self.config.path);
        let ([own, shown_own], [again, shown_again]) = (&first, &second.call);
        let body = self.both(Reader::Engine, (own, again), second, &place);
        let test = self.both(Reader::Test, (shown_own, shown_again), second, &place);
        let mut not_compared = second.not_compared.clone();
        not_compared.extend(&self.roughly);
        not_compared.extend(second.begun.shows.then_some(NotCompared::Initializers));
        self.made.push(Relation { shown, offset, body, test: self.tested(test), not_compared });
    }

    /// Both calls, for one reader.
    fn both(
        &self,
        reader: Reader,
        (first, again): (&str, &str),
        second: &Second<'_>,
        place: &str,
    ) -> String {
        let Second { condition, judge, n, moves, expected, begun, .. } = second;
        let mut out = String::new();
        // What initializers do elsewhere would otherwise be seen by one of the calls alone.
        for class in &begun.classes {
            let _ = match reader {
                Reader::Engine => writeln!(out, "    begin({class:?});"),
                Reader::Test => {
                    writeln!(out, "    Class.forName({:?});", class.replace('/', "."))
                }
            };
        }
        if reader == Reader::Engine {
            out.push_str(&assumed(self.config, self.required, self.subject));
            if let Some(condition) = condition {
                let _ = writeln!(out, "    assume({condition}, {place});");
            }
        }
        out.push_str(&self.keep(reader, "before"));
        out.push_str(&self.attempt("result", "glassbox$thrown", first));
        // It may be one of the arrays that are put back.
        let array = self.subject.result.as_deref().filter(|ty| element(ty).is_some());
        if let Some(ty) = array {
            let _ = writeln!(out, "    {ty} glassbox$kept = glassbox$keep(result);");
        }
        out.push_str(&self.keep(reader, "after"));
        out.push_str(&self.restore(reader, n, moves));
        if let Some(judge) = judge.as_ref().filter(|_| reader == Reader::Engine) {
            let _ = writeln!(out, "    assume({judge}, {place});");
        }
        out.push_str(&self.attempt("glassbox$again", "glassbox$then", again));
        let results = self.subject.result.as_ref().map(|ty| {
            if element(ty).is_some() {
                return " && glassbox$same(glassbox$again, glassbox$kept, 0, 0)".to_owned();
            }
            let expected = expected.clone().unwrap_or_else(|| "result".to_owned());
            format!(" && {}", equal(ty, "glassbox$again", &expected))
        });
        let returned = format!("glassbox$then == null{}", results.unwrap_or_default());
        let thrown =
            "glassbox$then != null && glassbox$then.getClass() == glassbox$thrown.getClass()";
        let _ = writeln!(
            out,
            "    boolean glassbox$same = glassbox$thrown == null ? {returned}\n            : {thrown};"
        );
        for condition in self.same(reader, n, moves) {
            let _ = writeln!(out, "    glassbox$same &= {condition};");
        }
        out.push_str(&judged(reader, "glassbox$same", place));
        out
    }

    /// A call whose result or exception is kept.
    fn attempt(&self, result: &str, thrown: &str, call: &str) -> String {
        let (declared, kept) = match &self.subject.result {
            Some(ty) => {
                let initial = match simple(ty) {
                    "boolean" => "false",
                    "int" | "long" | "short" | "byte" | "char" | "float" | "double" => "0",
                    _ => "null",
                };
                (format!("    {ty} {result} = {initial};\n"), format!("{result} = {call};"))
            }
            None => (String::new(), format!("{call};")),
        };
        format!(
            "{declared}    Throwable {thrown} = null;\n    try {{ {kept} }} catch (Throwable glassbox$e) {{ {thrown} = glassbox$e; }}\n"
        )
    }

    fn tested(&self, body: String) -> TestText {
        let types = self.state.iter().map(|state| state.ty.as_str());
        let types = types.chain(self.subject.result.as_deref());
        let elements = types.filter_map(element).map(str::to_owned).collect();
        let is_reflective =
            [" get(", "(get(", " set(", " call("].iter().any(|it| body.contains(it));
        let body = plain_names(&body);
        TestText { body, elements, is_reflective }
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
            let second = Second { judge: self.judged(&arguments), ..self.again(&arguments) };
            self.compared(&second, offset + usize::from(rotates), shown);
        }
        Ok(())
    }

    /// The method once more, with these arguments.
    fn again(&self, arguments: &[String]) -> Second<'static> {
        let (class, method) = (&self.subject.class, &self.subject.method);
        let not_compared = beyond::not_compared(class, method);
        let begun = Begun::of(self.classes, &[(Rc::clone(class), method.clone())]);
        Second { not_compared, begun, ..Second::plain(self.call(class, method, arguments)) }
    }

    /// A condition that these arguments are as the contract requires.
    fn judged(&self, arguments: &[String]) -> Option<String> {
        let receiver = (!self.is_static()).then(|| "self".to_owned());
        let all: Vec<String> = receiver.into_iter().chain(arguments.iter().cloned()).collect();
        self.judge.as_ref().map(|judge| format!("{judge}({})", all.join(", ")))
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
            let condition = Some(format!("{} && {n} >= {least}", not_null.join(" && ")));
            let Second { call, not_compared, begun, .. } = self.again(&arguments);
            let (judge, n) = (self.judged(&arguments), n.clone());
            let moves = &moves;
            let second = Second { condition, judge, call, n, moves, expected, not_compared, begun };
            let words: Vec<String> =
                arrays.iter().map(|it| format!("{} {}", it.array, it.effect.name())).collect();
            let what = if how == 1 {
                "its first two elements change places"
            } else {
                "its elements rotate"
            };
            let shown = format!("permute {}: {what}", words.join(", "));
            self.compared(&second, offset + usize::from(how == 2), shown);
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
        let place = format!("{line}, {column}, {shown:?}, {:?}", self.config.path);
        let expression = expression.split_whitespace().collect::<Vec<_>>().join(" ");
        let evaluated = format!(
            "    boolean glassbox$same;\n    try {{ glassbox$same = {expression}; }} catch (Throwable glassbox$e) {{ \
             glassbox$same = false; }}\n"
        );
        let mut body = assumed(self.config, self.required, self.subject);
        body.push_str(&evaluated);
        body.push_str(&judged(Reader::Engine, "glassbox$same", &place));
        let test = evaluated + &judged(Reader::Test, "glassbox$same", &place);
        let called = beyond::called_by(text, self.subject, self.classes);
        let mut not_compared = beyond::not_compared_by(called.as_deref());
        not_compared.extend(&self.roughly);
        let begun = Begun::of(self.classes, &called.unwrap_or_default());
        not_compared.extend(begun.shows.then_some(NotCompared::Initializers));
        self.made.push(Relation { shown, offset, body, test: self.tested(test), not_compared });
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
        let plain = arguments.join(", ");
        let shown = format!("reference {name}: {f}({plain}) is {name}({plain})");
        // It gets the arguments of the first call, which are as they should be.
        let mut not_compared = self.again(&arguments).not_compared;
        not_compared.extend(beyond::not_compared(&other.class, &other.method));
        let call = self.call(&other.class, &other.method, &arguments);
        let subject = self.subject;
        let both =
            [(Rc::clone(&subject.class), subject.method.clone()), (other.class, other.method)];
        let begun = Begun::of(self.classes, &both);
        self.compared(&Second { not_compared, begun, ..Second::plain(call) }, offset, shown);
        Ok(())
    }
}

/// What becomes of calls that do not agree.
fn judged(reader: Reader, same: &str, place: &str) -> String {
    match reader {
        Reader::Engine => format!("    relation({same}, {place});\n"),
        Reader::Test => {
            format!(
                "    if (!{same}) {{ throw new AssertionError(\"the calls do not agree\"); }}\n"
            )
        }
    }
}

/// A method that compares calls, without what it is declared to be.
pub(super) fn method(declared: &str, name: &str, body: &str) -> String {
    format!("void {name}({declared}) throws Throwable {{\n{body}  }}\n")
}

/// Our own names as tests write them, without the sign that keeps them apart from others.
pub(super) fn plain_names(text: &str) -> String {
    let text = text.replace("glassbox$", "glassbox_");
    text.replace("before$", "before_").replace("after$", "after_")
}
