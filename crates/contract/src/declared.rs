//! What declarations say about arguments, and what the standard says about those of `main`: harnesses of functions that
//! have no contract.

use std::collections::BTreeSet;

use glassbox_c_front::front::{HarnessShape, HarnessSource};
use glassbox_c_front::parse::harness::unnamed_parameter;
use glassbox_c_front::tree::{self, AskedLength};

use crate::harness::{PREFIX, Purpose, REQUIREMENT};
use crate::separate::start;
use crate::{ClauseKind, Config};

/// The harness of a `main` that takes arguments and has no contract: `argc` is not negative, and the arguments are
/// that many pointers to strings, followed by a null pointer. There may be none (C11 5.1.2.2.1).
pub fn main_harness(program: &tree::Program, done: &mut BTreeSet<String>) -> Option<HarnessSource> {
    let function = program.function_named("main")?;
    let names = arguments(program, function);
    let body = program.function(function).body.as_ref()?;
    // What `main` does not look at is left alone.
    let used: Vec<bool> = body.parameters.iter().map(|&it| program.is_used(it)).collect();
    if !used.contains(&true) {
        return None;
    }
    let types = &program.types;
    let ty = types.function_type(program.function(function).ty)?;
    let (count, vector) = (names.first()?, names.get(1)?);
    // Anything else is a `main` of another kind, which the standard says nothing about.
    let is_usual = types.is_integer(ty.parameters[0])
        && types.pointee(ty.parameters[1]).is_some_and(|target| types.is_pointer(target));
    if !is_usual || types.is_void(ty.result) || !done.insert("main".to_owned()) {
        return None;
    }
    let passed = names.join(", ");
    let head = format!(
        "{{ extern void __glassbox_assume();
extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);
__glassbox_assume({count} >= 0);\n"
    );
    let strings = format!(
        "__glassbox_assume(__glassbox_offset((const void *){vector}) == 0);
__glassbox_assume(__glassbox_size((const void *){vector}) == \
 sizeof *{vector} * ((unsigned long){count} + 1));
for (int __index = 0; __index < {count}; __index++) {{
__glassbox_assume({vector}[__index] != 0);
__glassbox_assume(__glassbox_offset((const void *){vector}[__index]) == 0);
__glassbox_assume({vector}[__index][__glassbox_size((const void *){vector}[__index]) - 1] == 0); }}
__glassbox_assume({vector}[{count}] == 0);\n"
    );
    let strings = if used[1] { strings } else { String::new() };
    let text = format!("{head}{strings}return main({passed}); }}\n");
    Some(HarnessSource {
        function,
        shape: HarnessShape::Same,
        name: format!("{PREFIX}main"),
        original: text.clone().into_bytes(),
        text: text.into_bytes(),
        file: "<main>".to_owned(),
    })
}

/// The parameters of a function by the names that a harness uses.
pub fn arguments(program: &tree::Program, function: tree::FunctionId) -> Vec<String> {
    let names = (0u32..).zip(program.parameter_names(function));
    names.map(|(index, name)| name.unwrap_or_else(|| unnamed_parameter(index))).collect()
}

/// What the declaration of a function asks callers to pass, as conditions in C.
pub(crate) fn asked(program: &tree::Program, function: tree::FunctionId) -> Vec<String> {
    let names = arguments(program, function);
    let mut conditions = Vec::new();
    for (name, asked) in names.iter().zip(&program.function(function).asked) {
        if asked.is_nonnull {
            conditions.push(format!("{name} != 0"));
        }
        let count = match asked.elements {
            Some(AskedLength::Fixed(count)) => Some(format!("{count}ul")),
            Some(AskedLength::Named(count)) => {
                let count = program.name(count);
                names.iter().any(|name| name == count).then(|| count.to_owned())
            }
            Some(AskedLength::Unknown) | None => None,
        };
        if let Some(count) = count {
            conditions.push(format!("{count} > 0"));
            conditions.push(format!(
                "(__glassbox_size((const void *){name}) - __glassbox_offset((const void *){name})) \
                 / sizeof *{name} >= (unsigned long)({count})"
            ));
        }
    }
    conditions
}

/// That `restrict` parameters point to objects of their own: what two pointers to constants may share is only
/// read.
pub(crate) fn apart(program: &tree::Program, function: tree::FunctionId) -> Vec<String> {
    let condition =
        |(p, q): (String, String)| format!("!{p} || !{q} || {} != {}", start(&p), start(&q));
    restricted_pairs(program, function).into_iter().map(condition).collect()
}

