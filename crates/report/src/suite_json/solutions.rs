//! Enumerated inputs of goals as tables: the names of the inputs once, then a row of values for each
//! solution.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputValue, TestInput};

use super::FunctionResult;
use super::values::value;
use crate::data::{GoalSolutions, SolutionTable, Solutions, Value};

/// `None` unless inputs were enumerated.
pub(super) fn solutions(program: &Program, result: &FunctionResult<'_>) -> Option<Solutions> {
    let list = result.suite.solutions.as_ref()?;
    let id = |&goal: &usize| result.goals.get(goal).map(|goal| goal.id.clone());
    let goals = result.goals.iter().zip(&list.goals).map(|(goal, solutions)| GoalSolutions {
        goal: goal.id.clone(),
        count: solutions.count,
        complete: solutions.is_complete,
    });
    let mut tables: Vec<SolutionTable> = Vec::new();
    for path in &list.paths {
        let goals: Vec<Option<String>> = path.goals.iter().map(id).collect();
        let mut names: Vec<String> = Vec::new();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for input in &path.inputs {
            let mut row = Row { program, names: Vec::new(), values: Vec::new() };
            row.input(input);
            // The length of memory may differ from solution to solution, and with it the columns.
            if row.names != names && !rows.is_empty() {
                tables.push(table(&goals, &names, &mut rows));
            }
            names = row.names;
            rows.push(row.values);
        }
        if !rows.is_empty() {
            tables.push(table(&goals, &names, &mut rows));
        }
    }
    Some(Solutions { goals: goals.collect(), tables })
}

fn table(goals: &[Option<String>], names: &[String], rows: &mut Vec<Vec<Value>>) -> SolutionTable {
    SolutionTable { goals: goals.to_vec(), inputs: names.to_vec(), values: std::mem::take(rows) }
}

/// The scalars of one input, in order.
struct Row<'p> {
    program: &'p Program,
    names: Vec<String>,
    values: Vec<Value>,
}

impl Row<'_> {
    fn input(&mut self, input: &TestInput) {
        for param in &input.params {
            self.value(&param.name, param.source_type, &param.value);
        }
        for object in &input.objects {
            for (index, element) in object.elements.iter().enumerate() {
                self.value(&format!("{}[{index}]", object.name), object.element_type, element);
            }
        }
        for (global, value) in &input.globals {
            let declared = self.program.global(*global);
            self.value(&declared.name, declared.source_type, value);
        }
        for (index, stub) in input.stubs.iter().enumerate() {
            let function = self.program.function(stub.function);
            if let Some(value) = &stub.result {
                let name = format!("{}()#{index}", function.name);
                self.value(&name, function.result_source_type, value);
            }
            for write in &stub.writes {
                for (at, element) in write.elements.iter().enumerate() {
                    let name = format!("{}()#{index}.p{}[{at}]", function.name, write.param);
                    self.value(&name, write.element_type, element);
                }
            }
        }
        self.bytes("stdin", &input.stdin);
        for object in &input.objects {
            self.bytes(&object.name, object.stream.as_deref().unwrap_or_default());
        }
        for (number, contents) in (1..).zip(&input.files) {
            let name = format!("file {number}");
            match contents {
                Some(contents) => self.bytes(&name, contents),
                None => {
                    self.names.push(name);
                    self.values.push(Value::Null);
                }
            }
        }
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        for (index, byte) in bytes.iter().enumerate() {
            self.names.push(format!("{name}[{index}]"));
            self.values.push(Value::Number(byte.to_string()));
        }
    }

    fn value(&mut self, name: &str, ty: SourceTypeId, content: &InputValue) {
        let resolved = self.program.resolve_source_type(ty);
        match (content, self.program.source_type(resolved)) {
            (InputValue::Struct(parts), SourceType::Record { fields: Some(fields), .. }) => {
                for (index, (field, part)) in fields.iter().zip(parts).enumerate() {
                    let field_name = field.name.clone().unwrap_or_else(|| format!("#{index}"));
                    self.value(&format!("{name}.{field_name}"), field.ty, part);
                }
            }
            (InputValue::Array(parts), SourceType::Array { element, .. }) => {
                for (index, part) in parts.iter().enumerate() {
                    self.value(&format!("{name}[{index}]"), *element, part);
                }
            }
            (
                InputValue::Int(_)
                | InputValue::Float(_)
                | InputValue::Pointer(_)
                | InputValue::Struct(_)
                | InputValue::Union { .. }
                | InputValue::Array(_)
                | InputValue::Bytes(_),
                _,
            ) => {
                self.names.push(name.to_owned());
                self.values.push(value(self.program, ty, content));
            }
        }
    }
}
