//! Types, layout, constants and initializers against gcc: the bytes of static variables agree.

mod image;

use std::fmt::Write as _;

use glassbox_testkit::Random;
use image::{check_against_gcc, check_text, gcc_images, images};

#[test]
fn sizes_and_alignments() {
    let mut text = String::from(
        "enum small { A, B }; enum neg { N = -1 }; enum big { G = 0x100000000 };
         enum top { T = 0xffffffff }; enum wide { W = -1, X = 0x80000000 };
         enum __attribute__((packed)) tiny { Y }; enum __attribute__((packed)) tiny2 { Z = -200 };
         typedef int v3[3]; typedef struct { char c; } C; union U { int i; char c[5]; double d; };
         struct F { int n; char tail[]; }; struct P { char c; int i; } __attribute__((packed));
         struct AL { char c; } __attribute__((aligned(32))); struct E {};
         struct anon { struct { int a; char b; }; union { short s; long l; }; };
         typedef int al16 __attribute__((aligned(16))); struct AM { char c; al16 i; char d; };
         struct MA { char c; int i __attribute__((aligned(16))); _Alignas(8) char d; };
         struct PM { char c; int i __attribute__((packed)); short s; };\n",
    );
    let types = [
        "char",
        "signed char",
        "_Bool",
        "short",
        "unsigned",
        "long",
        "long long",
        "__int128",
        "float",
        "double",
        "long double",
        "_Complex float",
        "double _Complex",
        "void *",
        "int (*)(void)",
        "int[3]",
        "v3[2]",
        "enum small",
        "enum neg",
        "enum big",
        "enum top",
        "enum wide",
        "enum tiny",
        "enum tiny2",
        "C",
        "union U",
        "struct F",
        "struct P",
        "struct AL",
        "struct E",
        "struct anon",
        "struct AM",
        "struct MA",
        "struct PM",
        "typeof(1 ? 1 : 2.0f)",
        "typeof(A)",
        "typeof(G)",
        "typeof(T)",
        "typeof(X)",
        "typeof('a')",
        "typeof(L'a')",
        "typeof(u'a')",
        "typeof(U'a')",
        "typeof(\"abc\")",
        "typeof(L\"abc\")",
        "typeof(u\"abc\")",
        "typeof(u8\"abc\")",
        "typeof(sizeof 1)",
        "typeof((char)1 + (char)1)",
        "typeof(~(unsigned char)1)",
        "typeof(1u + 1l)",
        "typeof(1ull + 1)",
        "typeof(&(int[2]){1})",
        "typeof(*(int(*)[4])0)",
        "typeof((short)1 << 1l)",
        "typeof(0 ? (void *)0 : (int *)0)",
        "typeof(*(1 ? (int *)0 : (void *)0))",
        "__builtin_va_list",
    ];
    for (index, ty) in types.iter().enumerate() {
        let _ = writeln!(text, "unsigned long s{index} = sizeof({ty});");
        let _ = writeln!(text, "unsigned long a{index} = _Alignof({ty});");
    }
    for (index, constant) in ["A", "G", "T", "X", "W", "Z"].iter().enumerate() {
        let _ = writeln!(text, "int sign{index} = ((typeof({constant}))-1 < 0);");
    }
    for (index, ty) in ["small", "neg", "big", "top", "wide", "tiny", "tiny2"].iter().enumerate() {
        let _ = writeln!(text, "int esign{index} = ((enum {ty})-1 < 0);");
    }
    check_against_gcc(&text);
}

#[test]
fn literals() {
    let literals = [
        "0",
        "2147483647",
        "2147483648",
        "4294967295",
        "0x7fffffff",
        "0x80000000",
        "0xffffffffu",
        "0x8000000000000000",
        "9223372036854775807",
        "017",
        "0b1011",
        "0XABCl",
        "1LLU",
        "5lu",
        "1e3",
        "1.5f",
        ".5",
        "1.",
        "0x1.8p3",
        "0x.8p-2f",
        "1e-400",
        "0.1",
        "0.1f",
        "1e39f",
        "3.4028235e38f",
        "'a'",
        "'\\n'",
        "'\\xff'",
        "'\\377'",
        "'ab'",
        "'\\''",
        "L'\\x1234'",
        "u'\u{20ac}'",
        "U'\u{1f600}'",
        "'\\u00e9'",
        "L'\u{e9}'",
        "'\\0'",
        "'abcd'",
        "'\\e'",
    ];
    let mut text = String::new();
    for (index, literal) in literals.iter().enumerate() {
        let _ = writeln!(text, "typeof({literal}) v{index} = {literal};");
        let _ = writeln!(text, "int g{index} = ((typeof({literal}))-1 < 0);");
    }
    let strings = [
        "\"plain\"",
        "\"a\" \"b\\0c\"",
        "u8\"\u{e9}\\u20ac\"",
        "\"\\x41\\101\\e\"",
        "\"\u{20ac}\"",
    ];
    for (index, string) in strings.iter().enumerate() {
        let _ = writeln!(text, "char c{index}[] = {string}; char d{index}[3] = {string};");
    }
    text.push_str("int w0[] = L\"a\u{20ac}\\x12345\"; unsigned short w1[] = u\"\u{1f600}z\";\n");
    text.push_str("unsigned w2[] = U\"\u{1f600}\" \"b\"; const char func[] = {\"braced\"};\n");
    check_against_gcc(&text);
}

