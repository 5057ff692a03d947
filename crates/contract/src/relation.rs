//! Relations between calls as C text: a function that makes the calls and compares what comes out.
//!
//! ```c
//! {
//!     __glassbox_assume(x > 0);                    // every require, range and length
//!     __typeof__(mid(x, y, z)) __r0 = mid(x, y, z);
//!     __auto_type __s0 = y; __auto_type __s1 = x;  // the arguments of the second call
//!     {
//!         __auto_type x = __s0; __auto_type y = __s1;
//!         __glassbox_assume(x > 0);
//!         __typeof__(mid(x, y, z)) __r1 = mid(x, y, z);
//!         int __same = 1;
//!         __same &= __r1 == __r0;
//!         __glassbox_relation(__same, "symmetric x, y, z: mid(y, x, z) is mid(x, y, z)");
//!     }
//!     return 1;
//! }
//! ```
//!
//! What a call changes in memory and in variables is kept, put back before the next call, and compared. Two permutations
//! speak for all: the exchange of the first two and the rotation generate the others (A. Gotlieb, *Exploiting
//! symmetries to test programs*, ISSRE 2003, proposition 3), as long as all inputs are looked at.

use glassbox_c_front::front::{HarnessShape, HarnessSource};
use glassbox_c_front::tree::{self, FunctionId};

use crate::complaint::Complaint;
use crate::conditions::conditions;
use crate::declared::{apart, arguments, asked};
use crate::harness::{MEASURES, Purpose, Unit, Writer};
use crate::outcome::{Equality, Left, Memory, Sameness, comparable_result, comparable_results};
use crate::similar;
use crate::{Config, Contract, Effect, Permuted, Relation, RelationKind};

/// How names of functions start that compare calls.
const PREFIX: &str = "relation_";

/// How names start of what was there before the first call, and after it.
const BEFORE: &str = "__before_";
const AFTER: &str = "__after_";

/// What says whether two calls agree.
const SAME: Equality = Equality { same: "__same", how: Sameness::Equal };

/// A relation, or one of the two permutations of one, as code.
#[derive(Debug)]
pub struct Related {
    pub harness: HarnessSource,
    /// The body as C that a compiler takes: it gives whether the calls agree.
    pub body: String,
}

/// The relations of functions that this unit defines; what is wrong with the others.
pub fn relations(config: &Config, unit: &Unit<'_>) -> Result<Vec<Related>, Box<Complaint>> {
    let program = unit.program;
    let mut all = Vec::new();
    for contract in &config.contracts {
        let Some(function) = program.function_named(&contract.function) else { continue };
        // What an earlier unit defined has its relations already.
        let is_here = program
            .functions
            .iter()
            .all(|it| it.harness_of != Some((HarnessShape::Relation, function)));
        if program.function(function).body.is_none() || !is_here {
            continue;
        }
        for relation in &contract.relations {
            let subject = Subject { config, program, function, contract, relation };
            all.extend(subject.related(all.len())?);
        }
    }
    Ok(all)
}

/// A function that compares another with this one, which has the same parameters and is declared when this is read; why
/// there is none.
pub fn equivalence(
    config: Option<&Config>,
    program: &tree::Program,
    function: FunctionId,
    other: &str,
) -> Result<HarnessSource, String> {
    let name = program.name(program.function(function).name);
    let found = config.and_then(|config| {
        let mut contracts = config.contracts.iter();
        Some((config, contracts.find(|contract| contract.function == name)?))
    });
    let (nothing, empty) = (Config::nothing(), Contract::empty(name, 0..0));
    let (config, contract) = found.unwrap_or((&nothing, &empty));
    let relation =
        &Relation { kind: RelationKind::Relate(String::new()), offset: contract.name.start };
    let subject = Subject { config, program, function, contract, relation };
    let left = Left::of(program, (function, &[]), contract, &[])?;
    comparable_result(program, subject.result())?;
    let (text, _) = subject.compared(&left, other);
    Ok(HarnessSource {
        function,
        shape: HarnessShape::Relation,
        name: format!("{PREFIX}to_{other}"),
        text,
        file: config.path.clone(),
        original: config.text.clone().into_bytes(),
    })
}

