//! Objects that stand in for implementations of an interface, as lambdas and nameless classes.

use glassbox_ir::FieldId;
use glassbox_testcase::recipe::{StandIn, StandInMethod};
use glassbox_testcase::{InputPointer, InputValue};

use crate::java_object::Objects;

/// What a method of a stand-in gives.
enum Given {
    Nothing,
    Always(String),
    /// First, later.
    Changing(String, String),
}

impl Objects<'_> {
    pub(crate) fn make_stand_in(
        &mut self,
        object: usize,
        stand_in: &StandIn,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> String {
        let mut bodies = Vec::new();
        for method in &stand_in.methods {
            bodies.push((method, self.given(method, fields, values)));
        }
        let interface = self.short(&stand_in.interface);
        let path = self.input.objects[object].name.clone();
        let name = self.variable(&path);
        if let [(method, given @ (Given::Nothing | Given::Always(_)))] = bodies.as_slice() {
            let params: Vec<String> =
                (0..method.params.len()).map(|position| format!("given{position}")).collect();
            let body = match given {
                Given::Always(value) => value.as_str(),
                Given::Nothing | Given::Changing(..) => "{ }",
            };
            self.lines.push(format!("{interface} {name} = ({}) -> {body};", params.join(", ")));
            return name;
        }
        self.lines.push(format!("{interface} {name} = new {interface}() {{"));
        for (method, given) in bodies {
            let params: Vec<String> = method
                .params
                .iter()
                .enumerate()
                .map(|(position, ty)| format!("{} given{position}", self.short(ty)))
                .collect();
            let result = method.result.as_ref();
            let ty = result.map_or("void".to_owned(), |result| self.short(&result.ty));
            let body = match &given {
                Given::Nothing => "{ }".to_owned(),
                Given::Always(value) => format!("{{ return {value}; }}"),
                Given::Changing(first, later) => {
                    let mode = result.map_or("mode", |result| &result.mode);
                    self.lines.push(format!("    int {mode};"));
                    format!("{{ return {mode}++ == 0 ? {first} : {later}; }}")
                }
            };
            let head = format!("public {ty} {}({})", method.name, params.join(", "));
            self.lines.push(format!("    {head} {body}"));
        }
        self.lines.push("};".to_owned());
        name
    }

    fn given(
        &mut self,
        method: &StandInMethod,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> Given {
        let Some(result) = &method.result else { return Given::Nothing };
        let program = self.program;
        let place = |name: &str| fields.iter().position(|(id, _)| program.field(*id).name == name);
        let mut text = |name: &str| {
            let Some(position) = place(name) else { return "null".to_owned() };
            if let InputValue::Pointer(InputPointer::Object { object, .. }) = &values[position] {
                self.make(*object);
            }
            self.value(program.field(fields[position].0).source_type, &values[position])
        };
        let mode = place(&result.mode).and_then(|position| values[position].as_int());
        match mode.map_or(0, |mode| mode.unsigned()) {
            0 => Given::Always(text(&result.always)),
            1 => {
                let first = text(&result.always);
                let later = text(&result.later);
                if first == later { Given::Always(first) } else { Given::Changing(first, later) }
            }
            _ => Given::Always(text(&result.later)),
        }
    }
}
