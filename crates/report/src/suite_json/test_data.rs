//! Tests as data: inputs and what is expected.

use std::collections::BTreeMap;

use glassbox_ir::{FuncId, Program};
use glassbox_testcase::{Ending, InputValue, NamedInput, Observation, Suite, Test, TestInput};

use super::evidence;
use super::made::Links;
use super::values::{type_name, value};
use crate::data::Value;
use crate::data::test::{
    self, ChangedObject, Expected, Inputs, Named, Object, Oracle, Stub, Write,
};

/// A test without what its run did.
pub(super) fn test(program: &Program, suite: &Suite, test: &Test) -> test::Test {
    let returns = test.expected.ending == Ending::Returned;
    let has_spec = returns && suite.contract.iter().any(|clause| clause.is_ensure);
    let has_relations = !test.follow_ups.is_empty();
    let oracles = [(Oracle::Spec, has_spec), (Oracle::Relation, has_relations)];
    let oracles = oracles.into_iter().filter(|(_, has)| *has).map(|(oracle, _)| oracle);
    let oracles = oracles.chain([Oracle::Regression]).collect();
    let called = test.through.unwrap_or(suite.function);
    test::Test {
        id: test.name.clone(),
        through: test.through.map(|called| program.function(called).name.clone()),
        inputs: inputs(program, &test.input),
        expected: expected(program, called, &test.input, &test.expected),
        oracles,
        covers: test.covers.clone(),
        path: test.path.clone(),
        constraints: test.constraints.iter().map(|condition| condition.text.clone()).collect(),
        constraint_lines: test.constraints.iter().map(|at| at.line.unwrap_or_default()).collect(),
        ..test::Test::default()
    }
}

fn inputs(program: &Program, input: &TestInput) -> Inputs {
    let earlier = (1..).zip(&input.earlier).flat_map(|(call, params)| {
        params.iter().map(move |param| NamedInput {
            name: format!("{} of call {call}", param.name),
            ..param.clone()
        })
    });
    let params: Vec<NamedInput> = earlier.chain(input.params.iter().cloned()).collect();
    let params = params.iter().map(|param| named(program, param));
    let objects = input.objects.iter().map(|object| Object {
        name: object.name.clone(),
        type_name: type_name(program, object.element_type),
        length: object.length,
        extra_bytes: object.extra_bytes,
        elements: values(program, object.element_type, &object.elements),
        stream: object.stream.clone(),
    });
    let globals = input.globals.iter().map(|(global, content)| {
        let declared = program.global(*global);
        Named {
            name: declared.name.clone(),
            type_name: type_name(program, declared.source_type),
            value: value(program, declared.source_type, content),
        }
    });
    let stubs = input.stubs.iter().map(|stub| {
        let declared = program.function(stub.function);
        let result = stub.result.as_ref();
        let writes = stub.writes.iter().map(|write| Write {
            param: write.param,
            type_name: type_name(program, write.element_type),
            elements: values(program, write.element_type, &write.elements),
        });
        Stub {
            function: declared.name.clone(),
            result: result.map(|result| value(program, declared.result_source_type, result)),
            writes: writes.collect(),
        }
    });
    Inputs {
        calls: Vec::new(),
        params: params.collect(),
        objects: objects.collect(),
        globals: globals.collect(),
        stubs: stubs.collect(),
        stdin: input.stdin.clone(),
        files: input.files.clone(),
        argv: input.argv.clone(),
        failing_allocations: input.failing_allocations.clone(),
    }
}

/// Moments of the way that are written; later ones are not.
const MAX_MOMENTS: usize = 60;

/// What changes on the way of a test.
pub(super) fn moments(
    program: &Program,
    test: &Test,
    moments: &[evidence::Moment],
) -> Vec<test::Moment> {
    let (mut variables, mut objects) = (BTreeMap::new(), BTreeMap::new());
    let mut written = Vec::new();
    // The end is worth more than what comes before it.
    let n_first = if moments.len() > MAX_MOMENTS { MAX_MOMENTS - 1 } else { moments.len() };
    let end = moments.last().filter(|last| n_first < moments.len() && last.at.is_none());
    for moment in moments[..n_first].iter().chain(end) {
        let mut changed = test::Moment { at: moment.at, ..test::Moment::default() };
        let has = |name: &String| moment.variables.iter().any(|(own, ..)| own == name);
        changed.gone = variables.keys().filter(|name| !has(name)).cloned().collect();
        variables.retain(|name, _| has(name));
        for (name, ty, content) in &moment.variables {
            if variables.insert(name.clone(), content.clone()).as_ref() != Some(content) {
                let (type_name, value) = (type_name(program, *ty), value(program, *ty, content));
                changed.variables.push(Named { name: name.clone(), type_name, value });
            }
        }
        for (position, elements) in &moment.objects {
            let object = &test.input.objects[*position];
            let before = objects.insert(*position, elements.clone());
            if before.as_ref().unwrap_or(&object.elements) != elements {
                let elements = values(program, object.element_type, elements);
                changed.objects.push(ChangedObject { name: object.name.clone(), elements });
            }
        }
        written.push(changed);
    }
    written
}

fn named(program: &Program, param: &NamedInput) -> Named {
    Named {
        name: param.name.clone(),
        type_name: type_name(program, param.source_type),
        value: value(program, param.source_type, &param.value),
    }
}

fn values(
    program: &Program,
    element: glassbox_ir::SourceTypeId,
    elements: &[InputValue],
) -> Vec<Value> {
    elements.iter().map(|content| value(program, element, content)).collect()
}

/// What a run of a function with this input did.
pub fn expected(
    program: &Program,
    function: FuncId,
    input: &TestInput,
    observation: &Observation,
) -> Expected {
    let returned = program.function(function).result_source_type;
    let ending = match &observation.ending {
        Ending::Returned => test::Ending::Returned,
        Ending::Exited(status) => test::Ending::Exited(*status),
        Ending::Aborted => test::Ending::Aborted,
        Ending::Failed { kind, .. } => test::Ending::Failed(kind.name().to_owned()),
        Ending::Rejected => test::Ending::Rejected,
        Ending::Thrown(class) => test::Ending::Thrown(class.clone()),
        Ending::Stopped => test::Ending::Stopped,
        Ending::Unsupported { what, .. } => test::Ending::Unsupported(what.clone()),
    };
    let links = Links::new(program, &observation.made);
    let objects = observation.changed_objects.iter().map(|(position, elements)| {
        let object = &input.objects[*position];
        let elements = values(program, object.element_type, elements);
        ChangedObject {
            name: object.name.clone(),
            elements: elements.into_iter().map(|element| links.linked(element)).collect(),
        }
    });
    let globals = observation.changed_globals.iter().map(|(global, content)| {
        let declared = program.global(*global);
        test::ChangedGlobal {
            name: declared.name.clone(),
            value: links.linked(value(program, declared.source_type, content)),
        }
    });
    let result = observation.result.as_ref();
    Expected {
        ending,
        result: result.map(|result| links.linked(value(program, returned, result))),
        changed_objects: objects.collect(),
        changed_globals: globals.collect(),
        made: links.all(),
        stdout: observation.stdout.clone(),
    }
}
