//! Cheap inputs to start with: zeros, small numbers, boundaries, constants of the program, and a few drawn
//! from a seed.

use std::collections::BTreeSet;

use glassbox_ir::{
    FuncId, InstrKind, Operand, Program, RecordKind, ResultPassing, SourceType, SourceTypeId,
    Terminator,
};
use glassbox_testcase::image::size_of;
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, TestInput};
use glassbox_values::{Bits, Float, Signedness};

use crate::aim::Aim;

/// A small deterministic generator (SplitMix64, Steele, Lea and Flood, OOPSLA 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A generator of its own for part `number` of the work.
    pub(crate) fn branch(&self, number: usize) -> Random {
        Random(Random(self.0 ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95)).draw())
    }

    /// A number below the bound, each with the same chance: what would favor small ones is drawn again.
    pub(crate) fn fair(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.draw();
            if drawn < fair {
                return usize::try_from(drawn % bound).unwrap_or_default();
            }
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound.max(1)
    }
}

/// `count` inputs for a function; `None` if its parameters are of a kind that seeds cannot make.
pub fn inputs(program: &Program, aim: Aim, seed: u64, count: usize) -> Vec<TestInput> {
    let Aim { function, entry } = aim;
    // Objects of a JVM program are left to the paths, which choose their classes.
    let is_reference = |ty: SourceTypeId| {
        matches!(
            program.source_type(ty),
            SourceType::Class(_) | SourceType::ClassArray { .. } | SourceType::Opaque { .. }
        )
    };
    let declared = program.function(entry);
    if program.language.has_objects()
        && declared.params.iter().any(|param| is_reference(param.source_type))
    {
        return Vec::new();
    }
    // What an entry compares decides whether its runs come to the function.
    let mut constants = constants_of(program, function);
    let mut floats = float_constants_of(program, function);
    if !aim.starts_with_function(program) {
        constants.extend(constants_of(program, entry));
        floats.extend(float_constants_of(program, entry));
    }
    let mut random = Random::new(seed);
    let mut make = |round: usize, lengths: Lengths| {
        let (constants, floats) = (&constants, &floats);
        Maker { program, constants, floats, random: &mut random, round, lengths }.input(entry)
    };
    let mut inputs: Vec<TestInput> = (0..count).map(|round| make(round, Lengths::Short)).collect();
    // Loops over a fixed number of elements want all of them; without memory nothing would be new.
    if inputs.iter().any(|input| !input.objects.is_empty()) {
        inputs.extend((0..count / 4).map(|round| make(round, Lengths::Long)));
    }
    inputs
}

/// Inputs with a number that the code mentions, or a neighbor of one, at one integer parameter each: loops with
/// a fixed limit go all the way to it, and comparisons are met exactly.
pub fn inputs_from_constants(program: &Program, function: FuncId, seed: u64) -> Vec<TestInput> {
    if program.language.has_objects() {
        return Vec::new();
    }
    let constants = constants_of(program, function);
    let floats = float_constants_of(program, function);
    let mut random = Random::new(seed ^ 0x5eed);
    let mut inputs = Vec::new();
    let n_params = program.function(function).params.len();
    for position in 0..n_params {
        for &constant in &constants {
            if inputs.len() >= MAX_FROM_CONSTANTS {
                return inputs;
            }
            let round = 3 + inputs.len();
            let lengths = Lengths::Short;
            let (constants, floats, random) = (&constants, &floats, &mut random);
            let mut maker = Maker { program, constants, floats, random, round, lengths };
            let mut input = maker.input(function);
            let Some(param) = input.params.get_mut(position) else { continue };
            let resolved = program.resolve_source_type(param.source_type);
            let is_bool = matches!(program.source_type(resolved), SourceType::Bool);
            if let (InputValue::Int(bits), false) = (&mut param.value, is_bool) {
                *bits = Bits::from_signed(constant, bits.width());
                inputs.push(input);
            }
        }
    }
    inputs
}

/// Inputs of this kind for one function.
const MAX_FROM_CONSTANTS: usize = 200;

/// How much memory is behind a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lengths {
    /// One to four elements.
    Short,
    /// `LONG` elements, at the first level.
    Long,
}

/// More than the loops of small functions go through.
const LONG: u64 = 16;

/// Integers that the function's code mentions, and their neighbors.
fn constants_of(program: &Program, function: FuncId) -> Vec<i128> {
    let mut found: BTreeSet<i128> = BTreeSet::new();
    let mut visit = |operand: &Operand| {
        if let Operand::Int(bits) = operand {
            let value = bits.signed();
            found.extend([value - 1, value, value + 1]);
        }
    };
    for block in &program.body(function).blocks {
        for instr in &block.instrs {
            if matches!(instr.kind, InstrKind::Check(_)) {
                continue;
            }
            instr.kind.for_each_operand(&mut visit);
        }
        if let Terminator::Switch { cases, .. } = &block.terminator {
            for case in cases {
                visit(&Operand::Int(case.low));
            }
        }
    }
    found.into_iter().collect()
}

/// Floats that the function's code mentions.
fn float_constants_of(program: &Program, function: FuncId) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::new();
    let instrs = program.body(function).blocks.iter().flat_map(|block| &block.instrs);
    for instr in instrs {
        instr.kind.for_each_operand(&mut |operand: &Operand| {
            if let Operand::Float(float) = operand {
                let value = float.to_f64();
                if value.is_finite() && !found.contains(&value) {
                    found.push(value);
                }
            }
        });
    }
    found
}

struct Maker<'a> {
    program: &'a Program,
    constants: &'a [i128],
    floats: &'a [f64],
    random: &'a mut Random,
    round: usize,
    lengths: Lengths,
}

