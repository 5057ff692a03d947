//! Values as bytes, type by type, and back.

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_testcase::image::{Image, ImagePointer, decode, encode, size_of};
use glassbox_testcase::{InputPointer, InputValue};

/// The value that these bytes are as the global `x`, and its own bytes, which are the same where nothing pads.
#[track_caller]
fn check(declaration: &str, bytes: &[u8], pointers: &[(u64, InputPointer)], expected: Expect) {
    let program = compile_text(declaration).program.expect("the case should compile");
    let global = program.global_ids().find(|&id| program.global(id).name == "x");
    let ty = program.global(global.expect("the case should declare x")).source_type;
    let mut image = Image::zeros(&program, size_of(&program, ty));
    assert_eq!(image.bytes.len(), bytes.len(), "the case should give all bytes");
    image.write(0, bytes);
    for &(offset, pointer) in pointers {
        image.set_pointer(offset, ImagePointer::Input(pointer));
    }
    let value = decode(&program, ty, &image, 0);
    let mut again = Image::zeros(&program, size_of(&program, ty));
    encode(&program, ty, &value, &mut again, 0);
    assert_eq!(decode(&program, ty, &again, 0), value, "it should mean the same again");
    let hex: String = again.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    expected.assert_eq(&format!("{}\n{hex}\n", show(&value)));
}

fn show(value: &InputValue) -> String {
    let list = |values: &[InputValue]| values.iter().map(show).collect::<Vec<_>>().join(", ");
    match value {
        InputValue::Int(bits) => format!("{}:{}", bits.signed(), bits.width()),
        InputValue::Float(float) => float.to_f64().to_string(),
        InputValue::Pointer(pointer) => format!("{pointer:?}"),
        InputValue::Struct(values) => format!("{{{}}}", list(values)),
        InputValue::Union { field, value } => format!("#{field} {}", show(value)),
        InputValue::Array(values) => format!("[{}]", list(values)),
        InputValue::Bytes(bytes) => format!("{bytes:?}"),
    }
}

#[test]
fn numbers_are_little_endian() {
    check(
        "int x;",
        &[0xfe, 0xff, 0xff, 0xff],
        &[],
        expect![[r#"
        -2:32
        feffffff
    "#]],
    );
    check(
        "unsigned short x;",
        &[1, 2],
        &[],
        expect![[r#"
        513:16
        0102
    "#]],
    );
    check(
        "_Bool x;",
        &[1],
        &[],
        expect![[r#"
        1:8
        01
    "#]],
    );
    check(
        "enum { A, B = 300 } x;",
        &[0x2c, 1, 0, 0],
        &[],
        expect![[r#"
        300:32
        2c010000
    "#]],
    );
    check(
        "float x;",
        &[0, 0, 0xc0, 0x3f],
        &[],
        expect![[r#"
        1.5
        0000c03f
    "#]],
    );
}

#[test]
fn padding_is_no_value() {
    check(
        "struct { char c; short s; } x;",
        &[1, 0xaa, 2, 0],
        &[],
        expect![[r#"
        {1:8, 2:16}
        01000200
    "#]],
    );
}

#[test]
fn bit_fields_share_bytes() {
    let declaration = "struct { unsigned a : 3; int b : 5; unsigned c : 9; } x;";
    check(
        declaration,
        &[0b1111_1010, 0x01, 0x01, 0],
        &[],
        expect![[r#"
        {2:3, -1:5, -255:9}
        fa010100
    "#]],
    );
}

#[test]
fn a_union_is_the_member_that_shows_most() {
    check(
        "union { char c; int i; } x;",
        &[7, 0, 0, 1],
        &[],
        expect![[r#"
        #1 16777223:32
        07000001
    "#]],
    );
    check(
        "union { char c[2]; short s; } x;",
        &[7, 0],
        &[],
        expect![[r#"
        #0 [7:8, 0:8]
        0700
    "#]],
    );
}

#[test]
fn arrays_of_arrays() {
    check(
        "short x[2][2];",
        &[1, 0, 2, 0, 3, 0, 0xff, 0xff],
        &[],
        expect![[r#"
        [[1:16, 2:16], [3:16, -1:16]]
        010002000300ffff
    "#]],
    );
}

#[test]
fn pointers_are_edges_not_bytes() {
    let to = InputPointer::Object { object: 1, offset: 4 };
    check(
        "struct { int *p; int n; } x;",
        &[0; 16],
        &[(0, to)],
        expect![[r#"
        {Object { object: 1, offset: 4 }, 0:32}
        00000000000000000000000000000000
    "#]],
    );
    check(
        "char *x;",
        &[0; 8],
        &[],
        expect![[r#"
        Null
        0000000000000000
    "#]],
    );
}