#[test]
fn initializers() {
    check_against_gcc(
        r#"
struct P { int x, y; }; struct L { struct P a, b; char name[4]; int tail; };
struct B { unsigned a : 3; int b : 5; unsigned : 0; unsigned char c : 2, d : 7; long e : 40; _Bool f : 1; };
union U { char c; int i; struct P p; };
struct N { struct { int q; union { short s; long l; }; }; int z; };
int a0[] = {1, 2, 3}; int a1[5] = {[3] = 7, 8}; int a2[] = {[2] = 1, [0] = 5, 6, [5] = 9};
int m0[2][3] = {1, 2, 3, 4}; int m1[2][3] = {{1}, {4, 5}}; int m2[][2] = {1, 2, 3}; int m3[2][2][2] = {[1][0] = {9, 8}, 7};
struct L l0 = {1, 2, 3, 4, "abc", 5}; struct L l1 = {{1}, {2, 3}, {'x'}, .tail = 9};
struct L l2 = {.b.y = 4, "zz", .a = {.y = 1}, 7}; struct L l3[] = {{.tail = 1}, [2] = {.a.x = 3, 4, 5}};
struct B b0 = {5, -3, 3, 100, -5, 1}; struct B b1 = {.e = 0x123456789, .d = 1}; struct B b2[2] = {1, 2, 3, 4, 5, 1, 6, 7};
union U u0 = {300}; union U u1 = {.p = {1, 2}}; union U u2[2] = {{.i = 5}, {'q'}};
struct N n0 = {1, 2, 3}; struct N n1 = {.l = -1, .z = 4}; struct N n2 = {{5, {.s = 6}}, 7};
int r0[10] = {[2 ... 5] = 3, [4] = 9, 1}; int r1[4][3] = {[1 ... 2] = {4, 5}}; struct P r2[6] = {[0 ... 3] = {1, 2}, [2].y = 7};
char s0[] = "hey", s1[2] = "hey", s2[6] = {"hey"}, s3[2][4] = {"abcd", {'x', 'y'}}, *s4 = 0;
_Bool t0 = 3, t1 = 0.5, t2 = 0.0; float f0 = 1.0 / 3; double f1 = 1.0f / 3; char c0 = 300; unsigned char c1 = -1;
long p0 = (long)&((struct L *)0)->tail; unsigned long p1 = __builtin_offsetof(struct L, b.y) + __builtin_offsetof(struct L, name[2]);
int e0[0] = {}; struct P e1 = {}; struct { int n; struct {} e; int m; } e2 = {1, {}, 2}; int x0 = {5}, x1 = {{6}};
struct G { int a; int b; } g0 = {b: 2, a: 1}; int g1[3] = {[1] 5};
long d0 = &a0[2] - &a0[0]; int d1 = &a0[1] == &a0[1], d2 = &a0 != 0; int sc = "hello"[1]; const int k = 7; int kk = k + 1;
__int128 i0 = (__int128)1 << 100, i1 = -5; unsigned __int128 i2 = ~(unsigned __int128)0 / 3;
struct { char c; struct P p; } cl = {'c', {1, 2}}; int arr[] = (int[]){1, 2, 3}; int *address = &arr[1]; int scalar = (int){5}; double folded = __builtin_sqrt(2.0) + __builtin_fabs(-1.5); unsigned long len = __builtin_strlen("four" + 1);
struct L fl = (struct L){.tail = 4, .a = {1, 2}}; struct P fp[2] = {[0 ... 1] = (struct P){.y = 3}};
"#,
    );
}

/// A random constant expression of arithmetic type.
fn expression(random: &mut Random, depth: u32) -> String {
    let leaves = [
        "0",
        "1",
        "7",
        "-1",
        "'z'",
        "0x7fffffff",
        "0x80000000",
        "2147483648",
        "4294967295u",
        "3l",
        "5ul",
        "9ll",
        "0xffffffffffffffffull",
        "(char)200",
        "(short)-3",
        "(unsigned char)255",
        "(_Bool)4",
        "(unsigned short)65535",
        "(__int128)12",
        "(unsigned __int128)-7",
        "1.5",
        "2.5f",
        "-0.0",
        "1e10",
        "E0",
        "E1",
        "E2",
        "sizeof(int)",
        "(signed char)-128",
    ];
    let types = [
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "__int128",
        "unsigned __int128",
        "_Bool",
        "float",
        "double",
        "enum en",
    ];
    if depth == 0 || random.below(6) == 0 {
        return random.pick(&leaves).to_string();
    }
    let sub = |random: &mut Random| expression(random, depth - 1);
    match random.below(8) {
        0 => format!("({})({})", random.pick(&types), sub(random)),
        1 => format!("({}({}))", random.pick(&["-", "~", "!", "+"]), sub(random)),
        2 => format!("(({}) ? ({}) : ({}))", sub(random), sub(random), sub(random)),
        3 => {
            let ops = ["<", "<=", ">", ">=", "==", "!=", "&&", "||"];
            format!("(({}) {} ({}))", sub(random), random.pick(&ops), sub(random))
        }
        4 => format!("(({}) {} {})", sub(random), random.pick(&["<<", ">>"]), random.below(34)),
        _ => {
            let ops = ["+", "-", "*", "/", "%", "&", "|", "^"];
            format!("(({}) {} ({}))", sub(random), random.pick(&ops), sub(random))
        }
    }
}

