//! Where C leaves open what a path takes for granted, the path says so.

use glassbox_c_front::compile::compile_text;
use glassbox_ir::{BlockId, FuncId};
use glassbox_model::{Alternative, ChoiceKind, ChoicePoint, Config, Guide, Inputs, execute};
use glassbox_terms::{Evaluator, Model, TermId, Terms, Value};
use glassbox_testcase::Assumption;

/// The first input pointer has memory of its own, the others this of their possible referents, or the last one;
/// elsewhere the first way is taken.
struct Fixed {
    referent: usize,
    n_pointers: usize,
}

impl Guide for Fixed {
    fn choose(
        &mut self,
        _: &mut Terms,
        point: &ChoicePoint,
        alternatives: &[Alternative],
    ) -> Option<usize> {
        match point.kind {
            ChoiceKind::Pointer => {
                self.n_pointers += 1;
                let referent = if self.n_pointers == 1 { 0 } else { self.referent };
                Some(referent.min(alternatives.len() - 1))
            }
            ChoiceKind::Branch
            | ChoiceKind::Check(_)
            | ChoiceKind::Callee
            | ChoiceKind::Allocation
            | ChoiceKind::Value
            | ChoiceKind::Read => Some(0),
        }
    }

    fn assume(&mut self, _: &mut Terms, _: TermId) -> bool {
        true
    }

    fn suggest(&mut self, terms: &mut Terms, term: TermId) -> Value {
        Evaluator::new().under(terms, &Model::new()).value(term).clone()
    }

    fn edge(&mut self, _: FuncId, _: BlockId, _: u32) {}
}

/// What two paths of `f` take for granted.
fn assumed(text: &str) -> Vec<Assumption> {
    let program = compile_text(text).program.expect("it should compile");
    let function = program.function_named("f").expect("the function is there");
    let (mut terms, mut inputs) = (Terms::new(), Inputs::default());
    let mut found = Vec::new();
    for referent in [0, usize::MAX] {
        let mut guide = Fixed { referent, n_pointers: 0 };
        let _ =
            execute(&program, function, &Config::default(), &mut terms, &mut inputs, &mut guide);
        found.extend(inputs.bounds_used.iter().copied());
    }
    found
}

#[track_caller]
fn assumes(text: &str, assumption: Assumption) {
    assert!(assumed(text).contains(&assumption), "{:?}", assumed(text));
}

#[track_caller]
fn does_not_assume(text: &str, assumption: Assumption) {
    assert!(!assumed(text).contains(&assumption), "{:?}", assumed(text));
}

#[test]
fn the_end_of_an_object_may_be_the_start_of_another() {
    let apart = Assumption::ObjectsApart;
    assumes("int a[2], b[2]; int f(void) { return a + 2 == b; }", apart);
    assumes(
        "int a[2], b[2]; int f(int i) { if (i >= 0 && i <= 2) return &a[i] != b; return 0; }",
        apart,
    );
    does_not_assume("int a[2], b[2]; int f(void) { return a == b; }", apart);
    does_not_assume("int a[2], b[2]; int f(void) { return a + 1 == b + 1; }", apart);
    does_not_assume("int f(int *p, int *q) { return p == q; }", apart);
}

#[test]
fn a_number_may_be_an_address() {
    let numbers = Assumption::NumbersAreNotAddresses;
    assumes("int y; int f(long x) { return (int *)x == &y; }", numbers);
    assumes("int y; int f(void) { return (int *)4096 == &y; }", numbers);
    does_not_assume("int y; int f(void) { return &y == 0; }", numbers);
}

#[test]
fn the_order_of_input_pointers_depends_on_where_they_point() {
    let starts = Assumption::PointersToStarts;
    // Any two elements of an array of scalars are tried; an index that may be negative is not.
    does_not_assume("int f(char *a, char *b) { return a >= b; }", starts);
    does_not_assume("int f(char *a) { return a + 1 >= a; }", starts);
    does_not_assume("int f(char *a) { return a ? a[1] : 0; }", starts);
    does_not_assume("int f(char *a, unsigned i) { return a ? a[i] : 0; }", starts);
    assumes("int f(char *a, int i) { return a ? a[i] : 0; }", starts);
    assumes("struct s { int x; }; int f(struct s *a) { return a ? a[1].x : 0; }", starts);
}

