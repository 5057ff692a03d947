//! Snippets: what the checker makes of an expression, its conversions and its types.

mod print;

use glassbox_c_front::front::{Checked, Front};
use glassbox_c_front::tree::StmtKind;
use print::Printer;

fn check_text(text: &str) -> Checked {
    let mut front = Front::new();
    front.add_unit("test.c", text.as_bytes().to_vec(), &mut |_| None);
    front.finish()
}

const PRELUDE: &str = "
struct S { int x; unsigned b : 3; int c : 9; long w : 40; struct { short in; }; int a[4]; };
enum E { ZERO, ONE }; typedef struct S T; struct S make(void); int take(char, double); int old();
extern int var(const char *, ...); _Bool flag; char c; short s; int i; unsigned u; long l; unsigned long ul;
float f; double d; int *p; const char *text; void *v; enum E e; struct S st, *ps; int arr[3]; int (*fp)(int);
long double ld; struct { unsigned long u : 40; } wide;
";

/// The tree of the last expression statement of a function.
#[track_caller]
fn tree_of(expression: &str) -> String {
    let text = format!("{PRELUDE} void test(int n, char **argv) {{ {expression}; }}");
    let checked = check_text(&text);
    let messages: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert_eq!(messages, Vec::<String>::new(), "{expression}");
    let id = checked.program.function_named("test").expect("the function");
    let body = checked.program.function(id).body.as_ref().expect("a body");
    let StmtKind::Block(statements) = &checked.program.stmt(body.body).kind else {
        panic!("a body should be a block");
    };
    let last = statements.last().expect("a statement");
    let printer = Printer { program: &checked.program };
    printer.show_stmt(*last, 0).trim().to_string()
}

#[track_caller]
fn check(expression: &str, expect: &str) {
    assert_eq!(tree_of(expression), expect, "{expression}");
}

#[test]
fn promotions_and_usual_conversions() {
    check("c + s", "(+:int (IntToInt:int (Load:char c)) (IntToInt:int (Load:short s)))");
    check("i + u", "(+:unsigned int (IntToInt:unsigned int (Load:int i)) (Load:unsigned int u))");
    check("u + l", "(+:long (IntToInt:long (Load:unsigned int u)) (Load:long l))");
    check(
        "ul * -1",
        "(*:unsigned long (Load:unsigned long ul) (IntToInt:unsigned long (neg:int 1:int)))",
    );
    check("f + i", "(+:float (Load:float f) (IntToFloat:float (Load:int i)))");
    check("f < d", "(<:int (FloatToFloat:double (Load:float f)) (Load:double d))");
    check("~c", "(not:int (IntToInt:int (Load:char c)))");
    check("+flag", "(IntToInt:int (Load:_Bool flag))");
    check("s << l", "(<<:int (IntToInt:int (Load:short s)) (Load:long l))");
    check("e + 1u", "(+:unsigned int (IntToInt:unsigned int (Load:enum E e)) 1:unsigned int)");
}

#[test]
fn bit_fields_promote_by_width() {
    check(
        "st.b + 1",
        "(+:int (IntToInt:int (Load:unsigned int (member:unsigned int st @4 bits 32+3))) 1:int)",
    );
    check(
        "st.b + 1u",
        "(+:unsigned int (Load:unsigned int (member:unsigned int st @4 bits 32+3)) 1:unsigned int)",
    );
    check(
        "ps->w + 1",
        "(+:long (Load:long (member:long (deref:struct S (Load:struct S * ps)) @8 bits 64+40)) 1:long)",
    );
    check(
        "st.b = -1",
        "(=:unsigned int (member:unsigned int st @4 bits 32+3) (IntToInt:unsigned int (neg:int 1:int)))",
    );
}

#[test]
fn pointers() {
    check("arr[i]", "(Load:int (deref:int (ptr+:int * (ArrayDecay:int * arr) (Load:int i))))");
    check("2[p]", "(Load:int (deref:int (ptr+:int * (Load:int * p) 2:int)))");
    check("p - arr", "(ptrdiff:long (Load:int * p) (ArrayDecay:int * arr))");
    check("p == 0", "(==:int (Load:int * p) (NullToPointer:int * 0:int))");
    check("p == v", "(==:int (Load:int * p) (PointerToPointer:int * (Load:void * v)))");
    check("v = p", "(=:void * v (PointerToPointer:void * (Load:int * p)))");
    check(
        "p = n ? p : 0",
        "(=:int * p (?:int * (Load:int n) (Load:int * p) (NullToPointer:int * 0:int)))",
    );
    check("&arr", "(&:int (*)[3] arr)");
    check("&arr[1]", "(&:int * (deref:int (ptr+:int * (ArrayDecay:int * arr) 1:int)))");
    check("p += s", "(ptr+=:int * p (IntToInt:int (Load:short s)))");
    check("*p++", "(Load:int (deref:int (_++<int *>:int * p)))");
    check("!p", "(!:int (Load:int * p))");
    check("v + 1", "(ptr+:void * (Load:void * v) 1:int)");
}