/// A relation of a function.
struct Subject<'a> {
    config: &'a Config,
    program: &'a tree::Program,
    function: FunctionId,
    contract: &'a Contract,
    relation: &'a Relation,
}

/// Which elements or parameters change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Permutation {
    /// The first two.
    Exchange,
    /// Each takes the place of the next, the last that of the first.
    Rotation,
}

impl Permutation {
    /// Those that generate all others of so many.
    fn generators(n: Option<u64>) -> &'static [Permutation] {
        match n {
            Some(2) => &[Permutation::Exchange],
            _ => &[Permutation::Exchange, Permutation::Rotation],
        }
    }

    /// Where an element goes, in C.
    fn place(self, index: &str, count: &str) -> String {
        match (self, index.parse::<u64>(), count.parse::<u64>()) {
            (Permutation::Exchange, Ok(index), _) => match index {
                0 => "1".to_owned(),
                1 => "0".to_owned(),
                other => other.to_string(),
            },
            (Permutation::Rotation, Ok(index), Ok(count)) => ((index + 1) % count).to_string(),
            (Permutation::Exchange, Err(_), _) => {
                format!("({index} < 2 ? 1 - {index} : {index})")
            }
            (Permutation::Rotation, _, _) => {
                format!("({index} + 1 < (unsigned long)({count}) ? {index} + 1 : 0)")
            }
        }
    }
}

/// The code for our front-end and, beside it, for compilers.
struct Draft<'a> {
    w: Writer<'a>,
    test: String,
    start: usize,
}

impl Draft<'_> {
    fn both(&mut self, code: &str) {
        self.at(self.start, code);
    }

    fn at(&mut self, offset: usize, code: &str) {
        self.w.at(offset, code);
        self.test.push_str("    ");
        self.test.push_str(code.trim());
        self.test.push('\n');
    }

    fn end(mut self, shown: &str, depth: usize) -> (Vec<u8>, String) {
        let text = shown.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        self.w.at(self.start, &format!("__glassbox_relation(__same, \"{text}\");"));
        let close = "}".repeat(depth);
        self.w.at(self.start, &format!("return 1; {close}\n"));
        self.test.push_str(&format!("    return __same;\n{close}\n"));
        (self.w.out.into_bytes(), self.test)
    }
}

impl<'a> Subject<'a> {
    fn related(&self, n_earlier: usize) -> Result<Vec<Related>, Box<Complaint>> {
        let made = match &self.relation.kind {
            RelationKind::Symmetric(names) => self.symmetric(names)?,
            RelationKind::Permute(arrays) => self.permute(arrays)?,
            RelationKind::Relate(text) => vec![self.relate(text)?],
            RelationKind::Reference { function, older } => {
                vec![self.reference(function, older.as_deref())?]
            }
        };
        let related = (n_earlier + 1..).zip(made).map(|(number, (text, body))| Related {
            harness: HarnessSource {
                function: self.function,
                shape: HarnessShape::Relation,
                name: format!("{PREFIX}{number}_of_{}", self.contract.function),
                text,
                file: self.config.path.clone(),
                original: self.config.text.clone().into_bytes(),
            },
            body,
        });
        Ok(related.collect())
    }

    fn complain<T>(&self, message: String, help: Option<String>) -> Result<T, Box<Complaint>> {
        let start = self.relation.offset;
        let rest = self.config.text.get(start..).unwrap_or_default();
        let length = rest.find(['"', '\'', '\n', ',']).unwrap_or(1).max(1);
        Err(Box::new(Complaint {
            path: self.config.path.clone(),
            text: self.config.text.clone(),
            span: Some(start..start + length),
            message,
            help,
        }))
    }

    fn cannot<T>(&self, why: &str) -> Result<T, Box<Complaint>> {
        let name = &self.contract.function;
        self.complain(format!("calls of `{name}` cannot be compared: {why}"), None)
    }

