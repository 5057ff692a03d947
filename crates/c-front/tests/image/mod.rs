//! The initial memory of a checked program's static variables, and the same from gcc.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use glassbox_c_front::front::{Checked, Front};
use glassbox_c_front::tree::{
    Constant, Init, InitItem, InitValue, Linkage, Program, Storage, VariableId, VariableRole,
};
use glassbox_c_front::ty::kind::TypeId;
use glassbox_testkit::gcc::Compiled;

/// Checks text that needs no preprocessing.
pub(crate) fn check_text(text: &str) -> Checked {
    let mut front = Front::new();
    front.add_unit("test.c", text.as_bytes().to_vec(), &mut |_| None);
    front.finish()
}

/// Name and bytes of every defined static variable without addresses in it.
pub(crate) fn images(program: &Program) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    for id in program.variable_ids() {
        let variable = program.variable(id);
        let is_named = variable.role == VariableRole::Named;
        let visible = variable.linkage != Linkage::None && variable.is_defined && is_named;
        if variable.storage == Storage::Static
            && visible
            && let Some(bytes) = image(program, id)
        {
            out.insert(program.name(variable.name).to_string(), bytes);
        }
    }
    out
}

fn image(program: &Program, id: VariableId) -> Option<Vec<u8>> {
    let variable = program.variable(id);
    let size = usize::try_from(program.types.size_of(variable.ty)?).ok()?;
    let mut bytes = vec![0; size];
    match &variable.init {
        None => {}
        Some(Init::Value(value)) => {
            store(program, &mut bytes, 0, variable.ty, None, value)?;
        }
        Some(Init::Items(items)) => {
            for item in items {
                repeat(program, &mut bytes, item, item.offset, 0)?;
            }
        }
    }
    Some(bytes)
}

fn repeat(
    program: &Program,
    bytes: &mut [u8],
    item: &InitItem,
    offset: u64,
    level: usize,
) -> Option<()> {
    let Some(range) = item.repeats.get(level) else {
        let at = usize::try_from(offset).ok()?;
        return store(program, bytes, at, item.ty, item.bits, &item.value);
    };
    for index in 0..range.count {
        repeat(program, bytes, item, offset + index * range.stride, level + 1)?;
    }
    Some(())
}

fn store(
    program: &Program,
    bytes: &mut [u8],
    at: usize,
    ty: TypeId,
    bits: Option<glassbox_c_front::ty::record::BitField>,
    value: &InitValue,
) -> Option<()> {
    let size = usize::try_from(program.types.size_of(ty)?).ok()?;
    match value {
        InitValue::Constant(Constant::Int(value)) => {
            if let Some(field) = bits {
                for bit in 0..u64::from(field.width) {
                    let to = field.bit_offset + bit;
                    let byte = at + usize::try_from(to / 8).ok()?;
                    let mask = 1u8 << (to % 8);
                    if value.unsigned() >> bit & 1 == 1 {
                        bytes[byte] |= mask;
                    } else {
                        bytes[byte] &= !mask;
                    }
                }
                return Some(());
            }
            let raw = value.unsigned().to_le_bytes();
            bytes[at..at + size].copy_from_slice(&raw[..size]);
        }
        InitValue::Constant(Constant::Float(value)) => {
            bytes[at..at + size].copy_from_slice(&value.to_bits().to_le_bytes()[..size]);
        }
        InitValue::String(id) => {
            let text = &program.string(*id).bytes;
            bytes[at..at + size].fill(0);
            let length = size.min(text.len());
            bytes[at..at + length].copy_from_slice(&text[..length]);
        }
        InitValue::Constant(Constant::Address { .. })
        | InitValue::Expr(_)
        | InitValue::Unsupported(_) => return None,
    }
    Some(())
}

/// Compiles `text` with gcc together with a `main` that prints the bytes of `names`.
pub(crate) fn gcc_images(text: &str, names: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut program = String::from("extern int printf(const char *, ...);\n");
    program.push_str(text);
    program.push_str(
        "\nstatic void dump(const char *name, const void *p, unsigned long n) {\n  \
         printf(\"%s \", name);\n  \
         for (unsigned long i = 0; i < n; i++) printf(\"%02x\", ((const unsigned char *)p)[i]);\n  \
         printf(\"\\n\");\n}\nint main(void) {\n",
    );
    for name in names {
        let _ = writeln!(program, "  dump(\"{name}\", (const void *)&{name}, sizeof {name});");
    }
    program.push_str("  return 0;\n}\n");
    let output = Compiled::new(&program, &["-O0"]).run(b"");
    let text = String::from_utf8(output).expect("hex digits");
    text.lines()
        .filter_map(|line| {
            let (name, hex) = line.split_once(' ')?;
            let digit = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok();
            let bytes = (0..hex.len() / 2).map(digit).collect::<Option<Vec<u8>>>()?;
            Some((name.to_string(), bytes))
        })
        .collect()
}

/// Asserts that every variable of `text` has the content that gcc gives it.
#[track_caller]
pub(crate) fn check_against_gcc(text: &str) {
    let checked = check_text(text);
    let messages: Vec<String> = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|d| {
            format!("{} in `{}`", d.message(), checked.sources.snippet(d.span.unwrap_or_default()))
        })
        .collect();
    assert!(messages.is_empty(), "{messages:?}");
    let ours = images(&checked.program);
    assert!(!ours.is_empty(), "there should be something to compare");
    let names: Vec<&str> = ours.keys().map(String::as_str).collect();
    let theirs = gcc_images(text, &names);
    for (name, bytes) in &ours {
        let line = text.lines().find(|line| line.contains(name.as_str())).unwrap_or("");
        assert_eq!(Some(bytes), theirs.get(name), "{name}: {line}");
    }
}
