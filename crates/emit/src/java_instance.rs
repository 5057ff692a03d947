//! Objects of one class as Java statements: by the constructor that leaves least to be done; records by theirs, which
//! may refuse; by reflection where there is none.

use glassbox_ir::{FieldId, Origin, Program, TypeKind, TypeLayout};
use glassbox_testcase::recipe::Constructor;
use glassbox_testcase::{InputPointer, InputValue};

use crate::java_object::{Objects, Place};

impl Objects<'_> {
    pub(crate) fn make_instance(
        &mut self,
        object: usize,
        ty: &TypeLayout,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> String {
        let program = self.program;
        // They may be of interfaces of any package, such as `Runnable`.
        if let Some(stand_in) = self.recipes.stand_in(&ty.name) {
            return self.make_stand_in(object, stand_in, fields, values);
        }
        if let Some(class) = ty.name.strip_prefix("java.lang.") {
            let value = fields.iter().position(|(id, _)| program.field(*id).name == "value");
            let name = self.name(object, ty);
            let class = &self.short(&format!("java.lang.{class}"));
            match value {
                Some(position) => {
                    let source_type = program.field(fields[position].0).source_type;
                    let text = self.value(source_type, &values[position]);
                    let text = if self.has_twin(object) || self.compares_references() {
                        // What the language boxes may be the same object as another box.
                        let prim = self.type_name(source_type);
                        format!("new {class}(({prim}) {text})")
                    } else {
                        text
                    };
                    self.lines.push(format!("{class} {name} = {text};"));
                }
                None => self.lines.push(format!("{class} {name} = new {class}();")),
            }
            return name;
        }
        let recipe = self.recipes.class(&ty.name);
        let best = recipe.filter(|recipe| self.is_in_reach(recipe)).and_then(|recipe| {
            let usable = recipe.constructors.iter();
            let usable = usable.filter(|one| self.may_use(recipe, one.visibility));
            let scored = usable.filter_map(|one| Some((self.cost(one, fields, values)?, one)));
            scored.min_by_key(|(cost, _)| *cost).map(|(_, one)| (recipe, one))
        });
        let mut left: Vec<usize> = (0..fields.len()).collect();
        let name;
        match best {
            Some((recipe, constructor)) => {
                let args;
                (args, left) = self.construct(constructor, fields, values);
                name = self.name(object, ty);
                let spelled = self.short(&recipe.source_name);
                self.lines.push(format!("{spelled} {name} = new {spelled}({});", args.join(", ")));
            }
            None if self.is_record(ty) && recipe.is_some_and(|one| self.is_in_reach(one)) => {
                // Nothing else sets fields of records: the JVM refuses even reflection.
                self.n_guessed += 1;
                let mut args = Vec::new();
                for (position, (field, _)) in fields.iter().enumerate() {
                    let value = &values[position];
                    if let InputValue::Pointer(InputPointer::Object { object, .. }) = value {
                        self.make(*object);
                    }
                    args.push(self.argument(program.field(*field).source_type, value));
                }
                left.clear();
                name = self.name(object, ty);
                let source_name = recipe.map_or(ty.name.as_str(), |one| &one.source_name);
                let spelled = self.short(source_name);
                self.lines.push(format!("{spelled} {name} = new {spelled}({});", args.join(", ")));
            }
            None => {
                self.n_reflective += 1;
                name = self.name(object, ty);
                let in_reach = recipe.filter(|recipe| self.is_in_reach(recipe));
                let spelled = in_reach.map(|recipe| self.short(&recipe.source_name));
                let cast =
                    spelled.as_ref().map_or(String::new(), |spelled| format!("({spelled}) "));
                let spelled = spelled.unwrap_or_else(|| self.short("java.lang.Object"));
                self.lines.push(format!("{spelled} {name} = {cast}make(\"{}\");", ty.name));
                left.retain(|&position| !is_zero(&values[position]));
            }
        }
        for position in left {
            let place = Place::Field(fields[position].0);
            self.late.push((object, place, values[position].clone()));
        }
        name
    }

    /// Arguments of a constructor, and the positions of the fields that it leaves to be set.
    pub(crate) fn construct(
        &mut self,
        constructor: &Constructor,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> (Vec<String>, Vec<usize>) {
        let program = self.program;
        let mut left: Vec<usize> = (0..fields.len()).collect();
        let mut args = Vec::new();
        for param in &constructor.params {
            let Some(position) = position_of(program, fields, param) else {
                args.push("null".to_owned());
                continue;
            };
            let value = &values[position];
            let mut is_made = true;
            if let InputValue::Pointer(InputPointer::Object { object, .. }) = value {
                self.make(*object);
                is_made = self.names[*object].is_some();
            }
            if is_made {
                left.retain(|&other| other != position);
            }
            args.push(self.argument(program.field(fields[position].0).source_type, value));
        }
        left.retain(|&position| {
            let is_param = constructor.params.contains(&program.field(fields[position].0).name);
            is_param || !is_left(program, constructor, fields[position].0, &values[position])
        });
        (args, left)
    }

    /// Whether another object of the input has the same class and contents.
    fn has_twin(&self, object: usize) -> bool {
        let Some((ty, values)) = self.object(object) else { return false };
        let mut others = (0..self.input.objects.len()).filter(|&other| other != object);
        others.any(|other| {
            self.object(other).is_some_and(|(one, known)| one.name == ty.name && known == values)
        })
    }

    /// Whether code of the user may notice which of two equal objects it is given.
    fn compares_references(&self) -> bool {
        let own = self.program.functions.iter().filter(|one| one.origin == Origin::User);
        own.filter_map(|one| one.body.as_ref()).any(|body| body.compares_pointers())
    }

    fn is_record(&self, ty: &TypeLayout) -> bool {
        let TypeKind::Class { class, .. } = ty.kind else { return false };
        let above = self.program.class(class).superclass;
        above.is_some_and(|above| self.program.class(above).name == "java.lang.Record")
    }

    /// How bad it is to use a constructor: what needs reflection after it, then statements.
    pub(crate) fn cost(
        &self,
        constructor: &Constructor,
        fields: &[(FieldId, u64)],
        values: &[InputValue],
    ) -> Option<(usize, usize)> {
        let program = self.program;
        for param in &constructor.params {
            let position = position_of(program, fields, param)?;
            if let InputValue::Pointer(InputPointer::Object { object, .. }) = values[position]
                && self.in_progress.contains(&object)
            {
                return None;
            }
        }
        let mut n_reflective = 0;
        let mut n_left = 0;
        for (&(id, _), value) in fields.iter().zip(values) {
            if constructor.params.contains(&program.field(id).name)
                || is_left(program, constructor, id, value)
            {
                continue;
            }
            n_left += 1;
            n_reflective += usize::from(self.way_to_set(id).is_none());
        }
        Some((n_reflective, n_left * 2 + constructor.params.len()))
    }
}

fn position_of(program: &Program, fields: &[(FieldId, u64)], name: &str) -> Option<usize> {
    fields.iter().rposition(|(id, _)| program.field(*id).name == name)
}

/// Whether a constructor leaves a value in a field that it takes no parameter for.
fn is_left(
    program: &Program,
    constructor: &Constructor,
    field: FieldId,
    value: &InputValue,
) -> bool {
    let name = &program.field(field).name;
    let constant = constructor.constants.iter().rev().find(|(known, _)| known == name);
    match (constant, value) {
        (None, value) | (Some((_, None)), value) => is_zero(value),
        (Some((_, Some(bits))), InputValue::Int(wanted)) => bits.unsigned() == wanted.unsigned(),
        (Some((_, Some(bits))), InputValue::Float(wanted)) => {
            bits.unsigned() == u128::from(wanted.to_bits())
        }
        _ => false,
    }
}

fn is_zero(value: &InputValue) -> bool {
    match value {
        InputValue::Int(bits) => bits.is_zero(),
        InputValue::Float(float) => float.to_bits() == 0,
        InputValue::Pointer(pointer) => *pointer == InputPointer::Null,
        InputValue::Bytes(bytes) => bytes.iter().all(|&byte| byte == 0),
        InputValue::Struct(_) | InputValue::Union { .. } | InputValue::Array(_) => false,
    }
}
