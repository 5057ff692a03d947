//! Objects that stand in for implementations of an interface or an abstract class, as lambdas, nameless classes and mocks.

use glassbox_ir::{FieldId, Program};
use glassbox_testcase::recipe::{StandIn, StandInBody, StandInMethod};
use glassbox_testcase::{InputPointer, InputValue};

use crate::java_object::{Objects, Place};
use crate::java_test::Mocks;

/// What a method of a stand-in does.
enum Given {
    /// No code of the user calls it.
    IsNotCalled,
    Nothing,
    /// By the name of the exception.
    Throws(String),
    /// One result after the other; the last one from then on.
    Results(Vec<String>),
}

impl Objects<'_> {
    pub(crate) fn make_stand_in(
        &mut self,
        object: usize,
        stand_in: &StandIn,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> String {
        // What is made later is not there when a mock gets its results.
        let n_holders = self.holders.len();
        let mut bodies = Vec::new();
        for method in &stand_in.methods {
            bodies.push((method, self.given(object, method, fields, values)));
        }
        let is_mock = self.mocks == Mocks::Mockito
            && stand_in.class.is_none()
            && self.holders.len() == n_holders;
        if is_mock {
            return self.mock(object, stand_in, &bodies);
        }
        let args = self.extended(object, stand_in, fields, values);
        let above = self.short(&stand_in.above);
        let path = self.input.objects[object].name.clone();
        let name = self.variable(&path);
        let lambda = match bodies.as_slice() {
            [(method, given)] if stand_in.class.is_none() => self.lambda(method, given),
            _ => None,
        };
        if let Some(lambda) = lambda {
            self.lines.push(format!("{above} {name} = {lambda};"));
            return name;
        }
        self.lines.push(format!("{above} {name} = new {above}({}) {{", args.join(", ")));
        for (position, (method, given)) in bodies.into_iter().enumerate() {
            let params = method.params.iter().enumerate();
            let params: Vec<String> = params
                .map(|(position, ty)| format!("{} given{position}", self.short(ty)))
                .collect();
            let ty = method.result.as_ref().map_or("void".to_owned(), |ty| self.short(ty));
            let mut throws = String::new();
            let body = match &given {
                Given::IsNotCalled => {
                    let exception = self.short("java.lang.UnsupportedOperationException");
                    format!("{{ throw new {exception}(); }}")
                }
                Given::Nothing => "{ }".to_owned(),
                Given::Throws(exception) => {
                    let exception = self.short(exception);
                    throws = format!(" throws {exception}");
                    format!("{{ throw new {exception}(); }}")
                }
                Given::Results(results) => match results.as_slice() {
                    [] => "{ }".to_owned(),
                    [only] => format!("{{ return {only}; }}"),
                    [others @ .., last] => {
                        let calls = format!("calls{position}");
                        self.lines.push(format!("    int {calls};"));
                        let others: Vec<String> = (1..)
                            .zip(others)
                            .map(|(number, value)| {
                                format!("if ({calls} == {number}) return {value};")
                            })
                            .collect();
                        format!("{{ {calls}++; {} return {last}; }}", others.join(" "))
                    }
                },
            };
            let head = format!("public {ty} {}({}){throws}", method.name, params.join(", "));
            self.lines.push(format!("    {head} {body}"));
        }
        self.lines.push("};".to_owned());
        name
    }

    /// A mock of Mockito. Those of interfaces whose own methods have code run that code.
    fn mock(
        &mut self,
        object: usize,
        stand_in: &StandIn,
        bodies: &[(&StandInMethod, Given)],
    ) -> String {
        self.n_mocks += 1;
        let above = self.short(&stand_in.above);
        let path = self.input.objects[object].name.clone();
        let name = self.variable(&path);
        let is_real = has_code(self.program, stand_in);
        let settings = if is_real { ", CALLS_REAL_METHODS" } else { "" };
        self.lines.push(format!("{above} {name} = mock({above}.class{settings});"));
        for (method, given) in bodies {
            let is_same = |(other, _): &&(&StandInMethod, Given)| {
                other.name == method.name && other.params.len() == method.params.len()
            };
            let is_overloaded = bodies.iter().filter(is_same).count() > 1;
            let args: Vec<String> =
                method.params.iter().map(|ty| self.any(ty, is_overloaded)).collect();
            let call = format!("{}({})", method.name, args.join(", "));
            let is_own = |ty: &str| self.recipes.classes.iter().any(|one| one.source_name == ty);
            let is_plain =
                !is_real && method.result.as_deref().is_some_and(|ty| is_simple(ty) || is_own(ty));
            self.lines.extend(match given {
                Given::IsNotCalled | Given::Nothing => None,
                // What mocks give by themselves.
                Given::Results(results) if is_plain && is_default(method, results) => None,
                Given::Throws(exception) => {
                    let exception = self.short(exception);
                    Some(format!("doThrow(new {exception}()).when({name}).{call};"))
                }
                Given::Results(results) if is_plain => {
                    Some(format!("when({name}.{call}).thenReturn({});", results.join(", ")))
                }
                // A lone null would be an array of results.
                Given::Results(results) if results.as_slice() == ["null"] => {
                    Some(format!("doReturn((Object) null).when({name}).{call};"))
                }
                Given::Results(results) => {
                    Some(format!("doReturn({}).when({name}).{call};", results.join(", ")))
                }
            });
        }
        name
    }

    /// What stands for any argument.
    fn any(&self, ty: &str, is_overloaded: bool) -> String {
        let is_number = matches!(
            ty,
            "boolean" | "byte" | "char" | "short" | "int" | "long" | "float" | "double"
        );
        match ty.split_at_checked(1) {
            Some((first, rest)) if is_number => format!("any{}{rest}()", first.to_uppercase()),
            _ if is_overloaded => format!("({}) any()", self.short(ty)),
            _ => "any()".to_owned(),
        }
    }

    /// A method that always does the same.
    fn lambda(&self, method: &StandInMethod, given: &Given) -> Option<String> {
        let params: Vec<String> =
            (0..method.params.len()).map(|position| format!("given{position}")).collect();
        let body = match given {
            Given::Nothing => "{ }".to_owned(),
            Given::Throws(exception) => format!("{{ throw new {}(); }}", self.short(exception)),
            Given::Results(results) => match results.as_slice() {
                [only] => only.clone(),
                [] | [_, ..] => return None,
            },
            Given::IsNotCalled => return None,
        };
        Some(format!("({}) -> {body}", params.join(", ")))
    }

    /// Arguments of the constructor of an abstract class; the fields that it does not set are set later.
    fn extended(
        &mut self,
        object: usize,
        stand_in: &StandIn,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> Vec<String> {
        let Some(recipe) = stand_in.class.as_ref().and_then(|name| self.recipes.class(name)) else {
            return Vec::new();
        };
        let program = self.program;
        let is_above = |(id, _): &&(FieldId, u64)| {
            program.class(program.field(*id).class).name != stand_in.name
        };
        // Fields of classes above come first.
        let fields: Vec<(FieldId, u64)> = fields.iter().filter(is_above).copied().collect();
        let values = &values[..fields.len()];
        let usable = recipe.constructors.iter().filter(|one| self.may_use(recipe, one.visibility));
        let scored = usable.map(|one| {
            (self.cost(one, &fields, values).is_none(), self.cost(one, &fields, values), one)
        });
        let best = scored.min_by_key(|(is_bad, cost, _)| (*is_bad, *cost)).map(|(_, _, one)| one);
        let Some(constructor) = best else { return Vec::new() };
        let (args, left) = self.construct(constructor, &fields, values);
        for position in left {
            self.late.push((object, Place::Field(fields[position].0), values[position].clone()));
        }
        args
    }

    fn given(
        &mut self,
        stand_in: usize,
        method: &StandInMethod,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> Given {
        let StandInBody::Gives(result) = &method.body else { return Given::IsNotCalled };
        let program = self.program;
        let mode = place(program, fields, &result.mode).and_then(|at| values[at].as_int());
        let mode = mode.map_or(0, |mode| mode.signed());
        let thrown =
            usize::try_from(-1 - mode).ok().and_then(|position| result.throws.get(position));
        if let Some(exception) = thrown {
            return Given::Throws(exception.clone());
        }
        let Some([first, second, third]) = &result.results else { return Given::Nothing };
        let names = match mode {
            0 => vec![first],
            1 => vec![first, second, third],
            2 => vec![second, third],
            _ => vec![third],
        };
        let ty = method.result.as_deref().unwrap_or("Object");
        let mut texts: Vec<String> = Vec::new();
        for name in names {
            texts.push(match place(program, fields, name) {
                Some(at) => self.answer(stand_in, ty, fields[at].0, &values[at]),
                None => "null".to_owned(),
            });
        }
        while let [.., before, last] = texts.as_slice()
            && before == last
        {
            texts.pop();
        }
        Given::Results(texts)
    }

    /// An expression for a result. What is not made yet, since it leads here itself, comes out of an array later.
    fn answer(&mut self, stand_in: usize, ty: &str, field: FieldId, value: &InputValue) -> String {
        if let InputValue::Pointer(InputPointer::Object { object, .. }) = value {
            self.make(*object);
            if self.names[*object].is_none() {
                let ty = self.short(ty);
                let holder = self.variable("later");
                self.lines.push(format!("{ty}[] {holder} = new {ty}[1];"));
                self.late.push((stand_in, Place::Holder(self.holders.len()), value.clone()));
                self.holders.push(holder.clone());
                return format!("{holder}[0]");
            }
        }
        self.value(self.program.field(field).source_type, value)
    }
}

/// Where the field of this name lies.
fn place(program: &Program, fields: &[(FieldId, u64)], name: &str) -> Option<usize> {
    fields.iter().rposition(|(id, _)| program.field(*id).name == name)
}

/// Whether methods of an interface, or of one above it, have code of their own.
fn has_code(program: &Program, stand_in: &StandIn) -> bool {
    let Some(class) = program.classes.iter().find(|class| class.name == stand_in.name) else {
        return true;
    };
    let mut open = class.interfaces.clone();
    while let Some(interface) = open.pop().map(|id| program.class(id)) {
        let methods = interface.methods.iter().map(|id| &program.methods[id.index()]);
        if methods.filter(|method| !method.is_static).any(|method| method.function.is_some()) {
            return true;
        }
        open.extend(&interface.interfaces);
    }
    false
}

/// Whether javac takes any result that fits for one of this type: it has no parameters.
fn is_simple(ty: &str) -> bool {
    let is_nested = ty.contains(['[', '<']);
    let simple = ty.strip_prefix("java.lang.").unwrap_or(ty);
    !is_nested
        && !simple.contains('.')
        && !matches!(simple, "Class" | "Comparable" | "Iterable" | "Object")
}

/// Boxes are none of these: where there is no result, Mockito gives a zero in a box, not null.
fn is_default(method: &StandInMethod, results: &[String]) -> bool {
    let ty = method.result.as_deref().unwrap_or_default();
    let is_number = !ty.contains('.') && ty.starts_with(|first: char| first.is_ascii_lowercase());
    let is_boxed = ty.starts_with("java.lang.") && ty != "java.lang.String";
    match results {
        [only] if is_number => matches!(only.as_str(), "0" | "0L" | "false"),
        [only] => only == "null" && !is_boxed,
        [] | [_, ..] => false,
    }
}
