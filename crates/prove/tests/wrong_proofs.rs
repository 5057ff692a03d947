//! Assertions that fail for some input, each of which was once proved: none may be proved again.

mod random;

use glassbox_ir::{Check, CheckKind, InstrKind, Program};
use glassbox_prove::{Answer, Options, Place, Prover, Question};
use random::read_text;

const HEAD: &str = "
#include <string.h>
#include <stdlib.h>
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
";

/// Places that are proved not to fail.
fn n_proved(program: &Program) -> usize {
    let function = program.function_named("f").expect("every program has a function `f`");
    let mut prover = Prover::new(program, function, Options::default());
    let body = program.body(function);
    let mut n_proved = 0;
    for block in body.block_ids() {
        for (instr, at) in body.block(block).instrs.iter().zip(0..) {
            if let InstrKind::Check(Check::Condition { kind: CheckKind::Assertion, .. }) =
                instr.kind
            {
                let place = Place { function, block, instr: at };
                let answer = prover.decide(&Question::CheckFails(place));
                n_proved += usize::from(matches!(answer, Answer::Impossible(_)));
            }
        }
    }
    n_proved
}

#[track_caller]
fn not_proved(text: &str) {
    assert_eq!(n_proved(&read_text(&format!("{HEAD}{text}"))), 0);
}

#[test]
fn copies_of_many_elements_change_all_of_them() {
    not_proved(
        "void f(int *d, int *s) { if (!d || !s) return; d[100] = 5;
         memcpy(d, s, 101 * sizeof(int)); assert(d[100] == 5); }",
    );
    not_proved(
        "void f(int *d, int *s) { if (!d || !s) return; d[3] = 5;
         memcpy(d, s, 4 * sizeof(int)); assert(d[3] == 5); }",
    );
    not_proved(
        "void f(char *d) { if (!d) return; d[100] = 5; memset(d, 0, 101); assert(d[100] == 5); }",
    );
    not_proved(
        "struct s { int v; };
         void f(struct s *d) { if (!d) return; d[2].v = 5; memset(d, 0, 3 * sizeof *d);
         assert(d[2].v == 5); }",
    );
    not_proved(
        "int *keep;
         void f(unsigned n) { unsigned s = 0; n %= 1000;
         for (unsigned i = 0; i < n; i++) s += 3;
         int *d = malloc(64 * sizeof *d); if (!d) return; keep = d; d[7] = 5;
         if (s == 1500) memset(d, 0, 64 * sizeof *d);
         assert(d[7] == 5); }",
    );
}

#[test]
fn members_around_a_structure_are_not_its_own() {
    not_proved(
        "struct in { struct in *next; int x; };
         struct out { struct out *sibling; int w; struct in node; };
         void f(struct in *p, struct out *q) { if (!p || !q) return;
         struct out *o = (struct out *)((char *)p - __builtin_offsetof(struct out, node));
         struct out *s = o->sibling; if (!s) return; q->w = 1; s->w = 2; assert(q->w == 1); }",
    );
    let inherited = |body: &str| {
        not_proved(&format!(
            "struct t {{ long m; long n; }}; struct base {{ struct base *next; long v; }};
             struct derived {{ struct base b; struct t *t; }};
             void f(struct base *b, struct t *tt, struct derived *other) {{ if (!b || !tt || !other) return;
             {body} }}"
        ));
    };
    inherited(
        "struct derived *d = (struct derived *)b; if (!d->t) return;
         tt->n = 1; d->t->n = 2; assert(tt->n == 1);",
    );
    // The same member through a pointer to it that comes out of a join.
    inherited(
        "struct t **at = 0; if (b->v) at = &((struct derived *)b)->t; if (!at || !*at) return;
         tt->n = 1; (*at)->n = 2; assert(tt->n == 1);",
    );
    inherited("other->t = 0; ((struct derived *)b)->t = tt; assert(other->t == 0);");
}

#[test]
fn copies_of_structures_change_unions_and_bit_fields() {
    not_proved(
        "struct s { double a; union { int i; unsigned u; } u; };
         void f(struct s *p, struct s *q, int *ip) { if (!p || !q || !ip) return;
         *ip = 5; *p = *q; assert(*ip == 5); }",
    );
    not_proved(
        "struct b { int b : 8; };
         void f(struct b *p, struct b *q, unsigned char *c) { if (!p || !q || !c) return;
         *c = 5; *p = *q; assert(*c == 5); }",
    );
}

#[test]
fn loops_with_two_entries_are_entered_anywhere() {
    not_proved(
        "void f(unsigned x) { unsigned i = 0; if (3 / (x | 1) >= 7) goto m;
         l: i += 1; m: if (i < (x & 4095)) goto l; assert((i ^ 1234) != 2222); }",
    );
    not_proved(
        "void f(unsigned x, unsigned n) { unsigned i = 0, c = 0; n &= 1023;
         switch (x & 1 ? 5 / (x | 4) : 0) { case 3: while (i < n) { i++; case 0: case 1: c++; } }
         assert((c ^ 77) != 1000); }",
    );
}

#[test]
fn what_is_not_modeled_may_change_any_value() {
    not_proved("void f(void) { int x = 1; __asm__ volatile(\"\" : \"=r\"(x)); assert(x == 1); }");
    not_proved(
        "void f(int n) { int x = 1; for (int i = 0; i < n; i++) { assert(x == 1);
         __asm__ volatile(\"\" : \"=r\"(x)); } }",
    );
    not_proved("void f(void) { int x = 1; void g(void) { x = 2; } g(); assert(x == 1); }");
}

#[test]
fn an_index_of_another_width_is_no_ghost() {
    let text = "int a[1000];
        void f(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return;
        for (int i = 0; i < n; i++) a[i] = 7;
        short k = __VERIFIER_nondet_short();
        if (k >= 0 && k < 1000) assert(k >= n || a[k] == 7); }";
    // It holds; whether it is proved or not, nothing panics.
    n_proved(&read_text(&format!("{HEAD}{text}")));
}