impl Maker<'_> {
    fn input(&mut self, function: FuncId) -> TestInput {
        let declared = self.program.function(function);
        let n_hidden = usize::from(declared.result == ResultPassing::Indirect);
        let mut test = TestInput::default();
        for param in declared.params.iter().skip(n_hidden) {
            let name = param.name.clone();
            let value = self.value(param.source_type, &name, 0, &mut test.objects);
            test.params.push(NamedInput { name, source_type: param.source_type, value });
        }
        test
    }

    /// The first rounds are zeros, ones and minus ones; later ones mix.
    fn int(&mut self, width: u8, signedness: Signedness) -> Bits {
        match self.round {
            0 => return Bits::zero(width),
            1 => return Bits::one(width),
            2 => return Bits::from_signed(-1, width),
            _ => {}
        }
        match self.random.below(6) {
            0 if !self.constants.is_empty() => {
                let index = self.random.below(self.constants.len() as u64);
                Bits::from_signed(self.constants[usize::try_from(index).unwrap_or(0)], width)
            }
            1 => Bits::min_value(signedness, width),
            2 => Bits::max_value(signedness, width),
            3 => Bits::new(self.random.draw().into(), width),
            _ => Bits::from_signed(i128::from(self.random.below(21)) - 10, width),
        }
    }

    /// Whether the next float is one of the program's.
    fn draws_float(&mut self) -> bool {
        !self.floats.is_empty() && self.random.below(3) == 0
    }

    fn value(
        &mut self,
        ty: SourceTypeId,
        name: &str,
        depth: usize,
        objects: &mut Vec<InputObject>,
    ) -> InputValue {
        match self.program.source_type(ty) {
            SourceType::Named { target, .. } => self.value(*target, name, depth, objects),
            SourceType::Bool => InputValue::Int(Bits::new(self.random.below(2).into(), 8)),
            SourceType::Int { width, signedness, .. } => {
                InputValue::Int(self.int(*width, *signedness))
            }
            SourceType::Enum { width, constants, signedness, .. } => {
                let index = usize::try_from(self.random.draw()).unwrap_or(0);
                InputValue::Int(match constants.get(index % constants.len().max(1)) {
                    Some(constant) => Bits::from_signed(constant.value, *width),
                    None => self.int(*width, *signedness),
                })
            }
            SourceType::Float { format, .. } if self.round >= 3 && self.draws_float() => {
                let index = self.random.below(self.floats.len() as u64);
                let value = self.floats[usize::try_from(index).unwrap_or(0)];
                InputValue::Float(
                    Float::from_f64(value)
                        .convert(*format, glassbox_values::RoundingMode::NearestEven),
                )
            }
            SourceType::Float { format, .. } => {
                let whole = self.int(32, Signedness::Signed).signed() as f64;
                let part = self.random.below(8) as f64 / 8.0;
                let value = if self.round < 3 { whole } else { whole + part };
                InputValue::Float(
                    Float::from_f64(value)
                        .convert(*format, glassbox_values::RoundingMode::NearestEven),
                )
            }
            SourceType::Pointer { target, .. } => self.pointer(*target, name, depth, objects),
            SourceType::Array { element, length } => {
                let n_elements = length.unwrap_or(0).min(1 << 12);
                let elements =
                    (0..n_elements).map(|_| self.value(*element, name, depth, objects)).collect();
                InputValue::Array(elements)
            }
            SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
                let values = fields.iter().map(|field| match field.bits {
                    Some(range) => InputValue::Int(self.int(range.width, Signedness::Unsigned)),
                    None => self.value(field.ty, name, depth, objects),
                });
                InputValue::Struct(values.collect())
            }
            SourceType::Void
            | SourceType::Record { .. }
            | SourceType::Function { .. }
            | SourceType::Class(_)
            | SourceType::ClassArray { .. }
            | SourceType::Opaque { .. } => {
                let size = usize::try_from(size_of(self.program, ty)).unwrap_or(0);
                InputValue::Bytes(vec![0; size])
            }
        }
    }

    fn pointer(
        &mut self,
        target: SourceTypeId,
        name: &str,
        depth: usize,
        objects: &mut Vec<InputObject>,
    ) -> InputValue {
        let resolved = self.program.resolve_source_type(target);
        let is_function = matches!(self.program.source_type(resolved), SourceType::Function { .. });
        if is_function || depth >= 2 || objects.len() >= 8 || self.random.below(8) == 7 {
            return InputValue::Pointer(InputPointer::Null);
        }
        let length = match self.lengths {
            Lengths::Long if depth == 0 => LONG,
            Lengths::Long | Lengths::Short => 1 + self.random.below(4),
        };
        let mut elements: Vec<InputValue> =
            (0..length).map(|_| self.value(target, name, depth + 1, objects)).collect();
        // Text ends in a zero.
        let is_char = matches!(
            self.program.source_type(resolved),
            SourceType::Int { is_char: true, .. } | SourceType::Void
        );
        if is_char && let Some(last) = elements.last_mut() {
            if let InputValue::Bytes(bytes) = last {
                bytes.fill(0);
            } else {
                *last = InputValue::Int(Bits::zero(8));
            }
        }
        let is_taken = objects.iter().any(|object| object.name == name);
        let name = if is_taken { format!("{name}{}", objects.len()) } else { name.to_owned() };
        let element_type = target;
        objects.push(InputObject {
            name,
            element_type,
            length,
            extra_bytes: 0,
            elements,
            stream: None,
        });
        InputValue::Pointer(InputPointer::Object { object: objects.len() - 1, offset: 0 })
    }
}