fn restricted_pairs(program: &tree::Program, function: tree::FunctionId) -> Vec<(String, String)> {
    let Some(body) = &program.function(function).body else { return Vec::new() };
    let types = &program.types;
    // By parameter that points to an object: its name, whether it is restricted, whether it is written through.
    let pointer = |(name, &variable): (String, &tree::VariableId)| {
        let ty = program.variable(variable).ty;
        let target = types.pointee(ty).filter(|&target| !types.is_function(target))?;
        let is_constant = types.get(target).qualifiers.is_const;
        Some((name, types.get(ty).qualifiers.is_restrict, !is_constant))
    };
    let names = arguments(program, function).into_iter();
    let pointers: Vec<(String, bool, bool)> =
        names.zip(&body.parameters).filter_map(pointer).collect();
    let mut pairs = Vec::new();
    for (position, (p, p_restrict, p_written)) in pointers.iter().enumerate() {
        for (q, q_restrict, q_written) in &pointers[position + 1..] {
            if (*p_restrict || *q_restrict) && (*p_written || *q_written) {
                pairs.push((p.clone(), q.clone()));
            }
        }
    }
    pairs
}

/// The functions whose `restrict` parameters get objects of their own, and no contract asks for it.
pub fn restricted(program: &tree::Program, config: Option<&Config>) -> Vec<String> {
    let is_asked = |name: &str, (p, q): &(String, String)| {
        let mut contracts = config.into_iter().flat_map(|config| &config.contracts);
        let contract = contracts.find(|contract| contract.function == name);
        let mut clauses = contract.into_iter().flat_map(|contract| &contract.clauses);
        clauses.any(|clause| {
            matches!(&clause.kind, ClauseKind::Separate(names)
                if names.contains(p) && names.contains(q))
        })
    };
    let name = |id: tree::FunctionId| program.name(program.function(id).name);
    let ids = program.function_ids().filter(|&id| {
        let subject = program.function(id).harness_of.map_or(id, |(_, of)| of);
        restricted_pairs(program, id).iter().any(|pair| !is_asked(name(subject), pair))
    });
    ids.map(|id| name(id).to_owned()).collect()
}

/// The harnesses of functions without a contract whose declarations exclude arguments: attribute `nonnull`,
/// `[static n]`, `restrict`. One calls the function with arguments that are allowed, one judges the arguments of calls;
/// with the last unit, those of functions that no unit defines, too. What the library asks for is in its catalogue.
pub fn declared_harnesses(
    program: &tree::Program,
    made: &[HarnessSource],
    is_last: bool,
) -> Vec<HarnessSource> {
    let has_harness = |function: tree::FunctionId| {
        let known = program.functions.iter().filter_map(|known| known.harness_of);
        known
            .map(|(_, of)| of)
            .chain(made.iter().map(|made| made.function))
            .any(|of| of == function)
    };
    let strangers = if is_last { program.called_strangers() } else { BTreeSet::new() };
    let mut harnesses = Vec::new();
    for function in program.function_ids() {
        let declared = program.function(function);
        let Some(ty) = program.types.function_type(declared.ty) else { continue };
        let is_defined = declared.body.is_some();
        if !is_defined && !strangers.contains(&function) {
            continue;
        }
        let mut parameters = declared.body.iter().flat_map(|body| &body.parameters);
        let has_lengths =
            parameters.any(|&it| program.types.has_variable_length(program.variable(it).ty));
        let (conditions, apart) = (asked(program, function), apart(program, function));
        let is_free = conditions.is_empty() && apart.is_empty();
        if is_free || ty.is_variadic || has_lengths || has_harness(function) {
            continue;
        }
        let name = program.name(declared.name);
        let call = format!("{name}({})", arguments(program, function).join(", "));
        let give_back = if program.types.is_void(ty.result) { "" } else { "return " };
        let all = |purpose: Purpose, conditions: &[String]| -> String {
            let (open, close) = (purpose.open(), purpose.close());
            conditions.iter().map(|condition| format!("{open}{condition}{close}\n")).collect()
        };
        let externs = "extern void __glassbox_assume();\n\
             extern unsigned long __glassbox_size(const void *), __glassbox_offset(const void *);";
        let mut add = |shape: HarnessShape, prefix: &str, text: String| {
            harnesses.push(HarnessSource {
                function,
                shape,
                name: format!("{prefix}{name}"),
                original: text.clone().into_bytes(),
                text: text.into_bytes(),
                file: format!("<declaration of {name}>"),
            });
        };
        let assumed = all(Purpose::Assume, &[&conditions[..], &apart[..]].concat());
        if is_defined {
            add(
                HarnessShape::Same,
                PREFIX,
                format!("{{ {externs}\n{assumed}{give_back}{call}; }}\n"),
            );
        }
        // Callers may share what is only read.
        if conditions.is_empty() {
            continue;
        }
        let tested = all(Purpose::Test, &conditions);
        add(HarnessShape::Test, REQUIREMENT, format!("{{ {externs}\n{tested}return 1; }}\n"));
    }
    harnesses
}
