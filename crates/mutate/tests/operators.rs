//! Which changes there are, and that each is made where it should be.

use glassbox_c_front::front::Front;
use glassbox_mutate::{Operator, Text, body, mutants};

/// The changes of `f` as text, by operator; and the bodies that they make.
fn changes(source: &str, operators: &[Operator]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut front = Front::new();
    let mut read = |_: &str| None;
    front.add_unit_with(
        "f.c",
        source.as_bytes().to_vec(),
        &mut read,
        &mut |program, bytes, base| {
            let text = Text { bytes, base };
            let function = program.function_named("f").expect("f is defined");
            for mutant in mutants(program, function, text, operators) {
                let made = body(program, function, text, &mutant, "g").expect("a body");
                let made = String::from_utf8_lossy(&made).into_owned();
                let change = format!("{} -> {}", mutant.original, mutant.replacement);
                let code = made.lines().filter(|line| !line.starts_with('#'));
                found.push((change, code.collect::<Vec<_>>().join(" ").trim().to_owned()));
            }
            Vec::new()
        },
    );
    found
}

fn texts(source: &str, operator: Operator) -> Vec<String> {
    changes(source, &[operator]).into_iter().map(|(change, _)| change).collect()
}

#[test]
fn operators_become_their_relatives() {
    let sum = "int f(int a, int b) { return a + b; }\n";
    let all = texts(sum, Operator::Arithmetic);
    assert_eq!(
        all,
        [
            "a + b -> ((a) - (b))",
            "a + b -> ((a) * (b))",
            "a + b -> ((a) / (b))",
            "a + b -> ((a) % (b))"
        ]
    );
    let real = "double f(double a, double b) { return (a) / (b + 1); }\n";
    assert_eq!(texts(real, Operator::Arithmetic).len(), 6, "no remainder of doubles");
    assert_eq!(texts("int f(int a) { return a <= 1; }\n", Operator::Relational).len(), 5);
    let pointers = "int f(int *a, int *b) { return a == b; }\n";
    assert_eq!(texts(pointers, Operator::Relational), ["a == b -> ((a) != (b))"]);
    let assigned = "int f(int a, int b) { a += b; a <<= 1; return a; }\n";
    let all = texts(assigned, Operator::Arithmetic);
    assert_eq!(all.len(), 5, "{all:?}");
    assert!(all.contains(&"a <<= 1 -> a >>= (1)".to_owned()), "{all:?}");
}

#[test]
fn what_binds_tighter_than_what_it_replaces_does_so_in_mutants() {
    let chain = "int f(int a, int b, int c) { return a || b || c; }\n";
    let all = texts(chain, Operator::Logical);
    assert_eq!(
        all,
        [
            "a || b -> ((a) && (b))",
            "a || b -> (!!(a) ^ !!(b))",
            "a || b || c -> ((a) || ((b) && (c)))",
            "a || b || c -> ((a) || (!!(b) ^ !!(c)))",
        ]
    );
}

#[test]
fn the_rest_of_the_function_stays_and_it_calls_itself() {
    let source = "int f(int n) { if (n < 1) return 1; return n * f(n - 1); }\n";
    let all = changes(source, &[Operator::Deletion, Operator::Constant, Operator::Unary]);
    let bodies: Vec<&str> = all.iter().map(|(_, body)| body.as_str()).collect();
    assert!(bodies.contains(&"{ ; return n * g(n - 1); }"), "{bodies:?}");
    assert!(bodies.contains(&"{ if (n < (2)) return 1; return n * g(n - 1); }"), "{bodies:?}");
    assert!(bodies.contains(&"{ if (!(n < 1)) return 1; return n * g(n - 1); }"), "{bodies:?}");
    assert!(bodies.contains(&"{ if (n < 1) return 1; return (-n) * g(n - 1); }"), "{bodies:?}");
    let steps = "void f(int *n) { (*n)++; int i = 0; i++; *n = i; return; }\n";
    let all = texts(steps, Operator::Unary);
    assert_eq!(all, ["i -> (-i)"], "what is counted up is no value");
    assert_eq!(texts(steps, Operator::Deletion).len(), 4);
}
