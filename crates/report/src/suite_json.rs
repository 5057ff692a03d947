//! `suite.json`: the whole result as data. The schema is kept in `schema/suite.schema.json`.

mod anatomy;
mod decisions;
pub mod evidence;
mod graph;
mod solutions;
pub mod title;

use glassbox_coverage::Goal;
use glassbox_ir::{FuncId, Program, SourceType, SourceTypeId};
use glassbox_testcase::{
    ContractClause, Ending, InputPointer, InputValue, Limit, NamedInput, Observation, Suite, Test,
    TestInput, Verdict,
};
use glassbox_values::Signedness;
use serde_json::{Map, Value, json};

use crate::verdict_text;
pub use evidence::Evidence;

/// The version of the format; readers refuse others.
pub const FORMAT: u32 = 1;

/// One function's goals and results.
#[derive(Debug)]
pub struct FunctionResult<'a> {
    pub suite: &'a Suite,
    pub goals: &'a [Goal],
    pub n_paths: usize,
    pub n_runs: usize,
    pub evidence: &'a Evidence,
}

/// The whole file. `command` is what the user typed.
pub fn suite(program: &Program, command: &[String], results: &[FunctionResult<'_>]) -> Value {
    json!({
        "format": FORMAT,
        "tool": { "name": "glassbox", "version": env!("CARGO_PKG_VERSION") },
        "command": command,
        "functions": results
            .iter()
            .map(|result| function(program, results, result))
            .collect::<Vec<_>>(),
        "sources": anatomy::sources(program, results),
        "stub_sites": anatomy::stub_sites(program),
    })
}

fn function(
    program: &Program,
    results: &[FunctionResult<'_>],
    result: &FunctionResult<'_>,
) -> Value {
    let declared = program.function(result.suite.function);
    let n_hidden = usize::from(declared.result == glassbox_ir::ResultPassing::Indirect);
    let params =
        declared.params.iter().skip(n_hidden).map(
            |param| json!({ "name": param.name, "type": type_name(program, param.source_type) }),
        );
    let file = program.files.get(declared.span.file.index()).map(|file| file.path.clone());
    json!({
        "name": declared.name,
        "title": title::title(program, result.suite.function),
        "signature": signature(program, result.suite.function),
        "file": file,
        "line": declared.span.line,
        "end_line": declared.span.end_line,
        "result": type_name(program, declared.result_source_type),
        "params": params.collect::<Vec<_>>(),
        "goals": goals(program, result),
        "tests": tests(program, results, result),
        "decisions": decisions::decisions(program, result),
        "graph": graph::graph(program, result.suite.function),
        "refutations": anatomy::refutations(&result.evidence.refutations),
        "invariants": anatomy::invariants(&result.evidence.invariants),
        "solutions": solutions::solutions(program, result),
        "contract": result.suite.contract.iter().map(clause).collect::<Vec<_>>(),
        "assumptions": result.suite.assumptions,
        "limits": result.suite.limits.iter().map(limit).collect::<Vec<_>>(),
        "statistics": {
            "paths": result.n_paths,
            "runs": result.n_runs,
            "layers": anatomy::layers(&result.evidence.layers),
        },
    })
}

/// `int f(const char * s, int n)`.
fn signature(program: &Program, function: FuncId) -> String {
    let declared = program.function(function);
    let n_hidden = usize::from(declared.result == glassbox_ir::ResultPassing::Indirect);
    let params = declared.params.iter().skip(n_hidden);
    let mut params: Vec<String> = params
        .map(|param| format!("{} {}", type_name(program, param.source_type), param.name))
        .collect();
    if declared.is_variadic {
        params.push("...".to_owned());
    }
    if params.is_empty() {
        params.push("void".to_owned());
    }
    let result = type_name(program, declared.result_source_type);
    format!("{result} {}({})", declared.name, params.join(", "))
}

fn goals(program: &Program, result: &FunctionResult<'_>) -> Vec<Value> {
    let pairs = result.goals.iter().zip(&result.suite.goals).enumerate();
    pairs
        .map(|(index, (goal, outcome))| {
            let file = program.files.get(goal.span.file.index()).map(|file| file.path.clone());
            let mut value = json!({
                "id": goal.id,
                "kind": goal.criterion,
                "file": file,
                "line": goal.span.line,
                "column": goal.span.column,
                "text": goal.text,
                "verdict": verdict_text::name(&outcome.verdict),
            });
            let object = value.as_object_mut().expect("made as one");
            evidence(program, result.suite, &outcome.verdict, object);
            anatomy::goal(program, result, index, object);
            value
        })
        .collect()
}

fn evidence(program: &Program, suite: &Suite, verdict: &Verdict, object: &mut Map<String, Value>) {
    let (key, value) = match verdict {
        Verdict::Covered { test } | Verdict::Violated { test } => {
            ("test", json!(suite.tests.get(*test).map(|test| test.name.clone())))
        }
        Verdict::Infeasible(method) | Verdict::Holds(method) => {
            ("proof", json!(verdict_text::method(*method)))
        }
        Verdict::InfeasibleWithin { bounds } | Verdict::HoldsWithin { bounds } => {
            ("bounds", json!(verdict_text::bounds(bounds)))
        }
        Verdict::Unknown(reason) => {
            let (code, story) = verdict_text::reason(program, reason);
            ("reason", json!({ "code": code, "text": story }))
        }
    };
    let _ = object.insert(key.to_owned(), value);
}

fn tests(
    program: &Program,
    results: &[FunctionResult<'_>],
    result: &FunctionResult<'_>,
) -> Vec<Value> {
    let numbered = result.suite.tests.iter().enumerate();
    numbered
        .map(|(index, test)| {
            let mut value = test_value(program, result.suite, test);
            let object = value.as_object_mut().expect("made as one");
            anatomy::test(results, result, index, object);
            value
        })
        .collect()
}

fn clause(clause: &ContractClause) -> Value {
    json!({ "text": clause.text, "place": clause.place, "removes": clause.removes })
}

fn limit(limit: &Limit) -> Value {
    json!({ "name": limit.name, "value": limit.value })
}

fn test_value(program: &Program, suite: &Suite, test: &Test) -> Value {
    let returns = test.expected.ending == Ending::Returned;
    let has_spec = returns && suite.contract.iter().any(|clause| clause.is_ensure);
    let oracles: &[&str] = if has_spec { &["spec", "regression"] } else { &["regression"] };
    json!({
        "id": test.name,
        "inputs": input(program, &test.input),
        "expected": expected(program, &test.input, &test.expected),
        "oracles": oracles,
        "covers": test.covers,
        "path": test.path,
        "constraints": test.constraints,
    })
}

fn input(program: &Program, input: &TestInput) -> Value {
    let params = input.params.iter().map(|param| named(program, param));
    let objects = input.objects.iter().map(|object| {
        let element = object.element_type;
        let elements = object.elements.iter().map(|value| value_json(program, element, value));
        json!({
            "name": object.name,
            "type": type_name(program, element),
            "length": object.length,
            "extra_bytes": object.extra_bytes,
            "elements": elements.collect::<Vec<_>>(),
        })
    });
    let globals = input.globals.iter().map(|(global, value)| {
        let declared = program.global(*global);
        json!({
            "name": declared.name,
            "type": type_name(program, declared.source_type),
            "value": value_json(program, declared.source_type, value),
        })
    });
    let stubs = input.stubs.iter().map(|stub| {
        let declared = program.function(stub.function);
        let result = stub
            .result
            .as_ref()
            .map(|value| value_json(program, declared.result_source_type, value));
        let writes = stub.writes.iter().map(|write| {
            let element = write.element_type;
            let elements = write.elements.iter().map(|value| value_json(program, element, value));
            json!({
                "param": write.param,
                "type": type_name(program, element),
                "elements": elements.collect::<Vec<_>>(),
            })
        });
        let writes = writes.collect::<Vec<_>>();
        json!({ "function": declared.name, "result": result, "writes": writes })
    });
    let mut inputs = json!({
        "params": params.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
        "globals": globals.collect::<Vec<_>>(),
        "stubs": stubs.collect::<Vec<_>>(),
        "stdin": input.stdin,
        "argv": input.argv,
    });
    if !input.failing_allocations.is_empty() {
        inputs["failing_allocations"] = json!(input.failing_allocations);
    }
    inputs
}

fn named(program: &Program, param: &NamedInput) -> Value {
    json!({
        "name": param.name,
        "type": type_name(program, param.source_type),
        "value": value_json(program, param.source_type, &param.value),
    })
}

fn expected(program: &Program, input: &TestInput, observation: &Observation) -> Value {
    let ending = match &observation.ending {
        Ending::Returned => json!("returned"),
        Ending::Exited(status) => json!({ "exited": status }),
        Ending::Aborted => json!("aborted"),
        Ending::Failed { kind, .. } => json!({ "failed": kind.name() }),
        Ending::Rejected => json!("rejected"),
        Ending::Thrown(class) => json!({ "thrown": class }),
        Ending::Stopped => json!("stopped"),
        Ending::Unsupported { what, .. } => json!({ "unsupported": what }),
    };
    // The type of a result is the function's; its shape is enough for readers.
    let result = observation.result.as_ref().map(untyped);
    let objects = observation.changed_objects.iter().map(|(position, elements)| {
        let object = &input.objects[*position];
        let values = elements.iter().map(|value| value_json(program, object.element_type, value));
        json!({ "name": object.name, "elements": values.collect::<Vec<_>>() })
    });
    let globals = observation.changed_globals.iter().map(|(global, value)| {
        let declared = program.global(*global);
        json!({ "name": declared.name, "value": value_json(program, declared.source_type, value) })
    });
    json!({
        "ending": ending,
        "result": result,
        "changed_objects": objects.collect::<Vec<_>>(),
        "changed_globals": globals.collect::<Vec<_>>(),
        "stdout": observation.stdout,
    })
}

fn untyped(value: &InputValue) -> Value {
    match value {
        InputValue::Int(bits) => {
            json!({ "int": bits.to_decimal(Signedness::Signed), "bits": bits.width() })
        }
        InputValue::Float(float) => json!({ "hex": float.to_hex(), "decimal": float.to_decimal() }),
        InputValue::Pointer(pointer) => json!({ "pointer": format!("{pointer:?}") }),
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            Value::Array(parts.iter().map(untyped).collect())
        }
        InputValue::Union { field, value } => json!({ "field": field, "value": untyped(value) }),
        InputValue::Bytes(bytes) => json!({ "bytes": bytes }),
    }
}

/// A value of a type: numbers as decimal text (JSON numbers are not exact), floats in hex too.
fn value_json(program: &Program, ty: SourceTypeId, value: &InputValue) -> Value {
    let resolved = program.resolve_source_type(ty);
    match (value, program.source_type(resolved)) {
        (
            InputValue::Int(bits),
            SourceType::Int { signedness, .. } | SourceType::Enum { signedness, .. },
        ) => {
            json!(bits.to_decimal(*signedness))
        }
        (InputValue::Int(bits), _) => json!(bits.to_decimal(Signedness::Unsigned)),
        (InputValue::Float(float), _) => {
            json!({ "hex": float.to_hex(), "decimal": float.to_decimal() })
        }
        (InputValue::Pointer(pointer), _) => pointer_json(program, *pointer),
        (InputValue::Struct(parts), SourceType::Record { fields: Some(fields), .. }) => {
            let mut object = Map::new();
            for (index, (field, part)) in fields.iter().zip(parts).enumerate() {
                let name = field.name.clone().unwrap_or_else(|| format!("#{index}"));
                let _ = object.insert(name, value_json(program, field.ty, part));
            }
            Value::Object(object)
        }
        (InputValue::Array(parts), SourceType::Array { element, .. }) => {
            Value::Array(parts.iter().map(|part| value_json(program, *element, part)).collect())
        }
        (
            InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. }
            | InputValue::Bytes(_),
            _,
        ) => untyped(value),
    }
}

fn pointer_json(program: &Program, pointer: InputPointer) -> Value {
    match pointer {
        InputPointer::Null => Value::Null,
        InputPointer::Object { object, offset } => json!({ "object": object, "offset": offset }),
        InputPointer::Global { global, offset } => {
            json!({ "global": program.global(global).name, "offset": offset })
        }
        InputPointer::Function(function) => json!({ "function": program.function(function).name }),
    }
}

/// A type as a person writes it, roughly: readers should not parse it.
fn type_name(program: &Program, ty: SourceTypeId) -> String {
    match program.source_type(ty) {
        SourceType::Void => "void".to_owned(),
        SourceType::Bool => "_Bool".to_owned(),
        SourceType::Int { name, .. }
        | SourceType::Float { name, .. }
        | SourceType::Named { name, .. }
        | SourceType::Opaque { name, .. } => name.clone(),
        SourceType::Enum { name, .. } => format!("enum {}", name.as_deref().unwrap_or("{…}")),
        SourceType::Pointer { target, is_const } => {
            let prefix = if *is_const { "const " } else { "" };
            format!("{prefix}{} *", type_name(program, *target))
        }
        SourceType::Array { element, length } => {
            let length = length.map(|length| length.to_string()).unwrap_or_default();
            format!("{}[{length}]", type_name(program, *element))
        }
        SourceType::Record { name, .. } => format!("struct {}", name.as_deref().unwrap_or("{…}")),
        SourceType::Function { result, .. } => format!("{} (*)()", type_name(program, *result)),
        SourceType::Class(class) => program.class(*class).name.clone(),
        SourceType::ClassArray { element } => format!("{}[]", type_name(program, *element)),
    }
}
