//! Structures and unions against gcc: sizes, offsets, and bit-fields found by setting them.

use std::fmt::Write as _;

use glassbox_testkit::Random;
use glassbox_values::layout::{
    Aggregate, AggregateAttributes, BitField, Layout, LayoutBuilder, Member,
};

use crate::gcc::{Results, compile};

/// Types of members: C declaration with `$` for the name, size, alignment.
const PLAIN: [(&str, u64, u64); 12] = [
    ("char $", 1, 1),
    ("_Bool $", 1, 1),
    ("short $", 2, 2),
    ("int $", 4, 4),
    ("long $", 8, 8),
    ("double $", 8, 8),
    ("__int128 $", 16, 16),
    ("char $[3]", 3, 1),
    ("short $[5]", 10, 2),
    ("int16_aligned $", 4, 16),
    ("int2_aligned $", 4, 2),
    ("struct pair $", 8, 4),
];

/// Types of bit-fields: C type, size, alignment, largest width.
const UNITS: [(&str, u64, u64, u8); 12] = [
    ("signed char", 1, 1, 8),
    ("unsigned char", 1, 1, 8),
    ("short", 2, 2, 16),
    ("unsigned short", 2, 2, 16),
    ("int", 4, 4, 32),
    ("unsigned", 4, 4, 32),
    ("long", 8, 8, 64),
    ("unsigned long", 8, 8, 64),
    ("_Bool", 1, 1, 1),
    ("unsigned __int128", 16, 16, 128),
    ("int16_aligned", 4, 16, 32),
    ("long32_aligned", 8, 32, 64),
];

struct Case {
    aggregate: Aggregate,
    attributes: AggregateAttributes,
    members: Vec<Member>,
    text: String,
}

fn random_align(random: &mut Random, one_in: u64) -> Option<u64> {
    (random.below(one_in) == 0).then(|| 1 << random.below(6))
}

fn random_member(random: &mut Random, idx: usize) -> (Member, String) {
    let packed = random.below(10) == 0;
    let align = random_align(random, 10);
    let mut attributes = String::new();
    if packed {
        attributes += " __attribute__((packed))";
    }
    if let Some(align) = align {
        write!(attributes, " __attribute__((aligned({align})))").expect("strings should grow");
    }
    if random.below(5) < 2 {
        let (declaration, size, natural) = PLAIN[random.below(PLAIN.len() as u64) as usize];
        let text = declaration.replace('$', &format!("m{idx}"));
        let layout = Layout { size, align: natural };
        return (Member { layout, bit_field: None, packed, align }, text + &attributes + ";\n");
    }
    let (unit, size, natural, most) = UNITS[random.below(UNITS.len() as u64) as usize];
    let named = random.below(6) != 0;
    let width =
        if !named && random.below(2) == 0 { 0 } else { 1 + random.below(u64::from(most)) as u8 };
    let name = if named { format!("m{idx}") } else { String::new() };
    let layout = Layout { size, align: natural };
    let bit_field = Some(BitField { width, named });
    (Member { layout, bit_field, packed, align }, format!("{unit} {name}:{width}{attributes};\n"))
}

fn random_case(random: &mut Random, number: usize) -> Case {
    let aggregate = if random.below(5) == 0 { Aggregate::Union } else { Aggregate::Struct };
    let attributes = AggregateAttributes {
        packed: random.below(4) == 0,
        align: random_align(random, 5),
        max_member_align: random_align(random, 6).map(|align| align.min(16)),
        max_closing_align: None,
        aligns_unnamed_bits: false,
    };
    let keyword = match aggregate {
        Aggregate::Struct => "struct",
        Aggregate::Union => "union",
    };
    let mut text = format!("{keyword} T{number} {{\n");
    let mut members = Vec::new();
    for idx in 0..1 + random.below(7) as usize {
        let (member, line) = random_member(random, idx);
        members.push(member);
        text += &line;
    }
    text += "}";
    if attributes.packed {
        text += " __attribute__((packed))";
    }
    if let Some(align) = attributes.align {
        write!(text, " __attribute__((aligned({align})))").expect("strings should grow");
    }
    text += ";\n";
    if let Some(align) = attributes.max_member_align {
        text = format!("#pragma pack(push, {align})\n{text}#pragma pack(pop)\n");
    }
    Case { aggregate, attributes, members, text }
}

/// C statements that print size, alignment, and of each named member its first bit and size in bits.
fn probes(case: &Case, number: usize) -> String {
    let keyword = match case.aggregate {
        Aggregate::Struct => "struct",
        Aggregate::Union => "union",
    };
    let name = format!("{keyword} T{number}");
    let mut text = format!("static void probe{number}(void) {{ static {name} t;\n");
    text += &format!("o(sizeof({name})); o(_Alignof({name}));\n");
    for (idx, member) in case.members.iter().enumerate() {
        match member.bit_field {
            None => {
                text += &format!(
                    "o(8 * __builtin_offsetof({name}, m{idx})); o(8 * sizeof(t.m{idx}));\n"
                )
            }
            Some(BitField { named: false, .. }) => {}
            Some(BitField { named: true, .. }) => {
                text += &format!("memset(&t, 0, sizeof t); t.m{idx} = -1; find(&t, sizeof t);\n");
            }
        }
    }
    text + "}\n"
}

const PRELUDE: &str = r"
#include <stdio.h>
#include <string.h>
typedef int int16_aligned __attribute__((aligned(16)));
typedef long long32_aligned __attribute__((aligned(32)));
struct pair { char a; int b; };
typedef int int2_aligned __attribute__((aligned(2)));
static void o(unsigned __int128 x) { fwrite(&x, 16, 1, stdout); }
static void find(void *p, int n) {
  int first = -1, count = 0;
  for (int i = 0; i < 8 * n; i++) if (((unsigned char *)p)[i / 8] >> i % 8 & 1) { if (first < 0) first = i; count++; }
  o(first); o(count);
}
";

#[test]
fn random_structures_and_unions_lie_as_gcc_lays_them() {
    let mut random = Random::new(3);
    let cases: Vec<_> = (0..600).map(|number| random_case(&mut random, number)).collect();
    let mut source = PRELUDE.to_owned();
    let mut main = String::from("int main(void) {\n");
    for (number, case) in cases.iter().enumerate() {
        source += &case.text;
        source += &probes(case, number);
        main += &format!("probe{number}();\n");
    }
    source += &main;
    source += "return 0; }";
    let mut results = Results::new(compile(&source).run(b""));
    for case in &cases {
        let text = &case.text;
        let mut builder = LayoutBuilder::new(case.aggregate, case.attributes);
        let placements: Vec<_> = case
            .members
            .iter()
            .map(|member| builder.push(member).expect("a small structure should not be too large"))
            .collect();
        let whole = builder.finish().expect("a small structure should not be too large");
        let theirs = Layout { size: results.take() as u64, align: results.take() as u64 };
        assert_eq!(whole, theirs, "ours and gcc's size and alignment of\n{text}");
        for (idx, (member, placement)) in case.members.iter().zip(placements).enumerate() {
            let n_bits = match member.bit_field {
                Some(BitField { named: false, .. }) => continue,
                Some(bit_field) => u64::from(bit_field.width),
                None => 8 * member.layout.size,
            };
            let ours = (8 * placement.byte + u64::from(placement.bit), n_bits);
            let theirs = (results.take() as u64, results.take() as u64);
            assert_eq!(ours, theirs, "ours and gcc's first bit and bits of m{idx} in\n{text}");
        }
    }
    results.finish();
}