#[test]
fn assignments_convert() {
    check("c = 300", "(=:char c 44:char)");
    check("flag = d", "(=:_Bool flag (ToBool:_Bool (Load:double d)))");
    check("i = d", "(=:int i (FloatToInt:int (Load:double d)))");
    check("c += d", "(+=<double>:char c (Load:double d))");
    check("c <<= l", "(<<=<int>:char c (Load:long l))");
    check("u -= 1l", "(-=<long>:unsigned int u 1:long)");
    check("c++", "(_++<int>:char c)");
    check("--d", "(--_<double>:double d)");
    check("e = 1", "(=:enum E e 1:enum E)");
    check("st = make()", "(=:struct S st (call:struct S make))");
}

#[test]
fn calls() {
    check("take(1, i)", "(call:int take 1:char (IntToFloat:double (Load:int i)))");
    check(
        "var(\"x\", c, f)",
        "(call:int var (PointerToPointer:const char * (ArrayDecay:char * \"x\\0\")) (IntToInt:int (Load:char c)) (FloatToFloat:double (Load:float f)))",
    );
    check(
        "old(c, f)",
        "(call:int old (IntToInt:int (Load:char c)) (FloatToFloat:double (Load:float f)))",
    );
    check("fp(1)", "(call:int (Load:int (*)(int) fp) 1:int)");
    check("(*fp)(1)", "(call:int (Load:int (*)(int) fp) 1:int)");
    check("(***old)(1)", "(call:int old 1:int)");
    check("make().x", "(member:int (call:struct S make) @0)");
    check(
        "make().a[1]",
        "(Load:int (deref:int (ptr+:int * (ArrayDecay:int * (member:int [4] (call:struct S make) @16)) 1:int)))",
    );
}

#[test]
fn decisions_keep_their_structure() {
    check("i && p || !d", "(||:int (&&:int (Load:int i) (Load:int * p)) (!:int (Load:double d)))");
    check("i ? 1 : 2l", "(?:long (Load:int i) 1:long 2:long)");
    check("i ?: 2l", "(?:long (Load:int i) (IntToInt:long (reuse:int)) 2:long)");
    check("i ? (void)0 : (void)i", "(?:void (Load:int i) (ToVoid:void 0:int) (ToVoid:void i))");
    check(
        "if (c) i = 1; else i = 2",
        "if (Load:char c)\n  (=:int i 1:int)\nelse\n  (=:int i 2:int)",
    );
}

#[test]
fn folded_away() {
    check("sizeof st + _Alignof(double)", "(+:unsigned long 32:unsigned long 8:unsigned long)");
    check("__builtin_offsetof(T, in)", "14:unsigned long");
    check("_Generic(c, char: 1, int: 2)", "1:int");
    check("__builtin_expect(i > 3, 0)", "(IntToInt:long (>:int (Load:int i) 3:int))");
    check("__builtin_constant_p(i)", "0:int");
    check("__builtin_choose_expr(0, text, i)", "(Load:int i)");
    check("ONE", "1:int");
    check("sizeof(\"abc\")", "4:unsigned long");
    check("__builtin_strlen(text)", "(call:unsigned long strlen (Load:const char * text))");
    check("__builtin_clzl(i)", "(Count(LeadingZeros):int (IntToInt:unsigned long (Load:int i)))");
    check(
        "__builtin_add_overflow(c, l, &i)",
        "(Overflow(Add):_Bool (Load:char c) (Load:long l) (&:int * i))",
    );
}

#[test]
fn statement_expressions_and_literals() {
    check("i = ({ int t = 1; t; })", "(=:int i (block:int declare t: int = 1:int (Load:int t)))");
    check(
        "ps = &(T){.x = n}",
        "(=:struct S * ps (&:struct S * (literal:struct S {@0 (Load:int n)})))",
    );
    check("int a[] = {[2] = i}", "declare a: int [3] = {@8 (Load:int i)}");
    check("char a[5] = \"hi\"", "declare a: char [5] = {@0 \"hi\\0\"}");
    check("T copy = st", "declare copy: struct S = (Load:struct S st)");
    check("int a[4] = {[0 ... 2] = i}", "declare a: int [4] = {@0 x3/4 (Load:int i)}");
    check(
        "sizeof(int[n])",
        "(lengths:unsigned long (*:unsigned long 4:unsigned long (Load:unsigned long <unnamed>)))",
    );
}

#[test]
fn wide_unsigned_bit_fields_do_not_wrap_in_64_bits() {
    let odd = "(unsupported[arithmetic in the width of a wide bit-field]:unsigned long)";
    check("wide.u + 1", odd);
    check("~wide.u", odd);
    check("wide.u << 3", odd);
    check(
        "wide.u += 1",
        "(+=<unsigned long>:unsigned long (member:unsigned long wide @0 bits 0+40) 1:unsigned long)",
    );
    check(
        "wide.u + 1l",
        "(+:unsigned long (Load:unsigned long (member:unsigned long wide @0 bits 0+40)) 1:unsigned long)",
    );
    check(
        "wide.u >> 3",
        "(>>:unsigned long (Load:unsigned long (member:unsigned long wide @0 bits 0+40)) 3:int)",
    );
}

#[test]
fn unsupported_is_local() {
    check("ld + 1", "(unsupported[a value of an extended floating type]:long double)");
    check("i = ld > 0", "(=:int i (unsupported[a value of an extended floating type]:int))");
    check("__asm__(\"nop\" : \"=r\"(i))", "unsupported[inline assembly]");
    check("__asm__ volatile(\"\" ::: \"memory\")", ";");
    check(
        "__builtin_frame_address(0)",
        "(unsupported[the builtin `__builtin_frame_address`]:void *)",
    );
}