/// Checks each expression alone; those that gcc would refuse too (division by zero, `~` of a float,
/// out-of-range float to integer) are left out and counted.
fn random_constants(seed: u64, count: usize, depth: u32) -> (String, usize) {
    let mut random = Random::new(seed);
    let mut text = String::from("enum en { E0, E1 = -5, E2 = 100 };\n");
    let mut kept = 0;
    for index in 0..count {
        let expression = expression(&mut random, depth);
        let line = format!("typeof({expression}) v{index} = {expression};\n");
        let checked = check_text(&format!("enum en {{ E0, E1 = -5, E2 = 100 }};\n{line}"));
        if checked.has_errors() {
            continue;
        }
        kept += 1;
        text.push_str(&line);
        let _ = writeln!(text, "int g{index} = ((typeof({expression}))-1 < 0);");
    }
    (text, kept)
}

#[test]
fn random_constant_expressions() {
    for seed in 0..3 {
        let (text, kept) = random_constants(seed, 700, 3);
        assert!(kept > 200, "most expressions should be usable, {kept} are");
        check_against_gcc(&text);
    }
}

/// A random struct or union with members `m0`, `m1`, …; gives its text and the names of bit-fields.
fn record(random: &mut Random, name: &str) -> (String, Vec<String>) {
    let types = [
        "char",
        "short",
        "int",
        "long",
        "unsigned char",
        "unsigned",
        "unsigned long",
        "_Bool",
        "long long",
    ];
    let widths = [8, 16, 32, 64, 8, 32, 64, 1, 64];
    let mut text = String::new();
    let mut bit_fields = Vec::new();
    for index in 0..1 + random.below(7) {
        let kind = random.below(types.len());
        let attribute = match random.below(12) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(8)))",
            2 => " __attribute__((aligned(2)))",
            _ => "",
        };
        match random.below(7) {
            0 => {
                let _ =
                    write!(text, "{} m{index}[{}]{attribute}; ", types[kind], 1 + random.below(3));
            }
            1 => {
                let _ = write!(text, "{} : {}; ", types[kind], random.below(widths[kind] + 1));
            }
            2 => {
                let _ = write!(text, "double m{index}{attribute}; ");
            }
            3 => {
                let _ = write!(text, "struct {{ char p{index}; int q{index} : 9; }} m{index}; ");
            }
            _ => {
                let width = 1 + random.below(widths[kind]);
                let _ = write!(text, "{} m{index} : {width}{attribute}; ", types[kind]);
                bit_fields.push(format!("m{index}"));
            }
        }
    }
    let whole = match random.below(6) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(16)))",
        2 => " __attribute__((packed, aligned(4)))",
        _ => "",
    };
    let word = if random.below(5) == 0 { "union" } else { "struct" };
    let pack = [1, 2, 4, 8, 0, 0, 0, 0][random.below(8)];
    let open = if pack > 0 { format!("\n#pragma pack(push, {pack})\n") } else { String::new() };
    let close = if pack > 0 { "\n#pragma pack(pop)\n" } else { "" };
    let text = format!("{open}typedef {word} {{ {text}}}{whole} {name};{close}\n");
    (text, bit_fields)
}

#[test]
fn random_record_layouts() {
    let mut random = Random::new(99);
    let mut text = String::new();
    for index in 0..250 {
        let name = format!("T{index}");
        let (definition, bit_fields) = record(&mut random, &name);
        text.push_str(&definition);
        let _ =
            writeln!(text, "unsigned long s{index} = sizeof({name}), a{index} = _Alignof({name});");
        let _ = writeln!(
            text,
            "struct {{ char c; {name} t; }} w{index}; unsigned long o{index} = sizeof w{index};"
        );
        for field in &bit_fields {
            let _ = writeln!(text, "{name} b{index}{field} = {{ .{field} = -1 }};");
        }
    }
    check_against_gcc(&text);
}

#[test]
fn tentative_definitions_and_static_locals() {
    let text = "int a; int a; int a = 5; extern int b[]; int b[3] = {1}; int c[];\n\
                static int d; int e = sizeof(b); static int d = 4; struct S; extern struct S s;\n\
                struct S { int x; }; struct S s = {3}; int *f(void) { static int k = 9; return &k; }\n";
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let ours = images(&checked.program);
    let names: Vec<&str> = ours.keys().map(String::as_str).filter(|&name| name != "c").collect();
    let theirs = gcc_images(text, &names);
    for name in names {
        assert_eq!(ours.get(name), theirs.get(name), "{name}");
    }
    assert_eq!(ours["c"], [0; 4], "an array without a length has one element");
}
