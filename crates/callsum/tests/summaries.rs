//! Summaries of small functions: as people read them, what a graph makes of them, and held against all small runs.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_callsum::{Effort, Options, Summaries, in_context, may_recur};
use glassbox_interp::{Machine, NoExternals, Outcome, Stubs, run_test};
use glassbox_ir::{FuncId, Program, Ty};
use glassbox_solver::StopFlag;
use glassbox_terms::{Model, Sort, TermId, Value, display, eval};
use glassbox_testcase::{InputValue, NamedInput, TestInput};
use glassbox_values::Bits;
use glassbox_whole::facts::text::{name_of, range_text, sum_text};
use glassbox_whole::{AfterErrors, Event, Graph};

fn read(source: &str) -> (Program, FuncId) {
    let program = compile_text(source).program.expect("the case should compile");
    let function = program.function_named("f").expect("the case should define f");
    (program, function)
}

/// For each way in which the only call of `f` returns: its result, and what is known then.
fn ways_of(graph: &Graph) -> Vec<(TermId, Vec<TermId>)> {
    let facts = |node: usize| graph.nodes[node].events.iter().filter_map(Event::after).collect();
    let call = graph.calls[0].node;
    let results: Vec<TermId> =
        graph.owned[&call].iter().copied().filter(|v| !graph.inputs.contains(v)).collect();
    let [result] = results[..] else { panic!("one thing should be unknown: {results:?}") };
    if graph.nodes[call].edges.is_empty() {
        return vec![(result, facts(call))];
    }
    let ways = graph.nodes[call].edges.iter().map(|edge| edge.target);
    ways.map(|way| (graph.nodes[way].edges[0].args[0], facts(way))).collect()
}

/// No call is expanded.
fn options() -> Options {
    Options {
        graph: glassbox_whole::Options {
            model: glassbox_model::Config::default(),
            after_errors: AfterErrors::End,
            types_apart: true,
            call_summaries: true,
            max_call_depth: 0,
            max_recursion: 0,
            max_blocks: 4000,
        },
        invariants: glassbox_invariants::Options {
            is_on: true,
            linear: true,
            probing: true,
            widen_after: 3,
            linear_work: 40_000_000,
            stop: StopFlag::default(),
        },
    }
}

/// The summaries of what `f` may call.
#[track_caller]
fn check(source: &str, expected: Expect) {
    let (program, function) = read(source);
    let mut summaries = Summaries::new(&program, function);
    let mut text = String::new();
    for (callee, lines) in summaries.describe(&program, function, &options()) {
        let name = &program.function(callee).name;
        lines.iter().for_each(|line| text.push_str(&format!("{name}: {line}\n")));
    }
    expected.assert_eq(&text);
}

fn graph_of(program: &Program, function: FuncId) -> Graph {
    let mut summaries = Summaries::new(program, function);
    let graph = summaries.graph(program, function, &options(), false);
    graph.expect("the case should have a graph")
}

/// The conditions that `f` branches on.
#[track_caller]
fn check_conditions(source: &str, expected: Expect) {
    let (program, function) = read(source);
    let graph = graph_of(&program, function);
    let mut text = String::new();
    for node in graph.nodes.iter().filter(|node| node.edges.len() > 1) {
        let line = node.span.map_or(0, |span| span.line);
        let _ = writeln!(text, "{line}: {}", display(&graph.terms, node.edges[0].condition));
    }
    expected.assert_eq(&text);
}

/// All combinations of small numbers and of the ends of types.
fn inputs(program: &Program, function: FuncId) -> Vec<(TestInput, Vec<Bits>)> {
    let mut all = vec![(TestInput::default(), Vec::new())];
    for param in &program.function(function).params {
        let Ty::Int(width) = param.ty else { panic!("cases have integers as inputs") };
        let ends = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX].map(i128::from);
        let values: Vec<i128> = (-5..16).chain([99, 100, 101]).chain(ends).collect();
        let with = |(input, bits): &(TestInput, Vec<Bits>), value: i128| {
            let value = Bits::from_signed(value, width);
            let mut input = input.clone();
            let (name, source_type) = (param.name.clone(), param.source_type);
            input.params.push(NamedInput { name, source_type, value: InputValue::Int(value) });
            (input, [bits.as_slice(), &[value]].concat())
        };
        all = all.iter().flat_map(|known| values.iter().map(|v| with(known, *v))).collect();
    }
    all
}

