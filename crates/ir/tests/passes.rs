//! Each pass on a small program: the text that goes in and the text that comes out.

use glassbox_ir::PointerSize;
use glassbox_ir::compact::compact;
use glassbox_ir::overflow::{self, OverflowMode};
use glassbox_ir::promote::promote_locals;
use glassbox_ir::simplify_cfg::simplify_cfg;
use glassbox_ir::stand_in::add_stand_ins;
use glassbox_ir::text::{parse_program, print_program};
use glassbox_ir::verify::verify_program;
use glassbox_ir::{Body, Program};

/// Stands before the functions of every program here.
const HEAD: &str = "language c
file0 = \"a.c\"
type0 = int \"int\" 32 signed
";

#[track_caller]
fn becomes(before: &str, pass: impl Fn(&mut Program), after: &str) {
    let mut program = match parse_program(&format!("{HEAD}{before}")) {
        Ok(program) => program,
        Err(error) => panic!("the text should parse: {error}"),
    };
    assert_eq!(verify_program(&program), []);
    pass(&mut program);
    assert_eq!(verify_program(&program), []);
    let printed = print_program(&program);
    let printed = printed.strip_prefix(HEAD).expect("the head should stay");
    assert_eq!(printed, after, "found:\n{printed}");
}

fn on_bodies(pass: fn(&mut Body)) -> impl Fn(&mut Program) {
    move |program| {
        let bodies = program.functions.iter_mut().filter_map(|function| function.body.as_mut());
        bodies.for_each(pass);
    }
}

#[test]
fn compact_drops_what_is_not_used_and_keeps_effects() {
    becomes(
        "fn0 = \"other\" external () -> i32 type0
fn1 = \"f\" external (ptr type0 \"p\", i32 type0 \"x\") -> i32 type0 {
b0(%0: ptr, %1: i32):
  %2: i32 = add %1, 1:i32
  %3: i32 = mul %2, %2
  check readable %0, 4:i64
  %4: i32 = load %0
  %5: i32 = load.volatile %0
  %6: i32 = call fn0 () fixed 0
  %7: i32 = sub %1, 1:i32
  return %7
}
",
        on_bodies(compact),
        "fn0 = \"other\" external () -> i32 type0
fn1 = \"f\" external (ptr type0 \"p\", i32 type0 \"x\") -> i32 type0 {
b0(%0: ptr, %1: i32):
  check readable %0, 4:i64
  %2: i32 = load.volatile %0
  %3: i32 = call fn0 () fixed 0
  %4: i32 = sub %1, 1:i32
  return %4
}
",
    );
}

/// An addition and a division that may overflow.
const SUMS: &str = "fn0 = \"f\" external (i32 type0 \"x\", i32 type0 \"y\") -> i32 type0 {
b0(%0: i32, %1: i32):
  %2: i1 = overflows.add.signed %0, %1
  %3: i1 = not %2
  check signed-overflow %3 values %0, %1
  %4: i32 = add %0, %1
  %5: i1 = cmp.ne %1, 4294967295:i32
  check signed-overflow %5 values %4, %1
  %6: i32 = sdiv %4, %1
  return %6
}
";

#[test]
fn overflow_that_wraps_has_no_check_except_before_a_division() {
    let after = SUMS.replace("  check signed-overflow %3 values %0, %1\n", "");
    becomes(SUMS, |program| overflow::apply(program, OverflowMode::Wrap), &after);
}

#[test]
fn overflow_that_is_rejected_becomes_an_assumption() {
    let after = SUMS
        .replace("check signed-overflow %3 values %0, %1", "assume %3")
        .replace("check signed-overflow %5 values %4, %1", "assume %5");
    becomes(SUMS, |program| overflow::apply(program, OverflowMode::Reject), &after);
}