#[test]
fn a_nan_has_many_bits() {
    let bits = "union u { float f; unsigned u; };";
    assumes(
        &format!("{bits} int f(float x) {{ union u v; v.f = x; return v.u == 1; }}"),
        Assumption::OneNan,
    );
    assumes("int f(float x) { return __builtin_signbit(x); }", Assumption::OneNan);
    assumes(
        "struct m { float t; }; int f(struct m *m) { if (!m) return 0; float t = m->t; return ((unsigned char *)&t)[3] == 255; }",
        Assumption::OneNan,
    );
    does_not_assume("int f(float x) { return x == x; }", Assumption::OneNan);
    does_not_assume(
        &format!("{bits} int f(unsigned x) {{ union u v; v.u = x; return v.u == 1; }}"),
        Assumption::OneNan,
    );
}

#[test]
fn a_volatile_object_may_change_unless_nothing_outside_knows_it() {
    let volatile = Assumption::VolatilesKeepValues;
    assumes("volatile int x; int f(void) { return x; }", volatile);
    assumes("int f(volatile int *p) { return *p; }", volatile);
    assumes("struct s { volatile unsigned a : 3; } s; int f(void) { return s.a; }", volatile);
    assumes(
        "volatile int *known; int f(void) { volatile int x = 1; known = &x; return x; }",
        volatile,
    );
    assumes(
        "void know(volatile int *); int f(void) { volatile int x = 1; know(&x); return x; }",
        volatile,
    );
    does_not_assume("int f(void) { volatile int x = 1; return x; }", volatile);
    does_not_assume("volatile int x; int f(void) { x = 1; return 0; }", volatile);
}

#[test]
fn types_that_may_be_the_same_object_are_tried_or_named() {
    let types = Assumption::EffectiveTypes;
    assumes("int f(char *c, int *i) { *i = 1; *c = 2; return *i; }", types);
    assumes("struct s { int a; }; int f(struct s *s, unsigned *u) { *u = 1; return s->a; }", types);
    assumes(
        "union u { float f; int i; } u; int f(float *f, int *i) { *f = 1; *i = 2; return *f == 1; }",
        types,
    );
    // By their types they do not have the same memory.
    assumes("int f(float *f, int *i) { *f = 1; *i = 2; return *f == 1; }", types);
    // Both pointers may have the same memory, which is tried.
    does_not_assume("int f(unsigned *u, int *i) { *u = 1; *i = 2; return *u; }", types);
}

#[test]
fn what_has_ended_may_be_where_another_thing_is() {
    let again = Assumption::AddressesNotReused;
    assumes(
        "int *old; void g(void) { int x; old = &x; } int f(void) { int y; g(); return old == &y; }",
        again,
    );
    assumes("int f(void) { const char *a = \"xab\", *b = \"ab\"; return a + 1 == b; }", again);
    does_not_assume("int a, b; int f(void) { return &a == &b; }", again);
}

#[test]
fn a_function_that_is_called_as_another_type_may_do_anything() {
    let types = Assumption::CallsOfOtherTypes;
    let set = "static void set(int *p) { *p = 1; }";
    assumes(
        &format!(
            "{set} int f(void) {{ int x = 0; void (*g)(void *) = (void (*)(void *))set; g(&x); return x; }}"
        ),
        types,
    );
    does_not_assume(
        &format!("{set} int f(void) {{ int x = 0; void (*g)(int *) = set; g(&x); return x; }}"),
        types,
    );
    does_not_assume(
        &format!("{set} int f(void) {{ int x = 0; void (*g)() = set; g(&x); return x; }}"),
        types,
    );
}
