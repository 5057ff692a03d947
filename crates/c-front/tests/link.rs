//! Several units as one program.

use glassbox_c_front::front::{Checked, Front};
use glassbox_c_front::tree::{Constant, Init, InitValue};

fn link(units: &[&str]) -> Checked {
    let mut front = Front::new();
    for (index, unit) in units.iter().enumerate() {
        front.add_unit(&format!("u{index}.c"), unit.as_bytes().to_vec(), &mut |_| None);
    }
    front.finish()
}

#[track_caller]
fn check(units: &[&str], expect: &[&str]) -> Checked {
    let checked = link(units);
    let messages: Vec<String> = checked
        .diagnostics
        .iter()
        .map(|d| {
            let place = checked.sources.resolve(d.span.expect("a place"));
            format!("{}:{}: {}", checked.sources.file_name(place.file), place.line, d.message())
        })
        .collect();
    assert_eq!(messages, expect);
    checked
}

#[test]
fn an_external_name_is_one_function_and_one_variable() {
    let checked = check(
        &[
            "extern int shared[]; int twice(int); int use(void) { return twice(shared[1]); }",
            "int shared[3] = {1, 2, 3}; int twice(int x) { return 2 * x; }",
        ],
        &[],
    );
    let program = &checked.program;
    let named =
        |name: &str| program.functions.iter().filter(|f| program.name(f.name) == name).count();
    assert_eq!((named("twice"), named("use")), (1, 1));
    let shared: Vec<_> =
        program.variables.iter().filter(|v| program.name(v.name) == "shared").collect();
    assert_eq!(shared.len(), 1);
    assert_eq!(program.types.size_of(shared[0].ty), Some(12));
    assert!(shared[0].is_defined);
}

#[test]
fn static_names_are_separate() {
    let checked = check(
        &[
            "static int n = 1; static int f(void) { return n; }",
            "static int n = 2; static int f(void) { return n; }",
        ],
        &[],
    );
    let program = &checked.program;
    let values: Vec<u128> = program
        .variables
        .iter()
        .filter(|v| program.name(v.name) == "n")
        .filter_map(|v| match &v.init {
            Some(Init::Value(InitValue::Constant(Constant::Int(value)))) => Some(value.unsigned()),
            _ => None,
        })
        .collect();
    assert_eq!(values, [1, 2]);
    assert_eq!(program.functions.len(), 2);
}

#[test]
fn conflicts_between_units_are_named() {
    check(
        &["int f(int x) { return x; }", "int f(int x) { return -x; }"],
        &["u1.c:1: `f` is defined in two files"],
    );
    check(&["int v = 1;", "int v = 2;"], &["u1.c:1: `v` is defined in two files"]);
    check(
        &["int f(int);", "extern double f(int);"],
        &["u1.c:1: `f` has type `double (int)` here and `int (int)` in another file"],
    );
    check(&["int x;", "int x(void);"], &["u1.c:1: redefinition of `x`"]);
}

#[test]
fn the_same_struct_in_two_units_agrees() {
    let header = "struct node { struct node *next; int v; }; struct node *push(struct node *, int); extern struct node head;";
    check(
        &[
            &format!("{header} int main(void) {{ return push(&head, 3)->v; }}"),
            &format!(
                "{header} struct node head; struct node *push(struct node *n, int v) {{ n->v = v; return n; }}"
            ),
        ],
        &[],
    );
    check(
        &["struct s { int a; }; extern struct s g;", "struct s { long a; }; struct s g;"],
        &["u1.c:1: `g` has type `struct s` here and `struct s` in another file"],
    );
}

#[test]
fn inline_definitions_may_repeat() {
    let header = "static inline int sq(int x) { return x * x; } inline int cube(int x) { return x * x * x; }";
    check(
        &[
            &format!("{header} int a(void) {{ return sq(2) + cube(2); }}"),
            &format!(
                "{header} int b(void) {{ return sq(3) + cube(3); }} extern inline int cube(int);"
            ),
        ],
        &[],
    );
}