#[test]
fn a_variable_of_two_branches_becomes_a_block_parameter_and_an_escaping_one_stays() {
    becomes(
        "fn0 = \"take\" external (ptr type0 \"p\") -> void type0
fn1 = \"f\" external (i1 type0 \"c\") -> i32 type0 {
  local0 = \"x\" type0 size 4 align 4
  local1 = \"y\" type0 size 4 align 4
b0(%0: i1):
  local_start local0
  local_start local1
  %1: ptr = local_addr local0
  %2: ptr = local_addr local1
  store %2, 7:i32
  call fn0 (%2) fixed 1
  branch %0, b1(), b2()
b1():
  store %1, 1:i32
  jump b3()
b2():
  store %1, 2:i32
  jump b3()
b3():
  check readable %1, 4:i64
  %3: i32 = load %1
  %4: i32 = load %2
  %5: i32 = add %3, %4
  return %5
}
",
        on_bodies(|body| promote_locals(body, PointerSize::Eight)),
        "fn0 = \"take\" external (ptr type0 \"p\") -> void type0
fn1 = \"f\" external (i1 type0 \"c\") -> i32 type0 {
  local0 = \"y\" type0 size 4 align 4
b0(%0: i1):
  local_start local0
  %1: ptr = local_addr local0
  store %1, 7:i32
  call fn0 (%1) fixed 1
  branch %0, b1(), b2()
b1():
  jump b3(1:i32)
b2():
  jump b3(2:i32)
b3(%2: i32):
  %3: i32 = load %1
  %4: i32 = add %2, %3
  return %4
}
",
    );
}

#[test]
fn empty_blocks_go_chains_merge_and_dead_statements_stay() {
    becomes(
        "fn0 = \"f\" external (i1 type0 \"c\") -> i32 type0 {
b0(%0: i1):
  branch %0, b1(), b4()
b1():
  jump b2()
b2():
  %1: i32 = add 1:i32, 2:i32
  jump b3()
b3():
  return %1
b4():
  unreachable
b5():
  mark statement @0:3:1-3:9
  jump b3()
b6():
  jump b3()
}
",
        on_bodies(simplify_cfg),
        "fn0 = \"f\" external (i1 type0 \"c\") -> i32 type0 {
b0(%0: i1):
  branch %0, b1(), b2()
b1():
  %1: i32 = add 1:i32, 2:i32
  return %1
b2():
  unreachable
b3():
  mark statement @0:3:1-3:9
  unreachable
}
",
    );
}

#[test]
fn a_pointer_to_a_function_gets_two_stand_ins() {
    becomes(
        "type1 = function type0 (type0)
type2 = pointer type1
fn0 = \"apply\" external (ptr type2 \"step\") -> i32 type0 @0:1:5-1:10
fn1 = \"puts\" external (ptr type2 \"step\") -> i32 type0 origin system
",
        add_stand_ins,
        "type1 = function type0 (type0)
type2 = pointer type1
fn0 = \"apply\" external (ptr type2 \"step\") -> i32 type0 @0:1:5-1:10
fn1 = \"puts\" external (ptr type2 \"step\") -> i32 type0 origin system
fn2 = \"step_stub\" internal (i32 type0 \"p0\") -> i32 type0 origin stand_in
fn3 = \"step_stub2\" internal (i32 type0 \"p0\") -> i32 type0 origin stand_in
",
    );
}

#[test]
fn origins_are_printed_and_read() {
    let text = "language java
file0 = \"<jdk>\" model
file1 = \"/usr/include/stdio.h\" system
file2 = \"a.c\"
type0 = int \"int\" 32 signed
class0 = \"A\" field0
field0 = class0 \"count\" i32 type0 static
global0 = \"A.count\" static_field field0 internal type0 size 4 align 4
global1 = \"errno\" library_state internal type0 size 4 align 4 init \"\"
global2 = \"clock\" runtime internal type0 size 4 align 4
fn0 = \"user\" external () -> void type0
fn1 = \"puts\" external () -> void type0 origin system
fn2 = \"strlen\" external () -> void type0 origin library_model
fn3 = \"call_user\" internal () -> void type0 origin harness fn0
fn4 = \"before_user\" internal () -> i32 type0 origin requirement fn0
fn5 = \"after_user\" internal () -> i32 type0 origin promise fn0
fn6 = \"step_stub\" internal () -> i32 type0 origin stand_in
fn7 = \"throw\" internal () -> i32 type0 origin runtime
";
    let program = parse_program(text).expect("the text is right");
    assert_eq!(print_program(&program), text);
}