/// `f` returns what one call gives: whatever that is in a run, the graph allows it.
#[track_caller]
fn holds_in_all_runs(source: &str) {
    let (program, function) = read(source);
    let graph = graph_of(&program, function);
    let terms = &graph.terms;
    assert_eq!(graph.calls.len(), 1, "f should call once");
    let ways = ways_of(&graph);
    let options = glassbox_interp::Options {
        max_steps: 30_000,
        max_bytes: 1 << 24,
        max_depth: 2000,
        ..glassbox_interp::Options::default()
    };
    let mut machine = Machine::new(&program, options, Box::new(NoExternals)).expect("a machine");
    assert!(ways.iter().all(|(_, facts)| !facts.is_empty()), "the summary should say something");
    let mut n_returned = 0;
    for (input, bits) in inputs(&program, function) {
        let run =
            run_test(&mut machine, &Stubs::default(), function, &input).expect("it should fit");
        let Outcome::Returned(Some(returned)) = run.outcome else { continue };
        n_returned += 1;
        let mut model = Model::new();
        for (&term, &value) in graph.inputs.iter().zip(&bits) {
            model.set(terms.as_var(term).expect("inputs are variables"), Value::Bv(value));
        }
        let is_allowed = ways.iter().any(|(result, facts)| {
            let Sort::Bv(width) = terms.sort(*result) else { panic!("the result is a number") };
            let result = terms.as_var(*result).expect("a result is a variable");
            model.set(result, Value::Bv(Bits::new(returned, width)));
            facts.iter().all(|&fact| eval(terms, &model, fact) == Value::Bool(true))
        });
        assert!(is_allowed, "{bits:?} gives {returned}, which no way of returning allows");
        assert!(graph.calls[0].may_return, "it returns for {bits:?}");
    }
    assert!(n_returned > 0, "some run should return");
}

const CLAMP: &str = "static int clamp(int a)
{
    if (a < 0)
        return 0;
    if (a > 100)
        return 100;
    return a;
}
int f(int a)
{
    return clamp(a);
}
";