    /// What calls leave; also refuses what has no result that can be compared.
    fn left(&self, named: &[&str], others: &[FunctionId]) -> Result<Left, Box<Complaint>> {
        let left = Left::of(self.program, (self.function, others), self.contract, named);
        let left = left.or_else(|why| self.cannot(&why))?;
        comparable_result(self.program, self.result()).or_else(|why| self.cannot(&why))?;
        if self.program.types.is_void(self.result()) && left.is_empty() {
            return self.cannot("it returns nothing and changes nothing");
        }
        Ok(left)
    }

    fn result(&self) -> glassbox_c_front::ty::kind::TypeId {
        let types = &self.program.types;
        let ty = types.function_type(self.program.function(self.function).ty);
        ty.map_or(self.program.function(self.function).ty, |ty| ty.result)
    }

    fn parameters(&self) -> Vec<String> {
        arguments(self.program, self.function)
    }

    fn known(&self, name: &str) -> Result<usize, Box<Complaint>> {
        let parameters = self.parameters();
        match parameters.iter().position(|known| known == name) {
            Some(position) => Ok(position),
            None => {
                let known: Vec<&str> = parameters.iter().map(String::as_str).collect();
                let function = &self.contract.function;
                let message = format!("`{function}` has no parameter `{name}`");
                self.complain(message, Some(similar::help(name, &known)))
            }
        }
    }

