//! Literals and names in Java, one construct at a time.

use expect_test::{Expect, expect};
use glassbox_emit::java_imports::Imports;
use glassbox_emit::java_literal::{character, float, param_type, string};
use glassbox_values::{Float, Format};

#[track_caller]
fn check(lines: impl IntoIterator<Item = String>, expected: Expect) {
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    expected.assert_eq(&text);
}

#[test]
fn floats_of_both_sizes() {
    let doubles = [0.0, -0.0, 0.1, 1e300, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    check(
        doubles.map(|number| float(Float::from_f64(number))),
        expect![[r#"
        0.0
        -0.0
        0.1
        1e300
        5e-324
        Double.NaN
        Double.POSITIVE_INFINITY
        Double.NEGATIVE_INFINITY
    "#]],
    );
    let floats = [0.1f32, -1.5, f32::MAX, f32::NAN, f32::NEG_INFINITY];
    let of = |number: f32| float(Float::from_bits(number.to_bits().into(), Format::F32));
    check(
        floats.map(of),
        expect![[r#"
        0.1f
        -1.5f
        3.4028235e38f
        Float.NaN
        Float.NEGATIVE_INFINITY
    "#]],
    );
}

#[test]
fn strings_and_characters() {
    let texts = ["", "say \"hi\"", "back\\slash", "tab\tline\n", "\u{20ac}", "\u{0}1"];
    check(
        texts.map(|text| string(&text.encode_utf16().collect::<Vec<u16>>())),
        expect![[r#"
        ""
        "say \"hi\""
        "back\\slash"
        "tab\tline\n"
        "\u20ac"
        "\0001"
    "#]],
    );
    // Half of a pair has no character, only a number.
    check(
        [u16::from(b'a'), u16::from(b'\''), 10, 0x20ac, 0xd800].map(character),
        expect![[r#"
        'a'
        '\''
        '\n'
        '\u20ac'
        '\ud800'
    "#]],
    );
}

#[test]
fn parameter_types_come_from_descriptors() {
    let types = (0..5).map(|at| format!("{:?}", param_type("(I[JLjava/util/List;Z)V", at)));
    check(
        types,
        expect![[r#"
        None
        None
        Some("java.util.List")
        None
        None
    "#]],
    );
}

#[test]
fn classes_are_imported_unless_names_clash() {
    let mut imports = Imports::new(["Date"].into_iter());
    let names = ["java.util.List", "java.util.Date", "java.awt.List", "java.lang.String"];
    let used: Vec<String> = names.iter().map(|name| imports.name(name)).collect();
    check(
        used.into_iter().chain([imports.lines()]),
        expect![[r#"
        List
        java.util.Date
        java.awt.List
        java.lang.String
        import java.util.List;

    "#]],
    );
}