#[test]
fn a_result_has_a_range() {
    check(
        CLAMP,
        expect![[r#"
        clamp: 0 <= result <= 100
        clamp: writes nothing
    "#]],
    );
    holds_in_all_runs(CLAMP);
}

const SUM: &str = "static int sum(int a, int b)
{
    int s = a + b;
    return s + 3;
}
int f(int a, int b)
{
    return sum(a, b);
}
";

#[test]
fn a_result_is_in_a_linear_relation_to_arguments() {
    check(
        SUM,
        expect![[r#"
        sum: -2147483645 <= result <= 2147483647
        sum: a + b + 3 <= result
        sum: result <= a + b + 3
        sum: writes nothing
    "#]],
    );
    holds_in_all_runs(SUM);
}

const WRAPS: &str = "static unsigned next(unsigned a)
{
    return a + 1u;
}
unsigned f(unsigned a)
{
    return next(a);
}
";

#[test]
fn a_result_that_may_wrap_around_is_in_no_relation() {
    check(
        WRAPS,
        expect![[r#"
        next: (unsigned)result <= (unsigned)a + 1
        next: writes nothing
    "#]],
    );
    holds_in_all_runs(WRAPS);
}

const LOOP: &str = "static int count(int n)
{
    int i = 0;
    while (i < n && i < 10)
        i += 2;
    return i;
}
int f(int n)
{
    return count(n);
}
";

#[test]
fn a_loop_inside_of_a_callee() {
    check(
        LOOP,
        expect![[r#"
        count: 0 <= result <= 10, result mod 2 = 0
        count: writes nothing
    "#]],
    );
    holds_in_all_runs(LOOP);
}

const ONE_GLOBAL: &str = "int g, h;
static void set(int a)
{
    g = a;
}
int f(int a)
{
    g = 1;
    h = 2;
    set(a);
    if (h != 2)
        return 1;
    if (g == a)
        return 2;
    if (g == 1)
        return 3;
    return 0;
}
";

#[test]
fn a_function_that_writes_one_global() {
    check(
        ONE_GLOBAL,
        expect![[r#"
        set: a <= g'
        set: g' <= a
        set: may write g
    "#]],
    );
    check_conditions(
        ONE_GLOBAL,
        expect![[r#"
        13: a == g
        15: g == 1
    "#]],
    );
}

const BEHIND_POINTER: &str = "int g;
static void set(int *p, int *q)
{
    *p = *q;
}
int f(void)
{
    int a = 1, b = 2, c = 3;
    g = 4;
    set(&a, &b);
    if (c != 3)
        return 1;
    if (b != 2)
        return 2;
    if (a == 1)
        return 3;
    return g == 4 ? 4 : 5;
}
";

#[test]
fn a_function_that_writes_behind_a_pointer() {
    check(
        BEHIND_POINTER,
        expect![[r#"
            set: returns only if p != 0
            set: returns only if q != 0
            set: may write memory behind p
        "#]],
    );
    check_conditions(
        BEHIND_POINTER,
        expect![[r#"
        15: ?3 == 1
    "#]],
    );
}

const RECURSIVE: &str = "static int down(int n)
{
    if (n <= 0)
        return 0;
    return down(n - 1);
}
int f(int n)
{
    return down(n);
}
";

#[test]
fn a_recursive_function() {
    check(
        RECURSIVE,
        expect![[r#"
            down: one way: if -2147483648 <= n <= 0, result = 0
            down: one way: if 1 <= n <= 2147483647, result = 0
            down: writes nothing
        "#]],
    );
    holds_in_all_runs(RECURSIVE);
    let (program, function) = read(RECURSIVE);
    assert!(may_recur(&program, function));
    let (program, function) = read(CLAMP);
    assert!(!may_recur(&program, function));
}

/// McCarthy's function.
const TWO_WAYS: &str = "static int mc91(int n)
{
    if (n > 100)
        return n - 10;
    return mc91(mc91(n + 11));
}
int f(int n)
{
    return mc91(n);
}
";

#[test]
fn ways_of_returning_are_kept_apart_in_recursions() {
    check(
        TWO_WAYS,
        expect![[r#"
            mc91: one way: if 101 <= n <= 2147483647, 91 <= result <= 2147483637, n <= result + 10, result + 10 <= n
            mc91: one way: if -2147483648 <= n <= 100, result = 91
            mc91: writes nothing
        "#]],
    );
    holds_in_all_runs(TWO_WAYS);
}

/// More returns than are kept apart, the recursive one among the first.
const MANY_WAYS: &str = "static int digit(int n)
{
    if (n > 50)
        return digit(n - 7);
    if (n < 0)
        return -1;
    if (n < 10)
        return n;
    if (n == 11)
        return 100;
    if (n % 2)
        return digit(n - 10) + 1;
    return n / 10;
}
int f(int n)
{
    return digit(n);
}
";

#[test]
fn later_ways_of_returning_are_one() {
    check(
        MANY_WAYS,
        expect![[r#"
            digit: one way: if 51 <= n <= 2147483647, 1 <= result <= 2147483646, result <= n + 85
            digit: one way: if -2147483648 <= n <= -1, result = -1
            digit: one way: if 0 <= n <= 9, 0 <= result <= 9, n <= result, result <= n
            digit: one way: if 10 <= n <= 50, 1 <= result <= 129, n <= result + 47, result <= n + 89, n + result <= 178
            digit: writes nothing
        "#]],
    );
    holds_in_all_runs(MANY_WAYS);
}

const MUTUAL: &str = "static int odd(int n);
static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}
int f(int n)
{
    return even(n);
}
";

#[test]
fn functions_that_call_each_other() {
    check(
        MUTUAL,
        expect![[r#"
        odd: returns only if 0 <= n <= 2147483647
        odd: 0 <= result <= 1
        odd: result <= n
        odd: writes nothing
        even: returns only if 0 <= n <= 2147483647
        even: 0 <= result <= 1
        even: 1 <= n + result
        even: writes nothing
    "#]],
    );
    holds_in_all_runs(MUTUAL);
}

const NEVER: &str = "static int forever(int n)
{
    return forever(n + 1);
}
int f(int n)
{
    if (n == 3)
        return 1;
    return forever(n);
}
";

#[test]
fn a_recursion_without_end_does_not_return() {
    check(
        NEVER,
        expect![[r#"
        forever: does not return
        forever: writes nothing
    "#]],
    );
    let (program, function) = read(NEVER);
    let graph = graph_of(&program, function);
    assert!(graph.calls.iter().all(|call| !call.may_return), "{:?}", graph.calls);
}

const UNDEFINED: &str = "extern int other(int);
int g;
static int ask(int a)
{
    return other(a);
}
int f(int a)
{
    int own = 2;
    g = 1;
    if (ask(a) == 3)
        return 1;
    if (own == 2 && g == 1)
        return 2;
    return 3;
}
";

#[test]
fn a_function_that_calls_an_undefined_one() {
    check(
        UNDEFINED,
        expect![[r#"
        ask: may write whatever is reachable
    "#]],
    );
    check_conditions(
        UNDEFINED,
        expect![[r#"
        0: result == 3
        13: ?1 == 1
    "#]],
    );
}

const BY_POINTER: &str = "int g;
static int apply(int (*op)(int), int a)
{
    return op(a);
}
static int put(int a)
{
    g = a;
    return a;
}
int f(int a)
{
    g = 1;
    if (apply(put, a) == 3)
        return 1;
    return g == 1 ? 2 : 3;
}
";

#[test]
fn a_function_that_calls_what_a_pointer_says() {
    check(
        BY_POINTER,
        expect![[r#"
            apply: returns only if op != 0
            apply: may write whatever is reachable
            put: a <= g'
            put: g' <= a
            put: a <= result
            put: result <= a
            put: result <= g'
            put: g' <= result
            put: may write g
        "#]],
    );
    check_conditions(
        BY_POINTER,
        expect![[r#"
        0: result == 3
        16: ?2 == 1
    "#]],
    );
}

#[test]
fn in_context_arguments_are_what_calls_give() {
    let source = "static int half(int a)
{
    return a / 2;
}
int f(int n)
{
    if (n < 4 || n > 20)
        return 0;
    return half(n) + half(10);
}
";
    check(
        source,
        expect![[r#"
        half: -1073741824 <= result <= 1073741823
        half: writes nothing
    "#]],
    );
    check_context(
        source,
        expect![[r#"
        f: anything
        half: 4 <= a <= 20
    "#]],
    );
}

#[test]
fn in_context_of_a_recursion() {
    check_context(
        "static int down(int n, int step)
{
    if (n <= 0)
        return n;
    return down(n - step, step);
}
int f(int n)
{
    if (n > 50)
        return 0;
    return down(n, 3);
}
",
        expect![[r#"
            f: anything
            down: -2147483648 <= n <= 50
            down: step = 3
        "#]],
    );
}

/// What holds where each function begins when it runs on behalf of `f`.
#[track_caller]
fn check_context(source: &str, expected: Expect) {
    let (program, function) = read(source);
    let mut summaries = Summaries::new(&program, function);
    let found = in_context(&program, function, &mut summaries, &options(), Effort::Plain);
    let found = found.expect("the case should not be too much");
    assert!(found.opaque.is_empty(), "every function should have a model: {:?}", found.opaque);
    let mut text = String::new();
    for graph in &found.graphs {
        let whose = graph.nodes[0].function.map_or("?", |id| program.function(id).name.as_str());
        let Some(entry) = &graph.entry else {
            let _ = writeln!(text, "{whose}: anything");
            continue;
        };
        for (term, domain) in &entry.domains {
            let fact = range_text(name_of(&graph.terms, *term), domain);
            text.extend(fact.map(|fact| format!("{whose}: {fact}\n")));
        }
        for sum in entry.sums().filter(|sum| !entry.implies(sum)) {
            let _ = writeln!(text, "{whose}: {}", sum_text(&graph.terms, &sum, "<="));
        }
    }
    expected.assert_eq(&text);
}