    /// What every relation begins with: assumptions about the inputs.
    fn draft(&self, left: &Left) -> Draft<'a> {
        let start = self.relation.offset;
        let mut w = Writer { config: self.config, out: String::new() };
        w.at(start, "{");
        w.out.push_str(" extern void __glassbox_assume(); extern void __glassbox_relation();\n");
        w.out.push_str(MEASURES);
        let mut draft = Draft { w, test: "{\n".to_owned(), start };
        self.assume(&mut draft, left);
        draft
    }

    fn assume(&self, draft: &mut Draft<'_>, left: &Left) {
        let (program, function) = (self.program, self.function);
        for condition in [asked(program, function), apart(program, function)].concat() {
            draft.w.at(self.relation.offset, &format!("__glassbox_assume({condition});"));
        }
        conditions(&mut draft.w, self.contract, Purpose::Assume);
        for condition in left.by_type() {
            draft.w.at(self.relation.offset, &format!("__glassbox_assume({condition});"));
        }
    }

    /// A call whose result is kept.
    fn call(&self, draft: &mut Draft<'_>, function: &str, number: usize) {
        let call = format!("{function}({})", self.parameters().join(", "));
        draft.both(&if self.program.types.is_void(self.result()) {
            format!("{call};")
        } else {
            format!("__typeof__({call}) __r{number} = {call};")
        });
    }

    /// Compares the results of the first two calls.
    fn compare_results(&self, draft: &mut Draft<'_>) {
        draft.both("int __same = 1;");
        if !self.program.types.is_void(self.result()) {
            draft.both(&SAME.of(self.program, self.result(), ("__r1", "__r0"), 0));
        }
    }

    fn symmetric(&self, names: &[String]) -> Result<Vec<(Vec<u8>, String)>, Box<Complaint>> {
        let left = self.left(&[], &[])?;
        let positions = names.iter().map(|name| self.known(name));
        let positions = positions.collect::<Result<Vec<usize>, Box<Complaint>>>()?;
        let types = &self.program.types;
        let ty = |position: usize| {
            let ty = types.function_type(self.program.function(self.function).ty);
            ty.and_then(|ty| ty.parameters.get(position).copied())
        };
        let first = ty(positions[0]);
        for (name, &position) in names.iter().zip(&positions) {
            let is_same = matches!((first, ty(position)), (Some(a), Some(b)) if types.compatible_unqualified(a, b));
            if !is_same {
                let message = format!(
                    "`{}` and `{name}` have different types: they cannot change places",
                    names[0]
                );
                return self.complain(message, None);
            }
        }
        let count = names.len();
        let mut made = Vec::new();
        for &permutation in Permutation::generators(u64::try_from(count).ok()) {
            let given = |position: usize| match permutation {
                Permutation::Exchange if position < 2 => &names[1 - position],
                Permutation::Exchange => &names[position],
                Permutation::Rotation => &names[(position + 1) % count],
            };
            let mut draft = self.draft(&left);
            draft.both(&left.keep(BEFORE));
            self.call(&mut draft, &self.contract.function, 0);
            draft.both(&left.keep(AFTER));
            draft.both(&left.restore(BEFORE, |_, index| index.to_owned()));
            let kept: String =
                (0..count).map(|at| format!("__auto_type __s{at} = {}; ", given(at))).collect();
            draft.both(&kept);
            let put: String =
                (0..count).map(|at| format!("__auto_type {} = __s{at}; ", names[at])).collect();
            draft.both(&format!("{{ {put}"));
            self.assume(&mut draft, &left);
            self.call(&mut draft, &self.contract.function, 1);
            self.compare_results(&mut draft);
            draft.both(&left.compare(self.program, (BEFORE, AFTER), SAME, |_, i| i.to_owned()));
            let mut passed = self.parameters();
            for (at, &position) in positions.iter().enumerate() {
                passed[position] = given(at).clone();
            }
            let (f, plain) = (&self.contract.function, self.parameters().join(", "));
            let shown = format!(
                "symmetric {}: {f}({}) is {f}({plain})",
                names.join(", "),
                passed.join(", ")
            );
            made.push(draft.end(&shown, 2));
        }
        Ok(made)
    }

    fn permute(&self, arrays: &[Permuted]) -> Result<Vec<(Vec<u8>, String)>, Box<Complaint>> {
        let named: Vec<&str> = arrays.iter().map(|array| array.array.as_str()).collect();
        for name in &named {
            self.known(name)?;
        }
        let left = self.left(&named, &[])?;
        let find = |name: &str| left.memory.iter().find(|memory| memory.pointer == name);
        let mut counts = Vec::new();
        for name in &named {
            match find(name) {
                Some(memory) => counts.push(memory.count.clone()),
                None => return self.complain(format!("`{name}` is no pointer to elements"), None),
            }
        }
        // As many elements change places as the shortest array has.
        let numbers: Vec<u64> = counts.iter().filter_map(|count| count.parse().ok()).collect();
        let is_known = numbers.len() == counts.len();
        if !is_known && counts.iter().any(|count| *count != counts[0]) {
            return self.complain(
                "arrays that change together have lengths that are not the same expression"
                    .to_owned(),
                None,
            );
        }
        let least = numbers.iter().min().copied().filter(|_| is_known);
        if least == Some(1) {
            return self.complain("one element alone cannot change places".to_owned(), None);
        }
        let count = least.map_or_else(|| counts[0].clone(), |least| least.to_string());
        let index = arrays.iter().find(|array| array.effect == Effect::Index);
        if index.is_some() && !self.program.types.is_integer(self.result()) {
            let f = &self.contract.function;
            return self.complain(format!("the result of `{f}` is no integer, so no index"), None);
        }
        let mut made = Vec::new();
        for &permutation in Permutation::generators(least) {
            let moved = |memory: &Memory, i: &str| {
                let is_beyond =
                    matches!((i.parse::<u64>(), least), (Ok(i), Some(least)) if i >= least);
                match named.contains(&memory.pointer.as_str()) && !is_beyond {
                    // Longer arrays keep the rest as it is.
                    true if i.parse::<u64>().is_err() && memory.count != count => {
                        let place = permutation.place(i, &count);
                        format!("({i} < (unsigned long)({count}) ? {place} : {i})")
                    }
                    true => permutation.place(i, &count),
                    false => i.to_owned(),
                }
            };
            let compared = |memory: &Memory, i: &str| {
                let of = arrays.iter().find(|array| array.array == memory.pointer);
                match of.map(|array| array.effect) {
                    Some(Effect::Natural | Effect::Index) => moved(memory, i),
                    Some(Effect::Invariant) | None => i.to_owned(),
                }
            };
            let mut draft = self.draft(&left);
            if least.is_none() {
                let guard = format!("{count} >= 2");
                draft.w.at(self.relation.offset, &format!("__glassbox_assume({guard});"));
                draft.test.push_str(&format!("    if (!({guard})) return 1;\n"));
            }
            draft.both(&left.keep(BEFORE));
            self.call(&mut draft, &self.contract.function, 0);
            draft.both(&left.keep(AFTER));
            draft.both(&left.restore(BEFORE, moved));
            draft.both("{");
            self.assume(&mut draft, &left);
            self.call(&mut draft, &self.contract.function, 1);
            if index.is_some() {
                let place = permutation.place("(unsigned long)__r0", &count);
                draft.both(&format!(
                    "int __same = __r1 == (__r0 >= 0 && (unsigned long)__r0 < (unsigned long)({count}) \
                     ? (__typeof__(__r0)){place} : __r0);"
                ));
            } else {
                self.compare_results(&mut draft);
            }
            draft.both(&left.compare(self.program, (BEFORE, AFTER), SAME, compared));
            let words: Vec<String> = arrays
                .iter()
                .map(|Permuted { array, effect, .. }| format!("{array} {}", effect.name()))
                .collect();
            let how = match permutation {
                Permutation::Exchange => "its first two elements change places",
                Permutation::Rotation => "its elements rotate",
            };
            made.push(draft.end(&format!("permute {}: {how}", words.join(", ")), 2));
        }
        Ok(made)
    }

    fn relate(&self, text: &str) -> Result<(Vec<u8>, String), Box<Complaint>> {
        let left = Left::of(self.program, (self.function, &[]), self.contract, &[]);
        let left = match left {
            Ok(left) if left.is_empty() => left,
            Ok(_) => {
                let f = &self.contract.function;
                let message = format!(
                    "a call of `{f}` changes what the next one sees: an expression over calls would depend on their order"
                );
                let help = "`symmetric`, `permute` and `reference` put back what a call changes";
                return self.complain(message, Some(help.to_owned()));
            }
            Err(why) => return self.cannot(&why),
        };
        let mut draft = self.draft(&left);
        draft.both("int __same = !!(");
        draft.at(self.relation.offset, &crate::quantifier::plain(text));
        draft.both(");");
        Ok(draft.end(&text.split_whitespace().collect::<Vec<_>>().join(" "), 1))
    }

    fn reference(
        &self,
        name: &str,
        older: Option<&str>,
    ) -> Result<(Vec<u8>, String), Box<Complaint>> {
        let program = self.program;
        let Some(other) = program.function_named(name) else {
            let known: Vec<&str> = program
                .functions
                .iter()
                .filter(|it| it.body.is_some() && it.harness_of.is_none())
                .map(|it| program.name(it.name))
                .collect();
            let help = similar::help(name, &known);
            return self.complain(format!("no function `{name}` is known here"), Some(help));
        };
        let (f, types) = (&self.contract.function, &program.types);
        if other == self.function {
            return self.complain(format!("`{f}` is compared with itself"), None);
        }
        if !types.compatible_across(program.function(self.function).ty, program.function(other).ty)
        {
            return self.complain(format!("`{f}` and `{name}` have different types"), None);
        }
        let left = self.left(&[], &[other])?;
        comparable_results(program, self.result(), [self.function, other])
            .or_else(|why| self.cannot(&why))?;
        // Both see, and may change, what one of them has to do with.
        let left = left.and_of(program, other, &self.parameters(), older).or_else(|why| {
            self.complain(format!("calls of `{name}` cannot be compared: {why}"), None)
        })?;
        Ok(self.compared(&left, name))
    }

    /// Calls the function and another one, and compares what they leave.
    fn compared(&self, left: &Left, name: &str) -> (Vec<u8>, String) {
        let (f, program) = (&self.contract.function, self.program);
        let mut draft = self.draft(left);
        draft.both(&format!("extern __typeof__({f}) {name};"));
        draft.both(&left.twins());
        draft.both(&left.keep(BEFORE));
        self.call(&mut draft, f, 0);
        draft.both(&left.keep(AFTER));
        draft.both(&left.restore(BEFORE, |_, index| index.to_owned()));
        self.call(&mut draft, name, 1);
        self.compare_results(&mut draft);
        draft.both(&left.compare(program, (BEFORE, AFTER), SAME, |_, index| index.to_owned()));
        let plain = self.parameters().join(", ");
        draft.end(&format!("reference {name}: {f}({plain}) is {name}({plain})"), 1)
    }
}
